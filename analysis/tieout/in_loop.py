"""Which rows were judged in the loop, held against the tables: a slip there would make an outsider of the judge."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tieout import sqltext
from tieout.errors import Fault
from tieout.schema.columns import instead
from tieout.strict import escape

if TYPE_CHECKING:
    from tieout.package import Table

NAMED = 8  # values of a column, as many as a fault names

Ask = Callable[[str], Sequence[Sequence[object]] | None]  # the rows of a query, None where the engine failed


def schema_faults(evaluators: Sequence[Mapping[str, Any]], tables: Mapping[str, Table]) -> Iterator[Fault]:
    """Columns of `in_loop` that no table has, and values that the schemas of the tables that have them exclude."""
    for at, evaluator, in_loop in _partial(evaluators, tables):
        known = {column for table in tables.values() for column in table.nullable}
        holders = _holders(evaluator, in_loop, tables)
        if unknown := [column for column in in_loop if column not in known]:
            yield from (_no_column(at, column, _judged(evaluator, tables)) for column in unknown)
        elif not holders:
            names = " and ".join(f"`{column}`" for column in in_loop)
            yield Fault(code="in-loop", message=f"no table has {names}", file="package.yaml", pointer=at)
        else:
            yield from _excluded(at, in_loop, holders)


def _excluded(at: str, in_loop: Mapping[str, Sequence[object]], holders: Sequence[Table]) -> Iterator[Fault]:
    for place, column, value in _values(at, in_loop):
        rules = [table.schema["properties"][column] for table in holders]
        said = [instead(rule, value) for rule in rules]
        if all(said):
            yield _never(place, holders[0], column, value, str(said[0]))


def cell_faults(
    evaluators: Sequence[Mapping[str, Any]], tables: Mapping[str, Table], sound: Mapping[str, Table], ask: Ask
) -> Iterator[Fault]:
    """Values of `in_loop` that stand in no row, where no schema lists the column's values."""
    for at, evaluator, in_loop in _partial(evaluators, tables):
        holders = _holders(evaluator, in_loop, tables)
        if not all(table.name in sound for table in holders):
            continue
        for place, column, value in _values(at, in_loop) if holders else ():
            if any("enum" in table.schema["properties"][column] for table in holders):
                continue
            if all(_lacks(table, column, value, ask) for table in holders):
                yield _never(place, holders[0], column, value, _what_is_there(holders[0], column, ask))


def _partial(
    evaluators: Sequence[Mapping[str, Any]], tables: Mapping[str, Table]
) -> Iterator[tuple[str, str, Mapping[str, Sequence[object]]]]:
    """The pointer, id and rows of each evaluator that was in the loop for some rows and judged an outcome here."""
    for index, entry in enumerate(evaluators):
        if isinstance(entry["in_loop"], Mapping) and _judged(entry["id"], tables):
            yield f"/evaluators/{index}/in_loop", entry["id"], entry["in_loop"]


def _judged(evaluator: str, tables: Mapping[str, Table]) -> list[Table]:
    return [
        table for table in tables.values() if evaluator in map(table.evaluator_of, table.with_role("outcome"))
    ]


def _holders(evaluator: str, columns: Mapping[str, object], tables: Mapping[str, Table]) -> list[Table]:
    """The tables that say which rows those are: judged ones that have the columns, else any that a claim may join."""
    for among in (_judged(evaluator, tables), tables.values()):
        if found := [table for table in among if set(columns) <= set(table.nullable)]:
            return found
    return []


def _values(at: str, in_loop: Mapping[str, Sequence[object]]) -> Iterator[tuple[str, str, object]]:
    for column, values in in_loop.items():
        for index, value in enumerate(values):
            yield f"{at}/{escape(column)}/{index}", column, value


def _lacks(table: Table, column: str, value: object, ask: Ask) -> bool:
    """Whether the table has rows and none of them has the value; what cannot be asked is told by whoever reads it."""
    condition = sqltext.condition({column: value}, table.nullable)
    counts = f"SELECT count(*) FILTER (WHERE {condition}), count(*) FROM {table.name}"
    found = ask(sqltext.compose(counts, {table.name: sqltext.selected(table.name)}))
    return found is not None and found[0][0] == 0 and found[0][1] != 0


def _what_is_there(table: Table, column: str, ask: Ask) -> str:
    name, rows = sqltext.identifier(column), {table.name: sqltext.selected(table.name)}
    distinct = f"SELECT DISTINCT {name} FROM {table.name} ORDER BY {name} LIMIT {NAMED + 1}"
    values = [str(value) for (value,) in ask(sqltext.compose(distinct, rows)) or ()]
    more = ["…"] if len(values) > NAMED else []
    return f"its values are {', '.join(values[:NAMED] + more)}"


def _no_column(at: str, column: str, judged: Sequence[Table]) -> Fault:
    known = list(dict.fromkeys(name for table in judged for name in table.nullable))
    near = difflib.get_close_matches(column, known, n=1, cutoff=0.6)
    return Fault(
        code="in-loop",
        message=f"no table has a column `{column}`" + (f"; did you mean `{near[0]}`?" if near else ""),
        file="package.yaml",
        pointer=f"{at}/{escape(column)}",
        expected=", ".join(known),
        found=column,
    )


def _never(at: str, table: Table, column: str, value: object, instead: str) -> Fault:
    return Fault(
        code="in-loop",
        message=f"`{table.name}.{column}` is never {value!r}; {instead}",
        file="package.yaml",
        pointer=at,
        expected=instead,
        found=str(value),
    )
