"""The pages of report/: what they say of numbers comes from verdicts, what they use exists, what they list is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("jupytext", reason="rendering needs jupytext, of the extra `site`")

from tests.conftest import ROOT
from tieout.site import figures, page
from tieout.site.assets import page_scripts, report_root
from tieout.site.engines.builtin.source import Code, Text, outside_fences, read_page
from tieout.site.project import open_project

PROJECT = open_project(ROOT)
PAGES = [*PROJECT.pages, *sorted((ROOT / "report" / "generic").glob("*.qmd"))]


def short(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def prose(text: str) -> str:
    """What a reader sees as prose: code spans, anchors, links' targets and blocks' attributes are none of it."""
    lines = (line for _, line in outside_fences(text))
    kept = "\n".join(line for line in lines if not line.lstrip().startswith(":::"))
    return re.sub(r"`[^`\n]*`|\{#[^}]*\}|\]\([^)]*\)|@(?:fig|tbl|sec)-[a-z0-9-]+", "", kept)


@pytest.mark.parametrize("path", PAGES, ids=short)
def test_no_digit_is_typed_in_prose(path: Path) -> None:
    read = read_page(path)
    header = " ".join(str(read.header.get(key, "")) for key in ("title", "subtitle", "description"))
    text = "\n".join(prose(part.source) for part in read.parts if isinstance(part, Text))
    assert re.findall(r".{0,30}\d.{0,10}", f"{header}\n{text}") == []


@pytest.mark.parametrize("path", PAGES, ids=short)
def test_a_page_imports_what_it_uses_and_all_of_it_exists(path: Path) -> None:
    read = read_page(path)
    code = [part.source for part in read.parts if isinstance(part, Code)]
    named = {name for source in code for name in re.findall(r"import ([\w, ]+)", source)}
    imported = {name.strip() for names in named for name in names.split(",")} - {""}
    assert imported <= set(page.__all__)
    used = "\n".join(code[1:] + [part.source for part in read.parts if isinstance(part, Text)])
    assert {name for name in imported if not re.search(rf"\b{name}\(", used)} == set()


def test_every_figure_of_the_catalogue_is_on_a_page_once() -> None:
    texts = "\n".join(path.read_text(encoding="utf-8") for path in PROJECT.pages)
    assert sorted(re.findall(r'figure\("([a-z-]+)"\)', texts)) == sorted(figures.names())


def test_every_page_is_listed_and_in_the_navigation() -> None:
    listed = [short(path) for path in PROJECT.pages]
    assert sorted(listed) == sorted(short(path) for path in (ROOT / "report").glob("*.qmd"))
    navigation = PROJECT.settings["website"]["navbar"]["left"]
    assert [entry["href"] for entry in navigation] == listed


def test_every_ledger_has_its_honesty_table() -> None:
    texts = "\n".join(path.read_text(encoding="utf-8") for path in PROJECT.pages)
    shown = {
        name
        for names in re.findall(r"honesty_table\(([^)]*)\)", texts)
        for name in re.findall(r'"([^"]+)"', names)
    }
    assert shown == {path.parent.name for path in (ROOT / "artifacts" / "ledgers").glob("*/ledger.yaml")}


def test_scripts_are_classic_and_reach_no_other_host() -> None:
    sources = report_root() / "web" / "src"
    assert set(page_scripts()) | {"theme.js"} == {path.name for path in sources.glob("*.js")}
    for path in sources.glob("*.js"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"^\s*(import|export)\s", text, re.MULTILINE), path.name
        assert not re.search(r"\bfetch\(|XMLHttpRequest|https?://", text), path.name


def test_styles_name_no_other_host_and_no_inline_data() -> None:
    for path in (ROOT / "report" / "styles").glob("*.css"):
        assert set(re.findall(r"url\(\"([^\"]+)\"\)", path.read_text(encoding="utf-8"))) <= {
            "fonts/source-serif-4-standard-normal.woff2",
            "fonts/source-serif-4-wght-italic.woff2",
            "fonts/source-sans-3-wght-normal.woff2",
            "fonts/source-sans-3-wght-italic.woff2",
        }


def test_the_lock_of_the_browser_names_no_address_of_a_registry() -> None:
    assert '"resolved"' not in (ROOT / "report/web/package-lock.json").read_text(encoding="utf-8")
