"""The adaptive controller's execution on Infest's distant question: its calls in order, with "
"cumulative tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from tieout.site.figures import album, charts, theme
from tieout.site.figures.figure import Figure, Part
from tieout.site.figures.source import Source
from tieout.site.figures.stage_tokens import STAGES, series
from tieout.site.figures.wording import counted, listed, number, percent

if TYPE_CHECKING:
    from altair.typing import ChartType

CASE = {"policy": "adaptive", "album": "roach", "task": "distant"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Call:
    """A call of the execution; `cap` is the memory cap of its round, None where the round has none."""

    position: int
    kind: str
    input: int
    output: int
    before: int
    round: int
    cap: int | None

    @property
    def tokens(self) -> int:
        """Input and output tokens."""
        return self.input + self.output

    @property
    def after(self) -> int:
        """Tokens of this call and of all before it."""
        return self.before + self.tokens


def figure(source: Source) -> Figure:
    """Floating bars from the tokens before a call to those after it.

    Raises KeyError where the receipts do not hold exactly one such trajectory.
    """
    import pandas as pd

    runs = [
        one
        for one in album.primary(source)
        if {"policy": one.policy, "album": one.album, "task": one.task} == CASE
    ]
    if len(runs) != 1:
        raise KeyError(f"expected one trajectory of {CASE}, found {len(runs)}")
    run = runs[0]
    calls = _calls(source, run.case_id)
    where = {
        "trajectories": {
            **CASE,
            "threshold": album.parameter(source, "primary_threshold"),
        }
    }
    shown: dict[Part, Fraction | bool] = {}
    album.bind(shown, source, "calls_per_trajectory", where, Fraction(len(calls)))
    album.bind(shown, source, "total_trajectory_tokens", where, Fraction(calls[-1].after))
    album.bind(shown, source, "mean_rounds", where, Fraction(calls[-1].round))
    album.bind(shown, source, "mean_context_tokens", where, Fraction(run.context_tokens))
    for kind in STAGES:
        count = Fraction(sum(call.kind == kind for call in calls))
        album.bind(shown, source, "calls_per_trajectory", {**where, "calls": {"kind": kind}}, count)
    album.bind(shown, source, "acceptance", where, Fraction(run.accepted))
    data = pd.DataFrame(
        {
            "call": [call.position for call in calls],
            "kind": [STAGES[call.kind] for call in calls],
            "round": [call.round for call in calls],
            "memory cap (tokens)": ["no cap" if call.cap is None else number(call.cap) for call in calls],
            "input tokens": [call.input for call in calls],
            "output tokens": [call.output for call in calls],
            "cumulative tokens": [call.after for call in calls],
        }
    )
    return Figure(
        name="infest-calls",
        title=_title(calls, run.accepted),
        caption=(
            "One trajectory of the adaptive controller at its primary threshold, on one question: "
            f"{_kinds(calls)}. A bar "
            "reaches from the tokens before a call to those after it, input and output together; a "
            "round begins with its "
            f"sufficiency check. {album.judges(source, album.refs(shown))} One execution shows a course "
            "and no frequency; "
            "calls that the provider had answered before count in full."
        ),
        alt=_alt(calls, run.accepted),
        data=data,
        claims=album.refs(shown),
        shown=shown,
        chart=_chart(calls, width=610, height=280),
        narrow=_chart(calls, width=280, height=270),
    )


def _calls(source: Source, case: str) -> list[Call]:
    table = source.table(album.PACKAGE, "calls")
    rounds = source.table(album.PACKAGE, "rounds")
    caps = dict(
        rounds[rounds["case_id"] == case]
        .sort_values("round")[["round", "cap"]]
        .itertuples(index=False, name=None)
    )
    none = album.parameter(source, "no_cap")
    found: list[Call] = []
    at = before = 0
    for row in table[table["case_id"] == case].sort_values("position").to_dict("records"):
        at += row["kind"] == "sufficiency"
        cap = int(caps[at])
        call = Call(
            position=int(row["position"]),
            kind=str(row["kind"]),
            input=int(row["input_tokens"]),
            output=int(row["output_tokens"]),
            before=before,
            round=at,
            cap=None if cap == none else cap,
        )
        found.append(call)
        before = call.after
    return found


def _kinds(calls: Sequence[Call]) -> str:
    return listed(
        f"{sum(call.kind == kind for call in calls)} for {name.lower()}" for kind, name in STAGES.items()
    )


def _title(calls: Sequence[Call], accepted: bool) -> str:
    last = max(call.round for call in calls)
    share = Fraction(sum(call.tokens for call in calls if call.round == last), calls[-1].after)
    end = "accepted" if accepted else "not accepted"
    return (
        f"The answer on Infest is {end} after {counted(len(calls), 'call')} in {counted(last, 'round')} and "
        f"{number(calls[-1].after)} tokens, {percent(share)} of them in the last round"
    )


def _alt(calls: Sequence[Call], accepted: bool) -> str:
    dearest, cheapest = max(calls, key=lambda call: call.tokens), min(calls, key=lambda call: call.tokens)
    per_round = listed(
        f"{number(max(call.after for call in calls if call.round == at))} after round {at}"
        for at in sorted({call.round for call in calls})
    )
    return (
        f"Bars of {len(calls)} calls in order, each on top of the tokens before it: {_kinds(calls)}. "
        "Cumulative tokens: "
        f"{per_round}. Largest call: number {dearest.position}, {STAGES[dearest.kind].lower()}, "
        f"{number(dearest.tokens)} "
        f"tokens; smallest: number {cheapest.position}, {STAGES[cheapest.kind].lower()}, "
        f"{number(cheapest.tokens)}. The "
        f"answer was {'accepted' if accepted else 'not accepted'} at the end."
    )


def _chart(calls: Sequence[Call], *, width: int, height: int) -> ChartType:
    import altair as alt

    rows = [
        {
            "position": call.position,
            "before": call.before,
            "after": call.after,
            "series": STAGES[call.kind],
            "tip": f"Call {call.position}, round {call.round}, {STAGES[call.kind].lower()}: "
            f"{number(call.input)} input and "
            f"{number(call.output)} output tokens; {number(call.after)} so far",
        }
        for call in calls
    ]
    top = calls[-1].after * 1.14
    bands = []
    for at in sorted({call.round for call in calls}):
        own = [call for call in calls if call.round == at]
        cap = "no cap" if own[0].cap is None else number(own[0].cap)
        bands.append(
            {
                "start": own[0].position - 0.5,
                "end": own[-1].position + 0.5,
                "middle": (own[0].position + own[-1].position) / 2,
                "cap": cap,
                "fill": theme.BAND if at % 2 else theme.PAPER,
                "top": top,
            }
        )
    horizontal = alt.X(
        "start:Q",
        title="Call, in rounds of growing memory cap (tokens, above)",
        scale=alt.Scale(domain=[0.5, len(calls) + 0.5], nice=False),
        axis=alt.Axis(values=[call.position for call in calls], format="d", grid=False),
    )
    vertical = alt.Y(
        "before:Q",
        title="Cumulative tokens",
        scale=alt.Scale(domain=[0, top], nice=False),
        axis=alt.Axis(format=",d", tickCount=5),
    )
    band = (
        alt.Chart(charts.values(bands))
        .mark_rect()
        .encode(x=horizontal, x2=alt.X2("end:Q"), color=alt.Color("fill:N", scale=None))
    )
    caps = (
        alt.Chart(charts.values(bands))
        .mark_text(baseline="top", dy=4, color=theme.MUTED)
        .encode(x=alt.X("middle:Q"), y=alt.Y("top:Q"), text=alt.Text("cap:N"))
    )
    bars = (
        alt.Chart(charts.values(rows))
        .mark_bar(aria=True, size=width / len(calls) * 0.62, stroke=theme.PAPER, strokeWidth=0.5)
        .encode(
            x=alt.X("position:Q"),
            y=vertical,
            y2=alt.Y2("after:Q"),
            color=series().color("series"),
            description=alt.Description("tip:N"),
        )
    )
    total = (
        alt.Chart(charts.values(rows))
        .mark_line(interpolate="step", color=theme.INK, strokeWidth=1)
        .encode(x=alt.X("position:Q"), y=alt.Y("after:Q"))
    )
    layers = alt.layer(band, total, bars, caps).properties(width=width, height=height)
    resolved: ChartType = layers.resolve_scale(color="independent")
    return resolved
