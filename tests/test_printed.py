"""Which values a printed text stands for, and which of them tie."""

from __future__ import annotations

import contextlib
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tieout.printed import (
    Comparison,
    Interval,
    NumberFormat,
    Pair,
    UnreadablePrinting,
    compare,
    read,
    read_range,
)


def verdict(text: str, value: Fraction | str | int) -> tuple[str, set[str]]:
    comparison = compare(read(text), Fraction(value))
    return comparison.verdict, set(comparison.marks)


@pytest.mark.parametrize(
    ("text", "interval"),
    [
        ("3,617", "[7233/2, 7235/2)"),
        ("about 3,617", "[7233/2, 7235/2)"),
        ("3.8×", "[15/4, 77/20]"),
        ("≈ 3.8 ×", "[15/4, 77/20]"),
        ("2.73x", "[109/40, 547/200)"),
        ("2.5-fold", "[49/20, 51/20)"),
        ("90%", "[179/200, 181/200]"),
        ("90\u202f%", "[179/200, 181/200]"),
        (r"17.5\%", "[349/2000, 351/2000)"),
        ("85 percent", "[169/200, 171/200)"),
        ("25 percentage points", "[49/200, 51/200)"),
        ("13,781", "[27561/2, 27563/2)"),
        ("13,782", "[27563/2, 27565/2]"),
        ("1,600", "[3199/2, 3201/2]"),
        ("0.30", "[59/200, 61/200]"),
        ("0.3", "[1/4, 7/20)"),
        (".084", "[167/2000, 169/2000]"),
        ("\u22120.5", "(-11/20, -9/20]"),
        ("\u2212 0.5", "(-11/20, -9/20]"),
        ("+4", "[7/2, 9/2]"),
        ("0", "[-1/2, 1/2]"),
        ("-0.0", "[-1/20, 0]"),
        ("+0.0", "[0, 1/20]"),
        ("200K", "[199500, 200500]"),
        ("47K", "[46500, 47500)"),
        ("1M", "[500000, 1500000)"),
        ("1.2 million", "[1150000, 1250000]"),
        ("2B", "[1500000000, 2500000000]"),
        ("$0.15", "[29/200, 31/200)"),
        ("-$1.5M", "(-1550000, -1450000]"),
        ("12_000", "[23999/2, 24001/2]"),
        ("8{,}292{,}628", "[16585255/2, 16585257/2]"),
        (r"33\,820", "[67639/2, 67641/2]"),
        ("10\u202f336", "[20671/2, 20673/2]"),
        ("T = 13", "[25/2, 27/2)"),
        ("thirteen", "[13, 13]"),
        ("Thirty-nine", "[39, 39]"),
        ("none", "[0, 0]"),
        ("No", "[0, 0]"),
        ("twice", "[3/2, 5/2]"),
        ("nine times", "[17/2, 19/2)"),
        ("twofold", "[3/2, 5/2]"),
        ("three percent", "[1/40, 7/200)"),
        ("hundredfold", "[199/2, 201/2]"),
        ("a hundred percent", "[199/200, 201/200]"),
        ("doubled", "[3/2, 5/2]"),
        ("a trillion", "[1000000000000, 1000000000000]"),
        ("75-percent", "[149/200, 151/200)"),
        ("three-percentage-point", "[1/40, 7/200)"),
        ("3 pp", "[1/40, 7/200)"),
        ("minus 5", "(-11/2, -9/2]"),
        ("minus $5", "(-11/2, -9/2]"),
        ("minus 4%", "[-9/200, -7/200]"),
        ("minus five", "[-5, -5]"),
        ("minus four percent", "[-9/200, -7/200]"),
    ],
)
def test_a_number_stands_for_what_rounds_to_it(text: str, interval: str) -> None:
    assert str(read(text).stands_for) == interval


@pytest.mark.parametrize(
    ("text", "interval"),
    [
        # below 1.0e-3 come 9.9e-4 and 9.8e-4, ten times finer
        ("1.0e-3", "[199/200000, 21/20000]"),
        ("1e-3", "[19/20000, 3/2000)"),
        ("2.2e-16", "[43/200000000000000000, 9/40000000000000000]"),
        ("12e3", "[11500, 12500]"),
        ("3.2 × 10^5", "[315000, 325000]"),
        (r"3.2 \times 10^{5}", "[315000, 325000]"),
    ],
)
def test_scientific_notation_rounds_at_its_own_last_digit(text: str, interval: str) -> None:
    assert str(read(text).stands_for) == interval


