"""Completeness of a ledger: every numeral of a document is claimed by a printing or named as no claim."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from tieout.digits import ENGLISH, NumberFormat, UnreadablePrinting
from tieout.formula import Formula, evaluate, parse
from tieout.numerals import Numeral, NumeralText, Span, scan
from tieout.printed import read
from tieout.words import share

__all__ = [
    "Coverage",
    "Ignored",
    "Numeral",
    "Placed",
    "PrintingPlace",
    "TwiceClaimed",
    "Unplaced",
    "Unused",
    "cover",
    "scan",
]

_COMPUTED = (ast.Constant, ast.BinOp, ast.operator, ast.UnaryOp, ast.USub, ast.UAdd)

REACH = 200
"""How many characters may lie between a printing and the words that it is said to be near."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PrintingPlace:
    """Where a claim says that it is printed. `near` is None where the text occurs once in its section."""

    claim: str
    text: str
    section: str
    near: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Ignored:
    """A numeral that is no claim, and why. Without `section` the document is meant; `all` is every occurrence."""

    text: str
    why: str
    near: str | None = None
    section: str | None = None
    all: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Placed:
    """A printing that was found, where, and the numerals that it claims; `line` counts from 1."""

    printing: PrintingPlace
    start: int
    end: int
    line: int
    numerals: tuple[Numeral, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Unplaced:
    """A printing that has no one place in the text."""

    printing: PrintingPlace
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class TwiceClaimed:
    """Two printings that stand on the same numeral of the text, or on the same words."""

    first: Placed
    second: Placed


@dataclass(frozen=True, kw_only=True, slots=True)
class Unused:
    """An entry of the ignored list that ignores nothing."""

    ignored: Ignored
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Coverage:
    """How a ledger covers a document; `numerals` are all that were found, in order of the text."""

    numerals: tuple[Numeral, ...]
    placed: tuple[Placed, ...]
    uncovered: tuple[Numeral, ...]
    not_found: tuple[Unplaced, ...]
    ambiguous: tuple[Unplaced, ...]
    twice_claimed: tuple[TwiceClaimed, ...]
    ignored_unused: tuple[Unused, ...]
    headings_not_found: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """True if every numeral is claimed once or ignored, and every entry has its one place."""
        return not (
            self.uncovered
            or self.not_found
            or self.ambiguous
            or self.twice_claimed
            or self.ignored_unused
            or self.headings_not_found
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class _Miss:
    """Why some words have no one place, and whether that is for too many places."""

    reason: str
    many: bool = False


def _place(document: NumeralText, words: str, near: str | None, within: Span, where: str) -> Span | _Miss:
    """The one place of `words`: the occurrence nearest to the one place of `near`."""
    spans = document.occurrences(words, within)
    if not spans:
        return _Miss(reason=f"“{words}” does not occur in {where}")
    if near is None:
        if len(spans) == 1:
            return spans[0]
        return _Miss(reason=f"“{words}” occurs {len(spans)} times in {where} and has no near", many=True)
    anchors = document.occurrences(near, within, whole=False)
    if not anchors:
        return _Miss(reason=f"near “{near}” does not occur in {where}")
    if len(anchors) > 1:
        return _Miss(reason=f"near “{near}” occurs {len(anchors)} times in {where}", many=True)
    gaps = [span.gap(anchors[0]) for span in spans]
    least = min(gaps)
    if least > REACH:
        return _Miss(reason=f"“{words}” is {least} characters from near “{near}”, more than {REACH}")
    if gaps.count(least) > 1:
        return _Miss(reason=f"{gaps.count(least)} places of “{words}” are as near to “{near}”", many=True)
    return spans[gaps.index(least)]


def _sections(text: str, sections: Sequence[tuple[str, str | None]]) -> tuple[dict[str, Span], list[str]]:
    """The span of each section, and the headings that are no line of the text after the heading before."""
    starts: list[tuple[str, int]] = []
    missing: list[str] = []
    lines = [(match.start(), " ".join(match[0].split())) for match in re.finditer(r"(?m)^.*$", text)]
    reached = -1
    for name, heading in sections:
        wanted = None if heading is None else " ".join(heading.split())
        place = next((start for start, line in lines if start > reached and line == wanted), None)
        if heading is None:
            starts.append((name, 0))
        elif place is None:
            missing.append(heading)
        else:
            starts.append((name, place))
            reached = place
    ends = [start for _, start in starts[1:]] + [len(text)]
    return {n: Span(start=start, end=end) for (n, start), end in zip(starts, ends, strict=False)}, missing


def _stated(assertion: str) -> frozenset[Fraction]:
    """The numbers in an assertion's formula: "share == 1/3 and n >= 48" holds 1, 3, 1/3 and 48."""
    formula = parse(assertion)
    computed = (
        evaluate(Formula(text=formula.text, tree=node, names=()), {}).value
        for node in ast.walk(formula.tree)
        if isinstance(node, ast.expr) and all(isinstance(part, _COMPUTED) for part in ast.walk(node))
    )
    return frozenset(Fraction(value) for value in computed if value is not None)


def _value(numeral: Numeral, numbers: NumberFormat) -> Fraction | None:
    """The number that a numeral names, None where it is no number, or could be two."""
    text = " ".join(numeral.text.split())
    try:
        return share(text) or read(text, numbers).face
    except UnreadablePrinting:
        return None


def _twice(placed: Sequence[Placed]) -> list[TwiceClaimed]:
    """Pairs that share a numeral or are the same words, unless two claims name the very same printing."""
    twice = []
    ordered = sorted(placed, key=lambda place: (place.start, place.end))
    for index, first in enumerate(ordered):
        for second in ordered[index + 1 :]:
            if second.start >= first.end:
                break
            a, b = first.printing, second.printing
            if a.claim != b.claim and (a.text, a.near) == (b.text, b.near):
                continue
            same = (first.start, first.end) == (second.start, second.end)
            if same or set(first.numerals) & set(second.numerals):
                twice.append(TwiceClaimed(first=first, second=second))
    return twice


def _ignore(
    document: NumeralText, ignored: Iterable[Ignored], sections: dict[str, Span], claimed: set[Numeral]
) -> tuple[set[Numeral], list[Unused]]:
    covered: set[Numeral] = set()
    unused: list[Unused] = []
    # Entries for one place go first: one for all places does not make them superfluous.
    for entry in sorted(ignored, key=lambda entry: entry.all):
        where = "the document" if entry.section is None else f"section {entry.section}"
        within = (
            Span(start=0, end=len(document.text)) if entry.section is None else sections.get(entry.section)
        )
        if within is None:
            unused.append(Unused(ignored=entry, reason=f"{where} is not in the text"))
            continue
        places: list[Span] = document.occurrences(entry.text, within) if entry.all else []
        reason = f"“{entry.text}” does not occur in {where}" if entry.all and not places else None
        if not entry.all:
            place = _place(document, entry.text, entry.near, within, where)
            if isinstance(place, _Miss):
                reason = place.reason
            else:
                places = [place]
        found = {numeral for place in places for numeral in document.inside(place)}
        if reason is None and not found:
            reason = f"“{entry.text}” holds no numeral"
        elif reason is None and not found - claimed:
            reason = "a printing claims it"
        elif reason is None and not found - claimed - covered:
            reason = "another entry ignores it"
        if reason is not None:
            unused.append(Unused(ignored=entry, reason=reason))
        covered |= found
    return covered, unused


def cover(
    text: str,
    printings: Sequence[PrintingPlace],
    sections: Sequence[tuple[str, str | None]],
    ignored: Sequence[Ignored],
    *,
    asserted: Mapping[str, str] = MappingProxyType({}),
    numbers: NumberFormat = ENGLISH,
) -> Coverage:
    """Place every printing in the text and name each numeral that neither a printing nor `ignored` covers.

    `sections` are names with the line of their heading, in printed order; None is the opening. A printing stands
    where its text stands once in its section, or nearest to the one place of `near` and at most `REACH` characters
    away, without cutting a numeral, an identifier or a word. It covers all numerals inside, but nothing compares the
    text of an assertion: of a claim in `asserted`, which holds formulas by claim, a printing covers the numerals whose
    number is in the formula. One without a numeral ("matched") must be found as well. Two printings may share a
    numeral only if they belong to different claims and have the same text and `near`.
    """
    document = NumeralText(text)
    spans, missing = _sections(text, sections)
    stated = {claim: _stated(formula) for claim, formula in asserted.items()}
    placed: list[Placed] = []
    not_found: list[Unplaced] = []
    ambiguous: list[Unplaced] = []
    for printing in printings:
        where = f"section {printing.section}"
        within = spans.get(printing.section)
        place: Span | _Miss = _Miss(reason=f"{where} is not in the text")
        if within is not None:
            place = _place(document, printing.text, printing.near, within, where)
        if isinstance(place, _Miss):
            (ambiguous if place.many else not_found).append(Unplaced(printing=printing, reason=place.reason))
            continue
        inside = document.inside(place)
        if printing.claim in stated:
            inside = tuple(n for n in inside if _value(n, numbers) in stated[printing.claim])
        line = document.line(place.start)
        placed.append(Placed(printing=printing, start=place.start, end=place.end, line=line, numerals=inside))
    claimed = {numeral for place in placed for numeral in place.numerals}
    covered, unused = _ignore(document, ignored, spans, claimed)
    return Coverage(
        numerals=document.numerals,
        placed=tuple(placed),
        uncovered=tuple(n for n in document.numerals if n not in claimed and n not in covered),
        not_found=tuple(not_found),
        ambiguous=tuple(ambiguous),
        twice_claimed=tuple(_twice(placed)),
        ignored_unused=tuple(unused),
        headings_not_found=tuple(missing),
    )
