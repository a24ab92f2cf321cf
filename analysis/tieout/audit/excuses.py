"""What is printed and not recomputed, and whether it could be; tolerances, readings and errata with their effect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tieout.audit.catalogue import Catalogue, Found, survey
from tieout.audit.workbench import Workbench
from tieout.judge import read_place
from tieout.ledger import Claim
from tieout.package import Package
from tieout.printed import Pair, Printed, UnreadablePrinting
from tieout.report import ClaimResult, LedgerResult, PrintingResult

SHOWN = 5  # recipes named of those that yield a printing, one a metric


@dataclass(frozen=True, kw_only=True, slots=True)
class Share:
    """So many of so many printings."""

    count: int
    of: int

    def to_json(self) -> dict[str, int]:
        """Both counts; never their quotient, which would hide how few they are."""
        return {"count": self.count, "of": self.of}


@dataclass(frozen=True, kw_only=True, slots=True)
class Excuse:
    """A printing without recomputation, and how many of the values tried from the catalogue print so.

    `not_searched` says why none was tried, None where they were. Few digits are yielded by many values: `yields` of
    `tried` says how much a coincidence is worth. `found` names the first recipe of each metric.
    """

    claim: str
    section: str
    kind: str
    headline: bool
    because: str | None
    text: str
    near: str | None
    not_searched: str | None
    tried: int
    yields: int
    found: tuple[Found, ...]

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "claim": self.claim,
            "section": self.section,
            "kind": self.kind,
            "headline": self.headline,
            "because": self.because,
            "text": self.text,
            "near": self.near,
            "not_searched": self.not_searched,
            "tried": self.tried,
            "yields": self.yields,
            "found": [found.to_json() for found in self.found],
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Leeway:
    """A tolerance, a reading or an erratum, and what it does to a verdict."""

    kind: str
    claim: str
    text: str | None
    says: str
    effect: str

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "kind": self.kind,
            "claim": self.claim,
            "text": self.text,
            "says": self.says,
            "effect": self.effect,
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Excuses:
    """Printings without recomputation: how many, by kind, by section and among headline claims, and each of them.

    `left_out` counts, by package, filters beyond the limit of what is tried.
    """

    printings: Share
    by_kind: Mapping[str, Share]
    by_section: Mapping[str, Share]
    headline: Share
    listed: tuple[Excuse, ...]
    leeway: tuple[Leeway, ...]
    left_out: Mapping[str, int]

    @property
    def could_be(self) -> tuple[Excuse, ...]:
        """Those that some catalogue metric yields on some filter, the least coincidental first."""
        found = [excuse for excuse in self.listed if excuse.yields]
        return tuple(sorted(found, key=lambda excuse: Fraction(excuse.yields, excuse.tried)))

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "printings": self.printings.to_json(),
            "by_kind": {kind: share.to_json() for kind, share in self.by_kind.items()},
            "by_section": {section: share.to_json() for section, share in self.by_section.items()},
            "headline": self.headline.to_json(),
            "listed": [excuse.to_json() for excuse in self.listed],
            "leeway": [leeway.to_json() for leeway in self.leeway],
            "left_out": dict(self.left_out),
        }


def excuses(book: LedgerResult, bench: Workbench) -> Excuses:
    """The printings of a ledger that nothing recomputes, each looked for in the catalogue over its packages."""
    placed = [(claim, place) for claim in book.claims for place in claim.printings]
    without = [(claim, place) for claim, place in placed if claim.claim.kind]
    searchable = any(_unsearched(book, place)[0] for _, place in without)
    surveys = [survey(package, bench) for package in book.packages.values()] if searchable else []

    by_kind = Counter(str(claim.claim.kind) for claim, _ in without)
    in_section = Counter(place.printing.section for _, place in placed)
    without_in = Counter(place.printing.section for _, place in without)
    return Excuses(
        printings=Share(count=len(without), of=len(placed)),
        by_kind={kind: Share(count=count, of=len(placed)) for kind, count in by_kind.items()},
        by_section={
            section: Share(count=without_in[section], of=count) for section, count in in_section.items()
        },
        headline=Share(
            count=sum(claim.headline for claim, _ in without), of=sum(claim.headline for claim, _ in placed)
        ),
        listed=tuple(_excuse(book, claim, place, surveys) for claim, place in without),
        leeway=tuple(_leeway(book)),
        left_out={found.package: found.left_out for found in surveys if found.left_out},
    )


def packages_of(book: LedgerResult) -> list[Package]:
    """The ledger's packages, each once."""
    return list({package.name: package for package in book.packages.values()}.values())


