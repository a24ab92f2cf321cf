"""One column's schema as SQL conditions: each is true of a cell that breaks a keyword, never of another."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

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

_INTEGERS = {
    name: (0 if unsigned else -(2 ** (bits - 1)), 2 ** (bits if unsigned else bits - 1) - 1)
    for bits, signed_name in (
        (8, "TINYINT"),
        (16, "SMALLINT"),
        (32, "INTEGER"),
        (64, "BIGINT"),
        (128, "HUGEINT"),
    )
    for name, unsigned in ((signed_name, False), (f"U{signed_name}", True))
}
_DECIMAL = re.compile(r"DECIMAL\(([0-9]+),([0-9]+)\)\Z")


@dataclass(frozen=True, kw_only=True, slots=True)
class Column:
    """A column of a Parquet file. `kind` is the JSON type its cells have, "null" where all are, None where none fits.

    `low` and `high` bound an integer or decimal column, whose cells are whole multiples of 10 to the minus `scale`.
    """

    name: str
    type: str
    kind: str | None
    scale: int = 0
    low: int = 0
    high: int = 0

    @property
    def sql(self) -> str:
        """The column's name in SQL."""
        return quoted(self.name)

    @property
    def fetched(self) -> str:
        """SQL whose value loses nothing on its way out of the engine; `value` reads it."""
        if self.type.startswith("DECIMAL"):
            return f"{self.sql}::VARCHAR"
        if self.type == "FLOAT":
            return f"{self.sql}::DOUBLE"
        return f"to_json({self.sql})::VARCHAR" if self.kind in ("array", "object") else self.sql

    def value(self, fetched: Any) -> Any:
        """The cell as JSON has it, from what `fetched` gave."""
        if fetched is None:
            return None
        if self.type.startswith("DECIMAL"):
            return Decimal(fetched) if self.scale else int(fetched)
        if is_float(self):
            return fetched + 0.0  # a zero without a sign, as the engine takes both for the same value
        return json.loads(fetched) if self.kind in ("array", "object") else fetched


@dataclass(frozen=True, kw_only=True, slots=True)
class Condition:
    """What one keyword asks of one column, and SQL that is true of a cell that breaks it."""

    column: Column
    keyword: str
    expected: str
    bad: str


def column_of(name: str, type_: str) -> Column:
    """The column as DuckDB describes it."""
    if type_ in _INTEGERS:
        low, high = _INTEGERS[type_]
        return Column(name=name, type=type_, kind="integer", low=low, high=high)
    if found := _DECIMAL.match(type_):
        width, scale = int(found[1]), int(found[2])
        high = 10**width - 1
        return Column(
            name=name, type=type_, kind="number" if scale else "integer", scale=scale, low=-high, high=high
        )
    kinds = {
        "BOOLEAN": "boolean",
        "FLOAT": "number",
        "DOUBLE": "number",
        "VARCHAR": "string",
        '"NULL"': "null",
    }
    kind: str | None = kinds.get(type_)
    if kind is None and type_.endswith("]"):
        kind = "array"
    if kind is None and type_.startswith("STRUCT("):
        kind = "object"
    return Column(name=name, type=type_, kind=kind)


def declared(schema: Mapping[str, Any]) -> tuple[str, ...]:
    """The types that a schema allows; all of them where it names none."""
    kinds = schema.get("type")
    if kinds is None:
        return ("null", "boolean", "integer", "number", "string", "array", "object")
    return (kinds,) if isinstance(kinds, str) else tuple(kinds)


def fits(column: Column, schema: Mapping[str, Any]) -> bool:
    """Whether cells of the column's physical type can be of a declared one; a DOUBLE is never an integer."""
    kinds = set(declared(schema)) - {"null"}
    if column.kind == "null" or not kinds:
        return True
    return column.kind in kinds or (column.kind == "integer" and "number" in kinds)


def is_float(column: Column) -> bool:
    """Whether cells are binary floating-point numbers."""
    return column.type in ("FLOAT", "DOUBLE")


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


def quoted(name: str) -> str:
    """A name in SQL."""
    return '"' + name.replace('"', '""') + '"'


def unused(names: Iterable[str]) -> str:
    """A quoted name that is none of these: one longer than all."""
    return quoted("_" * (1 + max(map(len, names), default=0)))


def literal(text: str) -> str:
    """A text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"
