"""The packages and the ledgers that stand in folders."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NoReturn

from tieout.errors import CannotOpen

SITE_KEY = ".tieout-key"  # the file that marks a rendered site


def find(paths: Iterable[Path]) -> tuple[list[Path], list[Path]]:
    """The packages and the ledgers in some folders, each of which may be one, or hold some at any depth.

    Nothing is looked for in hidden folders, nor in rendered sites, which hold copies of packages, except where such a
    folder is itself among the paths.
    Raises CannotOpen where a path does not exist or holds neither, and where a folder cannot be looked into.
    """
    found: dict[str, dict[Path, Path]] = {"package.yaml": {}, "ledger.yaml": {}}
    for path in paths:
        if not path.is_dir():
            raise CannotOpen(f"{path}: no such folder; give a package, a ledger, or a folder that holds some")
        here = [
            (mark, folder) for folder, files in sorted(_looked_in(path)) for mark in found if mark in files
        ]
        if not here:
            raise CannotOpen(f"{path}: neither a package (package.yaml) nor a ledger (ledger.yaml) is here")
        for mark, folder in here:
            found[mark].setdefault(folder.resolve(), folder)  # one folder may be given by several names
    packages, ledgers = (list(folders.values()) for folders in found.values())
    return packages, ledgers


def _looked_in(path: Path) -> Iterator[tuple[Path, list[str]]]:
    """The folder and those in it that are neither hidden nor rendered sites, each with its files."""

    def unreadable(error: OSError) -> NoReturn:
        raise CannotOpen(f"{error.filename}: {error.strerror}; what it holds would be left out") from error

    for folder, inner, files in os.walk(path, onerror=unreadable):
        if SITE_KEY in files and Path(folder) != path:
            inner.clear()
            continue
        inner[:] = [name for name in inner if not name.startswith(".")]
        yield Path(folder), files