def _unsearched(book: LedgerResult, place: PrintingResult) -> tuple[Printed | None, str | None]:
    """The printing as a number, or why it is not looked for."""
    try:
        printed = read_place(place.printing, book.ledger.numbers)
    except UnreadablePrinting:
        return None, "the printing is no number"
    if len(printed) != 1:
        return None, "the printing is a range"
    stands_for = printed[0].stands_for
    if not isinstance(stands_for, Pair) and (stands_for.low is None or stands_for.high is None):
        return None, "the printing is a bound, which many values meet"
    return printed[0], None


def _excuse(
    book: LedgerResult, claim: ClaimResult, place: PrintingResult, surveys: list[Catalogue]
) -> Excuse:
    printed, why = _unsearched(book, place)
    found = [one for catalogue in surveys for one in catalogue.yielding(printed)] if printed else []
    by_metric = {(one.package, one.metric): one for one in reversed(found)}
    first = [one for one in found if by_metric[one.package, one.metric] is one]
    return Excuse(
        claim=claim.claim.id,
        section=place.printing.section,
        kind=str(claim.claim.kind),
        headline=claim.headline,
        because=claim.claim.because or claim.claim.locator,
        text=place.printing.text,
        near=place.printing.near,
        not_searched=why,
        tried=sum(catalogue.tried for catalogue in surveys) if printed else 0,
        yields=len(found),
        found=tuple(first[:SHOWN]),
    )


def _leeway(book: LedgerResult) -> Iterator[Leeway]:
    for result in book.claims:
        for place in result.printings:
            if place.printing.tolerance:
                yield _tolerance(result.claim, place)
        if result.claim.reading:
            yield _reading(result)
        for place in result.printings:
            if place.printing.erratum:
                yield _erratum(result.claim, place)


def _tolerance(claim: Claim, place: PrintingResult) -> Leeway:
    tolerance = place.printing.tolerance
    assert tolerance
    effect = "none: the value lies in the printing's interval"
    if "tolerance" in place.marks:
        effect = "the printing ties only because of it"
    elif place.verdict != "ties":
        effect = "none: the value lies beyond it"
    units = [part.unit for part in place.printed if part.unit]
    if units and tolerance.value > units[0]:
        effect += f"; it is wider than a step of the last printed digit ({units[0]})"
    return Leeway(
        kind="tolerance",
        claim=claim.id,
        text=place.printing.text,
        says=f"{tolerance.value}: {tolerance.because}",
        effect=effect,
    )


def _reading(result: ClaimResult) -> Leeway:
    reading = result.claim.reading
    assert reading
    ties = sum(one.verdict == "ties" for one in result.readings)
    effect = f"ties under {ties} of {len(result.readings)} readings"
    if not result.printings:
        distinct = len({(one.value.value, *sorted(one.value.columns.items())) for one in result.readings})
        values = "the same value" if distinct == 1 else f"{distinct} values"
        effect = f"not printed itself; its {len(result.readings)} readings give {values}"
    return Leeway(
        kind="reading",
        claim=result.claim.id,
        text=", ".join(place.printing.text for place in result.printings) or None,
        says=f"{reading.taken}; or: {'; '.join(other.says for other in reading.others)}",
        effect=effect,
    )


def _erratum(claim: Claim, place: PrintingResult) -> Leeway:
    erratum = place.printing.erratum
    assert erratum
    if place.verdict == "ties":
        effect = "none: the printing ties as it stands"
    elif place.erratum_ties:
        effect = f"the difference is {place.admission}; the corrected text ties"
    else:
        effect = "the corrected text does not tie"
    return Leeway(
        kind="erratum",
        claim=claim.id,
        text=place.printing.text,
        says=f"{erratum.corrected}: {erratum.says}",
        effect=effect,
    )
