"""What validating a package found, as data; `report` tells it together with the verdicts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tieout.errors import Fault
from tieout.package import Package
from tieout.safetext import visible
from tieout.schema.words import shown


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckResult:
    """A check that was run: how many things were looked at, how many break it (None where it could not run), which.

    It `waits` where it was not run because a table that it reads has faults of its own, which say all.
    """

    id: str
    says: str
    examined: int | None
    violations: int | None
    rows: tuple[Mapping[str, object], ...] = ()
    waits: bool = False

    @property
    def error(self) -> str | None:
        """Why it could not run, safe to print; None where it ran."""
        return visible(str(self.rows[0]["error"])) if self.violations is None else None

    def shown(self, most: int) -> list[str]:
        """The first rows that break it, each on one line, safe to print."""
        if self.violations is None:
            return []
        return [
            ", ".join(f"{visible(name)} {shown(cell)}" for name, cell in row.items())
            for row in self.rows[:most]
        ]


@dataclass(frozen=True, kw_only=True, slots=True)
class TableResult:
    """A table that was validated: `by_column` and `by_row` say how many columns went which way."""

    name: str
    rows: int
    checked: int
    by_column: int
    by_row: int


@dataclass(frozen=True, kw_only=True, slots=True)
class DerivedResult:
    """A derived table made anew: `same`, `differs`, or `as published` where its instrument is not installed."""

    table: str
    instrument: str
    status: str


@dataclass(frozen=True, kw_only=True, slots=True)
class PackageResult:
    """A verified package."""

    package: Package
    faults: tuple[Fault, ...]
    checks: tuple[CheckResult, ...]
    tables: tuple[TableResult, ...]
    derived: tuple[DerivedResult, ...] = ()

    @property
    def valid(self) -> bool:
        """No fault, and no check that rows break or that could not run."""
        return not self.faults and all(check.violations == 0 for check in self.checks)
