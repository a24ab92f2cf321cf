"""axe-core finds nothing serious or critical on a page of any kind, in light and in dark, wide and narrow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.site.browser.conftest import NARROW, WIDE, Open
from tests.site.browser.kinds import KINDS

if TYPE_CHECKING:
    from playwright.sync_api import Page

RUN = """async () => {
  const found = await axe.run(document, { resultTypes: ["violations"] });
  return found.violations.filter((rule) => /serious|critical/.test(rule.impact)).map((rule) => [
    rule.id, rule.nodes.slice(0, 3).map((node) => [node.html.slice(0, 150), node.failureSummary]),
  ]);
}"""


def judged(page: Page, axe: str) -> list[Any]:
    """The serious and critical faults of a page with all its parts unfolded, by rule, each with some places."""
    page.evaluate("() => document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    page.evaluate(axe)
    found: list[Any] = page.evaluate(RUN)
    return found


@pytest.mark.parametrize(
    ("size", "scheme"), [(WIDE, "light"), (NARROW, "dark")], ids=["wide-light", "narrow-dark"]
)
@pytest.mark.parametrize("name", KINDS)
def test_axe_finds_nothing_serious(
    name: str, size: tuple[int, int], scheme: str, open_page: Open, axe: str
) -> None:
    assert judged(open_page(name, size, color_scheme=scheme).page, axe) == []


def test_axe_finds_what_is_planted(open_page: Open, axe: str) -> None:
    page = open_page("method.html").page
    page.evaluate(
        """() => document.querySelector("main").insertAdjacentHTML(
          "beforeend", "<img src='data:,'><p class='faint'>hardly there</p><button></button>")"""
    )
    page.locator(".faint").evaluate("words => { words.style.color = '#eeeeee'; }")
    assert {rule for rule, _ in judged(page, axe)} == {"button-name", "color-contrast", "image-alt"}
