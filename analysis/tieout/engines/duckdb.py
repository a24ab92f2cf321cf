"""DuckDB over a package's Parquet files: read-only, no other file, no network, its configuration locked."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tieout.engines import Answer, Failure, Limits, Opened
from tieout.exact import Rows
from tieout.safetext import visible
from tieout.schema.query import ROW_NUMBER, escaped, source

IN_MEMORY = (
    200_000  # rows; smaller tables are held, since reading Parquet again for each query is three times slower
)

# Optimizers that believe a file's own minima and maxima, its author's word: they skip rows by them, and decide terms.
BELIEVING = {"filter_pushdown", "join_filter_pushdown", "statistics_propagation", "top_n"}
# Those that keep a query over tables that are held from being hopeless. To rewrite it in forty more ways takes longer
# than to run it.
WORTHWHILE = {
    "cte_inlining",
    "deliminator",
    "filter_pushdown",
    "join_order",
    "unnest_rewriter",
    "unused_columns",
}

LONGEST_MESSAGE = 300  # characters; DuckDB lists every function that a wrong call might have meant


def held(rows: int) -> bool:
    """Whether a table of so many rows is held in memory; a larger one is read from its file for each query."""
    return rows <= IN_MEMORY


def numbered(table: str, path: Path, rows: int) -> str:
    """A package's table of so many rows in SQL, with the number of each row in its file as `ROW_NUMBER`."""
    if held(rows):
        # Not DuckDB's own `rowid`: a column of the table may be called so.
        return f"(SELECT row_number() OVER () - 1 AS {ROW_NUMBER}, * FROM receipts.{_name(table)})"
    return source(escaped(str(path)))


class DuckDBSession:
    """One package in one DuckDB database of its own: its tables as `receipts.NAME`, and its files by their paths."""

    def __init__(self, files: Mapping[str, str], limits: Limits) -> None:
        import duckdb

        self._error = duckdb.Error
        self._interrupted = duckdb.InterruptException
        self._select = duckdb.StatementType.SELECT
        # A package of small tables needs no threads beside this one, and a child may hold many packages.
        self._connection: Any = duckdb.connect(":memory:", config={"threads": 1, "async_threads": 0})
        self._idle: queue.SimpleQueue[_Lane] = queue.SimpleQueue()
        run = self._connection.execute
        run("SET enable_progress_bar = false")
        run("SET temp_directory = ''")
        run(f"SET memory_limit = '{limits.memory // 2} B'")
        run("SET preserve_insertion_order = true")
        rows, failed = self._counts(files)
        large = not all(map(held, rows.values()))
        optimizers = {name for (name,) in run("SELECT name FROM duckdb_optimizers()").fetchall()}
        disabled = BELIEVING if large else optimizers - WORTHWHILE
        run(f"SET disabled_optimizers = '{','.join(sorted(disabled))}'")
        run("CREATE SCHEMA receipts")
        for table in list(rows):
            try:
                self._create(table, files[table], rows[table])
            except self._error as error:
                del rows[table]
                failed[table] = _line(error)
        if large:
            run("RESET threads")
            run("RESET async_threads")
        if files:
            # The engine compares a path as it is written in the query, so both spellings of it are allowed.
            spelled = dict.fromkeys(path for file in files.values() for path in (file, escaped(file)))
            run(f"SET allowed_paths = [{', '.join(map(_quoted, spelled))}]")
        run("SET enable_external_access = false")
        run("SET lock_configuration = true")
        self.opened = Opened(rows=rows, failed=failed)
        self.alone = large  # its queries take every processor, and much memory

    def _counts(self, files: Mapping[str, str]) -> tuple[dict[str, int], dict[str, str]]:
        """The rows of each table, and a message for each whose file cannot be read."""
        listed = ", ".join(_quoted(escaped(file)) for file in files.values())
        sql = f"SELECT file_name, num_rows FROM parquet_file_metadata([{listed}])"
        try:
            counted = dict(self._connection.execute(sql).fetchall()) if files else {}
        except self._error as error:
            if len(files) == 1:
                return {}, dict.fromkeys(files, _line(error))
            rows: dict[str, int] = {}
            failed: dict[str, str] = {}
            for table, file in files.items():  # one by one, to tell which of them it is
                counts, unreadable = self._counts({table: file})
                rows |= counts
                failed |= unreadable
            return rows, failed
        return {table: int(counted[file]) for table, file in files.items()}, {}

    def _create(self, table: str, file: str, rows: int) -> None:
        kind = "TABLE" if held(rows) else "VIEW"
        read = f"SELECT * FROM read_parquet({_quoted(escaped(file))}, hive_partitioning = false)"
        self._connection.execute(f"CREATE {kind} receipts.{_name(table)} AS {read}")

    def query(self, sql: str, limits: Limits) -> Answer:
        """Up to `limits.rows` rows, or why there are none; several threads may ask."""
        try:
            lane = self._idle.get_nowait()
        except queue.Empty:
            lane = _Lane(self._connection.cursor())
        try:
            return self._answer(lane, sql, limits)
        finally:
            self._idle.put(lane)

    def _answer(self, lane: _Lane, sql: str, limits: Limits) -> Answer:
        try:
            lane.watchdog.watch(limits.seconds)
            statements = lane.connection.extract_statements(sql)
            if [statement.type for statement in statements] != [self._select]:
                return Failure(code="engine", message="one SELECT is answered, and nothing else")
            cursor = lane.connection.execute(statements[0])
            columns = tuple(column[0] for column in cursor.description or ())
            rows = cursor.fetchmany(limits.rows + 1)
        except self._interrupted:
            return Failure(code="timeout", message=f"stopped after {limits.seconds:g} s")
        except (self._error, MemoryError) as error:
            return Failure(code="engine", message=_line(error))
        finally:
            lane.watchdog.rest()
        if len(rows) > limits.rows:
            return Failure(code="too-many-rows", message=f"more than {limits.rows:,} rows")
        return Rows(columns=columns, rows=tuple(rows))


class _Lane:
    """A connection of its own to a package's database, and what interrupts its queries."""

    def __init__(self, connection: Any) -> None:
        self.connection = connection
        self.watchdog = _Watchdog(connection.interrupt)


class _Watchdog:
    """Interrupts a query that is late: one thread for all queries, since starting one each costs as much as a query."""

    def __init__(self, interrupt: Callable[[], None]) -> None:
        self._interrupt = interrupt
        self._changed = threading.Condition()
        self._deadline: float | None = None
        threading.Thread(target=self._run, daemon=True).start()

    def watch(self, seconds: float) -> None:
        with self._changed:
            # The thread wakes by itself when its earlier deadline passes; only a nearer one has to wake it.
            sleeping_past = self._sleeps_until is None or self._sleeps_until > time.monotonic() + seconds
            self._deadline = time.monotonic() + seconds
            if sleeping_past:
                self._changed.notify()

    def rest(self) -> None:
        with self._changed:
            self._deadline = None

    _sleeps_until: float | None = None

    def _run(self) -> None:
        with self._changed:
            while True:
                if self._deadline is None:
                    self._sleeps_until = None
                    self._changed.wait()
                    continue
                left = self._deadline - time.monotonic()
                if left <= 0:
                    self._interrupt()
                    self._deadline = None
                    continue
                self._sleeps_until = self._deadline
                self._changed.wait(left)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _name(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _line(error: BaseException) -> str:
    line = visible(" ".join(str(error).split("\n\n", 1)[0].split())) or type(error).__name__
    return line if len(line) <= LONGEST_MESSAGE else f"{line[:LONGEST_MESSAGE]}…"
