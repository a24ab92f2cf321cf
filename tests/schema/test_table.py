"""Rows of a Parquet file against their schema: what a fault says, what is counted, which types are refused."""

from __future__ import annotations

import datetime as dt
import math
import struct
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.schema.conftest import Check, Query
from tieout.errors import Fault
from tieout.schema.table import TableReport, check_table

TEXT = {"type": "string"}
WHOLE = {"type": "integer"}


def lines(report: TableReport) -> list[str]:
    return [f"{fault.code}: {fault}" for fault in report.faults]


def test_a_sound_table_has_no_fault_and_all_rows_checked(check: Check) -> None:
    report = check({"a": ["x", "y"], "b": [1, None]}, {"a": TEXT, "b": {"type": ["integer", "null"]}})
    assert str(report) == "checked 2 of 2 rows, 0 faults"
    assert (report.faults, report.counts, report.by_column, report.by_row) == ((), {}, 2, 0)


@pytest.mark.parametrize(
    ("values", "rule", "line"),
    [
        (["x", None], TEXT, "row-type: t.parquet, row 1, column c: expected string, found null"),
        (
            ["a", "c"],
            {"enum": ["a", "b"]},
            'row-enum: t.parquet, row 1, column c: expected "a" or "b", found "c"',
        ),
        ([1, 2], {"const": 1}, "row-const: t.parquet, row 1, column c: expected 1, found 2"),
        ([0, -1], {"minimum": 0}, "row-minimum: t.parquet, row 1, column c: expected at least 0, found -1"),
        ([5, 6], {"maximum": 5}, "row-maximum: t.parquet, row 1, column c: expected at most 5, found 6"),
        (
            [0.5, 0.0],
            {"exclusiveMinimum": 0},
            "row-exclusive-minimum: t.parquet, row 1, column c: expected more than 0, found 0.0",
        ),
        (
            [0.5, 1.0],
            {"exclusiveMaximum": 1},
            "row-exclusive-maximum: t.parquet, row 1, column c: expected less than 1, found 1.0",
        ),
        (
            [4, 5],
            {"multipleOf": 2},
            "row-multiple-of: t.parquet, row 1, column c: expected a multiple of 2, found 5",
        ),
        (
            ["ab", ""],
            {"minLength": 1},
            'row-min-length: t.parquet, row 1, column c: expected at least 1 character, found ""',
        ),
        (
            ["💩💩", "e\u0301e"],
            {"maxLength": 2},
            'row-max-length: t.parquet, row 1, column c: expected at most 2 characters, found "e\u0301e"',
        ),
        (
            ["T04", "T4"],
            {"pattern": r"^T\d\d$"},
            r'row-pattern: t.parquet, row 1, column c: expected text that matches ^T\d\d$, found "T4"',
        ),
        (
            ["2024-02-29", "2023-02-29"],
            {"format": "date"},
            'row-format: t.parquet, row 1, column c: expected a date like 2026-09-11, found "2023-02-29"',
        ),
        (
            [1.0, math.nan],
            {"type": "number"},
            "row-finite: t.parquet, row 1, column c: expected a finite number, found NaN",
        ),
        (
            [1.0, -math.inf],
            True,
            "row-finite: t.parquet, row 1, column c: expected a finite number, found -infinity",
        ),
        (
            ["a", "b"],
            {"not": {"const": "b"}},
            'row-not: t.parquet, row 1, column c: expected what the schema\'s not lets through, found "b"',
        ),
        (
            [[1], [1, 1]],
            {"type": "array", "uniqueItems": True},
            "row-unique-items: t.parquet, row 1, column c: expected no item twice, found an array",
        ),
        (
            [{"a": 1, "b": 2}, None],
            {"type": "object", "minProperties": 2},
            "row-type: t.parquet, row 1, column c: expected object, found null",
        ),
    ],
)
def test_a_fault_names_row_column_keyword_expected_and_found(
    check: Check, values: list[Any], rule: Any, line: str
) -> None:
    assert lines(check({"c": values}, {"c": rule})) == [line]


