"""A built site against its own rules: each planted fault is named with page and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tieout.site.checks import site_faults

PAGE = '<!doctype html>\n<html><head><meta name="tieout-stamp" content="s">\n</head><body>\n{body}\n</body></html>\n'


def faults(tmp_path: Path, body: str, stamp: str = "s") -> list[tuple[int | None, str | None, str]]:
    (tmp_path / "a.html").write_text(PAGE.replace("{body}", body), encoding="utf-8")
    (tmp_path / "sub").mkdir(exist_ok=True)
    (tmp_path / "sub" / "b.html").write_text(
        PAGE.replace("{body}", '<p id="here"><a href="../a.html">up</a></p>'), encoding="utf-8"
    )
    return [
        (fault.row, fault.code, fault.message)
        for fault in site_faults(tmp_path, stamp)
        if fault.file == "a.html"
    ]


@pytest.mark.parametrize(
    ("body", "code", "message"),
    [
        ('<a href="none.html">x</a>', "dead-link", "none.html is not in the site"),
        ('<a href="../out.html">x</a>', "dead-link", "../out.html is not in the site"),
        ('<a href="sub/b.html#gone">x</a>', "dead-anchor", "sub/b.html#gone: no such place on that page"),
        ('<a href="#gone">x</a>', "dead-anchor", "#gone: no such place on that page"),
        ('<img src="data:image/png;base64,AA==">', "no-alternative", "a picture has no text alternative"),
        ("<svg viewBox='0 0 1 1'></svg>", "no-alternative", "a picture has no text alternative"),
        ("<script>x</script>", "inline", "an inline script is refused by the site's own policy"),
        ('<p style="color: red">x</p>', "inline", "an inline style is refused by the site's own policy"),
        ('<p onmouseover="x()">x</p>', "inline", "an inline p is refused by the site's own policy"),
        (
            '<script src="https://example.org/x.js"></script>',
            "foreign-host",
            "the page loads https://example.org/x.js from another host",
        ),
        (
            '<link href="//example.org/x.css">',
            "foreign-host",
            "the page loads //example.org/x.css from another host",
        ),
        ('<script src="assets/none.js"></script>', "dead-link", "assets/none.js is not in the site"),
        ('<i id="a"></i><i id="a"></i>', "duplicate-id", "the id `a` stands twice"),
    ],
)
def test_a_planted_fault_is_named(tmp_path: Path, body: str, code: str, message: str) -> None:
    assert faults(tmp_path, body) == [(4, code, message)]


def test_what_is_right_is_left_alone(tmp_path: Path) -> None:
    body = (
        '<a href="sub/b.html#here">x</a> <a href="https://example.org/">out</a> <a title="a > b" href="#k">k</a>'
        '<svg role="img" aria-label="A bar"></svg> <svg aria-hidden="true"></svg> <b id="k">&lt;script&gt;</b>'
        "<!-- <script>not a tag</script> -->"
    )
    assert faults(tmp_path, body) == []


def test_a_page_made_from_other_data_is_refused(tmp_path: Path) -> None:
    assert faults(tmp_path, "", stamp="t") == [
        (None, "stale-page", "the page was made from other data than the rest of the site")
    ]
