"""What can go wrong: faults as data, and the exceptions that carry them to the edge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tieout.safetext import visible


@dataclass(frozen=True, kw_only=True, slots=True)
class Fault:
    """One thing that is wrong with a package or a ledger, and where.

    `row` counts from 0 in file order; for a text file it is the line, from 1. `pointer` is a JSON pointer into a
    document. `expected` and `found` are short texts, already safe to print. `message` is the whole sentence a person
    reads, without the place: `str(fault)` puts the place before it.
    """

    code: str
    message: str
    file: str
    row: int | None = None
    column: str | None = None
    pointer: str | None = None
    expected: str | None = None
    found: str | None = None

    def place(self) -> str:
        """The file, and within it the pointer, row and column that are known, safe to print."""
        parts = [visible(self.file)]
        if self.pointer:
            parts.append(visible(self.pointer))
        # A text's faults of form tell the line themselves, with the column in it.
        if self.row is not None and not self.message.startswith("line "):
            parts.append(f"{'row' if self.file.endswith('.parquet') else 'line'} {self.row}")
        if self.column is not None:
            parts.append(f"column {visible(self.column)}")
        return ", ".join(parts)

    def __str__(self) -> str:
        return f"{self.place()}: {self.message}"


class TieoutError(Exception):
    """Base of every error that Tieout raises on purpose; the command line catches it once."""

    exit_code = 2


class CannotOpen(TieoutError):
    """A package, ledger or file that cannot be opened at all, so nothing can be said about it."""


class Invalid(TieoutError):
    """Something that was read and breaks its rules; `faults` lists every rule broken, at least one."""

    exit_code = 1

    def __init__(self, faults: Sequence[Fault]) -> None:
        if not faults:
            raise ValueError("Invalid needs at least one fault")
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))
