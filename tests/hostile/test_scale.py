"""Large tables: what is held at a time does not grow with the rows, and the answers stay the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import build
from tests.hostile.build import KEY, TOKEN
from tieout import secrets
from tieout.engines.process import Engine
from tieout.schema import keys
from tieout.schema.columns import column_of
from tieout.schema.keys import key_faults
from tieout.schema.query import ROW_NUMBER, source
from tieout.schema.shape import columns_of
from tieout.verify import Options, verify

KEYS = st.lists(st.tuples(st.none() | st.integers(0, 9), st.none() | st.sampled_from("abc")), max_size=60)


def told(rows: list[tuple[int | None, str | None]]) -> list[str]:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE held (a BIGINT, b VARCHAR)")
    if rows:
        connection.executemany("INSERT INTO held VALUES (?, ?)", rows)
    table = f"(SELECT row_number() OVER () - 1 AS {ROW_NUMBER}, * FROM held)"
    faults = key_faults(
        lambda sql: connection.execute(sql).fetchall(), table, len(rows), ["a", "b"], "t.parquet"
    )
    return [str(fault) for fault in faults]


@given(rows=KEYS)
def test_keys_compared_in_parts_are_told_as_those_compared_at_once(
    rows: list[tuple[int | None, str | None]],
) -> None:
    at_once = told(rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keys, "HELD", 5)
        assert told(rows) == at_once


def test_a_large_package_is_streamed_and_sqlite_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More rows than SQLite may hold: DuckDB alone answers, and the report says so."""
    monkeypatch.setattr("tieout.engines.duckdb.IN_MEMORY", 4)
    root = tmp_path / "artifacts"
    build.artifacts(root, [build.claim("rate", "75%")])
    limits = Options().limits
    few = type(limits)(loaded_rows=4)
    report = verify([root], Options(frozen=False, locked=False, limits=few))
    [claim] = report.ledgers[0].claims
    assert claim.verdict == "ties"
    assert claim.recomputed is not None
    assert claim.recomputed.engines == {"duckdb": "same", "sqlite": None}
    assert report.exit_code() == 0


