"""Quarto, wrapped: the pages of the project by its command, in a folder of their own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from tieout.errors import CannotOpen
from tieout.site.engines import Job, Progress

OLDEST = (1, 4)
TIMEOUT = 1800  # seconds for the whole site


class Quarto:
    """The engine `quarto`: its command line on the PATH, or where QUARTO_PATH says, 1.4 or later."""

    name = "quarto"

    def render(self, job: Job, progress: Progress) -> None:
        """Renders all pages at once, from a copy of the project whose pages lie at its root.

        Raises CannotOpen where Quarto is missing, too old, or fails, with its own last words.
        """
        quarto = command()
        progress("quarto", 0, len(job.pages))
        with tempfile.TemporaryDirectory(prefix="tieout-quarto-") as folder:
            project = Path(folder)
            _lay_out(job, project)
            ran = subprocess.run(
                [quarto, "render", str(project), "--output-dir", str(project / "_site"), "--no-cache"],
                env={**os.environ, **job.environment},
                capture_output=True,
                text=True,
                check=False,
                timeout=TIMEOUT,
            )
            if ran.returncode != 0:
                raise CannotOpen(f"quarto fails:\n{ran.stderr.strip()[-2000:]}")
            shutil.copytree(project / "_site", job.output, dirs_exist_ok=True)
        progress("quarto", len(job.pages), len(job.pages))


def command() -> str:
    """The path of a Quarto that is new enough.

    Raises CannotOpen where there is none, saying what to do.
    """
    found = os.environ.get("QUARTO_PATH") or shutil.which("quarto")
    if not found:
        raise CannotOpen(
            "no quarto on the PATH; install it (or pip install 'tieout[quarto]'), or use --engine builtin"
        )
    ran = subprocess.run([found, "--version"], capture_output=True, text=True, check=False)
    numbers = re.match(r"(\d+)\.(\d+)", ran.stdout.strip())
    if ran.returncode != 0 or not numbers:
        raise CannotOpen(f"{found} --version fails: {(ran.stderr or ran.stdout).strip()[:200]}")
    if (int(numbers[1]), int(numbers[2])) < OLDEST:
        raise CannotOpen(
            f"quarto {ran.stdout.strip()} is too old; {'.'.join(map(str, OLDEST))} or later is needed"
        )
    return found


def available() -> bool:
    """Whether a Quarto that is new enough is at hand."""
    try:
        command()
    except (CannotOpen, OSError):
        return False
    return True


def _lay_out(job: Job, project: Path) -> None:
    # Pages lie in report/ here and at the site's root there: a claim's address is the same from every page.
    settings = (job.project.root / "_quarto.yml").read_text(encoding="utf-8")
    (project / "_quarto.yml").write_text(re.sub(r"(?m)\breport/", "", settings), encoding="utf-8")
    for page in job.pages:
        shutil.copyfile(page, project / page.name)
    for folder in ("styles", "filters"):
        source = job.project.root / "report" / folder
        if source.is_dir():
            shutil.copytree(source, project / folder)
