"""Tokens against recall and coverage in the pilot: what a smaller memory costs in evidence and what "
"the judge sees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from tieout.site.figures import album, charts
from tieout.site.figures.figure import Figure, Part
from tieout.site.figures.labels import Scale
from tieout.site.figures.pilot import POLICIES, SERIES, macro
from tieout.site.figures.source import Source
from tieout.site.figures.wording import counted, listed, number, percent, points

if TYPE_CHECKING:
    from altair.typing import ChartType


@dataclass(frozen=True, kw_only=True, slots=True)
class Means:
    """Macro means of a policy."""

    tokens: Fraction
    recall: Fraction
    coverage: Fraction


def figure(source: Source) -> Figure:
    """Two panels over mean input tokens: designated evidence recall, and the judge's coverage."""
    import pandas as pd

    answers = source.table(album.PILOT, "answers")
    shown: dict[Part, Fraction | bool] = {}
    found: dict[str, Means] = {}
    for policy in POLICIES:
        own = answers[answers["policy"] == policy]
        means = Means(
            tokens=macro(own, "input_tokens"),
            recall=macro(own, "cited_targets", "target_count"),
            coverage=macro(own, "coverage"),
        )
        found[policy] = means
        for metric, value in (
            ("macro_input_tokens", means.tokens),
            ("macro_evidence_recall", means.recall),
            ("macro_coverage", means.coverage),
        ):
            album.bind(shown, source, metric, {"answers": {"policy": policy}}, value, album.PILOT)
    highest = album.parameter(source, "judge_rating_maximum", album.PILOT)
    data = pd.DataFrame(
        {
            "policy": list(POLICIES.values()),
            "input tokens an answer": [float(found[policy].tokens) for policy in POLICIES],
            "evidence recall (%)": [float(found[policy].recall * 100) for policy in POLICIES],
            f"coverage (of {highest})": [float(found[policy].coverage) for policy in POLICIES],
            "answers": [int((answers["policy"] == policy).sum()) for policy in POLICIES],
        }
    )
    questions = int(answers["question_id"].nunique())
    return Figure(
        name="pilot-tradeoff",
        title=_title(found, highest),
        caption=(
            f"{counted(len(answers), 'answer')} to {counted(questions, 'question')}. Means over "
            "repetitions, then questions, "
            "then albums. Input tokens are an answer's own, without the work that prepared the memory. "
            "Recall is the share "
            f"of designated tracks that an answer cites, found by code; coverage, of {highest}, is a rating. "
            f"{album.judges(source, album.refs(shown))} With "
            f"{counted(int(answers['album'].nunique()), 'album')} a difference "
            "between policies is a description of these questions and no estimate for others."
        ),
        alt=_alt(found, highest),
        data=data,
        claims=album.refs(shown),
        shown=shown,
        chart=_chart(found, highest, wide=True),
        narrow=_chart(found, highest, wide=False),
    )


def _title(found: Mapping[str, Means], highest: int) -> str:
    recalls = max(found, key=lambda policy: found[policy].recall)
    cheapest = min(found, key=lambda policy: found[policy].tokens)
    lost = found[recalls].recall - found[cheapest].recall
    return (
        f"{POLICIES[recalls]} recalls most of the designated evidence ({percent(found[recalls].recall, 1)}); "
        f"{POLICIES[cheapest].lower()}, the cheapest, loses {points(lost)} of it but only "
        f"{number(found[recalls].coverage - found[cheapest].coverage, 2)} of {highest} in coverage"
    )


def _alt(found: Mapping[str, Means], highest: int) -> str:
    rows = listed(
        f"{POLICIES[policy]} at {number(means.tokens, 1)} tokens with recall {percent(means.recall, 1)} "
        "and coverage "
        f"{number(means.coverage, 2)}"
        for policy, means in sorted(found.items(), key=lambda item: item[1].tokens)
    )
    return (
        "Two scatter plots over mean input tokens an answer: evidence recall, and coverage of "
        f"{highest}. From the cheapest: {rows}."
    )


def _chart(found: Mapping[str, Means], highest: int, *, wide: bool) -> ChartType:
    import altair as alt

    rows = [
        {
            "policy": POLICIES[policy],
            "tokens": float(means.tokens),
            "recall": float(means.recall),
            "coverage": float(means.coverage),
            "tip": f"{POLICIES[policy]}: {number(means.tokens, 1)} input tokens an answer, recall "
            f"{percent(means.recall, 1)}, coverage {number(means.coverage, 2)} of {highest}",
        }
        for policy, means in found.items()
    ]
    width, height = (275, 230) if wide else (290, 180)
    most = max(float(means.tokens) for means in found.values())
    x = Scale(low=0, high=most * 1.1, pixels=width)
    horizontal = alt.X(
        "tokens:Q",
        title="Mean input tokens an answer",
        scale=alt.Scale(domain=[x.low, x.high], nice=False),
        axis=alt.Axis(format=",d", tickCount=4),
    )
    panels = []
    for field, title, top, form in (
        ("recall", "Designated evidence recall", 1.0, ".0%"),
        ("coverage", f"Coverage by the judge (of {highest})", float(highest), "d"),
    ):
        vertical = alt.Y(
            f"{field}:Q",
            title=title,
            scale=alt.Scale(domain=[0, top]),
            axis=alt.Axis(format=form, tickCount=highest),
        )
        marks = (
            alt.Chart(charts.values(rows))
            .mark_point(filled=True, size=95, aria=True)
            .encode(
                x=horizontal,
                y=vertical,
                color=SERIES.color("policy", None),
                shape=SERIES.shape("policy", None),
                description=alt.Description("tip:N"),
            )
        )
        texts = [
            (float(means.tokens), float(getattr(means, field)), POLICIES[policy])
            for policy, means in found.items()
        ]
        y = Scale(low=0, high=top, pixels=height)
        layers = charts.labels(texts, x, y, horizontal, vertical)
        panels.append(alt.layer(marks, *layers).properties(width=width, height=height))
    return charts.beside(panels, wide=wide)
