"""What values need of the engines: every query once, answered while more of them are still being planned."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from tieout.engines import Answer
from tieout.engines.process import Engine
from tieout.planning import Asked, QueryStep


class Answered(NamedTuple):
    """Answers by query: each engine's to those that give values, and those that are only told beside a value.

    SQLite has none of a package that is too large for it, or where it was not asked.
    """

    duckdb: Mapping[Asked, Answer]
    sqlite: Mapping[Asked, Answer]
    beside: Mapping[Asked, Answer]


class Questions:
    """The queries of steps, those that give values sent to both engines at once; nothing else is asked meanwhile.

    What is only told beside a value, its cases and who judged its rows, decides no verdict and is asked of one engine:
    of SQLite, which is quicker with what it holds, or of DuckDB where a package is too large for it.
    """

    def __init__(self, duckdb: Engine, sqlite: Engine) -> None:
        self._duckdb = duckdb
        self._sqlite = sqlite
        self._values: dict[Asked, None] = {}
        self._beside: dict[Asked, None] = {}

    def ask(self, steps: Iterable[QueryStep]) -> None:
        """Sends what gives values and was not yet sent, and returns at once."""
        wanted = list(steps)
        new = [asked for asked in dict.fromkeys(step.asked for step in wanted) if asked not in self._values]
        self._values.update(dict.fromkeys(new))
        for engine in (self._duckdb, self._sqlite):
            _send(engine, new)
        self._beside.update(dict.fromkeys(asked for step in wanted for asked in step.profile.asked))

    def answers(self, progress: Callable[[str, int, int], Any] = lambda *_: None) -> Answered:
        """Waits for every answer.

        Raises EngineLost as `Engine.answers` does.
        """
        opened = self._sqlite.opened
        held = [asked for asked in self._beside if not opened[asked.package].skipped]
        others = [asked for asked in self._beside if opened[asked.package].skipped]
        _send(self._sqlite, held)
        _send(self._duckdb, others)
        first: dict[Asked, Answer] = {}
        for asked, answer in zip((*self._values, *others), self._duckdb.answers(), strict=True):
            first[asked] = answer
            progress("recomputing", len(first), len(self._values) + len(others))
        second = dict(zip((*self._values, *held), self._sqlite.answers(), strict=True))
        return Answered(
            duckdb={asked: first[asked] for asked in self._values},
            sqlite={asked: second[asked] for asked in self._values if not opened[asked.package].skipped},
            beside={asked: second[asked] for asked in held} | {asked: first[asked] for asked in others},
        )


def _send(engine: Engine, wanted: Iterable[Asked]) -> None:
    engine.submit([(asked.package, asked.sql) for asked in wanted])
