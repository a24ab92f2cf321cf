"""SQLite over rows that pyarrow read: another database, another Parquet reader, so that no one bug decides alone."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

from tieout.engines import Answer, Failure, Limits, Opened
from tieout.exact import Rows

BATCH = 50_000  # rows inserted at a time
SCANNED = 10_000  # rows; claims filter by the columns of the key, and a larger table is slow to scan for each
MISSING = re.compile(r"no such table: receipts\.(.+)")
STEPS = 10_000  # virtual-machine steps between two looks at the clock
_ALLOWED = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}


class SQLiteSession:
    """One package in one SQLite database in memory, attached as `receipts`."""

    def __init__(
        self, files: Mapping[str, str], limits: Limits, keys: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        self._connection = sqlite3.connect(":memory:", isolation_level=None)
        self._connection.execute("ATTACH ':memory:' AS receipts")
        self._connection.execute(f"PRAGMA hard_heap_limit = {limits.memory // 2}")
        self._connection.execute(
            "PRAGMA temp_store = MEMORY"
        )  # a query that sorts much must not fill the disk
        self._connection.execute("PRAGMA case_sensitive_like = ON")  # as DuckDB has it
        self._keys = keys or {}
        self._failed: dict[str, str] = {}
        rows, failed = _count(files)
        skipped = limits.loaded_rows is not None and sum(rows.values()) > limits.loaded_rows
        self._files = {} if skipped else dict(files)
        self._connection.set_authorizer(_authorize)
        self.opened = Opened(rows=rows, failed=failed, skipped=skipped)
        self.alone = False

    def _load(self, table: str, file: str) -> None:
        """Loads a table when a query first reads it: most tables of a package are read by none.

        A table that cannot be loaded whole is not there at all, and later queries are told why.
        """
        self._connection.set_authorizer(None)
        self._connection.set_progress_handler(None, 0)  # the query's time is no measure for a table's
        self._connection.execute("BEGIN")
        try:
            self._insert(table, file)
            self._connection.execute("COMMIT")
            self._index(table)
        except (OSError, ValueError, ArithmeticError, sqlite3.Error, MemoryError) as error:
            if self._connection.in_transaction:  # out of memory, SQLite has ended it itself
                self._connection.execute("ROLLBACK")
            self._failed[table] = " ".join(str(error).split()) or type(error).__name__
        finally:
            self._connection.set_authorizer(_authorize)

    def _insert(self, table: str, file: str) -> None:
        from pyarrow import ExtensionArray
        from pyarrow.parquet import ParquetFile

        with ParquetFile(file) as parquet:
            columns = parquet.schema_arrow.names
            listed = ", ".join(map(_name, columns))
            self._connection.execute(f"CREATE TABLE receipts.{_name(table)} ({listed})")
            insert = f"INSERT INTO receipts.{_name(table)} VALUES ({', '.join('?' * len(columns))})"
            loaded, claimed = 0, parquet.metadata.num_rows
            for batch in parquet.iter_batches(batch_size=BATCH):
                loaded += batch.num_rows
                if loaded > claimed:  # whether a package is loaded at all was decided by what its files claim
                    raise ValueError(f"the file has more rows than the {claimed:,} that it claims")
                # What a file's author calls a column in Arrow alone is no other engine's business: its cells are.
                stored = [
                    column.storage if isinstance(column, ExtensionArray) else column
                    for column in batch.columns
                ]
                cells = [column.to_pylist() for column in stored]
                self._connection.executemany(insert, zip(*cells, strict=True))

    def _index(self, table: str) -> None:
        key = ", ".join(_name(column) for column in self._keys.get(table, ()))
        [[rows]] = self._connection.execute(f"SELECT count(*) FROM receipts.{_name(table)}")
        if key and rows > SCANNED:
            # It is for speed alone: a key that the table lacks, or memory that does not suffice, leaves it out.
            with suppress(sqlite3.Error):
                self._connection.execute(
                    f"CREATE INDEX receipts.{_name(f'key of {table}')} ON {_name(table)} ({key})"
                )

    def query(self, sql: str, limits: Limits) -> Answer:
        """Up to `limits.rows` rows, or why there are none."""
        while True:
            try:
                return self._answer(sql, limits)
            except sqlite3.OperationalError as error:
                missing = MISSING.fullmatch(str(error))
                if missing and missing[1] in self._failed:
                    return Failure(code="engine", message=self._failed[missing[1]])
                if missing is None or missing[1] not in self._files:
                    interrupted = str(error) == "interrupted"
                    code, message = (
                        ("timeout", f"stopped after {limits.seconds:g} s")
                        if interrupted
                        else ("engine", str(error))
                    )
                    return Failure(code=code, message=message)
            except (sqlite3.Error, MemoryError) as error:
                return Failure(code="engine", message=str(error) or type(error).__name__)
            self._load(missing[1], self._files.pop(missing[1]))

    def _answer(self, sql: str, limits: Limits) -> Answer:
        deadline = time.monotonic() + limits.seconds
        self._connection.set_progress_handler(lambda: time.monotonic() > deadline, STEPS)
        cursor = self._connection.execute(sql)
        columns = tuple(column[0] for column in cursor.description or ())
        rows = cursor.fetchmany(limits.rows + 1)
        if len(rows) > limits.rows:
            return Failure(code="too-many-rows", message=f"more than {limits.rows:,} rows")
        return Rows(columns=columns, rows=tuple(rows))


def _name(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _count(files: Mapping[str, str]) -> tuple[dict[str, int], dict[str, str]]:
    """The rows of each table, and a message for each whose file cannot be read."""
    from pyarrow.parquet import read_metadata

    rows: dict[str, int] = {}
    failed: dict[str, str] = {}
    for table, file in files.items():
        try:
            rows[table] = read_metadata(file).num_rows
        except (OSError, ValueError) as error:
            failed[table] = " ".join(str(error).split())
    return rows, failed


def _authorize(action: int, *_: object) -> int:
    return sqlite3.SQLITE_OK if action in _ALLOWED else sqlite3.SQLITE_DENY
