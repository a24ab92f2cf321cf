"""Tier occupancy over the requests of the declared conversation, under demotion and under truncation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from tieout.site.figures import album, charts, theme
from tieout.site.figures.figure import Figure, Part
from tieout.site.figures.source import Source
from tieout.site.figures.wording import counted, listed, number, percent

if TYPE_CHECKING:
    from altair.typing import ChartType

PACKAGE = "tiered-memory"
TIERS: Mapping[str, str] = {
    "system": "System",
    "working": "Working",
    "episodic": "Episodic",
    "semantic": "Semantic",
}
POLICIES: Mapping[str, str] = {"demotion": "Demotion", "truncation": "Truncation"}
LOOK = charts.Series(
    names=TIERS,
    hues={
        "system": theme.SERIES["grey"],
        "working": theme.SERIES["blue"],
        "episodic": theme.SERIES["orange"],
        "semantic": theme.SERIES["green"],
    },
    shapes=dict.fromkeys(TIERS, "square"),
    dashes=dict.fromkeys(TIERS, theme.SOLID),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """A request's prompt: tokens by tier, and of a prompt with everything known so far."""

    policy: str
    number: int
    tiers: Mapping[str, int]
    everything: int

    @property
    def prompt(self) -> int:
        """Tokens of the whole prompt."""
        return sum(self.tiers.values())


def figure(source: Source) -> Figure:
    """A panel a policy: stacked tiers a request, with the ceiling and a prompt of everything."""
    import pandas as pd

    table = source.table(PACKAGE, "requests").sort_values(["policy", "request"])
    budget = {row["part"]: int(row["tokens"]) for row in source.table(PACKAGE, "budget").to_dict("records")}
    found = [
        Request(
            policy=row["policy"],
            number=int(row["request"]),
            tiers={tier: int(row[f"{tier}_tokens"]) for tier in TIERS},
            everything=int(row["everything_tokens"]),
        )
        for row in table.to_dict("records")
    ]
    shown: dict[Part, Fraction | bool] = {}
    for policy in POLICIES:
        own, where = _of(found, policy), {"requests": {"policy": policy}}
        everything, sent = (
            Fraction(sum(one.everything for one in own)),
            Fraction(sum(one.prompt for one in own)),
        )
        album.bind(shown, source, "everything_tokens", where, everything, PACKAGE)
        album.bind(shown, source, "assembled_tokens", where, sent, PACKAGE)
    data = pd.DataFrame(
        {
            "policy": [POLICIES[one.policy] for one in found],
            "request (turn)": [one.number for one in found],
            **{f"{name} (tokens)": [one.tiers[tier] for one in found] for tier, name in TIERS.items()},
            "prompt (tokens)": [one.prompt for one in found],
            "everything known (tokens)": [one.everything for one in found],
        }
    )
    return Figure(
        name="tier-occupancy",
        title=_title(found),
        caption=_caption(found, budget),
        alt=_alt(found, budget),
        data=data,
        claims=album.refs(shown),
        shown=shown,
        chart=_chart(found, budget, wide=True),
        narrow=_chart(found, budget, wide=False),
    )


def _of(found: Sequence[Request], policy: str) -> list[Request]:
    return [one for one in found if one.policy == policy]


def _title(found: Sequence[Request]) -> str:
    kept, cut = (_of(found, policy)[-1] for policy in ("demotion", "truncation"))
    episodes = number(cut.tiers["episodic"]) if cut.tiers["episodic"] else "none"
    return (
        f"At the last request demotion sends {number(kept.prompt)} of the {number(kept.everything)} "
        "tokens known, "
        f"{number(kept.tiers['episodic'])} of them episodes; truncation sends {number(cut.prompt)}, "
        f"{episodes} of them episodes"
    )


def _caption(found: Sequence[Request], budget: Mapping[str, int]) -> str:
    own = _of(found, "demotion")
    parts = listed(f"{TIERS[tier].lower()} {number(budget[tier])}" for tier in TIERS)
    return (
        f"{counted(len(own), 'request')} of a conversation declared for this package, assembled anew by "
        "an instrument: a fixture, "
        f"and no model had a part in it. Budget in tokens: {parts}, reserve "
        f"{number(budget['reserve'])}, in all "
        f"{number(budget['total'])}. The line is a prompt of the frame, every turn so far and every "
        "chunk. No evaluator: what a "
        "prompt holds is counted, what a model would make of it is not."
    )