def test_a_fault_holds_its_parts(check: Check) -> None:
    [fault] = check({"c": [3]}, {"c": {"maximum": 2}}).faults
    assert fault == Fault(
        code="row-maximum",
        message="expected at most 2, found 3",
        file="t.parquet",
        row=0,
        column="c",
        expected="at most 2",
        found="3",
    )


@pytest.mark.parametrize(
    ("column", "rule", "line"),
    [
        ([1.0, 2.0], WHOLE, "column-type: t.parquet, column c: expected a column of integer, found DOUBLE"),
        (["10"], WHOLE, "column-type: t.parquet, column c: expected a column of integer, found VARCHAR"),
        ([1], TEXT, "column-type: t.parquet, column c: expected a column of string, found BIGINT"),
        (
            [True],
            {"type": ["integer", "null"]},
            "column-type: t.parquet, column c: expected a column of integer or null, found BOOLEAN",
        ),
        (
            [1],
            {"type": "boolean"},
            "column-type: t.parquet, column c: expected a column of boolean, found BIGINT",
        ),
        (
            [Decimal("1.5")],
            WHOLE,
            "column-type: t.parquet, column c: expected a column of integer, found DECIMAL(2,1)",
        ),
        (
            [dt.date(2026, 9, 11)],
            True,
            "column-type: t.parquet, column c: expected a column of null, boolean, integer, number or text, found DATE",
        ),
        (
            [b"x"],
            {"const": "x"},
            "column-type: t.parquet, column c: expected a column of null, boolean, integer, number or text, found BLOB",
        ),
        (
            pa.array([Decimal(10**45)], pa.decimal256(46, 0)),
            {"type": "number"},
            "column-type: t.parquet, column c: expected a column of number, found DECIMAL of 46 digits",
        ),
        ([[1]], TEXT, "column-type: t.parquet, column c: expected a column of string, found BIGINT[]"),
        (
            [1],
            False,
            "column-extra: t.parquet, column c: the file has the column and the schema does not allow it",
        ),
    ],
)
def test_a_column_of_a_wrong_type_is_one_fault(check: Check, column: Any, rule: Any, line: str) -> None:
    report = check({"c": column}, {"c": rule})
    assert lines(report) == [line]
    assert report.counts == {("c", line.partition(":")[0]): 1}


def test_missing_and_extra_columns_are_faults(check: Check) -> None:
    report = check(
        {"a": [1], "c": [1]}, {"a": WHOLE, "b": WHOLE}, required=["a", "b"], additionalProperties=False
    )
    assert lines(report) == [
        "column-missing: t.parquet, column b: the schema requires the column and the file lacks it",
        "column-extra: t.parquet, column c: the file has the column and the schema does not allow it",
    ]


def test_an_extra_column_keeps_the_schema_of_additional_ones(check: Check) -> None:
    report = check({"a": [1], "c": [-1]}, {"a": WHOLE}, additionalProperties={"minimum": 0})
    assert lines(report) == ["row-minimum: t.parquet, row 0, column c: expected at least 0, found -1"]


@pytest.mark.parametrize("more", [True, False])
def test_a_column_that_is_declared_in_other_capitals_is_a_fault(check: Check, more: bool) -> None:
    report = check({"SCORE": [900]}, {"score": {"maximum": 10}}, additionalProperties=more)
    assert lines(report) == [
        'column-name: t.parquet, column SCORE: the schema\'s column is written "score"; capitals count here'
    ]


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["A", "a"], '2 columns have the same name but for capitals: "A", "a"'),
        (["a", "file_row_number"], "the name is the engine's for the number of a row"),
    ],
)
def test_names_that_the_engine_cannot_tell_apart_are_refused(
    check: Check, names: list[str], message: str
) -> None:
    report = check({name: [1, 2, 3] for name in names}, {})
    assert [fault.message for fault in report.faults] == [message]
    assert (report.rows, report.checked, report.faults[0].code) == (3, 0, "column-name")


