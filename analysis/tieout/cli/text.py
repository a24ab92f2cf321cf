"""How a report reads in a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from tieout.engines import MANY_ROWS
from tieout.exact import Value
from tieout.package import BASES, Package
from tieout.planned import declared_missing
from tieout.recompute import Recomputed
from tieout.report import (
    NO_BASIS,
    ClaimResult,
    LedgerResult,
    PrintingResult,
    Report,
    number,
    stands_for,
)
from tieout.results import CheckResult, PackageResult
from tieout.safetext import visible
from tieout.schema.words import shown

WIDTH = 100
FEW_ROWS = 3  # rows shown that break a check
FEW = 6  # printings named of a group
MARKS = {
    "ties": ("✓", "green"),
    "differs": ("✗", "red"),
    "error": ("!", "red"),
    "quoted": ("”", "blue"),
    "not-recomputable": ("–", "yellow"),
    "not-collected": ("∅", "yellow"),
}
PLURAL = {"quoted": "quoted", "not-recomputable": "not recomputable", "not-collected": "not collected"}


def mark(verdict: str | None) -> str:
    """The tick mark of a verdict, coloured."""
    sign, colour = MARKS.get(verdict or "", ("·", "white"))
    return click.style(sign, fg=colour)


def _many(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def wrapped(text: str, indent: str) -> str:
    """A text in lines of a terminal's width."""
    return textwrap.fill(text, WIDTH, initial_indent=indent, subsequent_indent=indent)


