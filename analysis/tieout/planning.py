"""From a claim's recipe to a step: which queries it needs, what they read, and which parts a formula takes of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tieout import formula as formulas
from tieout import instruments, metrics, sqltext
from tieout.engines import PRICES
from tieout.errors import TieoutError
from tieout.exact import Combine
from tieout.layers import RECOMPUTED_BY, merge_where, unread_by
from tieout.ledger import Recipe
from tieout.package import Package, Table
from tieout.schema.columns import instead
from tieout.sqltext import RefusedSQL, Scalar

NO_SET = "`member` names a row of a set-valued query, and this one has a single value"


class CannotRecompute(TieoutError):
    """A recipe that cannot be carried out: an unknown name, a refused query, engines that fail or disagree."""

    exit_code = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """One query of a package, as sent to the engines."""

    package: str
    sql: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Profile:
    """What is asked about the rows behind a query: how many distinct cases, and which rows were judged in the loop."""

    cases: Asked | None
    in_loop: Mapping[str, Asked]

    @property
    def asked(self) -> tuple[Asked, ...]:
        """Every query of the profile."""
        return (*((self.cases,) if self.cases else ()), *self.in_loop.values())


@dataclass(frozen=True, kw_only=True, slots=True)
class QueryStep:
    """A value that one query gives.

    `asked` puts the rows that are read of each table before the query's `own` text, its parameters bound; `filters`
    holds their SELECTs.
    """

    asked: Asked
    own: str
    combine: Combine
    member: Mapping[str, Scalar]
    value_column: str | None
    exact: bool
    unit: str
    tables: tuple[Table, ...]
    filters: Mapping[str, str]
    evaluators: tuple[str, ...]
    profile: Profile
    metric: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class FormulaStep:
    """A value that a formula gives over other steps, by name, each with the part of it that is taken."""

    formula: formulas.Formula
    inputs: Mapping[str, tuple[Step, str]]
    unit: str
    metric: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class ClaimStep:
    """The value of another claim of the ledger."""

    claim: str


Step = QueryStep | FormulaStep | ClaimStep


def leaves(step: Step) -> Iterable[QueryStep]:
    """The queries of a step, in the order of its formula; those of other claims are theirs."""
    if isinstance(step, QueryStep):
        yield step
    elif isinstance(step, FormulaStep):
        for inner, _ in step.inputs.values():
            yield from leaves(inner)


class Planner:
    """Plans recipes over one package; a query's text is checked once, however many filters it is called with."""

    def __init__(self, package: Package, prices: Table | None = None) -> None:
        self.package = package
        self._tables = {**package.tables, **({PRICES: prices} if prices else {})}
        self._read: dict[str, sqltext.Query] = {}

    def plan(self, recipe: Recipe) -> Step:
        """The step that carries out a recipe.

        Raises CannotRecompute, RefusedSQL, UnknownMetric or BadFormula where it cannot be carried out.
        """
        if recipe.metric is None and recipe.sql is None:
            return formula_step(recipe)
        _refuse_unread(recipe)
        if recipe.metric is not None:
            return self._metric(recipe.metric, recipe)
        own = metrics.SQLMetric(
            name="", sql=recipe.sql or "", combine=recipe.combine or "ratio", unit=recipe.unit or ""
        )
        return self._query(own, recipe)

    def _metric(self, name: str, recipe: Recipe) -> Step:
        metric = metrics.load(name)
        if problem := metrics.check_params(metric, recipe.params):
            raise CannotRecompute(problem)
        if isinstance(metric, metrics.SQLMetric):
            return self._query(metric, recipe)
        if recipe.member:
            raise CannotRecompute(NO_SET)
        self._refuse_unread_tables(recipe, self._read_by(metric))
        inputs: dict[str, tuple[Step, str]] = {}
        for key, given in metric.inputs.items():
            inner = metrics.load(given.metric)
            where = merge_where(recipe.where, given.where)
            if isinstance(inner, metrics.SQLMetric):
                # An input sees of the claim's filter what it reads: its siblings may read other tables.
                read = self._reads(inner.sql).tables
                where = {table: terms for table, terms in where.items() if table in read}
            params = {key: value for key, value in recipe.params.items() if key in inner.params}
            inputs[key] = (
                self._metric(given.metric, Recipe(metric=given.metric, where=where, params=params)),
                given.part,
            )
        return FormulaStep(
            formula=formulas.parse(metric.formula), inputs=inputs, unit=metric.unit, metric=name
        )

    def _read_by(self, metric: metrics.Metric) -> frozenset[str]:
        """The tables that a metric reads, those of a formula's inputs included."""
        if isinstance(metric, metrics.SQLMetric):
            return self._reads(metric.sql).tables
        return frozenset().union(
            *(self._read_by(metrics.load(given.metric)) for given in metric.inputs.values())
        )

    @staticmethod
    def _refuse_unread_tables(recipe: Recipe, read: frozenset[str]) -> None:
        if unread := sorted(set(recipe.where) - read - set(recipe.inherited)):
            raise CannotRecompute(f"`where` filters table `{unread[0]}`, which the query does not read")

    def _reads(self, sql: str) -> sqltext.Query:
        if sql not in self._read:
            try:
                query = sqltext.check(sql, self._tables)
            except RefusedSQL as refused:
                if refused.code == "sql-unknown-table" and f"`{PRICES}`" in str(refused):
                    raise CannotRecompute("there is no price table; give one with --prices FILE") from refused
                raise
            self._refuse_other_capitals(query)
            self._read[sql] = query
        return self._read[sql]

    def _refuse_other_capitals(self, query: sqltext.Query) -> None:
        """To an engine `SUCCESS` is `success`; here a column's name says who judged it and what it is for."""
        known = {name.lower(): name for table in query.tables for name in self._tables[table].nullable}
        for name in sorted(query.columns - set(known.values())):
            if name.lower() in known:
                raise RefusedSQL("sql-column", f"column `{known[name.lower()]}` is written `{name}`")

    def _query(self, metric: metrics.SQLMetric, recipe: Recipe) -> QueryStep:
        query = self._reads(metric.sql)
        if recipe.member and (recipe.combine or metric.combine) != "member":
            raise CannotRecompute(NO_SET)
        if missing := sorted(query.tables - set(recipe.where) - {PRICES}):
            raise CannotRecompute(
                f"table `{missing[0]}` is read and not filtered; say `{missing[0]}: all` or filter it in `where`"
            )
        self._refuse_unread_tables(recipe, query.tables)
        conditions = {
            name: self._condition(name, recipe.where.get(name, "all")) for name in sorted(query.tables)
        }
        own = sqltext.bind(metric.sql, recipe.params)
        filters = {name: sqltext.selected(name, condition) for name, condition in conditions.items()}
        tables = tuple(self._tables[name] for name in sorted(query.tables))
        evaluators = self._evaluators(tables, query, recipe)
        return QueryStep(
            asked=Asked(package=self.package.name, sql=sqltext.compose(own, filters)),
            own=own,
            combine=recipe.combine or metric.combine,
            member=recipe.member,
            value_column=metric.value_column,
            exact=metric.exact,
            unit=recipe.unit or metric.unit,
            tables=tables,
            filters=filters,
            evaluators=evaluators,
            profile=self._profile(metric.cases, tables, conditions, evaluators),
            metric=metric.name or None,
        )

    def _condition(self, name: str, where: object) -> str | None:
        if where == "all":
            return None
        table = self._tables[name]
        if not isinstance(where, Mapping | list):
            raise CannotRecompute(
                f"`{name}: {where}` is no filter; `all`, a mapping or a list of mappings is"
            )
        for terms in where if isinstance(where, list) else [where]:
            _check_values(table, terms)
        return sqltext.condition(where, table.nullable)

    def _evaluators(self, tables: Iterable[Table], query: sqltext.Query, recipe: Recipe) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for table in tables:
            filtered = _filtered_columns(recipe.where.get(table.name))
            for column in table.with_role("outcome"):
                evaluator = table.evaluator_of(column)
                if evaluator and (query.star or column in query.columns or column in filtered):
                    found[evaluator] = None
            found.update(dict.fromkeys(self._behind(table, set())))
        return tuple(found)

    def _behind(self, table: Table, seen: set[str]) -> Iterator[str]:
        """The evaluators of the outcomes that a derived table was made of: its rows rest on their judgement."""
        if table.derivation is None or table.name in seen:
            return
        seen.add(table.name)
        try:
            read = instruments.describe(table.derivation.instrument).inputs
        except (
            TieoutError
        ):  # not installed, or without a description: every outcome of its inputs may have been read
            read = {}
        for name, source in table.derivation.inputs.items():
            below = self._tables.get(source)
            if below is None:
                continue
            for column in below.with_role("outcome"):
                evaluator = below.evaluator_of(column)
                if evaluator and column in read.get(name, (column,)):
                    yield evaluator
            yield from self._behind(below, seen)

    def _profile(
        self,
        cases: metrics.Cases | None,
        tables: tuple[Table, ...],
        conditions: Mapping[str, str | None],
        evaluators: tuple[str, ...],
    ) -> Profile:
        def ask(sql: str, table: str, where: str | None) -> Asked:
            inner = f"{sql} FROM {sqltext.identifier(table)}" + (f" WHERE {where}" if where else "")
            return Asked(
                package=self.package.name,
                sql=sqltext.compose(inner, {table: sqltext.selected(table, conditions[table])}),
            )

        counted = None
        if cases and (columns := self._tables[cases.table].with_role("case")):
            names = ", ".join(map(sqltext.identifier, columns))
            counted = ask(f"SELECT DISTINCT {names}", cases.table, cases.where)
            counted = Asked(package=counted.package, sql=f"SELECT count(*) FROM (\n{counted.sql}\n)")
        loops: dict[str, Asked] = {}
        for evaluator in evaluators:
            in_loop = self.package.evaluators[evaluator].in_loop
            if isinstance(in_loop, bool):
                continue
            holders = [table for table in tables if set(in_loop) <= set(table.nullable)]
            # The rows that were judged, where the table that holds the judgement can tell them apart.
            judged = [table for table in holders if evaluator in map(table.evaluator_of, table.nullable)]
            if holder := next(iter(judged or holders), None):
                condition = sqltext.condition(
                    {column: list(values) for column, values in in_loop.items()}, holder.nullable
                )
                where = cases.where if cases and cases.table == holder.name else None
                loops[evaluator] = ask(
                    f"SELECT count(*) FILTER (WHERE {condition}) AS inside, count(*) AS everything",
                    holder.name,
                    where,
                )
        return Profile(cases=counted, in_loop=loops)


