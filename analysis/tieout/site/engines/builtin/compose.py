"""A page that was run, as one Markdown text for Pandoc: results put in, figures and tables numbered, references set."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tieout.errors import Fault, Invalid
from tieout.site.engines.builtin.kernel import Bundle, Ran
from tieout.site.engines.builtin.source import DIV, INLINE, Code, outside_fences

REFERENCE = re.compile(r"(?<![\w\[`])@((?:fig|tbl|sec)-[a-z0-9-]+)")
HEADING = re.compile(r"#{1,6} .*\{#(sec-[a-z0-9-]+)[^}]*\}\s*$")
# What pandas writes into the HTML of a DataFrame, where the stylesheet speaks and the site's policy refuses it.
FRAME_STYLE = re.compile(r"<style scoped>.*?</style>\s*| style=\"text-align: right;\"", re.DOTALL)
NAMES = {"fig": "Figure", "tbl": "Table"}
CALLOUTS = {
    "note": "Note",
    "tip": "Tip",
    "important": "Important",
    "warning": "Warning",
    "caution": "Caution",
}


def compose(ran: Ran) -> str:
    """The Markdown of a page with all its results.

    Raises Invalid where a reference names nothing, or a figure or table has no caption.
    """
    text = "\n\n".join(_parts(ran))
    labels = _labels(text)
    blocks = "\n".join(_blocks(text.split("\n"), labels, ran))
    return _referred(blocks, labels, ran)


def _parts(ran: Ran) -> Iterator[str]:
    outputs, inline = iter(ran.outputs), iter(ran.inline)
    for part in ran.page.parts:
        if isinstance(part, Code):
            results = next(outputs)
            if part.shown:
                yield _fenced(part.source, "python")
            if part.printed:
                yield from (_block(result) for result in results)
        else:
            yield INLINE.sub(lambda _: _inline(next(inline)), part.source)


def _fenced(text: str, kind: str) -> str:
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{kind}\n{text}\n{fence}"


def _block(result: Bundle) -> str:
    for kind in ("text/html", "image/svg+xml"):
        if kind in result:
            html = result[kind]
            if 'class="dataframe"' in html:
                html = FRAME_STYLE.sub("", html)
            return _fenced(html, "{=html}")
    if "text/markdown" in result:
        return result["text/markdown"]
    return _fenced(result.get("text/plain", ""), "text")


def _inline(result: Bundle) -> str:
    if "text/html" in result:
        html = " ".join(result["text/html"].split("\n"))
        fence = "`" * (max((len(run) for run in re.findall("`+", html)), default=0) + 1)
        return f"{fence}{html}{fence}{{=html}}"
    if "text/markdown" in result:
        return result["text/markdown"]
    plain = result.get("text/plain", "")
    text = str(ast.literal_eval(plain)) if plain[:1] in "'\"" else plain
    return re.sub(r"([\\`*_{}\[\]<>#+\-.!|$~^@'\"])", r"\\\1", text)


def _labels(text: str) -> dict[str, str]:
    """What a reference to each label reads, in the order of the page: "Figure 2", or a section's heading."""
    labels: dict[str, str] = {}
    counts = dict.fromkeys(NAMES, 0)
    for _, line in outside_fences(text):
        if (div := DIV.match(line)) and div[1].startswith("#"):
            kind = div[1][1:4]
            counts[kind] += 1
            labels[div[1][1:]] = f"{NAMES[kind]} {counts[kind]}"
        elif heading := HEADING.match(line):
            labels[heading[1]] = re.sub(r"^#+ |\s*\{#.*$", "", line)
    return labels


def _blocks(lines: list[str], labels: dict[str, str], ran: Ran) -> Iterator[str]:
    """The page's fenced blocks in Pandoc's own form: figures with captions, callouts with titles."""
    free = dict(outside_fences("\n".join(lines)))
    index = 0
    while index < len(lines):
        line = lines[index]
        div = DIV.match(line) if index in free else None
        if div is None:
            yield line
            index += 1
            continue
        end = _closing(lines, index, free)
        inside = lines[index + 1 : end]
        yield from (
            _float(div[1][1:], inside, labels, ran) if div[1].startswith("#") else _callout(div[1], inside)
        )
        index = end + 1


def _closing(lines: list[str], start: int, free: dict[int, str]) -> int:
    depth = 0
    for index in range(start, len(lines)):
        if index in free and lines[index].lstrip().startswith(":::"):
            depth += 1 if lines[index].strip(": \t") else -1
            if depth == 0:
                return index
    return len(lines)


def _float(label: str, inside: list[str], labels: dict[str, str], ran: Ran) -> Iterator[str]:
    body, _, caption = "\n".join(inside).strip().rpartition("\n\n")
    if not body or caption.startswith(("`" * 3, ":::")):
        message = f"`{label}` has no caption: the last paragraph of its block is one"
        raise Invalid([ran.page.fault(None, "no-caption", message)])
    kind = "figure" if label.startswith("fig") else "table"
    yield f"::: {{#{label} .float .float-{kind} role=figure aria-labelledby={label}-caption}}"
    yield body
    yield ""
    yield f"::: {{#{label}-caption .caption}}"
    yield f"[{labels[label]}.]{{.caption-label}} {caption}"
    yield ":::"
    yield ":::"


def _callout(attributes: str, inside: list[str]) -> Iterator[str]:
    kind = re.match(r"\.callout-(\w+)", attributes)
    titled = re.search(r'title="([^"]*)"', attributes)
    assert kind, "a block that is neither was refused when the page was read"
    yield f"::: {{.callout .callout-{kind[1]} role=note}}"
    yield "::: {.callout-title}"
    yield titled[1] if titled else CALLOUTS[kind[1]]
    yield ":::"
    yield ""
    yield from inside
    yield ":::"


def _referred(text: str, labels: dict[str, str], ran: Ran) -> str:
    faults: list[Fault] = []
    lines = text.split("\n")
    for number, line in outside_fences(text):
        pieces = re.split(r"(`+[^`]*`+)", line)
        for index in range(0, len(pieces), 2):
            pieces[index] = REFERENCE.sub(
                lambda match: _reference(match[1], labels, faults, ran), pieces[index]
            )
        lines[number] = "".join(pieces)
    if faults:
        raise Invalid(faults)
    return "\n".join(lines)


def _reference(label: str, labels: dict[str, str], faults: list[Fault], ran: Ran) -> str:
    if label not in labels:
        line = next(
            (
                part.line + part.source[: part.source.find(f"@{label}")].count("\n")
                for part in ran.page.parts
                if f"@{label}" in part.source
            ),
            None,
        )
        faults.append(ran.page.fault(line, "unknown-reference", f"@{label} refers to nothing on this page"))
        return label
    return f"[{labels[label]}](#{label})"
