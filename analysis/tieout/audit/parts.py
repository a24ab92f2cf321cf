"""What each row gives to a query whose integers are sums over rows: exact values with rows dropped or changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tieout.audit.shape import COUNT, DENOMINATOR, NUMERATOR, Linear, compose, linear, shape
from tieout.audit.subject import Room, combined, name_of
from tieout.exact import Rows, Scalar, Value
from tieout.package import Table
from tieout.planning import QueryStep

Key = tuple[Scalar, ...]
Stratum = tuple[Scalar, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """What one row adds to one stratum: to the numerator (or count), to the denominator, and to the number of rows."""

    stratum: Stratum
    numerator: int
    denominator: int
    rows: int = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Sums:
    """A query's strata with their sums, and by row what changing it adds to them; `rows` are all that may change."""

    step: QueryStep
    columns: tuple[str, ...]
    constants: tuple[int, int]
    empty: tuple[bool, bool]
    base: Mapping[Stratum, tuple[int, int, int]]
    changes: Mapping[Key, tuple[Part, ...]]
    rows: frozenset[Key]
    known: dict[tuple[Part, ...], Value] = field(default_factory=dict, repr=False, compare=False)

    def value(self, keys: Iterable[Key]) -> Value:
        """The value after the change of these rows."""
        touched = [key for key in keys if key in self.changes]
        if len(touched) > 1:
            return self._value(touched)
        # Single rows are asked for again and again, by every claim that stands on this query.
        name = self.changes[touched[0]] if touched else ()
        if name not in self.known:
            self.known[name] = self._value(touched)
        return self.known[name]

    def _value(self, keys: Iterable[Key]) -> Value:
        totals = {stratum: list(sums) for stratum, sums in self.base.items()}
        for key in keys:
            for part in self.changes.get(key, ()):
                sums = totals.setdefault(part.stratum, [0, 0, 0])
                sums[0] += part.numerator
                sums[1] += part.denominator
                sums[2] += part.rows
        return combined(self._rows(totals), self.step)

    def _rows(self, totals: Mapping[Stratum, list[int]]) -> Rows:
        width = 1 if self.columns[-1] == COUNT else 2
        strata = len(self.columns) - width
        rows: list[tuple[Scalar, ...]] = []
        for stratum, (numerator, denominator, count) in totals.items():
            if strata and count <= 0:
                continue  # a stratum without rows is not in the result
            # The sum of no rows is null in SQL, their count 0.
            cells = [
                None if count <= 0 and self.empty[index] else sums + self.constants[index]
                for index, sums in enumerate((numerator, denominator))
            ]
            rows.append((*stratum, *cells[:width]))
        return Rows(columns=self.columns, rows=tuple(rows))

    def weight(self, key: Key) -> tuple[int, int]:
        """What the change of a row adds to the numerator and the denominator, over all strata."""
        parts = self.changes.get(key, ())
        return sum(part.numerator for part in parts), sum(part.denominator for part in parts)


def contributions(
    room: Room, step: QueryStep, table: Table, by: tuple[str, ...], select: str | None = None
) -> dict[Key, tuple[Part, ...]] | None:
    """What the rows of a table give to a query, together for rows of equal cells in the columns `by`.

    `select` takes the place of the rows that the filter keeps. None where the query's integers are no sums over the
    table's rows, or where the engine gives no answer.
    """
    from sqlglot import exp

    known = shape(step.own)
    if known.select is None or not known.adds_over(table.name) or not by:
        return None
    alias = next(name for name, found in known.tables.items() if found == table.name)
    measures = [linear(known.projection(name)) for name in (NUMERATOR, DENOMINATOR, COUNT)]
    sums = [each for each in measures if each is not None]
    strata = known.strata()
    tree = known.select.copy()
    columns = [each.copy() for each in strata]
    columns += [exp.alias_(exp.column(name, alias), f"key_{index}") for index, name in enumerate(by)]
    grouped = [each.unalias().copy() for each in strata] + [exp.column(name, alias) for name in by]
    aggregates = [node for each in sums for _, node in each.terms]
    columns += [exp.alias_(node.copy(), f"sum_{index}") for index, node in enumerate(aggregates)]
    tree.set("expressions", columns)
    tree.set("group", exp.Group(expressions=grouped))
    sql = compose(step, {table.name: select} if select else {}, tree.sql(dialect="duckdb"))
    answer = room.rows(step.asked.package, sql)
    return None if answer is None else _parts(answer, len(strata), len(by), sums)


def _parts(answer: Rows, strata: int, keys: int, sums: list[Linear]) -> dict[Key, tuple[Part, ...]]:
    found: dict[Key, list[Part]] = defaultdict(list)
    for row in answer.rows:
        cells = list(row[strata + keys :])
        amounts = []
        for each in sums:
            own, cells = cells[: len(each.terms)], cells[len(each.terms) :]
            weighed = zip(each.terms, own, strict=True)
            amounts.append(sum(weight * _integer(cell) for (weight, _), cell in weighed))
        numerator, denominator = (*amounts, 0)[:2]
        part = Part(stratum=row[:strata], numerator=numerator, denominator=denominator)
        found[row[strata : strata + keys]].append(part)
    return {key: tuple(parts) for key, parts in found.items()}


def _integer(cell: Any) -> int:
    return 0 if cell is None else int(cell)


