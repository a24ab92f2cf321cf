"""A path is told in fewer characters and leads through the same points."""

from __future__ import annotations

from decimal import Decimal
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tieout.site.paths import _segments, placed, told

NUMBER = st.integers(-9999, 9999).map(lambda tenths: f"{Decimal(tenths) / 10}")


def points(path: str) -> list[tuple[Decimal, ...]]:
    """All that a path's segments lead through, handles of curves included."""
    return [segment.numbers for segment in _segments(path)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("M0,0L10,0L10,5L0,5Z", "M0 0h10v5h-10z"),
        ("M-4.5,0.5L-4,1", "M-4.5.5l.5.5"),
        ("M1,2h3v4h-3Z", "M1 2h3v4h-3z"),
        ("M0,0C1,2,3,4,5,6C7,8,9,1,2,3", "M0 0c1 2 3 4 5 6s4-5-3-3"),
        ("M3,0A3,3,0,1,1,-3,0", "M3 0a3 3 0 1 1-6 0"),
        ("M0,0L1,1M5,5L6,7", "M0 0l1 1M5 5l1 2"),
    ],
)
def test_points_are_told_from_the_one_before(before: str, after: str) -> None:
    assert told(before) == after


@given(st.lists(st.tuples(st.sampled_from("LCM"), st.lists(NUMBER, min_size=6, max_size=6)), max_size=8))
def test_a_path_and_its_short_form_lead_through_the_same_points(
    parts: list[tuple[str, list[str]]],
) -> None:
    path = "M1.5,2" + "".join(
        f"{command}{','.join(numbers[: 6 if command == 'C' else 2])}" for command, numbers in parts
    )
    assert points(told(path)) == points(path)


def test_what_cannot_be_read_stays_and_is_not_moved() -> None:
    assert told("M0,0Q1,1,2,2") == "M0,0Q1,1,2,2"
    with pytest.raises(ValueError, match="Q"):
        told("M0,0Q1,1,2,2", (Decimal(1), Decimal(0)))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('<line transform="translate(2,3)" x2="0" y2="4" stroke="red"/>', '<path stroke="red" d="M2 3v4"/>'),
        ('<path transform="translate(1,-1)" d="M0,1L2,1"/>', '<path d="M1 0h2"/>'),
        ('<path transform="translate(1,1) rotate(9)" d="M0,1L2,1"/>', None),
        ('<text transform="translate(1,2)">a</text>', '<text x="1" y="2">a</text>'),
        ('<text transform="translate(1,2)" x="3">a</text>', None),
        ('<g transform="translate(1,2)"/>', None),
        (
            '<path transform="translate(5,6)" d="M4,0A4,4,0,1,1,-4,0A4,4,0,1,1,4,0"/>',
            '<circle r="4" cx="5" cy="6"/>',
        ),
    ],
)
def test_a_translation_becomes_a_place(before: str, after: str | None) -> None:
    part = ET.fromstring(before)
    placed(part)
    if after is None:
        assert part.get("transform") == ET.fromstring(before).get("transform")
    else:
        assert ET.tostring(part, encoding="unicode").replace(" />", "/>") == after


def test_a_moved_path_of_another_form_stays_as_it_is() -> None:
    written = '<path transform="translate(1,2)" d="M0,0Q1,1,2,2"/>'
    part = ET.fromstring(written)
    placed(part)
    assert part.attrib == ET.fromstring(written).attrib
