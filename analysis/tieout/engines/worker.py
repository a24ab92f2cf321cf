"""The child process: opens packages in one engine and answers queries, a line of JSON for each.

It is the only process in which SQL from packages and ledgers runs; its address space is limited before an engine is
loaded, and its parent kills it when an answer is late.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

from tieout.child import limit_memory
from tieout.engines import Answer, Failure, Limits, Session

LARGEST_REPLY = 64 * 2**20  # bytes; the parent holds an answer whole, and rows may have cells of any size

Opener = Callable[[dict[str, Any], Limits], Session]


def main() -> None:
    """Reads requests from standard input until it ends; the engine's name and memory limit are the arguments."""
    name, memory = sys.argv[1], int(sys.argv[2])
    limit_memory(memory)
    opener = _opener(name)
    sessions: dict[str, Session] = {}
    left: dict[str, float] = {}
    for line in sys.stdin.buffer:
        reply = json.dumps(_reply(opener, memory, sessions, left, json.loads(line)), allow_nan=True).encode()
        if len(reply) > LARGEST_REPLY:
            message = f"the answer has {len(reply):,} bytes; at most {LARGEST_REPLY:,} are taken"
            reply = json.dumps(_encode(Failure(code="too-large", message=message))).encode()
        sys.stdout.buffer.write(reply + b"\n")
        sys.stdout.buffer.flush()


def _opener(name: str) -> Opener:
    """How this engine opens a package; its libraries are loaded here, while the parent still reads files."""
    if name == "duckdb":
        import duckdb  # noqa: F401

        from tieout.engines.duckdb import DuckDBSession

        return lambda asked, limits: DuckDBSession(asked["files"], limits)
    import pyarrow.parquet  # noqa: F401

    from tieout.engines.sqlite import SQLiteSession

    return lambda asked, limits: SQLiteSession(asked["files"], limits, asked["keys"])


def _reply(
    opener: Opener,
    memory: int,
    sessions: dict[str, Session],
    left: dict[str, float],
    request: dict[str, Any],
) -> dict[str, Any]:
    package = request["package"]
    if "files" in request:
        limits = Limits(memory=memory, loaded_rows=request["loaded_rows"])
        session = opener(request, limits)
        sessions[package] = session
        left[package] = request["total"]
        opened = session.opened
        return {"rows": opened.rows, "failed": opened.failed, "skipped": opened.skipped}
    limits = Limits(seconds=request["seconds"], rows=request["rows"], memory=memory)
    if left[package] <= 0:
        message = "not asked: this package's queries have used up their time"
        return _encode(Failure(code="timeout", message=message))
    begun = time.monotonic()
    answer = sessions[package].query(request["sql"], limits)
    took = time.monotonic() - begun
    left[package] -= took
    return {**_encode(answer), "seconds": took}


def _encode(answer: Answer) -> dict[str, Any]:
    if isinstance(answer, Failure):
        return {"code": answer.code, "message": answer.message}
    return {"columns": answer.columns, "cells": [[_plain(cell) for cell in row] for row in answer.rows]}


def _plain(cell: object) -> object:
    """A cell as JSON holds it; a user's query may return dates and the like, which are told as text."""
    return cell if cell is None or isinstance(cell, int | float | str) else str(cell)


if __name__ == "__main__":
    main()