@pytest.mark.parametrize(
    ("text", "interval"),
    [
        ("at least 5", "[5, inf)"),
        ("no fewer than 5", "[5, inf)"),
        ("≥ 5", "[5, inf)"),
        (r"\ge 5", "[5, inf)"),
        ("more than twice", "(2, inf)"),
        ("more than doubled", "(2, inf)"),
        ("over 90%", "(9/10, inf)"),
        ("> 5", "(5, inf)"),
        ("up to 250", "(-inf, 250]"),
        ("at most 90", "(-inf, 90]"),
        ("no more than 180", "(-inf, 180]"),
        ("<= 800", "(-inf, 800]"),
        ("up to about 250", "(-inf, 250]"),
        ("fewer than twelve", "(-inf, 12)"),
        ("less than a third", "(-inf, 1/3)"),
        ("p < 0.001", "(-inf, 1/1000)"),
    ],
)
def test_a_bound_is_a_half_line_taken_at_its_word_and_marked(text: str, interval: str) -> None:
    printed = read(text)
    assert (str(printed.stands_for), set(printed.marks)) == (interval, {"bound"})


@pytest.mark.parametrize(
    ("text", "interval"),
    [
        ("a quarter", "[1/8, 7/24]"),
        ("¼", "[1/8, 7/24]"),
        ("a third", "[7/24, 5/12]"),
        ("half", "[5/12, 7/12]"),
        ("roughly half", "[5/12, 7/12]"),
        ("two-thirds", "[7/12, 17/24]"),
        ("three quarters", "[17/24, 7/8]"),
        ("¾", "[17/24, 7/8]"),
    ],
)
def test_a_fraction_in_words_reaches_to_the_midpoints_between_its_neighbours(
    text: str, interval: str
) -> None:
    assert str(read(text).stands_for) == interval


@pytest.mark.parametrize(
    "hedge", ["about", "approximately", "around", "roughly", "ca.", "~", "≈", r"\approx"]
)
def test_a_hedge_adds_nothing(hedge: str) -> None:
    assert read(f"{hedge} 13,782").stands_for == read("13,782").stands_for


def test_a_macro_may_be_glued_to_its_number() -> None:
    assert read(r"\approx75\%").stands_for == read("75%").stands_for
    assert str(read(r"\leq5\%").stands_for) == "(-inf, 1/20]"


@pytest.mark.parametrize(
    ("text", "interval"),
    [
        ("nearly 90%", "[179/200, 9/10)"),
        ("almost half", "[5/12, 1/2)"),
        ("just over 90%", "(9/10, 181/200]"),
        ("nearly 20", "[39/2, 20)"),
        ("nearly twenty", "[39/2, 20)"),
        ("just over twenty", "(20, 41/2]"),
        ("nearly 200", "[399/2, 200)"),
        ("nearly two hundred", "[399/2, 200)"),
        ("nearly 2 million", "[1500000, 2000000)"),
        ("nearly two million", "[1500000, 2000000)"),
        ("almost twice", "[3/2, 2)"),
    ],
)
def test_a_word_that_names_a_side_keeps_it(text: str, interval: str) -> None:
    assert str(read(text).stands_for) == interval


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("18/20", "18 of 20"),
        ("11 of 16", "11 of 16"),
        ("3 out of 4", "3 of 4"),
        ("four of four", "4 of 4"),
        ("seven of 36", "7 of 36"),
        ("none of the 36", "0 of 36"),
        ("1,063 of 1,360", "1063 of 1360"),
        ("712 / 4,072", "712 of 4072"),
    ],
)
def test_a_pair_is_a_numerator_and_a_denominator(text: str, pair: str) -> None:
    assert str(read(text).stands_for) == pair


def test_a_pair_ties_to_its_counts_and_to_nothing_else() -> None:
    printed = read("18/20")
    share = Fraction(9, 10)
    assert compare(printed, share, numerator=18, denominator=20).verdict == "ties"
    assert compare(printed, share, numerator=9, denominator=10).verdict == "differs"
    assert compare(printed, share, numerator=18, denominator=24).verdict == "differs"


def test_a_pair_without_counts_to_compare_is_an_error() -> None:
    assert compare(read("18/20"), Fraction(9, 10)) == Comparison(
        verdict="error",
        marks=frozenset(),
        reason="the printing is a pair of counts, the recomputed value is not",
    )


