"""The engine by column and `jsonschema` row by row say the same of every row."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pyarrow as pa
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tests.schema.conftest import Check
from tieout.schema.formats import FORMATS
from tieout.schema.table import TableReport

BITS = {pa.int8(): 8, pa.int16(): 16, pa.int32(): 32, pa.int64(): 64}
PATTERNS = [
    "^[a-c]+$",
    "b",
    "^a.b$",
    r"\d",
    r"^\S*$",
    "(?:ab|é)+",
    "^$",
    "[^a]$",
    r"\.",
    "a{2,3}",
    r"^\w*$",
    r"^(?!a)",
    r"(a)\1",
]
TEXTS = st.one_of(
    st.text("abc .0٣é\u00a0\n\r\u2028💩", max_size=6),
    st.sampled_from([form.good for form in FORMATS.values()] + [form.bad for form in FORMATS.values()]),
    st.sampled_from(["1998-12-31T23:59:60Z", "1998-12-31T15:59:60-08:00", "23:58:60Z", "ab\n", "aab", ""]),
)
SMALL = st.integers(-6, 6)
DECIMALS = st.decimals(-6, 6, places=2)


def _numbers(exact: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    edges = [2**bits + shift for bits in (7, 8, 31, 53, 63, 64) for shift in (-1, 0, 1)]
    return st.one_of(exact, SMALL, st.sampled_from(edges), st.sampled_from([-edge for edge in edges]))


@st.composite
def columns(draw: st.DrawFn) -> tuple[pa.Array, list[str]]:
    """A column, and the types that its schema may declare."""
    kind = draw(st.sampled_from(["boolean", "integer", "unsigned", "decimal", "float", "double", "string"]))
    values: st.SearchStrategy[Any]
    if kind == "boolean":
        values, stored, types = st.booleans(), pa.bool_(), ["boolean"]
    elif kind == "integer":
        stored = draw(st.sampled_from(list(BITS)))
        least = -(2 ** (BITS[stored] - 1))
        values, types = SMALL | st.integers(least, -least - 1), ["integer"]
    elif kind == "unsigned":
        values, stored, types = SMALL.map(abs) | st.integers(0, 2**64 - 1), pa.uint64(), ["integer"]
    elif kind == "decimal":
        values, stored, types = DECIMALS, pa.decimal128(12, 2), ["number"]
    elif kind == "float":
        values, stored, types = st.floats(-8, 8, width=32) | st.floats(width=32), pa.float32(), ["number"]
    elif kind == "double":
        values, stored, types = (
            st.sampled_from([0.1, 0.5, -0.0, 3.0]) | st.floats(),
            pa.float64(),
            ["number"],
        )
    else:
        values, stored, types = TEXTS, pa.string(), ["string"]
    if types == ["integer"]:
        types = draw(st.sampled_from([["integer"], ["number"], ["integer", "string"]]))
    cells = draw(st.lists(st.none() | values, max_size=12))
    return pa.array(cells, stored), types


@st.composite
def rules(draw: st.DrawFn, types: list[str]) -> dict[str, Any]:
    """A column's schema, of keywords that are compiled and some that are not."""
    rule: dict[str, Any] = {}
    if draw(st.booleans()):
        rule["type"] = types + (["null"] if draw(st.booleans()) else [])
    numbers = _numbers(DECIMALS)
    constants = st.one_of(st.none(), st.booleans(), numbers, TEXTS, st.just(1.0), st.just(Decimal("0.1")))
    possible = {
        "enum": st.lists(constants, min_size=1, max_size=5),
        "const": constants,
        "minimum": numbers,
        "maximum": numbers,
        "exclusiveMinimum": numbers,
        "exclusiveMaximum": numbers,
        "multipleOf": st.integers(1, 5) | st.sampled_from([2**63, 2**64 + 1]),
        "minLength": st.integers(0, 4),
        "maxLength": st.integers(0, 4),
        "pattern": st.sampled_from(PATTERNS),
        "format": st.sampled_from([*FORMATS, "unknown"]),
        "minItems": st.just(9),
    }
    for keyword in draw(st.lists(st.sampled_from(list(possible)), max_size=3, unique=True)):
        rule[keyword] = draw(possible[keyword])
    return rule


def told(report: TableReport) -> list[tuple[Any, ...]]:
    """All that a report says of cells, in an order of its own."""
    return sorted((f.code, f.row, f.column, f.expected, f.found, f.message) for f in report.faults)


@given(data=st.data())
@settings(max_examples=200)
def test_both_ways_agree_on_every_row(check: Check, data: st.DataObject) -> None:
    column, types = data.draw(columns())
    rule = data.draw(rules(types))
    by_column = check({"c": column}, {"c": rule})
    # A keyword that asks nothing and is not compiled sends the column to `jsonschema`.
    by_row = check({"c": column}, {"c": {**rule, "allOf": [True]}})
    assert by_row.by_row == 1
    assert told(by_column) == told(by_row)
    assert by_column.counts == by_row.counts


@given(data=st.data())
@settings(max_examples=100)
def test_rows_are_refused_exactly_when_the_plain_validator_refuses_them(
    check: Check, data: st.DataObject
) -> None:
    column, types = data.draw(columns())
    rule = data.draw(rules(types))
    # Ours are stricter or more exact here: formats, patterns at a text's end, decimals.
    assume(not {"format", "pattern"} & set(rule) and not pa.types.is_decimal(column.type))
    numbers = [value for keyword, value in rule.items() if isinstance(value, Decimal)]
    assume(not numbers and not any(isinstance(value, Decimal) for value in rule.get("enum", [])))
    cells = column.to_pylist()
    wanted = {
        row
        for row, cell in enumerate(cells)
        if (isinstance(cell, float) and cell - cell != 0) or not Draft202012Validator(rule).is_valid(cell)
    }
    report = check({"c": column}, {"c": rule})
    assert {fault.row for fault in report.faults} == wanted


@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.none() | st.integers(0, 3)), max_size=10),
    st.sampled_from(
        [
            {"if": {"properties": {"p": {"const": "a"}}}, "then": {"properties": {"n": {"type": "integer"}}}},
            {"anyOf": [{"properties": {"p": {"const": "b"}}}, {"properties": {"n": {"minimum": 2}}}]},
            {"not": {"properties": {"p": {"const": "a"}, "n": {"const": 3}}}},
            {"dependentSchemas": {"p": {"properties": {"n": {"maximum": 1}}}}},
            {"propertyNames": {"maxLength": 1}},
            {"maxProperties": 1},
            {"unevaluatedProperties": False},
        ]
    ),
)
@settings(max_examples=60)
def test_rules_of_whole_rows_are_those_of_the_plain_validator(
    check: Check, rows: list[tuple[str, int | None]], rule: dict[str, Any]
) -> None:
    table = {
        "p": pa.array([p for p, _ in rows], pa.string()),
        "n": pa.array([n for _, n in rows], pa.int64()),
    }
    properties = {"p": {"type": "string"}, "n": {"type": ["integer", "null"]}}
    report = check(table, properties, **rule)
    plain = Draft202012Validator({"properties": properties, **rule})
    assert {fault.row for fault in report.faults} == {
        row for row, (p, n) in enumerate(rows) if not plain.is_valid({"p": p, "n": n})
    }
