"""Acceptance against trajectory tokens of all primary settings of Part II, with the Pareto frontier."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from tieout.site.figures import album, charts, theme
from tieout.site.figures.album import Setting, acceptance, mean_tokens
from tieout.site.figures.figure import Figure, Part
from tieout.site.figures.labels import Scale
from tieout.site.figures.source import Source, holding
from tieout.site.figures.wording import counted, ends, first_upper, listed, number, points, span, times

if TYPE_CHECKING:
    from altair.typing import ChartType

TOKENS = (450, 14000)  # the left end leaves room for the labels of the cheapest settings on a phone
TICKS = [500, 1000, 2000, 5000, 10000]


def figure(source: Source) -> Figure:
    """Each setting's share of accepted positive answers over its mean trajectory tokens."""
    import pandas as pd

    found = album.settings(source, album.primary(source))
    front = album.frontier(found)
    shown: dict[Part, Fraction | bool] = {}
    for one in found:
        album.bind(shown, source, "acceptance", one.where(), acceptance(one.rows))
        album.bind(shown, source, "mean_trajectory_tokens", one.where(), mean_tokens(one.rows))
    threshold = {"trajectories": {"threshold": album.parameter(source, "primary_threshold")}}
    for ref in holding(source, album.PACKAGE, "pareto_frontier", threshold):
        # which member the claim is about stands in its id alone
        for one in found:
            if ref.claim == f"{one.policy}-on-frontier" and one.cap is None:
                shown[ref, "value"] = Fraction(one in front)
    data = pd.DataFrame(
        {
            "setting": [one.label for one in found],
            "accepted": [one.rows["accepted"] for one in found],
            "of positive": [one.rows["answerable"] for one in found],
            "tokens in all": [one.rows["tokens"] for one in found],
            "trajectories": [one.rows["trajectories"] for one in found],
            "tokens a trajectory": [float(mean_tokens(one.rows)) for one in found],
            "on frontier": [one in front for one in found],
        }
    )
    return Figure(
        name="acceptance-tokens",
        title=_title(found),
        caption=_caption(source, found, front, shown),
        alt=_alt(found, front),
        data=data,
        claims=album.refs(shown),
        shown=shown,
        chart=_chart(found, front, width=620, height=330, columns=7),
        narrow=_chart(found, front, width=292, height=300, columns=3),
    )


def _title(found: Sequence[Setting]) -> str:
    most = max(acceptance(one.rows) for one in found)
    best = sorted(
        (one for one in found if acceptance(one.rows) == most), key=lambda one: mean_tokens(one.rows)
    )
    score = f"{best[0].rows['accepted']} of {best[0].rows['answerable']}"
    if len(best) == 1:
        return (
            f"{best[0].label} is accepted most often, {score}, at {number(mean_tokens(best[0].rows))} tokens"
        )
    ratio = mean_tokens(best[-1].rows) / mean_tokens(best[0].rows)
    return (
        f"{first_upper(listed(one.label for one in best))} are accepted most often, {score} each; "
        f"{best[-1].label} takes {times(ratio)} the tokens of {best[0].label}"
    )


def _caption(
    source: Source, found: Sequence[Setting], front: Sequence[Setting], shown: dict[Part, Fraction | bool]
) -> str:
    positives = {one.rows["answerable"] for one in found}
    runs = {one.rows["trajectories"] for one in found}
    return (
        f"All {counted(len(found), 'setting')} of the primary grid. Share of positive answers accepted, of "
        f"{span(min(positives), max(positives))} a setting; tokens are input and output of all calls, "
        "averaged over "
        f"{span(min(runs), max(runs))} trajectories a setting, negatives and failures included. The "
        "line is the Pareto "
        f"frontier: {counted(len(front), 'setting')} that no other beats in one measure without losing "
        "in the other. "
        f"{album.judges(source, album.refs(shown))} One run a question and setting: a question more or "
        "less accepted "
        f"moves a point by {points(Fraction(1, min(positives)))}."
    )


