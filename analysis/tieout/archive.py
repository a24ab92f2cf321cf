"""A package or ledger in a ZIP archive: everything is looked at before anything is unpacked, into a private folder.

1 the end record: one archive, no ZIP64, a bounded number of members and size of their list.
2 every member: its name, kind, method and declared size; names apart on every system; no two share bytes.
3 unpack: into a new folder that nobody else can enter, each file to exactly its declared size.
Archives inside an archive are files like others: nothing looks into them.
"""

from __future__ import annotations

import stat
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tieout.errors import CannotOpen, Fault, Invalid
from tieout.folder import alike, unsafe_name
from tieout.safetext import visible

MOST_MEMBERS = 10_000
MOST_LIST = 8 * 2**20  # bytes of the archive's list of members, which is read whole
MOST_BYTES = 4 * 2**30  # of all members unpacked
MOST_RATIO = (
    200  # unpacked over packed, above SMALL; Deflate makes at most 1,032 of one, and text five to twenty
)
SMALL = 2**20
CHUNK = 2**20

_END = b"PK\x05\x06"
_END_SIZE = 22
_LONGEST_COMMENT = 0xFFFF
_LOCATOR = b"PK\x06\x07"
_LOCATOR_SIZE = 20
_LOCAL_SIZE = 30
_ENCRYPTED = 0x1 | 0x40 | 0x2000
_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}


@contextmanager
def unpacked(paths: Sequence[Path]) -> Iterator[list[Path]]:
    """The paths, with a temporary folder in place of each archive; the folders are gone after the context.

    Raises CannotOpen for a file that is no archive, and Invalid with every fault of one that may not be unpacked.
    """
    with ExitStack() as stack:
        yield [stack.enter_context(_folder(path)) if path.is_file() else path for path in paths]


@contextmanager
def _folder(path: Path) -> Iterator[Path]:
    _look_at_end(path)
    try:
        with (
            zipfile.ZipFile(path) as archive,
            tempfile.TemporaryDirectory(prefix="tieout-archive-") as folder,
        ):
            members = archive.infolist()
            if faults := _faults(members, path):
                raise Invalid(faults)
            if not any(Path(member.filename).name in {"package.yaml", "ledger.yaml"} for member in members):
                raise CannotOpen(
                    f"{path}: neither a package (package.yaml) nor a ledger (ledger.yaml) is in the archive"
                )
            root = Path(folder) / visible(path.stem)
            root.mkdir()
            for member in members:
                _unpack(archive, member, root, path)
            yield root
    except (zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError) as error:
        raise CannotOpen(f"{path}: the archive cannot be read: {visible(str(error))}") from error


def _look_at_end(path: Path) -> None:
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - _END_SIZE - _LONGEST_COMMENT - _LOCATOR_SIZE))
        tail = file.read()
    at = tail.rfind(_END)
    if at < 0 or len(tail) - at < _END_SIZE:
        raise CannotOpen(f"{path}: neither a folder nor a ZIP archive")
    _, disk, first_disk, _, members, listed, _, _ = struct.unpack("<4s4H2LH", tail[at : at + _END_SIZE])
    if tail[at - _LOCATOR_SIZE : at].startswith(_LOCATOR) or members == 0xFFFF or listed == 0xFFFFFFFF:
        raise CannotOpen(f"{path}: the archive is in the form ZIP64, which is not read")
    if disk or first_disk:
        raise CannotOpen(f"{path}: the archive is one of several parts")
    if members > MOST_MEMBERS or listed > MOST_LIST:
        raise CannotOpen(
            f"{path}: the archive lists {members:,} members in {listed:,} bytes; too many to read"
        )


