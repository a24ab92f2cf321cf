"""Tokens by stage: what generation, sufficiency checks and verification cost a trajectory in each setting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from tieout.site.figures import album, charts, theme
from tieout.site.figures.album import Setting, mean_tokens
from tieout.site.figures.figure import Figure, Part
from tieout.site.figures.source import Source
from tieout.site.figures.wording import counted, ends, number, percent, span

if TYPE_CHECKING:
    from altair.typing import ChartType

STAGES: Mapping[str, str] = {
    "answer": "Generation",
    "sufficiency": "Sufficiency checks",
    "verification": "Verification",
}
HUES: Mapping[str, str] = {
    "answer": theme.SERIES["blue"],
    "sufficiency": theme.SERIES["orange"],
    "verification": theme.SERIES["green"],
}
SHAPES: Mapping[str, str] = {"answer": "circle", "sufficiency": "square", "verification": "diamond"}
Sums = Mapping[tuple[str, str], int]  # setting's label, kind of call


def series() -> charts.Series:
    """How the stages are told apart."""
    return charts.Series(names=STAGES, hues=HUES, shapes=SHAPES, dashes=dict.fromkeys(STAGES, theme.SOLID))


def figure(source: Source) -> Figure:
    """A stacked bar a setting: mean tokens a trajectory by kind of call."""
    import pandas as pd

    given = album.primary(source)
    found = album.settings(source, given)
    labels = {one.case_id: one.setting for one in given}
    calls = source.table(album.PACKAGE, "calls")
    tokens = (calls["input_tokens"] + calls["output_tokens"]).tolist()
    sums: Counter[tuple[str, str]] = Counter()
    for case, kind, spent in zip(calls["case_id"].tolist(), calls["kind"].tolist(), tokens, strict=True):
        if case in labels:
            sums[labels[case], kind] += spent
    shown: dict[Part, Fraction | bool] = {}
    for one in found:
        album.bind(shown, source, "mean_trajectory_tokens", one.where(), mean_tokens(one.rows))
        for kind in STAGES:
            where = {**one.where(), "calls": {"kind": kind}}
            album.bind(shown, source, "mean_stage_tokens", where, _mean(one, kind, sums))
            album.bind(shown, source, "stage_tokens", where, Fraction(sums.get((one.label, kind), 0)))
    data = pd.DataFrame(
        {
            "setting": [one.label for one in found],
            **{
                f"{name} (tokens a trajectory)": [float(_mean(one, kind, sums)) for one in found]
                for kind, name in STAGES.items()
            },
            "all stages": [float(mean_tokens(one.rows)) for one in found],
            "trajectories": [one.rows["trajectories"] for one in found],
        }
    )
    return Figure(
        name="stage-tokens",
        title=_title(found, sums),
        caption=_caption(found),
        alt=_alt(found, sums),
        data=data,
        claims=album.refs(shown),
        shown=shown,
        chart=_chart(found, sums, width=560, step=19),
        narrow=_chart(found, sums, width=235, step=20),
    )


def _mean(one: Setting, kind: str, sums: Sums) -> Fraction:
    return Fraction(sums.get((one.label, kind), 0), one.rows["trajectories"])


def _title(found: Sequence[Setting], sums: Sums) -> str:
    checked = [one for one in found if _mean(one, "sufficiency", sums)]
    dearest = max(found, key=lambda one: mean_tokens(one.rows))
    kind = max(STAGES, key=lambda stage: _mean(dearest, stage, sums))
    share = _mean(dearest, kind, sums) / mean_tokens(dearest.rows)
    only = "; no other setting has such checks" if len(checked) == 1 else ""
    return (
        f"{dearest.label} takes most tokens, {number(mean_tokens(dearest.rows))} a trajectory, "
        f"{percent(share)} of them for {STAGES[kind].lower()}{only}"
    )


def _caption(found: Sequence[Setting]) -> str:
    runs = [one.rows["trajectories"] for one in found]
    return (
        f"{counted(len(found), 'setting')} of the primary grid; input and output tokens of the calls of "
        "each kind, averaged "
        f"over {span(min(runs), max(runs))} trajectories a setting, those without such a call included. "
        "A call that the "
        "provider answered once and several trajectories use counts in each of them. No evaluator has "
        "a part in the "
        "counts. Preparation and failed attempts have no receipt a call and are left out."
    )


def _alt(found: Sequence[Setting], sums: Sums) -> str:
    parts = [
        ends(
            f"{name.lower()} tokens",
            [one for one in found if _mean(one, kind, sums)],
            lambda one, kind=kind: _mean(one, kind, sums),  # type: ignore[misc]
            lambda one, kind=kind: f"{one.label} ({number(_mean(one, kind, sums))})",  # type: ignore[misc]
        )
        for kind, name in STAGES.items()
    ]
    return (
        f"Stacked bars of mean tokens a trajectory, one a setting. Where a stage has calls: {' '.join(parts)}"
    )


def _chart(found: Sequence[Setting], sums: Sums, *, width: int, step: int) -> ChartType:
    import altair as alt

    rows = []
    for one in found:
        low = Fraction(0)
        for kind, name in STAGES.items():
            mean = _mean(one, kind, sums)
            if mean:
                rows.append(
                    {
                        "setting": one.label,
                        "series": name,
                        "low": float(low),
                        "high": float(low + mean),
                        "tip": f"{one.label}, {name.lower()}: {number(mean, 1)} tokens a trajectory",
                    }
                )
            low += mean
    ends_of = [
        {
            "setting": one.label,
            "high": float(mean_tokens(one.rows)),
            "text": number(mean_tokens(one.rows)),
        }
        for one in found
    ]
    vertical = alt.Y(
        "setting:N",
        sort=[one.label for one in found],
        title=None,
        axis=alt.Axis(ticks=False, domain=False, labelLimit=0),
        scale=alt.Scale(paddingInner=0.25),
    )
    most = max(float(mean_tokens(one.rows)) for one in found)
    horizontal = alt.X(
        "low:Q",
        title="Mean tokens a trajectory",
        scale=alt.Scale(domain=[0, most * 1.12], nice=False),
        axis=alt.Axis(format=",d", tickCount=5),
    )
    bars = (
        alt.Chart(charts.values(rows))
        .mark_bar(aria=True, stroke=theme.PAPER, strokeWidth=1)
        .encode(
            y=vertical,
            x=horizontal,
            x2=alt.X2("high:Q"),
            color=series().color("series"),
            description=alt.Description("tip:N"),
        )
    )
    text = (
        alt.Chart(charts.values(ends_of))
        .mark_text(align="left", dx=5, color=theme.MUTED)
        .encode(y=vertical, x=alt.X("high:Q"), text=alt.Text("text:N"))
    )
    return alt.layer(bars, text).properties(width=width, height=alt.Step(step))
