"""The child process: opens packages in one engine and answers queries, a line of JSON for each, in their order.

It is the only process in which SQL from packages and ledgers runs; its address space is limited before an engine is
loaded, and its parent kills it when an answer is late.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any

from tieout.child import limit_memory
from tieout.engines import LANES, Answer, Failure, Limits, Session

LARGEST_REPLY = 64 * 2**20  # bytes; the parent holds an answer whole, and rows may have cells of any size

Opener = Callable[[dict[str, Any], Limits], Session]
Reply = dict[str, Any]


def main() -> None:
    """Reads requests from standard input until it ends; the engine's name and memory limit are the arguments."""
    name, memory = sys.argv[1], int(sys.argv[2])
    limit_memory(memory)
    packages = _Packages(_opener(name), memory)
    if LANES[name] == 1:
        for line in sys.stdin.buffer:
            _write(_encoded(packages, json.loads(line)))
        return
    replies: SimpleQueue[Future[bytes] | None] = SimpleQueue()
    with ThreadPoolExecutor(LANES[name]) as lanes:
        threading.Thread(target=_take, args=(packages, lanes, replies), daemon=True).start()
        while (reply := replies.get()) is not None:
            _write(reply.result())


def _take(packages: _Packages, lanes: ThreadPoolExecutor, replies: SimpleQueue[Future[bytes] | None]) -> None:
    """Has the lanes do what comes; nothing is begun before a package is open, or beside what is to be alone."""
    try:
        for line in sys.stdin.buffer:
            request = json.loads(line)
            reply = lanes.submit(_encoded, packages, request)
            replies.put(reply)
            if "files" in request or packages.alone(request["package"]):
                reply.exception()
    finally:
        replies.put(None)


def _write(reply: bytes) -> None:
    sys.stdout.buffer.write(reply + b"\n")
    sys.stdout.buffer.flush()


def _encoded(packages: _Packages, request: dict[str, Any]) -> bytes:
    reply = json.dumps(packages.reply(request), allow_nan=True).encode()
    if len(reply) > LARGEST_REPLY:
        message = f"the answer has {len(reply):,} bytes; at most {LARGEST_REPLY:,} are taken"
        reply = json.dumps(_plain_answer(Failure(code="too-large", message=message))).encode()
    return reply


def _opener(name: str) -> Opener:
    """How this engine opens a package; its libraries are loaded here, while the parent still reads files."""
    if name == "duckdb":
        import duckdb  # noqa: F401

        from tieout.engines.duckdb import DuckDBSession

        return lambda asked, limits: DuckDBSession(asked["files"], limits)
    import pyarrow.parquet  # noqa: F401

    from tieout.engines.sqlite import SQLiteSession

    return lambda asked, limits: SQLiteSession(asked["files"], limits, asked["keys"])


class _Packages:
    """The packages that are open, and how many seconds each has left for its queries."""

    def __init__(self, opener: Opener, memory: int) -> None:
        self._opener = opener
        self._memory = memory
        self._sessions: dict[str, Session] = {}
        self._left: dict[str, float] = {}
        self._counting = threading.Lock()

    def reply(self, request: dict[str, Any]) -> Reply:
        """What opening a package's tables found; or the answer to a query, and how many seconds it took."""
        return self._open(request) if "files" in request else self._answer(request)

    def _open(self, request: dict[str, Any]) -> Reply:
        limits = Limits(memory=self._memory, loaded_rows=request["loaded_rows"])
        session = self._opener(request, limits)
        self._sessions[request["package"]] = session
        self._left[request["package"]] = request["total"]
        opened = session.opened
        return {"rows": opened.rows, "failed": opened.failed, "skipped": opened.skipped}

    def alone(self, package: str) -> bool:
        """Whether the package's queries are answered alone."""
        return self._sessions[package].alone

    def _answer(self, request: dict[str, Any]) -> Reply:
        package = request["package"]
        limits = Limits(seconds=request["seconds"], rows=request["rows"], memory=self._memory)
        if self._left[package] <= 0:
            message = "not asked: this package's queries have used up their time"
            return _plain_answer(Failure(code="timeout", message=message))
        begun = time.monotonic()
        answer = self._sessions[package].query(request["sql"], limits)
        took = time.monotonic() - begun
        with self._counting:
            self._left[package] -= took
        return {**_plain_answer(answer), "seconds": took}


def _plain_answer(answer: Answer) -> Reply:
    if isinstance(answer, Failure):
        return {"code": answer.code, "message": answer.message}
    return {"columns": answer.columns, "cells": [[_plain(cell) for cell in row] for row in answer.rows]}


def _plain(cell: object) -> object:
    """A cell as JSON holds it; a user's query may return dates and the like, which are told as text."""
    return cell if cell is None or isinstance(cell, int | float | str) else str(cell)


if __name__ == "__main__":
    main()
