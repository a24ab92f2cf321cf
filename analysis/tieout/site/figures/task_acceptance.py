"""How many positive answers of each task each setting of Part II had accepted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from tieout.site.figures import album, heatmap, theme
from tieout.site.figures.album import Setting, acceptance, sums
from tieout.site.figures.figure import Figure, Part
from tieout.site.figures.source import Source
from tieout.site.figures.wording import counted, ends, listed, percent, points, span

if TYPE_CHECKING:
    from altair.typing import ChartType

Cells = Mapping[tuple[str, str], Mapping[str, int]]  # setting's label, task


def figure(source: Source) -> Figure:
    """A heatmap of settings by tasks: accepted of the task's positive questions."""
    import pandas as pd

    given = album.primary(source)
    found = album.settings(source, given)
    answerable = [one for one in given if one.answerable]
    tasks = [task for task in album.TASKS if any(one.task == task for one in answerable)]
    shown: dict[Part, Fraction | bool] = {}
    cells: dict[tuple[str, str], Mapping[str, int]] = {}
    for one in found:
        for task in tasks:
            rows = sums(run for run in answerable if run.setting == one.label and run.task == task)
            cells[one.label, task] = rows
            album.bind(shown, source, "acceptance", one.where(task=task), acceptance(rows))
    data = pd.DataFrame(
        {
            "setting": [one.label for one in found],
            **{album.TASKS[task]: [cells[one.label, task]["accepted"] for one in found] for task in tasks},
            "questions a task": [cells[one.label, tasks[0]]["answerable"] for one in found],
        }
    )
    return Figure(
        name="task-acceptance",
        title=_title(found, tasks, cells),
        caption=_caption(source, found, cells, shown),
        alt=_alt(tasks, cells),
        data=data,
        claims=album.refs(shown),
        shown=shown,
        chart=_chart(found, tasks, cells, width=96, height=22, angle=0),
        narrow=_chart(found, tasks, cells, width=42, height=23, angle=-45),
    )


def by_task(tasks: Sequence[str], cells: Cells) -> dict[str, Fraction]:
    """The share accepted of each task over all settings."""
    return {
        task: Fraction(
            sum(rows["accepted"] for (_, of), rows in cells.items() if of == task),
            sum(rows["answerable"] for (_, of), rows in cells.items() if of == task),
        )
        for task in tasks
    }


def _title(found: Sequence[Setting], tasks: Sequence[str], cells: Cells) -> str:
    shares = by_task(tasks, cells)
    hardest, easiest = min(shares, key=shares.__getitem__), max(shares, key=shares.__getitem__)
    full = [
        one.label
        for one in found
        if all(cells[one.label, task]["accepted"] == cells[one.label, task]["answerable"] for task in tasks)
    ]
    everything = (
        f"{listed(full)} had all accepted" if full else "no setting had every task's answers all accepted"
    )
    return (
        f"{album.TASKS[easiest]} questions are accepted most often ({percent(shares[easiest])} over all "
        "settings), "
        f"{album.TASKS[hardest].lower()} questions least ({percent(shares[hardest])}); {everything}"
    )


def _caption(
    source: Source, found: Sequence[Setting], cells: Cells, shown: dict[Part, Fraction | bool]
) -> str:
    counts = [rows["answerable"] for rows in cells.values()]
    return (
        f"{counted(len(found), 'setting')} of the primary grid. A cell says how many of "
        f"{span(min(counts), max(counts))} positive answers were accepted, one question an album and "
        "one run each: one "
        f"changed answer moves a cell by {points(Fraction(1, min(counts)))}. "
        f"{album.judges(source, album.refs(shown))} Questions that the cards cannot answer are left out."
    )


def _alt(tasks: Sequence[str], cells: Cells) -> str:
    shares = by_task(tasks, cells)
    per_task = listed(f"{album.TASKS[task]} {percent(share)}" for task, share in shares.items())
    totals = {
        label: sum(rows["accepted"] for (of, _), rows in cells.items() if of == label) for label, _ in cells
    }
    extremes = ends(
        "accepted over all tasks",
        totals,
        lambda one: Fraction(totals[one]),
        lambda one: f"{one} ({totals[one]})",
    )
    return f"Heatmap of settings by tasks. Share accepted over all settings: {per_task}. {extremes}"


def _chart(
    found: Sequence[Setting], tasks: Sequence[str], cells: Cells, *, width: int, height: int, angle: int
) -> ChartType:
    most = max(rows["answerable"] for rows in cells.values())
    steps = theme.steps(most + 1)
    return heatmap.chart(
        [
            heatmap.Cell(
                row=one.label,
                column=album.TASKS[task],
                step=steps[cells[one.label, task]["accepted"]],
                text=str(cells[one.label, task]["accepted"]),
                tip=f"{one.label}, {album.TASKS[task]}: {cells[one.label, task]['accepted']} of "
                f"{cells[one.label, task]['answerable']} accepted",
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
