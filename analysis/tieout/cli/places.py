"""Where things are: packages and ledgers by folder or by name, and the price table that a user gives."""

from __future__ import annotations

from pathlib import Path

from tieout.errors import CannotOpen

ARTIFACTS = Path("artifacts")


def ledger(name: str) -> Path:
    """A ledger's folder, given as a folder or as a document's id in `artifacts/ledgers`.

    Raises CannotOpen, with the ids that are there, where it is neither.
    """
    return _place(name, "ledgers", "ledger.yaml", "ledger")


def package(name: str) -> Path:
    """A package's folder, given as a folder or as a name in `artifacts/packages`.

    Raises CannotOpen, with the names that are there, where it is neither.
    """
    return _place(name, "packages", "package.yaml", "package")


def _place(name: str, folder: str, mark: str, kind: str) -> Path:
    for path in (Path(name), ARTIFACTS / folder / name):
        if (path / mark).is_file():
            return path
    known = sorted(found.parent.name for found in (ARTIFACTS / folder).glob(f"*/{mark}"))
    there = f"; in {ARTIFACTS / folder} are {', '.join(known)}" if known else ""
    raise CannotOpen(f"no {kind} at {name}{there}")
