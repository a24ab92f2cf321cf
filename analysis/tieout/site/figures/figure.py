"""A figure of the site: a chart, what it shows in words, the data behind it and the claims that hold "
"its numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from tieout.site.figures import svg, theme
from tieout.site.figures.source import Ref
from tieout.site.figures.wording import number

if TYPE_CHECKING:
    import jinja2
    import pandas as pd
    from altair.typing import ChartType

TEN = 10
Part = tuple[Ref, str]
"""A claim and the part of its value: `value`, or the name of one of its columns."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Figure:
    """A figure. All its texts are written from the values that it shows.

    `title` states what is seen; `caption` says evaluator, denominators and limits; `alt` is the text alternative.
    `shown` holds the figure's own value of each number that a claim holds too. `narrow` is the chart on a phone.
    """

    name: str
    title: str
    caption: str
    alt: str
    data: pd.DataFrame
    claims: tuple[Ref, ...]
    chart: ChartType
    narrow: ChartType
    shown: Mapping[Part, Fraction | bool] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """The figure's anchor on a page."""
        return f"figure-{self.name}"


def specification(chart: ChartType) -> dict[str, Any]:
    """The Vega-Lite specification of a chart in the look of all figures."""
    from altair.utils.schemapi import debug_mode

    with debug_mode(False):  # as in `make`
        spec: dict[str, Any] = chart.to_dict(validate=False)
    return {**spec, "config": theme.config()}


def render(figure: Figure, *, root: str = "", verdicts: Mapping[Ref, str] | None = None) -> str:
    """The figure as HTML for a page that has figures.css.

    `root` leads from the page to the site's root, where `claims/` is. `verdicts` are shown beside the claims.
    """
    title = f"{figure.id}-title"
    return (
        _template()
        .render(
            figure=figure,
            title_id=title,
            plots=[
                svg.draw(
                    specification(chart),
                    labelled_by=title,
                    alt=figure.alt,
                    variant=variant,
                    tips=variant == "wide",
                )
                for variant, chart in (("wide", figure.chart), ("narrow", figure.narrow))
            ],
            columns=list(figure.data.columns),
            rows=list(_rows(figure.data)),
            claims=[
                {
                    "ref": ref,
                    "href": f"{root}claims/{ref.ledger}/{ref.claim}.html",
                    "verdict": (verdicts or {}).get(ref),
                }
                for ref in figure.claims
            ],
        )
        .strip()
    )


def cell(value: object) -> str:
    """A cell of the data table: whole numbers in full, others to two decimals, or three below ten; "
    "nothing for null."""
    if value is None or value != value or str(value) == "<NA>":
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return number(value)
    if isinstance(value, float):
        return number(value, 2 if abs(value) >= TEN else 3)
    return str(value)


def _rows(data: pd.DataFrame) -> Sequence[Sequence[tuple[str, bool]]]:
    columns = [data[name].tolist() for name in data.columns]
    return [
        [(cell(value), isinstance(value, (int, float)) and not isinstance(value, bool)) for value in row]
        for row in zip(*columns, strict=True)
    ]


@cache
def _template() -> jinja2.Template:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("tieout.site.figures", "."),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    return environment.get_template("figure.html.j2")
