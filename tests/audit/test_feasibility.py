"""Printings that nobody can recompute: k of n, parts of totals, ratios of parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import comb
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.audit.opened import opened, tiny
from tests.build import claim
from tests.conftest import ROOT
from tieout.audit.feasibility import Feasibility, Follows, _multiple, feasibility
from tieout.printed import compare, read

LOST = {"kind": "not-recomputable", "because": "the logs were lost"}


def found_in(
    root: Path, claims: Sequence[Mapping[str, Any]], grids: Sequence[Mapping[str, Any]] = ()
) -> Feasibility:
    with tiny(root, claims, grids) as (book, _, bench):
        return feasibility(book, bench)


def grid(
    name: str, rows: Sequence[str], columns: Sequence[str], printed: Sequence[str], **more: Any
) -> dict[str, Any]:
    table = "\n".join([" | ".join(["row", *columns]), *printed])
    return {
        "id": name,
        "says": f"Table {name}",
        "rows": {row: {} for row in rows},
        "columns": {column: {} for column in columns},
        "printed": table,
        **(more or LOST),
    }


def possible_means(k: int) -> set[Fraction]:
    """Every pass^k that 50 tasks with 4 trials each can give, found by adding up tasks rather than by steps."""
    per_task = {Fraction(comb(c, k), comb(4, k)) for c in range(5)}
    sums = {Fraction(0)}
    for _ in range(50):
        sums = {a + b for a, b in product(sums, per_task)}
    return {total / 50 for total in sums}


def test_two_rows_of_the_readme_are_not_of_four_trials_of_fifty_tasks() -> None:
    with opened(ROOT / "artifacts" / "ledgers" / "tau-bench-readme") as (report, bench):
        [book] = report.ledgers
        found = feasibility(book, bench)
    assert found.untested == 0
    means = {k: possible_means(k) for k in (1, 2, 3, 4)}
    airline = {one.claim: one for one in found.granular if one.claim.startswith("results.airline")}
    assert len(airline) == 20  # five rows of four numbers
    for name, one in airline.items():
        printed = read(one.text)
        fits = any(compare(printed, mean).verdict == "ties" for mean in means[int(name[-1])])
        assert one.possible is fits, name
    impossible = {name for name, one in airline.items() if not one.possible}
    assert impossible == {
        f"results.airline-sonnet-{version}.pass{k}" for version in (20241022, 20240620) for k in (2, 3, 4)
    }
    last = airline["results.airline-sonnet-20241022.pass4"]
    # 0.225 lies between 11 and 12 of 50
    assert (last.text, last.step, last.below, last.above) == (
        "0.225",
        Fraction(1, 50),
        Fraction(11, 50),
        Fraction(12, 50),
    )
    assert last.because == (
        "if it was counted as results.airline-gpt-4o.pass4 was (means of 50 values that move in steps of 1)"
    )


def test_a_share_of_an_n_that_the_claim_states_is_tested(tmp_path: Path) -> None:
    claims = [
        {**claim("grim", "35%", **LOST), "says": "Share of 20 answers"},
        {**claim("no", "34%", **LOST), "says": "Share of 20 answers"},
        {**claim("fine", "0.4375", **LOST), "says": "Share of the 1,000,000 tokens"},
        {**claim("whole", "7", **LOST), "says": "Count of 20 answers"},
    ]
    found = found_in(tmp_path, claims)
    assert [(one.claim, one.possible, one.k, one.because) for one in found.granular] == [
        ("grim", True, 7, "if it is a share of 20"),
        ("no", False, None, "if it is a share of 20"),
    ]
    assert found.untested == 2


@pytest.mark.parametrize(
    ("says", "text", "supposed"),
    [
        ("Mean citations of 12 answers", "2.40", "if it is a mean of 12 whole numbers"),
        ("Average number of tool calls over 12 trials", "2.40", "if it is a mean of 12 whole numbers"),
        ("Acceptance rate over 12 tasks", "0.40", "if it is a share of 12"),
        ("Proportion of the 12 that pass", "0.40", "if it is a share of 12"),
        ("Accepted, of 12 answers", "40%", "if it is a share of 12"),
    ],
)
def test_only_a_share_or_a_mean_of_counts_is_tested_and_the_finding_says_so(
    tmp_path: Path, says: str, text: str, supposed: str
) -> None:
    # no twelfth is within half a unit of 0.40 or 2.40: the nearest are 5/12 and 29/12
    [found] = found_in(tmp_path, [{**claim("lost", text, **LOST), "says": says}]).granular
    assert (found.possible, found.because) == (False, supposed)


@pytest.mark.parametrize(
    ("says", "text"),
    [
        ("Mean seconds a run took, over 16 runs", "2.34"),
        ("Mean dollars over 40 trials", "$0.37"),
        ("Correlation of 2 judges", "0.83"),
        ("Cohen's kappa among 3 raters", "0.71"),
        ("Agreement of 2 judges", "83%"),
        ("Mean tokens per call over 16 trials", "2.34"),
        ("Mean F1 over 16 questions", "0.34"),
        ("Mean share of tracks cited over 16 answers", "0.34"),
        ("The mean over tasks of the time, n = 16", "2.34"),
        ("Share of tokens spent on the judge over 16 trials", "34%"),
        ("Share of 3 policies over 16 answers", "34%"),
        ("Tokens that are cached, over 16 runs", "34%"),
        ("Speed over 16 trials against that of one", "2.34"),
    ],
)
def test_what_need_not_be_whole_numbers_over_n_is_not_tested(tmp_path: Path, says: str, text: str) -> None:
    found = found_in(tmp_path, [{**claim("lost", text, **LOST), "says": says}])
    assert (found.granular, found.untested) == ((), 1)


def test_an_n_in_the_reason_is_not_the_claim_s(tmp_path: Path) -> None:
    lost = {"kind": "not-recomputable", "because": "it is not of the 20 answers that were kept"}
    assert found_in(tmp_path, [{**claim("lost", "34%", **lost), "says": "Share accepted"}]).granular == ()


@given(n=st.integers(2, 60), k=st.integers(0, 60), decimals=st.integers(1, 4))
def test_what_really_is_k_of_n_is_never_called_impossible(n: int, k: int, decimals: int) -> None:
    k = min(k, n)
    scaled = Fraction(k, n) * 10**decimals
    text = f"{int(scaled + Fraction(1, 2)):0{decimals + 1}d}"
    printed = read(f"{text[:-decimals]}.{text[-decimals:]}")
    assert _multiple("c", printed.text, printed, Fraction(1, n), "stated").possible


def test_a_share_beside_its_pair_must_follow_from_it(tmp_path: Path) -> None:
    claims = [
        {**claim("good", **LOST), "printings": [{"text": "18/20"}, {"text": "90%"}]},
        {**claim("bad", **LOST), "printings": [{"text": "17/20"}, {"text": "90%"}]},
    ]
    assert found_in(tmp_path, claims).ratios == (
        Follows(says="“90%” is 18/20", follow=("good",), do_not=()),
        Follows(says="“90%” is 17/20", follow=(), do_not=("bad",)),
    )


def test_parts_that_do_not_add_up_to_their_total_are_named(tmp_path: Path) -> None:
    table = grid(
        "use",
        ["draft", "judge", "total"],
        ["calls", "tokens"],
        ["draft | 10 | 1,200", "judge | 20 | 3,400", "total | 30 | 4,700"],
    )
    assert found_in(tmp_path, [], [table]).totals == (
        Follows(
            says="row total of use is the sum of the others",
            follow=("use.total.calls",),
            do_not=("use.total.tokens",),
        ),
    )


def test_a_row_of_all_is_a_total_only_where_another_column_bears_it_out(tmp_path: Path) -> None:
    means = grid("means", ["plain", "retry", "all"], ["tokens"], ["plain | 100", "retry | 300", "all | 200"])
    alone = grid("alone", ["plain", "retry", "all"], ["tokens"], ["plain | 100", "retry | 300", "all | 900"])
    counts = grid(
        "counts",
        ["plain", "retry", "all"],
        ["calls", "tokens"],
        ["plain | 10 | 100", "retry | 20 | 300", "all | 30 | 900"],
    )
    [found] = found_in(tmp_path, [], [means, alone, counts]).totals
    assert (found.follow, found.do_not) == (("counts.all.calls",), ("counts.all.tokens",))


@pytest.mark.parametrize("name", ["all", "total"])
def test_what_is_no_greater_than_its_greatest_part_reads_as_a_mean(tmp_path: Path, name: str) -> None:
    table = grid(
        "use",
        ["plain", "retry", name],
        ["calls", "each"],
        ["plain | 10 | 100", "retry | 20 | 300", f"{name} | 30 | 233"],
    )
    [found] = found_in(tmp_path, [], [table]).totals
    assert (found.follow, found.do_not) == ((f"use.{name}.calls",), ())


def test_a_rounded_total_may_differ_from_its_rounded_parts(tmp_path: Path) -> None:
    table = grid("use", ["a", "b", "all"], ["cost"], ["a | 1.4", "b | 1.4", "all | 2.9"])
    [found] = found_in(tmp_path, [], [table]).totals
    assert found.follow == ("use.all.cost",)


def test_a_ratio_that_does_not_follow_from_its_columns_is_named(tmp_path: Path) -> None:
    table = grid(
        "cost",
        ["a", "b", "c", "d"],
        ["tokens", "accepted", "each"],
        ["a | 1,000 | 8 | 125", "b | 2,100 | 9 | 233", "c | 3,000 | 7 | 429", "d | 4,000 | 5 | 700"],
    )
    [found] = found_in(tmp_path, [], [table]).ratios
    assert found == Follows(
        says="each = tokens / accepted in cost",
        follow=("cost.a.each", "cost.b.each", "cost.c.each"),
        do_not=("cost.d.each",),
    )


def test_what_is_recomputed_is_not_tested_again(tmp_path: Path) -> None:
    claims = [claim("rate", "75%"), claim("pair", "3/4")]
    assert found_in(tmp_path, claims) == Feasibility(granular=(), totals=(), ratios=(), untested=0)
