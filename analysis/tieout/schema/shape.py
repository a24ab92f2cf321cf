"""Which columns a Parquet file has and of which physical types, against what the row schema declares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from tieout.errors import Fault
from tieout.schema.columns import Column, column_of, declared, fits, literal
from tieout.schema.query import ROW_NUMBER, Query
from tieout.schema.words import asked, shown

_DIGITS = 38


def columns_of(query: Query, path: str, file: str) -> tuple[list[Column], list[Fault]]:
    """The file's columns; faults of their names, with which the file can't be read at all."""
    top = _top(
        query(f"SELECT name, duckdb_type, num_children, precision FROM parquet_schema({literal(path)})")
    )
    names = [name for name, _, _ in top]
    faults = [
        Fault(code="column-name", message=message, file=file, column=name)
        for name, message in _name_faults(names)
    ]
    if faults:
        return [], faults
    # The engine would read a decimal of more than 38 digits as a DOUBLE, and lose some of them.
    return [
        column_of(name, kind if digits <= _DIGITS else f"DECIMAL of {digits} digits")
        for name, kind, digits in top
    ], []


def _top(nodes: Sequence[tuple[Any, ...]]) -> list[tuple[str, str, int]]:
    """Name, type and decimal digits (0 for none) of each column, from a schema's nodes, depth first from the root."""
    columns = []
    at = 1
    while at < len(nodes):
        name, kind, _, digits = nodes[at]
        columns.append((str(name), str(kind), int(digits or 0)))
        waiting = 1
        while waiting and at < len(nodes):
            waiting += int(nodes[at][2] or 0) - 1
            at += 1
    return columns


def _name_faults(names: Sequence[str]) -> list[tuple[str, str]]:
    faults = []
    for name, count in Counter(name.lower() for name in names).items():
        if count > 1:
            alike = ", ".join(shown(other) for other in names if other.lower() == name)
            faults.append((name, f"{count} columns have the same name but for capitals: {alike}"))
        if name == ROW_NUMBER:
            faults.append((name, "the name is the engine's for the number of a row"))
    return faults


def rule_of(schema: Mapping[str, Any], name: str) -> Any:
    """The schema that a column's cells must keep: true for anything, false where no such column may be."""
    properties: Mapping[str, Any] = schema.get("properties", {})
    return properties[name] if name in properties else schema.get("additionalProperties", True)


def column_faults(columns: Sequence[Column], schema: Mapping[str, Any], file: str) -> list[Fault]:
    """Columns that are missing, that nobody declared, or whose physical type no declared type fits."""
    faults = []
    there = {column.name for column in columns}
    spelled = {name.lower(): name for name in schema.get("properties", {})}
    for name in schema.get("required", ()):
        if name not in there:
            message = "the schema requires the column and the file lacks it"
            faults.append(Fault(code="column-missing", message=message, file=file, column=name))
    for column in columns:
        rule = rule_of(schema, column.name)
        declared_as = spelled.get(column.name.lower(), column.name)
        if declared_as != column.name and declared_as not in there:
            # SQL knows no capitals: the cells would be taken for the declared column's, and held to no rule of it.
            message = f"the schema's column is written {shown(declared_as)}; capitals count here"
            faults.append(Fault(code="column-name", message=message, file=file, column=column.name))
        elif rule is False:
            message = "the file has the column and the schema does not allow it"
            faults.append(Fault(code="column-extra", message=message, file=file, column=column.name))
        elif column.kind is None or (isinstance(rule, Mapping) and not fits(column, rule)):
            kinds = declared(rule) if isinstance(rule, Mapping) and "type" in rule else None
            expected = asked("type", kinds) if kinds else "null, boolean, integer, number or text"
            faults.append(
                Fault(
                    code="column-type",
                    message=f"expected a column of {expected}, found {column.type}",
                    file=file,
                    column=column.name,
                    expected=expected,
                    found=column.type,
                )
            )
    return faults
