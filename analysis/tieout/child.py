"""A Python process of our own that answers in lines: it may take any time, bounds its own memory, and can be killed."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
from collections import deque
from contextlib import suppress
from pathlib import Path

_SAID = 20  # lines of its standard error that are kept


class Child:
    """A module of this package, run in a process that has started when this returns."""

    def __init__(self, module: str, *arguments: str) -> None:
        # The child finds this very package even where it is not installed, and imports nothing of the user's. NumPy
        # would start a thread for each processor, for algebra that nothing here does.
        here = Path(__file__).resolve().parents[1]
        own = {"PYTHONPATH": str(here), "PYTHONSAFEPATH": "1", "OPENBLAS_NUM_THREADS": "1"}
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", module, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **own},
        )
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._said: deque[bytes] = deque(maxlen=_SAID)
        self._requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        others = (threading.Thread(target=work, daemon=True) for work in (self._read, self._write))
        for thread in (*others, self._listener):
            thread.start()

    def _read(self) -> None:
        assert self._process.stdout
        try:
            for line in self._process.stdout:
                if line.endswith(b"\n"):  # the last one may be cut where the process was killed
                    self._lines.put(line)
        except ValueError:  # closed by `stop` while it was read
            return
        finally:
            self._process.wait()
            self._lines.put(b"")

    def _listen(self) -> None:
        assert self._process.stderr
        with suppress(ValueError):  # closed by `stop` while it was read
            self._said.extend(self._process.stderr)

    def send(self, request: bytes) -> None:
        """Has a request written to its standard input, and returns at once; where it is gone, `line` says so."""
        self._requests.put(request)

    def _write(self) -> None:
        assert self._process.stdin
        try:
            while request := self._requests.get():
                self._process.stdin.write(request)
                self._process.stdin.flush()
        except (OSError, ValueError):  # gone, or stopped
            return

    def line(self, seconds: float) -> bytes:
        """The next line of its standard output; empty where none came in so many seconds, or where it has ended."""
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            return b""
        if not line:
            self._lines.put(line)  # the end stays the end, whoever asks again
        return line

    @property
    def pid(self) -> int:
        """The process's number in the system."""
        return self._process.pid

    @property
    def ended(self) -> bool:
        """Whether the process has ended by itself or was stopped."""
        return self._process.poll() is not None

    @property
    def last_words(self) -> str:
        """The last line that it wrote to its standard error; empty where it wrote none."""
        if self.ended:
            self._listener.join(1)
        return b"".join(self._said).decode(errors="replace").strip().rpartition("\n")[2]

    def stop(self) -> None:
        """Kills the process, whatever it is doing."""
        self._requests.put(b"")
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream:
                try:
                    stream.close()
                except OSError:  # what was not yet written to a dead process needs no flushing
                    continue


def limit_memory(memory: int) -> None:
    """Bounds this process's address space to twice `memory` bytes, where the system has such a limit."""
    try:
        import resource
    except ImportError:  # no such limit on Windows; the engines' own limits remain
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    # An engine reserves more address space than it uses: twice the limit leaves it room and still ends a runaway.
    wanted = memory * 2 if hard == resource.RLIM_INFINITY else min(memory * 2, hard)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))
    except (ValueError, OSError):  # macOS refuses it; the engines' own limits remain
        return
