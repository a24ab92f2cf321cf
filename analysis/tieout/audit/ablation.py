"""What each filter of a claim does: its value without the filter, and how the rows that it drops fared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from tieout import metrics, sqltext
from tieout.audit.parts import quoted
from tieout.audit.shape import shape, without
from tieout.audit.subject import Room, Subject
from tieout.exact import Rows, Value
from tieout.ledger import Recipe
from tieout.package import Package, Table
from tieout.report import number as text_of
from tieout.sqltext import condition

WHERE, METRIC = "where", "metric"
MARKED = ("outcome", "usage", "cost")


@dataclass(frozen=True, kw_only=True, slots=True)
class Rate:
    """The mean of an outcome over the rows kept and over those dropped; None where no row has one."""

    column: str
    evaluator: str | None
    kept: Fraction | None
    dropped: Fraction | None

    def to_json(self) -> dict[str, Any]:
        """The rate's part of the audit's JSON."""
        return {
            "column": self.column,
            "evaluator": self.evaluator,
            "kept": text_of(self.kept),
            "dropped": text_of(self.dropped),
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Ablation:
    """One filter taken away. `source` is `where`, or `metric` for a filter in the query's own text.

    `marks` says what kind of columns the filter is on: `outcome`, `usage`, `cost`, `nullable`. `value` is what the
    claim's recipe gives without it, None with `reason` where there is none. `kept` and `dropped` are rows of the table
    among those that all other filters keep.
    """

    source: str
    table: str
    term: str
    marks: tuple[str, ...]
    value: Value
    kept: int | None
    dropped: int | None
    rates: tuple[Rate, ...]

    def to_json(self) -> dict[str, Any]:
        """The ablation's part of the audit's JSON."""
        return {
            "source": self.source,
            "table": self.table,
            "term": self.term,
            "marks": list(self.marks),
            "value": text_of(self.value.value, exact=self.value.exact),
            "columns": {
                name: text_of(cell, exact=self.value.exact) for name, cell in self.value.columns.items()
            },
            "reason": self.value.reason,
            "kept": self.kept,
            "dropped": self.dropped,
            "outcomes": [rate.to_json() for rate in self.rates],
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class _Filter:
    source: str
    table: Table
    term: str
    columns: frozenset[str]
    condition: str
    others: str | None
    recipe: Recipe


def ablations(room: Room, subject: Subject) -> list[Ablation]:
    """Every filter of the claim's own recipe taken away in turn; empty for a formula and where nothing is filtered."""
    if (package := subject.package) is None or (subject.recipe.metric is None and subject.recipe.sql is None):
        return []
    filters = [*_of_where(package, subject.recipe), *_of_query(package, subject.recipe)]
    values = room.values(package.name, [each.recipe for each in filters])
    return [
        _ablation(room, subject, package, each, value) for each, value in zip(filters, values, strict=True)
    ]


def _of_where(package: Package, recipe: Recipe) -> Iterator[_Filter]:
    for name, where in recipe.where.items():
        table = package.tables.get(name)
        if table is None or where == "all":
            continue
        if isinstance(
            where, list
        ):  # alternatives are one filter: without one of them it would keep less, not more
            whole = f"({condition(where, table.nullable)})"
            yield _Filter(
                source=WHERE,
                table=table,
                term=whole,
                columns=frozenset(column for each in where for column in each),
                condition=whole,
                others=None,
                recipe=replace(recipe, where={**recipe.where, name: "all"}),
            )
            continue
        for column, term in where.items():
            rest = {key: value for key, value in where.items() if key != column}
            yield _Filter(
                source=WHERE,
                table=table,
                term=condition({column: term}, table.nullable),
                columns=frozenset({column}),
                condition=condition({column: term}, table.nullable),
                others=condition(rest, table.nullable) if rest else None,
                recipe=replace(recipe, where={**recipe.where, name: rest or "all"}),
            )


