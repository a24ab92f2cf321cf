"""Recipes to values over open packages, on one engine, each query asked once: what the audit's guards work with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future

from tieout.engines import Answer
from tieout.engines.process import Engine, EngineLost
from tieout.errors import TieoutError
from tieout.ledger import Recipe
from tieout.package import Package
from tieout.planning import Asked, Planner, Step, leaves
from tieout.questions import Answered
from tieout.recompute import Answers, Recomputed


class Workbench:
    """Values of recipes that no ledger holds: a claim's own with another filter, a metric that nobody printed.

    Verdicts come from `verify` alone; the audit lays these values beside them. Nothing may be pending in the engine.
    """

    def __init__(self, packages: Mapping[str, Package], duckdb: Engine) -> None:
        self.packages = packages
        self._duckdb = duckdb
        self._planners = {name: Planner(package) for name, package in packages.items()}
        self._answers: dict[Asked, Future[Answer]] = {}

    def rows(self, package: str, queries: Sequence[str]) -> list[Answer]:
        """The answers to composed queries (`sqltext.compose`), in order; each distinct one is asked once."""
        asked = [Asked(package=package, sql=sql) for sql in queries]
        self._ask(asked)
        return [self._answers[query].result() for query in asked]

    def plan(self, package: str, recipe: Recipe) -> Step | TieoutError:
        """The recipe's step, or why there is none."""
        try:
            return self._planners[package].plan(recipe)
        except TieoutError as error:
            return error

    def values(self, package: str, recipes: Sequence[Recipe]) -> list[Recomputed | TieoutError]:
        """The value of each recipe by metric or SQL, or why there is none; all of them in one batch."""
        steps = [self.plan(package, recipe) for recipe in recipes]
        self._ask(
            [query.asked for step in steps if not isinstance(step, TieoutError) for query in leaves(step)]
        )
        return [self._value(step) for step in steps]

    def _ask(self, asked: Sequence[Asked]) -> None:
        new = [query for query in dict.fromkeys(asked) if query not in self._answers]
        answers = self._duckdb.submit([(query.package, query.sql) for query in new])
        self._answers.update(zip(new, answers, strict=True))

    def _value(self, step: Step | TieoutError) -> Recomputed | TieoutError:
        if isinstance(step, TieoutError):
            return step
        try:
            return Answers(self.packages, Answered(self._answers, {}, {})).value(step)
        except EngineLost:
            raise
        except TieoutError as error:
            return error
