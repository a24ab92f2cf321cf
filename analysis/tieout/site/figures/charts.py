"""Pieces that several charts are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tieout.site.figures import theme
from tieout.site.figures.labels import Align, Scale, place

if TYPE_CHECKING:
    import altair as alt
    from altair.typing import ChartType

SWATCH = 30  # pixels of a line in a legend: enough for two rounds of every dash


def values(rows: Sequence[Mapping[str, object]]) -> alt.Data:
    """Rows as the data of a chart, inline and in this order."""
    import altair as alt

    # Altair copies lists anew at every step of a chart, and leaves a tuple alone
    return alt.Data(values=tuple(dict(row) for row in rows))  # type: ignore[no-untyped-call]


@dataclass(frozen=True, kw_only=True, slots=True)
class Series:
    """What tells the series of a chart apart: a name, and a hue with a shape or a dash beside it, by key."""

    names: Mapping[str, str]
    hues: Mapping[str, str]
    shapes: Mapping[str, str]
    dashes: Mapping[str, Sequence[int]]

    def color(self, field: str, columns: int | None = 0, *, lines: bool = False) -> alt.Color:
        """The hue of a field that holds names; `columns` is the legend's width, 0 for one row, None for no legend.

        `lines` says that the legend shows lines, as beside `dash`.
        """
        import altair as alt

        legend = _legend(columns, lines=lines)
        return alt.Color(f"{field}:N", sort=None, scale=self._scale(self.hues), legend=legend)

    def shape(self, field: str, columns: int | None = 0) -> alt.Shape:
        """The shape of a field that holds names, in one legend with the hue."""
        import altair as alt

        return alt.Shape(f"{field}:N", sort=None, scale=self._scale(self.shapes), legend=_legend(columns))

    def dash(self, field: str, columns: int | None = 0) -> alt.StrokeDash:
        """The dash of a field that holds names, in one legend with the hue."""
        import altair as alt

        return alt.StrokeDash(
            f"{field}:N", sort=None, scale=self._scale(self.dashes), legend=_legend(columns, lines=True)
        )

    def dash_alone(self, field: str) -> alt.StrokeDash:
        """The dash of a field that holds keys, apart from the legend.

        Vega-Lite joins legends over the same names, and would draw the legend's shapes with dashes.
        """
        import altair as alt

        scale = alt.Scale(domain=list(self.names), range=[self.dashes[key] for key in self.names])
        return alt.StrokeDash(f"{field}:N", sort=None, scale=scale, legend=None)

    def keyed(self, rows: Sequence[Mapping[str, object]]) -> list[dict[str, object]]:
        """Rows that hold the name of a series as `series`, with its key as `key`."""
        keys = {name: key for key, name in self.names.items()}
        return [{**row, "key": keys[str(row["series"])]} for row in rows]

    def _scale(self, looks: Mapping[str, Any]) -> alt.Scale:
        import altair as alt

        return alt.Scale(domain=list(self.names.values()), range=[looks[key] for key in self.names])


def _legend(columns: int | None, *, lines: bool = False) -> alt.Legend | None:
    import altair as alt

    if columns is None:
        return None
    given: dict[str, Any] = {"columns": columns} if columns else {}
    if lines:
        given["symbolSize"] = SWATCH**2
    return alt.Legend(**given)


def curves(
    rows: Sequence[Mapping[str, object]],
    series: Series,
    horizontal: alt.X,
    vertical: alt.Y,
    columns: int | None = 0,
) -> list[alt.Chart]:
    """Lines with points; `rows` hold the name of the series as `series` and a `tip`."""
    import altair as alt

    base = alt.Chart(values(series.keyed(rows))).encode(
        x=horizontal, y=vertical, color=series.color("series", columns)
    )
    return [
        base.mark_line(strokeWidth=1.8).encode(strokeDash=series.dash_alone("key")),
        base.mark_point(filled=True, size=75, aria=True).encode(
            shape=series.shape("series", columns), description=alt.Description("tip:N")
        ),
    ]


def beside(panels: Sequence[ChartType], *, wide: bool) -> ChartType:
    """Panels side by side, or below each other on a phone."""
    import altair as alt

    return alt.hconcat(*panels, spacing=36) if wide else alt.vconcat(*panels, spacing=22)


def labels(
    points: Sequence[tuple[float, float, str]], x: Scale, y: Scale, horizontal: alt.X, vertical: alt.Y
) -> list[alt.Chart]:
    """Layers with a text beside each point that has room for it; the axes are those of the points."""
    import altair as alt

    across, up = _field(horizontal), _field(vertical)
    found: dict[Align, list[dict[str, Any]]] = {"left": [], "center": [], "right": []}
    for label in place(points, x, y):
        if label is not None:
            found[label.align].append({across: label.x, up: label.y, "text": label.text})
    return [
        alt.Chart(values(rows))
        .mark_text(align=align, baseline="middle", stroke=theme.PAPER, strokeWidth=3)
        .encode(x=horizontal, y=vertical, text=alt.Text("text:N"))
        for align, rows in found.items()
        if rows
    ]


def _field(channel: alt.X | alt.Y) -> str:
    shorthand = str(channel.shorthand)
    return shorthand.partition(":")[0]
