"""With JavaScript off every page holds and shows the same content; on paper too."""

from __future__ import annotations

from typing import Literal

import pytest

from tests.site.browser.conftest import Open
from tests.site.browser.kinds import CLAIMS, KINDS

# What only scripts make or need: it is no content.
TOOLS = ".filters, .copy, .fig-tip, .nav-toggle, .site-search, .theme-toggle"
SHOWN = """(tools) => {
  document.querySelectorAll("details").forEach((part) => { part.open = true; });
  const text = [];
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (parent.closest(tools) || !node.textContent.trim()) continue;
    if (parent.closest("svg")) continue;
    if (!parent.checkVisibility() || !parent.getClientRects().length) continue;
    text.push(node.textContent.trim().replace(/\\s+/g, " "));
  }
  return text;
}"""


@pytest.mark.parametrize("name", KINDS)
def test_without_scripts_all_content_is_shown_and_every_figure_drawn(name: str, open_page: Open) -> None:
    scripted = open_page(name).page.evaluate(SHOWN, TOOLS)
    bare = open_page(name, java_script_enabled=False).page
    assert bare.evaluate(SHOWN, TOOLS) == scripted
    assert len(scripted) > 10
    assert bare.locator(TOOLS).filter(visible=True).count() == 0
    heights = bare.locator(".fig-wide svg, svg.fig-wide, .basis-bar").evaluate_all(
        "plots => plots.map(plot => plot.getBoundingClientRect().height)"
    )
    assert all(height > 20 for height in heights)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["index.html", "part-ii.html", CLAIMS[0]])
def test_on_paper_the_text_stands_alone_and_whole(
    name: str, scheme: Literal["light", "dark"], open_page: Open
) -> None:
    page = open_page(name, (700, 900), color_scheme=scheme).page
    rows = page.locator("tbody tr").count()
    page.emulate_media(media="print", color_scheme=scheme)
    for part in (".site-header", ".contents", ".filters", ".copy"):
        assert page.locator(part).filter(visible=True).count() == 0
    assert page.locator("main h1").is_visible()
    # Nothing is cut off: no part scrolls, and every row stands there.
    cut = page.locator("main *").evaluate_all(
        """parts => parts.filter((part) => {
          const scrolls = /auto|scroll/.test(getComputedStyle(part).overflowY);
          return scrolls && part.getClientRects().length && part.scrollHeight > part.clientHeight + 1;
        }).map((part) => part.className)"""
    )
    assert cut == []
    assert page.locator("tbody tr").count() == rows
    # Dark ink on white paper, whatever the screen had.
    ink, paper = page.evaluate(
        """() => {
          const light = (colour) => colour.match(/[\\d.]+/g).map(Number);
          const of = (node, name) => light(getComputedStyle(node)[name]);
          return [of(document.querySelector("main h1"), "color"), of(document.body, "backgroundColor")];
        }"""
    )
    assert sum(ink[:3]) < 300
    assert sum(paper[:3]) > 700 or (len(paper) == 4 and paper[3] == 0)


def test_on_paper_a_head_that_sorts_is_text_as_a_button_stands_on_the_first_sheet_only(
    open_page: Open,
) -> None:
    page = open_page("part-i.html").page
    head = page.locator(".honesty-table thead th", has_text="Recomputed")
    page.emulate_media(media="print")
    assert head.locator("button").is_hidden()
    assert head.evaluate("head => getComputedStyle(head, '::before').content") == '"Recomputed"'


def test_a_sheet_of_paper_holds_tables_and_a_phone_holds_cards(open_page: Open) -> None:
    page = open_page("part-ii.html", size=(673, 900)).page  # the width of A4 within its margins
    look = "table => [getComputedStyle(table).display, table.getBoundingClientRect().right <= innerWidth]"
    table = page.locator(".honesty-table")
    assert table.evaluate(look) == ["block", True]
    page.emulate_media(media="print")
    assert table.evaluate(look) == ["table", True]
