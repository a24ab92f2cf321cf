"""Heatmaps: cells in a few steps of one hue, each with its number on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from tieout.site.figures import theme
from tieout.site.figures.charts import values

if TYPE_CHECKING:
    from altair.typing import ChartType


@dataclass(frozen=True, kw_only=True, slots=True)
class Cell:
    """A cell: its row and column, the step of its colour, the text on it and what its tooltip says, "
    "None for no tooltip."""

    row: str
    column: str
    step: int
    text: str
    tip: str | None = None


def quantile_steps(found: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """The limits between steps that split values into as many equal parts as there are steps."""
    ordered = sorted(found)
    count = len(theme.STEPS)
    return tuple(ordered[len(ordered) * part // count] for part in range(1, count))


def chart(
    cells: Sequence[Cell],
    *,
    rows: Sequence[str],
    columns: Sequence[str],
    width: int,
    height: int,
    angle: int = 0,
    title: str | None = None,
    row_title: str | None = None,
    column_title: str | None = None,
    top: bool = True,
    size: float = theme.TEXT,
    axis_size: float = theme.TEXT,
) -> ChartType:
    """Rows and columns in the given order; `width` and `height` are a cell's, `angle` turns the columns' labels."""
    import altair as alt

    data = values(
        [
            {
                "row": cell.row,
                "column": cell.column,
                "fill": theme.STEPS[cell.step],
                "on": theme.on_step(cell.step),
                "text": cell.text,
                "tip": cell.tip,
            }
            for cell in cells
        ]
    )
    base = alt.Chart(data).encode(
        x=alt.X(
            "column:O",
            sort=list(columns),
            title=column_title,
            scale=alt.Scale(padding=0),
            axis=alt.Axis(
                orient="top" if top else "bottom",
                labelAngle=angle,
                domain=False,
                ticks=False,
                labelLimit=0,
                labelFontSize=axis_size,
            ),
        ),
        y=alt.Y(
            "row:O",
            sort=list(rows),
            title=row_title,
            scale=alt.Scale(padding=0),
            axis=alt.Axis(domain=False, ticks=False, labelLimit=0),
        ),
    )
    tips = any(cell.tip for cell in cells)
    rect = base.mark_rect(aria=tips, stroke=theme.PAPER, strokeWidth=1.5).encode(
        color=alt.Color("fill:N", scale=None)
    )
    if tips:
        rect = rect.encode(description=alt.Description("tip:N"))
    text = base.mark_text(fontSize=size, baseline="middle").encode(
        text=alt.Text("text:N"), color=alt.Color("on:N", scale=None)
    )
    layered = alt.layer(rect, text).properties(width=alt.Step(width), height=alt.Step(height))
    return layered.properties(title=title) if title else layered
