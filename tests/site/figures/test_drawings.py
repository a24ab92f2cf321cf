"""A drawing is made once and kept by the digest of its specification; one that nobody asks for is not kept long."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from tests.site.conftest import need_site
from tieout.site.figures import drawings

SPEC = {"mark": "bar", "data": {"values": [{"a": 1}]}, "encoding": {"x": {"field": "a", "type": "nominal"}}}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    need_site()
    monkeypatch.setenv(drawings.DRAWINGS, str(tmp_path / "drawings"))
    return tmp_path / "drawings"


def test_a_drawing_is_made_once_for_each_specification(folder: Path) -> None:
    first = drawings.drawn(SPEC)
    [kept] = folder.iterdir()
    kept.write_text("as kept", encoding="utf-8")
    assert drawings.drawn(SPEC) == "as kept"
    assert drawings.drawn({**SPEC, "width": 300}) not in {first, "as kept"}
    assert len(list(folder.iterdir())) == 2


def test_a_kept_drawing_is_the_one_that_would_be_made(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawings.drawn(SPEC)
    kept = drawings.drawn(SPEC)
    monkeypatch.delenv(drawings.DRAWINGS)
    assert drawings.drawn(SPEC) == kept


def test_what_was_not_asked_for_in_a_month_is_forgotten(folder: Path) -> None:
    drawings.drawn(SPEC)
    [kept] = folder.iterdir()
    long_ago = time.time() - drawings.UNUSED - 1
    os.utime(kept, (long_ago, long_ago))
    drawings.drawn(SPEC)
    drawings.forget(folder)
    assert kept.is_file()
    os.utime(kept, (long_ago, long_ago))
    drawings.forget(folder)
    assert not kept.exists()
