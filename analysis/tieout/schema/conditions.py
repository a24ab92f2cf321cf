"""One column's schema as SQL conditions: each is true of a cell that breaks a keyword, never of another."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from tieout.schema.columns import Column, declared, is_float, literal
from tieout.schema.formats import FORMATS
from tieout.schema.patterns import common
from tieout.schema.words import asked

ANNOTATIONS = frozenset(
    {
        "$comment",
        "title",
        "description",
        "default",
        "examples",
        "deprecated",
        "readOnly",
        "writeOnly",
        "tieout",
    }
)
OF_ARRAYS = frozenset(
    {
        "items",
        "prefixItems",
        "contains",
        "minContains",
        "maxContains",
        "minItems",
        "maxItems",
        "uniqueItems",
        "unevaluatedItems",
    }
)
OF_OBJECTS = frozenset(
    {
        "properties",
        "patternProperties",
        "additionalProperties",
        "propertyNames",
        "required",
        "minProperties",
        "maxProperties",
        "dependentRequired",
        "dependentSchemas",
        "unevaluatedProperties",
    }
)
_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_COMPILED = frozenset(
    {"type", "enum", "const", *_BOUNDS, "multipleOf", "minLength", "maxLength", "pattern", "format"}
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Condition:
    """What one keyword asks of one column, and SQL that is true of a cell that breaks it."""

    column: Column
    keyword: str
    expected: str
    bad: str


def conditions(column: Column, schema: Mapping[str, Any]) -> list[Condition] | None:
    """The conditions for a column that `fits`; None where the schema must be asked row by row.

    A null cell that the type forbids breaks `type` alone, a NaN or an infinity breaks `finite` alone.
    """
    if column.kind in ("array", "object", None):
        return None
    if set(schema) - ANNOTATIONS - OF_ARRAYS - OF_OBJECTS - _COMPILED:
        return None
    found = _of_type(column, schema)
    found += finite(column)
    bad: str | None
    for keyword in ("enum", "const"):
        if keyword in schema:
            values = schema["enum"] if keyword == "enum" else [schema["const"]]
            bad = _not_among(column, values, null_told="null" not in declared(schema))
            if bad is None:
                return None
            found.append(_condition(column, keyword, schema, bad))
    for keyword in _COMPILED - {"type", "enum", "const"}:
        if keyword in schema:
            bad = _bad(column, keyword, schema[keyword])
            if bad is None:
                return None
            if bad:
                found.append(_condition(column, keyword, schema, bad))
    return sorted(found, key=lambda condition: _ORDER.index(condition.keyword))


_ORDER = ("type", "finite", *sorted(_COMPILED - {"type"}))


def finite(column: Column) -> list[Condition]:
    """The condition that no cell is NaN or infinite, which holds for every floating-point column."""
    if not is_float(column):
        return []
    bad = f"NOT isfinite({column.sql})"
    return [Condition(column=column, keyword="finite", expected="a finite number", bad=bad)]


def _condition(column: Column, keyword: str, schema: Mapping[str, Any], bad: str) -> Condition:
    return Condition(column=column, keyword=keyword, expected=asked(keyword, schema[keyword]), bad=bad)


def _of_type(column: Column, schema: Mapping[str, Any]) -> list[Condition]:
    kinds = declared(schema)
    wrong = []
    if "null" not in kinds:
        wrong.append(f"{column.sql} IS NULL")
    if not set(kinds) - {"null"}:
        wrong.append(f"{column.sql} IS NOT NULL")
    return [_condition(column, "type", schema, " OR ".join(wrong))] if wrong else []


def _bad(column: Column, keyword: str, value: Any) -> str | None:
    """SQL for a keyword other than `type`, `enum`, `const`; "" where it says nothing of the column, None unknown."""
    name = column.sql
    if column.kind == "string":
        if keyword == "minLength":
            return f"length({name}) < {_whole(value)}"
        if keyword == "maxLength":
            return f"length({name}) > {_whole(value)}"
        if keyword == "pattern":
            pattern = common(value)
            return None if pattern is None else f"NOT regexp_matches({name}, {literal(pattern.re2)})"
        if keyword == "format":
            return FORMATS[value].sql_bad(name) if value in FORMATS else ""
        return ""
    if column.kind not in ("integer", "number") or keyword not in (*_BOUNDS, "multipleOf"):
        return ""
    if keyword == "multipleOf":
        return _not_multiple(column, Fraction(exact(value)))
    if is_float(column):
        operator = {"minimum": "<", "maximum": ">", "exclusiveMinimum": "<=", "exclusiveMaximum": ">="}[
            keyword
        ]
        return f"(isfinite({name}) AND {name}::DOUBLE {operator} {_double(value)})"
    return _beyond(column, keyword, Fraction(exact(value)))


def _beyond(column: Column, keyword: str, bound: Fraction) -> str:
    """A bound on an integer or decimal column, moved inwards to the nearest value that a cell can have."""
    grid = bound * 10**column.scale
    if keyword in ("minimum", "exclusiveMinimum"):
        least = math.ceil(grid) if keyword == "minimum" else math.floor(grid) + 1
        if least <= column.low:
            return ""
        return (
            f"{column.sql} < {_cell(column, least)}" if least <= column.high else f"{column.sql} IS NOT NULL"
        )
    most = math.floor(grid) if keyword == "maximum" else math.ceil(grid) - 1
    if most >= column.high:
        return ""
    return f"{column.sql} > {_cell(column, most)}" if most >= column.low else f"{column.sql} IS NOT NULL"


def _not_multiple(column: Column, divisor: Fraction) -> str | None:
    """Exact for whole divisors of integer columns, which are all that a row schema of ours may have."""
    if column.kind != "integer" or divisor.denominator != 1:
        return None
    if divisor > column.high:
        return f"{column.sql} <> 0"
    return f"{column.sql} % {_cell(column, int(divisor))} <> 0"


def _not_among(column: Column, values: Iterable[Any], *, null_told: bool) -> str | None:
    """SQL for `enum` and `const`; `null_told` where another keyword already refuses a null."""
    values = list(values)
    literals = []
    for value in values:
        if column.kind == "string" and isinstance(value, str):
            if "\0" in value:
                return None
            literals.append(literal(value))
        elif column.kind == "boolean" and isinstance(value, bool):
            literals.append("true" if value else "false")
        elif column.kind in ("integer", "number") and _is_number(value):
            cell = _number_literal(column, value)
            if cell is not None:
                literals.append(cell)
    left = f"{column.sql}::DOUBLE" if is_float(column) else column.sql
    bad = f"{left} NOT IN ({', '.join(literals)})" if literals else f"{column.sql} IS NOT NULL"
    if is_float(column):
        bad = f"(isfinite({column.sql}) AND {bad})"
    if None not in values and not null_told:
        bad = f"({bad} OR {column.sql} IS NULL)"
    return bad


def _number_literal(column: Column, value: Any) -> str | None:
    if is_float(column):
        return _double(value)
    grid = Fraction(exact(value)) * 10**column.scale
    if grid.denominator != 1 or not column.low <= grid <= column.high:
        return None
    return _cell(column, int(grid))


def exact(value: Any) -> int | Decimal:
    """A schema's number as written: a float stands for the shortest decimal that reads back to it."""
    return Decimal(repr(value)) if isinstance(value, float) else value


def as_double(value: Any) -> float:
    """A schema's number as a reader of JSON into binary64 has it; beyond the range an infinity."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _double(value: Any) -> str:
    return f"'{as_double(value)!r}'::DOUBLE"


def _cell(column: Column, grid: int) -> str:
    """A literal of the column's own type: `grid` times 10 to the minus scale."""
    text = _fixed(grid, column.scale) if column.scale else str(grid)
    return f"'{text}'::{column.type}"


def _fixed(grid: int, scale: int) -> str:
    digits = str(abs(grid)).rjust(scale + 1, "0")
    return f"{'-' if grid < 0 else ''}{digits[:-scale]}.{digits[-scale:]}"


def _whole(value: Any) -> int:
    return int(min(value, 2**62))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)
