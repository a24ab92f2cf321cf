"""A page that was run, as one Markdown text: results in their places, captions numbered, references set."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("jupytext", reason="rendering needs jupytext, of the extra `site`")

from tests.site.tiny import HOSTILE
from tieout.errors import Invalid
from tieout.site.engines.builtin.compose import compose
from tieout.site.engines.builtin.convert import convert
from tieout.site.engines.builtin.kernel import Bundle, Ran
from tieout.site.engines.builtin.source import Code, Page, Text


def ran(
    *parts: Text | Code, outputs: list[list[Bundle]] | None = None, inline: list[Bundle] | None = None
) -> Ran:
    page = Page(path=Path("p.qmd"), header={"title": "P"}, parts=parts)
    return Ran(page=page, outputs=outputs or [], inline=inline or [])


def test_a_figure_is_numbered_and_referred_to() -> None:
    text = compose(
        ran(
            Text(source="See @fig-a and @sec-b.\n\n::: {#fig-a}", line=1),
            Code(source="draw()", line=5),
            Text(source="What it shows.\n:::\n\n## Rest {#sec-b}", line=8),
            outputs=[[{"text/html": "<svg></svg>"}]],
        )
    )
    assert "See [Figure 1](#fig-a) and [Rest](#sec-b)." in text
    assert "[Figure 1.]{.caption-label} What it shows." in text
    assert "```{=html}\n<svg></svg>\n```" in text


def test_a_reference_to_nothing_is_named_with_its_line() -> None:
    with pytest.raises(Invalid) as error:
        compose(ran(Text(source="One.\nSee @tbl-none.", line=7)))
    [fault] = error.value.faults
    assert (fault.row, fault.message) == (8, "@tbl-none refers to nothing on this page")


def test_a_figure_without_caption_is_refused() -> None:
    with pytest.raises(Invalid) as error:
        compose(
            ran(
                Text(source="::: {#fig-a}", line=1),
                Code(source="draw()", line=3),
                Text(source=":::", line=6),
                outputs=[[{"text/html": "<svg></svg>"}]],
            )
        )
    [fault] = error.value.faults
    assert fault.message == "`fig-a` has no caption: the last paragraph of its block is one"


def test_a_callout_keeps_its_title() -> None:
    html = convert(compose(ran(Text(source='::: {.callout-note title="Mind"}\nThis.\n:::', line=1)))).body
    assert '<div class="callout callout-note" role="note">' in html
    assert "<p>Mind</p>" in html


@pytest.mark.parametrize("kind", ["text/plain", "text/html"])
def test_an_inline_result_comes_out_as_it_is(kind: str) -> None:
    given = repr(HOSTILE) if kind == "text/plain" else "<b>gpt_4_*|$x$`</b>"
    html = convert(
        compose(ran(Text(source="The model `{python} name` won.", line=1), inline=[{kind: given}]))
    ).body
    wanted = "gpt_4_*|$x$&lt;b&gt;" if kind == "text/plain" else "<b>gpt_4_*|$x$`</b>"
    assert html == f"<p>The model {wanted} won.</p>"


def test_shown_code_stands_before_its_result() -> None:
    text = compose(ran(Code(source="1 + 1", line=1, options={"echo": True}), outputs=[[{"text/plain": "2"}]]))
    assert text == "```python\n1 + 1\n```\n\n```text\n2\n```"
