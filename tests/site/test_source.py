"""Pages as the built-in engine reads them: their parts with their lines, and a refusal by name of everything else."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("jupytext", reason="rendering needs jupytext, of the extra `site`")

from tieout.errors import Invalid
from tieout.site.engines.builtin.source import Code, Text, read_page

HEAD = "---\ntitle: A page\n---\n\n"


def page(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "p.qmd"
    path.write_text(text, encoding="utf-8")
    return path


def test_text_and_cells_come_with_their_lines(tmp_path: Path) -> None:
    read = read_page(page(tmp_path, HEAD + "One.\n\n```{python}\n#| echo: true\nx = 1\n```\n\nTwo.\n"))
    assert read.header == {"title": "A page"}
    one, code, two = read.parts
    assert isinstance(one, Text)
    assert isinstance(code, Code)
    assert isinstance(two, Text)
    assert (one.source, one.line) == ("One.", 5)
    assert (code.source, code.shown, code.printed) == ("x = 1", True, True)
    assert (two.source, two.line) == ("Two.", 12)


@pytest.mark.parametrize(
    ("text", "row", "message"),
    [
        ("{{< video x >}}", 5, "a shortcode is not among what these pages use"),
        ("See [@knuth].", 5, "a citation is not among what these pages use"),
        ("A <b>tag</b>.", 5, "a raw HTML tag is not among what these pages use"),
        ("Here $x^2$ is.", 5, "mathematics is not among what these pages use"),
        (
            "::: {.column-margin}\nx\n:::",
            5,
            "the block `::: {.column-margin}` is not known; #fig-…, #tbl-… and .callout-… are",
        ),
    ],
)
def test_what_pages_do_not_use_is_refused_by_name_and_line(
    tmp_path: Path, text: str, row: int, message: str
) -> None:
    with pytest.raises(Invalid) as error:
        read_page(page(tmp_path, f"{HEAD}{text}\n"))
    [fault] = error.value.faults
    assert (fault.file, fault.row, fault.message) == ("p.qmd", row, message)


def test_code_spans_and_fences_may_hold_anything(tmp_path: Path) -> None:
    read_page(
        page(tmp_path, HEAD + "Write `<b>$x$</b>` here.\n\n```text\n{{< video >}} [@a] ::: {.x}\n```\n")
    )


def test_unknown_headers_and_options_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Invalid) as error:
        read_page(
            page(tmp_path, '---\ntitle: "T"\nauthor: me\n---\n\n```{python}\n#| fig-width: 3\n1\n```\n')
        )
    assert [fault.message for fault in error.value.faults] == [
        "the header's `author` is not known; known are description, subtitle, title, toc",
        "the cell option `fig-width` is not known; known are echo, include, label, output",
    ]


def test_a_page_needs_a_title(tmp_path: Path) -> None:
    with pytest.raises(Invalid) as error:
        read_page(page(tmp_path, "---\ntoc: false\n---\n\nText.\n"))
    assert [fault.message for fault in error.value.faults] == ["the page has no title"]
