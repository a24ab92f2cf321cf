"""From a recipe to the queries that carry it out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import build
from tieout.ledger import Recipe
from tieout.package import Package, open_package
from tieout.planning import CannotRecompute, FormulaStep, Planner, leaves

CALLS = build.schema(
    "calls",
    ["call"],
    {
        "model": build.TEXT,
        **dict.fromkeys(("call", "input_tokens", "cached_input_tokens", "output_tokens"), build.COUNT),
    },
)


@pytest.fixture
def package(tmp_path: Path) -> Package:
    tables = {**build.TABLES, "calls": (CALLS, [], {"basis": "observation"})}
    return open_package(build.package(tmp_path / "tiny", tables), frozen=False)


def test_an_inputs_filter_is_laid_over_the_claims(package: Package, monkeypatch: pytest.MonkeyPatch) -> None:
    from tieout import metrics

    made = metrics.FormulaMetric(
        name="gain",
        formula="retried / all",
        unit="x",
        inputs={
            "retried": metrics.Input(
                metric="success_rate", where={"trials": {"policy": "retry"}}, part="numerator"
            ),
            "all": metrics.Input(metric="trial_count", where={}, part="value"),
        },
    )
    load = metrics.load
    monkeypatch.setattr(metrics, "load", lambda name: made if name == "gain" else load(name))
    where = {"trials": {"policy": "plain", "task_id": "a"}}
    step = Planner(package).plan(Recipe(metric="gain", where=where))
    assert isinstance(step, FormulaStep)
    assert [leaf.filters["trials"] for leaf in leaves(step)] == [
        "SELECT * FROM receipts.trials WHERE policy = 'retry' AND task_id = 'a'",
        "SELECT * FROM receipts.trials WHERE policy = 'plain' AND task_id = 'a'",
    ]


def test_a_metric_of_dollars_asks_for_prices(package: Package) -> None:
    with pytest.raises(CannotRecompute) as caught:
        Planner(package).plan(Recipe(metric="dollar_cost", where={"calls": "all"}))
    assert str(caught.value) == "there is no price table; give one with --prices FILE"
