"""Cases behind a number, and the interval beside it."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.audit.guarded import PACKAGES, about, real, tiny
from tests.build import claim
from tieout.audit.intervals import Z, cases, picks, wilson

RATE = {"metric": "success_rate", "where": {"trials": "all"}}


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_at_wilsons_ends_the_share_lies_z_standard_errors_away(counts: tuple[int, int]) -> None:
    successes, trials = counts
    share = successes / trials
    low, high = wilson(successes, trials)
    assert 0 <= low <= share <= high <= 1
    for end in (low, high):
        if 0 < end < 1:
            assert abs(share - end) == pytest.approx(Z * math.sqrt(end * (1 - end) / trials), rel=1e-9)


def test_wilsons_interval_of_no_success_is_the_known_one() -> None:
    # with no success the upper end is z² / (n + z²)
    low, high = wilson(0, 10)
    assert low == 0.0
    assert high == pytest.approx(Z * Z / (10 + Z * Z))


def test_a_share_of_cases_with_one_row_each_has_wilsons_interval() -> None:
    with real("part-ii") as ledgers:
        found = cases(ledgers.room, ledgers["embedding-1600-accepted"])
    assert found is not None
    assert (found.rows, found.cases, found.rows_a_case) == (20, 20, (1, 1))
    assert found.groups["album"] == 4
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == wilson(18, 20)


def test_repeats_of_a_case_are_no_new_cases(tmp_path: Path) -> None:
    frame = pd.read_parquet(PACKAGES / "tau-bench-airline" / "receipts" / "trials.parquet")
    by_task = frame.groupby("task_id")["success"].agg(["sum", "count"]).sort_index()
    order = sorted(range(len(by_task)), key=lambda index: repr((by_task.index[index].item(),)))
    sums = by_task.to_numpy()[order]
    chosen = sums[np.array(picks(len(sums)))].sum(axis=1)
    shares = np.sort(chosen[:, 0] / chosen[:, 1])
    with about("tau-bench-airline", tmp_path, claim("rate", "0.42", **RATE)) as ledger:
        found = cases(ledger.room, ledger["rate"])
    assert found is not None
    assert (found.rows, found.cases, found.rows_a_case) == (200, 50, (4, 4))
    assert found.interval is not None
    assert found.interval.method == "percentile bootstrap over 50 cases, 1000 resamples, seed 1934"
    assert (found.interval.low, found.interval.high) == (shares[24], shares[974])


def test_a_macro_mean_is_resampled_by_its_cases() -> None:
    answers = pd.read_parquet(PACKAGES / "album-memory-1" / "receipts" / "answers.parquet")
    chosen = answers[answers["policy"] == "summary"]
    means = chosen.groupby(["album", "question_id"])["coverage"].mean()
    ordered = sorted(((album, question), value) for (album, question), value in means.items())
    values = []
    for pick in picks(len(ordered)):
        drawn = pd.DataFrame(
            [(ordered[each][0][0], ordered[each][1]) for each in pick], columns=["album", "mean"]
        )
        values.append(drawn.groupby("album")["mean"].mean().mean())
    values.sort()
    with real("part-i") as ledgers:
        found = cases(ledgers.room, ledgers["coverage-summary"])
    assert found is not None
    assert (found.cases, found.rows_a_case) == (12, (3, 3))
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == pytest.approx((values[24], values[974]))


def test_resamples_are_the_same_each_time_and_hold_every_case() -> None:
    first = picks(7)
    picks.cache_clear()
    assert picks(7) == first
    assert len(first) == 1_000
    assert {len(pick) for pick in first} == {7}
    assert set().union(*first) == set(range(7))


def test_a_count_is_no_estimate(tmp_path: Path) -> None:
    with tiny(tmp_path, claim("count", "8", metric="trial_count", where={"trials": "all"})) as ledger:
        found = cases(ledger.room, ledger["count"])
    assert found is not None
    assert (found.interval, found.because) == (None, "a count of these rows is no estimate")


def test_one_case_has_no_spread(tmp_path: Path) -> None:
    with tiny(
        tmp_path, claim("one", "3/4", metric="success_rate", where={"trials": {"task_id": "a"}})
    ) as ledger:
        found = cases(ledger.room, ledger["one"])
        assert ledger["one"].recomputed.value.value == Fraction(3, 4)
    assert found is not None
    assert (found.cases, found.interval, found.because) == (1, None, "one case has no spread")


def test_a_ratio_that_some_resamples_leave_undefined_has_no_interval(tmp_path: Path) -> None:
    per_failure = claim(
        "per-failure",
        "1608",
        sql="SELECT sum(input_tokens) AS numerator, count(*) FILTER (WHERE NOT success) AS denominator FROM trials",
        where={"trials": "all"},
        unit="tokens",
        combine="ratio",
    )
    without_a = sum("a" not in {"ab"[each] for each in pick} for pick in picks(2))
    with tiny(tmp_path, per_failure) as ledger:
        found = cases(ledger.room, ledger["per-failure"])
    assert found is not None
    assert found.because == f"undefined in {without_a} of 1000 resamples of the cases"
