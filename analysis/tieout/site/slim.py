"""Figures with fewer bytes and the same picture: what many parts say alike is said once for them."""

from __future__ import annotations

import re
from collections import Counter
from decimal import Decimal
from itertools import groupby
from xml.etree import ElementTree as ET

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
PLACE = re.compile(r"translate\((-?[\d.]+),(-?[\d.]+)\)")
CURVES = re.compile(r"M-?[\d.]+,-?[\d.]+(?:C-?[\d.]+(?:,-?[\d.]+){5})+")
CIRCLE = re.compile(r"M(?P<r>[\d.]+),0A(?P=r),(?P=r),0,1,1,-(?P=r),0A(?P=r),(?P=r),0,1,1,(?P=r),0")


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
    for part in root.iter():
        _place(part)
        if CURVES.fullmatch(part.get("d", "")):
            part.set("d", _relative(part.attrib["d"]))
    for parent in list(root.iter()):
        if parent.tag in {"g", "svg"}:
            _gather(parent)
    return ET.tostring(root, encoding="unicode", short_empty_elements=True).replace(" />", "/>")


def _place(part: ET.Element) -> None:
    """A text's or a circle's place as its own coordinates instead of a translation."""
    moved = PLACE.fullmatch(part.get("transform", ""))
    if part.tag == "text" and moved and "x" not in part.attrib and "y" not in part.attrib:
        del part.attrib["transform"]
        part.attrib.update(x=moved[1], y=moved[2])
    elif part.tag == "path" and (circle := CIRCLE.fullmatch(part.get("d", ""))):
        part.tag = "circle"
        del part.attrib["d"]
        part.set("r", circle["r"])
        if moved:
            del part.attrib["transform"]
            part.attrib.update(cx=moved[1], cy=moved[2])


def _relative(path: str) -> str:
    """A path of curves with each curve's points told from its start, which takes fewer digits; exact, in decimals."""
    start, *curves = path[1:].split("C")
    x, y = map(Decimal, start.split(","))
    text = f"M{start}"
    for curve in curves:
        points = [Decimal(number) for number in curve.split(",")]
        told = [f"{(number - (x, y)[index % 2]).normalize():f}" for index, number in enumerate(points)]
        x, y = points[-2:]
        text += "c" + " ".join(told).replace(" -", "-")
    return text


def _columns(table: str) -> str:
    """A table whose numeric columns are named by its class instead of by every cell's."""
    rows = [CELL.findall(row) for row in ROW.findall(table) if "<td" in row]
    numeric = (
        [index for index, cells in enumerate(zip(*rows, strict=True), start=1) if all(cells)] if rows else []
    )
    if not numeric or len({len(row) for row in rows}) != 1:
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
    for (painted, names), run in groupby(children, _kind):
        parts = list(run)
        if not painted or not names or len(parts) < FEWEST:
            parent.extend(parts)
            continue
        group = ET.SubElement(parent, "g")
        group.extend(parts)
        for name in names:
            [(value, count)] = Counter(part.attrib[name] for part in parts).most_common(1)
            if count < FEWEST:
                continue
            group.attrib[name] = value
            for part in parts:
                if part.attrib[name] == value:
                    del part.attrib[name]


def _kind(part: ET.Element) -> tuple[bool, tuple[str, ...]]:
    return part.tag not in UNPAINTED, tuple(name for name in INHERITED if name in part.attrib)