def _alt(found: Sequence[Request], budget: Mapping[str, int]) -> str:
    parts = []
    for policy, name in POLICIES.items():
        own = _of(found, policy)
        most = max(own, key=lambda one: one.prompt)
        tiers = listed(f"{label.lower()} {number(own[-1].tiers[tier])}" for tier, label in TIERS.items())
        parts.append(
            f"{name}: at most {number(most.prompt)} tokens at request {most.number}; at the last "
            f"request {tiers}"
        )
    low, high = found[0].everything, max(one.everything for one in found)
    ceiling = percent(Fraction(max(one.prompt for one in found), budget["total"]))
    return (
        f"Stacked bars of tokens by tier over requests, a panel a policy. {'. '.join(parts)}. A prompt "
        "of everything grows from "
        f"{number(low)} to {number(high)} tokens; no prompt takes more than {ceiling} of the ceiling of "
        f"{number(budget['total'])}."
    )


def _chart(found: Sequence[Request], budget: Mapping[str, int], *, wide: bool) -> ChartType:
    import altair as alt

    width, height = (285, 250) if wide else (285, 190)
    numbers = sorted({one.number for one in found})
    top = max(*(one.everything for one in found), budget["total"]) * 1.04
    panels = []
    for policy, name in POLICIES.items():
        own = _of(found, policy)
        rows = []
        for one in own:
            low = 0
            for tier, label in TIERS.items():
                high = low + one.tiers[tier]
                if high > low:
                    rows.append(
                        {
                            "request": one.number,
                            "series": label,
                            "low": low,
                            "high": high,
                            "tip": f"{name}, request {one.number}, {label.lower()}: "
                            f"{number(one.tiers[tier])} of "
                            f"{number(budget[tier])} tokens; the prompt {number(one.prompt)}",
                        }
                    )
                low = high
        horizontal = alt.X(
            "request:Q",
            title="Request (the user's turn answered)",
            scale=alt.Scale(domain=[numbers[0] - 1, numbers[-1] + 1], nice=False),
            axis=alt.Axis(format="d", values=numbers[::2], grid=False),
        )
        vertical = alt.Y(
            "low:Q",
            title="Tokens",
            scale=alt.Scale(domain=[0, top], nice=False),
            axis=alt.Axis(format=",d", tickCount=5),
        )
        bars = (
            alt.Chart(charts.values(rows))
            .mark_bar(aria=True, size=width / len(numbers) * 0.72, stroke=theme.PAPER, strokeWidth=0.8)
            .encode(
                x=horizontal,
                y=vertical,
                y2=alt.Y2("high:Q"),
                color=LOOK.color("series", 4),
                description=alt.Description("tip:N"),
            )
        )
        known = alt.Chart(charts.values([{"request": one.number, "low": one.everything} for one in own]))
        line = known.mark_line(color=theme.INK, strokeWidth=1.5).encode(x=horizontal, y=vertical)
        rules = alt.Chart(charts.values([{"low": budget["total"], "at": numbers[0] - 1, "text": "ceiling"}]))
        rule = rules.mark_rule(color=theme.INK, strokeDash=theme.DASHED).encode(y=vertical)
        words = rules.mark_text(align="left", baseline="bottom", dx=2, dy=-3).encode(
            x=alt.X("at:Q"), y=vertical, text=alt.Text("text:N")
        )
        last = own[-1]
        end = alt.Chart(
            charts.values([{"request": last.number, "low": last.everything, "text": "everything known"}])
        )
        label = end.mark_text(align="right", dx=-14, dy=-2, stroke=theme.PAPER, strokeWidth=3).encode(
            x=horizontal, y=vertical, text=alt.Text("text:N")
        )
        panels.append(
            alt.layer(bars, line, rule, words, label).properties(width=width, height=height, title=name)
        )
    return charts.beside(panels, wide=wide)
