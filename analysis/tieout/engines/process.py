"""The parent's side of an engine: starts the child, sends batches, kills it when an answer is late."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any, Self

from tieout.child import Child
from tieout.engines import Answer, Failure, Limits, Opened, Tables
from tieout.errors import TieoutError
from tieout.exact import Rows

GRACE = 5.0  # seconds a child may be late beyond a query's own limit, before it is killed
OPENING = 120.0  # seconds in which a child must have opened a package's tables


class EngineLost(TieoutError):
    """An engine's child process ended or hung while it opened a package, so nothing can be asked of it."""


class Engine:
    """One engine in a child process, with every package opened in it; used as a context manager.

    The child starts at once and loads its libraries while its parent reads files; `open` says which packages it holds.
    `submit` sends queries and returns at once, `answers` yields their answers in order. A query that outlasts its limit
    is answered by a Failure and costs the child its life; the packages are opened again for the queries after it.
    """

    def __init__(self, name: str, limits: Limits | None = None) -> None:
        self.name = name
        self._packages: list[Tables] = []
        self._limits = limits or Limits()
        self._pending: list[dict[str, Any]] = []
        self._opened: dict[str, Opened] = {}
        self._lost: dict[str, float] = {}  # by package, seconds that went to children killed over its queries
        self._child = self._started()
        self._ended = False

    def open(self, packages: Sequence[Tables]) -> None:
        """Opens packages in the child, before anything is asked."""
        self._packages += packages
        self._send_packages(packages)

    def _started(self) -> Child:
        return Child("tieout.engines.worker", self.name, str(self._limits.memory))

    def _send_packages(self, packages: Sequence[Tables]) -> None:
        self._send(
            [
                {
                    "package": tables.package,
                    "files": {name: str(path) for name, path in tables.files.items()},
                    "keys": {name: list(key) for name, key in tables.keys.items()},
                    "loaded_rows": self._limits.loaded_rows,
                    "total": self._limits.total - self._lost.get(tables.package, 0.0),
                }
                for tables in packages
            ]
        )

    def _send(self, requests: Sequence[dict[str, Any]]) -> None:
        self._child.send(json.dumps(requests).encode() + b"\n")

    @property
    def opened(self) -> dict[str, Opened]:
        """What opening each package's tables found; waits for it the first time.

        Raises EngineLost when the child does not answer.
        """
        for tables in self._packages[len(self._opened) :]:
            line = self._child.line(OPENING)
            if not line:
                said = self._child.last_words or "no answer"
                raise EngineLost(f"{self.name} could not open package {tables.package}: {said}")
            self._opened[tables.package] = Opened(**json.loads(line))
        return self._opened

    def submit(self, queries: Sequence[tuple[str, str]]) -> None:
        """Sends `(package, sql)` queries, to be answered in this order by `answers`."""
        requests = [
            {"package": package, "sql": sql, "seconds": self._limits.seconds, "rows": self._limits.rows}
            for package, sql in queries
        ]
        self._pending += requests
        self._send(requests)

    def answers(self) -> Iterator[Answer]:
        """The answers to all that was submitted and is not yet answered, in order.

        Raises EngineLost when the child cannot be started again, or when the engine's context has ended meanwhile.
        """
        _ = self.opened
        while self._pending:
            line = self._child.line(self._limits.seconds + GRACE)
            request = self._pending.pop(0)
            if line:
                yield _decode(json.loads(line))
                continue
            if self._ended:
                raise EngineLost(f"{self.name} was stopped before it answered")
            ended = self._child.ended
            message = (
                "the engine's process ended" if ended else f"killed after {self._limits.seconds + GRACE:g} s"
            )
            self._child.stop()
            # A query's whole limit is counted, so that a package whose queries end the child comes to an end too.
            lost = self._lost.get(request["package"], 0.0)
            self._lost[request["package"]] = lost + self._limits.seconds
            yield Failure(
                code="engine-died" if ended else "timeout", message=f"{message} in: {request['sql'][:200]}"
            )
            self._child = self._started()
            self._opened = {}
            self._send_packages(self._packages)
            _ = self.opened
            self._send(self._pending)

    def ask(self, queries: Sequence[tuple[str, str]]) -> list[Answer]:
        """Submits and waits for every answer."""
        self.submit(queries)
        return list(self.answers())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended = True
        self._child.stop()


def _decode(reply: dict[str, Any]) -> Answer:
    if "code" in reply:
        return Failure(code=reply["code"], message=reply["message"])
    return Rows(columns=tuple(reply["columns"]), rows=tuple(tuple(row) for row in reply["cells"]))