def test_no_value_is_an_error_and_no_difference() -> None:
    comparison = compare(read("0"), None)
    assert (comparison.verdict, comparison.reason) == ("error", "there is no value to compare with")


# value, decimals and what the tools of the measured table print: Python, numpy, DuckDB, JavaScript, half up, half even
@pytest.mark.parametrize(
    ("value", "printings"),
    [
        ("12.5", {"11": None, "12": "half-even", "13": "half-up", "14": None}),
        ("0.125", {"0.11": None, "0.12": "half-even", "0.13": "half-up", "0.14": None}),
        ("0.045", {"0.03": None, "0.04": "half-even", "0.05": "half-up", "0.06": None}),
        ("1.005", {"0.99": None, "1.00": "half-even", "1.01": "half-up", "1.02": None}),
        ("2.675", {"2.66": None, "2.67": "binary-half", "2.68": "", "2.69": None}),
        ("52.205", {"52.19": None, "52.20": "half-even", "52.21": "half-up", "52.22": None}),
    ],
)
def test_the_measured_rounding_table_ties_by_the_rule_that_prints_so(
    value: str, printings: dict[str, str | None]
) -> None:
    for text, mark in printings.items():
        expected = "differs" if mark is None else "ties"
        assert verdict(text, value) == (expected, {mark} - {"", None}), text


def test_an_exact_half_prints_up_and_never_down_to_an_odd_number() -> None:
    assert verdict("13,782", "13781.5") == ("ties", set())
    assert verdict("13,781", "13781.5") == ("differs", set())


def test_a_share_that_a_formatter_scales_in_binary_ties_marked() -> None:
    # format(0.575, ".0%") is "57%", for 0.575 * 100 is 57.49999999999999
    assert verdict("57%", "0.575") == ("ties", {"binary-half"})
    assert verdict("58%", "0.575") == ("ties", set())


def test_a_value_that_is_no_half_has_no_binary_excuse() -> None:
    assert verdict("2.67", "2.6750000000000000001") == ("differs", set())


@pytest.mark.parametrize(
    ("text", "value", "marks"),
    [
        ("0%", Fraction(1, 500), {"extreme"}),
        ("100%", Fraction(499, 500), {"extreme"}),
        ("100.0%", Fraction(4999, 5000), {"extreme"}),
        ("0.0", Fraction(1, 500), {"extreme"}),
        ("0%", Fraction(0), set()),
        ("100%", Fraction(1), set()),
        ("99%", Fraction(99, 100), set()),
        ("1.00", Fraction(999, 1000), set()),
    ],
)
def test_zero_and_all_that_are_not_exact_tie_with_a_mark(text: str, value: Fraction, marks: set[str]) -> None:
    assert verdict(text, value) == ("ties", marks)


def test_none_is_zero_and_nothing_near_it() -> None:
    assert verdict("none", 0) == ("ties", set())
    assert verdict("none", "0.0001") == ("differs", set())


@pytest.mark.parametrize(("text", "end"), [("0.75", "0.755"), ("p < 0.001", "0.001"), ("none", "0")])
def test_an_inexact_value_at_an_end_is_undecidable(text: str, end: str) -> None:
    printed = read(text)
    comparison = compare(printed, Fraction(end), exact=False)
    assert comparison.verdict == "error"
    assert comparison.reason == (
        f"undecidable: the value is not exact and too near to an end of {printed.stands_for}"
    )


