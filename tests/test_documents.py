"""The documents' texts are found by their beginning words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.documents import document_text

README = """# Studies

Part II, section I. Policy: positive answers accepted. Full 15/20;
2,890.

Part I. Units: Californication 15.
Order: 0.830.

## bench
- `trials.csv`: our table of 200 trials.
- Its README prints, for TC (gpt-4o), airline: Pass^1 0.420,
  Pass^2 0.273.
- another item
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "seeds").mkdir()
    (tmp_path / "studies").mkdir()
    (tmp_path / "studies" / "README.md").write_text(README, encoding="utf-8")
    monkeypatch.setenv("TIEOUT_SHARED", str(tmp_path))
    return tmp_path


def test_a_whole_document_is_the_file_whose_name_begins_with_its_number(folder: Path) -> None:
    (folder / "seeds" / "001_ab.txt").write_text("What?\n", encoding="utf-8")
    assert document_text("part-i") == "What?\n"


@pytest.mark.parametrize(
    ("document", "text"),
    [
        (
            "part-ii-tables",
            "Part II, section I. Policy: positive answers accepted. Full 15/20;\n2,890.\n",
        ),
        ("part-i-tables", "Part I. Units: Californication 15.\nOrder: 0.830.\n"),
        (
            "tau-bench-readme",
            "Its README prints, for TC (gpt-4o), airline: Pass^1 0.420,\nPass^2 0.273.\n",
        ),
    ],
)
@pytest.mark.usefixtures("folder")
def test_a_part_ends_with_its_paragraph_or_list_item(document: str, text: str) -> None:
    assert document_text(document) == text


def test_a_missing_text_is_an_error(folder: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"no file 000\* in "):
        document_text("part-ii")


def test_two_texts_for_one_document_are_an_error(folder: Path) -> None:
    for name in ("000_a.txt", "000_b.txt"):
        (folder / "seeds" / name).write_text("x", encoding="utf-8")
    with pytest.raises(ValueError, match=r"^2 files 000\* in "):
        document_text("part-ii")


def test_a_paragraph_that_is_gone_is_an_error(folder: Path) -> None:
    (folder / "studies" / "README.md").write_text("# Studies\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"^“Part I\. Units:” occurs 0 times$"):
        document_text("part-i-tables")
