"""Part I, the pilot, as its figures read it: macro means over repetitions, then questions, then albums."""

from __future__ import annotations

from collections.abc import Mapping
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
    albums = []
    for _, of_album in answers.groupby("album"):
        questions = []
        for _, of_question in of_album.groupby("question_id"):
            ratios = [
                Fraction(int(row[numerator]), int(row[denominator]) if denominator else 1)
                for row in of_question.to_dict("records")
            ]
            questions.append(sum(ratios, Fraction(0)) / len(ratios))
        albums.append(sum(questions, Fraction(0)) / len(questions))
    return sum(albums, Fraction(0)) / len(albums)
