"""The kernel in a thread of its own: it starts while data is gathered, and runs pages while others are written."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from threading import Event
from types import TracebackType
from typing import Self

from tieout.site.engines.builtin.kernel import Kernel, Ran, kernel
from tieout.site.engines.builtin.source import Page

# What pages load sooner or later, in the order in which they need it.
WARM = (
    "import tieout.site.page",
    "import pandas, pyarrow.parquet",
    "import altair",
    "import tieout.site.figures.drawings as drawings; drawings.warm()",
)


class Runner:
    """One kernel for all pages, used as a context manager; it starts when it is told to, or with the first page.

    A kernel's client belongs to the thread that made it, so that all that concerns the kernel happens in one thread.
    """

    def __init__(self, environment: Mapping[str, str], folder: str) -> None:
        self._environment = environment
        self._folder = folder
        self._thread = ThreadPoolExecutor(max_workers=1)
        self._open = ExitStack()
        self._asked = Event()
        self._kernel: Future[Kernel] | None = None
        self._pages: list[Future[Ran]] = []
        self._ended = False

    def begin(self) -> None:
        """Starts the kernel and returns at once; until a page comes, it loads what pages need."""
        if self._kernel is None:
            self._kernel = self._thread.submit(self._start)

    def run(self, page: Page) -> Future[Ran]:
        """The results of a page, once they are there; pages are run in the order in which they come.

        The future raises as `Kernel.run` does, and CannotOpen where no kernel starts. A page without code needs none.
        """
        if not page.runs:
            ran: Future[Ran] = Future()
            ran.set_result(Ran(page=page, outputs=(), inline=()))
            return ran
        self._asked.set()
        self.begin()
        self._pages.append(self._thread.submit(self._run, page))
        return self._pages[-1]

    def end(self) -> None:
        """Ends the kernel after the pages that it was given, and returns at once; more pages cannot follow."""
        if not self._ended:
            self._ended = True
            self._thread.submit(self._open.close)
            self._thread.shutdown(wait=False)

    def _start(self) -> Kernel:
        from jupyter_core.utils import ensure_event_loop

        # Jupyter's synchronous calls make this thread a loop, which nobody would close.
        self._open.callback(lambda: ensure_event_loop().close())
        running = self._open.enter_context(kernel(self._environment, self._folder))
        for statement in WARM:
            if self._asked.is_set():
                break
            running.load(statement)
        return running

    def _run(self, page: Page) -> Ran:
        assert self._kernel, "it was begun before a page was taken"
        return self._kernel.result().run(page)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._asked.set()
        for page in self._pages:
            page.cancel()
        self.end()
        self._thread.shutdown(wait=True)
