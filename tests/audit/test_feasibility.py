"""Printings that nobody can recompute: k of n, parts of totals, ratios of parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import comb
from pathlib import Path
from typing import Any

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
        "if it is of as many as results.airline-gpt-4o.pass4: means of 50 values that move in steps of 1"
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
        ("grim", True, 7, "the claim states 20"),
        ("no", False, None, "the claim states 20"),
    ]
    assert found.untested == 2


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
            says="use: row total is the sum of the others",
            follow=("use.total.calls",),
            do_not=("use.total.tokens",),
        ),
    )


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
        says="cost: each = tokens / accepted",
        follow=("cost.a.each", "cost.b.each", "cost.c.each"),
        do_not=("cost.d.each",),
    )


def test_what_is_recomputed_is_not_tested_again(tmp_path: Path) -> None:
    claims = [claim("rate", "75%"), claim("pair", "3/4")]
    assert found_in(tmp_path, claims) == Feasibility(granular=(), totals=(), ratios=(), untested=0)
