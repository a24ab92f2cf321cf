"""The result of a verification as data, and its JSON: the one truth for command, site and browser."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tieout import __version__
from tieout.errors import Fault
from tieout.exact import Value
from tieout.ledger import Claim, Ledger, Printing
from tieout.package import BASES, Package
from tieout.planning import ClaimStep, FormulaStep, QueryStep, leaves
from tieout.printed import Printed
from tieout.recompute import Recomputed
from tieout.results import PackageResult

VERDICTS = ("ties", "differs", "error", "quoted", "not-recomputable", "not-collected")
WORST_FIRST = ("error", "differs", "ties")
NO_BASIS = "none"


@dataclass(frozen=True, kw_only=True, slots=True)
class PrintingResult:
    """One printing against the value. `printed` is None where the text is not read as a number."""

    printing: Printing
    printed: tuple[Printed, ...]
    verdict: str
    marks: tuple[str, ...]
    diagnosis: str | None
    erratum_ties: bool | None

    @property
    def admission(self) -> str | None:
        """`corrected` where a URL publishes the erratum, `admitted` where the ledger alone does, None without one."""
        if self.printing.erratum is None:
            return None
        return "corrected" if self.printing.erratum.published else "admitted"

    @property
    def erratum_fault(self) -> str | None:
        """What is wrong with the erratum itself; None where nothing is, or where there is none."""
        if self.erratum_ties is False:
            return "the corrected text does not tie: the erratum is itself a fault"
        if self.erratum_ties and self.verdict == "ties":
            return "the printing ties as it stands: take the erratum out"
        return None


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadingResult:
    """One reading of words that leave the calculation open; the first of a claim's is the one taken."""

    says: str
    value: Value
    verdict: str
    sql: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class ClaimResult:
    """A claim with its verdict, which is None for an intermediate quantity that is printed nowhere."""

    claim: Claim
    headline: bool
    verdict: str | None
    recomputed: Recomputed | None
    error: str | None
    readings: tuple[ReadingResult, ...]
    printings: tuple[PrintingResult, ...]

    @property
    def basis(self) -> str | None:
        """The weakest basis of what was read; None where nothing was recomputed."""
        return self.recomputed.basis if self.recomputed else None


