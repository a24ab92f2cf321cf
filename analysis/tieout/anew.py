"""Derived tables made anew in a child process: a package's parameters and rows may ask for any time and any memory."""

from __future__ import annotations

import json
import pickle
import sys
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict
from types import TracebackType
from typing import Any, Self

from tieout.child import Child, limit_memory
from tieout.engines import Limits
from tieout.errors import Fault
from tieout.package import Package, Table
from tieout.results import DerivedResult

SECONDS = 120.0  # for all derived tables of one package

Derived = tuple[tuple[DerivedResult, ...], list[Fault]]


class Anew:
    """A child process in which instruments run; used as a context manager, started when it is first asked."""

    def __init__(self, limits: Limits | None = None, seconds: float = SECONDS) -> None:
        self._memory = (limits or Limits()).memory
        self._seconds = seconds
        self._child: Child | None = None
        self._ended = False
        self._waiting = ThreadPoolExecutor(max_workers=1)

    def check(self, package: Package, sound: Mapping[str, Table]) -> Future[Derived]:
        """What `derive.check_derived` will say of a package; one fault where the child was lost over it."""
        return self._waiting.submit(self._check, package, sound)

    def _check(self, package: Package, sound: Mapping[str, Table]) -> Derived:
        derived = [table for table in sound.values() if table.derivation]
        if not derived or self._ended:
            return (), []
        child = self._child = self._child or Child("tieout.anew", str(self._memory))
        request = pickle.dumps((package, dict(sound)))
        child.send(len(request).to_bytes(8, "big") + request)
        reply = child.line(self._seconds)
        if not reply:
            what = "ended the process" if child.ended else f"was not done after {self._seconds:g} s"
            self._stop()
            message = f"making the derived tables anew {what}"
            return (), [Fault(code="instrument-failed", message=message, file=derived[0].file)]
        given: dict[str, Any] = json.loads(reply)
        return (
            tuple(DerivedResult(**result) for result in given["results"]),
            [Fault(**fault) for fault in given["faults"]],
        )

    def _stop(self) -> None:
        if self._child is not None:
            self._child.stop()
            self._child = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended = True
        self._waiting.shutdown(wait=False, cancel_futures=True)
        self._stop()
        self._waiting.shutdown(wait=True)
        self._stop()  # the child that a check may have started meanwhile


def main() -> None:
    """Runs as the child: reads pickled packages from standard input, and writes a line of JSON for each."""
    from tieout.derive import check_derived

    limit_memory(int(sys.argv[1]))
    replies, sys.stdout = sys.stdout.buffer, sys.stderr  # an instrument may print
    while size := sys.stdin.buffer.read(8):
        package, sound = pickle.loads(sys.stdin.buffer.read(int.from_bytes(size, "big")))
        results, faults = check_derived(package, sound)
        reply = {
            "results": [asdict(result) for result in results],
            "faults": [asdict(fault) for fault in faults],
        }
        replies.write(json.dumps(reply).encode() + b"\n")
        replies.flush()


if __name__ == "__main__":
    main()
