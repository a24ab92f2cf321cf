"""The held-out threshold is the most accepted elsewhere; ties are broken as stated, and shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import ROOT
from tieout.importers.parquet import read
from tieout.instruments import InstrumentRefused
from tieout.instruments.threshold_selection import run

Key = tuple[str, int]


def trajectories(results: dict[Key, tuple[int, int]]) -> list[dict[str, object]]:
    """For each album and threshold: accepted answers of ten, and the tokens of each of them."""
    return [
        {
            "album": album,
            "policy": "adaptive",
            "threshold": threshold,
            "answerable": True,
            "accepted": number < accepted,
            "input_tokens": tokens - 1,
            "output_tokens": 1,
        }
        for (album, threshold), (accepted, tokens) in results.items()
        for number in range(10)
    ]


CASES = trajectories(
    {
        ("a", 2): (5, 300),
        ("a", 3): (5, 100),
        ("a", 4): (5, 200),
        ("b", 2): (7, 100),
        ("b", 3): (6, 100),
        ("b", 4): (7, 90),
        ("c", 2): (0, 50),
        ("c", 3): (1, 40),
        ("c", 4): (0, 60),
    }
)


def chosen(tie_break: str | None) -> dict[object, object]:
    parameters = {"policy": "adaptive"} | ({"tie_break": tie_break} if tie_break else {})
    return {row["held_out_album"]: row["threshold"] for row in run({"trajectories": CASES}, parameters, None)}


def test_the_most_accepted_elsewhere_is_chosen_and_the_held_out_album_is_not_looked_at() -> None:
    # without c: b decides, 2 and 4 with twelve each; without a: all have seven; without b: 3 has six, the others five
    rows = run({"trajectories": CASES}, {"policy": "adaptive", "tie_break": "lowest-threshold"}, None)
    assert rows == [
        {
            "held_out_album": "a",
            "threshold": 2,
            "accepted_elsewhere": 7,
            "tokens_elsewhere": 1500,
            "tied": 3,
            "lowest_tied": 2,
            "highest_tied": 4,
        },
        {
            "held_out_album": "b",
            "threshold": 3,
            "accepted_elsewhere": 6,
            "tokens_elsewhere": 1400,
            "tied": 1,
            "lowest_tied": 3,
            "highest_tied": 3,
        },
        {
            "held_out_album": "c",
            "threshold": 2,
            "accepted_elsewhere": 12,
            "tokens_elsewhere": 4000,
            "tied": 2,
            "lowest_tied": 2,
            "highest_tied": 4,
        },
    ]


def test_ties_go_to_the_fewest_tokens_unless_another_rule_is_named() -> None:
    assert chosen(None) == chosen("fewest-tokens") == {"a": 3, "b": 3, "c": 4}
    assert chosen("lowest-threshold") == {"a": 2, "b": 3, "c": 2}
    assert chosen("highest-threshold") == {"a": 4, "b": 3, "c": 4}


def test_acceptance_counts_answerable_cases_and_tokens_count_all() -> None:
    more = [{**row, "album": "b", "answerable": False, "accepted": True} for row in CASES[:10]]
    rows = run({"trajectories": CASES + more}, {"policy": "adaptive"}, None)
    assert rows[0] == {
        "held_out_album": "a",
        "threshold": 3,
        "accepted_elsewhere": 7,
        "tokens_elsewhere": 1400,
        "tied": 3,
        "lowest_tied": 2,
        "highest_tied": 4,
    }


def test_other_policies_do_not_count() -> None:
    other = [{**row, "policy": "full", "threshold": 9} for row in CASES]
    assert run({"trajectories": CASES + other}, {"policy": "adaptive"}, None) == run(
        {"trajectories": CASES}, {"policy": "adaptive"}, None
    )


def test_the_study_s_albums_choose_by_their_tie_break_alone() -> None:
    path = Path(ROOT / "artifacts/packages/album-memory-2/receipts/trajectories.parquet")
    rows = run({"trajectories": read(path)}, {"policy": "adaptive"}, None)
    assert [(row["held_out_album"], row["threshold"], row["tied"]) for row in rows] == [
        ("beatles", 3, 3),
        ("natalia", 3, 3),
        ("rhcp", 4, 3),
        ("roach", 3, 3),
    ]


@pytest.mark.parametrize(
    ("parameters", "seed", "message"),
    [
        ({}, None, "policy: expected text, found None"),
        ({"policy": "full"}, None, "policy 'full': needs at least two albums to leave one out"),
        ({"policy": "adaptive"}, 1, "draws nothing at random: takes no seed"),
        (
            {"policy": "adaptive", "ties": "x"},
            None,
            "no parameter 'ties': the parameters are policy, tie_break",
        ),
        (
            {"policy": "adaptive", "tie_break": "best"},
            None,
            "tie_break: expected one of fewest-tokens, lowest-threshold, highest-threshold, found 'best'",
        ),
    ],
)
def test_what_has_no_answer_is_refused(parameters: dict[str, object], seed: int | None, message: str) -> None:
    with pytest.raises(InstrumentRefused) as caught:
        run({"trajectories": CASES}, parameters, seed)
    assert str(caught.value) == message


def test_a_threshold_that_was_not_run_everywhere_is_refused() -> None:
    some = [row for row in CASES if (row["album"], row["threshold"]) != ("b", 4)]
    with pytest.raises(InstrumentRefused) as caught:
        run({"trajectories": some}, {"policy": "adaptive"}, None)
    assert str(caught.value) == "threshold 4 was not run on album 'b'"
