"""What stands behind a claim: the queries that were run, the tables they read, and the words of its metric."""

from __future__ import annotations

from typing import Any

from tieout import metrics
from tieout.planning import FormulaStep, QueryStep, Step, leaves
from tieout.report import ClaimResult, ReadingResult, number


def behind(result: ClaimResult) -> dict[str, Any]:
    """The queries behind a claim with their tables and filters, its meaning to the machine, its readings' SQL."""
    step = result.recomputed.step if result.recomputed else None
    recipe = result.claim.recipe
    return {
        "asserts": recipe.asserts if recipe else None,
        "locator": result.claim.locator,
        "registration": result.claim.registration,
        "metric": metric_words(recipe.metric) if recipe and recipe.metric else None,
        "combine": _combine(step),
        "member": dict(step.member) if isinstance(step, QueryStep) else {},
        "queries": [_query(leaf, _name_of(leaf, step)) for leaf in leaves(step)] if step else [],
        "readings": [_reading(reading) for reading in result.readings],
        "tolerances": [
            None if place.printing.tolerance is None else place.printing.tolerance.because
            for place in result.printings
        ],
    }


def _reading(reading: ReadingResult) -> dict[str, Any]:
    value = reading.value
    return {
        "sql": reading.sql,
        "exact": value.exact,
        "columns": {name: number(cell, exact=value.exact) for name, cell in value.columns.items()},
    }


def metric_words(name: str) -> dict[str, str]:
    """What the catalogue says of a metric."""
    metric = metrics.load(name)
    return {
        "name": name,
        "title": metric.title,
        "says": metric.says,
        "source": metric.source,
        "denominator": metric.denominator if isinstance(metric, metrics.SQLMetric) else "",
    }


def _combine(step: Step | None) -> str | None:
    if not isinstance(step, QueryStep) or not step.exact:
        return None
    return step.combine if isinstance(step.combine, str) else ", ".join(step.combine)


def _name_of(leaf: QueryStep, step: Step | None) -> str | None:
    """The name by which a formula calls a query; None where the query is the claim's own, or lies deeper."""
    if not isinstance(step, FormulaStep):
        return None
    return next((name for name, (inner, _) in step.inputs.items() if inner is leaf), None)


def _query(step: QueryStep, name: str | None) -> dict[str, Any]:
    return {
        "name": name,
        "package": step.asked.package,
        "sql": step.asked.sql,
        "tables": {table.name: table.file for table in step.tables},
        "keys": {table.name: list(table.key) for table in step.tables},
        "filters": dict(step.filters),
    }