def decimal(value: Fraction | bool | None, *, exact: bool = True) -> str:
    """A value for reading: an integer in groups of three, else a decimal of at most ten digits, marked where cut."""
    if value is None:
        return "no value"
    if isinstance(value, bool):
        return "true" if value else "false"
    if value.denominator == 1:
        return f"{value.numerator:,}"
    if not exact:
        return number(value, exact=False) or ""
    digits = max(0, 10 - len(str(abs(value.numerator // value.denominator))))
    scaled = round(value * 10**digits)
    whole, part = divmod(abs(scaled), 10**digits) if digits else (abs(scaled), 0)
    text = f"{'-' if scaled < 0 else ''}{whole:,}" + (
        f".{part:0{digits}d}".rstrip("0").rstrip(".") if digits else ""
    )
    return text if Fraction(scaled, 10**digits) == value else f"{text}…"


def value_line(value: Value, unit: str) -> str:
    """A value in full: decimal, the integers behind it, its unit, or the reason that there is none."""
    if value.value is None and value.columns:
        return ", ".join(f"{name} {decimal(cell, exact=value.exact)}" for name, cell in value.columns.items())
    if value.value is None:
        return f"no value: {value.reason}"
    text = decimal(value.value, exact=value.exact)
    if value.numerator is not None and value.denominator not in {None, 1}:
        text += f" = {value.numerator:,} / {value.denominator:,}"
    return f"{text} {unit}".rstrip()


def judges(recomputed: Recomputed | None) -> str:
    """The evaluators behind a value, each with where it stood in the loop."""
    if recomputed is None or not recomputed.evaluators:
        return ""
    parts = []
    for name, loop in recomputed.evaluators.items():
        where = (
            {True: "in the loop", False: "outside the loop"}.get(loop)
            if isinstance(loop, bool)
            else _some(loop)
        )
        parts.append(f"{name} ({where})")
    return ", ".join(parts)


def _some(loop: Mapping[str, object]) -> str:
    terms = "; ".join(
        f"{column} {', '.join(map(str, values)) if isinstance(values, list) else values}"
        for column, values in loop.items()
    )
    return f"in the loop for {terms}"


def report_lines(report: Report, *, everything: bool, claims: frozenset[str]) -> Iterator[str]:
    """The report for people: differences first, then what is behind them, and one line that says it all."""
    yield from fault_lines(report)
    shown = [entry for entry in report.printings() if not claims or entry[1].claim.id in claims]
    for verdict, one, many in (
        ("error", "error", "errors"),
        ("differs", "difference", "differences"),
        ("ties", "erratum too many", "errata too many"),
    ):
        found = [entry for entry in shown if entry[2].verdict == verdict]
        found = [entry for entry in found if entry[2].erratum_fault] if verdict == "ties" else found
        if found:
            yield click.style(f"{len(found)} {one if len(found) == 1 else many}", bold=True)
            for book, claim, place in found:
                yield from _printing_lines(book, claim, place)
            yield ""
    silent = [
        claim for book in report.ledgers for claim in book.claims if claim.error and not claim.printings
    ]
    for claim in silent:
        yield f"  {mark('error')} {claim.claim.id}: {claim.error}"
    if everything or claims:
        for book in report.ledgers:
            yield from _ledger_lines(book, claims)
    else:
        yield from _caution_lines(shown)
    alone = report.duckdb_alone()
    for package in report.packages:
        yield from _package_lines(package)
        if count := alone.get(package.package.name):
            yield (
                f"    {mark(None)} {_many(count, 'value')} on DuckDB alone: SQLite is not asked above "
                f"{MANY_ROWS:,} rows but with --sqlite"
            )
    yield ""
    for book in report.ledgers:
        yield _counts_line(book)
    yield ""
    yield last_line(report)


def fault_lines(report: Report) -> Iterator[str]:
    """What is wrong with packages and ledgers themselves, whatever their numbers are; nothing where nothing is."""
    faults = [f"{result.package.name}/{fault}" for result in report.packages for fault in result.faults]
    faults += [str(fault) for book in report.ledgers for fault in book.faults]
    if faults:
        yield click.style(_many(len(faults), "fault"), fg="red", bold=True)
        yield from (f"  {click.style('!', fg='red')} {fault}" for fault in faults)
        yield ""


def told(folder: Path) -> Package:
    """Opens a package, frozen or not, and tells on standard error what is wrong with it itself."""
    from tieout.folder import SUMS
    from tieout.package import open_package

    package = open_package(folder, frozen=(folder / SUMS).exists())
    for fault in package.faults:
        click.echo(f"tieout: {folder.name}/{fault}", err=True)
    return package


def _caution_lines(shown: Sequence[tuple[LedgerResult, ClaimResult, PrintingResult]]) -> Iterator[str]:
    """What a reader of tick marks has to know beside them: ties that hang on a reading, and what was not recomputed."""
    open_words = [entry for entry in shown if "one-reading" in entry[2].marks]
    if open_words:
        yield click.style(
            f"{len(open_words)} tie under some readings of the document's words only", bold=True
        )
        for book, claim, place in open_words:
            held = sum(reading.verdict == "ties" for reading in claim.readings)
            yield (
                f"  {mark('ties')} {book.ledger.id} {claim.claim.id}  “{place.printing.text}”: "
                f"{held} of {len(claim.readings)} readings"
            )
        yield ""
    silent = [entry for entry in shown if entry[2].verdict in PLURAL]
    if silent:
        yield click.style(f"{len(silent)} not recomputed", bold=True)
        groups: dict[tuple[str, str, str], list[str]] = {}
        for book, claim, place in silent:
            why = claim.claim.because or claim.claim.locator or claim.claim.says
            groups.setdefault((place.verdict, book.ledger.id, why), []).append(f"“{place.printing.text}”")
        for (verdict, ledger, why), texts in groups.items():
            listed = (
                ", ".join(texts)
                if len(texts) <= FEW
                else f"{', '.join(texts[:FEW])} and {len(texts) - FEW} more"
            )
            yield f"  {mark(verdict)} {ledger} {listed}  [{PLURAL[verdict]}]"
            yield wrapped(why, "      ")
        yield ""


def _printing_lines(book: LedgerResult, claim: ClaimResult, place: PrintingResult) -> Iterator[str]:
    admission = f", {place.admission}" if place.erratum_ties else ""
    basis = f"{claim.basis or NO_BASIS}{admission}"
    yield f"  {mark(place.verdict)} {click.style(f'{book.ledger.id} {claim.claim.id}', bold=True)}  [{basis}]"
    yield wrapped(claim.claim.says, "      ")
    near = f", near “{place.printing.near}”" if place.printing.near else ""
    yield f"      printed     “{place.printing.text}” in {place.printing.section}{near}"
    if place.printed:
        yield f"      stands for  {stands_for(place.printed)}"
    if claim.recomputed:
        yield f"      recomputed  {value_line(claim.recomputed.value, claim.recomputed.unit)}"
    if claim.error or (place.diagnosis and place.verdict == "error"):
        yield f"      error       {claim.error or place.diagnosis}"
    elif place.diagnosis:
        yield f"      diagnosis   {place.diagnosis}"
    if said := judges(claim.recomputed):
        yield f"      evaluator   {said}"
    for reading in claim.readings:
        found = decimal(reading.value.value, exact=reading.value.exact)
        yield f"      reading     {mark(reading.verdict)} {reading.says}: {found}"
    erratum = place.printing.erratum
    if erratum:
        source = f" ({erratum.published})" if erratum.published else ""
        state = f": {place.erratum_fault}" if place.erratum_fault else ", which ties"
        yield f"      erratum     “{erratum.corrected}”{state}{source}"
        yield wrapped(erratum.says, "                  ")


def _ledger_lines(book: LedgerResult, claims: frozenset[str]) -> Iterator[str]:
    section = None
    yield click.style(book.ledger.id, bold=True)
    for claim in book.claims:
        if claims and claim.claim.id not in claims:
            continue
        if claim.claim.section != section:
            section = claim.claim.section
            yield f"  {section}"
        texts = " · ".join(place.printing.text for place in claim.printings) or "(not printed)"
        marks = sorted({name for place in claim.printings for name in place.marks})
        value = (
            value_line(claim.recomputed.value, claim.recomputed.unit)
            if claim.recomputed
            else claim.claim.because or ""
        )
        tail = f"  [{', '.join(filter(None, [claim.basis, *marks]))}]" if claim.basis or marks else ""
        yield f"    {mark(claim.verdict)} {claim.claim.id}  “{texts}”  {value}{tail}"
    yield ""


def _package_lines(result: PackageResult) -> Iterator[str]:
    package = result.package
    rows = sum(table.rows for table in result.tables)
    held = [check for check in result.checks if check.violations == 0]
    empty = [check for check in held if check.examined == 0]
    over_nothing = f", {len(empty)} of them over nothing" if empty else ""
    sign = mark("ties" if result.valid else "error")
    slow = sum(table.by_row for table in result.tables)
    extra = f", {_many(slow, 'column')} row by row" if slow else ""
    yield (
        f"{sign} {package.name} {package.version}: {_many(len(result.tables), 'table')}, {_many(rows, 'row')} "
        f"checked{extra}; "
        f"{len(held)} of {len(result.checks)} checks hold{over_nothing}"
    )
    yield f"    sha256 {package.digest or '— (a draft, or not frozen)'}"
    for check in result.checks:
        yield from _check_lines(check)
    for run in declared_missing(package):
        cells = ", ".join(f"{column} {shown(value)}" for column, value in run.items() if column != "because")
        yield f"    {mark(None)} planned and declared missing: {cells}"
        yield wrapped(visible(run["because"]), "        ")
    for derived in result.derived:
        if derived.status != "same":
            sign = mark("error" if derived.status == "differs" else None)
            yield f"    {sign} {derived.table} ({derived.instrument}): {derived.status}"


def _check_lines(check: CheckResult) -> Iterator[str]:
    """What a reader has to know of a check; nothing of one that holds over something."""
    if check.error:
        yield f"    {mark('error')} {check.id}: could not run. {check.says}"
        yield wrapped(check.error, "        ")
    elif check.violations:
        yield f"    {mark('error')} {check.id}: {check.violations:,} of {check.examined:,} break it. {check.says}"
        yield from (f"        {row}" for row in check.shown(FEW_ROWS))
    elif check.examined == 0:
        yield f"    {mark(None)} {check.id}: nothing was there to look at. {check.says}"


def _counts_line(book: LedgerResult) -> str:
    counted = Report(packages=(), ledgers=(book,)).counts("printings")
    parts = []
    for verdict, bases in counted.items():
        split = ", ".join(f"{count} {basis}" for basis, count in bases.items() if basis != NO_BASIS)
        parts.append(f"{sum(bases.values())} {_verdict_words(verdict)}" + (f" ({split})" if split else ""))
    printings = sum(len(claim.printings) for claim in book.claims)
    return f"{book.ledger.id}: {_many(len(book.claims), 'claim')}, {_many(printings, 'printing')}: {', '.join(parts)}"


def _verdict_words(verdict: str) -> str:
    return {"ties": "tie", "differs": "differ", "error": "in error"}.get(verdict) or PLURAL[verdict]


def last_line(report: Report) -> str:
    """The line that every run ends with, over all printings."""
    return summed_up(report.to_json())


def summed_up(document: Mapping[str, Any]) -> str:
    """The last line of a report that is at hand as its JSON."""
    counted = document["summary"]["printings"]
    ties = counted.get("ties", {})
    by_basis = ", ".join(f"{ties[basis]} {basis}" for basis in BASES if basis in ties)
    places = [
        place for book in document["ledgers"] for claim in book["claims"] for place in claim["printings"]
    ]
    errata = [place["erratum"] for place in places if place["verdict"] == "differs" and place["erratum"]]
    admitted = sum(erratum["ties"] is True for erratum in errata)
    corrected = sum(erratum["ties"] is True and erratum["status"] == "corrected" for erratum in errata)
    parts = [f"{sum(ties.values())} tie" + (f" ({by_basis})" if by_basis else "")]
    differ = sum(counted.get("differs", {}).values())
    parts.append(f"{differ} differ ({admitted - corrected} admitted, {corrected} corrected in print)")
    parts += [
        f"{sum(counted[verdict].values())} {_verdict_words(verdict)}"
        for verdict in ("quoted", "not-recomputable", "not-collected", "error")
        if verdict in counted
    ]
    for name, words in (
        ("one-reading", "under some readings only"),
        ("tolerance", "within a stated tolerance"),
    ):
        if count := sum(name in place["marks"] for place in places):
            parts.append(f"{count} of the ties {words}")
    return ", ".join(parts)