def formula_step(recipe: Recipe) -> FormulaStep:
    """The step of a formula or an assertion over other claims; needs no package.

    Raises BadFormula where the text is not of the language or names what `from` does not bring.
    """
    _refuse_unread(recipe)
    text = recipe.formula if recipe.formula is not None else recipe.asserts
    parsed = formulas.parse(text or "")
    if unknown := [name for name in parsed.names if name not in recipe.inputs]:
        raise formulas.BadFormula(f"`{unknown[0]}` in `{parsed.text}` is not in `from`")
    inputs: dict[str, tuple[Step, str]] = {}
    for name in parsed.names:
        claim, _, part = recipe.inputs[name].partition("#")
        inputs[name] = (ClaimStep(claim=claim), part or "value")
    return FormulaStep(formula=parsed, inputs=inputs, unit=recipe.unit or "", metric=None)


def _refuse_unread(recipe: Recipe) -> None:
    """A key that changes nothing would be shown beside the value as if it did."""
    ways = {key: value for key in RECOMPUTED_BY if (value := getattr(recipe, key)) is not None}
    for key in unread_by(ways):
        if getattr(recipe, key):
            raise CannotRecompute(
                f"`{key}` has no meaning beside `{next(iter(ways))}`, which does not read it"
            )


def _filtered_columns(where: object) -> set[str]:
    if isinstance(where, Mapping):
        return set(where)
    if isinstance(where, list):
        return {column for terms in where for column in terms}
    return set()


def _check_values(table: Table, terms: Mapping[str, object]) -> None:
    """A value that the column's schema excludes selects nothing, and is a slip rather than a finding."""
    for column, term in terms.items():
        rule = table.schema["properties"].get(column)
        if rule is None:  # told with the columns that there are
            continue
        values = term.get("not", []) if isinstance(term, Mapping) else term
        for value in values if isinstance(values, list) else [values]:
            if not isinstance(value, str | int | None):  # no value of a filter, which is told with its form
                continue
            if said := instead(rule, value):
                raise CannotRecompute(f"`{table.name}.{column}` is never {value!r}; {said}")
