"""The folder of a package: what may stand in it under which names, and whether it is what was frozen."""

from __future__ import annotations

import hashlib
import os
import stat
import unicodedata
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from tieout.errors import Fault, Invalid
from tieout.safetext import problem, visible
from tieout.strict import read_bytes

SUMS = "SHA256SUMS"
DATAPACKAGE = "datapackage.json"
GENERATED = frozenset({SUMS, DATAPACKAGE})
LONGEST_NAME = 255  # bytes of one part of a path, the most that common file systems hold
RESERVED = frozenset(
    {"CON", "PRN", "AUX", "NUL", *(f"{port}{number}" for port in ("COM", "LPT") for number in range(1, 10))}
)  # names of devices on Windows, whatever follows their first point


def inside(root: Path, name: str, said_in: str = "package.yaml") -> Path:
    """The path of a file by its name inside a package or a ledger, which it must not leave.

    `said_in` is the file that names it, where a fault is told.
    Raises Invalid for a name that is absolute, climbs, hides or misleads, and for a link on the way.
    """

    def refuse(reason: str) -> Invalid:
        shown = name.encode("unicode_escape").decode()
        return Invalid([Fault(code="unsafe-path", message=f"`{shown}` {reason}", file=said_in, found=shown)])

    if reason := unsafe_name(name):
        raise refuse(reason)
    path = root
    for part in PurePosixPath(name).parts:
        path = path / part
        if path.is_symlink():
            raise refuse("leads through a symbolic link")
    return path


def unsafe_name(name: str) -> str | None:
    """Why a name may not be that of a package's file, in words that follow the name; None where it may."""
    parts = PurePosixPath(name).parts
    if not name or name != str(PurePosixPath(name)):
        return "is not a plain relative path"
    if name.startswith("/") or "\\" in name or ":" in name:
        return "is not relative to the package"
    if ".." in parts:
        return "climbs out of the package"
    if unicodedata.normalize("NFC", name) != name:
        return "is not in Unicode normal form C"
    if any(not character.isprintable() for character in name):
        return "holds a character that cannot be seen"
    if problem(name):
        return "mixes letters of two scripts that look alike"
    if any(len(part.encode()) > LONGEST_NAME for part in parts):
        return f"has a part of more than {LONGEST_NAME} bytes"
    if any(part[-1] in ". " or part.partition(".")[0].upper() in RESERVED for part in parts):
        return "cannot be a name on every system"
    return None


def alike(names: Iterable[str]) -> list[tuple[str, str]]:
    """Pairs of names that a system may take for one: they differ by case or normal form alone."""
    first: dict[str, str] = {}
    pairs = []
    for name in names:
        known = first.setdefault(
            unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold()), name
        )
        if known != name:
            pairs.append((known, name))
    return pairs


def look_at(path: Path, name: str) -> Fault | None:
    """What is wrong with a Parquet file by its first and last bytes, or None."""

    def fault(code: str, message: str) -> Fault:
        return Fault(code=code, message=message, file=name)

    try:
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode):
            return fault("not-a-file", "this is no regular file")
        with path.open("rb") as file:
            head = file.read(200)
            file.seek(max(0, status.st_size - 4))
            tail = file.read(4)
    except OSError as error:
        return fault("missing-file", f"the file cannot be read: {error.strerror}")
    if not head:
        return fault("empty-file", "the file is empty; Parquet was expected")
    if head.startswith(b"version https://git-lfs"):
        return fault("lfs-pointer", "this is a Git LFS pointer, not the file; run `git lfs pull`")
    if head.lstrip().lower().startswith((b"<!doctype", b"<html")):
        return fault("html-page", "this is an HTML page, not Parquet; the download was redirected or refused")
    if head[:4] != b"PAR1":
        return fault("not-parquet", f"this is not Parquet: it begins with {head[:4]!r}, not b'PAR1'")
    if tail != b"PAR1" or status.st_size < 12:
        return fault("truncated-file", "the Parquet file is cut short: its closing mark is missing")
    return None


