"""The page around the text: where a ledger's study stands."""

from __future__ import annotations

from pathlib import Path

from tests.site.tiny import gathered
from tieout.site.engines import Project
from tieout.site.shell import Shell


def test_a_ledgers_study_is_the_first_page_that_holds_its_honesty_table(tmp_path: Path) -> None:
    pages = {
        "index": 'headlines("doc")',
        "one": "honesty_table('doc', \"doc-tables\")",
        "two": 'honesty_table("doc", name="again")',
    }
    for name, text in pages.items():
        (tmp_path / f"{name}.qmd").write_text(text, encoding="utf-8")
    project = Project(root=tmp_path, settings={}, pages=tuple(tmp_path / f"{name}.qmd" for name in pages))
    studies = Shell(project, gathered()).studies
    assert (studies["doc"], studies["doc-tables"]) == ("one.html", "one.html")
