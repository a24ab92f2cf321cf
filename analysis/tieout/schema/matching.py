"""Patterns that only Python can match, in a child process: some of them take for ever on a text made for them."""

from __future__ import annotations

import json
import sys
from types import TracebackType
from typing import Self

from tieout.child import Child, limit_memory
from tieout.errors import TieoutError
from tieout.schema.patterns import searcher

MEMORY = 2**29  # bytes; a pattern made for it remembers a place for each character of a text
SECONDS = 5.0  # for one text; a pattern that is not made to be slow needs microseconds


class PatternTooSlow(TieoutError):
    """A pattern that was not done with a text in time, or that ended the process."""

    exit_code = 1


class Matcher:
    """A child process that searches texts; used as a context manager, started when it is first asked."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._child: Child | None = None

    def matches(self, pattern: str, text: str) -> bool:
        """Whether the pattern is somewhere in the text.

        Raises PatternTooSlow where that could not be told in time.
        """
        if self._child is None:
            self._child = Child("tieout.schema.matching")
        self._child.send(json.dumps([pattern, text]).encode() + b"\n")
        reply = self._child.line(self._seconds)
        if not reply:
            what = "ended its process over" if self._child.ended else "was not done with"
            within = "" if self._child.ended else f" in {self._seconds:g} s"
            self._stop()
            raise PatternTooSlow(
                f"the pattern {pattern[:60]} {what} a text of {len(text):,} characters{within}"
            )
        return bool(json.loads(reply))

    def _stop(self) -> None:
        if self._child is not None:
            self._child.stop()
            self._child = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()


def main() -> None:
    """Runs as the child: reads a pattern and a text in each line of standard input, and writes whether they match."""
    limit_memory(MEMORY)
    for line in sys.stdin.buffer:
        pattern, text = json.loads(line)
        regex = searcher(pattern)
        found = regex is not None and regex.search(text) is not None
        sys.stdout.buffer.write(json.dumps(found).encode() + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
