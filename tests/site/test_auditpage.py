"""The audit on pages: what was found under its kind, nothing where nothing was, and the command where none was run."""

from __future__ import annotations

import re

from tests.site.tiny import HOSTILE, gathered
from tieout.site import auditpage, findings


def test_a_site_without_audit_has_no_findings_and_names_the_command() -> None:
    site = gathered()
    assert findings.findings(site) == []
    assert findings.receipts(site) == []
    for html in (
        auditpage.audit_line(site),
        auditpage.audit_summary(site, ["doc"]),
        auditpage.audit_findings(site),
    ):
        assert "<code>tieout render --audit</code>" in html.text
        assert "<b>" not in html.text
        assert "found" not in re.sub(r"<[^>]*>", "", html.text)


def test_the_page_lists_every_finding_under_its_kind_and_escapes_what_it_quotes() -> None:
    site = gathered(audited=True)
    html = auditpage.audit_findings(site).text
    for kind in {each.kind for each in findings.findings(site)}:
        assert f'<h2 id="{kind}">' in html
    assert html.count("stops tying with") == 1
    assert html.count('<a href="claims/doc/plain-count.html">What plain-count says</a> <q>3</q>') == 1
    assert "which <code>says</code> does not name" in html
    assert "1 tie <small>(1 observation)</small>, 1 differ" in html
    assert HOSTILE not in html
    assert "gpt_4_*|$x$&lt;b&gt;" in html


def test_an_audit_that_finds_nothing_says_that_it_was_run() -> None:
    assert "was run and has nothing to list" in auditpage.audit_summary(gathered(audited=True), []).text
