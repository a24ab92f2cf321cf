"""Theme profiles of the pilot: how the annotation rates each track on each theme."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from tieout.site.figures import album, heatmap, theme
from tieout.site.figures.figure import Figure, Part
from tieout.site.figures.relation_arcs import albums
from tieout.site.figures.source import Source
from tieout.site.figures.wording import counted, ends, listed, number, span

if TYPE_CHECKING:
    from altair.typing import ChartType

NOT_THEMES = frozenset({"album", "track_id", "position", "tension"})
Ratings = Mapping[str, Mapping[str, Sequence[int]]]  # album's title, theme; by position


def figure(source: Source) -> Figure:
    """A heatmap an album: themes by tracks in order."""
    import pandas as pd

    titles, _ = albums(source)
    table = source.table(album.PILOT, "theme_ratings").sort_values(["album", "position"])
    themes = [name for name in table.columns if name not in NOT_THEMES]
    ratings = {
        title: {name: [int(rating) for rating in table[table["album"] == key][name]] for name in themes}
        for key, title in titles.items()
    }
    shown: dict[Part, Fraction | bool] = {}
    for key, title in titles.items():
        where = {"theme_ratings": {"album": key}}
        album.bind(shown, source, "annotated_tracks", where, Fraction(_tracks(ratings, title)), album.PILOT)
    album.bind(shown, source, "annotated_tracks", {}, Fraction(len(table)), album.PILOT)
    album.bind(shown, source, "rated_themes", {}, Fraction(len(themes)), album.PILOT)
    data = pd.DataFrame(
        {
            "album": [titles[key] for key in table["album"]],
            "track": table["track_id"].tolist(),
            **{_plain(name): table[name].tolist() for name in themes},
        }
    )
    return Figure(
        name="theme-profiles",
        title=_title(ratings, themes),
        caption=_caption(ratings, themes, len(table)),
        alt=_alt(ratings, themes),
        data=data,
        claims=album.refs(shown),
        shown=shown,
        chart=_chart(ratings, themes, wide=True),
        narrow=_chart(ratings, themes, wide=False),
    )


def _tracks(ratings: Ratings, title: str) -> int:
    return len(next(iter(ratings[title].values())))


def _plain(name: str) -> str:
    return name.replace("_", " ")


def _mean(ratings: Sequence[int]) -> Fraction:
    return Fraction(sum(ratings), len(ratings))


def _strongest(themes: Mapping[str, Sequence[int]]) -> list[str]:
    most = max(_mean(ratings) for ratings in themes.values())
    return [name for name, ratings in themes.items() if _mean(ratings) == most]


def _title(ratings: Ratings, themes: Sequence[str]) -> str:
    by_theme: dict[str, list[str]] = {}
    for title, own in ratings.items():
        by_theme.setdefault(listed(_plain(name) for name in _strongest(own)), []).append(title)
    parts = [f"{name} in {listed(titles)}" for name, titles in by_theme.items()]
    return f"Of {len(themes)} themes, rated highest on average: {'; '.join(parts)}"


def _caption(ratings: Ratings, themes: Sequence[str], tracks: int) -> str:
    every = [rating for own in ratings.values() for row in own.values() for rating in row]
    return (
        f"{counted(len(themes), 'theme')} of {counted(tracks, 'track')} in "
        f"{counted(len(ratings), 'album')}; columns are the "
        f"tracks in order, ratings run from {span(min(every), max(every))} in whole steps. One model "
        "annotated the tracks once; "
        "nobody rated them a second time, so that the profiles say nothing about agreement. No "
        "evaluator judged them."
    )


def _alt(ratings: Ratings, themes: Sequence[str]) -> str:
    parts = [
        f"{title}, {_tracks(ratings, title)} tracks: "
        + ends(
            "points on average",
            themes,
            lambda name, own=own: _mean(own[name]),  # type: ignore[misc]
            lambda name, own=own: f"{_plain(name)} ({number(_mean(own[name]), 2)})",  # type: ignore[misc]
        )
        for title, own in ratings.items()
    ]
    return f"Heatmaps of themes by tracks, one an album. {' '.join(parts)}"


def _chart(ratings: Ratings, themes: Sequence[str], *, wide: bool) -> ChartType:
    import altair as alt

    most = max(rating for own in ratings.values() for row in own.values() for rating in row)
    steps = theme.steps(most + 1)
    longest = max(_tracks(ratings, title) for title in ratings)
    panels = [
        heatmap.chart(
            [
                heatmap.Cell(
                    row=_plain(name),
                    column=str(position),
                    step=steps[rating],
                    text=str(rating),
                )
                for name in themes
                for position, rating in enumerate(own[name], start=1)
            ],
            rows=[_plain(name) for name in themes],
            columns=[str(position) for position in range(1, _tracks(ratings, title) + 1)],
            width=17 if wide else 262 // longest,
            height=18,
            title=title,
            top=False,
            column_title="Track",
            size=10,
            axis_size=9.5,
        )
        for title, own in ratings.items()
    ]
    pairs = (
        [panels[start : start + 2] for start in range(0, len(panels), 2)]
        if wide
        else [[one] for one in panels]
    )
    return alt.vconcat(*(alt.hconcat(*pair, spacing=26) for pair in pairs), spacing=16)
