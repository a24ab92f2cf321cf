"""Where an album study lies: a folder or a zip read in place, which study it is, and in whose shape."""

from __future__ import annotations

import re
import stat
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path, PurePosixPath
from typing import NoReturn, Protocol

from tieout.errors import CannotOpen, Fault, Invalid

# The largest known results file has some 5 MB; a study has some 20 files.
MAX_FILE_BYTES = 16 * 1024 * 1024
MAX_TOTAL_BYTES = 256 * 1024 * 1024
MAX_MEMBERS = 10_000

STUDIES = ("album-memory-1", "album-memory-2")
# the folders of the author's repository, and of the zips made from it, that hold the results
_RESULTS = ("", "research/album-memory/results", "research/album-memory-v2/results")


class Shape(Enum):
    """Who laid the files out."""

    LINES = "one JSON object a line, and CSV tables"
    PUBLISHED = "the author's results folder"


class Files(Protocol):
    """Files by name, `/` between folders; reading is bounded by MAX_FILE_BYTES."""

    label: str

    def names(self) -> frozenset[str]:
        """The name of every file that may be read."""

    def read(self, name: str) -> bytes:
        """The bytes of one of `names`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Study:
    """One study's files: those of `files` under `folder` ("" is the top)."""

    study: str
    shape: Shape
    files: Files
    folder: str

    def names(self) -> tuple[str, ...]:
        """Names of the files directly in the study's folder, without the folder, in order."""
        return tuple(sorted(_name(name) for name in self.files.names() if _parent(name) == self.folder))

    def has(self, name: str) -> bool:
        """Whether the study's folder holds a file of that name."""
        return self.path(name) in self.files.names()

    def path(self, name: str) -> str:
        """A file's name as faults give it: with its folder."""
        return f"{self.folder}/{name}" if self.folder else name

    def read(self, name: str) -> bytes:
        """The bytes of a file of the study; raises Invalid where it is absent."""
        path = self.path(name)
        if path not in self.files.names():
            _refuse(path, "import-file-missing", f"{self.files.label} lacks {path}, which {self.study} needs")
        return self.files.read(path)


def locate(source: Path, study: str | None = None) -> Study:
    """Find the study in a folder or a zip; `study` picks one where both are there.

    Raises CannotOpen where `source` is neither, Invalid where a zip holds names or sizes that are not safe, or where
    no study, or more than one, is found.
    """
    files: Files = _Folder(source) if source.is_dir() else _Archive(source)
    found = [place for place in _candidates(files) if study in (None, place.study)]
    if len(found) == 1:
        return found[0]
    if found:
        shown = ", ".join(f"{place.study} in {place.folder or 'the top folder'}" for place in found)
        fault = _fault(
            files.label,
            "import-which-study",
            f"holds more than one study ({shown}): name the one to import",
        )
    else:
        fault = _fault(
            files.label,
            "import-no-study",
            f"holds no {study or ' or '.join(STUDIES)}: expected answers.jsonl, trajectories.jsonl, or the "
            "author's runs.json beside usage_by_stage.json or sessions.json",
        )
    raise Invalid([fault])


def _candidates(files: Files) -> list[Study]:
    markers = {
        ("answers.jsonl",): ("album-memory-1", Shape.LINES),
        ("trajectories.jsonl",): ("album-memory-2", Shape.LINES),
        ("runs.json", "usage_by_stage.json"): ("album-memory-1", Shape.PUBLISHED),
        ("runs.json", "sessions.json"): ("album-memory-2", Shape.PUBLISHED),
    }
    here: dict[str, set[str]] = {}
    for path in files.names():
        here.setdefault(_parent(path), set()).add(_name(path))
    return [
        Study(study=study, shape=shape, files=files, folder=folder)
        for folder, names in sorted(here.items())
        for needed, (study, shape) in markers.items()
        if names.issuperset(needed)
    ]