def _faults(members: Sequence[zipfile.ZipInfo], path: Path) -> list[Fault]:
    found = [
        Fault(code=problem[0], message=problem[1], file=f"{path.name}/{visible(member.orig_filename)}")
        for member in members
        if (problem := _problem(member))
    ]

    def whole(code: str, message: str) -> None:
        found.append(Fault(code=code, message=message, file=path.name))

    if len(members) > MOST_MEMBERS:
        whole("archive-size", f"the archive has {len(members):,} members; at most {MOST_MEMBERS:,} are read")
    names = [member.filename.rstrip("/") for member in members]
    for name in sorted(
        {name for name in names if names.count(name) > 1} if len(set(names)) < len(names) else ()
    ):
        whole("archive-twice", f"two members are named `{visible(name)}`")
    for first, second in alike(sorted(set(names))):
        whole("name-collision", f"some systems cannot tell `{visible(second)}` from `{visible(first)}`")
    files = {member.filename for member in members if not member.is_dir()}
    for name in sorted(names):
        above = next((str(parent) for parent in Path(name).parents if str(parent) in files), None)
        if above:
            whole("name-collision", f"`{visible(above)}` is a file, and `{visible(name)}` would lie in it")
    total, packed = (
        sum(getattr(member, size) for member in members) for size in ("file_size", "compress_size")
    )
    if total > SMALL and total > MOST_RATIO * max(packed, 1):
        whole(
            "archive-ratio",
            f"{packed:,} bytes would become {total:,}, more than {MOST_RATIO} times as many",
        )
    if total > MOST_BYTES:
        whole("archive-size", f"the members have {total:,} bytes; at most {MOST_BYTES:,} are unpacked")
    found += _overlaps(members, path)
    return found


def _problem(member: zipfile.ZipInfo) -> tuple[str, str] | None:
    """What is wrong with one member by what the archive says of it."""
    if reason := unsafe_name(member.orig_filename.removesuffix("/")):
        return "unsafe-path", f"the name {reason}"
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind not in {0, stat.S_IFREG, stat.S_IFDIR} or (kind == stat.S_IFDIR) > member.is_dir():
        what = "a symbolic link" if kind == stat.S_IFLNK else "no regular file"
        return "not-a-file", f"the member is {what}"
    if member.flag_bits & _ENCRYPTED:
        return "archive-encrypted", "the member is encrypted"
    if member.compress_type not in _METHODS:
        return "archive-method", "the member is neither stored nor deflated"
    if member.is_dir() and member.file_size:
        return "not-a-file", "the member is a folder with bytes of its own"
    if member.file_size > SMALL and member.file_size > MOST_RATIO * max(member.compress_size, 1):
        return (
            "archive-ratio",
            f"{member.compress_size:,} bytes would become {member.file_size:,}, more than {MOST_RATIO} times as many",
        )
    return None


def _overlaps(members: Sequence[zipfile.ZipInfo], path: Path) -> Iterator[Fault]:
    """Members that share bytes: how an archive of a megabyte becomes one of a petabyte."""
    end = 0
    for member in sorted(members, key=lambda member: member.header_offset):
        if member.header_offset < end:
            yield Fault(
                code="archive-overlap",
                message="the member lies before the archive's first byte"
                if member.header_offset < 0
                else "the member shares bytes with another",
                file=f"{path.name}/{visible(member.orig_filename)}",
            )
        end = max(end, member.header_offset + _LOCAL_SIZE + member.compress_size)


def _unpack(archive: zipfile.ZipFile, member: zipfile.ZipInfo, root: Path, path: Path) -> None:
    target = root / member.filename
    if member.is_dir():
        target.mkdir(parents=True, exist_ok=True)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    written = 0
    try:
        with archive.open(member) as source, target.open("xb") as file:
            while part := source.read(CHUNK):
                written += len(part)
                if written > member.file_size:
                    break
                file.write(part)
    except (zlib.error, EOFError) as error:
        raise CannotOpen(f"{path}: {member.filename} cannot be unpacked: {visible(str(error))}") from error
    if written != member.file_size:
        raise CannotOpen(f"{path}: {member.filename} has another size than the archive says")
