"""A site of somebody's own ledgers: generic pages, written for them, over their packages, rendered like any project."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tieout.errors import CannotOpen
from tieout.ledger import read_head
from tieout.site.assets import cache_folder, report_root
from tieout.site.engines import Progress
from tieout.site.render import Rendered, render
from tieout.site.target import free

COMMON = ("ledger", "audit", "artifacts", "method")  # pages that speak of no study, taken as they are
PROJECT = "generic-project"
LIMITS = re.compile(r"^## [^\n]*\{#sec-limits\}\n.*?(?=^## )", re.MULTILINE | re.DOTALL)


def render_ledgers(
    ledgers: Sequence[Path],
    output: Path,
    *,
    engine: str = "auto",
    audited: bool = False,
    progress: Progress = lambda *_: None,
) -> Rendered:
    """Renders a site of ledgers, each a folder, with an overview, a page for each, ledger, artifacts and method.

    Raises CannotOpen where a folder is no ledger, and as `render` does.
    """
    heads = {path: read_head(path) for path in ledgers}
    artifacts = [*ledgers, *beside(heads)]
    place = free(output, artifacts)
    # Beside the site and not in it: the site is put in place whole.
    cache = cache_folder(place.parent)
    root = cache / f"{PROJECT}-{place.name}"
    write_project(root, heads)
    return render(
        root, artifacts, engine=engine, output=output, cache=cache, audited=audited, progress=progress
    )


def beside(heads: dict[Path, dict[str, Any]]) -> Iterator[Path]:
    """The packages of ledgers, where they stand in `packages/` beside the ledgers' folder."""
    seen: set[Path] = set()
    for path, head in heads.items():
        for name in head.get("packages", {}).values():
            package = path.resolve().parent.parent / "packages" / str(name)
            if package.is_dir() and package not in seen:
                seen.add(package)
                yield package


def write_project(root: Path, heads: dict[Path, dict[str, Any]]) -> None:
    """Writes the project of a generic site: its `_quarto.yml`, and its pages under `report/`.

    Raises CannotOpen where two ledgers are of one document.
    """
    shutil.rmtree(root, ignore_errors=True)
    pages = root / "report"
    pages.mkdir(parents=True)
    source = report_root()
    shutil.copyfile(source / "generic" / "index.qmd", pages / "index.qmd")
    study = (source / "generic" / "study.qmd").read_text(encoding="utf-8")
    studies: dict[str, str] = {}
    for path, head in heads.items():
        document = head["document"]
        name = page_name(document["id"])
        if name in studies:
            raise CannotOpen(f"{path}: another ledger is of the document {document['id']} too")
        studies[name] = document["title"]
        (pages / f"{name}.qmd").write_text(filled(study, document, head), encoding="utf-8")
    for name in COMMON:
        shutil.copyfile(source / f"{name}.qmd", pages / f"{name}.qmd")
    (root / "_quarto.yml").write_text(project(studies), encoding="utf-8")


def page_name(document: str) -> str:
    """The name of a document's page: its id, kept apart from the site's own pages."""
    return f"study-{document}" if document in {"index", *COMMON} else document


def filled(page: str, document: dict[str, Any], head: dict[str, Any]) -> str:
    """The generic page of a study, with the document's id, title and packages in it as literals.

    Where the ledger has no caveats, there is no section of them.
    """
    if not head.get("caveats"):
        page = LIMITS.sub("", page)
    packages = list(dict.fromkeys(str(name) for name in head.get("packages", {}).values()))
    author = document.get("author")
    given = {
        '"TITLE"': json.dumps(document["title"], ensure_ascii=False),
        '"SUBTITLE"': json.dumps(f"By {author}." if author else document["id"], ensure_ascii=False),
        '"LEDGER"': json.dumps(document["id"]),
        '"PACKAGES"': ", ".join(json.dumps(name) for name in packages),
    }
    for mark, text in given.items():
        page = page.replace(mark, text)
    return page


def project(studies: dict[str, str]) -> str:
    """The `_quarto.yml` of a generic site."""
    entries = [
        ("Overview", "index"),
        *((title if len(title) <= 24 else name, name) for name, title in studies.items()),
        *((name.capitalize(), name) for name in COMMON),
    ]
    listed = "\n".join(f"    - report/{name}.qmd" for _, name in entries)
    bar = "\n".join(
        f"      - {{text: {json.dumps(text, ensure_ascii=False)}, href: report/{name}.qmd}}"
        for text, name in entries
    )
    return (
        f"project:\n  type: website\n  output-dir: _site\n  render:\n{listed}\n"
        f'website:\n  title: "Tieout"\n  navbar:\n    left:\n{bar}\n'
        "format:\n  html:\n    toc: true\n    minimal: true\n    html-math-method: plain\n"
        "execute:\n  echo: false\n  warning: false\n"
    )
