"""One metric over one package, outside any ledger."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tieout import metrics, sqltext
from tieout.engines import PRICES
from tieout.ledger import Recipe
from tieout.package import Package, Table, open_package
from tieout.planning import Planner, leaves
from tieout.questions import Questions
from tieout.recompute import Answers, Recomputed
from tieout.verify import Options, open_in, started


def compute(
    root: Path,
    name: str,
    *,
    where: Mapping[str, Any] | None = None,
    params: Mapping[str, Any] | None = None,
    prices: Table | None = None,
) -> Recomputed:
    """The value of a catalogue metric over a package, frozen or not; tables that `where` leaves out are read whole.

    Raises UnknownMetric, CannotRecompute or RefusedSQL where it cannot be recomputed.
    """
    package = open_package(root, frozen=False)
    given = {**dict.fromkeys(_tables(name, package), "all"), **(where or {})}
    step = Planner(package, prices).plan(Recipe(metric=name, where=given, params=params or {}))
    options = Options(prices=prices)
    with started(options) as (duckdb, sqlite):
        open_in((duckdb, sqlite), [package], options)
        questions = Questions(duckdb, sqlite)
        questions.ask(leaves(step))
        return Answers({package.name: package}, questions.answered()).value(step)


def _tables(name: str, package: Package) -> set[str]:
    metric = metrics.load(name)
    if isinstance(metric, metrics.FormulaMetric):
        return set().union(*(_tables(given.metric, package) for given in metric.inputs.values()))
    return set(sqltext.check(metric.sql, [*package.tables, PRICES]).tables) - {PRICES}
