"""From a recipe to the queries that carry it out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import build
from tieout.ledger import Recipe
from tieout.package import Package, open_package
from tieout.planning import CannotRecompute, FormulaStep, Planner, QueryStep, leaves
from tieout.sqltext import RefusedSQL

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


TRIALS = {"trials": "all"}


@pytest.mark.parametrize(
    ("recipe", "message"),
    [
        (
            Recipe(metric="success_rate", where=TRIALS, combine="max"),
            "`combine` has no meaning beside `metric`, which does not read it",
        ),
        (
            Recipe(formula="1 / 2", where=TRIALS),
            "`where` has no meaning beside `formula`, which does not read it",
        ),
        (
            Recipe(asserts="1 < 2", params={"k": 1}),
            "`params` has no meaning beside `asserts`, which does not read it",
        ),
        (
            Recipe(metric="token_reduction", member={"task_id": "a"}),
            "`member` names a row of a set-valued query, and this one has a single value",
        ),
        (
            Recipe(metric="cost_per_success", where={**TRIALS, "calls": "all"}),
            "`where` filters table `calls`, which the query does not read",
        ),
        (
            Recipe(metric="cost_per_success", where=TRIALS, params={"k": 7}),
            "metric cost_per_success has no parameter k",
        ),
        (
            Recipe(metric="cost_per_success", where=TRIALS, member={"task_id": "a"}),
            "`member` names a row of a set-valued query, and this one has a single value",
        ),
    ],
)
def test_a_key_that_changes_nothing_is_refused(package: Package, recipe: Recipe, message: str) -> None:
    with pytest.raises(CannotRecompute) as caught:
        Planner(package).plan(recipe)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        ({"trial": True}, "`trials.trial` is never True; its type is integer"),
        ({"trial": ["0"]}, "`trials.trial` is never '0'; its type is integer"),
        ({"success": 1}, "`trials.success` is never 1; its type is boolean"),
        ({"task_id": {"not": 7}}, "`trials.task_id` is never 7; its type is string"),
        ({"trial": None}, "`trials.trial` is never None; its type is integer"),
    ],
)
def test_a_value_of_another_type_selects_nothing_and_is_refused(
    package: Package, terms: dict[str, object], message: str
) -> None:
    with pytest.raises(CannotRecompute) as caught:
        Planner(package).plan(Recipe(metric="trial_count", where={"trials": terms}))
    assert str(caught.value) == message


def test_a_column_in_other_capitals_would_lose_its_judge_and_is_refused_each_time(package: Package) -> None:
    planner = Planner(package)
    sql = "SELECT count(*) FILTER (WHERE SUCCESS) AS numerator, count(*) AS denominator FROM trials"
    for _ in range(2):
        with pytest.raises(RefusedSQL, match="column `success` is written `SUCCESS`"):
            planner.plan(Recipe(sql=sql, where=TRIALS))


def test_who_was_in_the_loop_is_asked_of_the_rows_that_were_judged(tmp_path: Path) -> None:
    aims = build.schema("aims", ["policy"], {"policy": build.TEXT})
    tables = {"aims": (aims, [{"policy": "plain"}], {"basis": "design"}), **build.TABLES}
    package = open_package(build.package(tmp_path / "tiny", tables), frozen=False)
    sql = (
        "SELECT count(*) FILTER (WHERE success) AS numerator, count(*) AS denominator "
        "FROM trials JOIN aims ON aims.policy <> trials.policy"
    )
    step = Planner(package).plan(Recipe(sql=sql, where={**TRIALS, "aims": "all"}))
    assert isinstance(step, QueryStep)
    assert "receipts.trials" in step.profile.in_loop["judge"].sql
