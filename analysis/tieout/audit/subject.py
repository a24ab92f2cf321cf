"""What the guards of an audit share: the claim they look at, and a room to ask for values over other rows in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeVar

from tieout import formula as formulas
from tieout.audit.shape import compose
from tieout.audit.workbench import Workbench
from tieout.errors import TieoutError
from tieout.exact import CannotCombine, Rows, Value, combine, no_value
from tieout.ledger import Printing, Recipe
from tieout.package import Package, Table
from tieout.planning import ClaimStep, FormulaStep, QueryStep, Step, leaves
from tieout.printed import Pair, compare
from tieout.recompute import Recomputed
from tieout.report import ClaimResult, LedgerResult, PrintingResult, Report

Valuation = Callable[[QueryStep], Value]
Found = TypeVar("Found")


@dataclass(frozen=True, kw_only=True)
class Subject:
    """A claim that has a value, with its ledger."""

    book: LedgerResult
    result: ClaimResult
    recipe: Recipe
    recomputed: Recomputed
    steps: Mapping[str, Step]

    @property
    def step(self) -> Step:
        """How the value was recomputed."""
        return self.recomputed.step

    @property
    def package(self) -> Package | None:
        """The package that a metric or query reads, None for a formula over other claims."""
        if self.recipe.package is not None:
            return self.book.packages[self.recipe.package]
        return next(iter(self.book.packages.values())) if len(self.book.packages) == 1 else None

    def queries(self) -> list[QueryStep]:
        """Every query behind the value, those of the claims that a formula stands on too, each once."""
        return list({name_of(query): query for query in self._queries(self.step, ())}.values())

    def _queries(self, step: Step, above: tuple[str, ...]) -> Iterator[QueryStep]:
        if isinstance(step, QueryStep):
            yield step
        elif isinstance(step, FormulaStep):
            for inner, _ in step.inputs.values():
                yield from self._queries(inner, above)
        elif step.claim in self.steps and step.claim not in above:
            yield from self._queries(self.steps[step.claim], (*above, step.claim))

    def tables(self) -> list[tuple[str, Table]]:
        """The tables that the queries read, each with its package, those of a derivation left out."""
        return [(package, table) for package, table in self.recomputed.tables if table.derivation is None]

    def value(self, valuation: Valuation, formula: formulas.Formula | None = None) -> Value:
        """The claim's value where each query behind it has another one; `formula` in place of the claim's own."""
        step = self.step
        if formula is not None and isinstance(step, FormulaStep):
            step = replace(step, formula=formula)
        return self._value(step, valuation)

    def _value(self, step: Step, valuation: Valuation) -> Value:
        if isinstance(step, QueryStep):
            return valuation(step)
        if isinstance(step, ClaimStep):
            return self._value(self.steps[step.claim], valuation)
        values: dict[str, Value] = {}
        for name in step.formula.names:
            inner, part = step.inputs[name]
            value = self._value(inner, valuation)
            found = value.part(part)
            values[name] = (
                value
                if part == "value"
                else Value(value=found, exact=value.exact, reason=value.reason or "no value")
            )
        try:
            return formulas.evaluate(step.formula, values)
        except TieoutError as error:
            return no_value(str(error))


class Room:
    """The report under audit and the workbench, which remembers the answers to all that was asked.

    Within `noting`, what was not asked before is only noted, and all of it is asked at once at its end: an engine that
    is asked thousands of small questions one by one spends most of its time waiting.
    """

    def __init__(self, report: Report, workbench: Workbench) -> None:
        self.report = report
        self.workbench = workbench
        self._kept: dict[tuple[object, ...], Any] = {}
        self._asked: set[tuple[str, str]] = set()
        self._noted: dict[tuple[str, str], None] | None = None

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Answers nothing new inside; whoever asks there must ask again afterwards."""
        noted: dict[tuple[str, str], None] = {}
        self._noted = noted
        try:
            yield
        finally:
            self._noted = None
        for package in dict.fromkeys(package for package, _ in noted):
            self.prepare(package, [sql for where, sql in noted if where == package])

    def keep(self, name: tuple[object, ...], make: Callable[[], Found]) -> Found:
        """What `make` gives, made once for each name."""
        if name in self._kept:
            found: Found = self._kept[name]
            return found
        found = make()
        if self._noted is None:
            self._kept[name] = found
        return found

    def rows(self, package: str, sql: str) -> Rows | None:
        """The rows of one query; None where the engine gives none."""
        if self._noted is not None and (package, sql) not in self._asked:
            self._noted[package, sql] = None
            return None
        self._asked.add((package, sql))
        answer = self.workbench.rows(package, [sql])[0]
        return answer if isinstance(answer, Rows) else None

    def values(self, package: str, recipes: Sequence[Recipe]) -> list[Value]:
        """The value of each recipe; none, and why, where it cannot be carried out."""
        if self._noted is not None:
            steps = [self.workbench.plan(package, recipe) for recipe in recipes]
            queries = [leaf for step in steps if not isinstance(step, TieoutError) for leaf in leaves(step)]
            self._noted.update(dict.fromkeys((leaf.asked.package, leaf.asked.sql) for leaf in queries))
            return [no_value("not asked yet") for _ in recipes]
        found = self.workbench.values(package, recipes)
        return [no_value(str(each)) if isinstance(each, TieoutError) else each.value for each in found]

    def prepare(self, package: str, queries: Sequence[str]) -> None:
        """Asks for several answers at once, so that the engine works while this process waits only once."""
        self._asked.update((package, sql) for sql in queries)
        self.workbench.rows(package, queries)

    def unchanged(self, step: QueryStep) -> Value:
        """The value of a query as it stands."""
        return self.keep(
            ("unchanged", *name_of(step)),
            lambda: combined(self.rows(step.asked.package, step.asked.sql), step),
        )

    def over(self, step: QueryStep, selects: dict[str, str]) -> Value:
        """The value of a query over other rows; no value where the engine fails."""
        used = {name: select for name, select in selects.items() if name in step.filters}
        return combined(self.rows(step.asked.package, compose(step, used)), step)


