"""Rows become Parquet by their schema alone: its types, its order, its key, and the same bytes each time."""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tieout.errors import Invalid
from tieout.importers.parquet import encode, read, replace, write

SCHEMA: Mapping[str, Any] = {
    "tieout": {"key": ["name", "turn"]},
    "properties": {
        "turn": {"type": "integer"},
        "name": {"type": "string"},
        "share": {"type": ["number", "null"]},
        "accepted": {"type": ["boolean", "null"]},
        "policy": {"enum": ["full", "recent", None]},
    },
}

FLOATING = "the column has become floating-point: in pandas an empty cell does so, and type Int64 does not"


def row(**changes: object) -> dict[str, object]:
    return {"name": "a", "turn": 1, "share": 0.5, "accepted": True, "policy": "full"} | changes


def refused(*rows: dict[str, object]) -> list[str]:
    with pytest.raises(Invalid) as caught:
        encode("t.parquet", rows, SCHEMA)
    return [str(fault) for fault in caught.value.faults]


def test_columns_and_types_are_those_of_the_schema(tmp_path: Path) -> None:
    write(tmp_path / "t.parquet", [row()], SCHEMA)
    found = pq.read_schema(tmp_path / "t.parquet")
    assert found.equals(
        pa.schema(
            [
                pa.field("turn", pa.int64(), nullable=False),
                pa.field("name", pa.string(), nullable=False),
                pa.field("share", pa.float64()),
                pa.field("accepted", pa.bool_()),
                pa.field("policy", pa.string()),
            ]
        )
    )


def test_a_table_without_rows_keeps_its_columns(tmp_path: Path) -> None:
    write(tmp_path / "t.parquet", [], SCHEMA)
    assert pq.read_schema(tmp_path / "t.parquet").names == ["turn", "name", "share", "accepted", "policy"]
    assert read(tmp_path / "t.parquet") == []


def test_rows_are_sorted_by_the_key_and_nulls_stay_null(tmp_path: Path) -> None:
    rows = [row(name="b"), row(turn=10, share=None, accepted=None, policy=None), row(turn=9)]
    write(tmp_path / "t.parquet", rows, SCHEMA)
    assert read(tmp_path / "t.parquet") == [rows[2], rows[1], rows[0]]


@given(st.permutations([row(name=name, turn=turn) for name in "abc" for turn in range(4)]))
def test_the_order_of_the_rows_does_not_change_the_bytes(rows: list[dict[str, object]]) -> None:
    ordered = sorted(rows, key=lambda each: (each["name"], each["turn"]))
    assert encode("t.parquet", rows, SCHEMA) == encode("t.parquet", ordered, SCHEMA)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"turn": 1.0}, "row 0, column turn: expected integer, found 1.0; " + FLOATING),
        ({"turn": True}, "row 0, column turn: expected integer, found true"),
        ({"turn": None}, "row 0, column turn: expected integer, found null"),
        ({"turn": 2**63}, f"row 0, column turn: expected an integer of 64 bits, found {2**63}"),
        ({"name": 3}, "row 0, column name: expected string, found integer 3"),
        ({"share": 1}, "row 0, column share: expected number or null, found integer 1"),
        ({"share": math.nan}, "row 0, column share: expected a finite number, found NaN"),
        ({"share": -math.inf}, "row 0, column share: expected a finite number, found -infinity"),
        ({"accepted": 0}, "row 0, column accepted: expected boolean or null, found integer 0"),
        ({"policy": "none"}, 'row 0, column policy: expected "full" or "recent", found "none"'),
        ({"extra": 1}, "row 0, column extra: the row has a column extra, which its schema does not declare"),
    ],
)
def test_what_the_schema_does_not_hold_is_refused(changes: dict[str, object], message: str) -> None:
    assert refused(row(**changes)) == [f"t.parquet, {message}"]


def test_a_missing_column_is_refused() -> None:
    short = row()
    del short["share"]
    assert refused(row(turn=2), short) == [
        "t.parquet, row 1, column share: the row has no column share, which its schema requires"
    ]


def test_a_key_twice_is_refused() -> None:
    assert refused(row(), row(turn=2), row(share=None)) == [
        't.parquet, row 2, column name: the key name "a", turn 1 is already that of row 0'
    ]


