"""Tokens that a buffer holds after each step of the lesson's run, under each rule at its budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from tieout.site.figures import album, charts, theme
from tieout.site.figures.figure import Figure, Part
from tieout.site.figures.source import Source
from tieout.site.figures.wording import counted, listed, number

if TYPE_CHECKING:
    import altair as alt
    from altair.typing import ChartType

PACKAGE = "buffer-lab"
RUN = "home"
RULES: Mapping[str, tuple[str, str]] = {
    "No eviction": ("no-eviction", "none"),
    "FIFO": ("fifo", "none"),
    "Priority": ("priority", "most-re-read"),
}
LOOK = charts.Series(
    names={name: name for name in RULES},
    hues={
        "No eviction": theme.SERIES["grey"],
        "FIFO": theme.SERIES["vermillion"],
        "Priority": theme.SERIES["blue"],
    },
    shapes={"No eviction": "square", "FIFO": "cross", "Priority": "circle"},
    dashes={"No eviction": theme.SOLID, "FIFO": theme.DASHED, "Priority": theme.SOLID},
)
Steps = Mapping[str, Sequence[Mapping[str, int]]]  # rule's name; by step


def figure(source: Source) -> Figure:
    """A curve a rule over the steps, with the budget, and where the instruction leaves."""
    import pandas as pd

    budget = album.parameter(source, "budget", PACKAGE)
    table = source.table(PACKAGE, "buffer_steps")
    table = table[(table["run"] == RUN) & (table["budget"] == budget)]
    shown: dict[Part, Fraction | bool] = {}
    found: dict[str, list[dict[str, int]]] = {}
    for name, (rule, tie_break) in RULES.items():
        own = table[(table["rule"] == rule) & (table["tie_break"] == tie_break)].sort_values("step")
        found[name] = [
            {
                "step": int(row["step"]),
                "tokens": int(row["tokens_held"]),
                "entries": int(row["entries_held"]),
                "instruction": int(row["instruction_held"]),
            }
            for row in own.to_dict("records")
        ]
        where = {"run": RUN, "rule": rule, "tie_break": tie_break, "budget": budget}
        for row in found[name]:
            at = {"buffer_steps": {**where, "step": row["step"]}}
            album.bind(shown, source, "buffer_tokens_held", at, Fraction(row["tokens"]), PACKAGE)
            album.bind(shown, source, "buffer_entries_held", at, Fraction(row["entries"]), PACKAGE)
        most = Fraction(max(row["tokens"] for row in found[name]))
        album.bind(shown, source, "buffer_most_tokens_held", {"buffer_steps": where}, most, PACKAGE)
        lost = _lost(found[name])
        if lost is not None:
            evicted = {"buffer_evicted": {**where, "kind": "instruction"}}
            album.bind(shown, source, "buffer_eviction_step", evicted, Fraction(lost), PACKAGE)
    steps = [row["step"] for row in rows_of(found)]
    data = pd.DataFrame(
        {
            "step": steps,
            **{f"{name} (tokens held)": [row["tokens"] for row in rows] for name, rows in found.items()},
            **{
                f"{name} holds the instruction": [bool(row["instruction"]) for row in rows]
                for name, rows in found.items()
            },
        }
    )
    return Figure(
        name="buffer-held",
        title=_title(found, budget),
        caption=(
            f"The lesson's declared run of {counted(len(steps), 'step')} under a budget of "
            f"{number(budget)} tokens, made anew by "
            "an instrument: a fixture, and no agent ran. Priority keeps by kind of entry, then what is "
            "most re-read over the "
            "whole run, known in advance; with re-reads known only so far it holds other entries. No "
            "evaluator has a part; "
            "what a buffer holds says nothing about how well an agent would do with it."
        ),
        alt=_alt(found, budget),
        data=data,
        claims=album.refs(shown),
        shown=shown,
        chart=_chart(found, budget, wide=True),
        narrow=_chart(found, budget, wide=False),
    )


def _lost(rows: Sequence[Mapping[str, int]]) -> int | None:
    """The first step after which the instruction is not held; None where it stays."""
    return next((row["step"] for row in rows if not row["instruction"]), None)


def _title(found: Steps, budget: int) -> str:
    lost = {name: step for name, rows in found.items() if (step := _lost(rows)) is not None}
    bounded = [name for name, rows in found.items() if max(row["tokens"] for row in rows) <= budget]
    loses = listed(f"{name} loses the instruction at step {step}" for name, step in lost.items())
    keeps = listed([name for name in bounded if name not in lost])
    return f"Under {number(budget)} tokens {loses or 'no rule loses the instruction'}" + (
        f"; {keeps} keeps it to the end" if lost and keeps else ""
    )


def _alt(found: Steps, budget: int) -> str:
    parts = []
    for name, rows in found.items():
        most = max(rows, key=lambda row: row["tokens"])
        lost = _lost(rows)
        held = "holds the instruction to the end" if lost is None else f"loses the instruction at step {lost}"
        parts.append(
            f"{name}: {number(rows[-1]['tokens'])} tokens after step {rows[-1]['step']}, at most "
            f"{number(most['tokens'])} "
            f"after step {most['step']}, {held}"
        )
    return (
        f"Curves of tokens held over steps, with a line at the budget of {number(budget)}. "
        f"{'; '.join(parts)}."
    )


def _chart(found: Steps, budget: int, *, wide: bool) -> ChartType:
    import altair as alt

    rows = [
        {
            "series": name,
            "step": row["step"],
            "tokens": row["tokens"],
            "entries": row["entries"],
            "tip": f"{name}, step {row['step']}: {number(row['tokens'])} tokens in "
            f"{counted(row['entries'], 'entry', 'entries')}, "
            f"{'with' if row['instruction'] else 'without'} the instruction",
        }
        for name, held in found.items()
        for row in held
    ]
    last = max(row["step"] for row in rows_of(found))
    horizontal = alt.X(
        "step:Q",
        title="Step",
        scale=alt.Scale(domain=[1, last], nice=False),
        axis=alt.Axis(format="d", tickCount=6, grid=False),
    )
    size = {"width": 285, "height": 240 if wide else 190}
    panels = []
    for field, title in (("tokens", "Tokens held"), ("entries", "Entries held")):
        vertical = alt.Y(
            f"{field}:Q",
            title=title,
            scale=alt.Scale(domainMin=0, nice=True),
            axis=alt.Axis(format=",d", tickCount=5),
        )
        base = alt.Chart(charts.values(rows)).encode(
            x=horizontal, y=vertical, color=LOOK.color("series", lines=True)
        )
        layers = [base.mark_line(strokeWidth=1.9).encode(strokeDash=LOOK.dash("series"))]
        if field == "tokens":
            # seen only while the pointer or a key is on them: a line of points would hide the lines
            dots = base.mark_point(filled=True, shape="square", size=30, opacity=0, aria=True)
            layers += [
                *_limit(budget, last, horizontal, vertical),
                dots.encode(description=alt.Description("tip:N")),
            ]
        losses = [
            {"step": step, field: held[step - 1][field], "text": f"instruction lost, step {step}"}
            for held in found.values()
            if (step := _lost(held)) is not None
        ]
        lost = alt.Chart(charts.values(losses)).encode(x=horizontal, y=vertical)
        ring = lost.mark_point(filled=False, size=130, strokeWidth=2, color=theme.INK)
        note = lost.mark_text(align="left", baseline="top", dx=4, dy=12, stroke=theme.PAPER, strokeWidth=3)
        panels.append(alt.layer(*layers, ring, note.encode(text=alt.Text("text:N"))).properties(**size))
    return charts.beside(panels, wide=wide)


def rows_of(found: Steps) -> Sequence[Mapping[str, int]]:
    """The steps of any one rule: all rules see the same."""
    return next(iter(found.values()))


def _limit(budget: int, last: int, horizontal: alt.X, vertical: alt.Y) -> list[alt.Chart]:
    import altair as alt

    limit = alt.Chart(charts.values([{"tokens": budget, "step": last, "text": f"budget {number(budget)}"}]))
    word = limit.mark_text(align="right", baseline="bottom", dy=-3, stroke=theme.PAPER, strokeWidth=3)
    return [
        limit.mark_rule(color=theme.INK, strokeDash=theme.DOTTED).encode(y=vertical),
        word.encode(x=horizontal, y=vertical, text=alt.Text("text:N")),
    ]
