"""The look of all figures: colours by their role, shapes and dashes beside them, and one Vega-Lite configuration.

A chart is drawn in the colours of a light page; in the page each stands as a custom property of figures.css, which
holds the dark ones too. Every colour here belongs to one role, so that the way back from colour to role is plain.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

FONT = "Liberation Sans"
"""vl-convert brings this face along, so that a text is as wide on every machine; the page sets its own stack."""

# The hues of Okabe and Ito (2008), the light ones darkened until they stand off white paper by 3:1.
SERIES: Mapping[str, str] = {
    "blue": "#0072b2",
    "vermillion": "#c4530a",
    "green": "#00805e",
    "purple": "#a8527f",
    "orange": "#a36c00",
    "sky": "#3a8fc2",
    "grey": "#77756f",
}
STEPS = ("#edf2f7", "#cddeec", "#9fc1db", "#43749f", "#2f5d88", "#1b426b")
"""From least to most, for cells that also say their number."""
COLOURS: Mapping[str, str] = {
    "ink": "#1f1e1b",
    "muted": "#5d5b55",
    "axis": "#8b8982",
    "grid": "#e4e2dc",
    "paper": "#fffefc",
    "on-low": "#1d1c1a",
    "on-high": "#fffffe",
    "band": "#f1efe9",
    **SERIES,
    **{f"step-{index}": colour for index, colour in enumerate(STEPS)},
}
ROLES: Mapping[str, str] = {colour: role for role, colour in COLOURS.items()}

INK, MUTED, AXIS, GRID, PAPER = (COLOURS[role] for role in ("ink", "muted", "axis", "grid", "paper"))
BAND = COLOURS["band"]
SOLID: list[int] = [1, 0]
DASHED: list[int] = [6, 3]
DOTTED: list[int] = [2, 2]
DASHDOT: list[int] = [7, 2, 2, 2]
TEXT = 11.5


def on_step(step: int) -> str:
    """The colour of a text that stands on a step."""
    return COLOURS["on-low"] if step < len(STEPS) // 2 else COLOURS["on-high"]


def steps(levels: int) -> list[int]:
    """So many steps from the first to the last, as evenly as whole steps go."""
    last = len(STEPS) - 1
    return [round(index * last / (levels - 1)) for index in range(levels)]


def config() -> dict[str, Any]:
    """The Vega-Lite configuration that every chart gets."""
    return {
        "background": None,
        "font": FONT,
        "padding": {"left": 2, "right": 6, "top": 4, "bottom": 2},
        "view": {"stroke": None, "continuousWidth": 600, "continuousHeight": 300},
        "mark": {"aria": False, "tooltip": None},
        "text": {"fontSize": TEXT, "color": INK},
        "point": {"opacity": 1},
        "bar": {"opacity": 1},
        "axis": {
            "aria": False,
            "labelColor": MUTED,
            "titleColor": INK,
            "labelFontSize": TEXT,
            "titleFontSize": TEXT,
            "titleFontWeight": "normal",
            "titlePadding": 8,
            "labelPadding": 4,
            "gridColor": GRID,
            "gridWidth": 1,
            "domainColor": AXIS,
            "tickColor": AXIS,
            "tickSize": 4,
            "labelOverlap": False,
        },
        "legend": {
            "aria": False,
            "orient": "top",
            "direction": "horizontal",
            "title": None,
            "labelColor": INK,
            "labelFontSize": TEXT,
            "titleFontSize": TEXT,
            "titleFontWeight": "normal",
            "titleColor": MUTED,
            "labelLimit": 0,
            "symbolSize": 70,
            "symbolStrokeWidth": 2,
            "symbolOpacity": 1,
            "columnPadding": 14,
            "offset": 10,
        },
        "header": {
            "labelColor": INK,
            "labelFontSize": TEXT,
            "labelFontWeight": "bold",
            "titleColor": INK,
            "titleFontSize": TEXT,
            "titleFontWeight": "normal",
            "labelAnchor": "start",
            "labelPadding": 6,
        },
        "title": {
            "aria": False,
            "color": INK,
            "fontSize": TEXT,
            "fontWeight": "bold",
            "anchor": "start",
            "offset": 8,
        },
        "concat": {"spacing": 28},
        "facet": {"spacing": 18},
    }
