"""A drawing in fewer bytes has the same marks in the same order, and each part the paint that it had."""

from __future__ import annotations

import re

from tests.conftest import ROOT
from tieout.site.figures.theme import COLOURS
from tieout.site.slim import slim

SVG = '<svg aria-describedby="a"><desc id="a">Words.</desc><g fill="none">{parts}</g></svg>'


def drawing(parts: str) -> str:
    return slim(SVG.format(parts=parts))


def test_a_paint_is_a_class_for_which_there_is_a_rule() -> None:
    html = drawing('<path d="M0,0h1v1Z" fill="var(--fig-ink)" stroke="var(--fig-step-0)"/>')
    assert '<path d="M0 0h1v1z" class="f-ink s-step-0"/>' in html
    css = (ROOT / "report" / "styles" / "50-paints.css").read_text(encoding="utf-8")
    rules = set(re.findall(r"\.(\S+) \{\n  (fill|stroke): var\(--fig-(\S+)\);\n\}", css))
    assert rules == {(f"{name[0]}-{role}", name, role) for role in COLOURS for name in ("fill", "stroke")}


def test_lines_that_look_alike_become_one_path() -> None:
    line = '<line transform="translate({x},0)" x2="0" y2="4" stroke="var(--fig-grid)"/>'
    html = drawing("".join(line.format(x=x) for x in (1, 2)) + line.format(x=3).replace("grid", "axis"))
    assert html.count("<path") == 2
    assert 'd="M1 0v4M2 0v4"' in html


def test_lines_that_shine_through_stay_apart() -> None:
    line = '<line x2="0" y2="4" stroke="var(--fig-grid)" opacity="0.5"/>'
    assert drawing(line + line).count("<path") == 2


def test_marks_side_by_side_share_the_class_of_their_group() -> None:
    mark = '<path d="M0,0h1v1Z" class="mark"><title>{name}</title></path>'
    html = drawing("".join(mark.format(name=name) for name in "abc"))
    assert '<g class="marks"><path d="M0 0h1v1z"><title>a</title></path>' in html
    assert 'class="mark"' not in html
    assert 'class="mark"' in drawing(mark.format(name="a"))


def test_the_words_for_two_drawings_of_one_figure_stand_once() -> None:
    html = slim(SVG.format(parts="") + SVG.format(parts="").replace('"a"', '"b"'))
    assert html.count("Words.") == 1
    assert html.count('aria-describedby="a"') == 2
