"""Numbers on pages: forms of a value, and what is refused."""

from __future__ import annotations

import copy
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.site.tiny import gathered
from tieout.errors import CannotOpen
from tieout.site.model import Site
from tieout.site.numbers import decimal, interval_words, number, plain, shortened, text_of, told


def claim(value: str | None, **more: Any) -> dict[str, Any]:
    given: dict[str, Any] = {"id": "c", "value": value, "exact": True, "numerator": None, "denominator": None}
    return {**given, "columns": {}, "kind": None, "error": None, "reason": None, "printings": [], **more}


@pytest.mark.parametrize(
    ("value", "form", "text"),
    [
        ("9/10", "percent", "90%"),
        ("35/100", "percent1", "35.0%"),
        ("27563/2", "integer", "13,782"),
        ("27565/2", "integer", "13,782"),  # a half goes to the even neighbour
        ("1/3", "decimal2", "0.33"),
        ("0", "decimal9", "0.000000000"),
        ("-7/2", "decimal1", "-3.5"),
        ("true", None, "yes"),
        ("1234567", None, "1,234,567"),
        ("5/3", None, "1.67"),
        ("50/3", None, "16.7"),
        ("500/3", None, "167"),
        ("1/6", None, "0.167"),
    ],
)
def test_a_value_in_a_form(value: str, form: str | None, text: str) -> None:
    assert text_of(claim(value), form) == text


def test_counts_are_told_as_a_pair_up_to_a_thousand() -> None:
    assert text_of(claim("9/10", numerator="18", denominator="20")) == "18 of 20"
    assert text_of(claim("1/2", numerator="1000", denominator="2000")) == "0.500"


def test_a_printing_stands_for_the_value_only_where_it_ties() -> None:
    ties = {"text": "90%", "verdict": "ties", "of": "value"}
    assert text_of(claim("9/10", printings=[ties]), "printed") == "90%"
    with pytest.raises(CannotOpen) as error:
        text_of(claim("9/10", printings=[{**ties, "verdict": "differs"}]), "printed")
    assert str(error.value) == "c: no printing ties, so none can stand for the value"


def test_a_missing_value_stops_the_page_with_its_reason() -> None:
    with pytest.raises(CannotOpen) as error:
        text_of(claim(None, reason="undefined"))
    assert str(error.value) == "c: there is no value to show (undefined)"


def test_an_unknown_form_is_refused() -> None:
    with pytest.raises(CannotOpen) as error:
        text_of(claim("1"), "roman")
    assert str(error.value) == "c: no form `roman`; there are pair, percentN, integer, decimalN, printed"


def test_a_number_leads_to_its_claim_with_the_tick_of_its_verdict() -> None:
    html = number(gathered(), "doc", "plain-rate", "percent")._repr_html_()
    assert html == (
        '<a class="tick tick-ties" href="claims/doc/plain-rate.html" title="ties: doc plain-rate">75%'
        '<span class="tick-sign" aria-hidden="true">✓</span></a>'
    )


def test_a_part_of_a_value_can_be_asked_for() -> None:
    assert str(number(gathered(), "doc", "plain-rate#numerator")) == "3"
    with pytest.raises(CannotOpen) as error:
        number(gathered(), "doc", "plain-rate#low")
    assert str(error.value) == "plain-rate has no low; it has a value alone"


def test_what_goes_on_is_marked_and_what_ends_is_not() -> None:
    assert shortened("1/3", exact=True) == "0.333333333…"
    assert shortened("82689/8", exact=True) == "10,336.125"
    assert shortened("0", exact=True) == "0"
    assert told(claim("false")) == "does not hold"
    assert told(claim(None, columns={"low": "1", "high": "3/2"})) == "low 1, high 1.5"


ORDER = {"observed": "0.851", "mean": "0.8315", "low": "0.7951", "high": "0.8700"}


@pytest.mark.parametrize(
    ("of", "text"),
    [
        ("value", "0.851"),
        ("mean", "0.8315"),
        (["low", "high"], "0.7951 to 0.87"),
        ("median", "0.851"),  # there is none: the claim is in error, and its page says so
    ],
)
def test_beside_a_printing_stands_the_part_that_it_asks_for(of: str | list[str], text: str) -> None:
    place = {"text": "0.8", "verdict": "ties", "of": of}
    assert told(claim("0.851", columns=ORDER, printings=[place])) == text


def test_a_pair_tells_its_numerator_and_what_is_no_pair_does_not() -> None:
    place = {"text": "18", "verdict": "ties", "of": "numerator"}
    assert told(claim("9/10", numerator="18", denominator="20", printings=[place])) == "18 of 20"
    assert told(claim("9/10", numerator="1800", denominator="2000", printings=[place])) == "1,800"
    assert told(claim("5", numerator="5", denominator="1")) == "5"


def test_a_number_in_prose_is_the_part_that_is_printed_and_a_range_has_to_be_named_by_an_end() -> None:
    data = copy.deepcopy(dict(gathered().data))
    [rate] = [each for each in data["report"]["ledgers"][0]["claims"] if each["id"] == "plain-rate"]
    rate["columns"] = ORDER
    rate["printings"] = [{**rate["printings"][0], "of": "mean"}]
    assert str(number(Site(data), "doc", "plain-rate", "decimal2")) == "0.83"
    rate["printings"] = [{**rate["printings"][0], "of": ["low", "high"]}]
    assert str(number(Site(data), "doc", "plain-rate#high", "decimal2")) == "0.87"
    with pytest.raises(CannotOpen) as error:
        number(Site(data), "doc", "plain-rate")
    assert str(error.value) == "plain-rate is printed as low and high; name one: plain-rate#low"


def test_what_is_printed_nowhere_has_a_sign_of_its_own() -> None:
    html = number(gathered(), "doc", "inner")._repr_html_()
    assert 'class="tick tick-unprinted"' in html
    assert 'title="recomputed, not printed: doc inner">3<' in html
    assert 'aria-hidden="true">○</span>' in html


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("8/11", "0.7272727…"),
        ("33820", "33,820"),
        ("0.25", "0.25"),
        ("1e-07", "0.0000001…"),
        ("true", "holds"),
        ("false", "does not hold"),
        (None, "no value"),
    ],
)
def test_a_value_of_any_kind_for_reading(value: str | None, text: str) -> None:
    assert plain(value) == text


@pytest.mark.parametrize(
    ("interval", "text"),
    [
        ("[7233/2, 7235/2)", "3,616.5 to 3,617.5"),
        ("[13, 13]", "13"),
        ("18 of 20", "18 of 20"),
        ("(-inf, 250]", "250 or less"),
        ("(-inf, 1/1000)", "less than 0.001"),
        ("[4, inf)", "4 or more"),
        ("(2, inf)", "more than 2"),
        ("[-7/2, -5/2]", "-3.5 to -2.5"),
        ("[85/2, 87/2) to [99/2, 101/2]", "42.5 to 43.5; 49.5 to 50.5"),
    ],
)
def test_what_a_printing_stands_for_in_decimals(interval: str, text: str) -> None:
    assert interval_words(interval) == text


@given(st.fractions(), st.integers(0, 12))
def test_a_decimal_is_nearest_to_its_value(value: Fraction, digits: int) -> None:
    assert abs(Fraction(decimal(value, digits).replace(",", "")) - value) <= Fraction(1, 2 * 10**digits)
