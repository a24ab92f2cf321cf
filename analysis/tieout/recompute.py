"""From a step and what the engines answered to a value, with all that is told beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from tieout import formula as formulas
from tieout.engines import Answer, Failure
from tieout.exact import CannotCombine, Rows, Value, combine
from tieout.package import Package, Table, weakest
from tieout.planning import Asked, CannotRecompute, ClaimStep, FormulaStep, QueryStep, Step
from tieout.questions import Answered
from tieout.sqltext import Scalar

InLoop = bool | Mapping[str, object]


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
    """What the engines answered; turns a step into a value, and waits for the answers that it needs."""

    def __init__(self, packages: Mapping[str, Package], answered: Answered) -> None:
        self._packages = packages
        self._answered = answered

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
        answer = self._answered.duckdb[step.asked].result()
        asked = self._answered.sqlite.get(step.asked)
        other = asked.result() if asked else None
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
        answer = self._told(asked)
        cell = answer.rows[0][0] if isinstance(answer, Rows) else None
        return cell if isinstance(cell, int) else None

    def _told(self, asked: Asked | None) -> Answer | None:
        answer = self._answered.beside.get(asked) if asked else None
        return answer.result() if answer else None

    def _in_loop(self, step: QueryStep, evaluator: str) -> InLoop:
        declared = self._packages[step.asked.package].evaluators[evaluator].in_loop
        answer = self._told(step.profile.in_loop.get(evaluator))
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
