"""A document's text against its ledger, in UTF-8 and as it was locked."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import build
from tieout.document import coverage, is_locked
from tieout.errors import CannotOpen
from tieout.freeze import freeze_ledger, freeze_package
from tieout.ledger import open_ledger

TEXT = "# I\nSuccess was 75% under plain.\n"


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    build.artifacts(tmp_path, [build.claim("rate", "75%")])
    return tmp_path / "ledgers" / "doc"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_mark_of_byte_order_is_no_part_of_the_text(ledger: Path, tmp_path: Path, encoding: str) -> None:
    (tmp_path / "text.md").write_text(TEXT, encoding=encoding)
    assert coverage(open_ledger(ledger), tmp_path / "text.md").complete


def test_a_text_that_is_not_utf_8_is_told_with_its_line(ledger: Path, tmp_path: Path) -> None:
    (tmp_path / "text.md").write_bytes(TEXT.encode() + "Köln".encode("latin-1"))
    with pytest.raises(CannotOpen, match=r"text\.md, line 3: expected UTF-8, found the byte 0xF6"):
        coverage(open_ledger(ledger), tmp_path / "text.md")


def test_a_number_that_an_assertion_only_prints_is_left_out(tmp_path: Path) -> None:
    claim = {
        "id": "below",
        "says": "The rate is below three",
        "asserts": "rate < 3",
        "from": {"rate": "rate"},
        "printings": [{"text": "stayed below 3, not 9,999"}],
    }
    build.artifacts(tmp_path, [build.claim("rate", "75%"), claim])
    (tmp_path / "text.md").write_text(TEXT + "It stayed below 3, not 9,999.\n", encoding="utf-8")
    found = coverage(open_ledger(tmp_path / "ledgers" / "doc"), tmp_path / "text.md")
    assert [numeral.text for numeral in found.uncovered] == ["9,999"]


def test_a_text_is_the_locked_one_or_another(ledger: Path, tmp_path: Path) -> None:
    locked, other = tmp_path / "text.md", tmp_path / "other.md"
    locked.write_text(TEXT, encoding="utf-8")
    other.write_text(TEXT.replace("Success", "Failure"), encoding="utf-8")
    assert is_locked(open_ledger(ledger), locked) is None
    freeze_package(tmp_path / "packages" / "tiny")
    freeze_ledger(ledger, locked)
    assert [is_locked(open_ledger(ledger), text) for text in (locked, other)] == [True, False]
