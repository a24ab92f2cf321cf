"""Each check of the album packages looks at something, finds the frozen rows in order, and finds a planted fault."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.conftest import ROOT
from tieout.importers.album_design import DERIVED
from tieout.strict import read_yaml

PACKAGES = {name: ROOT / "artifacts" / "packages" / name for name in ("album-memory-1", "album-memory-2")}
CHECKS = {
    (name, check["id"]): check
    for name, folder in PACKAGES.items()
    for check in read_yaml(folder / "checks.yaml", "checks.yaml").value["checks"]
}

ANSWER = "case_id = 'rhcp-full-change-0'"
CASE = "case_id = 'rhcp-local-full-100000-t3'"
TURN = "session_id = 'part2-session-rhcp-full' AND turn = 1"

FAULTS = {
    ("album-memory-1", fault): planted
    for fault, planted in {
        "one-generation-and-one-judge-an-answer": f"DELETE FROM calls WHERE {ANSWER} AND kind = 'judge'",
        "answer-tokens-are-those-of-its-generation": f"UPDATE answers SET output_tokens = 1 WHERE {ANSWER}",
        "cached-within-input": f"UPDATE calls SET cached_input_tokens = input_tokens + 1 WHERE {ANSWER}",
        "calls-are-the-recorded-totals": f"UPDATE calls SET input_tokens = input_tokens + 1 WHERE {ANSWER}",
        "annotated-once-a-track": "UPDATE stage_usage SET calls = 55 WHERE stage = 'annotation'",
        "one-generating-model": f"UPDATE calls SET model = NULL WHERE {ANSWER} AND kind = 'generation'",
        "nothing-unplanned": f"UPDATE answers SET repetition = 1 WHERE {ANSWER}",
        "outcomes-add-up": f"DELETE FROM answers WHERE {ANSWER}",
        "repetitions-see-the-same-memory": f"UPDATE answers SET context_tokens_estimate = 1 WHERE {ANSWER}",
        "two-targets-a-question": f"UPDATE answer_targets SET track_id = 'T01' WHERE {ANSWER}",
        "targets-span-both-halves": "UPDATE answer_targets SET track_id = 'T15' WHERE case_id LIKE 'rhcp-%'",
        "targets-are-listed": f"DELETE FROM answer_targets WHERE {ANSWER} AND position = 1",
        "cited-targets-are-targets": f"UPDATE answers SET cited_targets = cited_targets + 1 WHERE {ANSWER}",
        "available-targets-were-selected": f"DELETE FROM answer_selected WHERE {ANSWER}",
        "selected-tracks-are-listed": f"UPDATE answer_selected SET track_id = 'T01' WHERE {ANSWER}",
        "valid-ids-were-in-memory": f"UPDATE answer_evidence SET track_id = NULL WHERE {ANSWER}",
        "policies-select-what-they-say": "DELETE FROM answer_selected WHERE case_id = 'rhcp-recent3-change-0'",
        "every-track-rated": "UPDATE theme_ratings SET position = 2 WHERE album = 'rhcp' AND position = 1",
        "ratings-within-their-scale": "UPDATE theme_ratings SET renewal = 4 WHERE album = 'rhcp' AND position = 1",
        "judged-within-the-scale": f"UPDATE answers SET support = 5 WHERE {ANSWER}",
    }.items()
} | {
    ("album-memory-2", fault): planted
    for fault, planted in {
        "trajectory-tokens-are-those-of-its-calls": f"DELETE FROM calls WHERE {CASE} AND position = 1",
        "turn-tokens-are-those-of-its-calls": f"UPDATE turns SET input_tokens = input_tokens - 1 WHERE {TURN}",
        "cached-within-input": f"UPDATE turn_calls SET cached_input_tokens = input_tokens + 1 WHERE {TURN}",
        "reused-calls-agree": "UPDATE turn_calls SET cached_input_tokens = cached_input_tokens + 1",
        "distinct-calls-of-trajectories-are-the-recorded-total": "DELETE FROM calls WHERE kind = 'sufficiency'",
        "distinct-calls-of-turns-alone-are-the-recorded-total": "DELETE FROM turn_calls WHERE turn = 4",
        "recorded-totals-agree": "UPDATE usage_by_kind SET calls = calls + 1 WHERE kind = 'relations'",
        "kinds-exceed-receipts-by-failed-attempts": "UPDATE usage_by_kind SET calls = 539 WHERE kind = 'answer'",
        "one-model-a-kind": f"UPDATE turn_calls SET model = 'other' WHERE {TURN}",
        "no-round-over-its-cap": "UPDATE rounds SET context_tokens = 301 WHERE cap = 300",
        "no-round-over-its-cap-as-the-author-counts": "UPDATE turn_rounds SET context_tokens = 401 WHERE cap = 400",
        "rounds-are-listed": f"DELETE FROM turn_rounds WHERE {TURN}",
        "rounds-widen": "UPDATE rounds SET cap = 400 WHERE cap = 800",
        "one-round-at-the-setting-s-cap": f"UPDATE rounds SET cap = 2400 WHERE {CASE}",
        "last-round-is-what-was-exposed": f"UPDATE trajectories SET context_tokens = 1 WHERE {CASE}",
        "nothing-unplanned": f"UPDATE trajectories SET threshold = 4 WHERE {CASE}",
        "outcomes-add-up": f"UPDATE trajectories SET correct_abstention = true WHERE {CASE}",
        "twenty-of-twenty-four-answerable": f"UPDATE trajectories SET answerable = false WHERE {CASE}",
        "abstention-tasks-are-unanswerable": f"UPDATE trajectories SET target_count = 0 WHERE {CASE}",
        "correct-abstention-is-abstention-there": f"UPDATE trajectories SET correct_abstention = true WHERE {CASE}",
        "accepted-trajectories-were-verified": (
            "UPDATE trajectories SET addresses_question = false WHERE accepted AND policy = 'full'"
        ),
        "accepted-turns-were-verified": "UPDATE turn_calls SET kind = 'answer'",
        "verdicts-come-from-the-verifier": f"UPDATE calls SET kind = 'answer' WHERE {CASE}",
        "unverified-answers-carry-no-verdict": f"UPDATE calls SET kind = 'answer' WHERE {CASE}",
        "claims-are-listed": f"DELETE FROM cited_sources WHERE {CASE} AND claim = 1",
        "supported-claims-are-the-verdicts": f"UPDATE trajectories SET supported_claims = 9 WHERE {CASE}",
        "every-claim-judged": f"DELETE FROM claim_verdicts WHERE {CASE} AND claim = 1",
        "targets-are-listed": f"UPDATE trajectory_targets SET track_id = 'T01' WHERE {CASE}",
        "targets-belong-to-the-question": f"UPDATE trajectory_targets SET track_id = 'T15' WHERE {CASE}",
        "cited-targets-are-targets": f"UPDATE trajectories SET cited_target_count = 9 WHERE {CASE}",
        "available-targets-were-selected": f"DELETE FROM trajectory_selected WHERE {CASE}",
        "used-targets-were-available": f"UPDATE trajectories SET used_when_available_count = 9 WHERE {CASE}",
        "selected-once": f"UPDATE trajectory_selected SET track_id = 'T01' WHERE {CASE}",
        "four-turns-a-session": f"UPDATE turns SET policy = 'adaptive' WHERE {TURN}",
        "history-starts-empty": f"UPDATE turns SET history_items = 1 WHERE {TURN}",
        "twelve-relations-an-album": "UPDATE relations SET second_address = first_address WHERE edge_id = 'E01'",
    }.items()
}

# what the issue and the study's notes say each of these looks at
EXAMINED = {
    "trajectory-tokens-are-those-of-its-calls": 504,
    "turn-tokens-are-those-of-its-calls": 32,
    "no-round-over-its-cap": 653,
    "no-round-over-its-cap-as-the-author-counts": 649,
    "distinct-calls-of-trajectories-are-the-recorded-total": 1063,
    "distinct-calls-of-turns-alone-are-the-recorded-total": 112,
    "nothing-unplanned": 504,
}


@pytest.fixture(scope="module")
def frozen() -> Iterator[dict[str, Any]]:
    import duckdb

    connections = {}
    for name, folder in PACKAGES.items():
        connections[name] = duckdb.connect()
        for path in (folder / "receipts").glob("*.parquet"):
            connections[name].execute(f"CREATE TABLE {path.stem} AS SELECT * FROM read_parquet('{path}')")
    yield connections
    for connection in connections.values():
        connection.close()


def test_every_check_has_its_planted_fault() -> None:
    assert FAULTS.keys() == CHECKS.keys()


@pytest.mark.parametrize(("package", "name"), CHECKS)
def test_a_check_examines_rows_and_finds_a_planted_fault_only(
    package: str, name: str, frozen: dict[str, Any]
) -> None:
    check, tables = CHECKS[package, name], frozen[package]
    [[examined]] = tables.execute(check["examined"]).fetchall()
    assert examined > 0
    assert tables.execute(check["sql"]).fetchall() == []
    tables.execute("BEGIN")
    try:
        tables.execute(FAULTS[package, name])
        assert tables.execute(check["sql"]).fetchall() != []
    finally:
        tables.execute("ROLLBACK")


@pytest.mark.parametrize("name", EXAMINED)
def test_a_check_looks_at_as_much_as_it_says(name: str, frozen: dict[str, Any]) -> None:
    check = CHECKS["album-memory-2", name]
    assert frozen["album-memory-2"].execute(check["examined"]).fetchall() == [(EXAMINED[name],)]


@pytest.mark.parametrize("package", PACKAGES)
def test_the_descriptor_derives_its_tables_as_the_importer_does(package: str) -> None:
    declared = read_yaml(PACKAGES[package] / "package.yaml", "package.yaml").value["tables"]
    derived = {
        name: (table["schema"], table["instrument"], table["inputs"], table["parameters"], table.get("seed"))
        for name, table in declared.items()
        if "instrument" in table
    }
    assert derived == {
        each.table: (
            f"schemas/{each.schema}.json",
            each.instrument,
            each.inputs,
            each.parameters,
            each.seed,
        )
        for each in DERIVED[package]
    }


def test_the_declared_shuffles_are_those_of_the_instrument(frozen: dict[str, Any]) -> None:
    design = dict(frozen["album-memory-1"].execute("SELECT parameter, value FROM design").fetchall())
    for each in DERIVED["album-memory-1"]:
        assert (each.parameters["shuffles"], each.seed, each.parameters["central_percent"]) == (
            design["shuffles"],
            design["seed"],
            design["central_percent"],
        )