def test_progress_goes_by_table(tmp_path: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    build.artifacts(tmp_path / "artifacts", [build.claim("rate", "75%")])
    options = Options(frozen=False, locked=False)
    verify([tmp_path / "artifacts"], options, lambda *step: seen.append(step))
    # values are told as they come, between the tables or after them
    tables = [step for step in seen if step[0] != "recomputing"]
    assert tables == [("validating tiny trials", 0, 2), ("validating tiny limits", 1, 2)]
    assert ("recomputing", 1, 1) in seen


def test_secrets_of_a_table_are_counted_and_the_first_twenty_listed(tmp_path: Path) -> None:
    cells = [f"{KEY} {number}" if number % 2 else "a task" for number in range(60)]
    pq.write_table(pa.table({"cell": cells, "n": list(range(60))}), tmp_path / "t.parquet")
    schema = {"properties": {"cell": {"type": "string"}, "n": {"type": "integer"}}}
    connection = duckdb.connect()

    def query(sql: str) -> list[tuple[object, ...]]:
        return connection.execute(sql).fetchall()

    columns, _ = columns_of(query, str(tmp_path / "t.parquet"), "t.parquet")
    faults = secrets.in_table(query, source(str(tmp_path / "t.parquet")), columns, schema, "t.parquet")
    assert [fault.row for fault in faults] == [*range(1, 40, 2), None]
    assert faults[-1].message == "30 such places; the first 20 are listed"


ORDINARY = [
    "task-1 of the album-task, policy embedding",
    "https://example.org/a/b?c=d:e@f",
    "user@example.org: at 12:30",
    "the /home page and its /Users list",
    "sk-learn, hf_ and ghp_ are prefixes",
    "0123456789abcdef" * 8,
    "AKIA is how an access key begins",
]


@pytest.mark.parametrize("text", ORDINARY)
def test_an_ordinary_text_is_no_secret(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    assert secrets.in_text(tmp_path / "a.txt", "a.txt") == []


# Each put together, so that nobody takes the test for a leak.
SECRET = {
    "an access key of AWS": "AKIA" + "Z2" * 8,
    "a token of GitHub": TOKEN,
    "a token of GitLab": "glpat-" + "aB3" * 7,
    "a key of a model provider": KEY,
    "a token of Hugging Face": "hf_" + "aB" * 17,
    "a key of Google": "AIza" + "Zz1_-" * 7,
    "a token of Slack": "xoxb-" + "123-" * 4,
    "a live key of Stripe": "sk_live_" + "aB" * 12,
    "a token of npm or PyPI": "npm_" + "aB3" * 12,
    "a private key": "-----BEGIN RSA " + "PRIVATE KEY-----",
    "a signed web token": ".".join(("eyJ" + "a" * 12, "eyJ" + "b" * 12, "c" * 12)),
    "a password in a URL": "postgres://someone:" + "pass@host/db",
    "an authorization header": "Bearer " + "aB3." * 9,
    "a path in a person's home": "C:\\Use" + "rs\\someone\\run.json",
}


def test_every_shape_has_an_example() -> None:
    assert set(SECRET) == set(secrets.SHAPES)


@pytest.mark.parametrize("kind", SECRET)
def test_a_secret_is_told_by_its_kind_alike_in_text_and_in_a_table(kind: str, tmp_path: Path) -> None:
    text = f'"line one",\n"{SECRET[kind]}",'
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    pq.write_table(pa.table({"cell": ["one", SECRET[kind]]}), tmp_path / "t.parquet")
    connection = duckdb.connect()
    in_table = secrets.in_table(
        lambda sql: connection.execute(sql).fetchall(),
        source(str(tmp_path / "t.parquet")),
        [column_of("cell", "VARCHAR")],
        {"properties": {"cell": {"type": "string"}}},
        "t.parquet",
    )
    in_text = secrets.in_text(tmp_path / "a.txt", "a.txt")
    for faults, row in ((in_text, 2), (in_table, 1)):
        [fault] = faults
        assert (fault.code, fault.row) == ("secret", row)
        assert kind in fault.message
        assert SECRET[kind] not in str(fault)


@pytest.mark.parametrize(
    "text", ["sk-" * 100_000, "sk-a_" * 60_000, "/home/" * 50_000], ids=["short", "parted", "paths"]
)
def test_a_text_made_to_be_slow_is_looked_through(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    assert secrets.in_text(tmp_path / "a.txt", "a.txt") == []


@pytest.mark.parametrize("before", [0, 30, 60, 63, 64, 100, 1000])
def test_a_text_is_looked_through_to_its_end_whatever_is_read_at_a_time(
    before: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(secrets, "BLOCK", 64)
    monkeypatch.setattr(secrets, "LONGEST", 60)
    # a ta[sk-] cut in two is no key, and an ä cut in two is no other character
    text = "ä\n" * (before // 3) + f"ta{KEY}\n" + "." * (before % 3) + f"{TOKEN}\nä{TOKEN}\n x {TOKEN}"
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    line = before // 3 + 2
    faults = secrets.in_text(tmp_path / "a.txt", "a.txt")
    assert [(fault.row, "GitHub" in fault.message) for fault in faults] == [
        (line, True),
        (line + 1, True),
        (line + 2, True),
    ]


@pytest.mark.parametrize("cells", [[["a"], [TOKEN]], [{"a": "b"}, {"a": TOKEN}]], ids=["list", "struct"])
def test_a_secret_in_a_nested_cell_is_found(cells: list[Any], tmp_path: Path) -> None:
    pq.write_table(pa.table({"cell": cells}), tmp_path / "t.parquet")
    connection = duckdb.connect()
    [column], faults = columns_of(
        lambda sql: connection.execute(sql).fetchall(), str(tmp_path / "t.parquet"), "t.parquet"
    )
    assert faults == []
    schema: dict[str, Any] = {"properties": {"cell": {}}}
    [fault] = secrets.in_table(
        lambda sql: connection.execute(sql).fetchall(),
        source(str(tmp_path / "t.parquet")),
        [column],
        schema,
        "t.parquet",
    )
    assert (fault.row, fault.column) == (1, "cell")


def test_a_file_that_calls_itself_parquet_is_looked_through_as_any_other(tmp_path: Path) -> None:
    (tmp_path / "notes.parquet").write_text(f"key = {TOKEN}\n", encoding="utf-8")
    assert [fault.file for fault in secrets.in_folder(tmp_path)] == ["notes.parquet"]
    assert secrets.in_folder(tmp_path, {"notes.parquet"}) == []


def test_many_secrets_are_counted_and_the_first_twenty_listed(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(f"{TOKEN}\n" * 20_000, encoding="utf-8")
    faults = secrets.in_text(tmp_path / "a.txt", "a.txt")
    assert [fault.row for fault in faults] == [*range(1, 21), None]
    assert faults[-1].message == "20,000 such places; the first 20 are listed"


@pytest.mark.parametrize(
    "key", ["sk-" + "ant-api03-" + "x" * 24, "sk-" + "proj-ab_cd-" + "Y9" * 12, "sk-" + "z" * 40]
)
def test_keys_of_several_parts_are_found(key: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(f"key = {key}", encoding="utf-8")
    [fault] = secrets.in_text(tmp_path / "a.txt", "a.txt")
    assert "a key of a model provider" in fault.message


def test_the_child_of_an_engine_that_nobody_asked_ends_with_its_parent(tmp_path: Path) -> None:
    with Engine("duckdb") as engine:
        child = engine._child
    assert child.ended
