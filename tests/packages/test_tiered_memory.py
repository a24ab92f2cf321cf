"""The declared conversation: counted by hand, made anew to the same bytes, held to checks that find faults."""

from __future__ import annotations

import hashlib
import re
import shutil
from collections import Counter, defaultdict
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tieout.derive import derive_package
from tieout.importers.parquet import read
from tieout.importers.tables import import_tables
from tieout.metrics import SQLMetric, load
from tieout.strict import read_yaml

PACKAGE = ROOT / "artifacts" / "packages" / "tiered-memory"
SOURCES = ROOT / "artifacts" / "sources" / "tiered-memory"
TABLES = read_yaml(PACKAGE / "package.yaml", "package.yaml").value["tables"]
CHECKS = {check["id"]: check for check in read_yaml(PACKAGE / "checks.yaml", "checks.yaml").value["checks"]}

LAST = "policy = 'demotion' AND request = 29"
FAULTS = {
    "parts-add-up": "UPDATE article_budget SET tokens = 1201 WHERE part = 'reserve'",
    "one-twentieth": "UPDATE budget SET tokens = 41 WHERE part = 'system'",
    "turns-without-a-gap": "DELETE FROM turns WHERE turn = 7",
    "items-are-of-turns": "UPDATE items SET closed_by = 6 WHERE item = 'barrel-first'",
    "needs-were-stated": "UPDATE needs SET request = 3 WHERE item = 'repair-day'",
    "every-request-under-both-policies": f"DELETE FROM requests WHERE {LAST}",
    "no-tier-over-budget": f"UPDATE prompts SET tokens = 100 WHERE {LAST} AND tier = 'working'",
    "never-over-the-ceiling": f"UPDATE requests SET prompt_tokens = 541 WHERE {LAST}",
    "requests-add-up": f"UPDATE requests SET semantic_tokens = 0 WHERE {LAST}",
    "everything-is-counted": "DELETE FROM chunks WHERE chunk = 'compost'",
    "frame-whole-and-first": f"UPDATE prompts SET text = 'Answer.' WHERE {LAST} AND position = 2",
    "working-set-without-a-gap": f"DELETE FROM prompts WHERE {LAST} AND part = 'turn-25'",
    "the-oldest-leave-first": "UPDATE evictions SET request = 29 WHERE turn = 3",
    "both-policies-evict-alike": "UPDATE evictions SET request = 13 WHERE turn = 1 AND policy = 'truncation'",
    "evicted-into-one-episode": "UPDATE episodes SET first_turn = 2 WHERE episode = 1",
    "episodes-hold-evicted-turns": "UPDATE episodes SET turn_tokens = 1 WHERE episode = 1",
    "truncation-keeps-nothing": "UPDATE evictions SET episodes = 1 WHERE policy = 'truncation' AND turn = 1",
    "episodes-within-their-limit": "UPDATE episodes SET tokens = 41 WHERE episode = 1",
    "nothing-preserved-is-lost": "UPDATE preservation SET in_memory = false WHERE item = 'tap-cost'",
    "due-is-all-but-settled-questions": "UPDATE preservation SET due = false WHERE item = 'who-repairs'",
    "pinned-is-always-retrieved": "UPDATE retrievals SET retrieved = false WHERE candidate = 'rule-valve'",
    "candidates-are-what-memory-holds": f"DELETE FROM retrievals WHERE {LAST} AND candidate = 'compost'",
    "only-what-was-retrieved": f"UPDATE prompts SET part = 'compost' WHERE {LAST} AND part = 'rule-children'",
    "score-is-the-sum-of-its-parts": f"UPDATE retrievals SET score = score + 1 WHERE {LAST} AND rank = 1",
    "ranked-by-pin-and-score": f"UPDATE retrievals SET score = 0 WHERE {LAST} AND rank = 4",
    "what-fits-is-taken": "UPDATE retrievals SET retrieved = false WHERE request = 29 AND rank = 5",
    "recency-falls-with-age": f"UPDATE retrievals SET recency = 600000 WHERE {LAST} AND candidate = 'compost'",
    "needed-and-in-the-prompt": "UPDATE recall SET in_prompt = true WHERE policy = 'truncation'",
    "replayed-to-the-same-digest": f"UPDATE requests SET replay_digest = memory_digest WHERE {LAST}",
    "same-memory-same-prompt": "UPDATE requests SET prompt_digest = memory_digest || policy WHERE request = 1",
    "differences-where-digests-differ": "DELETE FROM differences WHERE request = 29",
    "alike-under-the-whole-budget": f"UPDATE requests_at_article_budget SET evicted_turns = 1 WHERE {LAST}",
}


def rows(name: str) -> list[dict[str, Any]]:
    return read(PACKAGE / TABLES[name]["file"])


@pytest.fixture
def tables() -> Any:
    import duckdb

    connection = duckdb.connect()
    for name, table in TABLES.items():
        connection.execute(f"CREATE TABLE {name} AS SELECT * FROM read_parquet('{PACKAGE / table['file']}')")
    yield connection
    connection.close()


def test_every_check_has_its_planted_fault() -> None:
    assert FAULTS.keys() == CHECKS.keys()


@pytest.mark.parametrize("name", CHECKS)
def test_a_check_examines_rows_and_finds_a_planted_fault_only(name: str, tables: Any) -> None:
    check = CHECKS[name]
    [[examined]] = tables.execute(check["examined"]).fetchall()
    assert examined > 0
    assert tables.execute(check["sql"]).fetchall() == []
    tables.execute(FAULTS[name])
    assert tables.execute(check["sql"]).fetchall() != []


