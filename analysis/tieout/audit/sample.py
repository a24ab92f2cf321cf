"""A draw of claims to check by hand, which neither author nor reader can aim alone.

The draw, in full, so that it can be made without this program:

1. A ledger's digest is the SHA-256 of one line for each of its files `ledger.yaml`, `ignored.yaml` and
   `sections/*.yaml` that is there, sorted by name: the file's SHA-256 in hexadecimal, two spaces, the name, a line
   feed (what `sha256sum` prints). A package's digest is that of its SHA256SUMS; of a package that is not frozen, the
   same lines over all of its files.
2. The seed is the SHA-256 of these lines, each ended by a line feed: `tieout sample 1`, then `ledger ID DIGEST` for
   each ledger and `package NAME DIGEST` for each package, sorted, then `word WORD` with the reader's own word.
3. A claim's lot is the SHA-256 of the seed in hexadecimal, a line feed, and `LEDGER/CLAIM`. The claims with the least
   lots, as hexadecimal text, are drawn, in that order.

Drawn among are the claims that are printed and recomputed from rows. Whoever changes a ledger or a package changes
every lot, and cannot know the word.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tieout.audit.workbench import Workbench
from tieout.definition import leaf_values, one_line
from tieout.exact import Rows
from tieout.folder import files_of, sha256
from tieout.package import Package, Table
from tieout.planning import QueryStep
from tieout.report import ClaimResult, LedgerResult, Report, number

SHOWN = 12


@dataclass(frozen=True, kw_only=True, slots=True)
class Paste:
    """Three lines for the duckdb shell, to be pasted in the folder of `package`: a schema, its views, the query."""

    package: str
    lines: tuple[str, str, str]

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {"package": self.package, "lines": list(self.lines)}


@dataclass(frozen=True, kw_only=True, slots=True)
class Drawn:
    """A claim that was drawn, with its lot; a formula has lines for each query behind it."""

    book: LedgerResult
    claim: ClaimResult
    lot: str
    pastes: tuple[Paste, ...]

    def to_json(self) -> dict[str, Any]:
        """As plain data; the claim itself stands in the report under its id."""
        value = self.claim.recomputed.value if self.claim.recomputed else None
        return {
            "document": self.book.ledger.id,
            "claim": self.claim.claim.id,
            "says": self.claim.claim.says,
            "verdict": self.claim.verdict,
            "value": number(value.value, exact=value.exact) if value else None,
            "texts": [place.printing.text for place in self.claim.printings],
            "lot": self.lot,
            "pastes": [paste.to_json() for paste in self.pastes],
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Read:
    """The rows of one table that a drawn claim reads: how many, and the first of them. None where it cannot be read."""

    package: str
    table: str
    count: int | None
    rows: Rows | None


def sample(report: Report, n: int, word: str) -> list[Drawn]:
    """At most `n` claims of a report, drawn as the module says; the same for the same files and word."""
    key = seed(report, word)
    lots = sorted(
        (hashlib.sha256(f"{key}\n{book.ledger.id}/{claim.claim.id}".encode()).hexdigest(), place, index)
        for place, book in enumerate(report.ledgers)
        for index, claim in enumerate(book.claims)
        if claim.printings and claim.recomputed and claim.recomputed.tables
    )
    drawn = []
    for lot, place, index in lots[:n]:
        book = report.ledgers[place]
        claim = book.claims[index]
        drawn.append(Drawn(book=book, claim=claim, lot=lot, pastes=tuple(_pastes(claim))))
    return drawn


def seed(report: Report, word: str) -> str:
    """The seed of a draw, in hexadecimal."""
    lines = [f"ledger {book.ledger.id} {ledger_digest(book.ledger.root)}" for book in report.ledgers]
    lines += [f"package {result.package.name} {package_digest(result.package)}" for result in report.packages]
    text = "\n".join(["tieout sample 1", *sorted(lines), f"word {word}", ""])
    return hashlib.sha256(text.encode()).hexdigest()


def ledger_digest(root: Path) -> str:
    """The SHA-256 over a ledger's files, as the module says."""
    names = [
        "ledger.yaml",
        "ignored.yaml",
        *(f"sections/{path.name}" for path in (root / "sections").glob("*.yaml")),
    ]
    return _digest(root, (name for name in names if (root / name).is_file()))


def package_digest(package: Package) -> str:
    """The package's digest; of one that is not frozen, the SHA-256 over its files."""
    return package.digest or _digest(package.root, files_of(package.root))


def _digest(root: Path, names: Iterable[str]) -> str:
    lines = "".join(f"{sha256(root / name)}  {name}\n" for name in sorted(names))
    return hashlib.sha256(lines.encode()).hexdigest()


def _pastes(claim: ClaimResult) -> Iterable[Paste]:
    return dict.fromkeys(
        Paste(
            package=step.asked.package,
            lines=(
                "CREATE SCHEMA IF NOT EXISTS receipts;",
                " ".join(_view(table) for table in step.tables),
                f"{one_line(step.asked.sql)};",
            ),
        )
        for step in _steps(claim)
    )


def _steps(claim: ClaimResult) -> Sequence[QueryStep]:
    steps = (leaf.step for leaf in leaf_values(claim.recomputed)) if claim.recomputed else ()
    return [step for step in steps if isinstance(step, QueryStep)]


def _view(table: Table) -> str:
    file = table.file.replace("'", "''")
    return f"CREATE OR REPLACE VIEW receipts.{table.name} AS SELECT * FROM read_parquet('{file}');"


def rows_of(drawn: Drawn, bench: Workbench, shown: int = SHOWN) -> list[Read]:
    """The rows behind a drawn claim, table by table as its filters leave them, each once."""
    wanted = {
        (step.asked.package, table, sql): None
        for step in _steps(drawn.claim)
        for table, sql in step.filters.items()
    }
    read = []
    for package, table, sql in wanted:
        counted, listed = bench.rows(package, [f"SELECT count(*) FROM ({sql})", f"{sql} LIMIT {shown}"])
        count = counted.rows[0][0] if isinstance(counted, Rows) else None
        read.append(
            Read(
                package=package,
                table=table,
                count=count if isinstance(count, int) else None,
                rows=listed if isinstance(listed, Rows) else None,
            )
        )
    return read
