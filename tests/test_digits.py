"""The marks of a number in digits, and what is refused."""

from __future__ import annotations

import pytest

from tieout.digits import NumberFormat, UnreadablePrinting
from tieout.printed import read

CONTINENTAL = NumberFormat(decimal=",", group=".")
UNGROUPED_COMMA = NumberFormat(decimal=",", group="")


@pytest.mark.parametrize(
    ("text", "marks", "interval"),
    [
        ("1,234.5", NumberFormat(), "[24689/20, 24691/20)"),
        ("1.234", CONTINENTAL, "[2467/2, 2469/2]"),
        ("1.234,5", CONTINENTAL, "[24689/20, 24691/20)"),
        ("0,75", CONTINENTAL, "[149/200, 151/200)"),
        ("3{,}8", CONTINENTAL, "[15/4, 77/20]"),
        ("1,234", UNGROUPED_COMMA, "[2467/2000, 2469/2000]"),
        ("1234", NumberFormat(group=""), "[2467/2, 2469/2]"),
        ("1 234", NumberFormat(group=" "), "[2467/2, 2469/2]"),
        ("1’234", NumberFormat(group="'"), "[2467/2, 2469/2]"),
    ],
)
def test_the_declared_marks_decide(text: str, marks: NumberFormat, interval: str) -> None:
    assert str(read(text, marks).stands_for) == interval


@pytest.mark.parametrize(
    ("text", "marks", "one", "other"),
    [
        ("1,23", NumberFormat(), "123 with ',' between groups", "1.23 with ',' before decimals"),
        ("1,2345", NumberFormat(), "12345 with ',' between groups", "1.2345 with ',' before decimals"),
        ("1234,5%", NumberFormat(), "12345 with ',' between groups", "1234.5 with ',' before decimals"),
        ("0,123", NumberFormat(), "123 with ',' between groups", "0.123 with ',' before decimals"),
        ("1.5", CONTINENTAL, "15 with '.' between groups", "1.5 with '.' before decimals"),
        ("1.234", UNGROUPED_COMMA, "1234 with '.' between groups", "1.234 with '.' before decimals"),
        ("1,234", NumberFormat(group=""), "1234 with ',' between groups", "1.234 with ',' before decimals"),
        ("007", NumberFormat(), "the number 7", "the identifier 007"),
    ],
)
def test_what_can_be_read_two_ways_shows_both(text: str, marks: NumberFormat, one: str, other: str) -> None:
    with pytest.raises(UnreadablePrinting) as caught:
        read(text, marks)
    assert str(caught.value) == f"cannot read {text!r}: it can be read two ways: as {one}, or as {other}"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it is empty"),
        (" \u00a0", "it is empty"),
        ("1.234,56", "character 6 is U+002C (COMMA)"),
        ("1 0.25", "character 2 is U+0020 (SPACE)"),
        ("10 336", "character 3 is U+0020 (SPACE)"),
        ("1,234_567", "character 6 is U+005F (LOW LINE)"),
        ("1_0", "character 2 is U+005F (LOW LINE)"),
        ("5.", "character 2 is U+002E (FULL STOP)"),
        ("90%%", "character 4 is U+0025 (PERCENT SIGN)"),
        ("3.16.0", "character 5 is U+002E (FULL STOP)"),
        ("0.756–0.835", "character 6 is U+2013 (EN DASH)"),
        ("2½", "character 2 is U+00BD (VULGAR FRACTION ONE HALF)"),
        ("47m", "character 3 is U+006D (LATIN SMALL LETTER M), and 'm' is no number"),
        ("NaN", "character 1 is U+004E (LATIN CAPITAL LETTER N), and 'NaN' is no number"),
        ("22,735 tokens", "character 7 is U+0020 (SPACE)"),
        ("٣", "character 1 is U+0663 (ARABIC-INDIC DIGIT THREE)"),
        ("４", "character 1 is U+FF14 (FULLWIDTH DIGIT FOUR)"),
        ("5\u212a", "character 2 is U+212A (KELVIN SIGN)"),
        ("\u202e90%", "character 1 is U+202E (RIGHT-TO-LEFT OVERRIDE)"),
        ("9\u200b0", "character 2 is U+200B (ZERO WIDTH SPACE)"),
        ("7\n", "character 2 is U+000A (no name)"),
        ("~", "a number is missing at the end"),
        ("-$-5", "it has two signs"),
        ("$75%", "it can be read two ways: in dollars, or as %"),
        (r"\$3 times", "it can be read two ways: in dollars, or as times"),
    ],
)
def test_what_is_in_the_way_is_named_with_code_point_and_position(text: str, why: str) -> None:
    with pytest.raises(UnreadablePrinting) as caught:
        read(text)
    assert str(caught.value) == f"cannot read {text!r}: {why}"


def test_an_endless_number_is_refused_and_not_repeated_whole() -> None:
    with pytest.raises(UnreadablePrinting) as caught:
        read("1" * 201)
    assert str(caught.value) == f"cannot read '{'1' * 60}…': it is longer than 200 characters"


def test_the_longest_number_allowed_is_read() -> None:
    assert read("9" * 200).significant == 200


def test_digits_are_counted_as_printed() -> None:
    printed = read("0.3010")
    assert (printed.decimals, printed.significant) == (4, 4)


@pytest.mark.parametrize(
    ("decimal", "group", "message"),
    [
        (",", ",", "the decimal mark and the group mark are both ','"),
        ("x", ",", "no such number format: decimal mark 'x', group mark ','"),
        (".", "_-", "no such number format: decimal mark '.', group mark '_-'"),
    ],
)
def test_marks_that_cannot_be_told_apart_are_refused(decimal: str, group: str, message: str) -> None:
    with pytest.raises(UnreadablePrinting) as caught:
        NumberFormat(decimal=decimal, group=group)
    assert str(caught.value) == message
