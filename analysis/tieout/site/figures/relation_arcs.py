"""Relation memory of Part II: the generated edges of each album as arcs over its tracks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import cos, pi, sin
from typing import TYPE_CHECKING

from tieout.site.figures import album, charts, theme
from tieout.site.figures.figure import Figure
from tieout.site.figures.source import Source, claims
from tieout.site.figures.wording import counted, ends, listed, number, percent, span

if TYPE_CHECKING:
    from altair.typing import ChartType

TYPES: Mapping[str, str] = {
    "contrast": "Contrast",
    "counterpoint": "Counterpoint",
    "return": "Return",
    "transformation": "Transformation",
}
SERIES = charts.Series(
    names=TYPES,
    hues={
        "contrast": theme.SERIES["vermillion"],
        "counterpoint": theme.SERIES["blue"],
        "return": theme.SERIES["green"],
        "transformation": theme.SERIES["purple"],
    },
    shapes=dict.fromkeys(TYPES, "circle"),
    dashes={
        "contrast": theme.SOLID,
        "counterpoint": theme.DASHED,
        "return": theme.DOTTED,
        "transformation": theme.DASHDOT,
    },
)
POINTS = 6  # on an arc; a spline runs through them
LIFT = 0.09  # between arcs over the same tracks, in heights of the highest arc


@dataclass(frozen=True, kw_only=True, slots=True)
class Edge:
    """An edge between two source addresses, as the author lists them, which is no direction."""

    album: str
    id: str
    type: str
    ends: tuple[str, str]

    @property
    def tracks(self) -> tuple[int, int]:
        """The positions of both tracks, the earlier first."""
        first, second = sorted(int(address[1:3]) for address in self.ends)
        return first, second

    @property
    def reach(self) -> int:
        """How many positions lie between its ends."""
        return self.tracks[1] - self.tracks[0]


def figure(source: Source) -> Figure:
    """A panel an album: arcs between tracks by the type of relation."""
    import pandas as pd

    titles, lengths = albums(source)
    table = source.table(album.PACKAGE, "relations").sort_values(["album", "edge_id"])
    edges = [
        Edge(
            album=titles[row["album"]],
            id=row["edge_id"],
            type=row["type"],
            ends=(row["first_address"], row["second_address"]),
        )
        for row in table.to_dict("records")
    ]
    bound = tuple(ref for ref, claim in claims(source) if _counts_all(claim))
    data = pd.DataFrame(
        {
            "album": [edge.album for edge in edges],
            "edge": [edge.id for edge in edges],
            "type": [TYPES[edge.type] for edge in edges],
            "first address": [edge.ends[0] for edge in edges],
            "second address": [edge.ends[1] for edge in edges],
            "positions apart": [edge.reach for edge in edges],
        }
    )
    return Figure(
        name="relation-arcs",
        title=_title(edges),
        caption=_caption(edges),
        alt=_alt(edges),
        data=data,
        claims=bound,
        shown={(ref, "value"): Fraction(len(edges)) for ref in bound if ref.claim == "edges"},
        chart=_chart(edges, lengths, width=640, height=88),
        narrow=_chart(edges, lengths, width=315, height=76),
    )


def albums(source: Source) -> tuple[dict[str, str], dict[str, int]]:
    """Titles of the albums by their key, and tracks by title, in the order of the keys."""
    table = source.table(album.PILOT, "albums").sort_values("album")
    titles = {str(row["album"]): str(row["title"]) for row in table.to_dict("records")}
    return titles, {str(row["title"]): int(row["tracks"]) for row in table.to_dict("records")}


def _counts_all(claim: Mapping[str, object]) -> bool:
    where = claim["where"]
    return claim["package"] == album.PACKAGE and isinstance(where, Mapping) and list(where) == ["relations"]


def _mean(edges: Sequence[Edge]) -> Fraction:
    return Fraction(sum(edge.reach for edge in edges), len(edges))


def _title(edges: Sequence[Edge]) -> str:
    near = sum(edge.reach <= 2 for edge in edges)
    longest = max(edges, key=lambda edge: edge.reach)
    return (
        f"{near} of {len(edges)} edges join tracks next to each other or with one between; the longest spans "
        f"{longest.reach} positions of {longest.album}"
    )


def _caption(edges: Sequence[Edge]) -> str:
    names = sorted({edge.album for edge in edges})
    counts = [sum(edge.album == name for edge in edges) for name in names]
    return (
        f"{counted(len(edges), 'edge')} that a model generated, {span(min(counts), max(counts))} an "
        "album, over the album's "
        "tracks in order. Both ends are source addresses (track and claim); an arc shows the tracks, and "
        "those between the same two run above each other. "
        "The edges carry no "
        "confidence and no direction, and no evaluator judged them."
    )


def _alt(edges: Sequence[Edge]) -> str:
    kinds = listed(
        f"{sum(edge.type == kind for edge in edges)} of {name.lower()}" for kind, name in TYPES.items()
    )
    names = sorted({edge.album for edge in edges})
    own = {name: [edge for edge in edges if edge.album == name] for name in names}
    distances = ends(
        "positions apart on average",
        names,
        lambda one: _mean(own[one]),
        lambda one: f"{one} ({number(_mean(own[one]), 1)})",
    )
    longest = [edge for edge in edges if edge.reach == max(other.reach for other in edges)]
    said = listed(f"{edge.id} of {edge.album} from {edge.ends[0]} to {edge.ends[1]}" for edge in longest)
    share = Fraction(sum(edge.reach == 1 for edge in edges), len(edges))
    return (
        f"Arc diagrams of {len(names)} albums with {kinds}. Longest: {said}, {longest[0].reach} positions. "
        f"{percent(share)} join neighbours. {distances}"
    )


def _chart(edges: Sequence[Edge], lengths: Mapping[str, int], *, width: int, height: int) -> ChartType:
    import altair as alt

    longest = max(lengths.values())
    panels = [
        _panel([edge for edge in edges if edge.album == name], name, tracks, longest, width, height)
        for name, tracks in lengths.items()
    ]
    return alt.vconcat(*panels, spacing=12)


def _panel(edges: Sequence[Edge], name: str, tracks: int, longest: int, width: int, height: int) -> ChartType:
    import altair as alt

    lifts = _lifts(edges)
    rows = [point for edge in edges for point in _arc(edge, lifts[edge.id])]
    horizontal = alt.X("x:Q", scale=alt.Scale(domain=[0.5, longest + 0.5], nice=False), axis=None)
    # a panel is as high as its longest arc, so that an arc of a given width is as high in every album
    low, high = -0.1, max(_top(edge) + lifts[edge.id] for edge in edges)
    height = round((high - low) * height)
    vertical = alt.Y("y:Q", scale=alt.Scale(domain=[low, high], nice=False), axis=None)
    base = alt.Chart(charts.values(rows)).encode(
        x=horizontal,
        y=vertical,
        detail=alt.Detail("id:N"),
        order=alt.Order("step:Q"),
        color=SERIES.color("series", 4 if width > 400 else 2, lines=True),
        strokeDash=SERIES.dash("series", 4 if width > 400 else 2),
        description=alt.Description("tip:N"),
    )
    arcs = base.mark_line(aria=True, interpolate="natural", strokeWidth=1.7)
    ticks = alt.Chart(charts.values([{"x": at, "y": 0, "text": str(at)} for at in range(1, tracks + 1)]))
    dots = ticks.mark_point(filled=True, size=18, color=theme.AXIS).encode(x=horizontal, y=vertical)
    text = ticks.mark_text(baseline="top", dy=6, color=theme.MUTED, fontSize=10.5).encode(
        x=horizontal, y=vertical, text=alt.Text("text:N")
    )
    return alt.layer(arcs, dots, text).properties(
        width=width, height=height, title=alt.TitleParams(f"{name}, track", offset=2)
    )


def _top(edge: Edge) -> float:
    return float(
        (edge.reach / 16) ** 0.6
    )  # lower than a half circle where it is wide, higher where it is narrow


def _lifts(edges: Sequence[Edge]) -> dict[str, float]:
    """How much higher each edge of an album runs than the first between the same tracks, so that each is seen."""
    before: dict[tuple[int, int], int] = {}
    found: dict[str, float] = {}
    for edge in edges:
        found[edge.id] = LIFT * before.get(edge.tracks, 0)
        before[edge.tracks] = before.get(edge.tracks, 0) + 1
    return found


def _arc(edge: Edge, lift: float) -> list[dict[str, object]]:
    first, second = edge.tracks
    tip = f"{edge.album}, {edge.id}: {TYPES[edge.type].lower()} between {edge.ends[0]} and {edge.ends[1]}"
    top = _top(edge) + lift
    return [
        {
            "id": edge.id,
            "series": TYPES[edge.type],
            "step": step,
            "x": round((first + second) / 2 - (second - first) / 2 * cos(pi * step / POINTS), 4),
            "y": round(top * sin(pi * step / POINTS), 4),
            "tip": tip,
        }
        for step in range(POINTS + 1)
    ]
