"""SQLite over rows that pyarrow read: another database, another Parquet reader, so that no one bug decides alone."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Mapping

from tieout.engines import Answer, Failure, Limits, Opened
from tieout.exact import Rows

BATCH = 50_000  # rows inserted at a time
STEPS = 10_000  # virtual-machine steps between two looks at the clock
_ALLOWED = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}


class SQLiteSession:
    """One package in one SQLite database in memory, attached as `receipts`."""

    def __init__(self, files: Mapping[str, str], limits: Limits) -> None:
        self._connection = sqlite3.connect(":memory:", isolation_level=None)
        self._connection.execute("ATTACH ':memory:' AS receipts")
        self._connection.execute(f"PRAGMA hard_heap_limit = {limits.memory // 2}")
        self._connection.execute("PRAGMA temp_store = MEMORY")  # a query that sorts much must not fill the disk
        self._connection.execute("PRAGMA case_sensitive_like = ON")  # as DuckDB has it
        rows: dict[str, int] = {}
        failed: dict[str, str] = {}
        skipped = limits.loaded_rows is not None and _count(files) > limits.loaded_rows
        for table, file in files.items() if not skipped else ():
            try:
                rows[table] = self._load(table, file)
            except (OSError, ValueError, sqlite3.Error, MemoryError) as error:
                failed[table] = " ".join(str(error).split())
        self._connection.set_authorizer(_authorize)
        self.opened = Opened(rows=rows, failed=failed, skipped=skipped)

    def _load(self, table: str, file: str) -> int:
        from pyarrow.parquet import ParquetFile

        name = table.replace('"', '""')
        with ParquetFile(file) as parquet:
            columns = [column.replace('"', '""') for column in parquet.schema_arrow.names]
            listed = ", ".join(f'"{column}"' for column in columns)
            self._connection.execute(f'CREATE TABLE receipts."{name}" ({listed})')
            insert = f'INSERT INTO receipts."{name}" VALUES ({", ".join("?" * len(columns))})'
            self._connection.execute("BEGIN")
            for batch in parquet.iter_batches(batch_size=BATCH):
                cells = [column.to_pylist() for column in batch.columns]
                self._connection.executemany(insert, zip(*cells, strict=True))
            self._connection.execute("COMMIT")
            return int(parquet.metadata.num_rows)

    def query(self, sql: str, limits: Limits) -> Answer:
        """Up to `limits.rows` rows, or why there are none."""
        deadline = time.monotonic() + limits.seconds
        self._connection.set_progress_handler(lambda: time.monotonic() > deadline, STEPS)
        try:
            cursor = self._connection.execute(sql)
            columns = tuple(column[0] for column in cursor.description or ())
            rows = cursor.fetchmany(limits.rows + 1)
        except sqlite3.OperationalError as error:
            if str(error) == "interrupted":
                return Failure(code="timeout", message=f"stopped after {limits.seconds:g} s")
            return Failure(code="engine", message=str(error))
        except (sqlite3.Error, MemoryError) as error:
            return Failure(code="engine", message=str(error) or type(error).__name__)
        if len(rows) > limits.rows:
            return Failure(code="too-many-rows", message=f"more than {limits.rows:,} rows")
        return Rows(columns=columns, rows=tuple(rows))


def _count(files: Mapping[str, str]) -> int:
    from pyarrow.parquet import read_metadata

    rows = 0
    for file in files.values():
        try:
            rows += read_metadata(file).num_rows
        except (OSError, ValueError):  # loading the table says what is wrong with its file
            continue
    return rows


def _authorize(action: int, *_: object) -> int:
    return sqlite3.SQLITE_OK if action in _ALLOWED else sqlite3.SQLITE_DENY
