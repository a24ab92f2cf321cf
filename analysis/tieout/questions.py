"""What values need of the engines: every query once, answered while more of them are still being planned."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from tieout.engines import Answer
from tieout.engines.process import Engine
from tieout.planning import Asked, QueryStep


class Questions:
    """The queries of steps: DuckDB answers all of them, SQLite those that give values; nothing else is asked meanwhile.

    What is only told beside a value, its cases and who judged its rows, decides no verdict and is asked of one engine.
    """

    def __init__(self, duckdb: Engine, sqlite: Engine) -> None:
        self._duckdb = duckdb
        self._sqlite = sqlite
        self._first: dict[Asked, None] = {}
        self._second: dict[Asked, None] = {}

    def ask(self, steps: Iterable[QueryStep]) -> None:
        """Sends what was not yet sent, and returns at once."""
        wanted = list(steps)
        values = [step.asked for step in wanted]
        beside = [asked for step in wanted for asked in step.profile.asked]
        _send(self._duckdb, self._first, [*values, *beside])
        _send(self._sqlite, self._second, values)

    def answers(
        self, progress: Callable[[str, int, int], Any] = lambda *_: None
    ) -> tuple[dict[Asked, Answer], dict[Asked, Answer]]:
        """DuckDB's answers and SQLite's, which has none of a package that is too large for it; waits for them.

        Raises EngineLost as `Engine.answers` does.
        """
        first: dict[Asked, Answer] = {}
        for asked, answer in zip(self._first, self._duckdb.answers(), strict=True):
            first[asked] = answer
            progress("recomputing", len(first), len(self._first))
        opened = self._sqlite.opened
        answers = zip(self._second, self._sqlite.answers(), strict=True)
        return first, {asked: answer for asked, answer in answers if not opened[asked.package].skipped}


def _send(engine: Engine, sent: dict[Asked, None], wanted: Iterable[Asked]) -> None:
    new = [asked for asked in dict.fromkeys(wanted) if asked not in sent]
    sent.update(dict.fromkeys(new))
    engine.submit([(asked.package, asked.sql) for asked in new])
