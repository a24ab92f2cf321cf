"""Both engines answer one query with the same rows, within limits, and reach nothing but the tables."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tieout.engines import Failure, Limits, Session
from tieout.engines.duckdb import DuckDBSession
from tieout.engines.sqlite import SQLiteSession
from tieout.exact import Rows
from tieout.recompute import agree

Opener = Callable[[dict[str, str], Limits], Session]
OPENERS: dict[str, Opener] = {"duckdb": DuckDBSession, "sqlite": SQLiteSession}
ENDLESS = "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
CROSS = "SELECT count(*) FROM " + ", ".join(f"receipts.trials AS t{index}" for index in range(12))


@pytest.fixture(params=OPENERS)
def opener(request: pytest.FixtureRequest) -> Opener:
    return OPENERS[request.param]


@pytest.fixture
def session(opener: Opener, files: dict[str, Path]) -> Session:
    return opener({name: str(path) for name, path in files.items()}, Limits())


def rows(session: Session, sql: str) -> tuple[tuple[object, ...], ...]:
    answer = session.query(sql, Limits())
    assert isinstance(answer, Rows), answer
    return answer.rows


def test_opening_counts_the_rows_of_each_table(session: Session) -> None:
    assert (session.opened.rows, session.opened.failed) == ({"limits": 1, "trials": 8}, {})


def test_an_answer_has_columns_and_rows(session: Session) -> None:
    sql = "SELECT task_id, count(*) AS n FROM receipts.trials WHERE success GROUP BY task_id ORDER BY task_id"
    assert session.query(sql, Limits()) == Rows(columns=("task_id", "n"), rows=(("a", 3), ("b", 4)))


def test_a_null_is_none_and_text_compares_by_case(session: Session) -> None:
    assert rows(session, "SELECT user_cost FROM receipts.trials WHERE user_cost IS NULL") == ((None,),)
    assert rows(session, "SELECT count(*) FROM receipts.trials WHERE task_id LIKE 'A'") == ((0,),)


@pytest.mark.parametrize("sql", [ENDLESS, CROSS], ids=["endless", "cross join"])
def test_a_query_that_takes_too_long_is_stopped_and_later_ones_are_answered(
    session: Session, sql: str
) -> None:
    answer = session.query(sql, Limits(seconds=0.2))
    assert answer == Failure(code="timeout", message="stopped after 0.2 s")
    assert rows(session, "SELECT count(*) FROM receipts.trials") == ((8,),)


def test_more_rows_than_the_limit_are_a_failure_and_not_a_cut_answer(session: Session) -> None:
    sql = "SELECT task_id FROM receipts.trials"
    assert session.query(sql, Limits(rows=7)) == Failure(code="too-many-rows", message="more than 7 rows")
    assert isinstance(session.query(sql, Limits(rows=8)), Rows)


@pytest.mark.parametrize("sql", ["SELECT nothing FROM receipts.trials", "SELECT", "SELECT * FROM other"])
def test_a_query_that_cannot_run_is_a_failure_of_one_line(session: Session, sql: str) -> None:
    answer = session.query(sql, Limits())
    assert isinstance(answer, Failure)
    assert answer.code == "engine"
    assert "\n" not in answer.message
    assert 0 < len(answer.message) <= 301


def test_a_sum_beyond_64_bits_is_exact_or_a_failure_and_never_wrong(session: Session) -> None:
    sql = "SELECT sum(x) AS count FROM (SELECT 9000000000000000000 AS x UNION ALL SELECT 9000000000000000000)"
    answer = session.query(sql, Limits())
    assert isinstance(answer, Failure) or answer.rows == ((18 * 10**18,),)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_csv('{secret}')",
        "SELECT * FROM read_text('{secret}')",
        "SELECT * FROM '{secret}'",
        "COPY (SELECT 1) TO '{written}'",
        "ATTACH '{written}' AS other",
        "INSTALL httpfs",
        "LOAD httpfs",
        "CREATE TABLE t AS SELECT 1",
        "DELETE FROM receipts.trials",
        "DROP TABLE receipts.trials",
        "SET enable_external_access = true",
        "SET memory_limit = '900GB'",
        "PRAGMA hard_heap_limit = 0",
        "SELECT load_extension('{secret}')",
        "SELECT writefile('{written}', 'x')",
        "VACUUM INTO '{written}'",
    ],
)
def test_nothing_but_the_tables_is_within_reach(session: Session, tmp_path: Path, sql: str) -> None:
    secret, written = tmp_path / "secret.csv", tmp_path / "written"
    secret.write_text("a,b\n1,2\n", encoding="utf-8")
    session.query(sql.format(secret=secret, written=written), Limits())
    assert not written.exists()
    assert rows(session, "SELECT count(*) FROM receipts.trials") == ((8,),)


@pytest.mark.parametrize("sql", ["SELECT * FROM read_csv('{secret}')", "SELECT * FROM '{secret}'"])
def test_a_file_beside_the_package_is_not_read(session: Session, tmp_path: Path, sql: str) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text("a,b\n1,2\n", encoding="utf-8")
    assert isinstance(session.query(sql.format(secret=secret), Limits()), Failure)


def test_a_table_that_cannot_be_read_leaves_the_others_open(
    opener: Opener, files: dict[str, Path], tmp_path: Path
) -> None:
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(files["trials"].read_bytes()[:-40] + b"PAR1")
    session = opener({"broken": str(broken), "limits": str(files["limits"])}, Limits())
    assert (session.opened.rows, set(session.opened.failed)) == ({"limits": 1}, {"broken"})
    assert rows(session, "SELECT most FROM receipts.limits") == ((30,),)


def test_sqlite_holds_no_more_rows_than_it_is_allowed(files: dict[str, Path]) -> None:
    given = {name: str(path) for name, path in files.items()}
    assert SQLiteSession(given, Limits(loaded_rows=8)).opened.skipped
    assert not SQLiteSession(given, Limits(loaded_rows=9)).opened.skipped


KEYED = [
    ("rows in any order, one twice, one without its key", ["a", "b"]),
    ("a key that the table lacks", ["a", "c"]),
    ("no key", []),
]


@pytest.mark.parametrize("key", [key for _, key in KEYED], ids=[says for says, _ in KEYED])
def test_a_key_changes_no_answer_of_sqlite(
    key: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tieout.engines.sqlite.SCANNED", 2)
    cells = {"a": ["y", "x", None, "x", "x"], "b": [2, 1, 3, 1, 2], "n": [1, 2, 3, 4, 5]}
    pq.write_table(pa.table(cells), tmp_path / "t.parquet")
    files = {"t": str(tmp_path / "t.parquet")}
    for sql in (
        "SELECT n FROM receipts.t WHERE a = 'x' AND b = 1",
        "SELECT n FROM receipts.t WHERE a IS NULL",
    ):
        plain = SQLiteSession(files, Limits()).query(sql, Limits())
        keyed = SQLiteSession(files, Limits(), {"t": key}).query(sql, Limits())
        assert isinstance(plain, Rows)
        assert isinstance(keyed, Rows)
        assert agree(plain, keyed)


def test_sqlite_finds_the_rows_of_a_larger_table_by_its_key(tmp_path: Path) -> None:
    pq.write_table(pa.table({"n": list(range(20_000))}), tmp_path / "t.parquet")
    session = SQLiteSession({"t": str(tmp_path / "t.parquet")}, Limits(), {"t": ["n"]})
    assert rows(session, "SELECT n FROM receipts.t WHERE n = 7") == ((7,),)
    [plan] = session._connection.execute("EXPLAIN QUERY PLAN SELECT n FROM receipts.t WHERE n = 7").fetchall()
    assert plan[-1] == "SEARCH receipts.t USING COVERING INDEX key of t (n=?)"


def test_truth_values_of_the_engines_agree_and_other_differences_do_not() -> None:
    one = Rows(columns=("a", "b"), rows=((True, 1), (None, 2)))
    assert agree(one, Rows(columns=("a", "b"), rows=((None, 2), (1, 1))))
    assert not agree(one, Rows(columns=("a", "b"), rows=((1, 1), (0, 2))))
    assert not agree(one, Rows(columns=("a", "b"), rows=((1, 1), (None, 2.0))))
    assert not agree(one, Rows(columns=("b", "a"), rows=((1, 1), (None, 2))))
    assert not agree(one, Rows(columns=("a", "b"), rows=((1, 1), (None, 2), (None, 2))))


def test_a_type_of_arrow_alone_changes_no_cell(tmp_path: Path) -> None:
    storage = pa.array([2, 3, 0], pa.int8())
    marked = pa.ExtensionArray.from_storage(pa.bool8(), storage)
    pq.write_table(pa.table({"loop": marked}), tmp_path / "t.parquet")
    files = {"t": str(tmp_path / "t.parquet")}
    for session in (DuckDBSession(files, Limits()), SQLiteSession(files, Limits())):
        answer = session.query("SELECT sum(loop) AS n FROM receipts.t", Limits())
        assert answer == Rows(columns=("n",), rows=((5,),))
