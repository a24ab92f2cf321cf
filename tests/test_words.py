"""Cardinals and fractions in words."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tieout.words import CARDINALS, cardinal, fraction, multiplier, share

BELOW_20 = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)


def spell(number: int, joint: str, conjunction: str) -> str:
    if number < 20:
        return BELOW_20.split()[number - 1]
    if number < 100:
        ten = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")[number // 10 - 2]
        return ten + (joint + spell(number % 10, joint, conjunction) if number % 10 else "")
    for scale, word in ((10**6, "million"), (1000, "thousand"), (100, "hundred")):
        if number >= scale:
            head = f"{spell(number // scale, joint, conjunction)} {word}"
            rest = number % scale
            if not rest:
                return head
            between = conjunction if rest < 100 else " "
            return head + between + spell(rest, joint, conjunction)
    raise AssertionError(number)


@given(
    st.one_of(st.integers(1, 999), st.integers(1, 999_999_999)),
    st.sampled_from(["-", " "]),
    st.sampled_from([" ", " and "]),
)
def test_a_spelled_out_number_is_that_number(number: int, joint: str, conjunction: str) -> None:
    words = spell(number, joint, conjunction)
    assert cardinal(words) == number
    assert cardinal(words.capitalize()) == number


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("none", 0),
        ("no", 0),
        ("zero", 0),
        ("once", 1),
        ("twice", 2),
        ("a dozen", 12),
        ("two dozen", 24),
        ("a hundred", 100),
        ("fifteen hundred", 1500),
        ("a million", 1_000_000),
        ("two billion and one", 2_000_000_001),
        ("a trillion", 10**12),
        ("doubled", 2),
        ("tripled", 3),
    ],
)
def test_words_that_count_without_being_spelled_digits(words: str, number: int) -> None:
    assert cardinal(words) == number


@pytest.mark.parametrize(
    ("words", "factor"),
    [
        ("two million", 1_000_000),
        ("one hundred thousand", 1000),
        ("two-dozen", 12),
        ("a hundred", 100),
        ("ten", 1),
    ],
)
def test_the_last_word_may_multiply(words: str, factor: int) -> None:
    assert multiplier(words) == factor


@pytest.mark.parametrize(
    "words",
    [
        *("all", "both", "a", "and", "", "fourth", "twenty-first", "hundred", "million", "dozen"),
        *("twenty thirty", "forty-twelve", "one two", "two and", "and five", "five hundred hundred", "half"),
        *("a hundred a hundred", "two thousand one million"),
    ],
)
def test_what_is_no_cardinal_has_no_number(words: str) -> None:
    assert cardinal(words) is None


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("half", Fraction(1, 2)),
        ("one half", Fraction(1, 2)),
        ("a third", Fraction(1, 3)),
        ("two-thirds", Fraction(2, 3)),
        ("two quarters", Fraction(1, 2)),
        ("one quarter", Fraction(1, 4)),
        ("three fourths", Fraction(3, 4)),
        ("⅔", Fraction(2, 3)),
    ],
)
def test_a_fraction_in_words_is_named(words: str, named: Fraction) -> None:
    assert fraction(words) == named


@pytest.mark.parametrize("words", ["third", "a fifth", "three thirds", "two third", "a thirds", "⅕"])
def test_what_is_no_fraction_of_the_ladder_has_none(words: str) -> None:
    assert fraction(words) is None


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("a fifth", Fraction(1, 5)),
        ("an eighth", Fraction(1, 8)),
        ("three tenths", Fraction(3, 10)),
        ("two-thirds", Fraction(2, 3)),
        ("½", Fraction(1, 2)),
        ("halved", Fraction(1, 2)),
        ("third", None),
        ("two fifth", None),
    ],
)
def test_a_share_is_any_fraction_in_words(words: str, named: Fraction | None) -> None:
    assert share(words) == named


def test_the_word_list_holds_every_word_of_a_cardinal_but_no() -> None:
    assert {CARDINALS[word] for word in BELOW_20.split()} == set(range(1, 20))
    assert {CARDINALS[word] for word in ("zero", "none", "twice", "dozen", "hundred", "ninety")} == {
        0,
        2,
        12,
        90,
        100,
    }
    assert "no" not in CARDINALS