class _Folder:
    """A folder on disk: its own files and those of the author's results folders below it."""

    def __init__(self, root: Path) -> None:
        self.label = root.name or str(root)
        self._paths: dict[str, Path] = {}
        for folder in _RESULTS:
            place = root / folder
            if place.is_dir():
                for path in place.iterdir():
                    if path.is_file():
                        self._paths[f"{folder}/{path.name}" if folder else path.name] = path

    def names(self) -> frozenset[str]:
        """See Files."""
        return frozenset(self._paths)

    def read(self, name: str) -> bytes:
        """See Files; raises CannotOpen where the file can't be read."""
        try:
            with self._paths[name].open("rb") as stream:
                return _bounded(name, stream.read(MAX_FILE_BYTES + 1))
        except OSError as error:
            raise CannotOpen(f"{name}: {error.strerror or 'cannot be read'}") from error


class _Archive:
    """A zip read in place: nothing is extracted, and every name is looked at before anything is read."""

    def __init__(self, path: Path) -> None:
        self.label = path.name
        try:
            self._zip = zipfile.ZipFile(path)
        except (OSError, zipfile.BadZipFile) as error:
            raise CannotOpen(f"{path.name}: is neither a folder nor a zip that can be read") from error
        infos = [info for info in self._zip.infolist() if not info.is_dir()]
        if faults := list(_archive_faults(self.label, infos)):
            raise Invalid(faults)
        self._infos = {info.filename: info for info in infos}

    def names(self) -> frozenset[str]:
        """See Files."""
        return frozenset(self._infos)

    def read(self, name: str) -> bytes:
        """See Files; raises Invalid where the member is damaged or larger than it says."""
        try:
            with self._zip.open(self._infos[name]) as stream:
                return _bounded(name, stream.read(MAX_FILE_BYTES + 1))
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError) as error:
            raise Invalid(
                [_fault(name, "import-zip-damaged", f"can't be read from the zip: {error}")]
            ) from error


def _archive_faults(label: str, infos: list[zipfile.ZipInfo]) -> Iterable[Fault]:
    if len(infos) > MAX_MEMBERS:
        yield _fault(label, "import-zip-size", f"holds {len(infos)} files, more than {MAX_MEMBERS}")
    if (total := sum(info.file_size for info in infos)) > MAX_TOTAL_BYTES:
        yield _fault(label, "import-zip-size", f"unpacks to {total} bytes, more than {MAX_TOTAL_BYTES}")
    seen: set[str] = set()
    for info in infos:
        # the name as stored: `filename` ends at a NUL, which would hide what follows it
        name = info.orig_filename
        shown = repr(name)
        if _unsafe(name):
            yield _fault(label, "import-zip-name", f"holds {shown}, whose name is not a plain relative path")
        elif stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG):
            yield _fault(label, "import-zip-special", f"holds {shown}, which is a link or a special file")
        elif info.flag_bits & 0x1:
            yield _fault(label, "import-zip-encrypted", f"holds {shown}, which is encrypted")
        elif name.casefold() in seen:
            yield _fault(
                label, "import-zip-twice", f"holds {shown} twice, or names that differ by case alone"
            )
        seen.add(name.casefold())


def _unsafe(name: str) -> bool:
    parts = name.split("/")
    return (
        not name
        or "\\" in name
        or "\0" in name
        or re.match(r"[A-Za-z]:", name) is not None
        or any(part in ("", ".", "..") for part in parts)
    )


def _bounded(name: str, content: bytes) -> bytes:
    if len(content) > MAX_FILE_BYTES:
        _refuse(name, "import-file-size", f"has more than {MAX_FILE_BYTES} bytes")
    return content


def _parent(path: str) -> str:
    return "" if "/" not in path else str(PurePosixPath(path).parent)


def _name(path: str) -> str:
    return PurePosixPath(path).name


def _fault(file: str, code: str, message: str) -> Fault:
    return Fault(code=code, message=message, file=file)


def _refuse(file: str, code: str, message: str) -> NoReturn:
    raise Invalid([_fault(file, code, message)])