def test_the_package_is_made_from_its_sources_to_the_same_bytes(tmp_path: Path) -> None:
    made = tmp_path / "tiered-memory"
    made.mkdir()
    shutil.copy(PACKAGE / "package.yaml", made)
    shutil.copy(PACKAGE / "checks.yaml", made)
    shutil.copytree(PACKAGE / "schemas", made / "schemas")
    written = [*import_tables(SOURCES, made), *derive_package(made)]
    assert sorted(written) == sorted(table["file"] for table in TABLES.values())
    assert {name: (made / name).read_bytes() for name in written} == {
        name: (PACKAGE / name).read_bytes() for name in written
    }


def test_tokens_are_words_and_marks() -> None:
    def counted(text: str) -> int:
        return len(re.findall(r"[^\W_]+|[^\w\s]", text))

    for table, form in (("frame", "{text}"), ("chunks", "{text}"), ("turns", "{role}: {text}")):
        assert [row["tokens"] for row in rows(table)] == [counted(form.format(**row)) for row in rows(table)]
    assert [row["tokens"] for row in rows("items")] == [
        counted(f"{row['kind']}: {row['text']}") for row in rows("items")
    ]
    assert [row["tokens"] for row in rows("episodes")] == [counted(row["text"]) for row in rows("episodes")]


def test_a_prompt_s_digest_is_that_of_its_parts_joined_by_newlines() -> None:
    prompts: dict[tuple[str, int], list[str]] = defaultdict(list)
    for part in sorted(rows("prompts"), key=lambda row: row["position"]):
        prompts[part["policy"], part["request"]].append(part["text"])
    assert {(row["policy"], row["request"]): row["prompt_digest"] for row in rows("requests")} == {
        key: hashlib.sha256("\n".join(texts).encode()).hexdigest() for key, texts in prompts.items()
    }


def test_demotion_keeps_what_truncation_loses_and_does_not_always_recall_it() -> None:
    found = {
        policy: [row for row in rows("recall") if row["policy"] == policy]
        for policy in ("demotion", "truncation")
    }
    lost = {row["item"] for row in rows("preservation") if row["due"] and not row["in_memory"]}
    assert all(row["in_memory"] for row in found["demotion"])
    assert {row["item"] for row in found["demotion"] if not row["in_prompt"]}
    assert {row["item"] for row in found["truncation"] if not row["in_memory"]} <= lost


@pytest.fixture(scope="module")
def shares() -> dict[str, tuple[int, int]]:
    """Numerator and denominator of each share, counted row by row."""
    requests, prompts, log = rows("requests"), rows("prompts"), rows("retrievals")
    pinned = [row for row in log if row["pinned"]]
    frame = [line["text"] for line in rows("frame")]
    starts = Counter(
        (part["policy"], part["request"])
        for part in prompts
        if part["text"] in frame[part["position"] - 1 :][:1]
    )
    taken = {
        (row["policy"], row["request"], row["tier"], row["candidate"]) for row in log if row["retrieved"]
    }
    stored = [
        (part["policy"], part["request"], part["tier"], part["part"])
        for part in prompts
        if part["tier"] in ("episodic", "semantic")
    ]
    due = [row for row in rows("preservation") if row["due"] and row["evicted_at"] is not None]
    pairs = [
        (newer, older)
        for newer, older in permutations([row for row in log if not row["pinned"]], 2)
        if newer["recency"] > older["recency"]
        and all(newer[name] == older[name] for name in ("policy", "request", "tier", "similarity"))
    ]
    return {
        "prompts_under_the_ceiling": (sum(row["prompt_tokens"] <= 540 for row in requests), len(requests)),
        "frames_whole": (sum(count == len(frame) for count in starts.values()), len(requests)),
        "replays_alike": (
            sum(row["replay_digest"] == row["prompt_digest"] for row in requests),
            len(requests),
        ),
        "parts_through_retrieval": (sum(part in taken for part in stored), len(stored)),
        "evicted_turns_in_an_episode": (
            sum(row["episodes"] == 1 for row in rows("evictions")),
            len(rows("evictions")),
        ),
        "items_preserved": (sum(row["in_memory"] for row in due), len(due)),
        "needed_items_in_memory": (sum(row["in_memory"] for row in rows("recall")), len(rows("recall"))),
        "needed_items_in_prompt": (sum(row["in_prompt"] for row in rows("recall")), len(rows("recall"))),
        "pinned_retrieved": (sum(row["retrieved"] for row in pinned), len(pinned)),
        "pinned_retrieved_by_score": (sum(row["retrieved_by_score"] for row in pinned), len(pinned)),
        "newer_ranked_first": (sum(newer["rank"] < older["rank"] for newer, older in pairs), len(pairs)),
    }


def test_a_share_is_what_its_rows_add_up_to(shares: dict[str, tuple[int, int]], tables: Any) -> None:
    found = {}
    for name in shares:
        metric = load(name)
        assert isinstance(metric, SQLMetric)
        [found[name]] = tables.execute(metric.sql).fetchall()
    assert found == shares


def test_tokens_of_prompts_are_those_of_their_parts(tables: Any) -> None:
    for name, expected in (
        ("assembled_tokens", sum(part["tokens"] for part in rows("prompts"))),
        ("everything_tokens", sum(row["everything_tokens"] for row in rows("requests"))),
    ):
        metric = load(name)
        assert isinstance(metric, SQLMetric)
        assert tables.execute(metric.sql).fetchall() == [(expected,)]
