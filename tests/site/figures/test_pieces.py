"""Colours that can be told from the page, labels that cover nothing, and numbers as sentences say them."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import ROOT
from tieout.site.figures import wording
from tieout.site.figures.labels import CHARACTER, LINE, MARK, Scale, place
from tieout.site.figures.svg import digest, draw
from tieout.site.figures.theme import COLOURS, ROLES, SERIES, STEPS, on_step, steps

CSS = (ROOT / "report" / "styles" / "figures.css").read_text(encoding="utf-8")
LIGHT, SYSTEM, CHOSEN = CSS.split("@media screen", 2)


def look(part: str) -> dict[str, str]:
    return dict(re.findall(r"--fig-([a-z0-9-]+): (#[0-9a-f]{6});", part))


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_the_style_sheet_holds_the_themes_colours() -> None:
    light = look(LIGHT)
    assert {role: light[role] for role in COLOURS} == dict(COLOURS)
    assert look(SYSTEM) == look(CHOSEN)
    assert len(ROLES) == len(COLOURS)


@pytest.mark.parametrize("part", [LIGHT, SYSTEM], ids=["light", "dark"])
def test_texts_and_marks_stand_off_their_ground(part: str) -> None:
    colours = look(part)
    paper = colours["paper"]
    for role in ("ink", "muted", "link"):
        assert contrast(colours[role], paper) >= 4.5, role
    for role in SERIES:
        assert contrast(colours[role], paper) >= 3, role
    for index in range(len(STEPS)):
        on = ROLES[on_step(index)]
        assert contrast(colours[on], colours[f"step-{index}"]) >= 4.5, index


@pytest.mark.parametrize("part", [LIGHT, SYSTEM], ids=["light", "dark"])
def test_steps_grow_apart_from_the_paper(part: str) -> None:
    colours = look(part)
    ratios = [contrast(colours[f"step-{index}"], colours["paper"]) for index in range(len(STEPS))]
    assert ratios == sorted(ratios)


def test_levels_take_the_first_and_the_last_step() -> None:
    assert steps(2) == [0, 5]
    assert steps(4)[0] == 0
    assert steps(4)[-1] == 5
    assert all(low < high for low, high in zip(steps(5), steps(5)[1:], strict=False))


points = st.lists(
    st.tuples(st.floats(0, 100), st.floats(0, 100), st.sampled_from(["", "a", "Embedding 1,600"])),
    max_size=12,
)


@given(points)
def test_no_label_covers_a_point_or_another_label(given_points: list[tuple[float, float, str]]) -> None:
    x, y = Scale(low=0, high=100, pixels=300), Scale(low=0, high=100, pixels=200)
    found = [label for label in place(given_points, x, y) if label]
    boxes = []
    for label in found:
        at, up, width = x(label.x), y(label.y), len(label.text) * CHARACTER
        left = {"left": at, "right": at - width, "center": at - width / 2}[label.align]
        boxes.append((left, up - LINE / 2, left + width, up + LINE / 2))
    marks = [(x(at) - MARK, y(up) - MARK, x(at) + MARK, y(up) + MARK) for at, up, _ in given_points]
    for index, box in enumerate(boxes):
        for other in [*boxes[index + 1 :], *marks]:
            apart = 1e-6
            across = min(box[2], other[2]) - max(box[0], other[0])
            along = min(box[3], other[3]) - max(box[1], other[1])
            assert across <= apart or along <= apart


@given(st.floats(1, 1e6), st.booleans())
def test_a_scale_leads_back(value: float, logarithmic: bool) -> None:
    scale = Scale(low=1, high=1e6, pixels=500, logarithmic=logarithmic)
    assert scale.back(scale(value)) == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (wording.number(Fraction(27563, 2)), "13,782"),
        (wording.number(Fraction(-1, 3), 2), "−0.33"),
        (wording.number(Fraction(1, 2)), "1"),
        (wording.percent(Fraction(47, 72), 1), "65.3%"),
        (wording.points(Fraction(1, 4)), "25 percentage points"),
        (wording.times(Fraction(248067, 65114)), "3.8 times"),
        (wording.counted(1, "entry", "entries"), "1 entry"),
        (wording.counted(1200, "entry", "entries"), "1,200 entries"),
        (wording.listed(["a", "b", "c"]), "a, b and c"),
        (wording.listed([]), ""),
        (wording.span(Fraction(4), Fraction(4)), "4"),
        (wording.span(Fraction(4), Fraction(6)), "4 to 6"),
        (wording.spelled(13), "13"),
        (wording.spelled(12), "twelve"),
    ],
)
def test_wording(text: str, expected: str) -> None:
    assert text == expected


def test_ends_name_all_that_share_one() -> None:
    said = wording.ends("tokens", ["ab", "c", "de"], lambda one: Fraction(len(one)), str)
    assert said == "Fewest tokens: c; most tokens: ab and de."


def bars(colour: str) -> dict[str, object]:
    return {
        "data": {"values": [{"a": 1}, {"a": 2}]},
        "mark": {"type": "bar", "color": colour, "clip": True},
        "encoding": {"x": {"field": "a", "type": "quantitative", "axis": None}},
        "config": {"background": None, "view": {"stroke": None}},
    }


def test_a_colour_that_the_theme_does_not_know_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^the theme has no colour #123456$"):
        draw(bars("#123456"), labelled_by="t", alt="a", variant="wide")


def test_clip_paths_are_named_by_the_specification_and_not_by_the_process() -> None:
    spec = bars(COLOURS["ink"])
    first, second = (draw(spec, labelled_by="t", alt="a", variant="wide") for _ in range(2))
    assert first == second
    names = re.findall(r'id="([^"]+)"', first)
    assert len(names) == len(set(names)) == 2
    assert all(name.startswith(digest(spec) + "-") for name in names)
    assert f"url(#{names[-1]})" in first
