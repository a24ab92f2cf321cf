"""The catalogue over random receipts: both engines agree on every metric, and pandas on what the documents define."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests import build
from tests.conftest import ROOT
from tests.metrics import receipts
from tieout import metrics
from tieout.engines import Limits
from tieout.engines.duckdb import DuckDBSession
from tieout.engines.sqlite import SQLiteSession
from tieout.errors import TieoutError
from tieout.exact import Rows
from tieout.ledger import Recipe
from tieout.package import Package, Table, open_package
from tieout.planning import FormulaStep, Planner, QueryStep, Step, leaves
from tieout.prices import price_table
from tieout.questions import Answered
from tieout.recompute import Answers, Recomputed, agree

PACKAGES = {
    path.parent.name: open_package(path.parent, frozen=False)
    for path in sorted(ROOT.glob("artifacts/packages/*/package.yaml"))
}
MODELS = {
    "model-0": ("0.15", "0.075", "0.6"),
    "model-1": ("2.5", "1.25", "10"),
}  # dollars for a million tokens
Frames = Mapping[str, pd.DataFrame]
Value = Fraction | None
SEEDS = st.integers(0, 2**32)
UNSHRUNK = settings(phases=[Phase.explicit, Phase.generate])  # a smaller seed makes no smaller receipts
POLICIES = st.sampled_from([None, "adaptive", "full", "recent"])


class Catalogue:
    """Metrics over one package's tables with random rows, each query asked of both engines."""

    def __init__(
        self,
        package: Package,
        tables: Mapping[str, Table],
        seed: int,
        most: int,
        folder: Path,
        prices: Table | None,
    ) -> None:
        rows, files = receipts.write(Random(seed), tables, folder, most)
        if prices is not None:
            files["prices"] = str(prices.path)
        self.frames: Frames = {
            name: pd.DataFrame(rows[name], columns=list(table.schema["properties"]), dtype=object)
            for name, table in tables.items()
        }
        self._package = package
        self._planner = Planner(package, prices)
        self._engines = DuckDBSession(files, Limits()), SQLiteSession(files, Limits())

    def answers(
        self, name: str, where: Mapping[str, Any] | None = None, **params: Any
    ) -> tuple[Step, Answers]:
        given = {**dict.fromkeys(self._tables(name), "all"), **(where or {})}
        step = self._planner.plan(Recipe(metric=name, where=given, params=params))
        first, second = [], []
        asked = [leaf.asked for leaf in leaves(step)]
        for query in asked:
            one, other = (engine.query(query.sql, Limits()) for engine in self._engines)
            assert isinstance(one, Rows), (name, one)
            assert isinstance(other, Rows), (name, other)
            assert agree(one, other), (name, query.sql, one.rows[:5], other.rows[:5])
            first.append(one)
            second.append(other)
        duckdb, sqlite = (
            dict(zip(asked, map(build.answered, rows), strict=True)) for rows in (first, second)
        )
        return step, Answers({self._package.name: self._package}, Answered(duckdb, sqlite, beside={}))

    def value(self, name: str, where: Mapping[str, Any] | None = None, **params: Any) -> Value:
        step, answers = self.answers(name, where, **params)
        value = _value(step, answers).value.value
        assert not isinstance(value, bool)
        return value

    def rows(self, name: str) -> Rows:
        step, answers = self.answers(name)
        assert isinstance(step, QueryStep)
        return answers._answered.duckdb[step.asked].result()  # type: ignore[return-value]

    def _tables(self, name: str) -> set[str]:
        metric = metrics.load(name)
        if isinstance(metric, metrics.FormulaMetric):
            return set().union(*(self._tables(entry.metric) for entry in metric.inputs.values()))
        return set(self._planner._reads(metric.sql).tables) - {"prices"}


def _value(step: Step, answers: Answers) -> Recomputed:
    if isinstance(step, QueryStep):
        return answers.query(step)
    assert isinstance(step, FormulaStep)
    return answers.formula(
        step, {key: (_value(inner, answers), part) for key, (inner, part) in step.inputs.items()}
    )


@contextmanager
def catalogue(package: str, seed: int, *, most: int = 60, tables: Sequence[str] = ()) -> Iterator[Catalogue]:
    """Random rows for the tables named, or for all, and a price table."""
    opened = PACKAGES[package]
    chosen = {name: table for name, table in opened.tables.items() if not tables or name in tables}
    with TemporaryDirectory() as folder:
        prices = Path(folder) / "prices.yaml"
        listed = "".join(
            f'  {name}: {{input: "{i}", cached_input: "{c}", output: "{o}"}}\n'
            for name, (i, c, o) in MODELS.items()
        )
        prices.write_text(f'date: "2026-09-11"\nsource: a price page\nmodels:\n{listed}', encoding="utf-8")
        with price_table(prices) as table:
            yield Catalogue(opened, chosen, seed, most, Path(folder), table)


