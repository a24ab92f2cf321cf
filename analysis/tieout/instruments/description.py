"""What an instrument says of itself: its inputs and its output, column by column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True, slots=True)
class Description:
    """An instrument described for `tieout instruments`, which other packages' instruments may bring as well.

    `inputs` maps each input table's name to its columns, `output` and each of those map a column's name to its type and
    meaning ("integer, tokens held after the step"). `source` names the document and section that the calculation is
    from.
    """

    title: str
    says: str
    inputs: Mapping[str, Mapping[str, str]]
    output: Mapping[str, str]
    source: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    seeded: bool = False
