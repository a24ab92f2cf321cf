"""The order permutation of the pilot: similarity of neighbouring tracks, observed and over shuffled "
"orders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from tieout.site.figures import album, charts, theme
from tieout.site.figures.figure import Figure, Part
from tieout.site.figures.relation_arcs import albums
from tieout.site.figures.source import Source, holding
from tieout.site.figures.wording import first_upper, listed, number, spelled

if TYPE_CHECKING:
    from altair.typing import ChartType

PARTS = ("observed", "mean", "low", "high")


@dataclass(frozen=True, kw_only=True, slots=True)
class Order:
    """An album's observed similarity, and mean and central range over shuffled orders."""

    album: str
    observed: float
    mean: float
    low: float
    high: float

    @property
    def inside(self) -> bool:
        """Whether the observed similarity lies in the central range."""
        return self.low <= self.observed <= self.high


def figure(source: Source) -> Figure:
    """A row an album: the central range of shuffled orders, their mean, and the observed order."""
    import pandas as pd

    titles, tracks = albums(source)
    shown: dict[Part, Fraction | bool] = {}
    found = []
    for row in source.table(album.PILOT, "order_permutation").sort_values("album").to_dict("records"):
        for ref in holding(
            source, album.PILOT, "order_permutation", {"order_permutation": {"album": row["album"]}}
        ):
            shown.update({(ref, part): Fraction(row[part]) for part in PARTS})
        found.append(Order(album=titles[row["album"]], **{part: float(row[part]) for part in PARTS}))
    data = pd.DataFrame(
        {
            "album": [one.album for one in found],
            "tracks": [tracks[one.album] for one in found],
            "observed": [one.observed for one in found],
            "mean over shuffled orders": [one.mean for one in found],
            "low end": [one.low for one in found],
            "high end": [one.high for one in found],
        }
    )
    percent = album.parameter(source, "central_percent", album.PILOT)
    shuffles = album.parameter(source, "shuffles", album.PILOT)
    return Figure(
        name="order-permutation",
        title=_title(found, percent),
        caption=(
            "Mean cosine similarity of the theme ratings of neighbouring tracks. The bar is the "
            f"central {percent}% of "
            f"{number(shuffles)} shuffled orders an album, by linear quantiles, with their mean. No "
            "evaluator has a part: the "
            f"ratings are a model's, made once. {first_upper(spelled(len(found)))} albums, each "
            "compared with its own "
            "shuffles and not with the others; an order inside the range is no proof that order does "
            "not matter."
        ),
        alt=_alt(found, percent),
        data=data,
        claims=album.refs(shown),
        shown=shown,
        chart=_chart(found, percent, width=500, step=44),
        narrow=_chart(found, percent, width=212, step=44),
    )


def _title(found: Sequence[Order], percent: int) -> str:
    outside = [one.album for one in found if not one.inside]
    above = [one.album for one in found if one.observed > one.mean]
    if outside:
        return f"Outside the central {percent}% of shuffled orders: {listed(outside)}"
    return (
        f"Every album's order lies inside the central {percent}% of shuffled orders; above their mean: "
        f"{listed(above) or 'none'}"
    )


def _alt(found: Sequence[Order], percent: int) -> str:
    rows = "; ".join(
        f"{one.album} observed {number(one.observed, 3)}, shuffled mean {number(one.mean, 3)}, central range "
        f"{number(one.low, 3)} to {number(one.high, 3)}"
        for one in found
    )
    return f"Ranges of the central {percent}% of shuffled orders, one an album. {rows}."


def _chart(found: Sequence[Order], percent: int, *, width: int, step: int) -> ChartType:
    import altair as alt

    names = {"observed": "Observed order", "mean": "Mean of shuffled orders"}
    look = charts.Series(
        names=names,
        hues={"observed": theme.SERIES["vermillion"], "mean": theme.INK},
        shapes={"observed": "diamond", "mean": "stroke"},
        dashes=dict.fromkeys(names, theme.SOLID),
    )
    ranges = [
        {
            "album": one.album,
            "low": one.low,
            "high": one.high,
            "tip": f"{one.album}: central {percent}% of shuffled orders from {number(one.low, 3)} to "
            f"{number(one.high, 3)}",
        }
        for one in found
    ]
    marks = [
        {
            "album": one.album,
            "at": getattr(one, part),
            "series": name,
            "tip": f"{one.album}, {name.lower()}: {number(getattr(one, part), 3)}",
        }
        for part, name in (("mean", names["mean"]), ("observed", names["observed"]))
        for one in found
    ]
    vertical = alt.Y(
        "album:N",
        sort=[one.album for one in found],
        title=None,
        axis=alt.Axis(ticks=False, domain=False, labelLimit=0),
    )
    low, high = min(one.low for one in found), max(one.high for one in found)
    horizontal = alt.X(
        "low:Q",
        title="Mean cosine similarity of neighbouring tracks",
        scale=alt.Scale(domain=[low, high], padding=12, nice=True, zero=False),
        axis=alt.Axis(format=".2f", tickCount=6 if width > 300 else 4),
    )
    bars = (
        alt.Chart(charts.values(ranges))
        .mark_bar(aria=True, height=13, color=theme.STEPS[2])
        .encode(y=vertical, x=horizontal, x2=alt.X2("high:Q"), description=alt.Description("tip:N"))
    )
    dots = (
        alt.Chart(charts.values(marks))
        .mark_point(filled=False, size=110, strokeWidth=2.2, aria=True)
        .encode(
            y=vertical,
            x=alt.X("at:Q"),
            color=look.color("series"),
            shape=look.shape("series"),
            angle=alt.Angle(
                "series:N", legend=None, scale=alt.Scale(domain=list(names.values()), range=[0, 90])
            ),
            description=alt.Description("tip:N"),
        )
    )
    return alt.layer(bars, dots).properties(width=width, height=alt.Step(step))