def params_of(metric: metrics.Metric, random: Random) -> dict[str, Any]:
    drawn: dict[str, Any] = {}
    for name, declared in metric.params.items():
        allowed = declared.get("enum")
        if isinstance(allowed, list):
            drawn[name] = random.choice(allowed)
        else:
            drawn[name] = random.randint(1, 3) if declared["type"] == "integer" else "kind-0"
    return drawn


@cache
def belonging(package: str) -> tuple[str, ...]:
    """The metrics that a package's tables can answer, those that return integers."""
    opened = PACKAGES[package]
    planner = Planner(opened)
    files = {name: str(table.path) for name, table in opened.tables.items()}
    session = DuckDBSession(files, Limits())
    names = []
    for name in metrics.names():
        metric = metrics.load(name)
        if not isinstance(metric, metrics.SQLMetric) or not metric.exact:
            continue
        params = params_of(metric, Random(0))
        try:
            where = dict.fromkeys(planner._reads(metric.sql).tables, "all")
            step = planner.plan(Recipe(metric=name, where=where, params=params))
        except TieoutError:  # a table that another package has, or prices
            continue
        assert isinstance(step, QueryStep)
        # Packages have tables of one name and other columns.
        if isinstance(session.query(f"SELECT * FROM ({step.asked.sql}) LIMIT 0", Limits()), Rows):
            names.append(name)
    return tuple(names)


@pytest.mark.parametrize("package", PACKAGES)
@settings(parent=UNSHRUNK, max_examples=3)
@given(seed=SEEDS)
def test_both_engines_return_the_same_integers_for_every_metric(package: str, seed: int) -> None:
    random = Random(seed)
    with catalogue(package, seed) as made:
        for name in belonging(package):
            made.answers(name, **params_of(metrics.load(name), random))


def test_every_metric_belongs_to_a_package() -> None:
    used = {name for package in PACKAGES for name in belonging(package)}
    formulas = {name for name in metrics.names() if isinstance(metrics.load(name), metrics.FormulaMetric)}
    doubles = {name for name in metrics.names() if getattr(metrics.load(name), "exact", True) is False}
    assert set(metrics.names()) - used - formulas - doubles == {"dollar_cost"}


def ratio(numerator: Any, denominator: Any) -> Value:
    return Fraction(int(numerator), int(denominator)) if denominator else None


def total(column: pd.Series) -> Value:
    return Fraction(int(column.sum())) if len(column) else None


def tokens(frame: pd.DataFrame) -> pd.Series:
    return frame.input_tokens + frame.output_tokens


def yes(frame: pd.DataFrame, *columns: str) -> int:
    """How many rows have true in all of these columns."""
    return int(frame[list(columns)].astype(bool).all(axis=1).sum())


def kept(frame: pd.DataFrame, column: str, value: bool) -> pd.DataFrame:
    return frame[frame[column].astype(bool) == value]


