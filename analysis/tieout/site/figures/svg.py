"""From a chart to an SVG that stands inside a page: same bytes every time, colours by role, no style "
"of its own."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any
from xml.etree import ElementTree as ET

from tieout.site.figures.drawings import drawn
from tieout.site.figures.theme import ROLES

PAINTS = ("fill", "stroke")
NO_PAINT = frozenset({"none", "transparent"})
# what Vega writes for its own interaction and for readers of single marks; the figure has one text alternative
DROPPED = frozenset(
    {"class", "pointer-events", "role", "aria-hidden", "aria-label", "aria-roledescription", "font-family"}
)
# what a group hands down to its children, so that it need stand but once
INHERITED = (
    "fill",
    "stroke",
    "stroke-width",
    "stroke-dasharray",
    "font-size",
    "font-weight",
    "text-anchor",
    "paint-order",
)
# what holds where nothing is said; whatever differs is said by the part itself
DEFAULTS = {"opacity": "1", "stroke-width": "1", "stroke-dasharray": "1,0", "font-weight": "normal"}
DECIMAL = re.compile(r"-?\d*\.\d+(?:e-?\d+)?")
MOVED = re.compile(r"translate\((-?[\d.]+),(-?[\d.]+)\)")
BOX = re.compile(r"M-?[\d.]+,-?[\d.]+h[\d.]+v[\d.]+h-[\d.]+Z")
REFERENCE = re.compile(r"url\(#([^)]+)\)")


def digest(spec: Mapping[str, Any]) -> str:
    """The hash of a specification, short enough to stand before ids."""
    text = json.dumps(spec, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return "f" + hashlib.sha256(text.encode()).hexdigest()[:10]


def draw(spec: Mapping[str, Any], *, labelled_by: str, alt: str, variant: str, tips: bool = True) -> str:
    """The chart of a Vega-Lite specification as SVG for a page.

    `labelled_by` is the id of the element that holds its title, `alt` its text alternative, `variant` a class. A mark
    that has a description gets the class `mark`, and with `tips` the description as its title.
    Raises ValueError for a colour that the theme does not know.
    """
    prefix = digest(spec)
    root = ET.fromstring(drawn(spec))
    names = {element.get("id", ""): f"{prefix}-{index}" for index, element in enumerate(_with_id(root))}
    width, height = root.get("width", ""), root.get("height", "")
    svg = ET.Element(
        "svg",
        {
            "class": f"fig-svg fig-{variant}",
            "viewBox": f"0 0 {width} {height}",
            "width": width,
            "height": height,
            "role": "img",
            "aria-labelledby": labelled_by,
            "aria-describedby": f"{prefix}-alt",
        },
    )
    described = ET.SubElement(svg, "desc", {"id": f"{prefix}-alt"})
    described.text = alt
    for child in root:
        svg.extend(_kept(child, names))
    for mark in list(svg.iter()) if not tips else ():
        for title in mark.findall("title"):
            mark.remove(title)
    _merge(svg)
    _hoist(svg)
    return ET.tostring(svg, encoding="unicode", short_empty_elements=True)


def _with_id(root: ET.Element) -> Iterator[ET.Element]:
    return (element for element in root.iter() if element.get("id"))


def _kept(element: ET.Element, names: Mapping[str, str], *, painted: bool = True) -> list[ET.Element]:
    """The element without what a page has no use for: nothing, itself, or only what it holds."""
    tag = element.tag.rpartition("}")[2]
    if element.get("display") == "none" or (painted and _unseen(element)):
        return []
    copy = ET.Element(tag, _attributes(element, names))
    copy.text = element.text
    if tag == "text" and "stroke" in copy.attrib:
        copy.set("paint-order", "stroke")
    if label := element.get("aria-label"):
        copy.set("class", "mark")
        ET.SubElement(copy, "title").text = label
    for child in element:
        copy.extend(_kept(child, names, painted=painted and tag != "clipPath"))
    if tag == "g":
        if not len(copy):
            return []
        if not copy.attrib:
            return list(copy)
    return [copy]


def _merge(element: ET.Element) -> None:
    """Joins siblings that look alike: plain rectangles into one path, single characters into one text."""
    alike: dict[tuple[object, ...], ET.Element] = {}
    for child in list(element):
        _merge(child)
        at = MOVED.fullmatch(child.get("transform", ""))
        box = child.tag == "path" and "transform" not in child.attrib and BOX.fullmatch(child.get("d", ""))
        letter = child.tag == "text" and len(child.text or "") == 1 and at
        if len(child) or child.get("class") or not (box or letter):
            continue
        look = tuple(sorted((name, text) for name, text in child.items() if name not in {"transform", "d"}))
        first = alike.setdefault((child.tag, look), child)
        if at and letter:
            for axis, pixel in (("x", at[1]), ("y", at[2])):
                first.set(axis, f"{first.get(axis, '')} {pixel}".strip())
        if first is child:
            child.attrib.pop("transform", None)
            continue
        if box:
            first.set("d", first.get("d", "") + child.get("d", ""))
        else:
            first.text = (first.text or "") + (child.text or "")
        element.remove(child)


def _hoist(element: ET.Element) -> None:
    """Moves what all children of a group say alike to the group."""
    for child in element:
        _hoist(child)
    if element.tag != "g":
        return
    for name in INHERITED:
        said = {child.get(name) for child in element}
        if len(said) == 1 and None not in said:
            element.set(name, said.pop() or "")
            for child in element:
                del child.attrib[name]


def _unseen(element: ET.Element) -> bool:
    # the outermost group says fill="none", so a path paints only what it names
    if not element.tag.endswith("}path"):
        return False
    return all(element.get(paint, "none") in NO_PAINT for paint in PAINTS)


def _attributes(element: ET.Element, names: Mapping[str, str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in element.items():
        if name in DROPPED or DEFAULTS.get(name) == value or value == "translate(0,0)":
            continue
        if name == "id":
            found[name] = names[value]
        elif name in PAINTS:
            found[name] = _paint(value)
        else:
            renamed = REFERENCE.sub(lambda match: f"url(#{names[match[1]]})", value)
            found[name] = DECIMAL.sub(_rounded, renamed) if name != "id" else renamed
    return found


def _paint(value: str) -> str:
    if value in NO_PAINT:
        return "none"
    if value not in ROLES:
        raise ValueError(f"the theme has no colour {value}")
    return f"var(--fig-{ROLES[value]})"


def _rounded(match: re.Match[str]) -> str:
    text = f"{float(match[0]):.1f}".rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text
