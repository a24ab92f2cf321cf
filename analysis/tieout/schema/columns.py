"""A column of a Parquet file: the JSON type its cells have, how they leave the engine, and its name in SQL."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

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


_JSON_TYPES: Mapping[type, str] = {bool: "boolean", int: "integer", str: "string", type(None): "null"}


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


def instead(rule: Any, value: object) -> str | None:
    """What a column's cells are where its schema excludes a value; None where the value may stand there.

    The value is a text, an integer, a truth value or None: a filter's, or one of `in_loop`.
    """
    if not isinstance(rule, Mapping):
        return None
    if "enum" in rule:
        # True is 1 to Python.
        if any(value == each and type(value) is type(each) for each in rule["enum"]):
            return None
        return f"its values are {', '.join(map(str, rule['enum']))}"
    kinds = declared(rule)
    kind = _JSON_TYPES[type(value)]
    if kind in kinds or (kind == "integer" and "number" in kinds):
        return None
    return f"its type is {' or '.join(kinds)}"


def is_float(column: Column) -> bool:
    """Whether cells are binary floating-point numbers."""
    return column.type in ("FLOAT", "DOUBLE")


def quoted(name: str) -> str:
    """A name in SQL."""
    return '"' + name.replace('"', '""') + '"'


def unused(names: Iterable[str]) -> str:
    """A quoted name that is none of these: one longer than all."""
    return quoted("_" * (1 + max(map(len, names), default=0)))


def literal(text: str) -> str:
    """A text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"
