"""Derived tables made anew in a child process: a package's parameters and rows may ask for any time and any memory."""

from __future__ import annotations

import json
import os
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tieout.engines import Limits
from tieout.errors import Fault
from tieout.package import Package, Table
from tieout.report import DerivedResult

SECONDS = 120.0  # for all derived tables of one package


class Anew:
    """A child process in which instruments run; used as a context manager, started when it is first asked."""

    def __init__(self, limits: Limits | None = None, seconds: float = SECONDS) -> None:
        self._memory = (limits or Limits()).memory
        self._seconds = seconds
        self._child: subprocess.Popen[bytes] | None = None
        self._replies: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def check(
        self, package: Package, sound: Mapping[str, Table]
    ) -> tuple[tuple[DerivedResult, ...], list[Fault]]:
        """What `derive.check_derived` says of a package; one fault where the child was lost over it."""
        derived = [table for table in sound.values() if table.derivation]
        if not derived:
            return (), []
        reply = self._ask(pickle.dumps((package, dict(sound))))
        if not reply:
            ended = self._child is not None and self._child.poll() is not None
            self._stop()
            what = "ended the process" if ended else f"was not done after {self._seconds:g} s"
            message = f"making the derived tables anew {what}"
            return (), [Fault(code="instrument-failed", message=message, file=derived[0].file)]
        given: dict[str, Any] = json.loads(reply)
        return (
            tuple(DerivedResult(**result) for result in given["results"]),
            [Fault(**fault) for fault in given["faults"]],
        )

    def _ask(self, request: bytes) -> bytes:
        if self._child is None:
            self._start()
        assert self._child
        assert self._child.stdin
        try:
            self._child.stdin.write(len(request).to_bytes(8, "big") + request)
            self._child.stdin.flush()
            return self._replies.get(timeout=self._seconds)
        except (queue.Empty, OSError):  # too late, or gone
            return b""

    def _start(self) -> None:
        here = Path(__file__).resolve().parents[1]
        environment = {**os.environ, "PYTHONPATH": str(here), "PYTHONSAFEPATH": "1"}
        self._child = subprocess.Popen(
            [sys.executable, "-P", "-m", "tieout.anew", str(self._memory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        self._replies = queue.SimpleQueue()
        threading.Thread(target=self._read, args=(self._child, self._replies), daemon=True).start()

    @staticmethod
    def _read(child: subprocess.Popen[bytes], replies: queue.SimpleQueue[bytes]) -> None:
        assert child.stdout
        for line in child.stdout:
            replies.put(line)
        child.wait()
        replies.put(b"")

    def _stop(self) -> None:
        if self._child is None:
            return
        self._child.kill()
        self._child.wait()
        for stream in (self._child.stdin, self._child.stdout):
            if stream:
                try:
                    stream.close()
                except OSError:  # what was not yet written to a dead child needs no flushing
                    continue
        self._child = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()


def main() -> None:
    """Runs as the child: reads pickled packages from standard input, and writes a line of JSON for each."""
    from tieout.derive import check_derived
    from tieout.engines.worker import limit_memory

    limit_memory(int(sys.argv[1]))
    while size := sys.stdin.buffer.read(8):
        package, sound = pickle.loads(sys.stdin.buffer.read(int.from_bytes(size, "big")))
        try:
            results, faults = check_derived(package, sound)
        except Exception as error:  # noqa: BLE001 - an instrument may come from anybody, and raise anything
            file = next(table.file for table in sound.values() if table.derivation)
            message = f"making the derived tables anew failed: {type(error).__name__}: {error}"
            results, faults = (), [Fault(code="instrument-failed", message=message, file=file)]
        reply = {
            "results": [asdict(result) for result in results],
            "faults": [asdict(fault) for fault in faults],
        }
        sys.stdout.buffer.write(json.dumps(reply).encode() + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