def changing(room: Room, step: QueryStep, table: Table, column: str | None) -> Sums | None:
    """The query's sums, and what dropping each row takes away, or what flipping its outcome in `column` adds.

    None where the query's integers are no sums over the table's rows, or the column has no opposite.
    """

    def look() -> Sums | None:
        return _dropping(room, step, table) if column is None else _flipping(room, step, table, column)

    return room.keep((*name_of(step), table.name, column), look)


def grouped(room: Room, step: QueryStep, table: Table, columns: tuple[str, ...]) -> Sums | None:
    """The query over no rows, and what the rows of each combination of cells in some columns add to it.

    So one query answers for every setting. None where the query's integers are no sums over the table's rows.
    """

    def look() -> Sums | None:
        given = contributions(room, step, table, columns)
        return None if given is None else _sums(step, {}, given, frozenset(given))

    return room.keep((*name_of(step), table.name, columns), look)


def _dropping(room: Room, step: QueryStep, table: Table) -> Sums | None:
    given = contributions(room, step, table, table.key)
    if given is None:
        return None
    taken = {
        key: tuple(
            Part(stratum=part.stratum, numerator=-part.numerator, denominator=-part.denominator, rows=-1)
            for part in parts
        )
        for key, parts in given.items()
    }
    return _sums(step, given, taken, frozenset(given))


def _flipping(room: Room, step: QueryStep, table: Table, column: str) -> Sums | None:
    if flipped(table, column) is None:
        return None
    turned = turning(step.filters[table.name], table, column)
    given = contributions(room, step, table, table.key)
    other = contributions(room, step, table, table.key, turned)
    if given is None or other is None:
        return None
    changes: dict[Key, tuple[Part, ...]] = {}
    for key in dict.fromkeys((*given, *other)):
        before = tuple(
            Part(stratum=part.stratum, numerator=-part.numerator, denominator=-part.denominator, rows=-1)
            for part in given.get(key, ())
        )
        merged = _merged((*before, *other.get(key, ())))
        if merged:
            changes[key] = merged
    return _sums(step, given, changes, frozenset((*given, *other)))


def turning(select: str, table: Table, column: str, only: str | None = None) -> str:
    """A filter's SELECT over rows whose outcome is flipped: of all of them, or where a condition holds.

    The flip comes before the filter, since a filter may be on the outcome.
    """
    opposite, name = flipped(table, column) or quoted(column), quoted(column)
    cell = opposite if only is None else f"CASE WHEN {only} THEN {opposite} ELSE {name} END"
    source = f"receipts.{table.name}"
    return select.replace(source, f"(SELECT * REPLACE ({cell} AS {name}) FROM {source})", 1)


def _merged(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    totals: dict[Stratum, list[int]] = {}
    for part in parts:
        sums = totals.setdefault(part.stratum, [0, 0, 0])
        for index, amount in enumerate((part.numerator, part.denominator, part.rows)):
            sums[index] += amount
    return tuple(
        Part(stratum=stratum, numerator=sums[0], denominator=sums[1], rows=sums[2])
        for stratum, sums in totals.items()
        if any(sums)
    )


def _sums(
    step: QueryStep,
    given: Mapping[Key, tuple[Part, ...]],
    changes: Mapping[Key, tuple[Part, ...]],
    rows: frozenset[Key],
) -> Sums:
    known = shape(step.own)
    measures = [linear(known.projection(name)) for name in (NUMERATOR, DENOMINATOR, COUNT)]
    sums = [each for each in measures if each is not None]
    constants = [each.constant for each in sums]
    empty = [any("SUM(" in node.sql().upper() for _, node in each.terms) for each in sums]
    base: dict[Stratum, tuple[int, int, int]] = {} if known.strata() else {(): (0, 0, 0)}
    for parts in given.values():
        for part in parts:
            a, b, n = base.get(part.stratum, (0, 0, 0))
            base[part.stratum] = (a + part.numerator, b + part.denominator, n + 1)
    assert known.select is not None, "sums have a SELECT"
    return Sums(
        step=step,
        columns=tuple(each.alias_or_name for each in known.select.selects),
        constants=(constants[0], constants[1] if len(constants) > 1 else 0),
        empty=(empty[0], empty[1] if len(empty) > 1 else False),
        base=base,
        changes=changes,
        rows=rows,
    )


def quoted(name: str) -> str:
    """A column's name as SQL reads it whatever it is."""
    return '"' + name.replace('"', '""') + '"'


def flipped(table: Table, column: str) -> str | None:
    """The SQL of a column's opposite: not true, or the far end of a scale whose ends the schema says; null stays null.

    None where the column has no opposite.
    """
    form = table.schema["properties"][column]
    kinds = form.get("type", [])
    name = quoted(column)
    if "boolean" in ([kinds] if isinstance(kinds, str) else kinds):
        return f"NOT {name}"
    numbers = [each for each in form.get("enum", []) if isinstance(each, int) and not isinstance(each, bool)]
    low, high = (
        form.get("minimum", min(numbers, default=None)),
        form.get("maximum", max(numbers, default=None)),
    )
    if not isinstance(low, int) or not isinstance(high, int) or ("integer" not in str(kinds) and not numbers):
        return None
    return f"CASE WHEN 2 * {name} >= {low + high} THEN {low} WHEN 2 * {name} < {low + high} THEN {high} END"
