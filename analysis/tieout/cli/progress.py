"""A progress bar on standard error, for what takes longer than a second and only where a person looks."""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType
from typing import Any, Self

PATIENCE = 1.0  # seconds without a bar


class Bar:
    """Called with what is done, how many of it are done and of how many; shows nothing before a second is over."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._visible = sys.stderr is not None and sys.stderr.isatty()  # None where it was closed
        self._starting = threading.Lock()  # several threads tell what they do
        self._bar: Any = None
        self._task: Any = None

    def __call__(self, label: str, done: int, total: int) -> None:
        """Shows `done` of `total`, once a second is over."""
        if not self._visible or (self._bar is None and time.monotonic() - self._begun < PATIENCE):
            return
        with self._starting:
            if self._bar is None:
                from rich.console import Console
                from rich.progress import Progress

                self._bar = Progress(console=Console(stderr=True), transient=True)
                self._bar.start()
                self._task = self._bar.add_task(label, total=total)
        self._bar.update(self._task, description=label, completed=done, total=total)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
