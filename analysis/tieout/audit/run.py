"""Verification first, then the guards beside its verdicts, none of which they can change.

1 verify: packages and ledgers in, verdicts out, as `tieout verify` has them.
2 open: DuckDB once more, with the packages of the report.
3 look: each guard on each claim, then on each ledger; every distinct query is asked once, whoever needs it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tieout.audit.claims import ClaimAudit, audit_claim, look_ahead, not_recomputed
from tieout.audit.ledgers import LedgerAudit, audit_ledger
from tieout.audit.siblings import Settings
from tieout.audit.subject import Room, subjects
from tieout.audit.workbench import Workbench
from tieout.engines.process import Engine
from tieout.errors import CannotOpen
from tieout.report import LedgerResult, Report
from tieout.verify import Options, Progress, open_in, verify


@dataclass(frozen=True, kw_only=True, slots=True)
class Audit:
    """A report, and beside it what the guards found: on claims by ledger and id, on ledgers by id.

    Where one claim was asked for, only it is in `claims`, and `ledgers` is empty.
    """

    report: Report
    claims: Mapping[tuple[str, str], ClaimAudit]
    ledgers: Mapping[str, LedgerAudit]

    def to_json(self) -> dict[str, Any]:
        """The report's JSON with `audit` beside each claim and each ledger that was looked at."""
        document = self.report.to_json()
        for book in document["ledgers"]:
            for claim in book["claims"]:
                if (found := self.claims.get((book["document"], claim["id"]))) is not None:
                    claim["audit"] = found.to_json()
            if (whole := self.ledgers.get(book["document"])) is not None:
                book["audit"] = whole.to_json()
        return document


def audit(
    paths: Sequence[Path],
    claim: str | None = None,
    options: Options | None = None,
    progress: Progress = lambda *_: None,
) -> Audit:
    """Verifies the paths and audits every ledger among them, or one claim where `claim` is given.

    Raises what `verify` does, and CannotOpen where no ledger has the claim.
    """
    options = options or Options()
    report = verify(paths, options, progress)
    if claim is not None:
        _check_known(report, claim)
    packages = {result.package.name: result.package for result in report.packages}
    with Engine("duckdb", options.limits) as duckdb:
        open_in([duckdb], packages.values(), options)
        bench = Workbench(packages, duckdb)
        claims = _claims(Room(report, bench), claim, progress)
        ledgers: dict[str, LedgerAudit] = {}
        for index, book in enumerate(report.ledgers if claim is None else ()):
            progress(f"auditing ledger {book.ledger.id}", index, len(report.ledgers))
            ledgers[book.ledger.id] = audit_ledger(book, report, bench)
    return Audit(report=report, claims=claims, ledgers=ledgers)


def _claims(room: Room, claim: str | None, progress: Progress) -> dict[tuple[str, str], ClaimAudit]:
    settings = Settings(room)
    found = [each for each in subjects(room.report) if claim in {None, each.result.claim.id}]
    audits: dict[tuple[str, str], ClaimAudit] = {
        (book.ledger.id, each.claim.id): not_recomputed(each.claim.id)
        for book in room.report.ledgers
        for each in book.claims
        if claim in {None, each.claim.id}
    }
    with room.noting():
        for subject in found:
            look_ahead(room, settings, subject)
    for index, subject in enumerate(found):
        progress("auditing", index, len(found))
        name = (subject.book.ledger.id, subject.result.claim.id)
        audits[name] = audit_claim(room, settings, subject)
    return audits


def _check_known(report: Report, claim: str) -> None:
    known = {each.claim.id: book for book in report.ledgers for each in book.claims}
    if claim not in known:
        import difflib

        near = difflib.get_close_matches(claim, known, 3, cutoff=0.4)
        hint = f"; near it: {', '.join(near)}" if near else ""
        raise CannotOpen(f"no claim {claim} in {_ids(report.ledgers)}{hint}")


def _ids(books: Sequence[LedgerResult]) -> str:
    return ", ".join(book.ledger.id for book in books) or "no ledger"
