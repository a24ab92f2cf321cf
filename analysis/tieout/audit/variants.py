"""Tables with some rows dropped, flipped, changed or in another order, as SELECTs put in place of a query's filters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tieout.audit.parts import Key, quoted
from tieout.audit.shape import shape
from tieout.audit.subject import Room, Subject
from tieout.exact import Scalar
from tieout.package import Table
from tieout.planning import QueryStep
from tieout.sqltext import literal

SINGLES = 24  # rows of a table; each is dropped alone where there are no more
GROUPS = 12  # distinct cells of a column; rows that share one are dropped together where there are no more
CASES = 60  # the same for a column that names cases
MOST = 80  # variants of one table, so that an audit stays within a few times the verification


@dataclass(frozen=True, kw_only=True, slots=True)
class Variant:
    """Rows to drop: a condition on them, how many there are, and in words which."""

    condition: str
    rows: int
    says: str


def rows_where(table: Table, keys: Iterable[Key]) -> str:
    """The condition that holds for the rows of these keys."""
    names = ", ".join(quoted(name) for name in table.key)
    listed = ", ".join(f"({', '.join(literal(cell) for cell in key)})" for key in keys)
    return f"({names}) IN ({listed})"


def dropped(select: str, condition: str) -> str:
    """A filter's SELECT without the rows that meet a condition."""
    return f"SELECT * FROM ({select}) WHERE NOT coalesce({condition}, FALSE)"


def shuffled(select: str, table: Table) -> str:
    """A filter's SELECT with its rows in an order that has nothing to do with the file's."""
    names = ", ".join(quoted(name) for name in table.key or tuple(table.nullable))
    return f"SELECT * FROM ({select}) ORDER BY md5(concat_ws('|', {names}))"


def disturbances(select: str, table: Table, column: str) -> list[str]:
    """A filter's SELECT over rows whose cells in one column are changed, in several ways before the filter.

    The cells are shifted to others of their type, dealt out among the rows anew, made all the same, and made null.
    """
    kinds = str(table.schema["properties"][column].get("type") or _kinds(table, column))
    name, source = quoted(column), f"receipts.{table.name}"
    types = (("boolean", f"NOT {name}"), ("integer", f"{name} + 1"), ("number", f"{name} + 1"))
    shifted = [change for kind, change in types if kind in kinds] or [f"{name} || '?'"]
    names = ", ".join(quoted(each) for each in table.key or tuple(table.nullable))
    other = f"first_value({name}) OVER (ORDER BY md5(concat_ws('|', {names})) ROWS BETWEEN 1 FOLLOWING AND 1 FOLLOWING)"
    changes = [shifted[0], other, f"min({name}) OVER ()", "NULL"]
    return [
        select.replace(source, f"(SELECT * REPLACE ({each} AS {name}) FROM {source})", 1) for each in changes
    ]


def _kinds(table: Table, column: str) -> str:
    names = {bool: "boolean", int: "integer", str: "string"}
    return " ".join(
        names.get(type(value), "") for value in table.schema["properties"][column].get("enum", [])
    )


def read_columns(queries: Iterable[QueryStep], table: Table) -> list[str]:
    """The columns of a table that queries, or their filters of it, name, in the table's order."""
    named: set[str] = set()
    for query in queries:
        named |= shape(query.own).columns
        named |= shape(query.filters[table.name]).columns if table.name in query.filters else frozenset()
    return [name for name in table.nullable if name in named]


def readers(subject: Subject, package: str, table: Table) -> list[QueryStep]:
    """The claim's queries that read a table."""
    return [
        query for query in subject.queries() if query.asked.package == package and table.name in query.filters
    ]


def union(queries: Sequence[QueryStep], table: Table) -> str:
    """The SELECT of the rows that any of these queries reads of a table."""
    whole = f"SELECT * FROM receipts.{table.name}"
    conditions = []
    for query in queries:
        _, filtered, condition = query.filters[table.name].partition(f"{whole} WHERE ")
        if not filtered:
            return whole
        conditions.append(f"({condition})")
    return f"{whole} WHERE {' OR '.join(dict.fromkeys(conditions))}"


def variants(
    room: Room, queries: Sequence[QueryStep], package: str, table: Table
) -> tuple[int, list[Variant]]:
    """How many rows of a table the queries read, and sets of them to drop: single rows, and rows that share a cell.

    Every row but one is among them, so that what depends on any row is found out.
    """
    first = [name for name in table.with_role("case") if name in read_columns(queries, table)]
    columns = [name for name in read_columns(queries, table) if name not in table.key]
    columns = [*first, *(name for name in columns if name not in first)]
    names = ", ".join(quoted(name) for name in (*table.key, *columns))
    answer = room.rows(package, f"SELECT {names} FROM ({union(queries, table)})")
    if answer is None or not table.key:
        return 0, []
    keys = sorted((row[: len(table.key)] for row in answer.rows), key=repr)
    found: list[Variant] = []
    if keys:
        found.append(
            Variant(condition=f"NOT {rows_where(table, keys[:1])}", rows=len(keys) - 1, says="all but one")
        )
    if len(keys) <= SINGLES:
        found += [Variant(condition=rows_where(table, [key]), rows=1, says=_row(table, key)) for key in keys]
    for index, column in enumerate(columns, len(table.key)):
        counted = Counter(row[index] for row in answer.rows)
        if 2 <= len(counted) <= (CASES if column in first else GROUPS):
            found += [
                Variant(
                    condition=f"{quoted(column)} IS NOT DISTINCT FROM {literal(cell)}",
                    rows=count,
                    says=f"where {column} is {cell}",
                )
                for cell, count in sorted(counted.items(), key=lambda item: (item[1], repr(item[0])))
                if not isinstance(cell, float)
            ]
    return len(keys), found[:MOST]


def _row(table: Table, key: Sequence[Scalar]) -> str:
    return "where " + " and ".join(f"{name} is {cell}" for name, cell in zip(table.key, key, strict=True))
