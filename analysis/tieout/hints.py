"""What else a printed number could be: the other quantities that a diagnosis tries, asked of an engine when needed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Protocol

from tieout import sqltext
from tieout.diagnose import diagnose
from tieout.engines import Answer
from tieout.engines.process import Engine
from tieout.exact import CannotCombine, Rows, combine
from tieout.ledger import Printing
from tieout.planning import QueryStep
from tieout.printed import Printed
from tieout.recompute import Recomputed

CACHED = "cached_input_tokens"


class Hints(Protocol):
    """Says how a difference may have come about."""

    def hint(
        self, printed: tuple[Printed, ...], place: Printing, recomputed: Recomputed, rounded: Fraction | None
    ) -> str | None:
        """One sentence, or None; never changes a verdict."""
        ...


class EngineHints:
    """Hints that ask DuckDB for other denominators and for sums with cached input added."""

    def __init__(self, duckdb: Engine) -> None:
        self._duckdb = duckdb

    def hint(
        self, printed: tuple[Printed, ...], place: Printing, recomputed: Recomputed, rounded: Fraction | None
    ) -> str | None:
        """The diagnosis of the first printed part that differs and has one."""
        others = dict(self._others(recomputed))
        value = recomputed.value
        for part, of in zip(printed, place.of, strict=True):
            found = diagnose(
                part,
                _fraction(value.part(of)),
                numerator=value.numerator,
                denominator=value.denominator,
                from_rounded=rounded if of == "value" else None,
                others=others if of == "value" else {},
            )
            if found:
                return found
        return None

    def _others(self, recomputed: Recomputed) -> Iterator[tuple[str, Fraction]]:
        step = recomputed.step
        if not isinstance(step, QueryStep):
            return
        value = recomputed.value
        if value.numerator is not None and value.denominator:
            for name, count in self._denominators(step):
                if count and count != value.denominator:
                    yield f"over {name}", Fraction(value.numerator, count)
            if value.numerator <= value.denominator:
                yield "the share of the rest", 1 - Fraction(value.numerator, value.denominator)
        if (cached := self._with_cached(step)) is not None:
            yield "cached input added to the input that holds it already", cached

    def _asked(self, step: QueryStep, sql: str) -> Answer:
        [answer] = self._duckdb.ask([(step.asked.package, sql)], urgent=True)
        return answer

    def _denominators(self, step: QueryStep) -> Iterator[tuple[str, int]]:
        for table, rows in step.filters.items():
            whole = sqltext.selected(table)
            for name, sql in ((f"the filtered rows of {table}", rows), (f"all of {table}", whole)):
                answer = self._asked(step, f"SELECT count(*) FROM ({sql})")
                if isinstance(answer, Rows) and isinstance(answer.rows[0][0], int):
                    yield name, answer.rows[0][0]

    def _with_cached(self, step: QueryStep) -> Fraction | None:
        if "input_tokens" not in step.own or not any(CACHED in table.nullable for table in step.tables):
            return None
        sql = re.sub(r"(?<![\w.])((?:\w+\.)?)input_tokens\b", rf"(\1input_tokens + \1{CACHED})", step.own)
        answer = self._asked(step, sqltext.compose(sql, step.filters))
        if not isinstance(answer, Rows):
            return None
        try:
            return _fraction(combine(answer, step.combine, member=step.member, exact=step.exact).value)
        except CannotCombine:
            return None


def _fraction(value: Fraction | bool | None) -> Fraction | None:
    return None if isinstance(value, bool) else value
