"""Tooltips in a real browser: by pointer and by key, under a strict security policy, the console empty."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.conftest import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'"


@pytest.fixture
def page(browser: Browser, pages: Mapping[str, str], tmp_path: Path) -> Iterator[Page]:
    """A page with one figure from disk; ends with a look at its console."""
    for file in (ROOT / "report" / "styles" / "figures.css", ROOT / "report" / "web" / "src" / "figures.js"):
        shutil.copy(file, tmp_path)
    (tmp_path / "page.html").write_text(
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f'<link rel="stylesheet" href="figures.css"><script src="figures.js" defer></script>{pages["infest-calls"]}',
        encoding="utf-8",
    )
    opened = browser.new_page(viewport={"width": 1280, "height": 900})
    said: list[str] = []
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    opened.goto((tmp_path / "page.html").as_uri())
    yield opened
    assert said == []
    opened.close()


def tip(page: Page) -> str:
    shown = page.locator(".fig-tip:not([hidden])")
    return shown.inner_text() if shown.count() else ""


def test_keys_read_the_marks_in_order(page: Page) -> None:
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "fig-plot"
    page.keyboard.press("ArrowRight")
    assert tip(page).startswith("Call 1, round 1, sufficiency checks:")
    page.keyboard.press("ArrowRight")
    assert tip(page).startswith("Call 2, round 2,")
    page.keyboard.press("End")
    assert tip(page).endswith("19,831 so far")
    page.keyboard.press("Escape")
    assert tip(page) == ""


def test_the_pointer_shows_what_it_is_on(page: Page) -> None:
    page.locator(".fig-wide .mark").nth(11).hover()
    assert tip(page).startswith("Call 12,")
    page.locator(".fig-caption").hover()
    assert tip(page) == ""


def test_a_narrow_page_shows_the_narrow_drawing_with_the_same_tooltips(page: Page) -> None:
    assert page.locator(".fig-wide").is_visible()
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.locator(".fig-wide").is_hidden()
    assert page.locator(".fig-narrow").is_visible()
    page.locator(".fig-narrow .mark").nth(0).hover()
    assert tip(page).startswith("Call 1,")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
