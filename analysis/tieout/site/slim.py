"""Figures with fewer bytes and the same picture: what many parts say alike is said once for them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from xml.etree import ElementTree as ET

from tieout.site.paths import placed

# Attributes that SVG hands down from a group to its parts (SVG 2, property index, "Inherited: yes").
INHERITED = (
    "fill",
    "fill-opacity",
    "font-family",
    "font-size",
    "font-style",
    "font-weight",
    "stroke",
    "stroke-dasharray",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-miterlimit",
    "stroke-opacity",
    "stroke-width",
    "text-anchor",
)
UNPAINTED = frozenset({"title", "desc", "defs", "clipPath", "style"})
FEWEST = 3  # neighbours that are worth a group
SVG = re.compile(r"<svg\b.*?</svg>", re.DOTALL)
TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
ROW = re.compile(r"<tr>(.*?)</tr>", re.DOTALL)
CELL = re.compile(r"<td( class=\"num\")?>")

ROLE = re.compile(r"var\(--fig-([a-z0-9-]+)\)")


def slim(html: str) -> str:
    """A figure whose drawings say what groups share once, and whose table says once which columns are numbers."""
    described: dict[str, str] = {}

    def drawing(match: re.Match[str]) -> str:
        return _slimmed(match[0], described)

    return TABLE.sub(lambda match: _columns(match[0]), SVG.sub(drawing, html))


def _slimmed(text: str, described: dict[str, str]) -> str:
    root = ET.fromstring(text)
    # The same words for a second drawing of the same figure: they stand at the first.
    if (said := root.find("desc")) is not None:
        first = described.setdefault(said.text or "", root.get("aria-describedby", ""))
        if first != root.get("aria-describedby"):
            root.remove(said)
            root.set("aria-describedby", first)
    for part in list(root.iter()):
        lines = part.tag == "g" and [child.tag == "line" for child in part]
        for child in part:
            placed(child)
        if lines:
            _join(part, lines)
    for parent in list(root.iter()):
        if parent.tag in {"g", "svg"}:
            _gather(parent)
    for part in root.iter():
        _paint(part)
    return ET.tostring(root, encoding="unicode", short_empty_elements=True).replace(" />", "/>")


def _join(parent: ET.Element, lines: Sequence[bool]) -> None:
    """Neighbouring lines that look alike as one path; where they shine through, crossings would look different."""
    before: ET.Element | None = None
    for child, line in zip(list(parent), lines, strict=True):
        look = {name: value for name, value in child.items() if name != "d"}
        if not line or child.tag != "path" or len(child) or any("opacity" in name for name in look):
            before = None
        elif before is not None and look == {name: value for name, value in before.items() if name != "d"}:
            before.set("d", before.attrib["d"] + child.attrib["d"])
            parent.remove(child)
        else:
            before = child


def _paint(part: ET.Element) -> None:
    """A colour by a class of its own, for which 50-paints.css has the rule."""
    for name, prefix in (("fill", "f"), ("stroke", "s")):
        if role := ROLE.fullmatch(part.get(name, "")):
            del part.attrib[name]
            part.set("class", f"{part.get('class', '')} {prefix}-{role[1]}".strip())


def _columns(table: str) -> str:
    """A table whose numeric columns are named by its class instead of by every cell's."""
    rows = [CELL.findall(row) for row in ROW.findall(table) if "<td" in row]
    if len({len(row) for row in rows}) != 1:
        return table
    numeric = [index for index, cells in enumerate(zip(*rows, strict=True), start=1) if all(cells)]
    if not numeric:
        return table

    def bare(row: re.Match[str]) -> str:
        count = 0

        def cell(match: re.Match[str]) -> str:
            nonlocal count
            count += 1
            return "<td>" if count in numeric else match[0]

        return f"<tr>{CELL.sub(cell, row[1])}</tr>"

    names = " ".join(f"num-{index}" for index in numeric)
    return ROW.sub(bare, table).replace("<table>", f'<table class="{names}">', 1)


def _gather(parent: ET.Element) -> None:
    """Puts neighbours that state the same attributes into a group, which states each one's most frequent value."""
    children = list(parent)
    for child in children:
        parent.remove(child)
    for (painted, marks, names), run in groupby(children, _kind):
        parts = list(run)
        if not painted or not (marks or names) or len(parts) < FEWEST:
            parent.extend(parts)
            continue
        group = ET.SubElement(parent, "g")
        group.extend(parts)
        if marks:
            group.set("class", "marks")
            for part in parts:
                del part.attrib["class"]
        for name in names:
            [(value, count)] = Counter(part.attrib[name] for part in parts).most_common(1)
            if count < FEWEST:
                continue
            group.attrib[name] = value
            for part in parts:
                if part.attrib[name] == value:
                    del part.attrib[name]


def _kind(part: ET.Element) -> tuple[bool, bool, tuple[str, ...]]:
    names = tuple(name for name in INHERITED if name in part.attrib)
    return part.tag not in UNPAINTED, part.get("class") == "mark", names
