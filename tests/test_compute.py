"""One metric over one package, no claim needed."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from tests import build
from tieout.compute import compute
from tieout.metrics import UnknownMetric
from tieout.planning import CannotRecompute


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build.package(tmp_path_factory.mktemp("compute") / "tiny")


def test_tables_that_no_filter_names_are_read_whole(tiny: Path) -> None:
    found = compute(tiny, "success_rate")
    assert (found.value.value, found.value.numerator, found.value.denominator) == (Fraction(7, 8), 7, 8)
    assert (found.n_cases, found.basis, dict(found.engines)) == (
        2,
        "observation",
        {"duckdb": "same", "sqlite": "same"},
    )
    assert dict(found.evaluators) == {"judge": {"policy": ["retry"]}}


def test_a_filter_and_a_parameter_are_taken(tiny: Path) -> None:
    plain = {"trials": {"policy": "plain"}}
    # a: 1 of 2, b: 2 of 2, so C(1,2)/C(2,2) = 0 and 1
    assert compute(tiny, "pass_hat_k", where=plain, params={"k": 2}).value.value == Fraction(1, 2)


def test_an_undefined_value_is_none_with_its_reason(tiny: Path) -> None:
    found = compute(tiny, "success_rate", where={"trials": {"trial": 9}})
    assert (found.value.value, found.value.reason) == (None, "undefined")


def test_an_unknown_metric_is_told_with_its_neighbours(tiny: Path) -> None:
    with pytest.raises(UnknownMetric) as caught:
        compute(tiny, "sucess_rate")
    assert str(caught.value) == (
        "no metric `sucess_rate` in the catalogue; near it: success_rate (`tieout metrics` lists it)"
    )


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({}, "metric pass_hat_k needs the parameter k"),
        ({"k": 0}, "parameter k of metric pass_hat_k is at least 1, not 0"),
        ({"k": "2"}, "parameter k of metric pass_hat_k must be of type integer, not '2'"),
        ({"k": True}, "parameter k of metric pass_hat_k must be of type integer, not True"),
        ({"k": 1, "j": 1}, "metric pass_hat_k has no parameter j"),
    ],
)
def test_a_parameter_that_does_not_fit_is_refused(
    tiny: Path, params: dict[str, object], message: str
) -> None:
    with pytest.raises(CannotRecompute) as caught:
        compute(tiny, "pass_hat_k", params=params)
    assert str(caught.value) == message
