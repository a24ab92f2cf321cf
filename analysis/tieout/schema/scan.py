"""The compiled conditions of all columns in a streaming pass of the engine; a second where rows break some."""

from __future__ import annotations

from collections.abc import Sequence

from tieout.schema.conditions import Condition
from tieout.schema.found import LISTED, Found
from tieout.schema.query import ROW_NUMBER, Query, first_rows, row_numbers
from tieout.schema.words import shown


def scan(query: Query, table: str, conditions: Sequence[Condition]) -> tuple[int, list[Found]]:
    """How many rows were read, and what they break."""
    [[rows, broken_rows]] = query(counting(table, conditions))
    if not broken_rows:
        return int(rows), []
    found = []
    for broken, count, first in sorted(query(telling(table, conditions))):
        condition = conditions[int(broken)]
        kind = Found(column=condition.column.name, keyword=condition.keyword, expected=condition.expected)
        kind.count = int(count)
        found.append((kind, condition, row_numbers(first)))
    _fill(query, table, found)
    return int(rows), [kind for kind, _, _ in found]


def counting(table: str, conditions: Sequence[Condition]) -> str:
    """SQL for the rows that there are, and for those that break a condition.

    No condition stands in a WHERE: there the engine would believe the file's own statistics, which need not be true and
    say nothing of NaN, and skip what it takes for sound.
    """
    return f"SELECT count(*) AS rows, count(*) FILTER (WHERE {_some(conditions)}) AS broken FROM {table}"


def telling(table: str, conditions: Sequence[Condition]) -> str:
    """SQL for each broken condition's index, the cells that break it, and the first of their rows.

    Rows that break nothing cost the conditions and little more; no condition stands in a WHERE, as in `counting`.
    """
    each = ",\n ".join(
        f"CASE WHEN {condition.bad} THEN {index}::SMALLINT END" for index, condition in enumerate(conditions)
    )
    numbered = (
        f"SELECT {ROW_NUMBER} AS number, unnest(CASE WHEN {_some(conditions)}\n"
        f"THEN [{each}] END) AS broken FROM {table}"
    )
    first = first_rows("number", LISTED)
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
