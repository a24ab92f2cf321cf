"""Rows become Parquet by their schema alone: its types, its order, its key, and the same bytes each time."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tieout.errors import Invalid
from tieout.importers.parquet import encode, read, write

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
        ({"turn": 1.0}, "row 0, column turn: expected integer, found float 1.0"),
        ({"turn": True}, "row 0, column turn: expected integer, found bool True"),
        ({"turn": None}, "row 0, column turn: expected integer, found null"),
        ({"turn": 2**63}, f"row 0, column turn: expected an integer of 64 bits, found {2**63}"),
        ({"name": 3}, "row 0, column name: expected string, found int 3"),
        ({"share": 1}, "row 0, column share: expected number or null, found int 1"),
        ({"share": math.nan}, "row 0, column share: expected a finite number, found nan"),
        ({"share": -math.inf}, "row 0, column share: expected a finite number, found -inf"),
        ({"accepted": 0}, "row 0, column accepted: expected boolean or null, found int 0"),
        ({"policy": "none"}, "row 0, column policy: expected one of full, recent, found 'none'"),
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
        "t.parquet, row 2, column name: the key name 'a', turn 1 is already that of row 0"
    ]


def test_every_fault_is_listed() -> None:
    assert len(refused(row(turn="1"), row(share="x", accepted="no"))) == 3


def test_a_refused_table_leaves_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    write(path, [row()], SCHEMA)
    before = path.read_bytes()
    with pytest.raises(Invalid):
        write(path, [row(turn=1.5)], SCHEMA)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": {"type": "integer"}}},
        {"tieout": {"key": []}, "properties": {"a": {"type": "integer"}}},
        {"tieout": {"key": ["b"]}, "properties": {"a": {"type": "integer"}}},
        {"tieout": {"key": ["a"]}, "properties": {"a": {"type": ["integer", "null"]}}},
        {"tieout": {"key": ["a"]}, "properties": {"a": {"type": ["integer", "string"]}}},
        {"tieout": {"key": ["a"]}, "properties": {"a": {"type": "array"}}},
        {"tieout": {"key": ["a"]}, "properties": {"a": {}}},
    ],
)
def test_a_schema_that_fixes_no_types_or_no_key_is_a_mistake_of_ours(schema: Mapping[str, object]) -> None:
    with pytest.raises(ValueError, match=r"row schema"):
        encode("t.parquet", [], schema)
