"""A Parquet table against the schema of its rows: the engine by column, `jsonschema` row by row for the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tieout.errors import Fault
from tieout.schema.columns import Column
from tieout.schema.conditions import ANNOTATIONS, Condition, conditions, finite
from tieout.schema.found import Found
from tieout.schema.query import Query, escaped, source
from tieout.schema.scan import scan
from tieout.schema.shape import column_faults, columns_of, rule_of

# What a row schema says of whole rows that looking at the columns settles.
_OF_COLUMNS = frozenset({"$schema", "$id", "$defs", "type", "properties", "required", "additionalProperties"})


@dataclass(frozen=True, kw_only=True, slots=True)
class TableReport:
    """What was checked and what was found.

    `counts` holds how many cells each pair of column and keyword refuses (for a fault of a column its code and 1; for a
    keyword of whole rows the column is ""); `faults` lists the first 20 of each. `by_column` columns went to the
    engine, `by_row` columns row by row to `jsonschema`. `columns` are the file's, none where it cannot be read.
    """

    columns: tuple[Column, ...]
    rows: int
    checked: int
    faults: tuple[Fault, ...]
    counts: Mapping[tuple[str, str], int]
    by_column: int
    by_row: int

    @property
    def found(self) -> int:
        """How many faults there are, listed or not."""
        return sum(self.counts.values())

    def __str__(self) -> str:
        faults = "1 fault" if self.found == 1 else f"{self.found:,} faults"
        return f"checked {self.checked:,} of {self.rows:,} rows, {faults}"


def check_table(
    query: Query, path: Path, schema: Mapping[str, Any], file: str, held: str | None = None
) -> TableReport:
    """Check every row of a Parquet file; `file` is the name that faults give.

    `held` is the table in SQL where the engine holds all its rows already, numbered as `ROW_NUMBER`; else they are read
    from the file.
    A null cell is a JSON null under its key. Physical types come first, and a DOUBLE column is never one of integers,
    though JSON Schema calls 1.0 an integer. NaN and infinities are refused in every column. A cell of a forbidden null
    breaks `type` alone. Numbers of the schema are binary64 beside floating-point columns and exact beside all others.
    Raises PatternTooSlow where a pattern that only Python can match is not done with a cell in time.
    """
    place = escaped(str(path))
    table = held or source(place)
    columns, unreadable = columns_of(query, place, file)
    if unreadable:
        [[rows]] = query(
            f"SELECT num_rows FROM parquet_file_metadata('{place.replace(chr(39), chr(39) * 2)}')"
        )
        counts = {(str(fault.column), fault.code): 1 for fault in unreadable}
        return TableReport(
            columns=(),
            rows=int(rows),
            checked=0,
            faults=tuple(unreadable),
            counts=counts,
            by_column=0,
            by_row=0,
        )
    faults = column_faults(columns, schema, file)
    refused = {fault.column for fault in faults}
    sound = [column for column in columns if column.name not in refused]
    compiled: list[Condition] = []
    by_row: set[str] = set()
    for column in sound:
        rule = rule_of(schema, column.name)
        found = conditions(column, rule if isinstance(rule, Mapping) else {})
        if found is None:
            by_row.add(column.name)
        compiled += finite(column) if found is None else found
    rows, breaks = scan(query, table, compiled, held=held is not None)
    whole = {key: value for key, value in schema.items() if key not in _OF_COLUMNS | ANNOTATIONS}
    if by_row or whole:
        from tieout.schema.matching import Matcher
        from tieout.schema.rowwise import check_cells, check_rows

        asked = [column for column in sound if column.name in by_row]
        with Matcher() as matcher:
            for column in asked:
                breaks += check_cells(query, table, column, schema, matcher.matches)
            if whole:
                found_rows, read = check_rows(query, table, sound, schema, whole, matcher.matches)
                breaks += found_rows
                by_row |= read
    return TableReport(
        columns=tuple(columns),
        rows=rows,
        checked=rows,
        faults=(*faults, *(fault for kind in breaks for fault in kind.faults(file))),
        counts=_counts(faults, breaks),
        by_column=len(columns) - len(by_row),
        by_row=len(by_row),
    )


def _counts(faults: list[Fault], breaks: list[Found]) -> dict[tuple[str, str], int]:
    counts = {(str(fault.column), fault.code): 1 for fault in faults}
    for kind in breaks:
        key = (kind.column or "", kind.keyword)
        counts[key] = counts.get(key, 0) + kind.count
    return counts
