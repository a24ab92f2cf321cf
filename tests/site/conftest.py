"""The site of this repository's artifacts, built once for all tests of it, and one browser to look at it with."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from tests.conftest import ROOT, Run
from tieout.errors import CannotOpen
from tieout.site.assets import cache_folder, modules

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUM = os.environ.get("TIEOUT_CHROMIUM") or shutil.which("chromium")
# A browser that asks its maker nothing in the background: each such request would look like one of the page.
QUIET = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
QUIET += ["--disable-component-update", "--disable-sync", "--no-sandbox"]


def missing(what: str) -> NoReturn:
    """Skips the test by the name of what is not there; where a change is judged, it fails instead."""
    if "CI" in os.environ:
        pytest.fail(what)
    pytest.skip(what)


def need_site() -> None:
    """Asks for what the extra `site` brings."""
    for module in ("altair", "jupytext", "nbclient", "pypandoc", "vl_convert"):
        if find_spec(module) is None:
            missing(f"rendering needs {module}, of the extra `site`")


@pytest.fixture(scope="session")
def built(tieout: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built site; TIEOUT_SITE names one that is built already."""
    if given := os.environ.get("TIEOUT_SITE"):
        return Path(given).resolve()
    need_site()
    output = tmp_path_factory.mktemp("built") / "site"
    ran = tieout("render", "--engine", "builtin", "--output", output)
    assert (output / "index.html").is_file(), ran.stderr
    return output


@pytest.fixture(scope="session")
def verified(tieout: Run) -> dict[str, Any]:
    """What `tieout verify --json` prints of the same artifacts."""
    report: dict[str, Any] = json.loads(tieout("verify", "--json").stdout)
    return report


@pytest.fixture(scope="session")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    """Makes empty caches, in which only what npm brings for every site is there already."""
    need_site()
    try:
        brought = modules(cache_folder(ROOT)).parent
    except CannotOpen as error:
        missing(str(error))

    def make() -> Path:
        folder = tmp_path_factory.mktemp("cache")
        (folder / brought.name).symlink_to(brought.resolve())
        return folder

    return make


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The Chromium of this machine, the same for all tests."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("no playwright here")
    if CHROMIUM is None:
        missing("no Chromium here: none on the PATH, and TIEOUT_CHROMIUM names none")
    with sync_playwright() as started:
        launched = started.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield launched
        launched.close()
