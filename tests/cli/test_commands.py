"""The other commands on a tiny package: data on standard output, talk on standard error."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests import build
from tests.conftest import Run
from tieout.freeze import freeze_package

claim = build.claim
TEXT = "Of 4 trials 75% succeeded, which is 3 of them.\n"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("desk")
    more = claim(
        "more", "more", asserts="a > b", from_={"a": "all", "b": "rate"}, caveats=["small"], timing="post-hoc"
    )
    claims = [claim("rate", "75%"), claim("all", metric="success_rate", where={"trials": "all"}), more]
    build.artifacts(folder / "artifacts", claims, caveats={"small": "Eight trials are few."})
    (folder / "text.txt").write_text(TEXT, encoding="utf-8")
    return folder


def test_query_prints_a_table_for_people(desk: Path, tieout: Run) -> None:
    sql = "SELECT policy, count(*) AS n FROM trials WHERE success GROUP BY policy ORDER BY policy"
    run = tieout("query", "tiny", sql, cwd=desk)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout == "policy  n\n------  -\nplain   3\nretry   4\n"


@pytest.mark.parametrize("engine", ["duckdb", "sqlite"])
def test_query_prints_csv_and_json_for_machines(desk: Path, tieout: Run, engine: str) -> None:
    sql = "SELECT task_id, trial, user_cost FROM trials WHERE policy = 'plain' ORDER BY task_id, trial"
    costs = ["10000000", "", "20000000", "5000000"]
    text = tieout("query", "tiny", sql, "--format", "csv", "--engine", engine, cwd=desk).stdout
    assert [row["user_cost"] for row in csv.DictReader(text.splitlines())] == costs
    found = json.loads(tieout("query", "tiny", sql, "--format", "json", "--engine", engine, cwd=desk).stdout)
    assert [row["user_cost"] for row in found] == [int(cost) if cost else None for cost in costs]


@pytest.mark.parametrize(
    ("sql", "code", "message"),
    [
        ("DROP TABLE trials", 1, "tieout: one SELECT is needed, this is 1 statement(s), DROP first\n"),
        ("SELECT * FROM nothing", 1, "tieout: no table `nothing`; the package has limits, trials\n"),
    ],
)
def test_query_refuses_what_is_no_select_of_the_package(
    desk: Path, tieout: Run, sql: str, code: int, message: str
) -> None:
    run = tieout("query", "tiny", sql, cwd=desk)
    assert (run.returncode, run.stdout, run.stderr) == (code, "", message)


def test_query_cuts_nothing_silently(desk: Path, tieout: Run) -> None:
    run = tieout("query", "tiny", "SELECT task_id FROM trials", "--limit", "7", cwd=desk)
    assert (run.returncode, run.stdout, run.stderr) == (2, "", "tieout: duckdb: more than 7 rows\n")


def test_compute_prints_the_value_its_basis_and_its_judge(desk: Path, tieout: Run) -> None:
    run = tieout("compute", "tiny", "success_rate", "--where", "{trials: {policy: plain}}", cwd=desk)
    assert run.stdout == (
        "0.75 = 3 / 4 trials\n"
        "  exactly     3/4\n"
        "  basis       observation\n"
        "  evaluator   judge (outside the loop)\n"
        "  cases       2 distinct\n"
    )


def test_compute_says_that_there_is_no_value(desk: Path, tieout: Run) -> None:
    run = tieout("compute", "tiny", "success_rate", "--where", "{trials: {trial: 9}}", cwd=desk)
    assert (run.returncode, run.stdout.splitlines()[0]) == (0, "no value: undefined")


def test_metrics_shows_a_definition_with_its_query(tieout: Run) -> None:
    text = tieout("metrics", "success_rate").stdout
    assert "  unit         trials\n" in text
    assert "  denominator  trials\n" in text
    assert "  source       arXiv:2406.12045\n" in text
    assert "SELECT count(*) FILTER (WHERE success) AS numerator" in text


def test_show_brings_a_claim_down_to_its_receipts(desk: Path, tieout: Run) -> None:
    run = tieout("show", "doc", "rate", "--draft", "--rows", "2", cwd=desk)
    assert run.returncode == 0, run.stderr
    assert "✓ rate  ties\n" in run.stdout
    assert "  value       0.75 = 3 / 4 trials\n" in run.stdout
    assert "  engines     duckdb same, sqlite same\n" in run.stdout
    assert "  4 rows of trials, 2 shown\n" in run.stdout


def test_the_sql_that_show_prints_runs_as_it_stands(
    desk: Path, tieout: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    import duckdb

    text = tieout("show", "doc", "rate", "--draft", "--rows", "0", cwd=desk).stdout
    sql = text[text.index("CREATE SCHEMA") :]
    monkeypatch.chdir(desk / "artifacts" / "packages" / "tiny")
    with duckdb.connect() as connection:
        assert connection.execute(sql).fetchall() == [(3, 4)]


def test_show_says_what_an_assertion_compares(desk: Path, tieout: Run) -> None:
    text = tieout("show", "doc", "more", "--draft", cwd=desk).stdout
    assert "  formula     a > b\n" in text
    assert "a = 7/8  from claim all\n" in text
    assert "  timing      post-hoc\n" in text
    assert "  caveat      Eight trials are few.\n" in text


def test_show_names_claims_near_a_wrong_name(desk: Path, tieout: Run) -> None:
    run = tieout("show", "doc", "rat", "--draft", cwd=desk)
    wanted = "tieout: no claim rat in doc; near it: rate (`tieout claims doc` lists them)\n"
    assert (run.returncode, run.stderr) == (2, wanted)


def test_claims_lists_what_the_text_leaves_open(desk: Path, tieout: Run) -> None:
    run = tieout("claims", "doc", "--text", "text.txt", cwd=desk)
    assert run.returncode == 1
    assert run.stdout.splitlines() == [
        "line 1, column 4: “4” is neither claimed nor ignored",
        "line 1, column 37: “3” is neither claimed nor ignored",
        "more: “more” does not occur in section I",
    ]


def test_claims_lists_the_ledger(desk: Path, tieout: Run) -> None:
    assert tieout("claims", "doc", cwd=desk).stdout.splitlines()[0] == "I\trate\t75%\tWhat rate says"


def test_freeze_prints_the_digest_and_says_twice_the_same(tmp_path: Path, tieout: Run) -> None:
    build.artifacts(tmp_path / "artifacts", [claim("rate", "75%")])
    first = tieout("freeze", "artifacts/packages/tiny", "artifacts/ledgers/doc", cwd=tmp_path)
    assert first.returncode == 0, first.stderr
    digest, name = first.stdout.splitlines()[0].split("  ")
    assert (len(digest), name) == (64, "artifacts/packages/tiny")
    assert (
        tieout("freeze", "artifacts/packages/tiny", "artifacts/ledgers/doc", cwd=tmp_path).stdout
        == first.stdout
    )
    assert tieout("verify", cwd=tmp_path).returncode == 0


def test_freeze_refuses_what_does_not_validate(tmp_path: Path, tieout: Run) -> None:
    broken = {**build.CHECKS[0], "sql": "SELECT * FROM trials"}
    build.package(tmp_path / "tiny", checks=[broken])
    run = tieout("freeze", "tiny", cwd=tmp_path)
    wanted = (
        "tieout: checks.yaml: check cached-inside is broken by 8 rows: Cached input never exceeds input; the first is "
        'task_id "a", policy "plain", trial 0, success true, input_tokens 100, cached_input_tokens 10, '
        "user_cost 10000000\n"
    )
    assert (run.returncode, run.stdout, run.stderr) == (1, "", wanted)


@pytest.mark.parametrize(
    "command",
    [
        ("show", "artifacts/ledgers/good", "rate"),
        ("query", "artifacts/packages/tiny", "SELECT count(*) AS n FROM trials"),
        ("compute", "artifacts/packages/tiny", "success_rate"),
        ("audit", "artifacts/ledgers/good", "rate"),
    ],
    ids=lambda command: command[0],
)
def test_a_package_that_was_changed_is_told_by_every_command(
    command: tuple[str, ...], tmp_path: Path, tieout: Run
) -> None:
    root = build.artifacts(tmp_path / "artifacts", [])
    build.ledger(root / "ledgers" / "good", [build.claim("rate", "75%")])
    freeze_package(root / "packages" / "tiny")
    assert tieout(*command, cwd=tmp_path).returncode in {0, 1}
    with (root / "packages" / "tiny" / "README.md").open("a") as readme:
        readme.write("changed\n")
    told = tieout(*command, cwd=tmp_path)
    assert told.returncode == 1
    assert "tiny/README.md: " in told.stderr


@pytest.mark.parametrize("given", [("k",), ("k=",), ("k=1", "k=2")], ids=["bare", "empty", "twice"])
def test_a_parameter_without_a_name_and_a_value_is_wrong_usage(
    desk: Path, tieout: Run, given: tuple[str, ...]
) -> None:
    options = [word for each in given for word in ("--param", each)]
    run = tieout("compute", "artifacts/packages/tiny", "pass_hat_k", *options, cwd=desk)
    assert (run.returncode, run.stdout) == (2, "")
    assert ("k is given twice" if len(given) == 2 else "give NAME=VALUE") in run.stderr
