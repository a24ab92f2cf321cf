"""Each filter taken away: what it does to the value, and how the rows it drops fared."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pandas as pd

from tests.audit.guarded import PACKAGES, about, real, tiny
from tests.build import claim
from tieout.audit.ablation import ablations

KNOWN = {"trials": {"user_cost": {"not": None}}}


def test_dropping_unknown_costs_raises_the_success_rate(tmp_path: Path) -> None:
    frame = pd.read_parquet(PACKAGES / "tau-bench-airline" / "receipts" / "trials.parquet")
    known, unknown = frame[frame["user_cost"].notna()], frame[frame["user_cost"].isna()]
    whole = Fraction(int(frame["success"].sum()), len(frame))
    share = Fraction(int(known["success"].sum()), len(known))
    assert share > whole
    with about(
        "tau-bench-airline",
        tmp_path,
        claim("known", f"{float(share):.3f}", metric="success_rate", where=KNOWN),
    ) as ledger:
        subject = ledger["known"]
        [found] = ablations(ledger.room, subject)
    assert subject.recomputed.value.value == share
    assert found.value.value == whole
    assert (found.kept, found.dropped) == (len(known), len(unknown))
    assert found.marks == ("cost", "nullable")
    success = next(rate for rate in found.rates if rate.column == "success")
    assert success.kept == share
    assert success.dropped == Fraction(int(unknown["success"].sum()), len(unknown))


def test_a_filter_on_the_outcome_itself_is_marked(tmp_path: Path) -> None:
    filtered = claim("filtered", "100%", metric="success_rate", where={"trials": {"success": True}})
    with tiny(tmp_path, filtered) as ledger:
        [found] = ablations(ledger.room, ledger["filtered"])
    assert (found.source, found.term, found.marks) == ("where", "success = TRUE", ("outcome",))
    assert (found.kept, found.dropped, found.value.value) == (7, 1, Fraction(7, 8))
    [rate] = found.rates
    assert (rate.column, rate.evaluator) == ("success", "judge")
    assert (rate.kept, rate.dropped) == (Fraction(1), Fraction(0))


def test_a_filter_in_the_text_of_a_query_is_found_too(tmp_path: Path) -> None:
    tailored = claim(
        "tailored",
        "100%",
        sql=(
            "SELECT count(*) FILTER (WHERE success) AS numerator, count(*) AS denominator FROM trials "
            "WHERE user_cost IS NOT NULL AND trial < 9"
        ),
        where={"trials": {"policy": "plain"}},
        unit="trials",
        combine="ratio",
    )
    with tiny(tmp_path, tailored) as ledger:
        policy, cost, trial = ablations(ledger.room, ledger["tailored"])
    assert (policy.source, policy.value.value) == ("where", Fraction(1))
    assert (cost.source, cost.marks) == ("metric", ("cost", "nullable"))
    assert (cost.value.value, cost.kept, cost.dropped) == (Fraction(3, 4), 3, 1)
    assert (trial.source, trial.marks, trial.value.value, trial.dropped) == ("metric", (), Fraction(1), 0)


def test_a_filter_on_usage_is_marked_wherever_it_stands(tmp_path: Path) -> None:
    # without the one trial of 101 tokens, which fails, 3 of 4 become 3 of 3
    picked = claim(
        "picked",
        "100%",
        metric="success_rate",
        where={"trials": {"policy": "plain", "input_tokens": {"not": 101}}},
    )
    rate = "SELECT count(*) FILTER (WHERE success) AS numerator, count(*) AS denominator FROM trials"
    own = claim(
        "own",
        "100%",
        sql=f"{rate} WHERE input_tokens <> 101",
        where={"trials": {"policy": "plain"}},
        unit="trials",
        combine="ratio",
    )
    with tiny(tmp_path, picked, own) as ledger:
        for name in ("picked", "own"):
            [found] = [each for each in ablations(ledger.room, ledger[name]) if "input_tokens" in each.term]
            assert (found.marks, found.value.value) == (("usage",), Fraction(3, 4))
            assert (found.kept, found.dropped) == (3, 1)


def test_alternatives_are_one_filter(tmp_path: Path) -> None:
    either = claim(
        "either", "3/4", metric="success_rate", where={"trials": [{"policy": "plain"}, {"success": False}]}
    )
    with tiny(tmp_path, either) as ledger:
        [found] = ablations(ledger.room, ledger["either"])
    assert (found.value.value, found.kept, found.dropped, found.marks) == (Fraction(7, 8), 4, 4, ("outcome",))


def test_a_formula_over_claims_has_no_filters_of_its_own() -> None:
    with real("part-ii") as ledgers:
        assert ablations(ledgers.room, ledgers["adaptive-to-embedding-tokens"]) == []
