"""pass^k over k of the airline trials of tau-bench, and how often each task succeeded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING

from tieout.site.figures import album, charts, theme
from tieout.site.figures.figure import Figure, Part
from tieout.site.figures.source import Source, holding
from tieout.site.figures.wording import counted, listed, number, span

if TYPE_CHECKING:
    from altair.typing import ChartType

PACKAGE = "tau-bench-airline"


def figure(source: Source) -> Figure:
    """Two panels: pass^k, and tasks by their number of successes."""
    import pandas as pd

    trials = source.table(PACKAGE, "trials")
    grouped = trials.groupby("task_id")["success"]
    tasks = [(int(wins), int(size)) for wins, size in zip(grouped.sum(), grouped.size(), strict=True)]
    fewest = min(size for _, size in tasks)
    passes = {
        k: sum((Fraction(comb(wins, k), comb(size, k)) for wins, size in tasks), Fraction(0)) / len(tasks)
        for k in range(1, fewest + 1)
    }
    shown: dict[Part, Fraction | bool] = {}
    for k, value in passes.items():
        for ref in holding(source, PACKAGE, "pass_hat_k", {}, {"k": k}):
            shown[ref, "value"] = value
    won = Counter(wins for wins, _ in tasks)
    data = pd.DataFrame(
        {
            "k, or successes of a task": list(range(fewest + 1)),
            "pass^k": [float(passes[k]) if k else None for k in range(fewest + 1)],
            "tasks with so many successes": [won[k] for k in range(fewest + 1)],
        }
    )
    sizes = [size for _, size in tasks]
    some = sum(count for wins, count in won.items() if 0 < wins < fewest)
    return Figure(
        name="pass-hat-k",
        title=(
            f"pass^k falls from {number(passes[1], 3)} to {number(passes[fewest], 3)} at k = {fewest}: "
            f"{some} of {len(tasks)} tasks succeed in some trials and fail in others"
        ),
        caption=(
            f"{counted(len(trials), 'trial')}, {span(min(sizes), max(sizes))} of each of "
            f"{counted(len(tasks), 'task')}. pass^k is "
            "the chance that k trials of a task, drawn without replacement, all succeed, averaged over "
            "the tasks. "
            f"{album.judges(source, album.refs(shown))} A trial that the limit of steps ended counts as "
            "failed. The trials of "
            f"a task are repeats, so that the cases are the {len(tasks)} tasks; one task moves pass^k "
            "by at most "
            f"{number(Fraction(1, len(tasks)), 3)}."
        ),
        alt=(
            "A falling curve, pass^k: "
            f"{listed(f'{number(value, 3)} at k = {k}' for k, value in passes.items())}. Bars, tasks by "
            f"successes: {listed(f'{won[wins]} with {wins}' for wins in range(fewest + 1))}."
        ),
        data=data,
        claims=album.refs(shown),
        shown=shown,
        chart=_chart(passes, won, len(tasks), wide=True),
        narrow=_chart(passes, won, len(tasks), wide=False),
    )


def _chart(passes: Mapping[int, Fraction], won: Mapping[int, int], tasks: int, *, wide: bool) -> ChartType:
    import altair as alt

    size = {"width": 275 if wide else 290, "height": 230 if wide else 180}
    rows = [
        {
            "k": k,
            "value": float(value),
            "text": number(value, 3),
            "tip": f"pass^{k}: {number(value, 3)} ({value.numerator}/{value.denominator})",
        }
        for k, value in passes.items()
    ]
    last = max(passes)
    base = alt.Chart(charts.values(rows)).encode(
        x=alt.X(
            "k:Q",
            title="k (trials that all succeed)",
            scale=alt.Scale(domain=[1, last], padding=30, nice=False),
            axis=alt.Axis(values=list(passes), format="d", grid=False),
        ),
        y=alt.Y(
            "value:Q",
            title="pass^k (proportion)",
            scale=alt.Scale(domain=[0, 0.5])
            if max(passes.values()) <= Fraction(1, 2)
            else alt.Scale(domain=[0, 1]),
            axis=alt.Axis(format=".1f", tickCount=5),
        ),
    )
    curve = alt.layer(
        base.mark_line(color=theme.SERIES["blue"], strokeWidth=2),
        base.mark_point(filled=True, size=80, color=theme.SERIES["blue"], aria=True).encode(
            description=alt.Description("tip:N")
        ),
        base.mark_text(align="left", dx=5, dy=-11, stroke=theme.PAPER, strokeWidth=3).encode(
            text=alt.Text("text:N")
        ),
    ).properties(**size)
    counts = [
        {
            "wins": str(wins),
            "tasks": won.get(wins, 0),
            "tip": f"{counted(won.get(wins, 0), 'task')} of {tasks} with "
            f"{counted(wins, 'success', 'successes')}",
        }
        for wins in range(last + 1)
    ]
    bar = alt.Chart(charts.values(counts)).encode(
        x=alt.X("wins:O", title=f"Successes of {last} trials", axis=alt.Axis(labelAngle=0, ticks=False)),
        y=alt.Y("tasks:Q", title="Tasks", axis=alt.Axis(format="d", tickCount=5)),
    )
    bars = alt.layer(
        bar.mark_bar(color=theme.SERIES["sky"], aria=True, size=34).encode(
            description=alt.Description("tip:N")
        ),
        bar.mark_text(dy=-8).encode(text=alt.Text("tasks:Q")),
    ).properties(**size)
    return charts.beside([curve, bars], wide=wide)
