"""Hints at how a difference may have come about."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tieout.diagnose import diagnose
from tieout.printed import compare, read

# Average of three Pass^2 rates, whose printed forms are 56.6667, 52.1930 and 17.2515.
PASS_2 = (Fraction(17, 30) + Fraction(119, 228) + Fraction(59, 342)) / 3 * 100
PASS_2_FROM_PRINTED = (Fraction("56.6667") + Fraction("52.1930") + Fraction("17.2515")) / 3


@pytest.mark.parametrize(
    ("text", "value", "hint"),
    [
        ("3.7×", "3.79", "It would print so if truncated."),
        ("\u22123.7", "-3.79", "It would print so if truncated."),
        ("0%", "0.0099", "It would print so if truncated."),
        ("13,781", "13781.5", "It would print so if truncated."),
        ("1,600", "1587", "It would print so if rounded to 2 significant digits."),
        ("13,800", "13781.5", "It would print so if rounded to 3 significant digits."),
        ("0.30", "0.296", None),
        ("0.30", "0.29", "It would print so if rounded to 1 significant digit."),
        ("100", "95", "It would print so if rounded to 1 significant digit."),
        ("90", "0.9", "It would print so 100 times as large: a percentage may stand for a proportion."),
        ("0.9%", "0.9", "It would print so 100 times as small: a proportion may stand for a percentage."),
        ("16,892", "8446", "It would print so twice as large: a roll-up may have been counted twice."),
        (
            "25,338",
            "8446",
            "It would print so three times as large: a roll-up may have been counted three times.",
        ),
        ("16,893", "8446", None),
        (".084", "0.0925", None),
        ("\u22123.7", "3.79", None),
        ("5", "0", None),
    ],
)
def test_a_difference_is_explained_where_one_known_slip_gives_it(
    text: str, value: str, hint: str | None
) -> None:
    assert diagnose(read(text), Fraction(value)) == hint


def test_a_number_made_from_rounded_inputs_is_told_as_that() -> None:
    assert compare(read("42.0370"), PASS_2).verdict == "ties"
    hint = diagnose(read("42.0371"), PASS_2, from_rounded=PASS_2_FROM_PRINTED)
    assert hint == "It would print so if computed from the rounded inputs."
    assert diagnose(read("42.0372"), PASS_2, from_rounded=PASS_2_FROM_PRINTED) is None


def test_another_denominator_is_named() -> None:
    # 265 of 500 planned, of 499 submitted, of 390 completed
    others = {"resolved over submitted": Fraction(265, 499), "resolved over completed": Fraction(265, 390)}
    hint = diagnose(read("67.9%"), Fraction(265, 500), numerator=265, denominator=500, others=others)
    assert hint == "It would print so for another quantity: resolved over completed."


@pytest.mark.parametrize(("total", "input_tokens", "cached", "output"), [(35, 10, 5, 20), (180, 100, 30, 50)])
def test_cached_input_added_to_input_is_named(
    total: int, input_tokens: int, cached: int, output: int
) -> None:
    others = {"tokens with cached input added to input": Fraction(input_tokens + cached + output)}
    hint = diagnose(read(str(total)), Fraction(input_tokens + output), others=others)
    assert hint == "It would print so for another quantity: tokens with cached input added to input."


def test_hints_come_in_the_stated_order() -> None:
    printed, value = read("2.0"), Fraction("2.06")
    everything = {"another one": Fraction(2)}
    truncated = diagnose(printed, value, from_rounded=Fraction(2), others=everything)
    assert truncated == "It would print so if truncated."
    above = Fraction("1.94")
    rounded = diagnose(printed, above, from_rounded=Fraction(2), others=everything)
    assert rounded == "It would print so if computed from the rounded inputs."
    digits = diagnose(printed, above, others=everything)
    assert digits == "It would print so if rounded to 1 significant digit."
    others = diagnose(printed, Fraction(1), others=everything)
    assert others == "It would print so for another quantity: another one."
    assert diagnose(printed, Fraction(1)) == (
        "It would print so twice as large: a roll-up may have been counted twice."
    )


@pytest.mark.parametrize(
    ("numerator", "denominator", "others", "hint"),
    [
        (9, 10, {}, "It is the same share, of 10 instead of 20."),
        (18, 24, {}, "The numerator is the same, of 24 instead of 20."),
        (17, 20, {}, None),
        (17, 20, {"acceptance": Fraction(18, 20)}, "It would print so for another quantity: acceptance."),
    ],
)
def test_a_pair_is_compared_part_by_part(
    numerator: int, denominator: int, others: dict[str, Fraction], hint: str | None
) -> None:
    share = Fraction(numerator, denominator)
    printed = read("18/20")
    assert diagnose(printed, share, numerator=numerator, denominator=denominator, others=others) == hint


@pytest.mark.parametrize("text", ["more than 300", "half", "none"])
def test_what_half_the_numbers_would_fit_has_no_hint_but_the_others(text: str) -> None:
    printed = read(text)
    value = Fraction(5)
    fitting = {
        "a fitting one": {"more than 300": Fraction(301), "half": Fraction(1, 2), "none": Fraction(0)}[text]
    }
    assert diagnose(printed, value) is None
    assert (
        diagnose(printed, value, others=fitting) == "It would print so for another quantity: a fitting one."
    )


def test_what_ties_or_cannot_be_compared_has_no_hint() -> None:
    assert diagnose(read("90%"), Fraction(9, 10), others={"the same": Fraction(9, 10)}) is None
    assert diagnose(read("90%"), None) is None
    assert diagnose(read("18/20"), Fraction(9, 10)) is None


@given(st.fractions(-(10**6), 10**6, max_denominator=1000), st.integers(0, 99999), st.integers(0, 3))
def test_no_hint_makes_a_number_tie(value: Fraction, face: int, places: int) -> None:
    printed = read(f"{face / 10**places:.{places}f}")
    before = compare(printed, value)
    diagnose(printed, value)
    assert compare(printed, value) == before
