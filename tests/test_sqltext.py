"""SQL as text: what may run, what it reads, and filters that mean the same to SQL and to a person."""

from __future__ import annotations

import operator
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests import build
from tieout import metrics
from tieout.engines import Limits, Session
from tieout.engines.duckdb import DuckDBSession
from tieout.engines.sqlite import SQLiteSession
from tieout.exact import Rows
from tieout.importers import parquet
from tieout.sqltext import (
    CHECK_NODES,
    RESERVED,
    Query,
    RefusedSQL,
    bind,
    check,
    compose,
    condition,
    identifier,
    literal,
    selected,
)

TABLES = ("runs", "calls")
NULLABLE = {"name": False, "note": True, "tokens": False, "score": True, "done": False, "sure": True}
SCHEMA = build.schema(
    "runs",
    ["name"],
    {
        "name": build.TEXT,
        "note": {"type": ["string", "null"]},
        "tokens": build.COUNT,
        "score": {"type": ["integer", "null"]},
        "done": build.FLAG,
        "sure": {"type": ["boolean", "null"]},
    },
)
TEXTS = ("", "a", "b", "it's", "Ä", "%", "NULL")
COMPARE: Mapping[str, Callable[[int, int], bool]] = {
    "below": operator.lt,
    "above": operator.gt,
    "at_least": operator.ge,
    "at_most": operator.le,
}
# Every text with every number and flag that a filter may tell apart.
ROWS: Sequence[Mapping[str, Any]] = [
    {
        "name": f"{index:03}",
        "note": (*TEXTS, None)[index % 8],
        "tokens": index % 5 - 1,
        "score": (None, -(2**40), 0, 3)[index % 4],
        "done": index % 3 == 0,
        "sure": (True, False, None)[index % 7 % 3],
    }
    for index in range(120)
]


@pytest.fixture(scope="module")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> list[Session]:
    path = tmp_path_factory.mktemp("runs") / "runs.parquet"
    parquet.write(path, ROWS, SCHEMA)
    files = {"runs": str(path)}
    return [DuckDBSession(files, Limits()), SQLiteSession(files, Limits())]


def values(column: str) -> st.SearchStrategy[Any]:
    if column in {"name", "note"}:
        return st.sampled_from([*TEXTS, "000", "017"])
    if column in {"tokens", "score"}:
        return st.sampled_from([-1, 0, 1, 3, -(2**40)])
    return st.booleans()


@st.composite
def terms(draw: st.DrawFn) -> dict[str, Any]:
    drawn: dict[str, Any] = {}
    for column in draw(st.lists(st.sampled_from(sorted(NULLABLE)), min_size=1, max_size=3, unique=True)):
        listed = st.lists(values(column) | st.none(), min_size=1, max_size=3)
        choices = [
            values(column),
            listed,
            st.fixed_dictionaries({"not": values(column) | listed | st.none()}),
        ]
        if NULLABLE[column]:
            choices.append(st.none())
        if column in {"tokens", "score"}:
            ranges = st.dictionaries(st.sampled_from(sorted(COMPARE)), st.integers(-3, 3), min_size=1)
            choices.append(ranges)
        drawn[column] = draw(st.one_of(choices))
    return drawn


def keeps(row: Mapping[str, Any], where: Mapping[str, Any]) -> bool:
    """Whether a filter keeps a row, as DESIGN says it in words."""
    return all(_holds(row[column], term) for column, term in where.items())


def _holds(cell: Any, term: Any) -> bool:
    if isinstance(term, dict):
        return all(_operator(cell, name, value) for name, value in term.items())
    if isinstance(term, list):
        return any(_holds(cell, one) for one in term)
    return cell is None if term is None else cell is not None and cell == term


def _operator(cell: Any, name: str, value: Any) -> bool:
    if name == "not":
        return not _holds(cell, value)
    return cell is not None and COMPARE[name](cell, value)


@given(st.one_of(terms(), st.lists(terms(), min_size=1, max_size=3)))
def test_a_filter_keeps_the_rows_that_its_words_keep_on_both_engines(
    sessions: list[Session], where: Any
) -> None:
    alternatives = where if isinstance(where, list) else [where]
    wanted = {row["name"] for row in ROWS if any(keeps(row, one) for one in alternatives)}
    sql = compose("SELECT name FROM runs", {"runs": selected("runs", condition(where, NULLABLE))})
    for session in sessions:
        answer = session.query(sql, Limits())
        assert isinstance(answer, Rows), answer
        assert {row[0] for row in answer.rows} == wanted


@given(st.text().filter(lambda text: "\x00" not in text and text.isprintable()))
def test_a_text_is_one_literal_whatever_it_holds(sessions: list[Session], text: str) -> None:
    for session in sessions:
        answer = session.query(f"SELECT {literal(text)} AS it", Limits())
        assert answer == Rows(columns=("it",), rows=((text,),))


