"""A schema of rows is itself checked, so that a misspelt keyword is no check that nobody makes."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tieout.schema.row_schema import check_row_schema
from tieout.strict import read_json

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas" / "tables"
GOOD: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Answers",
    "type": "object",
    "additionalProperties": False,
    "required": ["id", "ok"],
    "tieout": {"key": ["id"]},
    "properties": {
        "id": {"type": "string", "tieout": {"role": "key"}},
        "ok": {"type": "boolean", "tieout": {"role": "outcome", "evaluator": "judge"}},
        "n": {"type": ["integer", "null"], "minimum": 0, "tieout": {"role": "usage", "unit": "tokens"}},
    },
}


def faults(change: Callable[[dict[str, Any]], None]) -> list[str]:
    schema = copy.deepcopy(GOOD)
    change(schema)
    return [str(fault) for fault in check_row_schema(schema, "s.json", {"judge"})]


def of_n(**keywords: Any) -> list[str]:
    return faults(lambda schema: schema["properties"].update(n=keywords))


def test_a_good_schema_has_no_fault() -> None:
    assert faults(lambda schema: None) == []


@pytest.mark.parametrize(
    "path", sorted(SCHEMAS.rglob("*.json")), ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_the_published_schemas_of_rows_are_good(path: Path) -> None:
    schema = read_json(path, path.name).value
    columns = schema["properties"].values()
    evaluators = {column.get("tieout", {}).get("evaluator") for column in columns} - {None}
    assert check_row_schema(schema, path.name, evaluators) == []


@pytest.mark.parametrize(
    ("keywords", "line"),
    [
        (
            {"type": "int"},
            '/type: expected "null", "boolean", "integer", "number", "string", "array" or "object", found "int"',
        ),
        ({"type": []}, "/type: expected a type or a list of types, found an array"),
        ({"title": "N"}, ": the column needs a type, or an enum of its values"),
        ({"enum": []}, "/enum: expected a list of values, found an array"),
        ({"type": "integer", "minimun": 0}, '/minimun: the keyword "minimun" is unknown here; did you mean "minimum"?'),
        ({"type": "integer", "minimum": "0"}, '/minimum: expected a number, found "0"'),
        ({"type": "string", "minLength": -1}, "/minLength: expected a whole number from 0, found -1"),
        ({"type": "number", "multipleOf": 0.01}, "/multipleOf: expected a whole number from 1, found 0.01"),
        ({"type": "integer", "multipleOf": 0}, "/multipleOf: expected a whole number from 1, found 0"),
        ({"type": "string", "pattern": "("}, '/pattern: expected a regular expression, found "("'),
        (
            {"type": "string", "format": "ipv4"},
            '/format: expected "date", "date-time", "time", "uuid", "email" or "uri", found "ipv4"',
        ),
        (
            {"type": "integer", "tieout": {"rôle": "key"}},
            '/tieout/rôle: the key "rôle" is unknown; known here: evaluator, role, unit',
        ),
        (
            {"type": "integer", "tieout": {"role": "answer"}},
            ('/tieout/role: expected "key", "case", "repeat", "condition", "outcome", "usage", "cost" or "none", '
            'found "answer"'),
        ),
        ({"type": "boolean", "tieout": {"role": "outcome"}}, "/tieout: an outcome needs its evaluator"),
        (
            {"type": "boolean", "tieout": {"role": "outcome", "evaluator": "jury"}},
            '/tieout/evaluator: expected "judge", found "jury"',
        ),
        (
            {"type": "boolean", "tieout": {"role": "case", "evaluator": "judge"}},
            "/tieout/evaluator: only an outcome has an evaluator",
        ),
        ({"anyOf": []}, "/anyOf: an array is no value that draft 2020-12 allows here"),
        ({"$ref": "https://example.org/x"}, '/$ref: expected a place in this schema, like #/$defs/name, found "https://example.org/x"'),
        ({"$ref": "#/$defs/x"}, '/$ref: expected a place in this schema, like #/$defs/name, found "#/$defs/x"'),
        ({"$ref": "#/properties/n"}, '/$ref: the reference "#/properties/n" leads back to itself'),
    ],
)  # fmt: skip
def test_a_bad_column_is_a_fault_at_its_place(keywords: dict[str, Any], line: str) -> None:
    assert of_n(**keywords) == [f"s.json, /properties/n{line}"]


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"$schema": "http://json-schema.org/draft-07/schema#"},
         ("s.json, /$schema: expected https://json-schema.org/draft/2020-12/schema, "
         'found "http://json-schema.org/draft-07/schema#"')),
        ({"type": "array"}, 's.json, /type: expected "object", found "array"'),
        ({"properties": {}}, "s.json, /properties: expected an object with the columns, found an object"),
        ({"required": ["id", "x"]}, 's.json, /required: the column "x" is required and not described'),
        ({"tieout": {}}, "s.json, /tieout/key: expected the columns that name a row, found null"),
        ({"tieout": {"key": ["x"]}}, 's.json, /tieout/key/0: "x" is no column'),
        ({"tieout": {"key": ["n"]}}, 's.json, /tieout/key/0: the column "n" must be required, as it is in the key'),
        ({"items": {}}, 's.json, /items: the keyword "items" is unknown here'),
    ],
)  # fmt: skip
def test_a_bad_schema_is_a_fault_at_its_place(change: dict[str, Any], line: str) -> None:
    assert line in faults(lambda schema: schema.update(change))


def test_what_is_no_object_is_a_fault() -> None:
    assert [str(fault) for fault in check_row_schema([], "s.json")] == [
        "s.json: expected an object, found an array"
    ]
    assert of_n() == ["s.json, /properties/n: the column needs a type, or an enum of its values"]
    assert faults(lambda schema: schema["properties"].update(n=True)) == [
        "s.json, /properties/n: expected an object that describes the column, found true"
    ]
