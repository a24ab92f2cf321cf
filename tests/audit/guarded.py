"""One claim under the guards, from real packages or from tiny ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests import build
from tests.audit.opened import opened
from tests.conftest import ROOT
from tieout.audit.siblings import Settings
from tieout.audit.subject import Room, Subject, subjects

LEDGERS = ROOT / "artifacts" / "ledgers"
PACKAGES = ROOT / "artifacts" / "packages"


class Guarded:
    """The claims of some ledgers by id, and the room in which a guard looks at them."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.settings = Settings(room)
        self._subjects = {(each.book.ledger.id, each.result.claim.id): each for each in subjects(room.report)}

    def __getitem__(self, name: str) -> Subject:
        """The claim of this id, in the first ledger that has it."""
        return next(subject for (_, claim), subject in self._subjects.items() if claim == name)


@contextmanager
def real(*ledgers: str) -> Iterator[Guarded]:
    """The project's own ledgers by id."""
    with opened(*(LEDGERS / name for name in ledgers)) as (report, bench):
        yield Guarded(Room(report, bench))


@contextmanager
def about(package: str, root: Path, *claims: Mapping[str, Any], **head: Any) -> Iterator[Guarded]:
    """A ledger of these claims about one of the project's packages, known in it as `t`."""
    build.ledger(root / "ledgers" / "doc", claims, packages={"t": package}, **head)
    with opened(root / "ledgers" / "doc", PACKAGES / package) as (report, bench):
        yield Guarded(Room(report, bench))


@contextmanager
def tiny(root: Path, *claims: Mapping[str, Any], **head: Any) -> Iterator[Guarded]:
    """A ledger of these claims about the package `tiny`."""
    build.package(root / "packages" / "tiny")
    build.ledger(root / "ledgers" / "doc", claims, **head)
    with opened(root / "ledgers" / "doc") as (report, bench):
        yield Guarded(Room(report, bench))