def test_every_fault_is_listed() -> None:
    assert len(refused(row(turn="1"), row(share="x", accepted="no"))) == 3


def test_of_many_alike_faults_twenty_are_listed_and_all_are_counted() -> None:
    rows = [row(turn=turn, accepted=1) for turn in range(30)]
    found = refused(*rows, row(turn=30, share="x"))
    assert len(found) == 22
    assert found[19:] == [
        "t.parquet, row 19, column accepted: expected boolean or null, found integer 1",
        "t.parquet, column accepted: 30 of these faults in all; the first 20 are listed",
        't.parquet, row 30, column share: expected number or null, found "x"',
    ]
    twice = refused(*[row()] * 30)
    assert twice[-1] == "t.parquet, column name: 29 of these faults in all; the first 20 are listed"


def test_rows_of_a_text_are_told_by_their_lines() -> None:
    with pytest.raises(Invalid) as caught:
        encode("t.csv", [row(), row()], SCHEMA, lines=[2, 5])
    assert [str(fault) for fault in caught.value.faults] == [
        't.csv, line 5, column name: the key name "a", turn 1 is already that of line 2'
    ]


def test_without_a_key_rows_keep_their_order(tmp_path: Path) -> None:
    schema = {"properties": SCHEMA["properties"]}
    write(tmp_path / "t.parquet", [row(turn=2), row(turn=1), row(turn=2)], schema)
    assert [found["turn"] for found in read(tmp_path / "t.parquet")] == [2, 1, 2]


def test_an_enum_of_numbers_is_held_against_them_as_numbers(tmp_path: Path) -> None:
    schema = {"properties": {"share": {"enum": [Decimal("0.1"), 1, None]}}}
    write(tmp_path / "t.parquet", [{"share": 0.1}, {"share": 1.0}, {"share": None}], schema)
    assert [found["share"] for found in read(tmp_path / "t.parquet")] == [0.1, 1.0, None]


def test_two_runs_that_write_one_file_do_not_share_the_one_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside: list[Path] = []
    monkeypatch.setattr(Path, "replace", lambda self, _: beside.append(self))
    for process in (1, 2):
        monkeypatch.setattr("os.getpid", lambda process=process: process)
        replace(tmp_path / "t.parquet", b"")
    assert len(set(beside)) == 2


def test_a_file_that_cannot_be_written_is_told_by_its_own_name(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "t.parquet"
    with pytest.raises(FileNotFoundError) as error:
        replace(path, b"")
    assert error.value.filename == str(path)


def test_a_refused_table_leaves_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    write(path, [row()], SCHEMA)
    before = path.read_bytes()
    with pytest.raises(Invalid):
        write(path, [row(turn=1.5)], SCHEMA)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("column", "place", "found"),
    [
        ({"type": ["integer", "string"]}, "/properties/a/type", "integer and string"),
        ({"type": "array"}, "/properties/a/type", "array"),
        ({"type": "null"}, "/properties/a/type", "null"),
        ({"enum": [1, "a"]}, "/properties/a/enum", "integer and string"),
        ({"anyOf": [{"type": "integer"}]}, "/properties/a", "none"),
    ],
)
def test_a_column_without_one_type_is_a_fault_of_the_schema(
    column: Mapping[str, object], place: str, found: str
) -> None:
    with pytest.raises(Invalid) as caught:
        encode("t.parquet", [], {"properties": {"a": column}}, schema_file="schemas/t.json")
    [fault] = caught.value.faults
    assert (fault.file, fault.pointer, fault.found) == ("schemas/t.json", place, found)
    assert fault.expected == "integer, number, boolean or string, with or without null"


def test_a_key_that_may_be_null_is_a_fault_of_the_schema() -> None:
    schema = {"tieout": {"key": ["a"]}, "properties": {"a": {"type": ["integer", "null"]}}}
    with pytest.raises(Invalid) as caught:
        encode("t.parquet", [], schema, schema_file="schemas/t.json")
    assert str(caught.value) == (
        'schemas/t.json, /tieout/key/0: the column "a" may be null, and a key has no null'
    )
