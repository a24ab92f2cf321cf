"""From a claim's recipe to its value: which queries it needs, what they read, and how their answers combine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from tieout import formula as formulas
from tieout import instruments, metrics, sqltext
from tieout.engines import Answer, Failure
from tieout.errors import TieoutError
from tieout.exact import CannotCombine, Combine, Rows, Value, combine
from tieout.ledger import Recipe, merge_where
from tieout.package import Package, Table, weakest
from tieout.sqltext import RefusedSQL, Scalar

PRICES = "prices"

InLoop = bool | Mapping[str, object]


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


@dataclass(frozen=True, kw_only=True, slots=True)
class QueryStep:
    """A value that one query gives; `filters` holds the SELECT of each table's rows that it reads."""

    asked: Asked
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
        if recipe.metric is not None:
            return self._metric(recipe.metric, recipe)
        if recipe.sql is not None:
            own = metrics.SQLMetric(
                name="", sql=recipe.sql, combine=recipe.combine or "ratio", unit=recipe.unit or ""
            )
            return self._query(own, recipe)
        return formula_step(recipe)

    def _metric(self, name: str, recipe: Recipe) -> Step:
        metric = metrics.load(name)
        if isinstance(metric, metrics.SQLMetric):
            if problem := metrics.check_params(metric, recipe.params):
                raise CannotRecompute(problem)
            return self._query(metric, recipe)
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

    def _reads(self, sql: str) -> sqltext.Query:
        if sql not in self._read:
            try:
                self._read[sql] = sqltext.check(sql, self._tables)
            except RefusedSQL as refused:
                if refused.code == "sql-unknown-table" and f"`{PRICES}`" in str(refused):
                    raise CannotRecompute("there is no price table; give one with --prices FILE") from refused
                raise
        return self._read[sql]

    def _query(self, metric: metrics.SQLMetric, recipe: Recipe) -> QueryStep:
        query = self._reads(metric.sql)
        if missing := sorted(query.tables - set(recipe.where) - {PRICES}):
            raise CannotRecompute(
                f"table `{missing[0]}` is read and not filtered; say `{missing[0]}: all` or filter it in `where`"
            )
        if unread := sorted(set(recipe.where) - query.tables - set(recipe.inherited)):
            raise CannotRecompute(f"`where` filters table `{unread[0]}`, which the query does not read")
        conditions = {
            name: self._condition(name, recipe.where.get(name, "all")) for name in sorted(query.tables)
        }
        sql = sqltext.compose(sqltext.bind(metric.sql, recipe.params), conditions)
        tables = tuple(self._tables[name] for name in sorted(query.tables))
        evaluators = self._evaluators(tables, query, recipe)
        return QueryStep(
            asked=Asked(package=self.package.name, sql=sql),
            combine=recipe.combine or metric.combine,
            member=recipe.member,
            value_column=metric.value_column,
            exact=metric.exact,
            unit=recipe.unit or metric.unit,
            tables=tables,
            filters={name: sqltext.selected(name, condition) for name, condition in conditions.items()},
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
            inner = f"{sql} FROM {table}" + (f" WHERE {where}" if where else "")
            return Asked(package=self.package.name, sql=sqltext.compose(inner, {table: conditions[table]}))

        counted = None
        if cases and (columns := self._tables[cases.table].with_role("case")):
            counted = ask(f"SELECT DISTINCT {', '.join(columns)}", cases.table, cases.where)
            counted = Asked(package=counted.package, sql=f"SELECT count(*) FROM (\n{counted.sql}\n)")
        loops: dict[str, Asked] = {}
        for evaluator in evaluators:
            in_loop = self.package.evaluators[evaluator].in_loop
            if isinstance(in_loop, bool):
                continue
            holder = next((table for table in tables if set(in_loop) <= set(table.nullable)), None)
            if holder:
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
    text = recipe.formula if recipe.formula is not None else recipe.asserts
    parsed = formulas.parse(text or "")
    if unknown := [name for name in parsed.names if name not in recipe.inputs]:
        raise formulas.BadFormula(f"`{unknown[0]}` in `{parsed.text}` is not in `from`")
    inputs: dict[str, tuple[Step, str]] = {}
    for name in parsed.names:
        claim, _, part = recipe.inputs[name].partition("#")
        inputs[name] = (ClaimStep(claim=claim), part or "value")
    return FormulaStep(formula=parsed, inputs=inputs, unit=recipe.unit or "", metric=None)


def _filtered_columns(where: object) -> set[str]:
    if isinstance(where, Mapping):
        return set(where)
    if isinstance(where, list):
        return {column for terms in where for column in terms}
    return set()


def _check_values(table: Table, terms: Mapping[str, object]) -> None:
    """A value that the schema's enum lacks selects nothing, and is a slip rather than a finding."""
    for column, term in terms.items():
        allowed = table.schema["properties"].get(column, {}).get("enum")
        if allowed is None:
            continue
        values = term.get("not", []) if isinstance(term, Mapping) else term
        for value in values if isinstance(values, list) else [values]:
            if value not in allowed:
                listed = ", ".join(map(str, allowed))
                raise CannotRecompute(f"`{table.name}.{column}` is never {value!r}; its values are {listed}")


@dataclass(frozen=True, kw_only=True)
class Recomputed:
    """A value with all that is shown beside it. `engines` names each engine asked, and what it said of the value."""

    value: Value
    step: Step
    tables: tuple[tuple[str, Table], ...] = ()
    evaluators: Mapping[str, InLoop] = field(default_factory=dict)
    n_cases: int | None = None
    engines: Mapping[str, str | None] = field(default_factory=dict)
    unit: str = ""
    inputs: Mapping[str, Recomputed] = field(default_factory=dict)

    @cached_property
    def basis(self) -> str:
        """The weakest basis of the tables read; arithmetic where none is."""
        return weakest(table.basis for _, table in self.tables) or "arithmetic"


class Answers:
    """What the engines answered, by query; turns a step into a value."""

    def __init__(
        self, packages: Mapping[str, Package], duckdb: Mapping[Asked, Answer], sqlite: Mapping[Asked, Answer]
    ) -> None:
        self._packages = packages
        self._duckdb = duckdb
        self._sqlite = sqlite

    def value(self, step: Step) -> Recomputed:
        """The value of a step that stands on no other claim.

        Raises CannotRecompute as `query` and `formula` do.
        """
        if isinstance(step, QueryStep):
            return self.query(step)
        if isinstance(step, ClaimStep):
            raise CannotRecompute(f"claim `{step.claim}` belongs to a ledger")
        return self.formula(
            step, {name: (self.value(inner), part) for name, (inner, part) in step.inputs.items()}
        )

    def query(self, step: QueryStep) -> Recomputed:
        """The value of a query step.

        Raises CannotRecompute where an engine failed, the engines disagree, or the rows are not of the metric's form.
        """
        answer = self._duckdb[step.asked]
        other = self._sqlite.get(step.asked)
        if isinstance(answer, Failure):
            raise CannotRecompute(f"duckdb: {answer.message}")
        if isinstance(other, Failure):
            raise CannotRecompute(f"sqlite: {other.message}")
        if other is not None and not agree(answer, other):
            raise CannotRecompute(f"the engines disagree: duckdb {_brief(answer)}, sqlite {_brief(other)}")
        try:
            value = combine(
                answer, step.combine, member=step.member, value_column=step.value_column, exact=step.exact
            )
        except CannotCombine as error:
            raise CannotRecompute(str(error)) from error
        return Recomputed(
            value=value,
            step=step,
            tables=tuple((step.asked.package, table) for table in step.tables),
            evaluators={evaluator: self._in_loop(step, evaluator) for evaluator in step.evaluators},
            n_cases=self._count(step.profile.cases),
            engines={"duckdb": "same", "sqlite": None if other is None else "same"},
            unit=step.unit,
        )

    def _count(self, asked: Asked | None) -> int | None:
        if asked is None:
            return None
        answer = self._duckdb.get(asked)
        if not isinstance(answer, Rows):
            return None
        cell = answer.rows[0][0]
        return cell if isinstance(cell, int) else None

    def _in_loop(self, step: QueryStep, evaluator: str) -> InLoop:
        declared = self._packages[step.asked.package].evaluators[evaluator].in_loop
        asked = step.profile.in_loop.get(evaluator)
        answer = self._duckdb.get(asked) if asked else None
        if isinstance(declared, bool) or not isinstance(answer, Rows):
            return declared
        inside, everything = answer.rows[0]
        return declared if inside not in (0, everything) else inside != 0

    def formula(self, step: FormulaStep, inputs: Mapping[str, tuple[Recomputed, str]]) -> Recomputed:
        """The value of a formula step over its inputs' values.

        Raises CannotRecompute where a part is not there, and BadFormula or Undecidable as the formula does.
        """
        values: dict[str, Value] = {}
        for name, (recomputed, part) in inputs.items():
            value = recomputed.value
            if part == "value":
                values[name] = value
                continue
            found = value.part(part)
            if found is None and value.value is not None:
                raise CannotRecompute(f"`{name}` asks for #{part}, which its claim does not have")
            values[name] = Value(value=found, exact=value.exact, reason=value.reason)
        below = [recomputed for recomputed, _ in inputs.values()]
        return Recomputed(
            value=formulas.evaluate(step.formula, values),
            step=step,
            tables=tuple(
                {
                    (package, table.name): (package, table) for r in below for package, table in r.tables
                }.values()
            ),
            evaluators=self._merge_loops(below),
            n_cases=_common({r.n_cases for r in below}),
            engines=_merge_engines(below),
            unit=step.unit,
            inputs={name: recomputed for name, (recomputed, _) in inputs.items()},
        )

    def _merge_loops(self, below: Iterable[Recomputed]) -> dict[str, InLoop]:
        merged: dict[str, InLoop] = {}
        for recomputed in below:
            for evaluator, in_loop in recomputed.evaluators.items():
                if merged.setdefault(evaluator, in_loop) != in_loop:
                    # Inputs judged inside the loop and inputs judged outside it: what was declared says for which rows.
                    merged[evaluator] = next(
                        package.evaluators[evaluator].in_loop
                        for package in self._packages.values()
                        if evaluator in package.evaluators
                    )
        return merged


def _common(counts: set[int | None]) -> int | None:
    return counts.pop() if len(counts) == 1 else None


def _merge_engines(below: Iterable[Recomputed]) -> dict[str, str | None]:
    merged: dict[str, str | None] = {"duckdb": None, "sqlite": None}
    for recomputed in below:
        for engine, said in recomputed.engines.items():
            merged[engine] = said or merged.get(engine)
    return merged


def agree(one: Rows, other: Rows) -> bool:
    """Whether two engines returned the same rows: same columns, same cells in any order, truth values as 0 and 1."""
    return one.columns == other.columns and _normal(one) == _normal(other)


def _normal(rows: Rows) -> list[tuple[tuple[str, object], ...]]:
    def cell(value: Scalar | float) -> tuple[str, object]:
        plain = int(value) if isinstance(value, bool) else value
        return (type(plain).__name__, plain if plain is not None else "")

    return sorted(tuple(cell(value) for value in row) for row in rows.rows)


def _brief(rows: Rows) -> str:
    shown = "; ".join(", ".join(map(str, row)) for row in rows.rows[:3])
    return f"[{shown}]" + (f" and {len(rows.rows) - 3} more rows" if len(rows.rows) > 3 else "")
