"""The sentence that the machine writes about a claim."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.audit.guarded import Guarded, real, tiny
from tests.build import claim
from tieout.audit.meaning import meaning

ALL: Mapping[str, Any] = {"trials": "all"}


@pytest.fixture(scope="module")
def part_ii() -> Iterator[Guarded]:
    with real("part-ii") as ledgers:
        yield ledgers


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "embedding-1600-accepted",
            (
                "share of `accepted`, judged by online-verifier (gpt-4.1-mini-2025-04-14) outside the loop, over 20 of "
                "504 trajectories, where policy is embedding and cap is 1600 and `answerable`"
            ),
        ),
        (
            "adaptive-accepted",
            (
                "share of `accepted`, judged by online-verifier (gpt-4.1-mini-2025-04-14) in the loop, over 20 of 504 "
                "trajectories, where policy is adaptive and threshold is 3 and `answerable`"
            ),
        ),
        (
            "adaptive-tokens",
            (
                "mean of `input_tokens + output_tokens` (tokens), over 24 of 504 trajectories, where policy is "
                "adaptive and threshold is 3"
            ),
        ),
        (
            "adaptive-to-embedding-tokens",
            (
                "the value of `adaptive / embedding`, where `adaptive` is claim adaptive-tokens; `embedding` is claim "
                "embedding-1600-tokens"
            ),
        ),
    ],
)
def test_real_claims_are_told_from_their_queries(part_ii: Guarded, name: str, expected: str) -> None:
    assert meaning(part_ii.room, part_ii[name]) == expected


OWN = {
    "count": ("SELECT count(*) AS count FROM trials", "sum", ALL, "number of rows, over all 8 trials"),
    "distinct": (
        "SELECT count(DISTINCT task_id) AS count FROM trials",
        "sum",
        {"trials": {"input_tokens": {"at_least": 101, "below": 301}}},
        (
            "number of distinct `task_id`, over 6 of 8 trials, where input_tokens is at least 101 and input_tokens is "
            "below 301"
        ),
    ),
    "strata": (
        "SELECT policy, sum(input_tokens) AS numerator, count(*) AS denominator FROM trials GROUP BY policy",
        "max",
        {"trials": {"user_cost": {"not": None}}},
        (
            "largest over `policy` of the mean of `input_tokens` (tokens), over 7 of 8 trials, "
            "where user_cost is not unknown"
        ),
    ),
    "typed": (
        "SELECT 7 + 0 * count(*) AS numerator, 8 AS denominator FROM trials",
        "ratio",
        {"trials": [{"policy": "plain"}, {"task_id": ["a", "b"], "trial": 1}]},
        (
            "value of `7 + 0 * COUNT(*)` over the number 8 written in the query, over 6 of 8 trials, where "
            "(policy is plain) or (task_id is a or b and trial is 1)"
        ),
    ),
}


@pytest.mark.parametrize("name", OWN)
def test_a_query_of_ones_own_is_told_as_it_is_written(tmp_path: Path, name: str) -> None:
    sql, combine, where, expected = OWN[name]
    with tiny(tmp_path, claim(name, sql=sql, combine=combine, where=where, unit="x")) as ledger:
        assert meaning(ledger.room, ledger[name]) == expected


def test_an_evaluator_in_the_loop_of_some_rows_is_told_with_them(tmp_path: Path) -> None:
    rate = claim("rate", metric="success_rate", where=ALL)
    with tiny(tmp_path, rate) as ledger:
        assert meaning(ledger.room, ledger["rate"]) == (
            "share of `success`, judged by judge in the loop where policy is retry, over all 8 trials"
        )


def test_parameters_and_the_assertion_are_told(tmp_path: Path) -> None:
    chance = claim("chance", metric="pass_hat_k", where=ALL, params={"k": 2})
    sure = claim("sure", "always", asserts="chance == 1", from_={"chance": "chance"})
    with tiny(tmp_path, chance, sure) as ledger:
        assert meaning(ledger.room, ledger["chance"]).endswith(", over all 8 trials, with k = 2")
        said = meaning(ledger.room, ledger["sure"])
    assert said == (
        "whether `chance == 1`, judged by judge in the loop where policy is retry, where `chance` is claim chance"
    )