@pytest.mark.parametrize(
    ("offset", "verdict"),
    [
        (Fraction(-2, 10**9), "ties"),
        (Fraction(-1, 2 * 10**9), "error"),
        (Fraction(1, 2 * 10**9), "error"),
        (Fraction(2, 10**9), "differs"),
    ],
)
def test_nearness_to_an_end_is_relative_to_one_in_a_thousand_million(offset: Fraction, verdict: str) -> None:
    value = Fraction("3617.5") * (1 + offset)
    assert compare(read("3,617"), value, exact=False).verdict == verdict


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("0.756–0.835", "[1511/2000, 1513/2000]", "[1669/2000, 1671/2000)"),
        ("0.756--0.835", "[1511/2000, 1513/2000]", "[1669/2000, 1671/2000)"),
        ("0.756-0.835", "[1511/2000, 1513/2000]", "[1669/2000, 1671/2000)"),
        ("119 to 126", "[237/2, 239/2)", "[251/2, 253/2]"),
        ("from about 119 to 126", "[237/2, 239/2)", "[251/2, 253/2]"),
        ("between 3 and 5", "[5/2, 7/2)", "[9/2, 11/2)"),
        ("twenty-four to thirty", "[24, 24]", "[30, 30]"),
        ("10–20%", "[19/200, 21/200]", "[39/200, 41/200]"),
        ("800–1.2K", "[1599/2, 1601/2]", "[1150, 1250]"),
        ("−5 to −3", "(-11/2, -9/2]", "(-7/2, -5/2]"),
        ("-5 -- 3", "(-11/2, -9/2]", "[5/2, 7/2)"),
        ("two to three times", "[3/2, 5/2]", "[5/2, 7/2)"),
        ("two to threefold", "[3/2, 5/2]", "[5/2, 7/2)"),
        ("two to 3×", "[3/2, 5/2]", "[5/2, 7/2)"),
        ("2 to 3x", "[3/2, 5/2]", "[5/2, 7/2)"),
        ("five to six", "[5, 5]", "[6, 6]"),
        ("ten to twenty percent", "[19/200, 21/200]", "[39/200, 41/200]"),
        ("five to 10%", "[9/200, 11/200)", "[19/200, 21/200]"),
        ("between ten and 20 per cent", "[19/200, 21/200]", "[39/200, 41/200]"),
        ("ninety to two hundred", "[90, 90]", "[200, 200]"),
        ("one hundred to two hundred", "[100, 100]", "[200, 200]"),
    ],
)
def test_a_range_is_two_printings(text: str, low: str, high: str) -> None:
    assert tuple(str(end.stands_for) for end in read_range(text)) == (low, high)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("119", "a range has two ends, with 'to' or U+2013 (EN DASH) between them"),
        ("3–4–5", "a range has two ends, with 'to' or U+2013 (EN DASH) between them"),
        ("126 to 119", "the range runs backwards"),
        ("1–2K", "it can be read two ways: from 1, or from 1000"),
        ("two to three million", "it can be read two ways: from 2, or from 2000000"),
        ("two to three hundred percent", "it can be read two ways: from 1/50, or from 2"),
        ("-5--3", "it can be read two ways: to 3, or to -3"),
        ("−5%--3%", "it can be read two ways: to 3/100, or to -3/100"),
        ("10% to 20", "one end of the range is a percentage"),
        ("1/2 to 3/4", "the ends of a range are plain numbers"),
    ],
)
def test_a_range_that_is_none_says_why(text: str, why: str) -> None:
    with pytest.raises(UnreadablePrinting) as caught:
        read_range(text)
    assert str(caught.value) == f"cannot read {text!r}: {why}"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("all", "character 1 is U+0061 (LATIN SMALL LETTER A), and 'all' is no number"),
        ("fourth", "character 1 is U+0066 (LATIN SMALL LETTER F), and 'fourth' is no number"),
        ("one fifth", "character 1 is U+006F (LATIN SMALL LETTER O), and 'one fifth' is no number"),
        ("1/0", "the denominator is 0"),
        ("3/4/5", "a pair has one numerator and one denominator"),
        ("2.5 of 4", "'2.5' is no count"),
        ("half of 36", "'half' is no count"),
        ("minus 5 of 6", "'minus 5' is no count"),
        ("minus half", "character 1 is U+006D (LATIN SMALL LETTER M), and 'minus half' is no number"),
        ("minus $-5", "it has two signs"),
        ("-1/2", "'-1' is no count"),
        ("at least 3 of 4", "a pair of counts has no bound"),
        ("at least nearly 5", "it says both a bound and a side"),
        ("nearly none", "such a number has no side"),
        ("nearly −5", "such a number has no side"),
    ],
)
def test_what_is_no_number_says_why(text: str, why: str) -> None:
    with pytest.raises(UnreadablePrinting) as caught:
        read(text)
    assert str(caught.value) == f"cannot read {text!r}: {why}"


def test_intervals_and_pairs_read_as_mathematicians_write_them() -> None:
    assert str(Interval(Fraction(7233, 2), Fraction(7235, 2), True, False)) == "[7233/2, 7235/2)"
    assert str(Interval(Fraction(2), None, False, False)) == "(2, inf)"
    assert str(Interval(None, Fraction(1, 1000), False, True)) == "(-inf, 1/1000]"
    assert str(Pair(18, 20)) == "18 of 20"


