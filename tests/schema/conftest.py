"""What the tests of tables share: an engine whose answers are as plain as another process would send them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

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
    """Write columns to a Parquet file and check it against the schemas of its columns."""
    folder = tmp_path_factory.mktemp("tables")

    def run(columns: Mapping[str, Any], properties: Mapping[str, Any], **more: Any) -> TableReport:
        path = folder / "t.parquet"
        pq.write_table(pa.table(dict(columns)), path)
        schema = {"type": "object", "properties": properties, **more}
        return check_table(query, Path(path), schema, "t.parquet")

    return run