def files_of(root: Path) -> list[str]:
    """Every file of a package that a freeze covers, by its name inside it, sorted; generated files left out.

    A link to a folder is listed as a file: nothing behind it belongs to the package. A name that is not UTF-8 has
    halves of surrogate pairs for its other bytes.
    """
    found = []
    for folder, folders, files in os.walk(root):
        links = [name for name in folders if (Path(folder) / name).is_symlink()]
        for file in (*files, *links):
            name = (Path(folder) / file).relative_to(root).as_posix()
            if name not in GENERATED:
                found.append(name)
    return sorted(found)


def sha256(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check_hashes(root: Path, faults: list[Fault]) -> str | None:
    """The package's digest, None where it is not frozen; what is missing, extra or changed is added to `faults`."""
    sums = root / SUMS
    if not sums.is_file() or sums.is_symlink():
        faults.append(
            Fault(
                code="not-frozen",
                message="the package is not frozen; its author runs `tieout freeze`",
                file=SUMS,
            )
        )
        return None
    expected = read_sums(sums, faults)
    covered = {*files_of(root), *([DATAPACKAGE] if (root / DATAPACKAGE).is_file() else [])}
    for name in sorted(covered - set(expected)):
        reason = unsafe_name(name)
        message = "the file is not among the frozen ones" + (f", and its name {reason}" if reason else "")
        faults.append(Fault(code="extra-file", message=message, file=visible(name)))
    for first, second in alike(sorted(covered | set(expected))):
        message = f"some systems cannot tell it from `{visible(first)}`"
        faults.append(Fault(code="name-collision", message=message, file=visible(second)))
    for name in sorted(expected):
        try:
            path = inside(root, name, SUMS)
        except Invalid as error:
            faults += error.faults
            continue
        if name not in covered:
            faults.append(Fault(code="missing-file", message="the frozen file is missing", file=name))
        elif not stat.S_ISREG(path.lstat().st_mode):
            faults.append(Fault(code="not-a-file", message="this is no regular file", file=name))
        elif (found := sha256(path)) != expected[name]:
            faults.append(_changed(path, name, expected[name], found))
    return sha256(sums)


def read_sums(sums: Path, faults: list[Fault]) -> dict[str, str]:
    """The hashes of a SHA256SUMS file by name; a line in another form is added to `faults`."""
    expected: dict[str, str] = {}
    text = read_bytes(sums, SUMS).decode(errors="replace")
    if "\r\n" in text:
        message = "the lines end in CRLF: check `git config core.autocrlf` and get the file again"
        faults.append(Fault(code="sums-form", message=message, file=SUMS))
        text = text.replace("\r\n", "\n")
    lines = text.removesuffix("\n").split("\n")
    for number, line in enumerate(lines, 1):
        digest, _, name = line.partition("  ")
        if len(digest) != 64 or set(digest) - set("0123456789abcdef") or not name or name in expected:
            faults.append(
                Fault(
                    code="sums-form",
                    message="the line is not `<sha256>  <name>`, or names a file again",
                    file=SUMS,
                    row=number,
                    expected="64 hexadecimal digits, two spaces, a name",
                    found=visible(line[:80]),
                )
            )
            continue
        expected[name] = digest
    return expected


def _changed(path: Path, name: str, expected: str, found: str) -> Fault:
    message = "the file is not the one that was frozen"
    data = path.read_bytes() if path.stat().st_size < 2**26 else b""
    unix = data.replace(b"\r\n", b"\n")
    for form, text in (("LF", unix), ("CRLF", unix.replace(b"\n", b"\r\n"))):
        if data and text != data and hashlib.sha256(text).hexdigest() == expected:
            message += (
                f"; with {form} line ends it is: check `git config core.autocrlf` and get the file again"
            )
    return Fault(code="hash-mismatch", message=message, file=name, expected=expected, found=found)
