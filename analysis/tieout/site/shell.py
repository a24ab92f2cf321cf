"""The page around the text: one template for the engine's pages and for the pages that are made of data alone."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tieout import __version__
from tieout.site.assets import page_scripts
from tieout.site.engines import Project
from tieout.site.engines.builtin.convert import Converted
from tieout.site.model import Site
from tieout.site.templating import environment

# One policy for every page, over http and from disk: nothing is loaded from another host, no script stands in a page.
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; style-src 'self'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'"
)
STAMP = "tieout-stamp"
HONESTY_TABLE = re.compile(r"\bhonesty_table\(([^)]*)\)")
QUOTED = re.compile(r"""["']([^"']+)["']""")


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One entry of the navigation: its words, and the file's name that it leads to."""

    text: str
    href: str


class Shell:
    """Writes pages of a site. Every HTML tag outside a page's own text stands in `templates/`."""

    def __init__(self, project: Project, site: Site) -> None:
        self._project = project
        self._site = site

    @cached_property
    def navigation(self) -> tuple[Entry, ...]:
        """The site's navigation, as `_quarto.yml` lists it."""
        website: Mapping[str, Any] = self._project.settings.get("website", {})
        listed = website.get("navbar", {}).get("left", [])
        return tuple(
            Entry(text=entry["text"], href=Path(entry["href"]).name.replace(".qmd", ".html"))
            for entry in listed
        )

    @cached_property
    def studies(self) -> Mapping[str, str]:
        """The page on each ledger: the first whose source asks for the ledger's honesty table."""
        found: dict[str, str] = {}
        for page in self._project.pages:
            for call in HONESTY_TABLE.findall(page.read_text(encoding="utf-8")):
                for ledger in QUOTED.findall(call):
                    found.setdefault(ledger, f"{page.stem}.html")
        return found

    @cached_property
    def _scripts(self) -> tuple[str, ...]:
        return page_scripts()

    def write(self, path: Path, header: Mapping[str, Any], converted: Converted) -> None:
        """Writes a page of an engine: its header's title block around the converted text."""
        self.page(
            "page.html.j2",
            path,
            title=header["title"],
            subtitle=header.get("subtitle"),
            description=header.get("description"),
            contents=converted.contents if header.get("toc", True) else "",
            body=converted.body,
        )

    def page(self, template: str, path: Path, depth: int = 0, **context: Any) -> None:
        """Writes a page from a template; `depth` is how many folders below the site's root it lies."""
        text = (
            environment()
            .get_template(template)
            .render(
                policy=POLICY,
                version=__version__,
                scripts=self._scripts,
                root="../" * depth,
                here=path.name,
                site_title=self._project.title,
                navigation=self.navigation,
                stamp=self._site.stamp,
                site=self._site,
                **context,
            )
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline=os.linesep if os.linesep == "\n" else "\n")
