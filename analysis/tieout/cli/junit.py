"""A report as JUnit XML, for what reads tests: a ledger is a suite, a printing a case."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

from tieout.cli.text import value_line
from tieout.errors import CannotOpen
from tieout.freeze import write_beside
from tieout.report import ClaimResult, PrintingResult, Report

SKIPPED = ("quoted", "not-recomputable", "not-collected")


def write(file: Path, report: Report, *, strict: bool = False) -> None:
    """Writes the XML. A link, a pipe or a device is written through, a file is replaced whole.

    Raises CannotOpen with the name of the file where that fails.
    """
    text = document(report, strict=strict)
    through = file.is_symlink() or (file.exists() and not file.is_file())
    try:
        file.write_text(text, encoding="utf-8") if through else write_beside(file, text)
    except OSError as error:
        raise CannotOpen(f"{file}: {error.strerror}") from error


def document(report: Report, *, strict: bool = False) -> str:
    """The XML text. An admitted difference is skipped with its erratum, unless `strict`; any other is a failure."""
    root = ET.Element("testsuites", name="tieout")
    for package in report.packages:
        suite = ET.SubElement(root, "testsuite", name=f"package {package.package.name}")
        for check in package.checks:
            case = ET.SubElement(suite, "testcase", classname=package.package.name, name=check.id)
            if check.violations != 0:
                message = "could not run" if check.violations is None else f"{check.violations} rows break it"
                ET.SubElement(case, "failure", message=f"{check.says}: {message}")
        for index, fault in enumerate(package.faults):
            case = ET.SubElement(
                suite, "testcase", classname=package.package.name, name=f"{fault.code} {index + 1}"
            )
            ET.SubElement(case, "failure", message=str(fault))
        _count(suite)
    for book in report.ledgers:
        suite = ET.SubElement(root, "testsuite", name=f"ledger {book.ledger.id}")
        for index, fault in enumerate(book.faults):
            case = ET.SubElement(
                suite, "testcase", classname=book.ledger.id, name=f"{fault.code} {index + 1}"
            )
            ET.SubElement(case, "failure", message=str(fault))
        for claim in book.claims:
            for index, place in enumerate(claim.printings):
                name = f"{claim.claim.id} #{index + 1} {place.printing.text}"
                case = ET.SubElement(
                    suite, "testcase", classname=f"{book.ledger.id}.{claim.claim.section}", name=name
                )
                _verdict(case, claim, place, strict=strict)
        _count(suite)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _count(suite: ET.Element) -> None:
    suite.set("tests", str(len(suite)))
    for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(name, str(sum(case.find(tag) is not None for case in suite)))


def _verdict(case: ET.Element, claim: ClaimResult, place: PrintingResult, *, strict: bool) -> None:
    value = value_line(claim.recomputed.value, claim.recomputed.unit) if claim.recomputed else ""
    if place.verdict in SKIPPED:
        ET.SubElement(
            case, "skipped", message=f"{place.verdict}: {claim.claim.because or claim.claim.locator or ''}"
        )
    elif place.verdict == "error":
        ET.SubElement(case, "error", message=claim.error or place.diagnosis or "error")
    elif place.erratum_fault:
        ET.SubElement(case, "failure", message=place.erratum_fault, type="erratum").text = place.diagnosis
    elif place.verdict == "differs" and place.erratum_ties and not strict:
        ET.SubElement(case, "skipped", message=f"differs ({place.admission}): recomputed {value}")
    elif place.verdict == "differs":
        ET.SubElement(case, "failure", message=f"recomputed {value}", type="differs").text = place.diagnosis
