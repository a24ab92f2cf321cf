"""Acceptance and tokens of the three retrievers of Part II over their memory cap."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from tieout.site.figures import album, charts
from tieout.site.figures.album import Setting, acceptance, mean_tokens
from tieout.site.figures.figure import Figure, Part
from tieout.site.figures.source import Source
from tieout.site.figures.wording import counted, ends, listed, number, points, span

if TYPE_CHECKING:
    from altair.typing import ChartType


def figure(source: Source) -> Figure:
    """Two panels over the cap: the share of accepted positive answers, and mean trajectory tokens."""
    import pandas as pd

    found = [one for one in album.settings(source, album.primary(source)) if one.policy in album.RANKED]
    shown: dict[Part, Fraction | bool] = {}
    for one in found:
        album.bind(shown, source, "acceptance", one.where(), acceptance(one.rows))
        album.bind(shown, source, "mean_trajectory_tokens", one.where(), mean_tokens(one.rows))
    data = pd.DataFrame(
        {
            "policy": [album.POLICIES[one.policy] for one in found],
            "memory cap (tokens)": [one.cap for one in found],
            "accepted": [one.rows["accepted"] for one in found],
            "of positive": [one.rows["answerable"] for one in found],
            "tokens a trajectory": [float(mean_tokens(one.rows)) for one in found],
        }
    )
    return Figure(
        name="budget-curves",
        title=_title(found),
        caption=_caption(source, found, shown),
        alt=_alt(found),
        data=data,
        claims=album.refs(shown),
        shown=shown,
        chart=_chart(found, wide=True),
        narrow=_chart(found, wide=False),
    )


def _by_policy(found: Sequence[Setting]) -> dict[str, list[Setting]]:
    return {policy: [one for one in found if one.policy == policy] for policy in album.RANKED}


def _title(found: Sequence[Setting]) -> str:
    falls = [
        album.POLICIES[policy]
        for policy, curve in _by_policy(found).items()
        if acceptance(curve[-1].rows) < max(acceptance(one.rows) for one in curve)
    ]
    best = max(found, key=lambda one: acceptance(one.rows))
    score = f"{best.rows['accepted']} of {best.rows['answerable']}"
    if not falls:
        return f"Every retriever is accepted most often under its largest cap, at best {score}"
    rest = "; the others are accepted most often there" if len(falls) < len(album.RANKED) else ""
    verb = "is" if len(falls) == 1 else "are"
    return (
        f"More memory is not always accepted more often: {listed(falls)} {verb} past the best at the "
        f"largest cap{rest}"
    )


def _caption(source: Source, found: Sequence[Setting], shown: dict[Part, Fraction | bool]) -> str:
    positives = [one.rows["answerable"] for one in found]
    runs = [one.rows["trajectories"] for one in found]
    return (
        f"{counted(len(found), 'setting')}. Left or above: share of "
        f"{span(min(positives), max(positives))} positive "
        f"answers accepted; right or below: input and output tokens of all calls, averaged over "
        f"{span(min(runs), max(runs))} trajectories. {album.judges(source, album.refs(shown))} One run "
        "a question and "
        f"setting, so that one answer moves a share by {points(Fraction(1, min(positives)))}; the caps "
        "bound the memory, "
        "not the whole prompt."
    )


def _alt(found: Sequence[Setting]) -> str:
    lines = [
        f"{album.POLICIES[policy]}: "
        + listed(
            f"{one.rows['accepted']} of {one.rows['answerable']} at {number(one.cap or 0)}" for one in curve
        )
        for policy, curve in _by_policy(found).items()
    ]
    tokens = ends(
        "tokens a trajectory",
        found,
        lambda one: mean_tokens(one.rows),
        lambda one: f"{one.label} ({number(mean_tokens(one.rows))})",
    )
    return f"Two line charts over the memory cap. Accepted positive answers: {'; '.join(lines)}. {tokens}"


def _chart(found: Sequence[Setting], *, wide: bool) -> ChartType:
    import altair as alt

    rows = [
        {
            "series": album.POLICIES[one.policy],
            "cap": one.cap,
            "share": float(acceptance(one.rows)),
            "tokens": float(mean_tokens(one.rows)),
            "tip": f"{one.label}: {one.rows['accepted']} of {one.rows['answerable']} accepted, "
            f"{number(mean_tokens(one.rows), 1)} tokens a trajectory",
        }
        for one in found
    ]
    caps = sorted({one.cap for one in found if one.cap is not None})
    series = album.series(album.RANKED)
    horizontal = alt.X(
        "cap:Q",
        title="Memory cap (tokens)",
        scale=alt.Scale(domain=[0, caps[-1]], padding=12, nice=False),
        axis=alt.Axis(values=caps, format=",d", grid=False),
    )
    share = alt.Y(
        "share:Q",
        title="Positive answers accepted",
        scale=alt.Scale(domain=[0, 1]),
        axis=alt.Axis(format=".0%", tickCount=5),
    )
    tokens = alt.Y(
        "tokens:Q",
        title="Mean tokens a trajectory",
        scale=alt.Scale(domainMin=0),
        axis=alt.Axis(format=",d", tickCount=5),
    )
    size = {"width": 270 if wide else 285, "height": 240 if wide else 190}
    return charts.beside(
        [
            alt.layer(*charts.curves(rows, series, horizontal, up)).properties(**size)
            for up in (share, tokens)
        ],
        wide=wide,
    )
