"""A Python process of our own that answers in lines: it may take any time, bounds its own memory, and can be killed."""

from __future__ import annotations

import os
import queue
import select
import subprocess
import sys
import threading
import time
from collections import deque
from contextlib import suppress
from pathlib import Path

_SAID = 20  # lines of its standard error that are kept
_PIECE = 2**20  # bytes that are read at a time
_LEAVING = 1.0  # seconds in which a thread leaves the pipes of a process that was killed


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
            bufsize=0,
        )
        assert self._process.stdin
        assert self._process.stdout
        self._input, self._output = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._input, False)
        self._ready = select.poll()
        self._ready.register(self._output, select.POLLIN)
        self._read = bytearray()
        self._searched = 0  # bytes of what was read in which no line ends
        self._using = threading.Lock()  # held while its pipes are used, which `stop` closes
        self._over = False  # whether nothing more can be read, nor needs to be written
        self._late: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._writer: threading.Thread | None = None
        self._said: deque[bytes] = deque(maxlen=_SAID)
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        assert self._process.stderr
        with suppress(OSError, ValueError), open(self._process.stderr.fileno(), "rb", closefd=False) as said:
            self._said.extend(said)

    def send(self, request: bytes) -> None:
        """Has a request written to its standard input, and returns at once; where it is gone, `line` says so."""
        with self._using, suppress(OSError):
            # Nearly always the pipe takes it whole. A child that does not read must not keep its parent waiting.
            if self._over:
                return
            if self._writer is None:
                request = request[self._taken(request) :]
                if not request:
                    return
                os.set_blocking(self._input, True)
                self._writer = threading.Thread(target=self._write, daemon=True)
                self._writer.start()
            self._late.put(request)

    def _taken(self, request: bytes) -> int:
        try:
            return os.write(self._input, request)
        except BlockingIOError:
            return 0

    def _write(self) -> None:
        with suppress(OSError):  # gone, or stopped
            while request := memoryview(self._late.get()):
                while request:
                    request = request[os.write(self._input, request) :]

    def line(self, seconds: float) -> bytes:
        """The next line of its standard output; empty where none came in so many seconds, or where it has ended."""
        deadline = time.monotonic() + seconds
        with self._using:
            while (end := self._read.find(b"\n", self._searched)) < 0:
                self._searched = len(self._read)
                left = max(0.0, deadline - time.monotonic())
                if self._over or not self._ready.poll(left * 1000):
                    return b""
                if not (piece := os.read(self._output, _PIECE)):
                    with suppress(subprocess.TimeoutExpired):
                        self._process.wait(_LEAVING)
                    self._over = True  # and what has no end was cut where the process was killed
                    return b""
                self._read += piece
            line = bytes(self._read[: end + 1])
            del self._read[: end + 1]
            self._searched = 0
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
        self._process.kill()
        self._process.wait()
        self._late.put(b"")
        if self._writer is not None:
            self._writer.join(_LEAVING)
        self._listener.join(_LEAVING)
        # Whoever waits for a line or writes one is told of the end by the pipes; before that they are not closed.
        if self._using.acquire(timeout=_LEAVING):
            self._over = True
            for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
                if stream:
                    stream.close()
            self._using.release()


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
