"""What a page's first cell asks for: the site's data, and the helpers that put it on the page."""

from __future__ import annotations

from functools import partial
from typing import Any

from tieout.site.model import Site, load
from tieout.site.numbers import number

__all__ = ["open_page"]


def open_page() -> dict[str, Any]:
    """The names that a page uses: `site`, and `n(ledger, claim, form)` for a number in prose."""
    site = load()
    return {"site": site, "n": partial(number, site)}


def site() -> Site:
    """The site's data."""
    return load()
