"""The audit on pages: one line for an overview, and the page that lists all that was found; or how to have it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tieout.site.findings import FEW_ROWS, KINDS, Finding, counts, findings, receipts
from tieout.site.model import Site, claim_address
from tieout.site.templating import Html, fill


def audit_line(site: Site) -> Html:
    """One sentence on what the audit found, by kind, each leading to its list."""
    return fill("audit-line.html.j2", audited=site.audited, counts=counts(site))


def audit_summary(site: Site, ledgers: Sequence[str]) -> Html:
    """What the audit found on these ledgers and their packages, by kind."""
    return fill("audit-line.html.j2", audited=site.audited, counts=counts(site, ledgers))


def audit_findings(site: Site) -> Html:
    """All that the audit found: by kind and ledger, what the counts of ties are made of, what the receipts are."""
    found = findings(site)
    return fill(
        "findings.html.j2",
        audited=site.audited,
        counts=counts(site),
        few_rows=FEW_ROWS,
        lists=[
            {"kind": kind, "of": _grouped(site, [each for each in found if each.kind == kind.name])}
            for kind in KINDS
        ],
        compositions=[_composition(site, ledger) for ledger in site.ledgers] if site.audited else [],
        packages=receipts(site),
    )


def _grouped(site: Site, found: Iterable[Finding]) -> list[dict[str, Any]]:
    """Findings by ledger or package; those of one that say the same of several claims stand together."""
    groups: dict[str, dict[str, list[Finding]]] = {}
    for finding in found:
        groups.setdefault(finding.of, {}).setdefault(finding.says, []).append(finding)
    return [
        {
            "name": name,
            "title": site.document(name)["title"] if name in site.ledgers else site.package(name)["title"],
            "count": sum(len(alike) for alike in said.values()),
            "said": [{"says": says, "findings": alike} for says, alike in said.items()],
        }
        for name, said in groups.items()
    ]


def _composition(site: Site, ledger: str) -> dict[str, Any]:
    """What a ledger's counts are made of."""
    whole = site.ledger_audit(ledger)
    assert whole, "only audited ledgers are told of"
    padding, excuses = whole["padding"], whole["excuses"]
    repeated = padding["repeated"]
    return {
        "ledger": ledger,
        "title": site.document(ledger)["title"],
        "headline": padding["headline_printings"],
        "others": padding["other_printings"],
        "quantities": padding["quantities"],
        "repeated": sum(each["printings"] - 1 for each in repeated),
        "words": padding["digits"].get("none", 0),
        "one_digit": padding["digits"].get("1", 0),
        "without": excuses["printings"],
        "headline_without": excuses["headline"],
        "from_no_receipt": [
            {"id": claim, "href": claim_address(ledger, claim)} for claim in padding["from_no_receipt"]
        ],
    }
