"""Two engines, one result: text, figures and links of Quarto's pages are those of the built-in engine's."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tieout.errors import CannotOpen
from tieout.site.engines.quarto import command
from tieout.site.project import open_project
from tieout.site.render import render

PAGES = [page.stem for page in open_project(ROOT).pages]
SVG = re.compile(r"<svg\b.*?</svg>", re.DOTALL)


class Text(HTMLParser):
    """The words and the links of a page's text, in order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.links: list[str] = []
        self.feed(SVG.sub("", html[html.index("<main") : html.index("</main>")]))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self.links.append(dict(attrs).get("href") or "")

    def handle_data(self, data: str) -> None:
        self.words += data.split()


@pytest.fixture(scope="module")
def by_quarto(own_cache: Callable[[], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as Quarto makes it. It can be had on few machines, so its absence is no failure anywhere."""
    try:
        command()
    except CannotOpen as error:
        pytest.skip(f"no Quarto to compare with: {error}")
    output = tmp_path_factory.mktemp("quarto") / "site"
    return render(ROOT, [ROOT / "artifacts"], engine="quarto", output=output, cache=own_cache()).index.parent


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_the_same_by_either_engine(page: str, by_quarto: Path, built: Path) -> None:
    theirs, ours = ((site / f"{page}.html").read_text(encoding="utf-8") for site in (by_quarto, built))
    assert Text(theirs).words == Text(ours).words
    assert Text(theirs).links == Text(ours).links
    assert SVG.findall(theirs) == SVG.findall(ours)


def test_pages_that_no_engine_makes_have_the_same_bytes(by_quarto: Path, built: Path) -> None:
    def content(site: Path) -> dict[str, bytes]:
        return {
            path.relative_to(site).as_posix(): path.read_bytes()
            for folder in ("claims", "packages", "ledgers", "data", "assets")
            for path in sorted((site / folder).rglob("*"))
            if path.is_file()
        }

    assert content(by_quarto) == content(built)