@pytest.mark.parametrize(
    ("where", "code", "message"),
    [
        ({"tokns": 1}, "where-unknown-column", "no column `tokns`; the table has " + ", ".join(NULLABLE)),
        ({"tokens": 1.5}, "where-term", "`tokens: 1.5` is no term: "),
        ({"tokens": []}, "where-term", "`tokens: []` is no term: "),
        ({"note": ["a", 1.5]}, "sql-literal", "1.5 cannot be a value of a filter or a parameter; "),
        ({"tokens": {}}, "where-term", "`tokens: {}` is no term: "),
        ({"tokens": {"below": "3"}}, "where-term", "`tokens: {below: '3'}` is no term; "),
        ({"tokens": {"below": True}}, "where-term", "`tokens: {below: True}` is no term; "),
        ({"tokens": {"like": 3}}, "where-term", "`tokens: {like: 3}` is no term; "),
        ({"note": {"not": 1.5}}, "sql-literal", "1.5 cannot be a value of a filter or a parameter; "),
        ({"note": {"not": []}}, "where-term", "`note: {not: []}` is no term; "),
        ([], "where-empty", "a filter's list of alternatives is empty"),
    ],
)
def test_a_malformed_filter_is_refused(where: Any, code: str, message: str) -> None:
    with pytest.raises(RefusedSQL) as caught:
        condition(where, NULLABLE)
    assert caught.value.code == code
    endings = (
        "",
        "a value, a list of values, or not, below, above, at_least, at_most",
        "below, above, at_least, at_most take an integer, not takes values",
        "text, integers and flags can",
    )
    assert str(caught.value) in {message + ending for ending in endings}


def test_the_query_that_runs_shows_its_filters() -> None:
    filtered = condition({"name": "a", "tokens": [1, 2]}, NULLABLE)
    sql = compose("SELECT count(*) AS count FROM runs", {"runs": selected("runs", filtered)})
    assert sql == (
        "WITH runs AS (SELECT * FROM receipts.runs WHERE name = 'a' AND tokens IN (1, 2))\n"
        "SELECT * FROM (\nSELECT count(*) AS count FROM runs\n)"
    )


def test_an_unfiltered_table_is_read_whole() -> None:
    assert selected("runs") == "SELECT * FROM receipts.runs"


def test_every_word_that_an_engine_keeps_for_itself_can_name_a_column() -> None:
    engines = (duckdb.connect(), sqlite3.connect(":memory:"))
    keywords = engines[0].execute("SELECT DISTINCT keyword_name FROM duckdb_keywords()").fetchall()
    # SQLite takes a column "true" for a text, even in quotes.
    words = ({word for (word,) in keywords} | RESERVED | {"rowid", "my column", 'a"b'}) - {"true", "false"}
    for engine in engines:
        for word in words:
            name = identifier(word)
            sql = f"SELECT {name} FROM (SELECT 1 AS {name}) WHERE {name} = 1 AND {name} IN (1)"
            assert engine.execute(sql).fetchall() == [(1,)], word


def test_parameters_become_literals_and_text_in_quotes_is_left_alone() -> None:
    bound = bind("SELECT :k AS n, ':k' AS t, :name AS u", {"k": 3, "name": "it's"})
    assert bound == "SELECT 3 AS n, ':k' AS t, 'it''s' AS u"


@pytest.mark.parametrize(
    ("params", "message"),
    [({}, "parameter `k` has no value"), ({"k": 1, "j": 2}, "no parameter `j` in the query")],
)
def test_parameters_and_values_must_match(params: dict[str, Any], message: str) -> None:
    with pytest.raises(RefusedSQL, match="^" + message + "$"):
        bind("SELECT :k AS n", params)


def test_a_query_says_which_tables_and_columns_it_reads() -> None:
    found = check(
        "SELECT r.policy, count(*) FROM runs r JOIN calls c USING (case_id) GROUP BY r.policy", TABLES
    )
    assert found == Query(tables=frozenset(TABLES), columns=frozenset({"policy", "case_id"}), star=False)
    assert check("SELECT * FROM runs", TABLES).star
    assert not check("SELECT count(*) FROM runs", TABLES).star


