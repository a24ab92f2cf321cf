"""Formulas in Fractions: the language, what is outside it, and how absence and binary64 run through it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tieout.exact import Value
from tieout.formula import BadFormula, Undecidable, evaluate, parse

NAMES = ("a", "b", "c")
NUMBERS = st.one_of(
    st.integers(0, 50).map(str),
    st.tuples(st.integers(0, 9), st.integers(0, 99)).map(lambda p: f"{p[0]}.{p[1]:02}"),
)
LEAVES = st.one_of(NUMBERS, st.sampled_from(NAMES))


def _grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(inner, st.sampled_from("+-*/"), inner).map(
            lambda parts: f"({parts[0]} {parts[1]} {parts[2]})"
        ),
        inner.map(lambda text: f"-({text})"),
        inner.map(lambda text: f"abs({text})"),
        st.tuples(st.sampled_from(["min", "max"]), inner, inner).map(lambda p: f"{p[0]}({p[1]}, {p[2]})"),
    )


EXPRESSIONS = st.recursive(LEAVES, _grown, max_leaves=8)
COMPARED = st.tuples(EXPRESSIONS, st.sampled_from(["<", "<=", "==", "!=", ">", ">="]), EXPRESSIONS).map(
    " ".join
)
TRUTHS = st.recursive(
    COMPARED,
    lambda inner: st.one_of(
        inner.map(lambda text: f"not ({text})"),
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(lambda p: f"({p[0]}) {p[1]} ({p[2]})"),
    ),
    max_leaves=4,
)
FRACTIONS = st.fractions(min_value=-20, max_value=20, max_denominator=12)
INPUTS = st.fixed_dictionaries(dict.fromkeys(NAMES, FRACTIONS))


def python(text: str, inputs: dict[str, Fraction]) -> Any:
    """What Python itself says, every literal a Fraction."""
    import re

    spelled = re.sub(r"\d+(\.\d+)?", lambda match: f"Fraction('{match[0]}')", text)
    return eval(spelled, {"Fraction": Fraction, "min": min, "max": max, "abs": abs}, inputs)


@given(st.one_of(EXPRESSIONS, TRUTHS), INPUTS)
def test_a_formula_means_what_it_means_in_fractions(text: str, inputs: dict[str, Fraction]) -> None:
    try:
        wanted = python(text, inputs)
    except ZeroDivisionError:
        wanted = None
    formula = parse(text)
    found = evaluate(formula, {name: inputs[name] for name in formula.names})
    if wanted is None:
        assert (found.value, found.reason) == (None, "undefined (division by zero)")
    else:
        assert (found.value, type(found.value)) == (wanted, type(wanted))


@given(EXPRESSIONS, INPUTS, st.sampled_from(NAMES))
def test_an_input_without_a_value_leaves_every_formula_that_uses_it_without_one(
    text: str, inputs: dict[str, Fraction], missing: str
) -> None:
    formula = parse(f"({text}) + {missing}")
    given_values: dict[str, Value | Fraction] = {**inputs, missing: Value(value=None, reason="no rows")}
    assert evaluate(formula, given_values).value is None


def test_a_missing_input_says_which_and_why() -> None:
    found = evaluate(parse("1 - a / b"), {"a": Fraction(1), "b": Value(value=None, reason="undefined")})
    assert found == Value(value=None, reason="undefined, in `b`")


def test_a_decimal_is_exact() -> None:
    assert evaluate(parse("0.1 + 0.2 == 0.3"), {}).value is True


def test_a_chain_of_comparisons_holds_when_each_link_does() -> None:
    values = {"a": Fraction(1), "b": Fraction(2), "c": Fraction(2)}
    assert evaluate(parse("a < b <= c"), values).value is True
    assert evaluate(parse("a < b < c"), values).value is False


def test_names_are_told_once_in_reading_order() -> None:
    assert parse("b / a - b").names == ("b", "a")


def test_a_binary64_input_makes_the_result_inexact() -> None:
    found = evaluate(parse("a * 2"), {"a": Value(value=Fraction(0.1), exact=False)})
    assert (found.value, found.exact) == (Fraction(0.2), False)


def test_a_comparison_that_binary64_leaves_open_is_undecidable() -> None:
    near = Value(value=Fraction(0.1 + 0.2), exact=False)
    with pytest.raises(Undecidable) as caught:
        evaluate(parse("a <= 0.3"), {"a": near})
    assert str(caught.value) == "0.30000000000000004 and 0.3 are too near to compare as binary64 numbers"
    assert evaluate(parse("a <= 0.31"), {"a": near}).value is True


LANGUAGE = "numbers, names, + - * /, parentheses, comparisons, and, or, not, min, max, abs"


@pytest.mark.parametrize(
    ("text", "piece", "place"),
    [
        ("a ** 2", "a ** 2", 1),
        ("1 + a % 2", "a % 2", 5),
        ("a // b", "a // b", 1),
        ("sum(a)", "sum(a)", 1),
        ("min()", "min()", 1),
        ("a.real", "a.real", 1),
        ("a[0]", "a[0]", 1),
        ("1e3 + a", "1e3", 1),
        ("0x10", "0x10", 1),
        ("1_000", "1_000", 1),
        ("2j", "2j", 1),
        ("'a'", "'a'", 1),
        ("True", "True", 1),
        ("a if b else c", "a if b else c", 1),
        ("(lambda: a)()", "(lambda: a)()", 1),
        ("[a for a in b]", "[a for a in b]", 1),
        ("a is b", "a is b", 1),
        ("min(*a)", "*a", 5),
        ("__import__('os')", "__import__('os')", 1),
    ],
)
def test_what_is_outside_the_language_is_named_with_its_place(text: str, piece: str, place: int) -> None:
    with pytest.raises(BadFormula) as caught:
        parse(text)
    wanted = f"`{piece}` at character {place} of `{text}` is not of the language: {LANGUAGE}"
    assert str(caught.value) == wanted


@pytest.mark.parametrize(("text", "piece", "place"), [("a#numerator / b", "#", 2), ("a \\\n/ b", "\\", 3)])
def test_what_python_would_pass_over_is_refused(text: str, piece: str, place: int) -> None:
    with pytest.raises(BadFormula) as caught:
        parse(text)
    assert str(caught.value) == f"`{piece}` at character {place} of `{text}` is not of the language"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "`` is not a formula: invalid syntax"),
        ("a +", "`a +` is not a formula: invalid syntax"),
        ("abs(a, b)", "abs takes one argument, it has 2 in `abs(a, b)`"),
        ("1+" * 1001 + "1", "formula of 2,003 characters; at most 2,000 are read"),
    ],
)
def test_what_is_no_formula_is_refused(text: str, message: str) -> None:
    with pytest.raises(BadFormula) as caught:
        parse(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "deep", ["(" * 900 + "a" + ")" * 900, "-" * 1900 + "a", "not " * 480 + "a", "a" + "+a" * 900]
)
def test_a_deep_formula_is_refused_or_computed_but_never_a_crash(deep: str) -> None:
    try:
        evaluate(parse(deep), {"a": Fraction(1)})
    except BadFormula:
        return


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a + x", "`x` in `a + x` is not among its inputs (a)"),
        ("(a == 1) + 1", "a truth value stands where `(a == 1) + 1` needs a number"),
        ("a and a == 1", "a number stands where `a and a == 1` needs a comparison"),
        ("not a", "a number stands where `not a` needs a comparison"),
    ],
)
def test_what_does_not_fit_together_is_refused(text: str, message: str) -> None:
    with pytest.raises(BadFormula) as caught:
        evaluate(parse(text), {"a": Fraction(1)})
    assert str(caught.value) == message
