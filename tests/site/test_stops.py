"""What is wrong in a page stops the build with page and line, and the last good site stays as it was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.site import tiny
from tieout.errors import Invalid
from tieout.freeze import freeze_ledger, freeze_package
from tieout.site.render import render

LISTED = "".join(f"    - report/{name}.qmd\n" for name in ("index", "ledger", "artifacts"))
PROJECT = f"project:\n  type: website\n  render:\n{LISTED}website:\n  title: Tiny\n"
PAGE = "---\ntitle: Home\ntoc: false\n---\n\nAll is well.\n"
LEDGER = PAGE.replace(
    "All is well.", "```{python}\nfrom tieout.site.page import ledger_index\nledger_index()\n```"
)
ARTIFACTS = PAGE.replace(
    "All is well.", "```{python}\nfrom tieout.site.page import packages\npackages()\n```"
)
SHOW = "```{{python}}\nfrom IPython.display import HTML\nHTML({html!r})\n```\n"

Project = tuple[Path, Path]


@pytest.fixture(scope="module")
def project(own_cache: Callable[[], Path], tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project with its site in place, and its cache."""
    root = tmp_path_factory.mktemp("stops")
    artifacts = tiny.artifacts(root / "artifacts")
    freeze_package(artifacts / "packages" / "tiny")
    freeze_ledger(artifacts / "ledgers" / "doc")
    (root / "report").mkdir()
    (root / "_quarto.yml").write_text(PROJECT, encoding="utf-8")
    for name, text in (("index", PAGE), ("ledger", LEDGER), ("artifacts", ARTIFACTS)):
        (root / "report" / f"{name}.qmd").write_text(text, encoding="utf-8")
    made = root, own_cache()
    build(made)
    return made


def build(project: Project) -> None:
    root, cache = project
    render(root, [root / "artifacts"], engine="builtin", cache=cache)


def content(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted((root / "_site").rglob("*")) if path.is_file()}


@pytest.mark.parametrize(
    ("body", "file", "row", "message"),
    [
        (
            "```{python}\nrate = 1\nrate / 0\n```\n",
            "index.qmd",
            10,
            "the cell fails: ZeroDivisionError: division by zero",
        ),
        (
            '```{python}\nfrom tieout.site.page import figure\nfigure("none")\n```\n',
            "index.qmd",
            10,
            "the cell fails: UnknownName: no figure none",
        ),
        ("See\n@fig-none.\n", "index.qmd", 9, "@fig-none refers to nothing on this page"),
        ("See [this](none.html).\n", "index.qmd", 8, "none.html is not in the site"),
        (
            SHOW.format(html="<svg viewBox='0 0 1 1'></svg>"),
            "index.html",
            None,
            "a picture has no text alternative",
        ),
        (SHOW.format(html="<img src='data:,'>"), "index.html", None, "a picture has no text alternative"),
    ],
    ids=[
        "failing-cell",
        "missing-figure",
        "unresolved-reference",
        "dead-link",
        "silent-drawing",
        "silent-image",
    ],
)
def test_a_fault_stops_the_build_and_the_site_stays(
    body: str, file: str, row: int | None, message: str, project: Project
) -> None:
    root, _ = project
    page = root / "report" / "index.qmd"
    before = content(root)
    page.write_text(f"{PAGE}\n{body}", encoding="utf-8")
    with pytest.raises(Invalid) as error:
        build(project)
    [fault] = error.value.faults
    assert fault.file == file
    assert fault.row is not None
    assert row in (None, fault.row)
    assert fault.message.startswith(message)
    assert content(root) == before
    assert sorted(path.name for path in root.iterdir()) == ["_quarto.yml", "_site", "artifacts", "report"]
