"""What a package's receipts show of how they came to be: repeats, gaps, reuse, last digits, origin."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tieout.audit.catalogue import quoted
from tieout.audit.provenance import Source, sources_of
from tieout.audit.workbench import Workbench
from tieout.definition import leaf_values
from tieout.exact import Rows
from tieout.package import Package, Table
from tieout.planning import QueryStep
from tieout.report import LedgerResult
from tieout.results import PackageResult

ENOUGH = 100  # distinct values of a column, below which the spread of its last digits says nothing
SPARSE = 4  # values that a column could have between its ends, for each that it has: values side by side spread evenly
LEAST = 100  # a value with fewer than three digits has a last digit that its size decides
SHOWN = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Repeats:
    """Rows of a table that are equal in what was measured.

    `alike` counts the rows that share all cells but their key and repeat with another; `distinct` how many different
    rows there are then. `usage` names the columns of usage and cost, `tuples` counts their different tuples and
    `tuples_alike` the rows that share theirs; `most` is the tuple that occurs most often, with how often.
    """

    table: str
    rows: int
    distinct: int
    alike: int
    usage: tuple[str, ...]
    tuples: int
    tuples_alike: int
    most: tuple[int | None, ...]
    most_often: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Gap:
    """A place where a table lacks what its other rows lead one to expect."""

    table: str
    says: str
    count: int
    examples: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Reuse:
    """A table that refers to calls, some more than once; the claims that read it, and that count each reference."""

    table: str
    by: str
    references: int
    calls: int
    read_by: tuple[str, ...]
    counted_each: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Digits:
    """Last digits, 0 to 9, of a column's distinct values from 100 on, against an even spread (chi-square, 9 degrees).

    `p` is the chance of a spread at least as uneven; one column in twenty has one below 0.05. Both are texts, of
    three significant digits.
    """

    table: str
    column: str
    counts: tuple[int, ...]
    chi_square: str
    p: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Derived:
    """A derived table: whether its instrument made the same anew, and the ledger's claims that rest on it."""

    table: str
    instrument: str
    status: str
    read_by: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Forensics:
    """The findings on one package, as the claims of one ledger use it."""

    package: str
    repeats: tuple[Repeats, ...]
    gaps: tuple[Gap, ...]
    reuse: tuple[Reuse, ...]
    digits: tuple[Digits, ...]
    derived: tuple[Derived, ...]
    sources: tuple[Source, ...]

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "package": self.package,
            "repeats": [_plain(found) for found in self.repeats],
            "gaps": [_plain(found) for found in self.gaps],
            "reuse": [_plain(found) for found in self.reuse],
            "digits": [_plain(found) for found in self.digits],
            "derived": [_plain(found) for found in self.derived],
            "sources": [source.to_json() for source in self.sources],
        }


def _plain(found: Repeats | Gap | Reuse | Digits | Derived) -> dict[str, Any]:
    cells = {name: getattr(found, name) for name in found.__slots__}
    return {name: list(cell) if isinstance(cell, tuple) else cell for name, cell in cells.items()}


def forensics(book: LedgerResult, result: PackageResult, bench: Workbench) -> Forensics:
    """The findings on one package of a ledger."""
    package = result.package
    ask = _Asker(package, bench)
    observed = [
        table for table in package.tables.values() if table.basis == "observation" and not table.derivation
    ]
    readers = _readers(book, package)
    return Forensics(
        package=package.name,
        repeats=tuple(found for table in observed for found in _repeats(table, ask)),
        gaps=tuple(
            gap
            for table in observed
            for gap in (*_missing_repeats(table, ask), *_broken_sequence(table, ask))
        ),
        reuse=tuple(
            found for table in observed if (found := _reuse(table, ask, readers.get(table.name, {})))
        ),
        digits=tuple(found for table in observed for found in _digits(table, ask)),
        derived=tuple(
            Derived(
                table=made.table,
                instrument=made.instrument,
                status=made.status,
                read_by=_resting(made.table, package, readers),
            )
            for made in result.derived
        ),
        sources=sources_of(package, str(book.ledger.document.get("author") or "")),
    )


class _Asker:
    """Queries over one package; a table that cannot be read has its own fault, and no finding here."""

    def __init__(self, package: Package, bench: Workbench) -> None:
        self._package, self._bench = package.name, bench

    def rows(self, sql: str) -> Sequence[tuple[Any, ...]]:
        [answer] = self._bench.rows(self._package, [sql])
        return answer.rows if isinstance(answer, Rows) else ()


