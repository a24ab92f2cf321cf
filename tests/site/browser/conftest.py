"""A browser, the built site under an address, and one walk over all of its pages."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import ROOT
from tests.site.browser.walk import Tab, Visit, pages_of, served, walk
from tests.site.conftest import missing
from tieout.site.assets import cache_folder, npm

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

WIDE, NARROW = (1280, 900), (390, 844)
LOW = 100  # the height of a window whose pixels nobody looks at: a browser draws what is in sight

Open = Callable[..., Tab]


@pytest.fixture(scope="session")
def address(browser: Browser, built: Path) -> Iterator[str]:
    """Where the built site is served; asked for after the browser, so that nothing is built without one."""
    with served(built) as found:
        yield found


@pytest.fixture(scope="session")
def contexts(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Makes a browsing context of a size, with options of playwright's `new_context`."""
    with ExitStack() as stack:

        def make(size: tuple[int, int] = WIDE, **options: Any) -> BrowserContext:
            width, height = size
            context = browser.new_context(viewport={"width": width, "height": height}, **options)
            stack.callback(context.close)
            return context

        yield make


@pytest.fixture
def open_page(browser: Browser, address: str) -> Iterator[Open]:
    """Opens a page of the site over http, or below another `root`, and closes it after the test.

    The test fails where the page said anything on its console.
    """
    tabs: list[Tab] = []

    def opened(name: str, size: tuple[int, int] = WIDE, root: str = address, **options: Any) -> Tab:
        width, height = size
        tab = Tab(browser.new_context(viewport={"width": width, "height": height}, **options))
        tabs.append(tab)
        tab.page.goto(root + name)
        return tab

    yield opened
    for tab in tabs:
        tab.page.context.close()
    assert [said for tab in tabs for said in tab.visit.said] == []


@pytest.fixture(scope="session")
def pages(built: Path) -> list[str]:
    """Every page of the site."""
    return pages_of(built)


@pytest.fixture(scope="session")
def over_http(contexts: Callable[..., BrowserContext], address: str, pages: list[str]) -> dict[str, Visit]:
    """Every page of the site as a wide window had it over http."""
    return walk(contexts((WIDE[0], LOW)), address, pages)


@pytest.fixture(scope="session")
def from_disk(contexts: Callable[..., BrowserContext], built: Path, pages: list[str]) -> dict[str, Visit]:
    """Every page of the site as a telephone's window had it from disk."""
    return walk(contexts((NARROW[0], LOW)), f"{built.as_uri()}/", pages)


@pytest.fixture(scope="session")
def axe() -> str:
    """The script of axe-core, brought by npm once for each lock file."""
    here = Path(__file__).parent
    folder = cache_folder(ROOT) / "axe"
    lock = (here / "package-lock.json").read_bytes()
    if not (folder / "package-lock.json").is_file() or (folder / "package-lock.json").read_bytes() != lock:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        shutil.copyfile(here / "package.json", folder / "package.json")
        (folder / "npm-shrinkwrap.json").write_bytes(lock)
        command = [*npm(), "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if ran.returncode != 0:
            missing(f"npm cannot bring axe-core: {ran.stderr.strip()[-300:]}")
        (folder / "package-lock.json").write_bytes(lock)
    return (folder / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")
