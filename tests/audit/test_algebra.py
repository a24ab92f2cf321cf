"""What a formula gives whatever the numbers are, against the formula's own value for many numbers."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.test_formula import EXPRESSIONS, INPUTS, TRUTHS
from tieout.audit.algebra import settled
from tieout.formula import evaluate, parse
from tieout.planning import Asked, ClaimStep, FormulaStep, Profile, QueryStep, Step


def query(name: str) -> QueryStep:
    return QueryStep(
        asked=Asked(package="tiny", sql=f"SELECT {name}"),
        own=f"SELECT {name}",
        combine="ratio",
        member={},
        value_column=None,
        exact=True,
        unit="",
        tables=(),
        filters={},
        evaluators=(),
        profile=Profile(cases=None, in_loop={}),
        metric=None,
    )


def formula(text: str) -> FormulaStep:
    parsed = parse(text)
    inputs: dict[str, tuple[Step, str]] = {name: (ClaimStep(claim=name), "value") for name in parsed.names}
    return FormulaStep(formula=parsed, inputs=inputs, unit="", metric=None)


QUERIES: dict[str, Step] = {name: query(name) for name in "abc"}


@given(st.one_of(EXPRESSIONS, TRUTHS), INPUTS)
def test_what_is_settled_is_so_for_all_numbers(text: str, inputs: dict[str, Fraction]) -> None:
    found = settled(formula(text), QUERIES)
    parsed = parse(text)
    value = evaluate(parsed, {name: inputs[name] for name in parsed.names}).value
    assert found is None or value is None or found == value


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("a == a", True),
        ("a * b == b * a", True),
        ("a / b >= 2 * a / (b + b)", True),
        ("(a + b) * (a - b) == a * a - b * b", True),
        ("a < a + 1", True),
        ("a != a", False),
        ("max(a, a) == a and min(b, a) <= min(a, b)", True),
        ("a <= b or a > b", True),
        ("a < b or b < a or a - b == 0", True),
        ("not (2 * a > 2 * b) or b < a", True),
        ("not 1 == 1", False),
        ("a - a + 0.42", Fraction(21, 50)),
        ("a * b / (b * a)", 1),
        ("min(3, 4) - abs(0 - 3)", 0),
    ],
)
def test_what_the_text_alone_decides(text: str, outcome: Fraction | bool) -> None:
    assert settled(formula(text), QUERIES) == outcome


@pytest.mark.parametrize(
    "text", ["a == b", "a >= 0", "a < b or b < a", "a == a and a < b", "a", "max(a, b)", "a / (b - b) == 1"]
)
def test_what_is_left_to_the_numbers(text: str) -> None:
    assert settled(formula(text), QUERIES) is None


def test_names_stand_for_what_their_claims_compute() -> None:
    steps = {**QUERIES, "same": query("a"), "half": formula("a / 2"), "whole": formula("half + half")}
    assert settled(formula("same == a"), steps) is True
    assert settled(formula("whole == a"), steps) is True
    assert settled(formula("half == a"), steps) is None
    assert settled(formula("lost == lost"), steps) is None


def test_what_grows_without_end_is_left_open() -> None:
    steps = {**QUERIES, "p0": formula("a + b + 7")}
    for index in range(40):
        steps[f"p{index + 1}"] = formula(f"p{index} * p{index}")
    assert settled(formula("p40 == p40"), steps) is None
    factors = " * ".join(["(a + b + c)"] * 25)
    assert settled(formula(f"{factors} == {factors}"), QUERIES) is None
