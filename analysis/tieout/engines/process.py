"""The parent's side of an engine: starts the child, gives it queries in their order, kills it when one is late."""

from __future__ import annotations

import json
import threading
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import count
from queue import PriorityQueue
from types import TracebackType
from typing import Any, Self

from tieout.child import Child
from tieout.engines import LANES, Answer, Failure, Limits, Opened, Tables
from tieout.errors import TieoutError
from tieout.exact import Rows

GRACE = 5.0  # seconds a child may be late beyond a query's own limit, before it is killed
OPENING = 120.0  # seconds in which a child must have opened a package's tables
AHEAD = 3  # requests that the child is given for each lane: it need not wait, nor what is urgent for many

_END, _OPEN, _URGENT, _ORDINARY = range(4)


class EngineLost(TieoutError):
    """An engine's child process ended or hung while it opened a package, so nothing can be asked of it."""


@dataclass(order=True, kw_only=True, slots=True)
class _Request:
    """A line for the child, in the order in which it is due; `read` makes the reply what `reply` promises."""

    due: int
    number: int
    payload: dict[str, Any] = field(compare=False)
    seconds: float = field(compare=False)
    read: Callable[[dict[str, Any]], Any] = field(compare=False)
    reply: Future[Any] = field(compare=False, default_factory=Future)


