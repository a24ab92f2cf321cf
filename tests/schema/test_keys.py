"""Keys are never null and never the same twice, and both are told with their rows."""

from __future__ import annotations

from tests.schema.conftest import Query
from tieout.schema.keys import key_faults
from tieout.schema.query import ROW_NUMBER


def lines(query: Query, rows: str, key: list[str], names: str = "a, b") -> list[str]:
    table = f"(VALUES {rows}) AS t({names})"
    [[count]] = query(f"SELECT count(*) FROM {table}")
    table = f"(SELECT row_number() OVER () - 1 AS {ROW_NUMBER}, * FROM {table})"
    return [f"{fault.code}: {fault}" for fault in key_faults(query, table, count, key, "t.parquet")]


def test_different_keys_are_no_fault(query: Query) -> None:
    assert lines(query, "(1, 'x'), (1, 'y'), (2, 'x')", ["a", "b"]) == []


def test_a_key_that_stands_twice_is_told_with_its_rows(query: Query) -> None:
    assert lines(query, "(1, 'x'), (2, 'y'), (1, 'x'), (1, 'z'), (1, 'x')", ["a", "b"]) == [
        'key-doubled: t.parquet, row 0: the key a 1, b "x" stands 3 times: rows 0, 2, 4'
    ]


def test_a_null_in_a_key_is_told_with_its_row(query: Query) -> None:
    assert lines(query, "(1, 'x'), (2, NULL), (3, 'x')", ["a", "b"]) == [
        "key-null: t.parquet, row 1: the key a, b holds a null"
    ]


def test_two_nulls_are_also_one_key_twice(query: Query) -> None:
    assert [line.partition(":")[0] for line in lines(query, "(NULL, 'x'), (NULL, 'y')", ["a"])] == [
        "key-null",
        "key-null",
        "key-doubled",
    ]


def test_all_are_counted_and_the_first_twenty_listed(query: Query) -> None:
    rows = ", ".join(f"({index // 2}, 'x')" for index in range(100))
    found = lines(query, rows, ["a"])
    assert len(found) == 21
    assert found[19] == "key-doubled: t.parquet, row 38: the key a 19 stands 2 times: rows 38, 39"
    assert found[20] == "key-doubled: t.parquet: 50 keys stand more than once; the first 20 are listed"


def test_many_rows_of_one_key_are_cut_short(query: Query) -> None:
    [line] = lines(query, ", ".join("(1, 'x')" for _ in range(30)), ["a"])
    assert line.endswith("17, 18, 19 and more")
    assert "stands 30 times" in line


def test_a_schema_without_a_key_is_a_fault(query: Query) -> None:
    assert lines(query, "(1, 'x')", []) == ["key-missing: t.parquet: the schema names no key"]


def test_a_column_of_any_name_can_be_a_key(query: Query) -> None:
    assert lines(query, "(1, 1), (1, 2)", ["_"], '"_", "row number"') == [
        "key-doubled: t.parquet, row 0: the key _ 1 stands 2 times: rows 0, 1"
    ]
