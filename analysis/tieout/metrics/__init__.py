"""The catalogue of metrics: one file each, a SQL query with its definition on top, or a formula over other metrics."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

from tieout.errors import Fault, Invalid, TieoutError
from tieout.exact import COMBINES, Combine
from tieout.sqltext import Scalar
from tieout.strict import load_yaml

COMMON = {"title", "says", "unit", "source", "caveats"}
SQL_KEYS = COMMON | {"denominator", "combine", "exact", "value", "cases", "params"}
FORMULA_KEYS = COMMON | {"inputs", "formula", "params"}


class UnknownMetric(TieoutError):
    """A name that the catalogue does not have."""

    exit_code = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Cases:
    """The rows behind a metric's denominator: a table, and the condition that the metric itself puts on it."""

    table: str
    where: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class SQLMetric:
    """A query returning integers, and how its rows combine. `cases` is None where no table's rows are its cases."""

    name: str
    sql: str
    combine: Combine
    unit: str
    title: str = ""
    says: str = ""
    source: str = ""
    denominator: str = ""
    exact: bool = True
    value_column: str | None = None
    cases: Cases | None = None
    params: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    digest: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Input:
    """One input of a formula metric: a metric, the filter laid over the claim's own, and the part that is taken."""

    metric: str
    where: Mapping[str, object]
    part: str


@dataclass(frozen=True, kw_only=True, slots=True)
class FormulaMetric:
    """A formula over other metrics, called like any metric."""

    name: str
    formula: str
    inputs: Mapping[str, Input]
    unit: str
    title: str = ""
    says: str = ""
    source: str = ""
    params: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    digest: str = ""


Metric = SQLMetric | FormulaMetric


@cache
def names() -> tuple[str, ...]:
    """The names of the catalogue's metrics, sorted."""
    files = (entry.name for entry in resources.files(__name__).iterdir())
    return tuple(sorted(name.rpartition(".")[0] for name in files if name.endswith((".sql", ".yaml"))))


@cache
def load(name: str) -> Metric:
    """The catalogue's metric of this name.

    Raises UnknownMetric, with the nearest names, and Invalid where a metric's own file breaks its form.
    """
    if name not in names():
        import difflib

        near = difflib.get_close_matches(name, names(), 3)
        hint = f"; near it: {', '.join(near)}" if near else ""
        raise UnknownMetric(f"no metric `{name}` in the catalogue{hint} (`tieout metrics` lists it)")
    folder = resources.files(__name__)
    for suffix, build in ((".sql", _sql_metric), (".yaml", _formula_metric)):
        entry = folder / f"{name}{suffix}"
        if entry.is_file():
            return build(name, entry.read_text(encoding="utf-8"))
    raise AssertionError(f"{name} is listed and not there")


def _sql_metric(name: str, text: str) -> SQLMetric:
    lines = text.splitlines()
    end = next((index for index, line in enumerate(lines) if not line.startswith("--")), len(lines))
    header = _header(
        "\n".join(line[2:].removeprefix(" ") for line in lines[:end]), f"metrics/{name}.sql", SQL_KEYS
    )
    combine = header.get("combine", "ratio")
    ways = (combine,) if isinstance(combine, str) else tuple(combine)
    if bad := [way for way in ways if way not in COMBINES]:
        raise Invalid([_fault(f"metrics/{name}.sql", f"no way to combine rows is called {bad[0]}")])
    cases = header.get("cases")
    return SQLMetric(
        name=name,
        sql="\n".join(lines[end:]).strip(),
        combine=combine if isinstance(combine, str) else ways,
        unit=header["unit"],
        title=header["title"],
        says=header["says"],
        source=header.get("source", ""),
        denominator=header.get("denominator", ""),
        exact=header.get("exact", True),
        value_column=header.get("value"),
        cases=Cases(table=cases["table"], where=cases.get("where")) if cases else None,
        params=header.get("params", {}),
        digest=hashlib.sha256(text.encode()).hexdigest(),
    )


def _formula_metric(name: str, text: str) -> FormulaMetric:
    header = _header(text, f"metrics/{name}.yaml", FORMULA_KEYS)
    inputs = {
        key: Input(metric=given["metric"], where=given.get("where", {}), part=given.get("column", "value"))
        for key, given in header["inputs"].items()
    }
    return FormulaMetric(
        name=name,
        formula=header["formula"],
        inputs=inputs,
        unit=header["unit"],
        title=header["title"],
        says=header["says"],
        source=header.get("source", ""),
        params=header.get("params", {}),
        digest=hashlib.sha256(text.encode()).hexdigest(),
    )


def _header(text: str, file: str, known: set[str]) -> dict[str, Any]:
    header = load_yaml(text, file)
    if not isinstance(header, dict):
        raise Invalid([_fault(file, "the metric's definition is missing")])
    missing = sorted({"title", "says", "unit"} - set(header))
    if unknown := sorted(set(header) - known):
        raise Invalid([_fault(file, f"unknown keys in the definition: {', '.join(unknown)}")])
    if missing:
        raise Invalid([_fault(file, f"the definition lacks {', '.join(missing)}")])
    return header


def _fault(file: str, message: str) -> Fault:
    return Fault(code="metric-form", message=message, file=file)


def check_params(metric: Metric, params: Mapping[str, Scalar]) -> str | None:
    """Why these parameters do not fit the metric's declaration, or None where they do."""
    if missing := sorted(set(metric.params) - set(params)):
        return f"metric {metric.name} needs the parameter {missing[0]}"
    for name, value in params.items():
        declared = metric.params.get(name)
        if declared is None:
            return f"metric {metric.name} has no parameter {name}"
        kind = {"integer": int, "string": str, "boolean": bool}[str(declared["type"])]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            return (
                f"parameter {name} of metric {metric.name} must be of type {declared['type']}, not {value!r}"
            )
        allowed = declared.get("enum")
        if isinstance(allowed, list) and value not in allowed:
            return f"parameter {name} of metric {metric.name} is one of {', '.join(map(str, allowed))}, not {value!r}"
        least = declared.get("minimum")
        if isinstance(least, int) and isinstance(value, int) and value < least:
            return f"parameter {name} of metric {metric.name} is at least {least}, not {value}"
    return None
