"""One metric over one package, outside any ledger."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tieout import metrics, sqltext
from tieout.ledger import Recipe
from tieout.package import Package, Table, open_package
from tieout.planning import PRICES, Asked, Planner, leaves
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
    queries = list(leaves(step))
    asked = [query.asked for query in queries]
    profiles = [
        extra
        for query in queries
        for extra in (query.profile.cases, *query.profile.in_loop.values())
        if extra is not None
    ]
    options = Options(prices=prices)
    with started(options) as (duckdb, sqlite):
        open_in((duckdb, sqlite), [package], options)
        sqlite.submit([(query.package, query.sql) for query in asked])
        first = dict(zip([*asked, *profiles], duckdb.ask(_pairs([*asked, *profiles])), strict=True))
        second = dict(zip(asked, sqlite.answers(), strict=True))
        if sqlite.opened[package.name].skipped:
            second = {}
    return Answers({package.name: package}, first, second).value(step)


def _pairs(asked: list[Asked]) -> list[tuple[str, str]]:
    return [(query.package, query.sql) for query in asked]


def _tables(name: str, package: Package) -> set[str]:
    metric = metrics.load(name)
    if isinstance(metric, metrics.FormulaMetric):
        return set().union(*(_tables(given.metric, package) for given in metric.inputs.values()))
    return set(sqltext.check(metric.sql, [*package.tables, PRICES]).tables) - {PRICES}
