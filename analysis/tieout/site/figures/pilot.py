"""Part I, the pilot, as its figures read it: macro means over repetitions, then questions, then albums."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from tieout.site.figures import theme
from tieout.site.figures.charts import Series

if TYPE_CHECKING:
    import pandas as pd

POLICIES: Mapping[str, str] = {
    "full": "Full archive",
    "recent3": "Recent three",
    "selective6": "Selective six",
    "summary": "Rolling summary",
}
SERIES = Series(
    names=POLICIES,
    hues={
        "full": theme.SERIES["grey"],
        "recent3": theme.SERIES["orange"],
        "selective6": theme.SERIES["blue"],
        "summary": theme.SERIES["purple"],
    },
    shapes={"full": "square", "recent3": "cross", "selective6": "circle", "summary": "triangle-down"},
    dashes={
        "full": theme.SOLID,
        "recent3": theme.DOTTED,
        "selective6": theme.DASHED,
        "summary": theme.DASHDOT,
    },
)


def macro(answers: pd.DataFrame, numerator: str, denominator: str | None = None) -> Fraction:
    """The mean of a column, or of the ratio of two, as the macro metrics of the catalogue take it."""
    below = answers[denominator].tolist() if denominator else [1] * len(answers)
    columns = (answers["album"].tolist(), answers["question_id"].tolist(), answers[numerator].tolist(), below)
    ratios: dict[str, dict[str, list[Fraction]]] = {}
    for album, question, over, under in zip(*columns, strict=True):
        ratios.setdefault(album, {}).setdefault(question, []).append(Fraction(over, under))
    return _mean(_mean(_mean(repeats) for repeats in questions.values()) for questions in ratios.values())


def _mean(values: Iterable[Fraction]) -> Fraction:
    known = list(values)
    return sum(known, Fraction(0)) / len(known)
