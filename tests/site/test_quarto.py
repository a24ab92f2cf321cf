"""The engine Quarto: what is taken of the pages that it makes, and what is asked for where it is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("jupytext", reason="rendering needs jupytext, of the extra `site`")

from tieout.errors import CannotOpen
from tieout.site.engines.builtin.convert import SPLIT
from tieout.site.engines.quarto import adopted, command


def test_of_a_page_its_contents_and_text_are_taken_without_scripts_and_styles() -> None:
    html = (
        '<!DOCTYPE html><html><head><style>p { color: red }</style></head><body class="x">\n'
        f'<ul><li><a href="#a">A</a></li></ul>\n{SPLIT}\n'
        '<h2 id="a">A</h2><script>run()</script>\n<p style="width: 3px" class="y">Text.</p>\n</body></html>'
    )
    text = adopted(html)
    assert text.contents == '<ul><li><a href="#a">A</a></li></ul>'
    assert text.body == '<h2 id="a">A</h2>\n<p class="y">Text.</p>'


def program(path: Path, version: str) -> Path:
    path.write_text(f"#!/bin/sh\necho {version}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def test_an_old_quarto_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUARTO_PATH", str(program(tmp_path / "quarto", "1.3.450")))
    with pytest.raises(CannotOpen) as error:
        command()
    assert str(error.value) == "quarto 1.3.450 is too old; 1.4 or later is needed"


def test_a_new_one_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = program(tmp_path / "quarto", "1.10.2")
    monkeypatch.setenv("QUARTO_PATH", str(found))
    assert command() == str(found)


def test_where_there_is_none_the_message_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QUARTO_PATH", raising=False)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(CannotOpen) as error:
        command()
    assert str(error.value) == (
        "no quarto on the PATH; install it (or pip install 'tieout[quarto]'), or use --engine builtin"
    )
