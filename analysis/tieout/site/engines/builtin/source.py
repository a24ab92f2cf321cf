"""A page's source: its header, its text and its code cells, each with its line; what pages may not use is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tieout.errors import Fault, Invalid
from tieout.strict import load_yaml

HEADER_KEYS = frozenset({"title", "subtitle", "description", "toc"})
CELL_OPTIONS = frozenset({"label", "include", "echo", "output"})
OPTION = re.compile(r"#\| ?(.*)")
INLINE = re.compile(r"`\{python\} ([^`\n]+)`")
FENCE = re.compile(r"(`{3,}|~{3,})")
DIV = re.compile(r":{3,}\s*\{([^}]*)\}\s*$")
DIVS = re.compile(
    r"#(fig|tbl)-[a-z0-9-]+$|\.callout-(note|tip|important|warning|caution)( title=\"[^\"]*\")?$"
)
# What Quarto knows and our pages do not use; it would silently come out as text here.
BEYOND = {
    "a shortcode": re.compile(r"\{\{<"),
    "a citation": re.compile(r"(?<![\w`])\[@"),
    "a raw HTML tag": re.compile(r"</?[a-zA-Z][\w-]*[\s/>]"),
    "mathematics": re.compile(r"(?<!\\)\$\$|(?<![\\\w])\$[^\s$][^$\n]*\$"),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Text:
    """Markdown of a page, from a line of its file on."""

    source: str
    line: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Code:
    """A code cell; `options` are its `#|` lines."""

    source: str
    line: int
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def shown(self) -> bool:
        """Whether the code itself stands on the page."""
        return bool(self.options.get("echo", False)) and self.options.get("include", True) is not False

    @property
    def printed(self) -> bool:
        """Whether its output stands on the page."""
        return (
            self.options.get("include", True) is not False and self.options.get("output", True) is not False
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Page:
    """A page of the site."""

    path: Path
    header: Mapping[str, Any]
    parts: tuple[Text | Code, ...]

    @property
    def name(self) -> str:
        """Its file's name without the ending; NAME.html is where it comes out."""
        return self.path.stem

    @property
    def runs(self) -> bool:
        """Whether anything on it is run: a cell, or an expression in its text."""
        return any(isinstance(part, Code) or INLINE.search(part.source) for part in self.parts)

    def fault(self, line: int | None, code: str, message: str) -> Fault:
        """A fault of this page, at a line of its file."""
        return Fault(code=code, message=message, file=self.path.name, row=line)


def read_page(path: Path) -> Page:
    """The page in a `.qmd` file.

    Raises Invalid, with line and name, for what this engine does not know.
    """
    import jupytext

    text = path.read_text(encoding="utf-8")
    notebook = jupytext.reads(text, fmt="Rmd")
    cells = list(notebook.cells)
    header: dict[str, Any] = {}
    if cells and cells[0].cell_type == "raw":
        header = load_yaml(cells.pop(0).source.strip().strip("-").strip() + "\n", path.name)
    parts: list[Text | Code] = []
    at = 0
    for cell in cells:
        # jupytext does not tell lines; cells stand in the text in their order, so each is the next place of its source.
        found = text.find(cell.source, at)
        line = text.count("\n", 0, found) + 1
        at = found + len(cell.source)
        if cell.cell_type == "code":
            parts.append(_code(cell.source, line, path))
        else:
            parts.append(Text(source=cell.source, line=line))
    page = Page(path=path, header=header, parts=tuple(parts))
    if faults := [*_header_faults(page), *_text_faults(page)]:
        raise Invalid(faults)
    return page


def _code(source: str, line: int, path: Path) -> Code:
    lines = source.split("\n")
    count = next((index for index, text in enumerate(lines) if not OPTION.match(text)), len(lines))
    given = "\n".join(match[1] for text in lines[:count] if (match := OPTION.match(text)))
    options = load_yaml(given, f"{path.name} line {line}") if given else {}
    return Code(source="\n".join(lines[count:]), line=line, options=options or {})


def _header_faults(page: Page) -> Iterator[Fault]:
    for key in sorted(set(page.header) - HEADER_KEYS):
        yield page.fault(
            1, "page-header", f"the header's `{key}` is not known; known are {', '.join(sorted(HEADER_KEYS))}"
        )
    if "title" not in page.header:
        yield page.fault(1, "page-header", "the page has no title")
    for part in page.parts:
        if isinstance(part, Code):
            for key in sorted(set(part.options) - CELL_OPTIONS):
                known = ", ".join(sorted(CELL_OPTIONS))
                yield page.fault(
                    part.line, "cell-option", f"the cell option `{key}` is not known; known are {known}"
                )


def _text_faults(page: Page) -> Iterator[Fault]:
    for part in page.parts:
        if isinstance(part, Text):
            for number, line in outside_fences(part.source):
                yield from _line_faults(page, part.line + number, line)


def outside_fences(source: str) -> Iterator[tuple[int, str]]:
    """The lines of a Markdown text that stand in no fenced block, with their numbers from 0."""
    fence: str | None = None
    for number, line in enumerate(source.split("\n")):
        if match := FENCE.match(line.lstrip()):
            if fence is None:
                fence = match[1]
            elif match[1].startswith(fence):
                fence = None
            continue
        if fence is None:
            yield number, line


def _line_faults(page: Page, number: int, line: str) -> Iterator[Fault]:
    bare = re.sub(r"`[^`]*`", "", line)
    for what, pattern in BEYOND.items():
        if pattern.search(bare):
            yield page.fault(number, "page-feature", f"{what} is not among what these pages use")
    if (
        line.lstrip().startswith(":::")
        and line.strip(": \t")
        and not ((div := DIV.match(line)) and DIVS.match(div[1]))
    ):
        message = f"the block `{line.strip()}` is not known; #fig-…, #tbl-… and .callout-… are"
        yield page.fault(number, "page-feature", message)
