"""Kernels in threads of their own: they start while data is gathered, and run pages while others are written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import ExitStack
from functools import partial
from queue import SimpleQueue
from threading import Event, Thread
from types import TracebackType
from typing import Self, TypeVar

from tieout.site.engines.builtin.kernel import Kernel, Ran, kernel
from tieout.site.engines.builtin.source import Page

Result = TypeVar("Result")

# A second kernel halves the time of a site of many pages; a third would wait for a processor on most machines.
KERNELS = 2
# What pages load sooner or later, in the order in which they need it.
WARM = (
    "import tieout.site.page",
    "import pandas, pyarrow.parquet",
    "import altair",
    "import tieout.site.figures.drawings as drawings; drawings.warm()",
)


class Runner:
    """The kernels of a site, as many as there are pages to run and at most `KERNELS`; used as a context manager.

    Each takes the next page when it is done with one. A kernel's client belongs to the thread that made it, so that all
    that concerns a kernel happens in one thread.
    """

    def __init__(self, environment: Mapping[str, str], folder: str) -> None:
        self._environment = environment
        self._folder = folder
        self._waiting: SimpleQueue[tuple[Page, Future[Ran]] | None] = SimpleQueue()
        self._threads: list[Thread] = []
        self._asked = Event()
        self._pages: list[Future[Ran]] = []
        self._ended = False

    def begin(self, pages: int) -> None:
        """Starts kernels for so many pages and returns at once; until a page comes, they load what pages need."""
        while len(self._threads) < min(pages, KERNELS):
            self._threads.append(Thread(target=self._serve, daemon=True))
            self._threads[-1].start()

    def run(self, page: Page) -> Future[Ran]:
        """The results of a page, once they are there; pages are taken in the order in which they come.

        The future raises as `Kernel.run` does, and CannotOpen where no kernel starts. A page without code needs none.
        """
        ran: Future[Ran] = Future()
        if not page.runs:
            ran.set_result(Ran(page=page, outputs=(), inline=()))
            return ran
        self._asked.set()
        self._pages.append(ran)
        self._waiting.put((page, ran))
        self.begin(len(self._pages))
        return ran

    def end(self) -> None:
        """Ends the kernels after the pages that they were given, and returns at once; more pages cannot follow."""
        if not self._ended:
            self._ended = True
            for _ in self._threads:
                self._waiting.put(None)

    def cancel(self) -> None:
        """Gives up the pages that no kernel has taken yet."""
        self._asked.set()
        for page in self._pages:
            page.cancel()

    def _serve(self) -> None:
        with ExitStack() as opened:
            running: Future[Kernel] = Future()
            _settle(running, partial(self._start, opened))
            while (taken := self._waiting.get()) is not None:
                page, ran = taken
                if ran.set_running_or_notify_cancel():
                    _settle(ran, partial(_run, running, page))

    def _start(self, opened: ExitStack) -> Kernel:
        from jupyter_core.utils import ensure_event_loop

        # Jupyter's synchronous calls make this thread a loop, which nobody would close.
        opened.callback(lambda: ensure_event_loop().close())
        running = opened.enter_context(kernel(self._environment, self._folder))
        for statement in WARM:
            if self._asked.is_set():
                break
            running.load(statement)
        return running

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cancel()
        self.end()
        for thread in self._threads:
            thread.join()


def _run(running: Future[Kernel], page: Page) -> Ran:
    return running.result().run(page)


def _settle(future: Future[Result], work: Callable[[], Result]) -> None:
    try:
        future.set_result(work())
    except BaseException as error:  # noqa: BLE001 - whoever waits for the future gets it
        future.set_exception(error)
