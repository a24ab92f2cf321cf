"""How long a page takes from nothing by the built-in engine, and how long a site takes that has not changed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter

from bench import measure
from tieout.site.assets import cache_folder, modules
from tieout.site.project import open_project

PEER = "import altair, pandas"
LEDGER, PACKAGE = "tau-bench-readme", "tau-bench-airline"
TEXT = "---\ntitle: {name}\n---\n\nA page of text.\n"
CHART = """---
title: Chart
---

```{python}
#| include: false
from tieout.site.page import figure, n
```

One trial ends well in `{python} n("tau-bench-readme", "results.airline-gpt-4o.pass1", "percent")`.

::: {#fig-chart}

```{python}
figure("pass-hat-k")
```

The more trials of a task have to succeed, the fewer tasks are left.
:::
"""
LINKED = ("index", "ledger", "artifacts")  # what the pages made of data alone lead to
MOST_A_PAGE = 0.7  # seconds
MOST_UNCHANGED = 1.0  # seconds


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """A project, and where its site and its cache go; what npm brings lies in the cache and counts as set-up."""

    project: Path
    folder: Path

    @property
    def output(self) -> Path:
        """Where the site is put."""
        return self.folder / "site"

    @property
    def cache(self) -> Path:
        """What can be made again."""
        return self.folder / "cache"

    def empty(self, verdicts: Path | None = None) -> None:
        """Forgets the site and what was kept of it; with `verdicts`, a kept report, verification is done already."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.cache.mkdir(parents=True)
        brought = modules(cache_folder(measure.ROOT)).parent.resolve()
        (self.cache / brought.name).symlink_to(brought)
        if verdicts:
            shutil.copyfile(verdicts, self.cache / verdicts.name)


def table() -> Iterator[str]:
    """The measurement as a Markdown table; every rendering is a process of its own."""
    with tempfile.TemporaryDirectory(prefix="tieout-site-") as name:
        folder = Path(name)
        text = Place(project=_project(folder / "text", chart=False), folder=folder / "of-text")
        chart = Place(project=_project(folder / "chart", chart=True), folder=folder / "of-chart")
        whole = Place(project=measure.ROOT, folder=folder / "of-whole")
        whole.empty()
        rendered(whole)
        verdicts = shutil.copyfile(whole.cache / "report.json", folder / "report.json")
        counts = _counts(whole)
        without, with_one, everything, shown, again, peer = measure.in_turn(
            partial(_anew, text),
            partial(_anew, chart),
            partial(_anew, whole),
            partial(_anew, whole, verdicts),
            partial(rendered, whole),
            _imports,
        )
    pages = len(open_project(measure.ROOT).pages)
    yield f"The repository's site: {counts}."
    yield ""
    yield f'| by the engine `builtin` | median | pages | seconds a page | over `python -c "{PEER}"` | goal |'
    yield "| --- | ---: | ---: | ---: | ---: | --- |"
    for what, seconds, count in (
        ("a small project's page with Python and a chart", with_one - without, 1),
        ("the repository's site, its verdicts at hand", shown, pages),
        ("the repository's site, everything verified anew", everything, pages),
    ):
        each = seconds / count
        yield (
            f"| {what} | {seconds:.2f} s | {count} | {each:.2f} | {each / peer:.2f} "
            f"| at most {MOST_A_PAGE} s a page |"
        )
    yield (
        f"| the repository's site, unchanged | {again:.2f} s | {pages} | {again / pages:.2f} "
        f"| {again / pages / peer:.2f} | under {MOST_UNCHANGED:.0f} s in all |"
    )
    yield ""
    yield (
        f"In the same run the peer took {peer:.2f} s, the small project {without:.2f} s without the page "
        f"and {with_one:.2f} s with it."
    )


def rendered(place: Place) -> float:
    """Wall-clock seconds of `tieout render`, from start to exit; a run that makes no site ends the benchmark."""
    command = [measure.TIEOUT, "render", "--engine", "builtin", "--output", str(place.output)]
    environment = {**os.environ, "TIEOUT_CACHE": str(place.cache)}
    began = perf_counter()
    done = subprocess.run(command, cwd=place.project, env=environment, capture_output=True, check=False)
    took = perf_counter() - began
    if done.returncode not in (0, 1) or not (place.output / "index.html").is_file():
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr.decode()}")
    return took


def _anew(place: Place, verdicts: Path | None = None) -> float:
    place.empty(verdicts)
    return rendered(place)


def _imports() -> float:
    began = perf_counter()
    subprocess.run([sys.executable, "-c", PEER], check=True)
    return perf_counter() - began


def _project(root: Path, *, chart: bool) -> Path:
    """A project of one ledger and its package: pages of text, and with `chart` one more with Python and a chart."""
    for kind, name in (("ledgers", LEDGER), ("packages", PACKAGE)):
        shutil.copytree(measure.ROOT / "artifacts" / kind / name, root / "artifacts" / kind / name)
    pages = {name: TEXT.format(name=name.capitalize()) for name in LINKED} | (
        {"chart": CHART} if chart else {}
    )
    (root / "report").mkdir()
    for name, source in pages.items():
        (root / "report" / f"{name}.qmd").write_text(source, encoding="utf-8")
    listed = "".join(f"    - report/{name}.qmd\n" for name in pages)
    (root / "_quarto.yml").write_text(
        f"project:\n  type: website\n  render:\n{listed}website:\n  title: Small\n", encoding="utf-8"
    )
    return root


def _counts(place: Place) -> str:
    """What the pages of a built site hold."""
    sources = [page.read_text(encoding="utf-8") for page in open_project(place.project).pages]
    figures = sum(
        path.read_text(encoding="utf-8").count('<figure class="fig"') for path in place.output.glob("*.html")
    )
    claims = len(list((place.output / "claims").rglob("*.html")))
    return (
        f"{len(sources)} pages, {sum('{python}' in source for source in sources)} of them with cells and together "
        f"with {figures} figures of two drawings each; and {claims} pages of claims, made of data alone"
    )


def main() -> None:
    """Prints the table."""
    for line in table():
        print(line)


if __name__ == "__main__":
    main()
