"""Metrics of trials against independent calculations, with the same integers from both engines."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import ROOT
from tieout.engines import Failure, Limits
from tieout.engines.duckdb import DuckDBSession
from tieout.engines.sqlite import SQLiteSession
from tieout.exact import Rows, Value, combine
from tieout.importers import parquet
from tieout.metrics import SQLMetric, load
from tieout.sqltext import bind, check, compose, selected

Trial = tuple[bool, int | None]  # success, cost
PACKAGE = ROOT / "artifacts" / "packages" / "tau-bench-airline" / "receipts" / "trials.parquet"
tasks = st.lists(
    st.lists(
        st.tuples(st.booleans(), st.one_of(st.none(), st.integers(0, 10**9))),
        min_size=1,
        max_size=6,
    ),
    min_size=1,
    max_size=5,
)


def rows(engine: type[DuckDBSession | SQLiteSession], file: Path, sql: str) -> Rows:
    answer = engine({"trials": str(file)}, Limits()).query(sql, Limits())
    assert not isinstance(answer, Failure), answer.message
    return Rows(columns=answer.columns, rows=tuple(sorted(answer.rows, key=str)))


def value_in(file: Path, name: str, **params: int) -> Value:
    """What a metric gives, after both engines gave the same rows."""
    metric = load(name)
    assert isinstance(metric, SQLMetric)
    bound = bind(metric.sql, params)
    assert check(bound, ["trials", "plan"]).tables == {"trials"}
    sql = compose(bound, {"trials": selected("trials")})
    duck, lite = rows(DuckDBSession, file, sql), rows(SQLiteSession, file, sql)
    assert duck == lite
    return combine(duck, metric.combine, value_column=metric.value_column, exact=metric.exact)


@contextmanager
def receipts(trials: list[list[Trial]]) -> Iterator[Path]:
    schema: Mapping[str, Any] = json.loads(
        (ROOT / "schemas" / "tables" / "tau-bench-airline" / "trials.json").read_text(encoding="utf-8")
    )
    blank: dict[str, object] = dict.fromkeys(schema["properties"], 0)
    written = [
        blank
        | {"task_id": task, "trial": number, "success": success, "reward": int(success), "user_cost": cost}
        | {"ended_by": "user", "r_actions": success, "r_outputs": None}
        for task, of_task in enumerate(trials)
        for number, (success, cost) in enumerate(of_task)
    ]
    with TemporaryDirectory() as folder:
        file = Path(folder) / "trials.parquet"
        parquet.write(file, written, schema)
        yield file


def value(trials: list[list[Trial]], name: str, **params: int) -> Value:
    with receipts(trials) as file:
        return value_in(file, name, **params)


@settings(max_examples=15)
@given(tasks, st.integers(1, 6))
def test_pass_hat_k_is_the_share_of_draws_that_all_succeed(trials: list[list[Trial]], k: int) -> None:
    shares = []
    for of_task in trials:
        draws = list(combinations([success for success, _ in of_task], k))
        shares.append(Fraction(sum(map(all, draws)), len(draws)) if draws else None)
    found = value(trials, "pass_hat_k", k=k)
    known = [share for share in shares if share is not None]
    if len(known) < len(shares):
        missing = len(shares) - len(known)
        assert (found.value, found.reason) == (None, f"undefined in {missing} of {len(shares)} strata")
    else:
        assert found.value == sum(known, Fraction(0)) / len(known)


@settings(max_examples=15)
@given(tasks)
def test_pass_hat_1_is_the_mean_of_the_success_rates_of_tasks(trials: list[list[Trial]]) -> None:
    rates = [Fraction(sum(success for success, _ in of_task), len(of_task)) for of_task in trials]
    assert value(trials, "pass_hat_k", k=1).value == sum(rates, Fraction(0)) / len(rates)


@settings(max_examples=15)
@given(tasks)
def test_counts_and_costs(trials: list[list[Trial]]) -> None:
    flat = [trial for of_task in trials for trial in of_task]
    costs = [cost for _, cost in flat if cost is not None]
    bought = sum(success for success, cost in flat if cost is not None)
    expected = {
        "task_count": Fraction(len(trials)),
        "trial_count": Fraction(len(flat)),
        "success_rate": Fraction(sum(success for success, _ in flat), len(flat)),
        "known_costs": Fraction(len(costs), len(flat)),
        "total_user_cost": Fraction(sum(costs), 10**7) if costs else None,
        "mean_user_cost": Fraction(sum(costs), len(costs) * 10**7) if costs else None,
        "cost_per_success": Fraction(sum(costs), bought * 10**7) if bought else None,
    }
    with receipts(trials) as file:
        assert {name: value_in(file, name).value for name in expected} == expected


def test_a_success_of_unknown_cost_cheapens_nothing() -> None:
    found = value([[(True, 100), (True, None), (False, 50)]], "cost_per_success")
    assert (found.numerator, found.denominator, found.value) == (150, 10**7, Fraction(150, 10**7))


def test_without_a_success_its_cost_is_undefined_and_not_zero() -> None:
    found = value([[(False, 100)]], "cost_per_success")
    assert (found.value, found.reason) == (None, "undefined")


@pytest.mark.parametrize(("trials", "k"), [(19, 19), (100, 9)])
def test_many_trials_stay_exact(trials: int, k: int) -> None:
    of_task: list[Trial] = [(number != 0, None) for number in range(trials)]
    assert value([of_task], "pass_hat_k", k=k).value == Fraction(trials - k, trials)


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_pass_hat_k_of_the_frozen_trials_is_that_of_the_table_taken_down(k: int, studies: Path) -> None:
    successes: dict[str, list[bool]] = {}
    with (studies / "tau-bench-airline" / "trials.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            successes.setdefault(row["task_id"], []).append(row["reward"] == "1.0")
    shares = [Fraction(comb(sum(task), k), comb(len(task), k)) for task in successes.values()]
    assert value_in(PACKAGE, "pass_hat_k", k=k).value == sum(shares, Fraction(0)) / 50


@pytest.mark.parametrize("name", ["success_rate", "known_costs", "total_user_cost", "cost_per_success"])
def test_the_frozen_trials_give_the_same_on_both_engines(name: str) -> None:
    assert value_in(PACKAGE, name).value is not None
