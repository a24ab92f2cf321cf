"""Amortization in the pilot: after how many answers the summaries' building is repaid by their "
"smaller input."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING

from tieout.site.figures import album, charts, theme
from tieout.site.figures.figure import Figure, Part
from tieout.site.figures.pilot import POLICIES, SERIES, macro
from tieout.site.figures.source import Source
from tieout.site.figures.wording import counted, number

if TYPE_CHECKING:
    from altair.typing import ChartType

PAIR = ("full", "summary")


@dataclass(frozen=True, kw_only=True, slots=True)
class Cost:
    """Input tokens: of building all summaries, and of an answer under each policy; and how many "
    "albums they are for."""

    build: int
    full: Fraction
    summary: Fraction
    albums: int

    @property
    def even(self) -> Fraction:
        """The metric `summary_amortization_queries`."""
        return Fraction(self.build) / (self.full - self.summary)

    def total(self, policy: str, answers: Fraction | int) -> Fraction:
        """Input tokens after so many answers."""
        return answers * self.full if policy == "full" else self.build + answers * self.summary


def figure(source: Source) -> Figure:
    """Cumulative input tokens over answers of both policies, and where they cross."""
    import pandas as pd

    answers = source.table(album.PILOT, "answers")
    usage = source.table(album.PILOT, "stage_usage")
    cost = Cost(
        build=int(usage[usage["stage"] == "summary"]["input_tokens"].sum()),
        full=macro(answers[answers["policy"] == "full"], "input_tokens"),
        summary=macro(answers[answers["policy"] == "summary"], "input_tokens"),
        albums=int(answers[answers["policy"].isin(PAIR)]["album"].nunique()),
    )
    shown: dict[Part, Fraction | bool] = {}
    for metric, where, value in (
        ("summary_amortization_queries", {}, cost.even),
        ("summary_amortization_queries_per_album", {}, cost.even / cost.albums),
        ("stage_input_tokens", {"stage_usage": {"stage": "summary"}}, Fraction(cost.build)),
        ("macro_input_tokens", {"answers": {"policy": "full"}}, cost.full),
        ("macro_input_tokens", {"answers": {"policy": "summary"}}, cost.summary),
    ):
        album.bind(shown, source, metric, where, value, album.PILOT)
    last = 2 * ceil(cost.even)
    counts = list(range(last + 1))
    data = pd.DataFrame(
        {
            "answers": counts,
            **{
                f"{POLICIES[policy]} (input tokens)": [float(cost.total(policy, count)) for count in counts]
                for policy in PAIR
            },
        }
    )
    return Figure(
        name="amortization",
        title=(
            f"The summaries' {number(cost.build)} input tokens are repaid after {number(cost.even, 1)} "
            "answers, "
            f"{number(cost.even / cost.albums, 1)} an album"
        ),
        caption=(
            "Input tokens alone, computed and not observed: building the summaries of "
            f"{counted(cost.albums, 'album')} once "
            f"(a recorded total without a receipt a call), then {number(cost.summary, 1)} an answer, against "
            f"{number(cost.full, 1)} an answer under the full archive (means over repetitions, "
            "questions and albums). "
            "Answers are spread evenly over the albums; output tokens and the annotation of the "
            "tracks, which both policies "
            "read, are left out. No evaluator has a part, so that nothing here says whether the "
            "answers are as good."
        ),
        alt=(
            f"Two straight lines over the number of answers, to {last}. {POLICIES['full']} rises from "
            "none to "
            f"{number(cost.total('full', last))} input tokens, {POLICIES['summary'].lower()} from "
            f"{number(cost.build)} to "
            f"{number(cost.total('summary', last))}; they cross at {number(cost.even, 2)} answers and "
            f"{number(cost.total('full', cost.even))} tokens."
        ),
        data=data,
        claims=album.refs(shown),
        shown=shown,
        chart=_chart(cost, last, width=590, height=270),
        narrow=_chart(cost, last, width=268, height=230),
    )


def _chart(cost: Cost, last: int, *, width: int, height: int) -> ChartType:
    import altair as alt

    look = charts.Series(
        names={policy: POLICIES[policy] for policy in PAIR},
        hues=SERIES.hues,
        shapes=SERIES.shapes,
        dashes=SERIES.dashes,
    )
    rows = [
        {
            "answers": count,
            "tokens": float(cost.total(policy, count)),
            "series": POLICIES[policy],
            "tip": f"{POLICIES[policy]} after {counted(count, 'answer')}: "
            f"{number(cost.total(policy, count))} input tokens",
        }
        for policy in PAIR
        for count in range(last + 1)
    ]
    cross = [
        {
            "answers": float(cost.even),
            "tokens": float(cost.total("full", cost.even)),
            "low": 0,
            "text": f"even at {number(cost.even, 1)} answers",
            "tip": f"Even at {number(cost.even, 2)} answers, {number(cost.total('full', cost.even))} "
            "input tokens",
        }
    ]
    horizontal = alt.X(
        "answers:Q",
        title="Answers, spread evenly over the albums",
        scale=alt.Scale(domain=[0, last], nice=False),
        axis=alt.Axis(format="d", tickCount=10, grid=False),
    )
    vertical = alt.Y(
        "tokens:Q",
        title="Cumulative input tokens",
        scale=alt.Scale(domainMin=0, nice=True),
        axis=alt.Axis(format=",d", tickCount=5),
    )
    base = alt.Chart(charts.values(look.keyed(rows))).encode(
        x=horizontal, y=vertical, color=look.color("series")
    )
    lines = base.mark_line(strokeWidth=2).encode(strokeDash=look.dash_alone("key"))
    dots = base.mark_point(filled=True, size=30, aria=True).encode(
        shape=look.shape("series"), description=alt.Description("tip:N")
    )
    even = alt.Chart(charts.values(cross)).encode(x=horizontal)
    rule = even.mark_rule(color=theme.AXIS, strokeDash=theme.DASHED).encode(
        y=alt.Y("low:Q"), y2=alt.Y2("tokens:Q")
    )
    point = even.mark_point(aria=True, filled=False, size=140, strokeWidth=2, color=theme.INK).encode(
        y=vertical, description=alt.Description("tip:N")
    )
    text = even.mark_text(align="right", dx=-12, dy=-10, stroke=theme.PAPER, strokeWidth=3).encode(
        y=vertical, text=alt.Text("text:N")
    )
    return alt.layer(lines, rule, dots, point, text).properties(width=width, height=height)