def _readers(book: LedgerResult, package: Package) -> dict[str, dict[str, list[str]]]:
    """By table, the printed claims that read it, each with its queries."""
    found: dict[str, dict[str, list[str]]] = {}
    for result in book.claims:
        if result.recomputed is None or not result.printings:
            continue
        for leaf in leaf_values(result.recomputed):
            step = leaf.step
            if isinstance(step, QueryStep) and step.asked.package == package.name:
                for table in step.tables:
                    found.setdefault(table.name, {}).setdefault(result.claim.id, []).append(step.asked.sql)
    return found


def _resting(table: str, package: Package, readers: Mapping[str, Mapping[str, object]]) -> tuple[str, ...]:
    """The claims that read a table, or one that is made of it."""
    found = {table}
    while more := {
        name
        for name, each in package.tables.items()
        if name not in found and each.derivation and found & set(each.derivation.inputs.values())
    }:
        found |= more
    return tuple(dict.fromkeys(claim for name in sorted(found) for claim in readers.get(name, {})))


def _named(columns: Sequence[str], of: str = "") -> str:
    return ", ".join(f"{of}{quoted(column)}" for column in columns)


def _repeats(table: Table, ask: _Asker) -> Iterator[Repeats]:
    counted_roles = (*table.with_role("usage"), *table.with_role("cost"))
    usage = [name for name in counted_roles if _is_integer(table, name)]
    names = {*table.with_role("key"), *table.with_role("repeat")}
    measured = [column for column in table.nullable if column not in names]
    if len(usage) < 2:
        return

    def groups(columns: Sequence[str]) -> tuple[int, int, int]:
        counted = f"SELECT count(*) AS n FROM receipts.{table.name} GROUP BY {_named(columns)}"
        [cells] = ask.rows(f"SELECT sum(n), count(*), sum(n) FILTER (WHERE n > 1) FROM ({counted})") or [
            (0, 0, 0)
        ]
        return int(cells[0] or 0), int(cells[1] or 0), int(cells[2] or 0)

    rows, distinct, alike = groups(measured)
    _, tuples, tuples_alike = groups(usage)
    if not rows:
        return
    [top] = ask.rows(
        f"SELECT {_named(usage)}, count(*) FROM receipts.{table.name} GROUP BY {_named(usage)} "
        f"ORDER BY count(*) DESC, {_named(usage)} LIMIT 1"
    ) or [((), 0)]
    yield Repeats(
        table=table.name,
        rows=rows,
        distinct=distinct,
        alike=alike,
        usage=tuple(usage),
        tuples=tuples,
        tuples_alike=tuples_alike,
        most=tuple(top[:-1]),
        most_often=top[-1],
    )


def _is_integer(table: Table, column: str) -> bool:
    return table.schema["properties"][column].get("type") in ("integer", ["integer", "null"])


def _missing_repeats(table: Table, ask: _Asker) -> Iterator[Gap]:
    """Repeats that a case lacks while others have them, and cases that a setting lacks while others have them."""
    cases, conditions = table.with_role("case"), table.with_role("condition")
    if not cases:
        return
    for repeat in table.with_role("repeat"):
        unit, number = (*cases, *conditions), quoted(repeat)
        same = " AND ".join(f"t.{quoted(name)} IS NOT DISTINCT FROM u.{quoted(name)}" for name in unit)
        missing = ask.rows(
            f"SELECT {_named(unit, 'u.')}, r.{number} "
            f"FROM (SELECT DISTINCT {_named(unit)} FROM receipts.{table.name}) AS u "
            f"CROSS JOIN (SELECT DISTINCT {number} FROM receipts.{table.name}) AS r "
            f"WHERE NOT EXISTS (SELECT 1 FROM receipts.{table.name} AS t WHERE t.{number} = r.{number} AND {same}) "
            "ORDER BY ALL"
        )
        if missing:
            yield _gap(table, f"{repeat} that others have and these lack", (*unit, repeat), missing)
        if _is_integer(table, repeat):
            between = f"max({number}) - min({number}) + 1 - count(DISTINCT {number})"
            [[left_out]] = ask.rows(f"SELECT {between} FROM receipts.{table.name}") or [(0,)]
            if left_out:
                says = f"numbers of {repeat} between the least and the greatest that no row has"
                yield Gap(table=table.name, says=says, count=int(left_out), examples=())
    if conditions:
        missing = ask.rows(
            f"SELECT * FROM (SELECT DISTINCT {_named(cases)} FROM receipts.{table.name}) CROSS JOIN "
            f"(SELECT DISTINCT {_named(conditions)} FROM receipts.{table.name}) EXCEPT "
            f"SELECT {_named((*cases, *conditions))} FROM receipts.{table.name} ORDER BY ALL"
        )
        if missing:
            says = "cases that other settings have and these lack"
            yield _gap(table, says, (*cases, *conditions), missing)