@pytest.mark.parametrize("more", [{}, {"allOf": [True]}])
def test_all_faults_are_counted_and_the_first_twenty_listed(check: Check, more: dict[str, Any]) -> None:
    report = check({"c": [-1] * 500 + [0, 1, 2, 3]}, {"c": {"minimum": 0, "enum": [-1, 0, 1], **more}})
    assert str(report) == "checked 504 of 504 rows, 502 faults"
    assert report.counts == {("c", "minimum"): 500, ("c", "enum"): 2}
    below = [fault for fault in report.faults if fault.code == "row-minimum"]
    assert [fault.row for fault in below] == [*range(20), None]
    assert below[-1].message == (
        "expected at least 0, and 480 more rows break this; 500 in all, the first 20 are listed"
    )


def test_a_null_that_the_type_forbids_breaks_the_type_alone(check: Check) -> None:
    report = check(
        {"c": pa.array([None], pa.string())}, {"c": {"type": "string", "enum": ["a"], "minLength": 1}}
    )
    assert report.counts == {("c", "type"): 1}


def test_a_null_column_without_values_fits_any_nullable_type(check: Check) -> None:
    report = check({"c": pa.nulls(3), "d": pa.nulls(3)}, {"c": {"type": ["integer", "null"]}, "d": TEXT})
    assert report.counts == {("d", "type"): 3}


@pytest.mark.parametrize("more", [{}, {"allOf": [True]}])
def test_integers_beyond_binary64_are_compared_exactly(check: Check, more: dict[str, Any]) -> None:
    edge = 2**53
    report = check(
        {
            "c": [edge, edge + 1],
            "u": pa.array([2**64 - 1, 2**64 - 2], pa.uint64()),
            "d": pa.array([Decimal(10**37), Decimal(10**37 + 1)], pa.decimal128(38, 0)),
        },
        {
            "c": {"type": "integer", "maximum": edge, **more},
            "u": {"type": "integer", "exclusiveMaximum": 2**64 - 1, **more},
            "d": {"type": "integer", "const": 10**37, **more},
        },
    )
    assert sorted((fault.column, fault.row, fault.found) for fault in report.faults) == [
        ("c", 1, str(edge + 1)),
        ("d", 1, str(10**37 + 1)),
        ("u", 0, str(2**64 - 1)),
    ]


def test_a_schemas_number_is_exact_beside_decimals_and_binary_beside_doubles(check: Check) -> None:
    tenth = Decimal("0.1")
    report = check(
        {"m": [Decimal("0.10"), Decimal("0.11")], "d": [0.1, 0.1 + 2**-56]},
        {"m": {"maximum": tenth}, "d": {"maximum": tenth}},
    )
    assert [(fault.column, fault.row) for fault in report.faults] == [("m", 1), ("d", 1)]


def test_columns_with_keywords_that_are_not_compiled_go_row_by_row(check: Check) -> None:
    report = check(
        {"a": ["x"], "b": ["xx"], "c": [1]},
        {"a": {"pattern": "^x$"}, "b": {"pattern": r"^(x)\1$"}, "c": {"anyOf": [{"minimum": 2}]}},
    )
    assert (report.by_column, report.by_row) == (1, 2)
    assert report.counts == {("c", "anyOf"): 1}


def test_a_reference_is_followed_inside_the_schema(check: Check) -> None:
    definitions = {"share": {"minimum": 0, "maximum": 1}}
    report = check({"c": [1, 2]}, {"c": {"$ref": "#/$defs/share"}}, **{"$defs": definitions})
    assert [(fault.code, fault.row, fault.found) for fault in report.faults] == [("row-maximum", 1, "2")]


