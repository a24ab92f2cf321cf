"""Quarto, wrapped: the pages of the project by its command, in a folder of their own."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from tieout.errors import CannotOpen
from tieout.site.engines import Job, Progress
from tieout.site.engines.builtin.convert import PAGE, SPLIT, Converted
from tieout.site.shell import Shell

OLDEST = (1, 4)
TIMEOUT = 1800  # seconds for the whole site
OUTPUT = "_site"
TEMPLATE = "page.html"
UNWANTED = re.compile(r"<(script|style)\b[^>]*>.*?</\1>", re.DOTALL)
STYLE = re.compile(r"(<[a-zA-Z][^<>]*?) style=\"[^\"]*\"")


class Quarto:
    """The engine `quarto`: its command line on the PATH, or where QUARTO_PATH says, 1.4 or later.

    Quarto runs the pages and turns them into HTML; the page around the text is the one that every engine writes, so
    that policy, stamp and navigation are the same and nothing of Quarto's own scripts and styles is loaded.
    """

    name = "quarto"

    def __init__(self, shell: Shell) -> None:
        self._shell = shell

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
                [quarto, "render", str(project), "--no-cache"],
                env={**os.environ, **job.environment},
                capture_output=True,
                text=True,
                check=False,
                timeout=TIMEOUT,
            )
            if ran.returncode != 0:
                raise CannotOpen(f"quarto fails:\n{ran.stderr.strip()[-2000:]}")
            for page in job.pages:
                made = project / OUTPUT / f"{page.name}.html"
                if not made.is_file():
                    raise CannotOpen(f"quarto made no {made.name} of {page.path.name}")
                text = adopted(made.read_text(encoding="utf-8"))
                self._shell.write(job.output / made.name, page.header, text)
        progress("quarto", len(job.pages), len(job.pages))


def adopted(html: str) -> Converted:
    """The contents and the text of a page that Quarto made with our template, without its scripts and styles."""
    body = re.search(r"<body\b[^>]*>(.*)</body>", html, re.DOTALL)
    inside = UNWANTED.sub("", body[1] if body else html)
    contents, split, text = inside.partition(SPLIT)
    if not split:
        contents, text = "", inside
    return Converted(contents=contents.strip(), body=STYLE.sub(r"\1", text).strip())


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
    settings: dict[str, Any] = {
        "project": {
            "type": "default",
            "output-dir": OUTPUT,
            "render": [page.path.name for page in job.pages],
        },
        "format": {"html": {"minimal": True, "toc": True, "toc-depth": 3, "template": TEMPLATE}},
        "execute": job.project.settings.get("execute", {}),
    }
    (project / "_quarto.yml").write_text(json.dumps(settings), encoding="utf-8")
    (project / TEMPLATE).write_text(PAGE, encoding="utf-8")
    for page in job.pages:
        shutil.copyfile(page.path, project / page.path.name)
