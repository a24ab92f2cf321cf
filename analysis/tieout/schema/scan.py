"""The compiled conditions of all columns in one streaming pass of the engine."""

from __future__ import annotations

from collections.abc import Sequence

from tieout.schema.conditions import Condition
from tieout.schema.found import LISTED, Found
from tieout.schema.query import ROW_NUMBER, Query, first_rows, row_numbers
from tieout.schema.words import shown

_SOUND, _SOME = -1, -2  # a row that breaks nothing, and one that breaks something


def scan(query: Query, table: str, conditions: Sequence[Condition], *, held: bool) -> tuple[int, list[Found]]:
    """How many rows were read, and what they break; `held` says whether the engine has them in memory."""
    if held:
        # To plan the pass takes longer than to run it over so few rows, and nearly no row breaks anything.
        [[rows, broken]] = query(counting(table, conditions))
        if not broken:
            return int(rows), []
    rows = 0
    found = []
    for broken, count, first in sorted(query(statement(table, conditions))):
        if broken in (_SOUND, _SOME):
            rows += int(count)
            continue
        condition = conditions[int(broken)]
        kind = Found(column=condition.column.name, keyword=condition.keyword, expected=condition.expected)
        kind.count = int(count)
        found.append((kind, condition, row_numbers(first)))
    if found:
        _fill(query, table, found)
    return rows, [kind for kind, _, _ in found]


def counting(table: str, conditions: Sequence[Condition]) -> str:
    """SQL for how many rows there are, and how many break a condition; none stands in a WHERE, as in `statement`."""
    return f"SELECT count(*) AS rows, count(*) FILTER (WHERE {_some(conditions)}) AS broken FROM {table}"


def statement(table: str, conditions: Sequence[Condition]) -> str:
    """SQL for the pass: for each broken condition its index, its cells and the first of their rows; and the rows read.

    No condition stands in a WHERE: there the engine would believe the file's own statistics, which need not be true and
    say nothing of NaN, and skip what it takes for sound. Rows that break nothing cost the conditions and little more.
    """
    each = "".join(
        f",\n CASE WHEN {condition.bad} THEN {index}::SMALLINT END"
        for index, condition in enumerate(conditions)
    )
    numbered = (
        f"SELECT {ROW_NUMBER} AS number, unnest(CASE WHEN {_some(conditions)}\n"
        f"THEN [{_SOME}::SMALLINT{each}]\nELSE [{_SOUND}::SMALLINT] END) AS broken FROM {table}"
    )
    first = first_rows("number", LISTED, "broken >= 0")
    return f"SELECT broken, count(*), {first} FROM (\n{numbered}\n) WHERE broken IS NOT NULL GROUP BY broken"


def _some(conditions: Sequence[Condition]) -> str:
    return "\n OR ".join(f"({condition.bad})" for condition in conditions) or "false"


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