class Engine:
    """One engine in a child process, with every package opened in it; used as a context manager.

    The child starts at once and loads its libraries while its parent reads files; `open` says which packages it holds.
    Any thread may ask; the child answers in the order in which it was asked. A query that outlasts its limit, or ends
    the child, is answered by a Failure and costs the child its life; another opens the packages for what it leaves.
    """

    def __init__(self, name: str, limits: Limits | None = None) -> None:
        self.name = name
        self._limits = limits or Limits()
        self._packages: dict[str, Tables] = {}
        self._opening: dict[str, Future[Opened]] = {}
        self._spent: defaultdict[str, float] = defaultdict(
            float
        )  # seconds of a package's queries in all children
        self._numbers = count()
        self._waiting: PriorityQueue[_Request] = PriorityQueue()
        self._sent: deque[_Request] = deque()
        self._again: deque[_Request] = deque()  # given to a child that died, and asked again one by one
        self._changing = threading.Lock()  # held to replace the child, and to look or say whether all is over
        self._over: Exception | None = None
        self._child = self._started()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _started(self) -> Child:
        return Child("tieout.engines.worker", self.name, str(self._limits.memory))

    def open(self, packages: Sequence[Tables]) -> None:
        """Opens packages in the child, before anything is asked of them; returns at once."""
        for tables in packages:
            self._packages[tables.package] = tables
            payload = self._opening_of(tables)
            self._opening[tables.package] = self._put(_OPEN, payload, OPENING, lambda given: Opened(**given))

    def _opening_of(self, tables: Tables) -> dict[str, Any]:
        return {
            "package": tables.package,
            "files": {name: str(path) for name, path in tables.files.items()},
            "keys": {name: list(key) for name, key in tables.keys.items()},
            "loaded_rows": self._limits.loaded_rows,
            "total": self._limits.total - self._spent[tables.package],
        }

    @property
    def opened(self) -> dict[str, Opened]:
        """What opening each package's tables found; waits for it the first time.

        Raises EngineLost when the child does not answer.
        """
        return {name: opening.result() for name, opening in list(self._opening.items())}

    def submit(self, queries: Sequence[tuple[str, str]], *, urgent: bool = False) -> list[Future[Answer]]:
        """Asks `(package, sql)` queries and returns at once; what is urgent comes before what is not.

        An answer raises EngineLost when the child cannot be started again, or when the engine's context has ended.
        """
        limits = self._limits
        return [
            self._put(
                _URGENT if urgent else _ORDINARY,
                {"package": package, "sql": sql, "seconds": limits.seconds, "rows": limits.rows},
                limits.seconds + GRACE,
                _answer,
            )
            for package, sql in queries
        ]

    def ask(self, queries: Sequence[tuple[str, str]], *, urgent: bool = False) -> list[Answer]:
        """Submits and waits for every answer."""
        return [answer.result() for answer in self.submit(queries, urgent=urgent)]

    def _put(
        self, due: int, payload: dict[str, Any], seconds: float, read: Callable[[dict[str, Any]], Any]
    ) -> Future[Any]:
        request = _Request(due=due, number=next(self._numbers), payload=payload, seconds=seconds, read=read)
        request.reply.set_running_or_notify_cancel()  # what the child was given cannot be taken back
        with self._changing:
            if self._over:
                request.reply.set_exception(self._over)
            else:
                self._waiting.put(request)
        return request.reply

    def _serve(self) -> None:
        """The life of the thread that talks to the child."""
        try:
            while True:
                self._feed()
                request = self._sent[0]
                line = self._child.line(request.seconds)
                if line:
                    reply = json.loads(line)
                    self._spent[request.payload["package"]] += reply.pop("seconds", 0)
                    answer = request.read(reply)
                    self._sent.popleft().reply.set_result(answer)
                else:
                    self._replace()
        except Exception as error:  # noqa: BLE001 - told to whoever waits for an answer
            self._end(error)

    def _feed(self) -> None:
        """Gives the child what is due, and waits for something where it has nothing to do."""
        if self._again:
            if not self._sent:
                self._sent.append(self._again.popleft())
                self._send(self._sent[0].payload)
            return
        while len(self._sent) < AHEAD * LANES[self.name] and not (self._sent and self._waiting.empty()):
            request = self._waiting.get()
            if request.due == _END:
                raise self._stopped()
            self._sent.append(request)
            self._send(request.payload)

    def _send(self, payload: dict[str, Any]) -> None:
        self._child.send(json.dumps(payload).encode() + b"\n")

    def _replace(self) -> None:
        """Answers for the query that cost the child its life, and has another child do what it was given beside it."""
        request = self._sent[0]
        package, ended = request.payload["package"], self._child.ended
        self._child.stop()
        with self._changing:
            if self._over:
                raise self._over
            if request.due == _OPEN:
                raise self._not_opened(package)
            self._child = self._started()
        if ended and len(self._sent) > 1:
            # Which of those that it was given ended the process is told by asking them one by one.
            self._again.extendleft(reversed(self._sent))
            self._sent.clear()
            self._reopen()
            return
        self._sent.popleft()
        # A query's whole limit is counted, so that a package whose queries end the child comes to an end too.
        self._spent[package] += self._limits.seconds
        message = "the engine's process ended" if ended else f"killed after {request.seconds:g} s"
        code = "engine-died" if ended else "timeout"
        request.reply.set_result(Failure(code=code, message=f"{message} in: {request.payload['sql'][:200]}"))
        self._reopen()
        for waiting in self._sent:
            self._send(waiting.payload)

    def _reopen(self) -> None:
        """Opens in a new child what the old one held."""
        for name, opening in list(self._opening.items()):
            if opening.done():
                self._send(self._opening_of(self._packages[name]))
                if not self._child.line(OPENING):
                    raise self._not_opened(name)

    def _stopped(self) -> EngineLost:
        return EngineLost(f"{self.name} was stopped before it answered")

    def _not_opened(self, package: str) -> EngineLost:
        said = self._child.last_words or "no answer"
        return EngineLost(f"{self.name} could not open package {package}: {said}")

    def _end(self, error: Exception) -> None:
        """Tells whoever waits, and whoever asks from now on, why nothing is answered any more."""
        with self._changing:
            self._over = error
        self._sent.extend(self._again)
        while not self._waiting.empty():
            self._sent.append(self._waiting.get())
        for request in self._sent:
            request.reply.set_exception(error)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._changing:
            self._over = self._over or self._stopped()
        self._waiting.put(_Request(due=_END, number=next(self._numbers), payload={}, seconds=0, read=_answer))
        self._child.stop()
        self._thread.join()


def _answer(reply: dict[str, Any]) -> Answer:
    if "code" in reply:
        return Failure(code=reply["code"], message=reply["message"])
    return Rows(columns=tuple(reply["columns"]), rows=tuple(tuple(row) for row in reply["cells"]))