@dataclass(frozen=True, kw_only=True, slots=True)
class LedgerResult:
    """A verified ledger; `packages` maps its aliases to the packages it was verified against."""

    ledger: Ledger
    packages: Mapping[str, Package]
    faults: tuple[Fault, ...]
    claims: tuple[ClaimResult, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    """All that one verification found."""

    packages: tuple[PackageResult, ...]
    ledgers: tuple[LedgerResult, ...]

    def printings(self) -> list[tuple[LedgerResult, ClaimResult, PrintingResult]]:
        """Every printing with its claim and ledger, in printed order."""
        return [
            (book, claim, place)
            for book in self.ledgers
            for claim in book.claims
            for place in claim.printings
        ]

    def open_differences(self) -> int:
        """Printings that differ and are not admitted by an erratum that ties."""
        return sum(
            place.verdict == "differs" and place.erratum_ties is not True for _, _, place in self.printings()
        )

    def duckdb_alone(self) -> dict[str, int]:
        """How many values of each package rest on DuckDB alone, since SQLite was not asked."""
        return Counter(
            leaf.asked.package
            for book in self.ledgers
            for claim in book.claims
            if (found := claim.recomputed) and found.engines.get("duckdb") and not found.engines.get("sqlite")
            for leaf in leaves(found.step)
        )

    def exit_code(self, *, strict: bool = False) -> int:
        """0 where all is valid and every difference admitted, else 1; with `strict` any difference is 1."""
        bad = (
            any(not package.valid for package in self.packages)
            or any(book.faults for book in self.ledgers)
            or any(claim.verdict == "error" or claim.error for book in self.ledgers for claim in book.claims)
            or self.open_differences() > 0
            or any(place.erratum_fault for _, _, place in self.printings())
        )
        differs = any(place.verdict == "differs" for _, _, place in self.printings())
        return int(bad or (strict and differs))

    def counts(self, of: str) -> dict[str, dict[str, int]]:
        """How many `claims` or `printings` have each verdict, by basis (`none` where nothing was recomputed)."""
        counted: Counter[tuple[str, str]] = Counter()
        for book in self.ledgers:
            for claim in book.claims:
                basis = claim.basis or NO_BASIS
                verdicts = [claim.verdict] if of == "claims" else [place.verdict for place in claim.printings]
                counted.update((verdict, basis) for verdict in verdicts if verdict)
        order = {basis: index for index, basis in enumerate((*BASES, NO_BASIS))}
        return {
            verdict: {
                basis: counted[verdict, basis]
                for basis in sorted(order, key=order.__getitem__)
                if counted[verdict, basis]
            }
            for verdict in VERDICTS
            if any(found == verdict for found, _ in counted)
        }

    def to_json(self) -> dict[str, Any]:
        """The whole report in the form that DESIGN names; rationals and integers are strings."""
        return {
            "tieout": __version__,
            "packages": [_package(package) for package in self.packages],
            "ledgers": [_ledger(book) for book in self.ledgers],
            "summary": {"claims": self.counts("claims"), "printings": self.counts("printings")},
        }


def number(value: Fraction | bool | None, *, exact: bool = True) -> str | None:
    """A value as text: a rational in full, a binary64 as the shortest text that reads back to it, true or false."""
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if exact else repr(float(value))


def stands_for(printed: tuple[Printed, ...]) -> str | None:
    """The interval a printing stands for; both, low end first, of a range."""
    return " to ".join(str(part.stands_for) for part in printed) or None


def _fault(fault: Fault) -> dict[str, Any]:
    return {
        "code": fault.code,
        "file": fault.file,
        "row": fault.row,
        "column": fault.column,
        "pointer": fault.pointer,
        "expected": fault.expected,
        "found": fault.found,
        "message": fault.message,
    }


def _package(result: PackageResult) -> dict[str, Any]:
    return {
        "name": result.package.name,
        "version": result.package.version,
        "digest": result.package.digest,
        "valid": result.valid,
        "faults": [_fault(fault) for fault in result.faults],
        "checks": [
            {
                "id": check.id,
                "says": check.says,
                "examined": check.examined,
                "violations": check.violations,
                "rows": [dict(row) for row in check.rows],
            }
            for check in result.checks
        ],
        "tables": [
            {
                "name": table.name,
                "rows": table.rows,
                "checked": table.checked,
                "columns_compiled": table.by_column,
                "columns_by_row": table.by_row,
            }
            for table in result.tables
        ],
        "derived": [
            {"table": derived.table, "instrument": derived.instrument, "status": derived.status}
            for derived in result.derived
        ],
    }


def _ledger(result: LedgerResult) -> dict[str, Any]:
    return {
        "document": result.ledger.id,
        "version": result.ledger.document.get("version"),
        "packages": {
            alias: {"name": package.name, "version": package.version, "digest": package.digest}
            for alias, package in result.packages.items()
        },
        "faults": [_fault(fault) for fault in result.faults],
        "claims": [_claim(claim) for claim in result.claims],
    }


def _claim(result: ClaimResult) -> dict[str, Any]:
    claim, recomputed = result.claim, result.recomputed
    value = recomputed.value if recomputed else None
    exact = value.exact if value else None
    recipe = claim.recipe
    return {
        "id": claim.id,
        "section": claim.section,
        "headline": result.headline,
        "says": claim.says,
        "kind": claim.kind,
        "basis": result.basis,
        "evaluators": [
            {"id": name, "in_loop": dict(loop) if isinstance(loop, Mapping) else loop}
            for name, loop in (recomputed.evaluators.items() if recomputed else ())
        ],
        "timing": claim.timing,
        "caveats": list(claim.caveats),
        "verdict": result.verdict,
        "package": package_of(recomputed),
        "metric": recipe.metric if recipe else None,
        "where": dict(recipe.where) if recipe else None,
        "params": dict(recipe.params) if recipe else None,
        "value": number(value.value, exact=value.exact) if value else None,
        "exact": exact,
        "numerator": _integer(value.numerator) if value else None,
        "denominator": _integer(value.denominator) if value else None,
        "columns": {name: number(cell, exact=value.exact) for name, cell in value.columns.items()}
        if value
        else {},
        "unit": recomputed.unit if recomputed else None,
        "n_cases": recomputed.n_cases if recomputed else None,
        "engines": dict(recomputed.engines) if recomputed else {},
        "sql": sql_of(recomputed),
        "formula": formula_of(recomputed),
        "from": _inputs(recomputed),
        "readings": [
            {
                "says": reading.says,
                "value": number(reading.value.value, exact=reading.value.exact),
                "verdict": reading.verdict,
            }
            for reading in result.readings
        ],
        "because": claim.because or claim.locator,
        "reason": value.reason if value else None,
        "error": result.error,
        "printings": [_printing(place) for place in result.printings],
    }


def package_of(recomputed: Recomputed | None) -> str | None:
    """The package, or packages, that a value was recomputed from."""
    names = dict.fromkeys(package for package, _ in recomputed.tables) if recomputed else {}
    return ", ".join(names) or None


def sql_of(recomputed: Recomputed | None) -> str | None:
    """The query behind a value; None where a formula combines several."""
    step = recomputed.step if recomputed else None
    return step.asked.sql if isinstance(step, QueryStep) else None


def formula_of(recomputed: Recomputed | None) -> str | None:
    """The formula behind a value; None where one query gives it."""
    step = recomputed.step if recomputed else None
    return step.formula.text if isinstance(step, FormulaStep) else None


def _inputs(recomputed: Recomputed | None) -> dict[str, Any]:
    step = recomputed.step if recomputed else None
    if recomputed is None or not isinstance(step, FormulaStep):
        return {}
    inputs = {}
    for name, (inner, part) in step.inputs.items():
        below = recomputed.inputs[name]
        inputs[name] = {
            "claim": inner.claim if isinstance(inner, ClaimStep) else None,
            "metric": None if isinstance(inner, ClaimStep) else inner.metric,
            "part": part,
            "value": number(below.value.part(part), exact=below.value.exact),
            "sql": None if isinstance(inner, ClaimStep) else [leaf.asked.sql for leaf in leaves(inner)],
        }
    return inputs


def _integer(value: int | None) -> str | None:
    return None if value is None else str(value)


def _printing(result: PrintingResult) -> dict[str, Any]:
    printing, erratum = result.printing, result.printing.erratum
    return {
        "text": printing.text,
        "section": printing.section,
        "near": printing.near,
        "of": list(printing.of) if len(printing.of) > 1 else printing.of[0],
        "interval": stands_for(result.printed),
        "marks": list(result.marks),
        "verdict": result.verdict,
        "diagnosis": result.diagnosis,
        "erratum": None
        if erratum is None
        else {
            "corrected": erratum.corrected,
            "says": erratum.says,
            "noticed_by": erratum.noticed_by,
            "published": erratum.published,
            "ties": result.erratum_ties,
            "status": result.admission,
        },
    }
