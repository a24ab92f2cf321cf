"""What values need of the engines: every query once, answered while more of them are still being planned."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from itertools import count
from typing import Any, NamedTuple

from tieout.engines import Answer
from tieout.engines.process import Engine
from tieout.planning import Asked, QueryStep


class Answered(NamedTuple):
    """Answers by query, each waited for when it is read: those that give values, by engine, and those told beside them.

    SQLite has none of a package that is too large for it, or where it was not asked.
    """

    duckdb: Mapping[Asked, Future[Answer]]
    sqlite: Mapping[Asked, Future[Answer]]
    beside: Mapping[Asked, Future[Answer]]


class Questions:
    """The queries of steps; those that give values are sent to both engines as they come, each of them once.

    What is only told beside a value, its cases and who judged its rows, decides no verdict and is asked of one engine:
    of SQLite, which is quicker with what it holds, or of DuckDB where a package is too large for it.
    """

    def __init__(self, duckdb: Engine, sqlite: Engine) -> None:
        self._duckdb = duckdb
        self._sqlite = sqlite
        self._first: dict[Asked, Future[Answer]] = {}
        self._second: dict[Asked, Future[Answer]] = {}
        self._beside: dict[Asked, None] = {}

    def ask(self, steps: Iterable[QueryStep]) -> None:
        """Sends what gives values and was not yet sent, and returns at once."""
        wanted = list(steps)
        values = [step.asked for step in wanted]
        _send(self._duckdb, self._first, values)
        _send(self._sqlite, self._second, values)
        self._beside.update(dict.fromkeys(asked for step in wanted for asked in step.profile.asked))

    def answered(self, progress: Callable[[str, int, int], Any] = lambda *_: None) -> Answered:
        """Every answer to what was asked, as it comes; waits for SQLite to have opened the packages.

        Raises EngineLost as `Engine.opened` does. `progress` is called as DuckDB gives values, in a thread of its own.
        """
        held = {name: not opened.skipped for name, opened in self._sqlite.opened.items()}
        beside: dict[Asked, Future[Answer]] = {}
        _send(self._sqlite, beside, [asked for asked in self._beside if held[asked.package]])
        _send(self._duckdb, beside, [asked for asked in self._beside if not held[asked.package]])
        done = count(1)
        for answer in self._first.values():
            answer.add_done_callback(lambda _: progress("recomputing", next(done), len(self._first)))
        return Answered(
            duckdb=self._first,
            sqlite={asked: answer for asked, answer in self._second.items() if held[asked.package]},
            beside=beside,
        )


def _send(engine: Engine, sent: dict[Asked, Future[Answer]], wanted: Iterable[Asked]) -> None:
    new = [asked for asked in dict.fromkeys(wanted) if asked not in sent]
    answers = engine.submit([(asked.package, asked.sql) for asked in new])
    sent.update(zip(new, answers, strict=True))
