"""The built-in engine: pages run in kernels, composed, converted, and set into the site's template."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from tieout.freeze import write_beside
from tieout.site.engines import Job, Progress
from tieout.site.engines.builtin.compose import compose
from tieout.site.engines.builtin.convert import Converted, convert
from tieout.site.engines.builtin.runner import Runner
from tieout.site.engines.builtin.source import Page
from tieout.site.shell import Shell

DIGEST = 32  # hexadecimal digits in the name of a page that is kept


class Builtin:
    """The engine `builtin`. With `cache`, a page whose source and data are unchanged is not run again."""

    name = "builtin"

    def __init__(self, shell: Shell, runner: Runner, cache: Path | None = None, key: str = "") -> None:
        self._shell = shell
        self._runner = runner
        self._cache = cache
        self._key = key

    def render(self, job: Job, progress: Progress) -> None:
        """Renders the pages that the cache does not hold, writes all of them, and lets the kernels go.

        Raises Invalid with page and line, and CannotOpen where the kernel or Pandoc is missing or fails.
        """
        converted = {page.name: found for page in job.pages if (found := self._kept(page)) is not None}
        running = [(page, self._runner.run(page)) for page in job.pages if page.name not in converted]
        self._runner.end()
        progress("pages", len(converted), len(job.pages))
        for page, ran in running:
            converted[page.name] = convert(compose(ran.result()))
            self._keep(page, converted[page.name])
            progress(page.name, len(converted), len(job.pages))
        for page in job.pages:
            self._shell.write(job.output / f"{page.name}.html", page.header, converted[page.name])

    def _file(self, page: Page) -> Path | None:
        if self._cache is None:
            return None
        digest = hashlib.sha256(f"{self._key}\0{page.path.read_text(encoding='utf-8')}".encode()).hexdigest()
        return self._cache / f"{page.name}-{digest[:DIGEST]}.json"

    def _kept(self, page: Page) -> Converted | None:
        """The page of the cache; what cannot be read can be made again, as if it had never been kept."""
        file = self._file(page)
        if file is None:
            return None
        try:
            return Converted(**json.loads(file.read_text(encoding="utf-8")))
        except (FileNotFoundError, ValueError):
            return None

    def _keep(self, page: Page, converted: Converted) -> None:
        file = self._file(page)
        if file is None:
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        for old in file.parent.glob(f"{page.name}-{'?' * DIGEST}.json"):
            old.unlink()
        write_beside(file, json.dumps({"contents": converted.contents, "body": converted.body}))
