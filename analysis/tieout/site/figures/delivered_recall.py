"""Delivered recall over budgets: what of the required facts reaches the reader, and what the "
"retriever had selected."""

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

PACKAGE = "retrieval-suite"
RETRIEVERS: Mapping[str, str] = {"bm25": "BM25", "tfidf": "TF-IDF"}
LOOK = charts.Series(
    names=RETRIEVERS,
    # TF-IDF looks as it does in the other studies
    hues={"bm25": theme.SERIES["blue"], "tfidf": album.HUES["tfidf"]},
    shapes={"bm25": "circle", "tfidf": album.SHAPES["tfidf"]},
    dashes={"bm25": theme.SOLID, "tfidf": album.DASHES["tfidf"]},
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Point:
    """A retriever under a budget, summed over the queries that have evidence."""

    retriever: str
    budget: int
    required: int
    selected: int
    delivered: int
    used: int
    wasted: int

    @property
    def recall(self) -> Fraction:
        """The metric `retrieval_fact_recall`."""
        return Fraction(self.delivered, self.required)

    @property
    def reach(self) -> Fraction:
        """The share of required facts whose items were selected: what a budget without end would deliver."""
        return Fraction(self.selected, self.required)


def figure(source: Source) -> Figure:
    """Curves of delivered fact recall over budgets, one a retriever, with its recall before rendering."""
    import pandas as pd

    table = source.table(PACKAGE, "recall")
    asked = table[table["required_facts"] > 0]
    shown: dict[Part, Fraction | bool] = {}
    found = []
    for (retriever, budget), rows in asked.groupby(["retriever", "budget"], sort=True):
        one = Point(
            retriever=str(retriever),
            budget=int(budget),
            required=int(rows["required_facts"].sum()),
            selected=int(rows["selected_facts"].sum()),
            delivered=int(rows["delivered_facts"].sum()),
            used=int(rows["used_tokens"].sum()),
            wasted=int(rows["wasted_tokens"].sum()),
        )
        found.append(one)
        where = {"recall": {"retriever": one.retriever, "budget": one.budget}}
        album.bind(shown, source, "retrieval_fact_recall", where, one.recall, PACKAGE)
    data = pd.DataFrame(
        {
            "retriever": [RETRIEVERS[one.retriever] for one in found],
            "budget (tokens)": [one.budget for one in found],
            "facts delivered": [one.delivered for one in found],
            "facts selected": [one.selected for one in found],
            "facts required": [one.required for one in found],
            "tokens used": [one.used for one in found],
            "tokens wasted": [one.wasted for one in found],
        }
    )
    queries = int(asked["query_id"].nunique())
    silent = int(table["query_id"].nunique()) - queries
    return Figure(
        name="delivered-recall",
        title=_title(found),
        caption=(
            f"{counted(queries, 'question')} with {counted(found[0].required, 'required fact')}, asked of "
            f"{counted(len(RETRIEVERS), 'retriever')}; {counted(silent, 'question')} without evidence "
            "left out. A fact counts as "
            "delivered where the context, cut at the budget, holds every token of it; the line to the "
            "right is the share whose "
            "items were selected at all. Evaluator: delivery-rule, code outside the loop; which facts "
            "are required was "
            "annotated by the authors of the suite before any run. It measures these retrievers on "
            "these records, and "
            "nothing wider; no model read the contexts."
        ),
        alt=_alt(found),
        data=data,
        claims=album.refs(shown),
        shown=shown,
        chart=_chart(found, width=600, height=270),
        narrow=_chart(found, width=280, height=230),
    )


def _of(found: Sequence[Point], retriever: str) -> list[Point]:
    return [one for one in found if one.retriever == retriever]


def _said(one: Point) -> str:
    return f"{one.delivered} of {one.required}"


def _title(found: Sequence[Point]) -> str:
    small, large = min(one.budget for one in found), max(one.budget for one in found)
    first = {one.retriever: one for one in found if one.budget == small}
    last = {one.retriever: one for one in found if one.budget == large}
    parts = listed(
        f"{_said(first[retriever])} to {_said(last[retriever])} facts with {name}"
        for retriever, name in RETRIEVERS.items()
    )
    return f"From {number(small)} to {number(large)} tokens of context, what is delivered grows from {parts}"


def _alt(found: Sequence[Point]) -> str:
    curves = "; ".join(
        f"{name}: "
        + listed(f"{_said(one)} at {number(one.budget)} tokens" for one in _of(found, retriever))
        + f", {_of(found, retriever)[-1].selected} selected before rendering"
        for retriever, name in RETRIEVERS.items()
    )
    most = max(found, key=lambda one: one.recall)
    return (
        f"Curves of required facts delivered over the context's budget. {curves}. Highest: "
        f"{RETRIEVERS[most.retriever]} at "
        f"{number(most.budget)} tokens, {percent(most.recall)}."
    )


def _chart(found: Sequence[Point], *, width: int, height: int) -> ChartType:
    import altair as alt

    budgets = sorted({one.budget for one in found})
    rows = [
        {
            "series": RETRIEVERS[one.retriever],
            "budget": one.budget,
            "share": float(one.recall),
            "tip": f"{RETRIEVERS[one.retriever]}, {number(one.budget)} tokens: {_said(one)} facts "
            f"delivered, {one.selected} "
            f"selected; {percent(Fraction(one.wasted, one.used))} of the tokens used are no evidence",
        }
        for one in found
    ]
    horizontal = alt.X(
        "budget:Q",
        title="Budget of the context (tokens, logarithmic)",
        scale=alt.Scale(type="log", domain=[budgets[0] / 1.15, budgets[-1] * 1.5], nice=False),
        axis=alt.Axis(values=budgets, format=",d", grid=False),
    )
    vertical = alt.Y(
        "share:Q",
        title="Required facts delivered",
        scale=alt.Scale(domain=[0, 1]),
        axis=alt.Axis(format=".0%", tickCount=5),
    )
    reach = [
        {
            "series": name,
            "budget": budgets[-1] * 1.2,
            "to": budgets[-1] * 1.5,
            "share": float(_of(found, retriever)[-1].reach),
            "tip": f"{name}: {_of(found, retriever)[-1].selected} of "
            f"{_of(found, retriever)[-1].required} facts selected "
            "before rendering",
        }
        for retriever, name in RETRIEVERS.items()
    ]
    ticks = (
        alt.Chart(charts.values(reach))
        .mark_rule(strokeWidth=3, aria=True)
        .encode(
            x=horizontal,
            x2=alt.X2("to:Q"),
            y=vertical,
            color=LOOK.color("series"),
            description=alt.Description("tip:N"),
        )
    )
    word = (
        alt.Chart(
            charts.values(
                [
                    {
                        "budget": budgets[-1] * 1.5,
                        "share": max(float(one.reach) for one in found),
                        "text": "selected",
                    }
                ]
            )
        )
        .mark_text(align="right", baseline="bottom", dy=-5, color=theme.MUTED)
        .encode(x=horizontal, y=vertical, text=alt.Text("text:N"))
    )
    return alt.layer(*charts.curves(rows, LOOK, horizontal, vertical), ticks, word).properties(
        width=width, height=height
    )