def name_of(step: QueryStep) -> tuple[object, ...]:
    """What tells one query's value from another's: the query, and how its rows combine."""
    return (step.asked, step.combine, tuple(sorted(step.member.items())), step.value_column)


def combined(rows: Rows | None, step: QueryStep) -> Value:
    """The value of a step from the rows of its query, no value where they have not the metric's form."""
    if rows is None:
        return no_value("the engine gave no rows")
    try:
        return combine(
            rows, step.combine, member=step.member, value_column=step.value_column, exact=step.exact
        )
    except CannotCombine as error:
        return no_value(str(error))


def subjects(report: Report) -> Iterator[Subject]:
    """Every claim of a report that has a value to look at."""
    for book in report.ledgers:
        steps = {each.claim.id: each.recomputed.step for each in book.claims if each.recomputed}
        for result in book.claims:
            if result.recomputed is not None and result.claim.recipe is not None:
                yield Subject(
                    book=book,
                    result=result,
                    recipe=result.claim.recipe,
                    recomputed=result.recomputed,
                    steps=steps,
                )


def still_ties(place: PrintingResult, value: Value) -> bool:
    """Whether a printing would tie to another value, by the rule that gave its verdict."""
    if not place.printed:
        return value.value is True
    for printed, of in zip(place.printed, place.printing.of, strict=True):
        part = number(value.part(of))
        pair = isinstance(printed.stands_for, Pair)
        if part is None and not (pair and value.denominator is not None):
            return False
        compared = compare(
            printed, part, numerator=value.numerator, denominator=value.denominator, exact=value.exact
        )
        if compared.verdict != "ties" and not _tolerated(place.printing, printed.stands_for, part):
            return False
    return True


def _tolerated(printing: Printing, stands_for: object, value: Fraction | None) -> bool:
    if printing.tolerance is None or value is None or isinstance(stands_for, Pair):
        return False
    low, high = getattr(stands_for, "low", None), getattr(stands_for, "high", None)
    reach = printing.tolerance.value
    return (low is None or value >= low - reach) and (high is None or value <= high + reach)


def number(value: Fraction | bool | None) -> Fraction | None:
    """A value as a number; None for a truth value and for none."""
    return None if isinstance(value, bool) else value
