"""Pages written for ledgers of one's own: they have no part that the ledger leaves empty."""

from __future__ import annotations

from typing import Any

from tieout.site.assets import report_root
from tieout.site.generic import filled


def page(**head: Any) -> str:
    study = (report_root() / "generic" / "study.qmd").read_text(encoding="utf-8")
    return filled(study, {"id": "doc", "title": "A study"}, {"packages": {"t": "tiny"}, **head})


def test_a_ledger_without_caveats_has_no_section_of_limits() -> None:
    kept = page(caveats={"small": "Four trials are few."})
    assert '## Limits {#sec-limits}\n\n```{python}\ncaveats("doc")\n```\n\n## Data' in kept
    left_out = page()
    assert "## Limits" not in left_out
    assert 'audit_summary("doc")\n```\n\n## Data {#sec-data}' in left_out
