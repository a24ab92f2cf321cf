"""The site's project: `_quarto.yml`, which both engines read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tieout.errors import CannotOpen
from tieout.site.engines import Project
from tieout.strict import read_yaml


def open_project(root: Path) -> Project:
    """The project in a folder: its settings, and its pages in the order in which they are listed.

    Raises CannotOpen where there is none or a page is missing, Invalid where the file cannot be read strictly.
    """
    file = root / "_quarto.yml"
    if not file.is_file():
        raise CannotOpen(
            f"{root}: no _quarto.yml here; run `tieout render` in a project, or name ledgers to render"
        )
    settings: dict[str, Any] = read_yaml(file, "_quarto.yml").value
    listed = settings.get("project", {}).get("render", [])
    pages = tuple(root / name for name in listed)
    if missing := [page for page in pages if not page.is_file()]:
        raise CannotOpen(f"_quarto.yml lists {missing[0].relative_to(root)}, which is not there")
    if not pages:
        raise CannotOpen("_quarto.yml lists no page under project: render")
    return Project(root=root, settings=settings, pages=pages)
