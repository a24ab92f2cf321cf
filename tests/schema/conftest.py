"""What the tests of tables share: an engine whose answers are as plain as another process would send them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tieout.schema.query import ROW_NUMBER
from tieout.schema.table import TableReport, check_table

Query = Callable[[str], list[tuple[Any, ...]]]
Check = Callable[..., TableReport]


@pytest.fixture(scope="session")
def query() -> Iterator[Query]:
    connection = duckdb.connect()
    connection.execute("SET threads = 1")

    def run(sql: str) -> list[tuple[Any, ...]]:
        rows = connection.execute(sql).fetchall()
        assert all(cell is None or isinstance(cell, (bool, int, float, str)) for row in rows for cell in row)
        return rows

    yield run
    connection.close()


@pytest.fixture(scope="session")
def check(query: Query, tmp_path_factory: pytest.TempPathFactory) -> Check:
    """Write columns to a Parquet file and check it against the schemas of its columns, read from it and held alike."""
    folder = tmp_path_factory.mktemp("tables")

    def run(columns: Mapping[str, Any], properties: Mapping[str, Any], **more: Any) -> TableReport:
        path = folder / "t.parquet"
        pq.write_table(pa.table(dict(columns)), path)
        schema = {"type": "object", "properties": properties, **more}
        report = check_table(query, Path(path), schema, "t.parquet")
        if report.columns:  # else its names forbid to read it at all
            query(f"CREATE OR REPLACE TABLE held AS SELECT * FROM read_parquet('{path}')")
            held = f"(SELECT row_number() OVER () - 1 AS {ROW_NUMBER}, * FROM held)"
            assert check_table(query, Path(path), schema, "t.parquet", held) == report
        return report

    return run
