"""Where labels of points go, so that none covers a point or another label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log10
from typing import Literal

Align = Literal["left", "center", "right"]
CHARACTER = (
    6.0  # mean width in pixels of a character at the theme's size; Liberation Sans is a little narrower
)
LINE = 13.0
MARK = 6.0  # half the size of a point, with the air around it
SIDES: tuple[tuple[Align, float, float], ...] = (
    ("left", 9.0, 0.0),
    ("right", -9.0, 0.0),
    ("center", 0.0, -13.0),
    ("center", 0.0, 13.0),
    ("left", 7.0, -10.0),
    ("left", 7.0, 10.0),
    ("right", -7.0, -10.0),
    ("right", -7.0, 10.0),
)
"""Alignments and offsets that are tried, the best first; `left` puts a label to the right of its point."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Scale:
    """An axis: the ends of its domain and its length in pixels; a vertical one counts from the bottom."""

    low: float
    high: float
    pixels: float
    logarithmic: bool = False

    def __call__(self, value: float) -> float:
        """The pixel at which a value stands."""
        return (self._at(value) - self._at(self.low)) / self._extent * self.pixels

    def back(self, pixel: float) -> float:
        """The value that stands at a pixel."""
        at = self._at(self.low) + pixel / self.pixels * self._extent
        return float(10**at) if self.logarithmic else at

    @property
    def _extent(self) -> float:
        return self._at(self.high) - self._at(self.low)

    def _at(self, value: float) -> float:
        return log10(value) if self.logarithmic else value


@dataclass(frozen=True, kw_only=True, slots=True)
class Label:
    """A label and where it stands, in the values of both axes."""

    text: str
    x: float
    y: float
    align: Align


Box = tuple[float, float, float, float]


def place(points: Sequence[tuple[float, float, str]], x: Scale, y: Scale) -> list[Label | None]:
    """A place for the text of each point, the first points choosing first; None where there is no free one.

    An empty text is a point that asks for no label and is in the way of others.
    """
    taken = [_around(x(at), y(up)) for at, up, _ in points]
    found: list[Label | None] = []
    for at, up, text in points:
        label = None
        for align, right, down in SIDES if text else ():
            middle = x(at) + right, y(up) - down
            box = _box(*middle, align, text)
            inside = (
                box[0] >= 0 and box[2] <= x.pixels + MARK and box[1] >= -MARK and box[3] <= y.pixels + LINE
            )
            if inside and not any(_overlap(box, other) for other in taken):
                taken.append(box)
                label = Label(text=text, x=x.back(middle[0]), y=y.back(middle[1]), align=align)
                break
        found.append(label)
    return found


def _around(at: float, up: float) -> Box:
    return at - MARK, up - MARK, at + MARK, up + MARK


def _box(at: float, up: float, align: Align, text: str) -> Box:
    width = len(text) * CHARACTER
    left = {"left": at, "right": at - width, "center": at - width / 2}[align]
    return left, up - LINE / 2, left + width, up + LINE / 2


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
