"""The compiled conditions of all columns in one streaming pass of the engine."""

from __future__ import annotations

from collections.abc import Sequence

from tieout.schema.columns import Condition
from tieout.schema.found import LISTED, Found
from tieout.schema.query import ROW_NUMBER, Query, first_rows, row_numbers
from tieout.schema.words import shown


def scan(query: Query, table: str, conditions: Sequence[Condition]) -> tuple[int, list[Found]]:
    """How many rows there are, and what they break.

    Rows that break nothing cost the conditions alone: they leave the pass before anything is put together for them.
    """
    answers = query(statement(table, conditions))
    rows = next(int(count) for index, count, _ in answers if index < 0)
    broken = {int(index): (int(count), row_numbers(first)) for index, count, first in answers if index >= 0}
    found = []
    for index in sorted(broken):
        condition = conditions[index]
        kind = Found(column=condition.column.name, keyword=condition.keyword, expected=condition.expected)
        kind.count = broken[index][0]
        found.append((kind, condition, broken[index][1]))
    if found:
        _fill(query, table, found)
    return rows, [kind for kind, _, _ in found]


def statement(table: str, conditions: Sequence[Condition]) -> str:
    """SQL for the pass: rows of index, count and first row numbers; index -1 counts all rows."""
    total = f"SELECT -1 AS broken, count(*) AS cells, NULL AS first FROM {table}"
    if not conditions:
        return total
    some = "\n OR ".join(f"({condition.bad})" for condition in conditions)
    each = ",\n ".join(
        f"CASE WHEN {condition.bad} THEN {index} END" for index, condition in enumerate(conditions)
    )
    return (
        f"SELECT broken, count(*) AS cells, {first_rows('number', LISTED)} AS first FROM (\n"
        f"SELECT {ROW_NUMBER} AS number, unnest([{each}]) AS broken FROM {table} WHERE {some}\n"
        f") WHERE broken IS NOT NULL GROUP BY broken\nUNION ALL {total}"
    )


def _fill(query: Query, table: str, found: list[tuple[Found, Condition, list[int]]]) -> None:
    """Fetch what stands in the listed cells, which a table without faults never needs."""
    columns = {condition.column.name: condition.column for _, condition, _ in found}
    rows = sorted({row for _, _, first in found for row in first})
    fetched = ", ".join(column.fetched for column in columns.values())
    listed = ", ".join(map(str, rows))
    cells: dict[tuple[int, str], str] = {}
    for row, *values in query(
        f"SELECT {ROW_NUMBER}, {fetched} FROM {table} WHERE {ROW_NUMBER} IN ({listed})"
    ):
        for column, value in zip(columns.values(), values, strict=True):
            cells[int(row), column.name] = shown(column.value(value))
    for kind, _, first in found:
        kind.cells = {row: cells[row, str(kind.column)] for row in first}
