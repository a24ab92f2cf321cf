"""The official test suite of JSON Schema, as far as a Parquet column can hold its instances."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from tests.schema.conftest import Check
from tieout.schema.formats import FORMATS
from tieout.schema.found import LISTED
from tieout.schema.patterns import searcher

SUITE = json.loads((Path(__file__).parent / "suite.json").read_text(encoding="utf-8"))
STORED: dict[str, Any] = {
    "boolean": pa.bool_(),
    "integer": pa.int64(),
    "number": pa.float64(),
    "string": pa.string(),
    "null": pa.null(),
}


def kind_of(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    return "number" if isinstance(value, float) else "string"


def why_not(group: dict[str, Any], data: object) -> str | None:
    """Why a case is not held against a column, or None."""
    schema = group["schema"]
    if isinstance(data, int) and not isinstance(data, bool) and abs(data) >= 10**38:
        return "no column holds an integer of so many digits"
    if isinstance(schema, dict):
        if "pattern" in schema and searcher(schema["pattern"]) is None:
            return "a pattern that Python cannot read, which a schema of rows may not have"
        if group["file"] == "format" and schema["format"] in FORMATS and isinstance(data, str):
            return "formats are always active here"
        kinds = schema.get("type", [])
        if isinstance(data, float) and "number" not in kinds and "integer" in kinds:
            return "a DOUBLE column is never one of integers here"
    return None


def stored(values: list[Any], kind: str) -> Any:
    large = kind == "integer" and any(abs(value) >= 2**63 for value in values)
    return pa.array(values, pa.decimal128(38, 0) if large else STORED[kind])


def outcomes(check: Check, group: dict[str, Any], kind: str, values: list[Any]) -> list[bool]:
    """Whether each value, a row of one column, is accepted; at most so many that each fault is listed."""
    if len(values) > LISTED:
        return outcomes(check, group, kind, values[:LISTED]) + outcomes(check, group, kind, values[LISTED:])
    report = check({"c": stored(values, kind)}, {"c": group["schema"]})
    refused = {fault.row for fault in report.faults}
    # A fault of the column, such as its type, refuses every row.
    return [row not in refused and None not in refused for row in range(len(values))]


@pytest.mark.parametrize("file", sorted({group["file"] for group in SUITE["groups"]}))
def test_columns_accept_what_the_suite_accepts(check: Check, file: str) -> None:
    for group in SUITE["groups"]:
        if group["file"] != file:
            continue
        cases = [case for case in group["tests"] if why_not(group, case["data"]) is None]
        for kind in STORED:
            mine = [case for case in cases if kind_of(case["data"]) == kind]
            if not mine:
                continue
            found = outcomes(check, group, kind, [case["data"] for case in mine])
            assert [(case["description"], got) for case, got in zip(mine, found, strict=True)] == [
                (case["description"], case["valid"]) for case in mine
            ], (group["description"], group["schema"])


def test_cases_that_ran_are_counted() -> None:
    reasons = Counter(
        why_not(group, case["data"]) or "ran" for group in SUITE["groups"] for case in group["tests"]
    )
    assert reasons == {
        "ran": 594,
        "formats are always active here": 6,
        "a pattern that Python cannot read, which a schema of rows may not have": 11,
        "a DOUBLE column is never one of integers here": 5,
        "no column holds an integer of so many digits": 5,
    }