def test_a_rule_of_whole_rows_names_the_cell_that_breaks_it(check: Check) -> None:
    report = check(
        {"policy": ["adaptive", "full"], "threshold": [None, None], "other": [1, 2]},
        {},
        **{"if": {"properties": {"policy": {"const": "adaptive"}}}},
        then={"properties": {"threshold": {"type": "integer"}}},
    )
    assert lines(report) == [
        "row-then: t.parquet, row 0, column threshold: expected integer, found null",
    ]
    assert (report.by_column, report.by_row) == (1, 2)


def test_many_different_cells_go_through_in_batches(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tieout.schema.rowwise.BATCH", 50)
    report = check({"part": [*range(1000)], "b": [0] * 1000}, {"part": {"not": {"minimum": 900}}})
    assert report.counts == {("part", "not"): 100}
    assert [fault.row for fault in report.faults] == [*range(900, 920), None]


def test_a_wildcard_in_a_files_name_stands_for_itself(query: Query, tmp_path: Path) -> None:
    for name, value in (("[a]*?.parquet", 1), ("a.parquet", -1)):
        pq.write_table(pa.table({"c": [value]}), tmp_path / name)
    schema = {"type": "object", "properties": {"c": {"minimum": 0}}}
    assert check_table(query, tmp_path / "[a]*?.parquet", schema, "t").faults == ()


def test_names_with_quotes_are_names(check: Check) -> None:
    report = check({"a\"b'c": [1], "number": [2], "broken": [3]}, {"a\"b'c": {"maximum": 0}})
    assert report.counts == {("a\"b'c", "maximum"): 1}


def test_an_empty_table_is_checked(check: Check) -> None:
    report = check({"c": pa.array([], pa.int64())}, {"c": {"not": {"minimum": 0}}}, minProperties=1)
    assert str(report) == "checked 0 of 0 rows, 0 faults"


def lying(path: Path, values: list[Any], kind: Any, true: bytes, claimed: bytes) -> None:
    """A Parquet file whose footer claims another least or greatest value than its pages hold."""
    pq.write_table(
        pa.table({"c": pa.array(values, kind)}),
        path,
        compression="none",
        use_dictionary=False,
        store_schema=False,
    )
    data = path.read_bytes()
    start = len(data) - 8 - struct.unpack("<I", data[-8:-4])[0]
    footer = data[start:-8].replace(true, claimed)
    assert footer != data[start:-8]
    assert len(footer) == len(data[start:-8])
    path.write_bytes(data[:start] + footer + data[-8:])


@pytest.mark.parametrize(
    ("values", "kind", "true", "claimed", "rule", "keyword"),
    [
        ([-500000, 1, 3], pa.int64(), struct.pack("<q", -500000), struct.pack("<q", 0), {"minimum": 0}, "minimum"),
        ([1, 1, 500000], pa.int64(), struct.pack("<q", 500000), struct.pack("<q", 1), {"const": 1}, "const"),
        ([1.0, 1.0, 5e9], pa.float64(), struct.pack("<d", 5e9), struct.pack("<d", 1.0), {"maximum": 2}, "maximum"),
        (["bbb", "bbb", "zzz"], pa.string(), b"zzz", b"bbb", {"enum": ["bbb"]}, "enum"),
        (["bbb", "bbb", "zzz"], pa.string(), b"zzz", b"bbb", {"pattern": "^b"}, "pattern"),
    ],
)  # fmt: skip
def test_a_files_own_statistics_are_not_believed(
    query: Query, tmp_path: Path, values: Any, kind: Any, true: bytes, claimed: bytes, rule: Any, keyword: str
) -> None:
    path = tmp_path / "t.parquet"
    lying(path, values, kind, true, claimed)
    schema = {"type": "object", "properties": {"c": rule}}
    assert check_table(query, path, schema, "t").counts == {("c", keyword): 1}


@pytest.mark.parametrize("kind", [pa.float32(), pa.float64()])
def test_a_nan_that_statistics_leave_out_is_found(check: Check, kind: Any) -> None:
    report = check({"c": pa.array([1.0, math.nan, 1.0], kind)}, {"c": {"type": "number"}})
    assert report.counts == {("c", "finite"): 1}
