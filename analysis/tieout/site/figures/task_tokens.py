"""Mean trajectory tokens of each task under each setting of Part II."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from tieout.site.figures import album, heatmap
from tieout.site.figures.album import Setting, mean_tokens, sums
from tieout.site.figures.figure import Figure, Part
from tieout.site.figures.source import Source
from tieout.site.figures.wording import counted, ends, number, span, times

if TYPE_CHECKING:
    from altair.typing import ChartType

Cells = Mapping[tuple[str, str], Mapping[str, int]]  # setting's label, task


def figure(source: Source) -> Figure:
    """A heatmap of settings by tasks: mean tokens of a trajectory."""
    import pandas as pd

    given = album.primary(source)
    found = album.settings(source, given)
    tasks = [task for task in album.TASKS if any(one.task == task for one in given)]
    negative = {one.task for one in given if not one.answerable} - {
        one.task for one in given if one.answerable
    }
    shown: dict[Part, Fraction | bool] = {}
    cells: dict[tuple[str, str], Mapping[str, int]] = {}
    for one in found:
        for task in tasks:
            rows = sums(run for run in given if run.setting == one.label and run.task == task)
            cells[one.label, task] = rows
            wheres = [one.where(task=task)]
            if negative == {task}:
                wheres.append(one.where(answerable=False))
            for where in wheres:
                album.bind(shown, source, "mean_trajectory_tokens", where, mean_tokens(rows))
    data = pd.DataFrame(
        {
            "setting": [one.label for one in found],
            **{
                f"{album.TASKS[task]} (tokens)": [float(mean_tokens(cells[one.label, task])) for one in found]
                for task in tasks
            },
            "trajectories a cell": [cells[one.label, tasks[0]]["trajectories"] for one in found],
        }
    )
    return Figure(
        name="task-tokens",
        title=_title(cells),
        caption=_caption(found, cells),
        alt=_alt(cells),
        data=data,
        claims=album.refs(shown),
        shown=shown,
        chart=_chart(found, tasks, cells, width=86, height=22, angle=0),
        narrow=_chart(found, tasks, cells, width=41, height=23, angle=-45),
    )


def _title(cells: Cells) -> str:
    key = max(cells, key=lambda one: mean_tokens(cells[one]))
    beside = {
        label: mean_tokens(rows)
        for (label, task), rows in cells.items()
        if task == key[1] and label != key[0]
    }
    second = max(beside, key=beside.__getitem__)
    return (
        f"{key[0]} spends most on {album.TASKS[key[1]].lower()} questions: "
        f"{number(mean_tokens(cells[key]))} tokens a "
        f"trajectory, {times(mean_tokens(cells[key]) / beside[second])} the next, {second}"
    )


def _caption(found: Sequence[Setting], cells: Cells) -> str:
    runs = [rows["trajectories"] for rows in cells.values()]
    return (
        f"{counted(len(found), 'setting')} of the primary grid. A cell is the mean of input and output "
        "tokens of all "
        f"calls over {span(min(runs), max(runs))} trajectories, one question an album and one run each, "
        "accepted or not. "
        "No evaluator has a part in the counts, though the adaptive controller calls on until its "
        "judge accepts. The hue "
        "has as many steps as there are sixths of the cells, so that the largest do not hide the rest."
    )


def _alt(cells: Cells) -> str:
    extremes = ends(
        "tokens",
        cells,
        lambda one: mean_tokens(cells[one]),
        lambda one: (
            f"{one[0]} on {album.TASKS[one[1]].lower()} questions ({number(mean_tokens(cells[one]))})"
        ),
    )
    return f"Heatmap of settings by tasks, mean tokens a trajectory. {extremes}"


def _chart(
    found: Sequence[Setting], tasks: Sequence[str], cells: Cells, *, width: int, height: int, angle: int
) -> ChartType:
    limits = heatmap.quantile_steps([mean_tokens(rows) for rows in cells.values()])
    return heatmap.chart(
        [
            heatmap.Cell(
                row=one.label,
                column=album.TASKS[task],
                step=bisect_right(limits, mean_tokens(cells[one.label, task])),
                text=number(mean_tokens(cells[one.label, task])),
                tip=f"{one.label}, {album.TASKS[task]}: "
                f"{number(mean_tokens(cells[one.label, task]), 1)} tokens a "
                "trajectory",
            )
            for one in found
            for task in tasks
        ],
        rows=[one.label for one in found],
        columns=[album.TASKS[task] for task in tasks],
        width=width,
        height=height,
        angle=angle,
    )