def _of_query(package: Package, recipe: Recipe) -> Iterator[_Filter]:
    """The filters of a query over one table; where several are joined, a condition may be part of the joining."""
    found = _query(recipe)
    if found is None:
        return
    sql, metric = found
    known = shape(sql)
    table = package.tables.get(known.base or "")
    if table is None or (metric is not None and not metric.exact):
        return
    where = recipe.where.get(table.name, "all")
    outer = [] if where == "all" else [f"({condition(where, table.nullable)})"]
    texts = [each.sql(dialect="duckdb") for each in known.conjuncts]
    for index, text in enumerate(texts):
        others = [*outer, *(f"({each})" for place, each in enumerate(texts) if place != index)]
        from sqlglot import exp

        named = frozenset(column.name for column in known.conjuncts[index].find_all(exp.Column))
        yield _Filter(
            source=METRIC,
            table=table,
            term=text,
            columns=named,
            condition=text,
            others=" AND ".join(others) or None,
            recipe=replace(
                recipe,
                metric=None,
                params={},
                sql=without(sql, index),
                combine=recipe.combine or (metric.combine if metric else None),
                unit=recipe.unit or (metric.unit if metric else None),
            ),
        )


def _query(recipe: Recipe) -> tuple[str, metrics.SQLMetric | None] | None:
    if recipe.sql is not None:
        return sqltext.bind(recipe.sql, recipe.params), None
    metric = metrics.load(str(recipe.metric))
    if not isinstance(metric, metrics.SQLMetric):
        return None
    return sqltext.bind(metric.sql, recipe.params), metric


def _ablation(room: Room, subject: Subject, package: Package, given: _Filter, value: Value) -> Ablation:
    table = given.table
    form = table.nullable
    roles = {role for role in MARKED if given.columns & set(table.with_role(role))}
    nullable = {"nullable"} if any(form.get(column) for column in given.columns) else set()
    kept, dropped, rates = _counts(room, subject, package, given)
    return Ablation(
        source=given.source,
        table=table.name,
        term=given.term,
        marks=tuple(sorted(roles | nullable)),
        value=value,
        kept=kept,
        dropped=dropped,
        rates=rates,
    )


def _counts(
    room: Room, subject: Subject, package: Package, given: _Filter
) -> tuple[int | None, int | None, tuple[Rate, ...]]:
    table = given.table
    outcomes = _outcomes(subject, table, given.columns)
    holds = f"coalesce({given.condition}, FALSE)"
    columns = [f"count(*) FILTER (WHERE {holds})", f"count(*) FILTER (WHERE NOT {holds})"]
    for column in outcomes:
        for side in (holds, f"NOT {holds}"):
            name = quoted(column)
            columns.append(f"sum(CAST({name} AS BIGINT)) FILTER (WHERE {side})")
            columns.append(f"count({name}) FILTER (WHERE {side})")
    where = f" WHERE {given.others}" if given.others else ""
    answer = room.rows(package.name, f"SELECT {', '.join(columns)} FROM receipts.{table.name}{where}")
    if not isinstance(answer, Rows):
        return None, None, ()
    kept, dropped, *sums = (int(cell) if isinstance(cell, int) else 0 for cell in answer.rows[0])
    rates = []
    for index, column in enumerate(outcomes):
        first, first_of, second, second_of = sums[4 * index : 4 * index + 4]
        rates.append(
            Rate(
                column=column,
                evaluator=table.evaluator_of(column),
                kept=Fraction(first, first_of) if first_of else None,
                dropped=Fraction(second, second_of) if second_of else None,
            )
        )
    return kept, dropped, tuple(rates)


def _outcomes(subject: Subject, table: Table, filtered: frozenset[str]) -> list[str]:
    """The outcomes that the claim reads of a table, all of the table's where it reads none."""
    from tieout.audit.variants import read_columns

    numeric = [
        column for column in table.with_role("outcome") if _is_number(table.schema["properties"][column])
    ]
    read = set(read_columns(subject.queries(), table)) | filtered
    return [column for column in numeric if column in read] or numeric


def _is_number(form: Mapping[str, Any]) -> bool:
    kinds = str(form.get("type", ""))
    numbers = all(isinstance(each, int) for each in form.get("enum", [None]) if each is not None)
    return "boolean" in kinds or "integer" in kinds or ("enum" in form and numbers)