places_printed = st.integers(0, 6)
# one step beyond the printed decimals, half of them on an exact half: that is where rules differ
values_and_places = places_printed.flatmap(
    lambda places: st.tuples(
        st.one_of(
            st.integers(-(10**8), 10**8).map(lambda n: Decimal(10 * n + 5).scaleb(-places - 1)),
            st.integers(-(10**11), 10**11).map(lambda n: Decimal(n).scaleb(-places - 3)),
        ),
        st.just(places),
    )
)


def shown(number: Decimal, places: int) -> str:
    return f"{number:,.{places}f}"


def on_a_half(value: Decimal, places: int) -> bool:
    return abs(value.scaleb(places)) % 1 == Decimal("0.5")


@given(values_and_places, st.sampled_from([ROUND_HALF_UP, ROUND_HALF_EVEN]))
def test_what_a_stated_rule_prints_ties(value_and_places: tuple[Decimal, int], rule: str) -> None:
    value, places = value_and_places
    rounded = value.quantize(Decimal(1).scaleb(-places), rounding=rule)
    assert compare(read(shown(rounded, places)), Fraction(value)).verdict == "ties"


@given(st.integers(-(10**8), 10**8), places_printed)
def test_what_a_binary_formatter_prints_for_an_exact_half_ties(number: int, places: int) -> None:
    half = Decimal(10 * number + 5).scaleb(-places - 1)
    assert compare(read(f"{float(half):,.{places}f}"), Fraction(half)).verdict == "ties"


@given(values_and_places, st.integers(-3, 3))
def test_what_no_rule_prints_differs(value_and_places: tuple[Decimal, int], steps: int) -> None:
    value, places = value_and_places
    step = Decimal(1).scaleb(-places)
    by_rule = {value.quantize(step, rounding=rule) for rule in (ROUND_HALF_UP, ROUND_HALF_EVEN)}
    if on_a_half(value, places):
        by_rule.add(Decimal(f"{float(value):.{places}f}"))
    candidate = value.quantize(step) + steps * step
    comparison = compare(read(shown(candidate, places)), Fraction(value))
    assert comparison.verdict == ("ties" if candidate in by_rule else "differs")


@given(st.fractions(-(10**6), 10**6, max_denominator=5000), places_printed, st.integers(-2, 2))
def test_rationals_tie_to_the_nearest_printing_alone(value: Fraction, places: int, steps: int) -> None:
    scaled = abs(value) * 10**places
    nearest, rest = divmod(scaled + Fraction(1, 2), 1)
    candidate = nearest + steps
    if rest == 0 or candidate < 0:
        return  # an exact half: the decimal properties decide those
    sign = "\u2212" if value < 0 else ""
    text = f"{sign}{Decimal(int(candidate)).scaleb(-places):,.{places}f}"
    assert compare(read(text), value).verdict == ("ties" if steps == 0 else "differs")


@given(st.fractions(0, 1, max_denominator=5000), st.integers(0, 2))
def test_a_share_ties_to_its_percentage(value: Fraction, places: int) -> None:
    percent = (value * 100 * 10**places + Fraction(1, 2)) // 1
    text = f"{Decimal(int(percent)).scaleb(-places):.{places}f}%"
    assert compare(read(text), value).verdict == "ties"


@given(st.integers(0, 10**5), st.integers(0, 2))
def test_a_half_of_a_percentage_ties_as_python_prints_it(number: int, places: int) -> None:
    half = Fraction(2 * number + 1, 200 * 10**places)
    assert compare(read(f"{float(half):.{places}%}"), half).verdict == "ties"


@given(st.fractions(-(10**4), 10**4, max_denominator=64), st.integers(0, 999), st.integers(0, 2))
def test_a_negative_printing_mirrors_the_positive_one(value: Fraction, face: int, places: int) -> None:
    text = f"{Decimal(face).scaleb(-places):.{places}f}"
    if face:
        assert compare(read(f"-{text}"), -value) == compare(read(text), value)


@given(st.text("0123456789.,/%×xKMB_$ -\u2212\u00a0{}\\e^atofhnouswedlv'½", max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    for marks in (NumberFormat(), NumberFormat(decimal=",", group="."), NumberFormat(decimal=",", group="")):
        for reader in (read, read_range):
            with contextlib.suppress(UnreadablePrinting):
                reader(text, marks)