@pytest.mark.parametrize(
    ("sql", "code"),
    [
        ("SELECT 1; DROP TABLE runs", "sql-character"),
        ("SELECT 1 -- really", "sql-character"),
        ("SELECT /* x */ 1", "sql-character"),
        ("SELECT 'b\x00'", "sql-character"),
        ("SELECT $$a$$", "sql-character"),
        ("SELECT (((", "sql-syntax"),
        ("", "sql-not-select"),
        ("DROP TABLE runs", "sql-not-select"),
        ("INSERT INTO runs VALUES (1)", "sql-not-select"),
        ("ATTACH 'x.db'", "sql-not-select"),
        ("COPY runs TO 'x'", "sql-not-select"),
        ("PRAGMA table_info('runs')", "sql-not-select"),
        ("SET threads = 2", "sql-not-select"),
        ("SELECT * FROM secrets", "sql-unknown-table"),
        ("SELECT * FROM 'x.parquet'", "sql-unknown-table"),
        ("SELECT * FROM receipts.runs", "sql-table"),
        ("SELECT * FROM information_schema.tables", "sql-table"),
        ("SELECT * FROM read_csv('/etc/passwd')", "sql-table"),
        ("SELECT * FROM range(10)", "sql-table"),
        ("SELECT random() FROM runs", "sql-outside-subset"),
        ("SELECT now()", "sql-outside-subset"),
        ("SELECT current_date", "sql-outside-subset"),
        ("SELECT a / b FROM runs", "sql-outside-subset"),
        ("SELECT a || b FROM runs", "sql-outside-subset"),
        ("SELECT repeat('a', 1000000000)", "sql-outside-subset"),
        ("SELECT avg(a) FROM runs", "sql-outside-subset"),
        ("SELECT getenv('HOME')", "sql-outside-subset"),
        ("SELECT 0.5", "sql-literal"),
        ("SELECT 9223372036854775808", "sql-literal"),
        ("SELECT CAST(a AS DOUBLE) FROM runs", "sql-cast"),
        ("SELECT CAST(a AS VARCHAR) FROM runs", "sql-cast"),
        ("WITH runs AS (SELECT 1 AS a) SELECT a FROM runs", "sql-cte-hides-table"),
        ("WITH RUNS AS (SELECT 1 AS a) SELECT a FROM RUNS", "sql-cte-hides-table"),
        ("SELECT 1 WHERE EXISTS (WITH calls AS (SELECT 1 AS a) SELECT a FROM calls)", "sql-cte-hides-table"),
        ("SELECT * FROM runs NATURAL JOIN calls", "sql-join"),
        ("SELECT * FROM runs ASOF JOIN calls ON runs.a >= calls.a", "sql-join"),
        ("SELECT a FROM runs UNION ALL BY NAME SELECT a FROM calls", "sql-union"),
        ("SELECT * EXCLUDE (a) FROM runs", "sql-star"),
        ("SELECT * REPLACE (1 AS a) FROM runs", "sql-star"),
        ("SELECT " + "1 + " * 6000 + "1", "sql-too-long"),
        ("SELECT " + "(" * 5000 + "1" + ")" * 5000, "sql-syntax"),
    ],
)
def test_what_is_outside_the_subset_is_refused(sql: str, code: str) -> None:
    with pytest.raises(RefusedSQL) as caught:
        check(sql, TABLES)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("SELECT a / b FROM runs", "`a / b` (Div) is outside the subset of SQL that may run here"),
        ("SELECT * FROM nothing", "no table `nothing`; the package has calls, runs"),
        ("SELECT 1; SELECT 2", "`;` may not stand in a query (one statement, no comments)"),
        ("DROP TABLE runs", "one SELECT is needed, this is 1 statement(s), DROP first"),
        ("SELECT 1.5", "`1.5` is no integer of 64 bits; metrics count in integers"),
    ],
)
def test_a_refusal_says_what_it_refuses(sql: str, message: str) -> None:
    with pytest.raises(RefusedSQL) as caught:
        check(sql, TABLES)
    assert str(caught.value) == message


def test_a_check_may_compare_nulls_and_a_metric_may_not() -> None:
    sql = "SELECT a FROM runs WHERE a IS DISTINCT FROM 1"
    assert check(sql, TABLES, CHECK_NODES).tables == {"runs"}
    with pytest.raises(RefusedSQL, match="is outside the subset"):
        check(sql, TABLES)


def test_a_semicolon_inside_a_text_is_text() -> None:
    assert check("SELECT count(*) FROM runs WHERE a = 'x; -- y'", TABLES).tables == {"runs"}


def test_every_metric_of_the_catalogue_is_of_the_subset(root: Path) -> None:
    given = [
        yaml.safe_load(path.read_text("utf-8")) for path in root.glob("artifacts/packages/*/package.yaml")
    ]
    packages = [{*package["tables"], "prices"} for package in given]

    def read(sql: str, tables: set[str]) -> bool:
        try:
            return bool(check(sql, tables).tables)
        except RefusedSQL as refused:
            if refused.code in {"sql-unknown-table", "sql-cte-hides-table"}:
                return False  # it is about another package's tables
            raise

    catalogue = [
        metric for name in metrics.names() if isinstance(metric := metrics.load(name), metrics.SQLMetric)
    ]
    assert [
        metric.name for metric in catalogue if not any(read(metric.sql, tables) for tables in packages)
    ] == []
