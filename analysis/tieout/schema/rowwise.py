"""What no SQL condition says, asked of `jsonschema`: once for each different cell or row, in batches."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from tieout.schema.columns import Column, is_float, unused
from tieout.schema.conditions import as_double, exact
from tieout.schema.found import LISTED, Found
from tieout.schema.query import ROW_NUMBER, Query, first_rows, row_numbers
from tieout.schema.shape import rule_of
from tieout.schema.validator import Matches, validator
from tieout.schema.words import asked, shown

BATCH = 20_000  # different values held at a time, about: their number is an estimate

# With these the columns that a schema of whole rows looks at can't be told from its text.
_OF_ANY_COLUMN = frozenset(
    {
        "$ref",
        "$dynamicRef",
        "patternProperties",
        "additionalProperties",
        "unevaluatedProperties",
        "propertyNames",
        "enum",
        "const",
    }
)


def check_cells(
    query: Query, table: str, column: Column, schema: Mapping[str, Any], matches: Matches
) -> list[Found]:
    """What a column's cells break; a cell of a wrong type breaks `type` alone, NaN and infinities are not asked."""
    written = rule_of(schema, column.name)
    compared = _numbers(schema, column)
    rule = rule_of(compared, column.name)
    asks = validator(compared, matches)
    kinds: dict[str, Found] = {}
    for count, first, (fetched,) in _different(query, table, [column]):
        cell = column.value(fetched)
        if isinstance(cell, float) and not math.isfinite(cell):
            continue
        # What a reference leads to has its own keyword here, not `$ref`.
        broken = {str(error.relative_schema_path[0]): error for error in asks.descend(cell, rule)}
        for keyword in ["type"] if "type" in broken else sorted(broken):
            if keyword not in kinds:
                error = broken[keyword]
                known = keyword in written
                expected = (
                    asked(keyword, written[keyword])
                    if known
                    else asked(error.validator, error.validator_value)
                )
                kinds[keyword] = Found(column=column.name, keyword=keyword, expected=expected)
            kinds[keyword].add(count, first, shown(cell))
    return [kinds[keyword] for keyword in sorted(kinds)]


def check_rows(
    query: Query,
    table: str,
    columns: Sequence[Column],
    schema: Mapping[str, Any],
    whole: Mapping[str, Any],
    matches: Matches,
) -> tuple[list[Found], set[str]]:
    """What whole rows break of `whole`, a part of the schema, and the names of the columns that it looks at."""
    named = _names(whole)
    read = [column for column in columns if named is None or column.name in named]
    # What the schema says of single columns is asked elsewhere; here their names count as evaluated.
    known = {column.name: True for column in columns} | dict.fromkeys(schema.get("properties", {}), True)
    asks = validator({**_floats(whole), "$defs": schema.get("$defs", {}), "properties": known}, matches)
    kinds: dict[tuple[str | None, str], Found] = {}
    for count, first, values in _different(query, table, read):
        row: dict[str, Any] = dict.fromkeys(column.name for column in columns)
        for column, fetched in zip(read, values, strict=True):
            value = column.value(fetched)
            row[column.name] = float(value) if isinstance(value, Decimal) else value
        for key, expected, what in _told(asks, row):
            if key not in kinds:
                kinds[key] = Found(column=key[0], keyword=key[1], expected=expected)
            kinds[key].add(count, first, what)
    return [kinds[key] for key in sorted(kinds, key=str)], {column.name for column in read}


def _told(asks: Any, row: Mapping[str, Any]) -> Iterator[tuple[tuple[str | None, str], str, str]]:
    told = {}
    for error in asks.iter_errors(row):
        name = str(error.absolute_path[0]) if error.absolute_path else None
        what = "the row" if name is None else shown(error.instance)
        told[name, str(error.absolute_schema_path[0])] = (asked(error.validator, error.validator_value), what)
    for key, (expected, what) in told.items():
        yield key, expected, what


def _different(
    query: Query, table: str, columns: Sequence[Column]
) -> Iterator[tuple[int, list[int], Sequence[Any]]]:
    """Each combination of cells that differs: how many rows have it, the first of them, and the cells as fetched."""
    least = first_rows(ROW_NUMBER, LISTED)
    if not columns:
        for count, first in query(f"SELECT count(*), {least} FROM {table}"):
            if count:
                yield int(count), row_numbers(first), ()
        return
    names = ", ".join(column.sql for column in columns)
    fetched = ", ".join(f"any_value({column.fetched})" for column in columns)
    [[different]] = query(f"SELECT approx_count_distinct(hash({names})) FROM {table}")
    batches = int(different) // BATCH + 1
    number = unused(column.name for column in columns)
    for batch in range(batches):
        part, rows = "", table
        if batches > 1:
            # Out of reach of the file's statistics, as in `scan.statement`.
            part = f"WHERE {number} = {batch}"
            rows = f"(SELECT {ROW_NUMBER}, {names}, unnest([hash({names}) % {batches}]) AS {number} FROM {table})"
        for count, first, *values in query(
            f"SELECT count(*), {least}, {fetched} FROM {rows} {part} GROUP BY {names}"
        ):
            yield int(count), row_numbers(first), values


def _names(schema: Any) -> set[str] | None:
    """Columns that a schema of whole rows may look at; None for all."""
    found: set[str] = set()
    if isinstance(schema, list):
        parts = schema
    elif isinstance(schema, Mapping):
        if not _OF_ANY_COLUMN.isdisjoint(schema):
            return None
        found |= set(schema.get("properties", {}))
        parts = [part for key, part in schema.items() if key != "properties"]
    else:
        parts = []
    for part in parts:
        inner = _names(part)
        if inner is None:
            return None
        found |= inner
    return found


def _numbers(rule: Any, column: Column) -> Any:
    """A rule whose numbers compare with the column's cells as `check_table` says."""
    if is_float(column) or column.kind in ("array", "object"):
        return _floats(rule)
    return _mapped(rule, exact)


def _floats(rule: Any) -> Any:
    return _mapped(
        rule, lambda number: number if isinstance(number, int) and abs(number) < 2**53 else as_double(number)
    )


def _mapped(rule: Any, change: Any) -> Any:
    if isinstance(rule, Mapping):
        return {key: _mapped(value, change) for key, value in rule.items()}
    if isinstance(rule, list):
        return [_mapped(value, change) for value in rule]
    if isinstance(rule, (int, float, Decimal)) and not isinstance(rule, bool):
        return change(rule)
    return rule