def _alt(found: Sequence[Setting], front: Sequence[Setting]) -> str:
    def said(one: Setting) -> str:
        rows = one.rows
        return f"{one.label} ({rows['accepted']} of {rows['answerable']}, {number(mean_tokens(rows))} tokens)"

    return (
        f"Scatter plot of {len(found)} settings, mean tokens a trajectory on a logarithmic horizontal "
        "axis, share of "
        f"positive answers accepted on the vertical one. "
        f"{ends('tokens', found, lambda one: mean_tokens(one.rows), said)} "
        f"{ends('accepted', found, lambda one: acceptance(one.rows), said)} On the frontier, "
        f"from the cheapest: {listed(said(one) for one in front)}."
    )


def _chart(
    found: Sequence[Setting], front: Sequence[Setting], *, width: int, height: int, columns: int
) -> ChartType:
    import altair as alt

    points = [
        {
            "policy": album.POLICIES[one.policy],
            "tokens": float(mean_tokens(one.rows)),
            "share": float(acceptance(one.rows)),
            "tip": f"{one.label}: {one.rows['accepted']} of {one.rows['answerable']} accepted, "
            f"{number(mean_tokens(one.rows), 1)} tokens a trajectory",
        }
        for one in found
    ]
    x, y = (
        Scale(low=TOKENS[0], high=TOKENS[1], pixels=width, logarithmic=True),
        Scale(low=0, high=1, pixels=height),
    )
    # the frontier's labels are placed first, then the policies with one setting, then the rest where there is room
    # (the title names the settings that are accepted most often, so those have their full names too)
    order = [*front, *(one for one in found if one not in front and one.cap is None)]
    order += [one for one in found if one not in order]
    most = max(acceptance(one.rows) for one in found)
    texts = [
        (
            float(mean_tokens(one.rows)),
            float(acceptance(one.rows)),
            _short(one, one in front or acceptance(one.rows) == most),
        )
        for one in order
    ]
    texts += [(x.back(across), y.back(up), "") for across, up in _along(_steps(front), x, y)]
    horizontal = alt.X(
        "tokens:Q",
        title="Mean tokens a trajectory (logarithmic)",
        scale=alt.Scale(type="log", domain=list(TOKENS), nice=False),
        axis=alt.Axis(values=TICKS, format=",d", grid=True),
    )
    vertical = alt.Y(
        "share:Q",
        title="Positive answers accepted",
        scale=alt.Scale(domain=[0, 1]),
        axis=alt.Axis(format=".0%", values=[0, 0.25, 0.5, 0.75, 1]),
    )
    line = (
        alt.Chart(charts.values(_steps(front)))
        .mark_line(interpolate="step-after", strokeWidth=1.5, strokeDash=theme.DASHED, color=theme.INK)
        .encode(x=horizontal, y=vertical)
    )
    series = album.series(one.policy for one in found)
    marks = (
        alt.Chart(charts.values(points))
        .mark_point(filled=True, size=80, aria=True, stroke=theme.PAPER, strokeWidth=0.8)
        .encode(
            x=horizontal,
            y=vertical,
            color=series.color("policy", columns),
            shape=series.shape("policy", columns),
            description=alt.Description("tip:N"),
        )
    )
    return alt.layer(line, marks, *charts.labels(texts, x, y, horizontal, vertical)).properties(
        width=width, height=height
    )


def _short(one: Setting, full: bool) -> str:
    if one.cap is None or full:
        return one.label
    return number(one.cap)


def _steps(front: Sequence[Setting]) -> list[dict[str, float]]:
    corners = [
        {"tokens": float(mean_tokens(one.rows)), "share": float(acceptance(one.rows))} for one in front
    ]
    return [
        {"tokens": corners[0]["tokens"], "share": 0.0},
        *corners,
        {**corners[-1], "tokens": float(TOKENS[1])},
    ]


def _along(corners: Sequence[dict[str, float]], x: Scale, y: Scale) -> list[tuple[float, float]]:
    """Pixels along the frontier, close enough together that no label fits between them."""
    found = []
    for one, other in pairwise(corners):
        left, right, low, high = x(one["tokens"]), x(other["tokens"]), y(one["share"]), y(other["share"])
        found += [(left + at, low) for at in range(0, int(right - left), 10)]
        found += [(right, min(low, high) + at) for at in range(0, int(abs(high - low)), 10)]
    return found
