"""How few rows decide a printing, and whether a value depends on its rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from tests.audit.guarded import Guarded, real, tiny
from tests.build import ROWS, claim
from tieout.audit.fragility import Fewest, fragility
from tieout.printed import compare, read

Row = Mapping[str, Any]
Ratio = Callable[[Sequence[Row]], tuple[int, int]]
ALL: Mapping[str, Any] = {"trials": "all"}

# Each claim over all eight trials: its SQL, its numerator and denominator in Python, and what is printed.
CLAIMS: Mapping[str, tuple[str, Ratio, tuple[str, ...]]] = {
    "share": (
        "SELECT count(*) FILTER (WHERE success) AS numerator, count(*) AS denominator FROM trials",
        lambda rows: (sum(row["success"] for row in rows), len(rows)),
        ("87.5%", "88%", "0.9", "at least 50%", "more than half", "at most 95%", "7/8"),
    ),
    "mean": (
        "SELECT sum(input_tokens) AS numerator, count(*) AS denominator FROM trials",
        lambda rows: (sum(row["input_tokens"] for row in rows), len(rows)),
        ("201", "at least 130", "at least 110", "at most 290", "0.2K"),
    ),
    "per-success": (
        "SELECT sum(input_tokens) AS numerator, count(*) FILTER (WHERE success) AS denominator FROM trials",
        lambda rows: (sum(row["input_tokens"] for row in rows), sum(row["success"] for row in rows)),
        ("229.7", "at most 300", "at least 200"),
    ),
    "ratio": (
        "SELECT sum(cached_input_tokens) AS numerator, sum(input_tokens) AS denominator FROM trials",
        lambda rows: (
            sum(row["cached_input_tokens"] for row in rows),
            sum(row["input_tokens"] for row in rows),
        ),
        ("1.2%", "at least 1%", "at most 10%"),
    ),
}
COUNTED: Mapping[str, tuple[str, Callable[[Sequence[Row]], int], tuple[str, ...]]] = {
    "count": (
        "SELECT count(*) AS count FROM trials",
        len,
        ("8", "at least 5", "at least one"),
    ),
    "sum": (
        "SELECT sum(input_tokens) AS count FROM trials",
        lambda rows: sum(row["input_tokens"] for row in rows),
        ("1,608", "1.6K", "2K", "at least 600"),
    ),
}


def value(name: str, rows: Sequence[Row]) -> tuple[Fraction | None, int | None, int | None]:
    if name in COUNTED:
        total = COUNTED[name][1](rows)
        # the sum of no rows is null
        return (None if name == "sum" and not rows else Fraction(total)), None, None
    numerator, denominator = CLAIMS[name][1](rows)
    return (Fraction(numerator, denominator) if denominator else None), numerator, denominator


def stops(name: str, text: str, rows: Sequence[Row]) -> bool:
    found, numerator, denominator = value(name, rows)
    return compare(read(text), found, numerator=numerator, denominator=denominator).verdict != "ties"


def deleted(rows: Sequence[Row], chosen: Iterable[int]) -> list[Row]:
    out = set(chosen)
    return [row for index, row in enumerate(rows) if index not in out]


def flipped(rows: Sequence[Row], chosen: Iterable[int]) -> list[Row]:
    out = set(chosen)
    return [{**row, "success": not row["success"]} if index in out else row for index, row in enumerate(rows)]


def brute_force(
    name: str, text: str, change: Callable[[Sequence[Row], Iterable[int]], list[Row]]
) -> int | None:
    """The fewest rows by trying every set of them."""
    for size in range(1, len(ROWS) + 1):
        if any(stops(name, text, change(ROWS, chosen)) for chosen in combinations(range(len(ROWS)), size)):
            return size
    return None


@pytest.fixture(scope="module")
def eight(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    claims = []
    for name, (sql, _, texts) in {**CLAIMS, **COUNTED}.items():
        combine = "sum" if name in COUNTED else "ratio"
        more: dict[str, Any] = {"sql": sql, "where": ALL, "unit": "x", "combine": combine}
        claims.append(claim(name, **more) | {"printings": [{"text": text} for text in texts]})
    with tiny(tmp_path_factory.mktemp("eight"), *claims) as ledger:
        yield ledger


@pytest.mark.parametrize("name", [*CLAIMS, *COUNTED])
def test_the_fewest_rows_are_those_that_trying_every_set_finds(eight: Guarded, name: str) -> None:
    subject = eight[name]
    found = fragility(eight.room, subject)
    texts = ({**CLAIMS, **COUNTED})[name][2]
    assert [text for text, _ in found.printings] == list(texts), "each printing ties as it stands"
    for text, fewest in found.printings:
        by_change = {each.change: each for each in fewest}
        assert by_change["deleted"].rows == brute_force(name, text, deleted), text
        assert by_change["deleted"].of == 8
        if "flipped success" in by_change:
            assert by_change["flipped success"].rows == brute_force(name, text, flipped), text
        assert all(each.exact for each in fewest)


def test_flips_are_tried_of_outcomes_that_the_query_reads(eight: Guarded) -> None:
    def changes(name: str) -> list[str]:
        return [each.change for each in fragility(eight.room, eight[name]).movement.rows]

    assert changes("share") == ["deleted", "flipped success"]
    assert changes("mean") == ["deleted"]


def test_a_filter_on_the_outcome_sees_flipped_rows_come_and_go(tmp_path: Path) -> None:
    failures = claim("failures", "1", metric="trial_count", where={"trials": {"success": False}})
    with tiny(tmp_path, failures) as ledger:
        found = fragility(ledger.room, ledger["failures"])
    [(_, fewest)] = found.printings
    assert [(each.change, each.rows, each.of) for each in fewest] == [
        ("deleted", 1, 1),
        ("flipped success", 1, 8),
    ]
    assert [(each.change, each.moved) for each in found.movement.rows] == [
        ("deleted", 1),
        ("flipped success", 8),
    ]


HOLLOW = {
    "dressed": (
        "SELECT 7 + 0 * count(*) AS numerator, 8 + 0 * count(*) AS denominator FROM trials",
        "ratio",
        "7/8",
    ),
    "rows-of-it": ("SELECT 7 AS numerator, 8 AS denominator FROM trials", "ratio", "87.5%"),
    "largest": ("SELECT max(7) AS count FROM trials", "sum", "7"),
    "cancelled": ("SELECT 8 * count(*) - 8 * count(*) + 7 AS count FROM trials", "sum", "7"),
}


@pytest.mark.parametrize("name", HOLLOW)
def test_a_constant_in_the_dress_of_a_query_moves_with_no_row(tmp_path: Path, name: str) -> None:
    sql, combine, text = HOLLOW[name]
    with tiny(tmp_path, claim(name, text, sql=sql, where=ALL, unit="x", combine=combine)) as ledger:
        subject = ledger[name]
        found = fragility(ledger.room, subject)
    assert subject.result.verdict == "ties"
    assert found.movement.hollow
    assert {each.moved for each in found.movement.rows} == {0}


def test_what_no_single_row_moves_is_not_hollow_for_that(tmp_path: Path) -> None:
    # every trial under `retry` succeeds: dropping any leaves 100%
    all_of = claim("all", "100%", metric="success_rate", where={"trials": {"policy": "retry"}})
    tasks = claim("tasks", "2", metric="task_count", where=ALL)
    with tiny(tmp_path, all_of, tasks) as ledger:
        of_share = fragility(ledger.room, ledger["all"]).movement
        of_count = fragility(ledger.room, ledger["tasks"]).movement
    assert [(each.change, each.moved, each.of) for each in of_share.rows] == [
        ("deleted", 0, 4),
        ("flipped success", 4, 4),
    ]
    assert not of_share.hollow
    assert not of_count.hollow


def test_a_query_that_depends_on_the_order_of_rows_is_found_out(tmp_path: Path) -> None:
    first = claim(
        "first",
        "100",
        sql="SELECT input_tokens AS count FROM trials LIMIT 1",
        where=ALL,
        unit="tokens",
        combine="sum",
    )
    with tiny(tmp_path, first, claim("rate", "7/8", metric="success_rate", where=ALL)) as ledger:
        assert fragility(ledger.room, ledger["first"]).movement.shuffled is False
        assert fragility(ledger.room, ledger["rate"]).movement.shuffled is True


def test_a_query_that_is_no_sum_is_tried_on_sets_of_rows(tmp_path: Path) -> None:
    with tiny(tmp_path, claim("tasks", "2", metric="task_count", where=ALL)) as ledger:
        [(_, [fewest])] = fragility(ledger.room, ledger["tasks"]).printings
    # each task has four rows
    assert (fewest.rows, fewest.of, fewest.exact) == (4, 8, False)


def test_a_formula_and_an_assertion_are_judged_by_their_own_values(tmp_path: Path) -> None:
    both = {"plain": "plain", "retry": "retry"}
    more = claim("more", "more", asserts="retry > plain", from_=both)
    times = claim("times", "2.95×", formula="retry / plain", from_=both)
    mean: dict[str, Any] = {
        "sql": "SELECT sum(input_tokens) AS numerator, count(*) AS denominator FROM trials",
        "unit": "tokens",
        "combine": "ratio",
    }
    inputs = [claim(name, **mean, where={"trials": {"policy": name}}) for name in ("plain", "retry")]
    with tiny(tmp_path, *inputs, more, times) as ledger:
        of_more = fragility(ledger.room, ledger["more"])
        of_times = fragility(ledger.room, ledger["times"])
    [(_, [fewest])] = of_more.printings
    # without any row of one policy its mean is undefined, and nothing is left to compare; fewer never do it
    assert (fewest.rows, fewest.of) == (4, 8)
    assert not fewest.exact
    assert [each.moved for each in of_more.movement.rows] == [8]
    [(_, [single])] = of_times.printings
    one_less = [
        Fraction(1201, 4) / Fraction(sum(chosen), 3) for chosen in combinations((100, 101, 102, 104), 3)
    ]
    assert any(compare(read("2.95×"), each).verdict != "ties" for each in one_less)
    assert (single.rows, single.exact) == (1, True)


def test_only_printings_that_tie_are_looked_at(tmp_path: Path) -> None:
    with tiny(tmp_path, claim("off", "50%", metric="success_rate", where=ALL)) as ledger:
        assert fragility(ledger.room, ledger["off"]).printings == ()


def test_on_a_real_share_one_answer_decides_the_printed_percentage() -> None:
    # 18 of 20 prints as 90%; 17 of 19 is 89.5 %, which rounds to 89%, and 17 of 20 is 85 %
    with real("part-ii-tables") as ledgers:
        found = fragility(ledgers.room, ledgers["glance.embedding-1600.accepted"])
    changes = {(text, each.change): each for text, fewest in found.printings for each in fewest}
    assert isinstance(changes["90%", "deleted"], Fewest)
    assert (changes["90%", "deleted"].rows, changes["90%", "deleted"].of) == (1, 20)
    assert (changes["90%", "flipped accepted"].rows, changes["90%", "flipped accepted"].of) == (1, 20)
    assert found.movement.shuffled is True
    assert not found.movement.hollow
