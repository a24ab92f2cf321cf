"""What counts as a numeral in a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tieout.numerals import Numeral, NumeralText, Span, scan


def texts(text: str) -> list[str]:
    return [numeral.text for numeral in scan(text)]


@pytest.mark.parametrize(
    "numeral",
    [
        "7",
        "2,326",
        "4{,}072",
        "8{,}292{,}628",
        "12_000",
        "12\u202f345",
        "0.756",
        ".084",
        "\u22123.5",
        "1e-7",
        "90%",
        "17.5\\%",
        "3.8×",
        "2.73x",
        "200K",
        "1.5M",
        "18/20",
        "½",
        "2½",
        "3.16.0",
        "zero",
        "nineteen",
        "Thirty-nine",
        "sixty four",
        "one hundred and five",
        "two thousand",
        "dozen",
        "million",
        "none",
        "half",
        "third",
        "two-thirds",
        "three quarters",
        "one third",
        "twice",
        "twofold",
        "hundredfold",
        "a thousand-fold",
        "a fifth",
        "an eighth",
        "one tenth",
        "a third",
        "a hundred and five",
        "a trillion",
        "doubled",
        "tripled",
        "halved",
        "\u2212$5",
        r"-\$5",
        "minus 5",
        "minus $5",
        "minus five",
        "75 percent",
        "75-percent",
        "75 per\ncent",
        "75 %",
        r"75\,\%",
        "ten percent",
        "3 percentage points",
        "3 pp",
    ],
)
def test_a_numeral_is_found_whole(numeral: str) -> None:
    assert texts(f"about {numeral}, it says") == [numeral]


@pytest.mark.parametrize("text", ["T04:C2", "L0", "Embedding1600", "S1E2 selective6", "(T01/T10)", "v2"])
def test_letters_directly_followed_by_digits_are_an_identifier(text: str) -> None:
    assert texts(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "network",
        "sixteenth",
        "someone",
        "first",
        "second",
        "often",
        "nonesuch",
        "halfway",
        "Adaptive",
        "once",
        "fifth",
    ],
)
def test_a_word_that_holds_or_resembles_a_cardinal_is_none(text: str) -> None:
    assert texts(text) == []


@pytest.mark.parametrize(
    ("text", "numerals"),
    [
        ("gpt-4o-mini", ["4"]),
        ("gpt-4.1-mini", ["4.1"]),
        ("U+2212", ["2212"]),
        ("2026-09-11", ["2026", "09", "11"]),
        ("arXiv:2406.12045", ["2406.12045"]),
        ("x3", ["3"]),
        ("W_5", ["5"]),
        ("30-turn", ["30"]),
    ],
)
def test_in_doubt_a_digit_is_a_numeral(text: str, numerals: list[str]) -> None:
    assert texts(text) == numerals


@pytest.mark.parametrize(
    ("text", "numerals"),
    [
        ("_five_ points", ["five"]),
        ("__thirteen__ and ___ten___", ["thirteen", "ten"]),
        ("_−5_ and _200K_", ["−5", "200K"]),
        ("_T04_", []),
        ("top_five, five_x", []),
    ],
)
def test_an_underscore_joins_names_and_is_emphasis_at_a_words_edge(text: str, numerals: list[str]) -> None:
    assert texts(text) == numerals


@pytest.mark.parametrize(
    ("text", "numeral"),
    [
        (r"$\approx90$", "90"),
        (r"$\leq5\%$", r"5\%"),
        (r"$\pm2$", "2"),
        ("USD100", "100"),
        ("EUR500", "500"),
        ("acc90%", "90%"),
        (r"to95\%", r"95\%"),
    ],
)
def test_a_macro_a_currency_and_a_percentage_are_no_identifier(text: str, numeral: str) -> None:
    assert texts(text) == [numeral]


@pytest.mark.parametrize("numeral", ["&frac12;", "2&frac34;"])
def test_a_fraction_written_as_an_entity_of_html_is_a_numeral(numeral: str) -> None:
    assert texts(numeral) == [numeral]


@pytest.mark.parametrize(
    ("text", "numerals"),
    [
        ("0.756–0.835", ["0.756", "0.835"]),
        ("11 of 16", ["11", "16"]),
        ("50 101980", ["50", "101980"]),
        ("steps 2,7,12", ["2", "7", "12"]),
        ("10×28 = 10 × 28", ["10", "28", "10", "28"]),
        ("four\n\nthirds", ["four", "thirds"]),
        ("712 / 4,072", ["712", "4,072"]),
    ],
)
def test_numbers_side_by_side_stay_apart(text: str, numerals: list[str]) -> None:
    assert texts(text) == numerals


def test_a_numeral_knows_its_line_and_column() -> None:
    assert scan("ab\n c 13.\n") == [Numeral(text="13", start=6, end=8, line=2, column=4)]


@pytest.mark.parametrize(
    ("text", "numerals"),
    [
        ("4,072 minus 712", ["4,072", "712"]),
        ("(a + b) minus 3", ["3"]),
        ("sub-$5", ["5"]),
        ("$3$-$5$", ["3", "5"]),
        ("- $5 a run", ["5"]),
        ("5 % 3", ["5", "3"]),
        ("3--5", ["3", "5"]),
    ],
)
def test_what_joins_two_numbers_or_opens_a_line_is_no_sign(text: str, numerals: list[str]) -> None:
    assert texts(text) == numerals


@given(st.text(alphabet="0123456789.,/%x×KT _-\u2212\u00a0{}\\e\ntwohreaf²", max_size=40))
def test_every_digit_lies_in_a_numeral_or_an_identifier(text: str) -> None:
    document = NumeralText(text)
    inside = {offset for numeral in document.numerals for offset in range(numeral.start, numeral.end)}
    for offset, character in enumerate(text):
        if character.isdigit() and offset not in inside:
            before = text[:offset].rstrip("0123456789")
            assert before
            assert before[-1].isalpha()


@given(st.integers(0, 10**12), st.sampled_from(["", "%", "×", "K"]))
def test_a_printed_integer_is_one_numeral(number: int, suffix: str) -> None:
    assert texts(f"about {number:,}{suffix} of them") == [f"{number:,}{suffix}"]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("3", "13 and 3.8× and 3% and T3"),
        ("two", "network, twofold and twenty-two"),
        ("T0", "T04"),
        ("18", "18/20"),
        ("five", "top_five, five_x"),
        ("$5", "\u2212$5, -$5"),
        ("5", "minus 5"),
        ("75", "75 percent, 75 %, 75 per cent"),
        ("3", "3 percentage points, 3 pp"),
        ("ten", "ten percent"),
    ],
)
def test_an_occurrence_never_cuts_a_token_in_two(words: str, text: str) -> None:
    assert NumeralText(text).occurrences(words, Span(start=0, end=len(text))) == []


@pytest.mark.parametrize(("words", "text"), [("five", "_five_ points"), (r"75\%", r"$\approx75\%$")])
def test_an_occurrence_may_be_emphasised_or_follow_a_macro(words: str, text: str) -> None:
    assert len(NumeralText(text).occurrences(words, Span(start=0, end=len(text)))) == 1


def test_any_white_space_stands_for_white_space() -> None:
    text = "of 11\n  of\u00a016 turns"
    assert NumeralText(text).occurrences("11 of 16", Span(start=0, end=len(text))) == [Span(start=3, end=13)]