def once(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.drop_duplicates(["kind", "call_key", "input_tokens", "output_tokens"])


TRAJECTORIES: Mapping[str, Callable[[pd.DataFrame, pd.DataFrame], Value]] = {
    "acceptance": lambda t, c: ratio(yes(t, "answerable", "accepted"), yes(t, "answerable")),
    "screened_acceptance": lambda t, c: ratio(
        yes(t, "answerable", "accepted", "id_aligned"), yes(t, "answerable")
    ),
    "correct_abstention": lambda t, c: ratio(
        yes(kept(t, "answerable", False), "correct_abstention"), len(t) - yes(t, "answerable")
    ),
    "mean_trajectory_tokens": lambda t, c: ratio(tokens(t).sum(), len(t)),
    "total_trajectory_tokens": lambda t, c: total(tokens(t)),
    "tokens_per_accepted": lambda t, c: ratio(tokens(t).sum(), yes(t, "answerable", "accepted")),
    "mean_context_tokens": lambda t, c: ratio(t.context_tokens.sum(), len(t)),
    "mean_rounds": lambda t, c: ratio(t.rounds.sum(), len(t)),
    "utilization": lambda t, c: ratio(
        kept(t, "answerable", True).used_when_available_count.sum(),
        kept(t, "answerable", True).available_count.sum(),
    ),
    "target_recall": lambda t, c: ratio(
        kept(t, "answerable", True).cited_target_count.sum(), kept(t, "answerable", True).target_count.sum()
    ),
    "availability": lambda t, c: ratio(
        kept(t, "answerable", True).available_count.sum(), kept(t, "answerable", True).target_count.sum()
    ),
    "claim_attribution": lambda t, c: ratio(t.supported_claims.sum(), t.claims_count.sum()),
    "stage_tokens": lambda t, c: total(tokens(c[c.case_id.isin(t.case_id)])),
    "mean_stage_tokens": lambda t, c: ratio(tokens(c[c.case_id.isin(t.case_id)]).sum(), len(t)),
    "calls_per_trajectory": lambda t, c: ratio(c.case_id.isin(t.case_id).sum(), len(t)),
    "trajectory_count": lambda t, c: Fraction(len(t)),
}
CALLS: Mapping[str, Callable[[pd.DataFrame], Value]] = {
    "distinct_provider_calls": lambda c: Fraction(len(once(c))),
    "distinct_provider_input_tokens": lambda c: total(once(c).input_tokens),
    "distinct_provider_output_tokens": lambda c: total(once(c).output_tokens),
    "logical_provider_calls": lambda c: Fraction(len(c)),
    "logical_provider_input_tokens": lambda c: total(c.input_tokens),
    "logical_provider_output_tokens": lambda c: total(c.output_tokens),
}


@settings(parent=UNSHRUNK, max_examples=8)
@given(seed=SEEDS, policy=POLICIES)
def test_metrics_of_trajectories_are_those_of_pandas(seed: int, policy: str | None) -> None:
    with catalogue("album-memory-2", seed, tables=["trajectories", "calls"]) as made:
        chosen = made.frames["trajectories"]
        where = {}
        if policy is not None:
            chosen = chosen[chosen.policy == policy]
            where = {"trajectories": {"policy": policy}}
        for name, independent in TRAJECTORIES.items():
            assert made.value(name, where) == independent(chosen, made.frames["calls"]), name


@settings(parent=UNSHRUNK, max_examples=8)
@given(seed=SEEDS, kind=st.sampled_from([None, "answer", "verification"]))
def test_a_reused_call_is_one_provider_call(seed: int, kind: str | None) -> None:
    with catalogue("album-memory-2", seed, most=200, tables=["calls"]) as made:
        chosen = made.frames["calls"]
        where = {}
        if kind is not None:
            chosen = chosen[chosen.kind == kind]
            where = {"calls": {"kind": kind}}
        for name, independent in CALLS.items():
            assert made.value(name, where) == independent(chosen), name


@settings(parent=UNSHRUNK, max_examples=8)
@given(seed=SEEDS)
def test_dollars_are_tokens_times_prices_and_need_a_price_for_every_model(seed: int) -> None:
    def cost(calls: pd.DataFrame) -> Value:
        if not len(calls) or not set(calls.model) <= set(MODELS):
            return None
        dollars = Fraction(0)
        for call in calls.itertuples():
            fresh, cached, out = (Fraction(price) / 10**6 for price in MODELS[str(call.model)])
            dollars += (call.input_tokens - call.cached_input_tokens) * fresh
            dollars += call.cached_input_tokens * cached + call.output_tokens * out
        return dollars

    with catalogue("album-memory-2", seed, most=8, tables=["calls"]) as made:
        calls = made.frames["calls"]
        for models in (["model-0"], ["model-1"], ["model-0", "model-1"], ["model-0", "model-2"]):
            where = {"calls": {"model": models}}
            assert made.value("dollar_cost", where) == cost(calls[calls.model.isin(models)])


@settings(parent=UNSHRUNK, max_examples=8)
@given(seed=SEEDS)
def test_the_frontier_holds_the_settings_that_no_other_beats(seed: int) -> None:
    with catalogue("album-memory-2", seed, tables=["trajectories"]) as made:
        points = {}
        for setting, rows in made.frames["trajectories"].groupby(["policy", "cap", "threshold"]):
            points[setting] = (
                Fraction(yes(rows, "answerable", "accepted"), yes(rows, "answerable") or 1),
                Fraction(int(tokens(rows).sum()), len(rows)),
                yes(rows, "answerable"),
            )
        found = made.rows("pareto_frontier").rows
        assert {row[:3] for row in found} == set(points)
        if any(positives == 0 for _, _, positives in points.values()):
            return  # a setting without a positive question has no share to compare
        for *setting, on_frontier in found:
            share, cost, _ = points[tuple(setting)]
            beaten = any(s >= share and c <= cost and (s > share or c < cost) for s, c, _ in points.values())
            assert on_frontier == int(not beaten)


def macro(answers: pd.DataFrame, numerator: str, denominator: str | None) -> Value:
    """The mean over repetitions, then questions, then albums, of one share a stratum."""

    def mean(values: list[Value]) -> Value:
        known = [value for value in values if value is not None]
        return sum(known, Fraction(0)) / len(known) if known and len(known) == len(values) else None

    def level(frame: pd.DataFrame, columns: list[str]) -> Value:
        if not columns:
            below = len(frame) if denominator is None else int(frame[denominator].sum())
            return ratio(int(frame[numerator].sum()), below)
        return mean([level(group, columns[1:]) for _, group in frame.groupby(columns[0])])

    return level(answers, ["album", "question_id", "repetition"]) if len(answers) else None


@settings(parent=UNSHRUNK, max_examples=8)
@given(seed=SEEDS, policy=st.sampled_from([None, "full", "summary"]))
def test_macro_means_are_over_repetitions_then_questions_then_albums(seed: int, policy: str | None) -> None:
    pairs = {
        "macro_input_tokens": ("input_tokens", None),
        "macro_output_tokens": ("output_tokens", None),
        "macro_context_estimate": ("context_tokens_estimate", None),
        "macro_coverage": ("coverage", None),
        "macro_support": ("support", None),
        "macro_overclaim": ("overclaim", None),
        "macro_within_90_words": ("within_90_words", None),
        "macro_abstention": ("abstained", None),
        "macro_evidence_recall": ("cited_targets", "target_count"),
        "macro_target_availability": ("available_targets", "target_count"),
    }
    with catalogue("album-memory-1", seed, tables=["answers"]) as made:
        chosen = made.frames["answers"]
        where = {}
        if policy is not None:
            chosen = chosen[chosen.policy == policy]
            where = {"answers": {"policy": policy}}
        for name, (numerator, denominator) in pairs.items():
            assert made.value(name, where) == macro(chosen, numerator, denominator), name


@settings(parent=UNSHRUNK, max_examples=8)
@given(seed=SEEDS)
def test_formulas_over_macro_means_are_those_of_their_parts(seed: int) -> None:
    with catalogue("album-memory-1", seed, most=150, tables=["answers", "stage_usage"]) as made:
        answers, stages = made.frames["answers"], made.frames["stage_usage"]
        full = macro(answers[answers.policy == "full"], "input_tokens", None)
        summary = macro(answers[answers.policy == "summary"], "input_tokens", None)
        build = total(stages[stages.stage == "summary"].input_tokens)
        saved = None if full is None or summary is None or full == summary else full - summary
        repaid = None if build is None or saved is None else build / saved
        assert made.value("summary_amortization_queries") == repaid
        albums = answers[answers.policy.isin(["full", "summary"])].album.nunique()
        assert made.value("summary_amortization_queries_per_album") == (repaid and repaid / albums)
        cut = None if full in (None, 0) or summary is None else 1 - summary / full
        assert made.value("input_reduction", {"answers": {"policy": "summary"}}) == cut


@settings(parent=UNSHRUNK, max_examples=6)
@given(seed=SEEDS)
def test_metrics_of_turns_are_those_of_pandas(seed: int) -> None:
    with catalogue("album-memory-2", seed, tables=["turns"]) as made:
        turns = made.frames["turns"]
        adaptive, full = turns[turns.policy == "adaptive"], turns[turns.policy == "full"]
        assert made.value("turn_acceptance") == ratio(yes(turns, "accepted"), len(turns))
        assert made.value("mean_turn_tokens") == ratio(tokens(turns).sum(), len(turns))
        extra = yes(adaptive, "accepted") - yes(full, "accepted")
        known = len(adaptive) and len(full)
        wanted = ratio(tokens(adaptive).sum() - tokens(full).sum(), extra) if known else None
        assert made.value("extra_tokens_per_extra_acceptance") == wanted


def test_tokens_per_accepted_is_undefined_where_nothing_is_accepted() -> None:
    with catalogue("album-memory-2", 1, tables=["trajectories"]) as made:
        none = {"trajectories": {"accepted": False}}
        step, answers = made.answers("tokens_per_accepted", none)
        value = _value(step, answers).value
        assert value.numerator
        assert (value.value, value.denominator, value.reason) == (None, 0, "undefined")
