"""A Jupyter kernel for pages: runs their cells, and their inline expressions by its user expressions."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from queue import Empty
from typing import Any

from tieout.errors import CannotOpen, Invalid
from tieout.site.engines.builtin.source import INLINE, Code, Page, Text

TIMEOUT = 120  # seconds for one cell
# What is left after a page is counted out, so that the next page need not look through every library for garbage.
RESET = "%reset -f\n__import__('gc').freeze()\n"
COLOUR = re.compile(r"\x1b\[[0-9;]*m")

Bundle = Mapping[str, str]  # a result by media type


@dataclass(frozen=True, kw_only=True, slots=True)
class Ran:
    """A page that was run: the results of each code cell, and of each inline expression, in the page's order."""

    page: Page
    outputs: Sequence[Sequence[Bundle]]
    inline: Sequence[Bundle]


class Kernel:
    """A running kernel."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._cells = 0

    def run(self, page: Page) -> Ran:
        """Runs a page in an empty namespace.

        Raises Invalid with page and line where a cell or an inline expression fails, or prints to standard error.
        """
        self._execute(page, Code(source=RESET, line=1))
        outputs: list[list[Bundle]] = []
        inline: list[Bundle] = []
        for part in page.parts:
            if isinstance(part, Code):
                outputs.append(self._execute(page, part))
            else:
                inline += self._inline(page, part)
        return Ran(page=page, outputs=outputs, inline=inline)

    def load(self, statement: str) -> None:
        """Runs a statement before there are pages; where it fails, a page that needs it will say so."""
        with suppress(Empty):
            self._reply(self._client.kc.execute(statement, silent=True, store_history=False))

    def _execute(self, page: Page, code: Code) -> list[Bundle]:
        from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
        from nbformat.v4 import new_code_cell

        cell = new_code_cell(code.source)
        self._client.nb.cells.append(cell)
        try:
            self._client.execute_cell(cell, len(self._client.nb.cells) - 1)
        except CellExecutionError as error:
            line = _line_of(cell.outputs, code)
            raise Invalid(
                [page.fault(line, "cell-failed", f"the cell fails: {error.ename}: {error.evalue}")]
            ) from error
        except (CellTimeoutError, DeadKernelError) as error:
            raise Invalid(
                [page.fault(code.line, "cell-failed", f"the cell did not end: {type(error).__name__}")]
            ) from error
        found: list[Bundle] = []
        for output in cell.outputs:
            if output.output_type == "stream":
                if output.name == "stderr":
                    raise Invalid(
                        [page.fault(code.line, "cell-warns", f"the cell warns: {output.text.strip()[:300]}")]
                    )
                found.append({"text/plain": output.text})
            elif output.output_type in {"display_data", "execute_result"}:
                found.append(dict(output.data))
        return found

    def _inline(self, page: Page, text: Text) -> list[Bundle]:
        expressions = [
            (match[1].strip(), text.source.count("\n", 0, match.start()))
            for match in INLINE.finditer(text.source)
        ]
        if not expressions:
            return []
        named = {str(index): expression for index, (expression, _) in enumerate(expressions)}
        message = self._client.kc.execute("", silent=False, store_history=False, user_expressions=named)
        try:
            results = self._reply(message)["user_expressions"]
        except Empty as error:
            listed = ", ".join(f"`{expression}`" for expression, _ in expressions)
            why = f"no answer after {TIMEOUT} s: {listed}"
            raise Invalid([page.fault(text.line, "inline-failed", why)]) from error
        found: list[Bundle] = []
        for index, (expression, offset) in enumerate(expressions):
            result = results[str(index)]
            if result["status"] != "ok":
                why = f"`{expression}` fails: {result['ename']}: {COLOUR.sub('', result['evalue'])}"
                raise Invalid([page.fault(text.line + offset, "inline-failed", why)])
            found.append(result["data"])
        return found

    def _reply(self, message: str) -> Any:
        from nbclient.util import run_sync

        async def get() -> Any:
            return await self._client.kc.get_shell_msg(timeout=TIMEOUT)

        while True:
            found = run_sync(get)()
            if found["parent_header"].get("msg_id") == message:
                return found["content"]


def _line_of(outputs: Sequence[Any], code: Code) -> int:
    """The failing line of the page: the last line that the traceback names inside the cell."""
    for output in outputs:
        if output.output_type == "error":
            found = re.findall(r"Cell In\[\d+\], line (\d+)", COLOUR.sub("", "\n".join(output.traceback)))
            if found:
                return code.line + len(code.options) + int(found[-1]) - 1
    return code.line


@contextmanager
def kernel(environment: Mapping[str, str], folder: str) -> Iterator[Kernel]:
    """A kernel in a folder, with `environment` added to this process's own; gone when the context ends.

    Raises CannotOpen where no kernel starts.
    """
    from nbclient import NotebookClient
    from nbformat.v4 import new_notebook

    client = NotebookClient(
        new_notebook(),
        kernel_name="python3",
        timeout=TIMEOUT,
        resources={"metadata": {"path": folder}},
        allow_errors=False,
        shutdown_kernel="immediate",
        extra_arguments=["--log-level=CRITICAL"],
    )
    try:
        started = client.setup_kernel(env={**os.environ, **environment})
        with started:
            yield Kernel(client)
    except RuntimeError as error:
        raise CannotOpen(f"the Jupyter kernel does not run: {error}") from error
