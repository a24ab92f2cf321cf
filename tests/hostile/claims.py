"""Claims that ask for what no claim may have, each a function named for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tests import build
from tests.hostile.build import ENDLESS

Claim = dict[str, Any]
LARGE = "SELECT 9007199254740993 AS count FROM limits"
PLAIN = {"trials": {"policy": "plain"}}


def _sql(sql: str, text: str = "1", **more: Any) -> Claim:
    where = more.pop("where", {"trials": "all"})
    return build.claim("x", text, sql=sql, combine="sum", unit="rows", where=where, **more)


# -- SQL that is more than one SELECT over the package's tables


def two_statements() -> Claim:
    return _sql("SELECT count(*) AS count FROM trials; SELECT 1")


def comment() -> Claim:
    return _sql("SELECT count(*) AS count FROM trials -- and more")


def delete_in_a_cte() -> Claim:
    return _sql("WITH d AS (DELETE FROM trials RETURNING *) SELECT count(*) AS count FROM d")


def insert() -> Claim:
    return _sql("INSERT INTO trials SELECT * FROM trials")


def drop() -> Claim:
    return _sql("DROP TABLE trials")


def create() -> Claim:
    return _sql("CREATE TABLE mine AS SELECT 1 AS count")


def copy_out() -> Claim:
    return _sql("COPY trials TO 'stolen.csv'")


def copy_out_without_a_temporary_file() -> Claim:
    return _sql("COPY trials TO 'stolen.csv' (FORMAT csv, USE_TMP_FILE false)")


def copy_in() -> Claim:
    return _sql("COPY trials FROM '/etc/passwd'")


def attach() -> Claim:
    return _sql("ATTACH 'stolen.db' AS stolen")


def install() -> Claim:
    return _sql("INSTALL httpfs")


def load() -> Claim:
    return _sql("LOAD '/usr/lib/evil.duckdb_extension'")


def pragma() -> Claim:
    return _sql("PRAGMA database_list")


def set_option() -> Claim:
    return _sql("SET enable_external_access = true")


def export_database() -> Claim:
    return _sql("EXPORT DATABASE 'stolen'")


def call() -> Claim:
    return _sql("CALL pragma_version()")


def file_as_a_table() -> Claim:
    return _sql("SELECT count(*) AS count FROM '/etc/passwd'")


def table_function() -> Claim:
    return _sql("SELECT count(*) AS count FROM read_text('/etc/passwd')")


def table_function_of_settings() -> Claim:
    return _sql("SELECT count(*) AS count FROM duckdb_secrets()")


def catalogue_of_the_engine() -> Claim:
    return _sql("SELECT count(*) AS count FROM sqlite_master")


def another_schema() -> Claim:
    return _sql("SELECT count(*) AS count FROM information_schema.tables")


def environment() -> Claim:
    return _sql("SELECT length(getenv('HOME')) AS count FROM trials")


def clock() -> Claim:
    return _sql("SELECT count(*) AS count FROM trials WHERE now() IS NOT NULL")


def chance() -> Claim:
    return _sql("SELECT count(*) AS count FROM trials WHERE random() < 1")


def two_billion_letters() -> Claim:
    return _sql("SELECT length(repeat('a', 2000000000)) AS count FROM trials")


def list_of_two_billion() -> Claim:
    return _sql("SELECT len(range(2000000000)) AS count FROM trials")


def receipts_behind_a_cte() -> Claim:
    return _sql("WITH trials AS (SELECT 1 AS count) SELECT count FROM trials")


def receipts_behind_a_cte_in_capitals() -> Claim:
    return _sql("WITH Trials AS (SELECT 1 AS count) SELECT count FROM Trials")


def filter_that_is_sql() -> Claim:
    return build.claim("x", "1", where={"trials": {"policy": "' OR 1 = 1; DROP TABLE trials; --"}})


def column_that_is_sql() -> Claim:
    return build.claim("x", "1", where={"trials": {"policy = 'plain' OR 1": 1}})


def parameter_that_is_sql() -> Claim:
    return build.claim("x", "1", metric="pass_hat_k", where=PLAIN, params={"k": "1) UNION SELECT 1"})


def query_of_a_megabyte() -> Claim:
    return _sql("SELECT " + "1 + " * 250_000 + "1 AS count FROM trials")


def parentheses_without_end() -> Claim:
    return _sql("SELECT " + "(" * 9000 + "1" + ")" * 9000 + " AS count FROM trials")


# -- SQL that takes all the time or memory there is


def endless_recursion() -> Claim:
    return _sql(ENDLESS)


def cross_join_without_end() -> Claim:
    tables = ", ".join(f"trials AS t{number}" for number in range(16))
    return _sql(
        f"SELECT count(DISTINCT t0.trial + t1.trial * t2.trial - t3.input_tokens) AS count FROM {tables}"
    )


def memory_without_end() -> Claim:
    return _sql(
        "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 30000) "
        "SELECT count(*) AS count FROM (SELECT DISTINCT a.i, b.i AS j FROM n AS a, n AS b), trials"
    )


def rows_without_end() -> Claim:
    return _sql(
        "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 200000) "
        "SELECT n.i AS s, 1 AS count FROM n, trials"
    )


# -- names that nothing has


def unknown_metric() -> Claim:
    return build.claim("x", "1", metric="sucess_rate", where=PLAIN)


def metric_that_is_a_path() -> Claim:
    return build.claim("x", "1", metric="../../../etc/passwd", where=PLAIN)


def unknown_column() -> Claim:
    return build.claim("x", "1", where={"trials": {"polcy": "plain"}})


def unknown_table() -> Claim:
    return build.claim("x", "1", where={"trails": {"policy": "plain"}})


def unknown_value() -> Claim:
    return build.claim("x", "1", where={"trials": {"policy": "plian"}})


def unknown_column_in_sql() -> Claim:
    return _sql("SELECT sum(tokens) AS count FROM trials")


def unfiltered_table() -> Claim:
    return build.claim("x", "1", where={})


def unknown_claim() -> Claim:
    return build.claim("x", "1", formula="a", from_={"a": "none"})


# -- values that are none, or too large


def nothing_over_nothing() -> Claim:
    return build.claim("x", "0%", where={"trials": {"policy": "plain", "trial": 9}})


def all_null() -> Claim:
    return _sql("SELECT sum(user_cost) AS count FROM trials", where={"trials": {"user_cost": None}})


def overflowing_sum() -> Claim:
    return _sql("SELECT sum(input_tokens + 9223372036854770000) AS count FROM trials")


def beyond_binary64() -> Claim:
    """Nothing is wrong with this: 2^53 + 1 is told from 2^53."""
    return _sql(
        "SELECT 9007199254740993 AS count FROM limits", "9,007,199,254,740,993", where={"limits": "all"}
    )


def beyond_binary64_printed_as_binary64() -> Claim:
    return _sql(
        "SELECT 9007199254740993 AS count FROM limits", "9,007,199,254,740,992", where={"limits": "all"}
    )


def text_in_place_of_a_count() -> Claim:
    return _sql("SELECT '10' AS count FROM limits", "10", where={"limits": "all"})


def unlike_fractions() -> Claim:
    """A mean over thousands of strata whose denominators have nothing in common."""
    sql = (
        "WITH RECURSIVE n AS (SELECT 0 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 20000) "
        "SELECT n.i AS s, 1 AS numerator, 1000003 + CAST(n.i AS BIGINT) * n.i * 7919 + n.i AS denominator "
        "FROM n, limits"
    )
    return {**_sql(sql, where={"limits": "all"}), "combine": "mean"}


def a_thousand_strata() -> Claim:
    columns = ", ".join(f"1 AS a{number}" for number in range(1000))
    return {**_sql(f"SELECT {columns}, 1 AS count FROM limits", where={"limits": "all"}), "combine": "sum"}


def a_formula_of_a_megabyte() -> Claim:
    return build.claim("x", "1", formula="1 + " * 250_000 + "1", from_={})


def a_formula_that_is_python() -> Claim:
    return build.claim("x", "1", formula="__import__('os').system('true')", from_={})


def a_formula_with_a_power() -> Claim:
    return build.claim("x", "1", formula="9 ** 9 ** 9", from_={})


# -- printings that cannot be read, or in two ways, and errata


def printed_nothing() -> Claim:
    return build.claim("x", " ")


def printed_words() -> Claim:
    return build.claim("x", "most of them")


def printed_two_numbers() -> Claim:
    return build.claim("x", "75% 80%")


def printed_in_another_numeral_system() -> Claim:
    return build.claim("x", "\u0667\u0665%")


def printed_grouped_or_with_decimals() -> Claim:
    return build.claim("x", "1.234,56")


def printed_with_a_lone_mark() -> Claim:
    return build.claim("x", "1,23")


def printed_with_zeros_before() -> Claim:
    return build.claim("x", "007")


def printed_at_length() -> Claim:
    return build.claim("x", "9" * 100_000)


def printed_with_a_large_exponent() -> Claim:
    return build.claim("x", "1e999999999")


def pair_over_nothing() -> Claim:
    return build.claim("x", "3/0")


def erratum_that_does_not_tie() -> Claim:
    return build.claim("x", "80%", erratum={"corrected": "79%", "says": "A slip", "published": "none"})


def erratum_that_cannot_be_read() -> Claim:
    return build.claim("x", "80%", erratum={"corrected": "less", "says": "A slip", "published": "none"})


def unreadable_with_readings() -> Claim:
    other = {"says": "under the other policy", "where": {"trials": {"policy": "retry"}}}
    return build.claim("x", "most", reading={"taken": "under plain", "others": [other]})


def tolerance_for_a_pair() -> Claim:
    return build.claim("x", "4/4", tolerance={"value": 1, "because": "one"})


CLAIMS: Mapping[str, Callable[[], Claim]] = {
    name: value
    for name, value in list(globals().items())
    if callable(value) and getattr(value, "__module__", "") == __name__ and name[0].islower()
}