def _broken_sequence(table: Table, ask: _Asker) -> Iterator[Gap]:
    """Numbered children (calls, rounds, turns) whose numbers leave one out."""
    *rest, last = table.key or ("",)
    roles = {*table.with_role("case"), *table.with_role("repeat")}
    if not rest or last in roles or not _is_integer(table, last):
        return
    number = quoted(last)
    left_out = f"max({number}) - min({number}) + 1 - count(DISTINCT {number})"
    broken = ask.rows(
        f"SELECT {_named(rest)}, {left_out} FROM receipts.{table.name} "
        f"GROUP BY {_named(rest)} HAVING {left_out} > 0 ORDER BY {_named(rest)}"
    )
    if broken:
        yield _gap(table, f"groups whose {last} leaves numbers out", (*rest, "left out"), broken)


def _gap(table: Table, says: str, names: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> Gap:
    examples = [
        ", ".join(f"{name} {cell}" for name, cell in zip(names, row, strict=True)) for row in rows[:SHOWN]
    ]
    return Gap(table=table.name, says=says, count=len(rows), examples=tuple(examples))


def _reuse(table: Table, ask: _Asker, readers: Mapping[str, Sequence[str]]) -> Reuse | None:
    """A table of calls: a text column names the request, and rows equal but for their key are one call."""
    named = [
        name
        for name, column in table.schema["properties"].items()
        if column.get("type") == "string"
        and column.get("tieout", {}).get("role", "none") == "none"
        and name.endswith(("_key", "_id", "_hash"))
    ]
    usage = table.with_role("usage")
    if not named or not usage:
        return None
    measured = [column for column in table.nullable if column not in table.with_role("key")]
    [[references, calls]] = ask.rows(
        f"SELECT (SELECT count(*) FROM receipts.{table.name}), "
        f"(SELECT count(*) FROM (SELECT DISTINCT {_named(measured)} FROM receipts.{table.name}))"
    ) or [(0, 0)]
    if references == calls:
        return None
    each = [claim for claim, queries in readers.items() if not any(named[0] in sql for sql in queries)]
    return Reuse(
        table=table.name,
        by=named[0],
        references=references,
        calls=calls,
        read_by=tuple(readers),
        counted_each=tuple(each),
    )


def _digits(table: Table, ask: _Asker) -> Iterator[Digits]:
    """Of usage alone: a cost moves in the steps of its price, and so do its digits."""
    for column in table.with_role("usage"):
        if not _is_integer(table, column):
            continue
        distinct = f"SELECT DISTINCT {quoted(column)} AS v FROM receipts.{table.name} WHERE {quoted(column)} >= {LEAST}"
        rows = ask.rows(f"SELECT v % 10 AS digit, count(*), min(v), max(v) FROM ({distinct}) GROUP BY digit")
        found = {int(digit): int(count) for digit, count, _, _ in rows}
        counts = tuple(found.get(digit, 0) for digit in range(10))
        n = sum(counts)
        if n < ENOUGH or max(row[3] for row in rows) - min(row[2] for row in rows) < SPARSE * n:
            continue
        chi_square = sum((count - n / 10) ** 2 for count in counts) / (n / 10)
        yield Digits(
            table=table.name,
            column=column,
            counts=counts,
            chi_square=f"{chi_square:.3g}",
            p=f"{chance_beyond(chi_square):.3g}",
        )


def chance_beyond(chi_square: float) -> float:
    """The upper tail of the chi-square distribution with 9 degrees of freedom.

    Closed form for odd degrees: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.4.4.
    """
    root = math.sqrt(chi_square)
    terms = root + root**3 / 3 + root**5 / 15 + root**7 / 105
    return math.erfc(root / math.sqrt(2)) + math.sqrt(2 / math.pi) * math.exp(-chi_square / 2) * terms
