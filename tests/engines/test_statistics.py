"""A Parquet file's own statistics are its author's word, and decide nothing."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from tieout.engines import Limits
from tieout.engines.duckdb import IN_MEMORY, DuckDBSession, numbered
from tieout.exact import Rows
from tieout.schema.query import ROW_NUMBER


@pytest.mark.parametrize("rows", [101, IN_MEMORY + 1])
def test_a_files_own_maximum_decides_no_term_of_a_table_or_of_its_file(rows: int, tmp_path: Path) -> None:
    # DuckDB with its own defaults works out from the file's maximum that the term is false, and answers 0
    file = tmp_path / "odd.parquet"
    values = [float("nan")] + [float(number % 100) for number in range(rows - 1)]
    parquet.write_table(pa.table({"x": values}), file)
    session = DuckDBSession({"odd": str(file)}, Limits())
    for table in ("receipts.odd", numbered("odd", file, rows), f"read_parquet('{file}')"):
        if table.startswith("read_parquet") and rows <= IN_MEMORY:
            continue  # what is held is not read from its file again
        sql = f"SELECT sum(CASE WHEN x > 1000 THEN 1 ELSE 0 END) AS n, count(*) AS m FROM {table}"
        assert session.query(sql, Limits()) == Rows(columns=("n", "m"), rows=((1, rows),))
        filtered = f"SELECT count(*) AS n FROM {table} WHERE x > 1000"
        assert session.query(filtered, Limits()) == Rows(columns=("n",), rows=((1,),))


@pytest.mark.parametrize("others", [1, IN_MEMORY + 1])
@pytest.mark.parametrize("rows", [10, IN_MEMORY - 10, IN_MEMORY + 10])
def test_rows_are_numbered_as_they_stand_in_the_file(rows: int, others: int, tmp_path: Path) -> None:
    file, other = tmp_path / "t[1].parquet", tmp_path / "other.parquet"
    parquet.write_table(pa.table({"rowid": list(range(rows))}), file, row_group_size=50_000)
    parquet.write_table(pa.table({"x": [0] * others}), other)
    session = DuckDBSession({"t": str(file), "other": str(other)}, Limits())
    sql = (
        f"SELECT count(*) AS same, min({ROW_NUMBER}) AS least "
        f"FROM {numbered('t', file, rows)} WHERE rowid = {ROW_NUMBER}"
    )
    assert session.query(sql, Limits()) == Rows(columns=("same", "least"), rows=((rows, 0),))


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("SELECT count(*) AS n FROM receipts.odd JOIN receipts.wanted USING (x)", ((1,),)),
        ("SELECT id FROM receipts.odd ORDER BY x DESC LIMIT 1", ((0,),)),
    ],
)
def test_a_files_own_maximum_decides_no_join_and_no_first_row(
    sql: str, rows: tuple[tuple[int]], tmp_path: Path
) -> None:
    # the last group of rows holds a NaN, which its own maximum leaves out
    nan, count = float("nan"), IN_MEMORY + 50_000
    x = (
        [100.0 + number % 100 for number in range(IN_MEMORY)]
        + [number % 100 / 1 for number in range(49_999)]
        + [nan]
    )
    odd = {"id": list(reversed(range(count))), "x": x}
    parquet.write_table(pa.table(odd), tmp_path / "odd.parquet", row_group_size=50_000)
    parquet.write_table(pa.table({"x": [nan]}), tmp_path / "wanted.parquet")
    session = DuckDBSession({name: str(tmp_path / f"{name}.parquet") for name in ("odd", "wanted")}, Limits())
    answer = session.query(sql, Limits())
    assert isinstance(answer, Rows)
    assert answer.rows == rows


@pytest.mark.parametrize("rows", [1, IN_MEMORY + 1])
def test_the_name_of_a_folder_is_no_cell(rows: int, tmp_path: Path) -> None:
    (tmp_path / "ok=1").mkdir()
    file = tmp_path / "ok=1" / "t.parquet"
    parquet.write_table(pa.table({"ok": [99] * rows}), file)
    session = DuckDBSession({"t": str(file)}, Limits())
    for table in ("receipts.t", numbered("t", file, rows)):
        answer = session.query(f"SELECT min(ok) AS ok FROM {table}", Limits())
        assert answer == Rows(columns=("ok",), rows=((99,),))


@pytest.mark.parametrize("rows", [1_000, IN_MEMORY + 1_000])
def test_a_row_that_the_statistics_leave_out_is_counted(rows: int, tmp_path: Path) -> None:
    # pyarrow leaves NaN out of a column's maximum, and in DuckDB NaN is greater than every number
    values = [float("nan")] + [float(number % 100) for number in range(rows - 1)]
    file = tmp_path / "odd[1].parquet"
    parquet.write_table(pa.table({"x": values}), file)
    session = DuckDBSession({"odd": str(file)}, Limits())
    answer = session.query("SELECT count(*) FILTER (WHERE x > 1000) AS kept FROM receipts.odd", Limits())
    filtered = session.query(
        "SELECT count(*) AS kept FROM (SELECT * FROM receipts.odd WHERE x > 1000)", Limits()
    )
    assert isinstance(answer, Rows)
    assert isinstance(filtered, Rows)
    assert (answer.rows, filtered.rows) == (((1,),), ((1,),))
