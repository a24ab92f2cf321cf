"""Folders as a Git revision has them, written to a temporary place; nothing of the repository is run or changed."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from tieout.errors import CannotOpen
from tieout.ledger import read_head

LARGEST = 2**31  # bytes of all files that are taken out of one revision
PLAIN = frozenset({"100644", "100755"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """What a user named: a folder, or a path in a revision; an empty path means that of the other place."""

    text: str
    folder: Path | None
    revision: str = ""
    path: str = ""


def place(text: str) -> Place:
    """A folder, or `REVISION:PATH` with the path from the repository's top, as Git reads it.

    Raises CannotOpen for what is neither.
    """
    if Path(text).is_dir():
        return Place(text=text, folder=Path(text))
    revision, colon, path = text.partition(":")
    if not colon or not revision or revision.startswith("-"):
        raise CannotOpen(
            f"{text}: no such folder, and no revision with a path (as HEAD~1:artifacts, or HEAD~1:)"
        )
    return Place(text=text, folder=None, revision=revision, path=path.rstrip("/"))


@contextmanager
def folders(old: Place, new: Place) -> Iterator[tuple[Path, Path]]:
    """Both places as folders; those of revisions are there while the context is open.

    Raises CannotOpen where a revision or its path does not exist, or where neither place has a path.
    """
    with ExitStack() as stack:
        yield (
            old.folder or stack.enter_context(_written(old, new)),
            new.folder or stack.enter_context(_written(new, old)),
        )


@contextmanager
def _written(wanted: Place, other: Place) -> Iterator[Path]:
    here = other.folder or Path()
    top = Path(_git(here, "rev-parse", "--show-toplevel").decode().rstrip("\n"))
    path = wanted.path or other.path
    if not path:
        if other.folder is None:
            raise CannotOpen(f"{wanted.text} and {other.text}: neither says which path is meant")
        try:
            path = other.folder.resolve().relative_to(top.resolve()).as_posix()
        except ValueError:
            raise CannotOpen(f"{other.text} lies outside the repository {top}") from None
    tree = _Tree(top, _commit(top, wanted), wanted.text)
    with TemporaryDirectory(prefix="tieout-review-") as folder:
        root = Path(folder)
        if path.startswith("/") or ".." in PurePosixPath(path).parts or not tree.write(path, root):
            raise CannotOpen(f"{wanted.text}: revision {wanted.revision} has no folder {path}")
        for ledger in sorted((root / path).rglob("ledger.yaml")):
            for name in read_head(ledger.parent).get("packages", {}).values():
                # A ledger's packages are looked for beside it, as `verify` does.
                beside = (ledger.parent.parent.parent / "packages" / str(name)).relative_to(root)
                if not (root / beside).exists():
                    tree.write(beside.as_posix(), root)
        yield root / path


def _commit(top: Path, wanted: Place) -> str:
    name = f"{wanted.revision}^{{commit}}"
    try:
        return _git(top, "rev-parse", "--verify", "--quiet", "--end-of-options", name).decode().strip()
    except CannotOpen:
        raise CannotOpen(f"{wanted.text}: the repository {top} has no revision {wanted.revision}") from None


def _git(folder: Path, *arguments: str) -> bytes:
    environment = {**os.environ, "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"}
    command = ["git", "-C", str(folder), *arguments]
    try:
        run = subprocess.run(command, capture_output=True, check=False, env=environment)
    except FileNotFoundError:
        raise CannotOpen("git is not installed, and a revision was named") from None
    if run.returncode != 0:
        said = run.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise CannotOpen(f"git {arguments[0]}: {said or 'it failed and said nothing'}")
    return run.stdout


class _Tree:
    """The files of one commit."""

    def __init__(self, top: Path, commit: str, text: str) -> None:
        self._top, self._commit, self._text = top, commit, text
        self._room = LARGEST

    def write(self, path: str, root: Path) -> bool:
        """Writes the files under a path below `root`, and says whether there were any.

        Raises CannotOpen for a link, a submodule, a name that leads elsewhere, and for more than LARGEST bytes.
        """
        listed = _git(
            self._top,
            "ls-tree",
            "-r",
            "-l",
            "-z",
            "--full-tree",
            self._commit,
            "--",
            f"{path}/" if path != "." else ".",
        )
        entries = [_entry(line, self._text) for line in listed.split(b"\0") if line]
        self._room -= sum(size for _, _, size in entries)
        if self._room < 0:
            raise CannotOpen(f"{self._text}: more than {LARGEST:,} bytes in {path}")
        for (name, _, _), data in zip(entries, self._blobs([blob for _, blob, _ in entries]), strict=True):
            file = root / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        return bool(entries)

    def _blobs(self, names: Sequence[str]) -> Iterable[bytes]:
        if not names:
            return
        environment = {**os.environ, "GIT_NO_LAZY_FETCH": "1"}
        command = ["git", "-C", str(self._top), "cat-file", "--batch"]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        ) as child:
            assert child.stdin
            assert child.stdout
            for name in names:
                child.stdin.write(f"{name}\n".encode())
                child.stdin.flush()
                header = child.stdout.readline().split()
                if len(header) != 3 or header[1] != b"blob":
                    raise CannotOpen(f"{self._text}: the repository lacks the object {name}")
                yield child.stdout.read(int(header[2]))
                child.stdout.read(1)


def _entry(line: bytes, text: str) -> tuple[str, str, int]:
    about, _, raw = line.partition(b"\t")
    mode, kind, blob, size = about.decode().split()
    name = raw.decode(errors="surrogateescape")
    if kind != "blob" or mode not in PLAIN:
        raise CannotOpen(f"{text}: {name} is no regular file")
    parts = PurePosixPath(name).parts
    if name.startswith("/") or ".." in parts or str(PurePosixPath(name)) != name:
        raise CannotOpen(f"{text}: {name} is not a plain relative path")
    return name, blob, int(size)
