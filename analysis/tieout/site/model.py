"""All that pages are made from: the verified report, the documents, the packages; gathered once, read by every page."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tieout.errors import CannotOpen

if TYPE_CHECKING:  # a page reads what was gathered, and need not load all that gathers it
    import pandas as pd

    from tieout.report import LedgerResult
    from tieout.results import PackageResult
    from tieout.verify import Options, Progress

REPORT = "TIEOUT_REPORT"  # the environment variable that names the gathered file for a page's code
NO_CLAIM = "the ledger {ledger} has no claim {claim}"


class UnknownName(CannotOpen):
    """A page asks for a ledger, a claim, a package or a table that is not there."""


def gather(
    paths: Sequence[Path],
    options: Options | None = None,
    progress: Progress = lambda *_: None,
    *,
    audited: bool = False,
) -> dict[str, Any]:
    """Verifies packages and ledgers and returns all that pages are made from, as JSON-ready data.

    With `audited` every claim and every ledger is audited too. Raises as `verify` does.
    """
    from tieout.site.behind import behind

    if audited:
        from tieout.audit.run import audit

        found = audit(paths, None, options, progress)
        report, audits, whole = found.report, found.claims, found.ledgers
    else:
        from tieout.verify import verify

        report, audits, whole = verify(paths, options, progress), {}, {}
    return {
        "report": report.to_json(),
        "exit": report.exit_code(),
        "documents": {book.ledger.id: _document(book) for book in report.ledgers},
        "packages": {result.package.name: _package(result) for result in report.packages},
        "audited": audited,
        "ledger_audits": {name: each.to_json() for name, each in whole.items()},
        "audit": {
            book.ledger.id: {
                result.claim.id: audits[book.ledger.id, result.claim.id].to_json()
                for result in book.claims
                if (book.ledger.id, result.claim.id) in audits
            }
            for book in report.ledgers
        },
        "behind": {
            book.ledger.id: {result.claim.id: behind(result) for result in book.claims}
            for book in report.ledgers
        },
    }


def _document(book: LedgerResult) -> dict[str, Any]:
    ledger = book.ledger
    return {
        **{key: value for key, value in ledger.document.items() if value is not None},
        "caveats": dict(ledger.caveats),
        "headline": list(ledger.headline),
        "sections": [{"name": section.name, "heading": section.heading} for section in ledger.sections],
        "folder": str(ledger.root.resolve()),
        "packages": dict(ledger.packages),
        "lock": ledger.lock,
    }


def _package(result: PackageResult) -> dict[str, Any]:
    package = result.package
    rows = {table.name: table.rows for table in result.tables}
    return {
        **package.descriptor,
        "digest": package.digest,
        "folder": str(package.root.resolve()),
        "tables": {
            table.name: {
                "file": table.file,
                "schema": table.schema,
                "basis": table.basis,
                "rows": rows.get(table.name),
                "instrument": table.derivation.instrument if table.derivation else None,
            }
            for table in package.tables.values()
        },
    }


class Site:
    """The gathered data, with the look-ups that pages, tables and figures need."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.report: Mapping[str, Any] = data["report"]
        self.documents: Mapping[str, Any] = data["documents"]
        self.packages: Mapping[str, Any] = data["packages"]

    @cached_property
    def ledgers(self) -> Mapping[str, Mapping[str, Any]]:
        """The report of each ledger, by its document's id."""
        return {book["document"]: book for book in self.report["ledgers"]}

    @cached_property
    def _claims(self) -> Mapping[tuple[str, str], Mapping[str, Any]]:
        return {(name, claim["id"]): claim for name, book in self.ledgers.items() for claim in book["claims"]}

    def ledger(self, name: str) -> Mapping[str, Any]:
        """The report of a ledger; raises UnknownName."""
        if name not in self.ledgers:
            raise UnknownName(f"no ledger {name}; there are {', '.join(self.ledgers)}")
        return self.ledgers[name]

    def claim(self, ledger: str, claim: str) -> Mapping[str, Any]:
        """A claim as the verify JSON has it; raises UnknownName."""
        found = self._claims.get((ledger, claim))
        if found is None:
            self.ledger(ledger)
            raise UnknownName(NO_CLAIM.format(ledger=ledger, claim=claim))
        return found

    def claims(self, ledgers: Sequence[str] | None = None) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Every claim with its ledger, in printed order; of these ledgers, or of all."""
        for name, book in self.ledgers.items():
            if ledgers is None or name in ledgers:
                yield from ((name, claim) for claim in book["claims"])

    def behind(self, ledger: str, claim: str) -> Mapping[str, Any]:
        """The queries and words behind a claim, see `tieout.site.behind`; raises UnknownName."""
        self.claim(ledger, claim)
        found: Mapping[str, Any] = self.data["behind"][ledger][claim]
        return found

    def audit(self, ledger: str, claim: str) -> Mapping[str, Any] | None:
        """What an audit found beside a claim; None where none was gathered."""
        found: Mapping[str, Any] | None = self.data["audit"].get(ledger, {}).get(claim)
        return found

    @property
    def audited(self) -> bool:
        """Whether the audit was run for this site."""
        return bool(self.data["audited"])

    def ledger_audit(self, ledger: str) -> Mapping[str, Any] | None:
        """What an audit found on a whole ledger; None where none was run."""
        found: Mapping[str, Any] | None = self.data["ledger_audits"].get(ledger)
        return found

    def document(self, name: str) -> Mapping[str, Any]:
        """A ledger's document with its caveats and sections; raises UnknownName."""
        self.ledger(name)
        found: Mapping[str, Any] = self.documents[name]
        return found

    def package(self, name: str) -> Mapping[str, Any]:
        """A package's descriptor with digest and tables; raises UnknownName."""
        if name not in self.packages:
            raise UnknownName(f"no package {name}; there are {', '.join(self.packages)}")
        found: Mapping[str, Any] = self.packages[name]
        return found

    def table(self, package: str, table: str) -> pd.DataFrame:
        """A table's rows in file order, integers and nulls kept as Parquet has them; raises UnknownName."""
        import pandas as pd

        described = self.package(package)
        if table not in described["tables"]:
            raise UnknownName(
                f"package {package} has no table {table}; it has {', '.join(described['tables'])}"
            )
        path = Path(described["folder"]) / described["tables"][table]["file"]
        return pd.read_parquet(path, dtype_backend="pyarrow")

    @cached_property
    def stamp(self) -> str:
        """What the site is made from: the SHA-256 of every digest, verdict and value in the report and the audit."""
        made_from = (
            [self.report, self.data["audit"], self.data["ledger_audits"]] if self.audited else self.report
        )
        canonical = json.dumps(made_from, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(canonical.encode()).hexdigest()


def claim_address(ledger: str, claim: str) -> str:
    """The permanent address of a claim's page, from the site's root."""
    return f"claims/{ledger}/{claim}.html"


def load() -> Site:
    """The site's data for a page: what the render command gathered, else `./artifacts` verified anew.

    Raises CannotOpen where there is neither.
    """
    given = os.environ.get(REPORT)
    if given:
        return Site(json.loads(Path(given).read_text(encoding="utf-8")))
    folder = next((path for path in (Path("artifacts"), Path("../artifacts")) if path.is_dir()), None)
    if folder is None:
        raise CannotOpen(
            "no artifacts/ here, and TIEOUT_REPORT names no gathered report; use `tieout render`"
        )
    return Site(gather([folder]))
