"""Faults of cells, gathered by column and keyword: all are counted, the first of a kind are listed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tieout.errors import Fault

LISTED = 20


@dataclass(kw_only=True, slots=True)
class Found:
    """The cells that break one keyword: how many, and the first of them with what stands there.

    `column` is None for a keyword of whole rows.
    """

    column: str | None
    keyword: str
    expected: str
    count: int = 0
    cells: dict[int, str] = field(default_factory=dict)

    def add(self, count: int, rows: Sequence[int], what: str) -> None:
        """Note cells that all hold the same; `rows` are the first of them."""
        self.count += count
        self.cells.update(dict.fromkeys(rows, what))
        self.cells = {row: self.cells[row] for row in sorted(self.cells)[:LISTED]}

    def faults(self, file: str) -> Iterator[Fault]:
        """One fault a listed cell, and one that counts the rest."""
        code = f"row-{_KEBAB.sub(_lower, self.keyword)}"
        for row, what in self.cells.items():
            yield Fault(
                code=code,
                message=f"expected {self.expected}, found {what}",
                file=file,
                row=row,
                column=self.column,
                expected=self.expected,
                found=what,
            )
        if rest := self.count - len(self.cells):
            message = (
                f"expected {self.expected}, and {rest:,} more {'row breaks' if rest == 1 else 'rows break'} this; "
                f"{self.count:,} in all, the first {len(self.cells)} are listed"
            )
            yield Fault(code=code, message=message, file=file, column=self.column, expected=self.expected)


_KEBAB = re.compile("[A-Z]")


def _lower(match: re.Match[str]) -> str:
    return f"-{match[0].lower()}"
