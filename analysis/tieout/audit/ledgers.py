"""The audit of a whole ledger: excuses, padding, how it is written, what its receipts show, what cannot be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tieout.audit.excuses import Excuses, excuses
from tieout.audit.feasibility import Feasibility, feasibility
from tieout.audit.forensics import Forensics, forensics
from tieout.audit.lint import Remark, lint
from tieout.audit.padding import Padding, padding
from tieout.audit.workbench import Workbench
from tieout.report import LedgerResult, Report


@dataclass(frozen=True, kw_only=True, slots=True)
class LedgerAudit:
    """The facts beside one ledger's verdicts, none of which they change."""

    document: str
    excuses: Excuses
    padding: Padding
    lint: tuple[Remark, ...]
    forensics: tuple[Forensics, ...]
    feasibility: Feasibility

    def to_json(self) -> dict[str, Any]:
        """As plain data, for the report's JSON."""
        return {
            "document": self.document,
            "excuses": self.excuses.to_json(),
            "padding": self.padding.to_json(),
            "lint": [remark.to_json() for remark in self.lint],
            "forensics": [found.to_json() for found in self.forensics],
            "feasibility": self.feasibility.to_json(),
        }


def audit_ledger(book: LedgerResult, report: Report, bench: Workbench) -> LedgerAudit:
    """The audit of one ledger of a report, with a workbench over the report's packages."""
    own = {package.name for package in book.packages.values()}
    return LedgerAudit(
        document=book.ledger.id,
        excuses=excuses(book, bench),
        padding=padding(book),
        lint=lint(book, bench),
        forensics=tuple(
            forensics(book, result, bench) for result in report.packages if result.package.name in own
        ),
        feasibility=feasibility(book, bench),
    )
