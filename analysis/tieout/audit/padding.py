"""What a ledger's ties are made of: headline claims apart from the rest, counts by basis, and never one percentage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tieout.definition import same_key
from tieout.package import BASES
from tieout.report import NO_BASIS, VERDICTS, ClaimResult, LedgerResult, PrintingResult

Counts = Mapping[str, Mapping[str, int]]  # verdict -> basis -> printings

NO_DIGITS = "none"


@dataclass(frozen=True, kw_only=True, slots=True)
class Headline:
    """A headline claim: its verdict, what it rests on, and how its printings stand."""

    claim: str
    says: str
    verdict: str | None
    basis: str | None
    texts: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "claim": self.claim,
            "says": self.says,
            "verdict": self.verdict,
            "basis": self.basis,
            "texts": list(self.texts),
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Repeated:
    """One quantity that several printings that tie have: the claims that define it alike, and how many printings."""

    claims: tuple[str, ...]
    printings: int

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {"claims": list(self.claims), "printings": self.printings}


@dataclass(frozen=True, kw_only=True, slots=True)
class Padding:
    """What the counts of a ledger hold.

    `digits` counts printings that tie by their significant digits ("none": words, pairs, bounds, propositions): the
    fewer they are, the more values tie. `quantities` is how many different definitions the printings that tie have;
    `repeated` lists those with more than one printing, the most printed first. `from_no_receipt` names claims that tie
    on no row of any table.
    """

    headline: tuple[Headline, ...]
    headline_printings: Counts
    other_printings: Counts
    digits: Mapping[str, int]
    quantities: int
    repeated: tuple[Repeated, ...]
    from_no_receipt: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "headline": [claim.to_json() for claim in self.headline],
            "headline_printings": {verdict: dict(row) for verdict, row in self.headline_printings.items()},
            "other_printings": {verdict: dict(row) for verdict, row in self.other_printings.items()},
            "digits": dict(self.digits),
            "quantities": self.quantities,
            "repeated": [repeated.to_json() for repeated in self.repeated],
            "from_no_receipt": list(self.from_no_receipt),
        }


def padding(book: LedgerResult) -> Padding:
    """The composition of a ledger's printings."""
    placed = [(claim, place) for claim in book.claims for place in claim.printings]
    ties = [(claim, place) for claim, place in placed if place.verdict == "ties"]
    digits = Counter(_digits(place) for _, place in ties)
    groups: dict[tuple[str, ...], list[ClaimResult]] = {}
    for claim, place in ties:
        if claim.recomputed:
            groups.setdefault((same_key(claim.recomputed), *place.printing.of), []).append(claim)
    repeated = [
        Repeated(claims=tuple(dict.fromkeys(claim.claim.id for claim in group)), printings=len(group))
        for group in groups.values()
        if len(group) > 1
    ]
    return Padding(
        headline=tuple(_headline(claim) for claim in book.claims if claim.headline),
        headline_printings=_counts(pair for pair in placed if pair[0].headline),
        other_printings=_counts(pair for pair in placed if not pair[0].headline),
        digits={
            key: digits[key] for key in sorted(digits, key=lambda key: (key != NO_DIGITS, len(key), key))
        },
        quantities=len(groups),
        repeated=tuple(sorted(repeated, key=lambda group: -group.printings)),
        from_no_receipt=tuple(
            dict.fromkeys(
                claim.claim.id for claim, _ in ties if claim.recomputed and not claim.recomputed.tables
            )
        ),
    )


def _headline(claim: ClaimResult) -> Headline:
    return Headline(
        claim=claim.claim.id,
        says=claim.claim.says,
        verdict=claim.verdict,
        basis=claim.basis,
        texts=tuple(place.printing.text for place in claim.printings),
    )


def _digits(place: PrintingResult) -> str:
    significant = [part.significant for part in place.printed if part.significant]
    return str(min(significant)) if significant else NO_DIGITS


def _counts(placed: Iterable[tuple[ClaimResult, PrintingResult]]) -> Counts:
    counted = Counter((place.verdict, claim.basis or NO_BASIS) for claim, place in placed)
    return {
        verdict: {basis: counted[verdict, basis] for basis in (*BASES, NO_BASIS) if counted[verdict, basis]}
        for verdict in VERDICTS
        if any(found == verdict for found, _ in counted)
    }
