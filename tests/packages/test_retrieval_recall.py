"""Checks of the two packages find planted faults; the suite's derived tables agree with a direct calculation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.conftest import ROOT
from tieout.strict import read_yaml

PACKAGES = ROOT / "artifacts" / "packages"
SUITE, EXAMPLE = "retrieval-suite", "retrieval-recall-example"
FAULTS = {
    SUITE: {
        "four-questions-a-kind": "UPDATE queries SET kind = 'multi-item' WHERE query_id = 'single-wet-tent'",
        "kinds-are-what-they-say": "DELETE FROM required_items WHERE item_id = 'R13'",
        "answerable-is-having-evidence": "UPDATE queries SET answerable = true WHERE query_id = 'none-kayak'",
        "expired-has-a-successor-of-its-title": "UPDATE items SET title = 'Fees' WHERE item_id = 'R04'",
        "lookalike-exists": "UPDATE items SET title = 'Fees' WHERE item_id = 'R05'",
        "expired-is-never-evidence": "UPDATE required_items SET item_id = 'R05' WHERE item_id = 'R04'",
        "expired-is-having-an-end": "UPDATE items SET until = NULL WHERE item_id = 'R05'",
        "quotes-stand-where-they-say": "UPDATE required_spans SET start_character = 0 WHERE item_id = 'R23'",
        "spans-lie-in-their-text": "UPDATE required_spans SET end_token = 500 WHERE item_id = 'R23'",
        "facts-have-spans-and-items": "DELETE FROM required_spans WHERE item_id = 'R23'",
        "every-pair-planned": "DELETE FROM plan WHERE query_id = 'none-kayak' AND retriever = 'bm25'",
        "ten-at-most": "UPDATE runs SET matched_items = 3 WHERE query_id = 'none-kayak'",
        "selected-is-listed": "DELETE FROM selections WHERE query_id = 'none-kayak' AND rank = 4",
        "rank-follows-score": "UPDATE selections SET score = 1 WHERE query_id = 'none-kayak' AND rank = 4",
        "one-piece-is-the-sum": "UPDATE items SET text_tokens = text_tokens + 1 WHERE item_id = 'R34'",
        "no-model-called": "UPDATE runs SET model_calls = 1 WHERE query_id = 'none-kayak'",
        "five-budgets": "DELETE FROM recall WHERE budget = 512 AND query_id = 'none-kayak'",
        "nothing-over-budget": "UPDATE recall SET used_tokens = 65 WHERE budget = 64 AND query_id = 'none-kayak'",
        "delivered-was-selected": "UPDATE recall SET delivered_facts = 9 WHERE query_id = 'single-wet-tent'",
        "more-room-loses-nothing": "UPDATE recall SET delivered_facts = 0 WHERE budget = 512",
        "facts-cost-what-delivers-them": "UPDATE fact_cost SET needed_budget = 65 WHERE query_id = 'single-wet-tent'",
        "absence-is-for-no-evidence": "UPDATE recall SET absence = 'filled' WHERE query_id = 'single-wet-tent'",
    },
    EXAMPLE: {
        "nothing-was-run": "UPDATE runs SET model_calls = 0 WHERE retriever = 'a'",
        "budget-is-the-declared-one": "UPDATE recall SET budget = 2001 WHERE retriever = 'a'",
        "required-items-are-the-declared-number": "DELETE FROM required_items WHERE item_id = 'required-5'",
        "distractors-are-long": "UPDATE items SET text_tokens = 300 WHERE item_id = 'long-distractor-1'",
        "one-has-distractors-the-other-none": "UPDATE selections SET retriever = 'b' WHERE rank = 5",
        "nothing-over-budget": "UPDATE recall SET used_tokens = 2001 WHERE retriever = 'a'",
        "delivered-was-selected": "UPDATE recall SET delivered_required_items = 5 WHERE retriever = 'b'",
    },
}


def checks(package: str) -> dict[str, Any]:
    document = read_yaml(PACKAGES / package / "checks.yaml", "checks.yaml").value
    return {check["id"]: check for check in document["checks"]}


@pytest.fixture(params=[SUITE, EXAMPLE])
def package(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


def opened(package: str) -> Any:
    import duckdb

    connection = duckdb.connect()
    for file in sorted((PACKAGES / package).glob("*/*.parquet")):
        connection.execute(f"CREATE TABLE {file.stem} AS SELECT * FROM read_parquet('{file}')")
    return connection


@pytest.fixture
def suite() -> Iterator[Any]:
    connection = opened(SUITE)
    yield connection
    connection.close()


def test_every_check_has_its_planted_fault(package: str) -> None:
    assert FAULTS[package].keys() == checks(package).keys()


@pytest.mark.parametrize(
    ("package", "name"), [(package, name) for package in FAULTS for name in FAULTS[package]]
)
def test_a_check_examines_rows_and_finds_a_planted_fault_only(package: str, name: str) -> None:
    check = checks(package)[name]
    connection = opened(package)
    [[examined]] = connection.execute(check["examined"]).fetchall()
    assert examined > 0
    assert connection.execute(check["sql"]).fetchall() == []
    connection.execute(FAULTS[package][name])
    assert connection.execute(check["sql"]).fetchall() != []
    connection.close()


def test_delivered_facts_by_a_running_sum_in_sql(suite: Any) -> None:
    # where each selected record begins is the sum of those before it; a fact is in when its last token is
    direct = """
        WITH laid AS (
            SELECT query_id, retriever, item_id, heading_tokens,
                sum(heading_tokens + text_tokens) OVER (PARTITION BY query_id, retriever ORDER BY rank)
                    - heading_tokens - text_tokens AS start
            FROM selections JOIN items USING (item_id)
        ), facts AS (
            SELECT query_id, retriever, fact_id, max(start + heading_tokens + end_token) AS needed
            FROM required_spans JOIN laid USING (query_id, item_id)
            GROUP BY query_id, retriever, fact_id
        )
        SELECT budget, retriever, count(*) FROM facts
        JOIN (SELECT unnest([64, 128, 256, 512, 1024]) AS budget) ON needed <= budget
        GROUP BY budget, retriever ORDER BY budget, retriever
    """
    derived = """
        SELECT budget, retriever, sum(delivered_facts)::BIGINT FROM recall
        GROUP BY budget, retriever ORDER BY budget, retriever
    """
    assert suite.execute(derived).fetchall() == suite.execute(direct).fetchall()


def test_the_example_is_made_to_match_and_says_so() -> None:
    tables = read_yaml(PACKAGES / EXAMPLE / "package.yaml", "package.yaml").value["tables"]
    assert {
        entry.get("basis") for name, entry in tables.items() if "instrument" not in entry and name != "design"
    } == {"fixture-made-to-match"}


def test_the_suite_was_run_and_says_with_what() -> None:
    document = read_yaml(PACKAGES / SUITE / "package.yaml", "package.yaml").value
    assert document["tables"]["selections"]["basis"] == document["tables"]["runs"]["basis"] == "observation"
    versions = {source["path"]: source.get("version") for source in document["sources"]}
    pinned = dict(
        line.split(" ")[0].split("==")
        for line in (ROOT / "requirements-dev.lock").read_text(encoding="utf-8").splitlines()
        if "==" in line
    )
    assert {name: pinned[name] for name in ("bm25s", "mistral-common", "scikit-learn")} == {
        name: versions[name] for name in ("bm25s", "mistral-common", "scikit-learn")
    }
