"""Rows become one value without rounding, and what has no value stays without one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tieout.exact import CannotCombine, Rows, Scalar, Value, combine

Stratum = tuple[int, str, int, int]  # repetition-like key, question-like key, numerator, denominator
PAIR = ("outer", "inner", "numerator", "denominator")
INTEGERS = st.integers(-(2**40), 2**40)
KEYS = st.lists(st.tuples(st.integers(0, 3), st.sampled_from("xyz")), min_size=1, max_size=8, unique=True)


@st.composite
def strata(draw: st.DrawFn, *, denominators: st.SearchStrategy[int]) -> list[Stratum]:
    return [(*key, draw(INTEGERS), draw(denominators)) for key in draw(KEYS)]


def rows(columns: Sequence[str], cells: Iterable[Sequence[Scalar]]) -> Rows:
    return Rows(columns=tuple(columns), rows=tuple(tuple(row) for row in cells))


def plain_mean(numbers: Sequence[Fraction]) -> Fraction:
    return sum(numbers, Fraction(0)) / len(numbers)


def by_outer(given: Sequence[Stratum]) -> list[list[Fraction]]:
    groups: dict[int, list[Fraction]] = defaultdict(list)
    for outer, _, numerator, denominator in given:
        groups[outer].append(Fraction(numerator, denominator))
    return list(groups.values())


@given(strata(denominators=st.integers(1, 10**6)))
def test_mean_weighs_the_strata_of_a_level_equally_from_the_last_column_to_the_first(
    drawn: list[Stratum],
) -> None:
    wanted = plain_mean([plain_mean(group) for group in by_outer(drawn)])
    assert combine(rows(PAIR, drawn), "mean").value == wanted


@given(strata(denominators=st.integers(1, 10**6)))
def test_ratio_divides_the_sums(drawn: list[Stratum]) -> None:
    numerator = sum(row[2] for row in drawn)
    denominator = sum(row[3] for row in drawn)
    wanted = Value(value=Fraction(numerator, denominator), numerator=numerator, denominator=denominator)
    assert combine(rows(PAIR, drawn), "ratio") == wanted


@given(strata(denominators=st.integers(1, 10**6)))
def test_range_is_the_least_and_the_most_of_the_strata(drawn: list[Stratum]) -> None:
    shares = [Fraction(row[2], row[3]) for row in drawn]
    found = combine(rows(PAIR, drawn), ("range", "mean"))
    means = [plain_mean(group) for group in by_outer(drawn)]
    assert found.value is None
    assert found.columns == {"low": min(means), "high": max(means)}
    assert combine(
        rows(("key", "numerator", "denominator"), [(i, *r[2:]) for i, r in enumerate(drawn)]), "range"
    ).columns == {
        "low": min(shares),
        "high": max(shares),
    }


@given(KEYS, st.data())
def test_sum_adds_the_counts_of_all_strata(keys: list[tuple[int, str]], data: st.DataObject) -> None:
    counts = [data.draw(INTEGERS) for _ in keys]
    found = combine(
        rows(("outer", "inner", "count"), [(*key, count) for key, count in zip(keys, counts, strict=True)]),
        "sum",
    )
    assert found.value == sum(counts)


@given(
    strata(denominators=st.integers(0, 3)),
    st.randoms(use_true_random=False),
    st.sampled_from(["mean", "ratio", "range"]),
)
def test_the_order_of_rows_never_changes_the_value(drawn: list[Stratum], random: object, how: str) -> None:
    shuffled = list(drawn)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    levels = ("range", "mean") if how == "range" else how
    assert combine(rows(PAIR, shuffled), levels) == combine(rows(PAIR, drawn), levels)


@given(strata(denominators=st.integers(0, 2)))
def test_a_stratum_without_a_value_leaves_the_whole_mean_without_one(drawn: list[Stratum]) -> None:
    found = combine(rows(PAIR, drawn), "mean")
    assert (found.value is None) == any(row[3] == 0 for row in drawn)


def test_a_mean_says_how_many_strata_have_no_value() -> None:
    found = combine(
        rows(("task", "numerator", "denominator"), [("a", 1, 2), ("b", 0, 0), ("c", 1, 1)]), "mean"
    )
    assert found == Value(value=None, reason="undefined in 1 of 3 strata")


def test_a_zero_denominator_gives_no_value_and_keeps_the_integers() -> None:
    found = combine(rows(("numerator", "denominator"), [(5, 0)]), "ratio")
    assert found == Value(value=None, numerator=5, denominator=0, reason="undefined")


def test_what_is_unknown_is_not_undefined() -> None:
    pair = ("task", "numerator", "denominator")
    assert combine(rows(pair[1:], [(5, None)]), "ratio").reason == "null"
    assert combine(rows(pair[1:], [(None, None)]), "ratio").reason == "null"
    unknown = combine(rows(pair, [("a", 1, 2), ("b", None, 2), ("c", 0, 0)]), "mean")
    assert unknown.reason == "null in 2 of 3 strata"
    assert (
        combine(rows(("task", "count"), [("a", 1), ("b", None)]), "mean").reason == "no rows in 1 of 2 strata"
    )


@pytest.mark.parametrize("how", ["sum", ("sum",)])
def test_sum_adds_the_values_of_strata(how: str | tuple[str, ...]) -> None:
    found = combine(rows(("task", "numerator", "denominator"), [("a", 1, 2), ("b", 3, 4)]), how)
    assert found.value == Fraction(5, 4)


def test_a_range_below_another_stratum_column_is_refused() -> None:
    with pytest.raises(CannotCombine, match="a range has no single value"):
        combine(rows(("album", "task", "count"), [("x", "a", 1), ("x", "b", 2)]), ("mean", "range"))


def test_zero_over_something_is_zero() -> None:
    found = combine(rows(("numerator", "denominator"), [(0, 4)]), "ratio")
    assert (found.value, found.reason) == (0, None)


def test_no_rows_give_no_value() -> None:
    assert combine(rows(("numerator", "denominator"), []), "ratio").reason == "no rows"
    assert combine(rows(("task", "count"), []), "mean").reason == "no rows"


def test_the_sum_over_no_rows_that_an_engine_calls_null_is_no_value_and_not_zero() -> None:
    assert combine(rows(("count",), [(None,)]), "sum") == Value(value=None, reason="no rows")
    assert combine(rows(("numerator", "denominator"), [(None, 3)]), "ratio").value is None


@pytest.mark.parametrize("cells", [[(1, 2), (None, 2)], [(None, 2), (1, 2)]])
def test_an_unknown_numerator_leaves_a_ratio_of_sums_without_a_value(
    cells: list[tuple[int | None, int]],
) -> None:
    columns = ("task", "numerator", "denominator")
    found = combine(rows(columns, [(index, *row) for index, row in enumerate(cells)]), "ratio")
    assert found == Value(value=None, reason="null in 1 of 2 rows")


def test_a_count_that_is_null_in_one_row_leaves_the_sum_without_a_value() -> None:
    given = rows(("task", "count"), [("a", 1), ("b", None)])
    assert [combine(given, how).value for how in ("sum", "ratio", "mean")] == [None, None, None]


def test_the_numerator_is_kept_as_counted_and_not_cancelled() -> None:
    found = combine(rows(("numerator", "denominator"), [(18, 20)]), "ratio")
    assert (found.part("value"), found.part("numerator"), found.part("denominator")) == (
        Fraction(9, 10),
        18,
        20,
    )


def test_min_and_max_take_a_stratum() -> None:
    given = rows(("task", "count"), [("a", 3), ("b", -1), ("c", 7)])
    assert (combine(given, "min").value, combine(given, "max").value) == (-1, 7)


def test_a_stratum_may_be_null_and_is_one_stratum() -> None:
    given = rows(("policy", "task", "count"), [(None, "a", 1), (None, "b", 3), ("x", "a", 8)])
    assert combine(given, "mean").value == 5


def test_integers_beyond_64_bits_stay_exact() -> None:
    given = rows(("task", "count"), [("a", 9 * 10**18), ("b", 9 * 10**18)])
    assert combine(given, "sum").value == 18 * 10**18


def test_a_member_is_named_by_its_keys() -> None:
    given = rows(("policy", "cap", "on_frontier"), [("full", 10, 1), ("recent", 10, 0)])
    assert combine(given, "member", member={"policy": "recent"}).value == 0
    assert combine(given, "member", member={"policy": "full", "cap": 10}).value == 1


def test_a_double_enters_as_the_fraction_of_its_bits() -> None:
    found = combine(rows(("low", "high"), [(0.1, 2)]), "single", value_column="low", exact=False)
    assert found.value == Fraction(3602879701896397, 2**55)
    assert (found.exact, found.part("high")) == (False, 2)


FAULTS: list[tuple[Rows, str | tuple[str, ...], dict[str, object], str]] = [
    (
        rows(("total",), [(1,)]),
        "ratio",
        {},
        "the query returns total; its last columns must be numerator and denominator, or count",
    ),
    (rows(("count",), [(1.0,)]), "sum", {}, "column count holds 1.0; a metric returns integers"),
    (rows(("count",), [("1",)]), "ratio", {}, "column count holds '1'; a metric returns integers"),
    (
        rows(("count",), [(1,), (2,)]),
        "mean",
        {},
        "mean combines strata, but the query returns 2 rows and no stratum column",
    ),
    (rows(("task", "count"), [("a", 1)]), ("mean", "mean"), {}, "2 ways to combine for 1 stratum columns"),
    (
        rows(("task", "count"), [("a", 1), ("a", 2)]),
        "mean",
        {},
        "stratum ('a',) has 2 rows; each stratum is one row",
    ),
    (rows(("x",), [(0.5,), (0.5,)]), "single", {}, "exactly one row is needed, the query returns 2"),
    (
        rows(("x",), [(1,)]),
        "single",
        {"value_column": "y"},
        "the metric's value is its column y; the query returns x",
    ),
    (
        rows(("x",), [(0.5,)]),
        "single",
        {},
        "the query returns a DOUBLE, but its metric does not say `exact: false`",
    ),
    (rows(("x",), [(float("nan"),)]), "single", {"exact": False}, "column x holds nan, which is no number"),
    (rows(("x",), [(float("inf"),)]), "single", {"exact": False}, "column x holds inf, which is no number"),
    (
        rows(("policy", "on"), [("a", 1)]),
        "member",
        {},
        "`member` must name one row by policy; it names nothing",
    ),
    (
        rows(("policy", "on"), [("a", 1)]),
        "member",
        {"member": {"cap": 1}},
        "`member` must name one row by policy; it names cap",
    ),
    (
        rows(("policy", "on"), [("a", 1)]),
        "member",
        {"member": {"policy": "b"}},
        "`member` must name one row of the set; it fits 0",
    ),
    (rows(("task", "count"), [("a", 1)]), ("best",), {}, "strata cannot be combined by best"),
]


@pytest.mark.parametrize(("given", "how", "options", "message"), FAULTS)
def test_rows_of_another_form_are_refused(
    given: Rows, how: str | tuple[str, ...], options: dict[str, object], message: str
) -> None:
    with pytest.raises(CannotCombine) as caught:
        combine(given, how, **options)  # type: ignore[arg-type]
    assert str(caught.value) == message
