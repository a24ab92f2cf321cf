"""Whether printings that nobody can recompute are possible at all: as k of n, as parts of a total, as a ratio of parts.

The first is the GRIM test of N. J. L. Brown and J. A. J. Heathers (2017, doi:10.1177/1948550616673876): a mean of n
whole numbers is a multiple of 1/n, and few multiples print so. Times, money and correlations are no whole numbers, so
only what a claim's words plainly call a share, or a mean of things that are counted, is tested; each finding says what
it supposes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import permutations
from typing import Any

from tieout.audit.workbench import Workbench
from tieout.exact import Rows
from tieout.judge import read_place
from tieout.planning import QueryStep
from tieout.printed import Interval, Pair, Printed, UnreadablePrinting, compare
from tieout.report import ClaimResult, LedgerResult

TOTALS = frozenset({"total", "totals", "sum"})
POOLED = frozenset({"all", "together"})  # a sum where counts stand in the column, and a mean where means do
STATED = re.compile(
    r"(?P<by>\b(?:of|over|among|from)\s+(?:the\s+|all\s+)*|\bn\s*=\s*)"
    r"(?P<n>\d{1,3}(?:,\d{3})+|\d+)\b(?:\s+(?P<things>[a-z]+))?"
)
MEAN = re.compile(  # what is averaged: the words up to the next that joins others to them
    r"\b(?:mean|average)\b(?:\s+(?!of\b|over\b|in\b|for\b|from\b|among\b|by\b)"
    r"(?P<what>(?:[a-z-]+\s+)*?[a-z-]+)(?=\s+(?:of|over|in|for|from|among|by|an?|the)\b|[^\w\s-]|$))?"
)
PART = re.compile(r"\b(?:share|proportion|fraction|percentage|percent)\b")
RATE = re.compile(r"\b(?:rate|accuracy)\b")
COUNTED = re.compile(
    r"""answers|attempts|calls|cases|citations|claims|documents|errors|examples|failures|files|items|messages|problems
    |prompts|queries|questions|requests|responses|rows|samples|sentences|steps|successes|tasks|tokens|tracks
    |trajectories|trials|turns|words|number|count""",
    re.VERBOSE,
)
MEASURED = re.compile(  # rather than counted, or reckoned of more than a sum of counts and how many there are
    r"""\b(?:ms|milliseconds?|seconds?|minutes?|hours?|days?|times?|latency|duration
    |usd|dollars?|cents?|euros?|costs?|prices?|spend
    |correlations?|coefficients?|kappa|alpha|agreement|similarity|overlap
    |ratio|per|reduction|increase|decrease|change|gain|saved|savings|difference
    |deviation|variance|median|geometric|harmonic|weighted|trimmed|thousands|millions|billions)\b""",
    re.VERBOSE,
)
LEAST_ROWS = 3  # of a printed table, before one of its columns is taken for the ratio or sum of two others
TELLING = 2  # significant digits that such a column needs


@dataclass(frozen=True, kw_only=True, slots=True)
class Granular:
    """Whether some whole k times `step` prints so; `below` and `above` are the multiples on both sides of the printing.

    `because` says whose step it is. `k` is the least that does, None where none does.
    """

    claim: str
    text: str
    step: Fraction
    because: str
    k: int | None
    below: Fraction
    above: Fraction

    @property
    def possible(self) -> bool:
        """Whether some multiple of the step prints so."""
        return self.k is not None

    def to_json(self) -> dict[str, Any]:
        """As plain data; rationals are strings."""
        return {
            "claim": self.claim,
            "text": self.text,
            "step": str(self.step),
            "because": self.because,
            "possible": self.possible,
            "k": None if self.k is None else str(self.k),
            "below": str(self.below),
            "above": str(self.above),
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Follows:
    """A relation that printings seem to be in: those that follow from the others by it, and those that do not.

    `says` is the relation in words, which nobody stated; both lists name claims.
    """

    says: str
    follow: tuple[str, ...]
    do_not: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {"says": self.says, "follow": list(self.follow), "do_not": list(self.do_not)}


@dataclass(frozen=True, kw_only=True, slots=True)
class Feasibility:
    """What can be said of printings without recomputation; `untested` counts those of which nothing can."""

    granular: tuple[Granular, ...]
    totals: tuple[Follows, ...]
    ratios: tuple[Follows, ...]
    untested: int

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "granular": [found.to_json() for found in self.granular],
            "totals": [found.to_json() for found in self.totals],
            "ratios": [found.to_json() for found in self.ratios],
            "untested": self.untested,
        }


def feasibility(book: LedgerResult, bench: Workbench) -> Feasibility:
    """The tests on a ledger's printings that have no recomputation."""
    without = [claim for claim in book.claims if claim.claim.kind]
    granular = tuple(found for claim in without for found in _granular(claim, book, bench))
    grids = [
        _Grid(name, claims, book)
        for name, claims in _grids(book).items()
        if set(claims) & set(_without(book))
    ]
    totals = tuple(found for grid in grids for found in grid.totals())
    ratios = (*_pairs(without, book), *(found for grid in grids for found in grid.ratios()))
    tested = {found.claim for found in granular}
    tested |= {claim for found in (*totals, *ratios) for claim in (*found.follow, *found.do_not)}
    return Feasibility(
        granular=granular,
        totals=totals,
        ratios=tuple(ratios),
        untested=sum(len(claim.printings) for claim in without if claim.claim.id not in tested),
    )


def _without(book: LedgerResult) -> list[str]:
    """The claims that have a kind in place of a recomputation."""
    return [claim.claim.id for claim in book.claims if claim.claim.kind]


def _read(claim: ClaimResult, book: LedgerResult) -> Iterator[tuple[str, Printed]]:
    """The claim's printings that are one number."""
    for place in claim.printings:
        try:
            printed = place.printed or read_place(place.printing, book.ledger.numbers)
        except UnreadablePrinting:
            continue
        if len(printed) == 1 and place.printing.of == ("value",):
            yield place.printing.text, printed[0]


def _granular(claim: ClaimResult, book: LedgerResult, bench: Workbench) -> Iterator[Granular]:
    steps = dict(_steps(claim, book, bench))
    for text, printed in _read(claim, book):
        if printed.unit is None or (printed.unit >= 1 and not printed.percent):
            continue  # a whole number is a multiple of 1, and a bound or words say no digits
        for step, because in steps.items():
            if step >= printed.unit:  # else some multiple prints so whatever is printed
                yield _multiple(claim.claim.id, text, printed, step, because)


def _multiple(claim: str, text: str, printed: Printed, step: Fraction, because: str) -> Granular:
    nearest = math.floor(printed.face / step)
    fits = [k for k in range(nearest - 1, nearest + 3) if compare(printed, k * step).verdict == "ties"]
    return Granular(
        claim=claim,
        text=text,
        step=step,
        because=because,
        k=min(fits, default=None),
        below=nearest * step,
        above=(nearest + 1) * step,
    )


def _steps(claim: ClaimResult, book: LedgerResult, bench: Workbench) -> Iterator[tuple[Fraction, str]]:
    """Steps that the claim's value may move in: of the n that it states, and of siblings in its grid's column."""
    says = claim.claim.says.lower()
    if MEASURED.search(says):
        return
    if stated := _stated(says, [part for _, part in _read(claim, book)]):
        n, supposed = stated
        yield Fraction(1, n), supposed
    grid, _, column = _cell(claim.claim.id)
    if grid is None:
        return
    for sibling in book.claims:
        if sibling.recomputed is None or _cell(sibling.claim.id)[::2] != (grid, column):
            continue
        step = sibling.recomputed.step
        if not isinstance(step, QueryStep) or MEASURED.search(step.unit.lower()):
            continue
        if found := _step_of(step, bench):
            size, how = found
            yield size, f"if it was counted as {sibling.claim.id} was ({how})"


def _stated(says: str, printed: Sequence[Printed]) -> tuple[int, str] | None:
    """The one n that a claim states, with what is supposed: that it is a share of n, or a mean of n counts.

    None where the words say neither plainly, or state several numbers that could be n.
    """
    found = list(STATED.finditer(says))
    if len(found) != 1 or (n := int(found[0]["n"].replace(",", ""))) < 2:
        return None
    if averaged := MEAN.search(says):
        counts = COUNTED.fullmatch((averaged["what"] or "nothing").split()[-1])
        plain = counts and not any(part.percent for part in printed)
        return (n, f"if it is a mean of {n} whole numbers") if plain else None
    if _is_share(says, found[0], printed) and all(0 <= part.face <= 1 for part in printed):
        return n, f"if it is a share of {n}"
    return None


def _is_share(says: str, stated: re.Match[str], printed: Iterable[Printed]) -> bool:
    """Whether the words take a share of the very things that n counts: "share of tokens over 16 runs" is of tokens."""
    of = stated["by"].startswith(("of", "n"))
    if PART.search(says):
        before = says[: stated.start()].split()
        return of and bool(before) and bool(PART.fullmatch(before[-1]))
    things = COUNTED.fullmatch(stated["things"] or "")
    return bool(things and (RATE.search(says) or (of and any(part.percent for part in printed))))


def _step_of(step: QueryStep, bench: Workbench) -> tuple[Fraction, str] | None:
    """The step in which a share or a mean of this query's rows moves, as its rows show it."""
    [answer] = bench.rows(step.asked.package, [step.asked.sql])
    if not isinstance(answer, Rows) or answer.columns[-2:] != ("numerator", "denominator"):
        return None
    cells = [(row[-2], row[-1]) for row in answer.rows]
    parts = [
        (top, bottom) for top, bottom in cells if isinstance(top, int) and isinstance(bottom, int) and bottom
    ]
    if not parts or len(parts) < len(cells):
        return None
    if step.combine == "ratio" or len(answer.columns) == 2:
        total = sum(bottom for _, bottom in parts)
        return Fraction(1, total), f"multiples of 1/{total}"
    if step.combine not in ("mean", ("mean",)) or len(answer.columns) != 3:
        return None
    size = reduce(_common, (Fraction(top, bottom) for top, bottom in parts), Fraction(1))
    return size / len(parts), f"means of {len(parts)} values that move in steps of {size}"


def _common(one: Fraction, other: Fraction) -> Fraction:
    """The greatest step of which both are multiples."""
    top = math.gcd(one.numerator * other.denominator, other.numerator * one.denominator)
    return Fraction(top, one.denominator * other.denominator)


def _cell(claim: str) -> tuple[str | None, str, str]:
    """Grid, row and column of a cell's id; no grid for a claim that stands alone."""
    parts = claim.split(".")
    return (parts[0], parts[1], parts[2]) if len(parts) == 3 else (None, claim, "")


def _grids(book: LedgerResult) -> dict[str, dict[str, ClaimResult]]:
    grids: dict[str, dict[str, ClaimResult]] = {}
    for claim in book.claims:
        grid, _, _ = _cell(claim.claim.id)
        if grid is not None:
            grids.setdefault(grid, {})[claim.claim.id] = claim
    return grids


def _pairs(claims: Iterable[ClaimResult], book: LedgerResult) -> Iterator[Follows]:
    """Claims that print both a pair of counts and their share."""
    for claim in claims:
        printed = list(_read(claim, book))
        pairs = [(text, part) for text, part in printed if isinstance(part.stands_for, Pair)]
        for text, part in printed:
            for pair_text, pair in pairs:
                if not isinstance(part.stands_for, Pair):
                    same = compare(part, pair.face).verdict == "ties"
                    ids = (claim.claim.id,)
                    yield Follows(
                        says=f"“{text}” is {pair_text}",
                        follow=ids if same else (),
                        do_not=() if same else ids,
                    )


class _Grid:
    """A printed table: the interval of each cell that prints one number."""

    def __init__(self, name: str, claims: Mapping[str, ClaimResult], book: LedgerResult) -> None:
        self._name = name
        self._kind = {claim for claim, result in claims.items() if result.claim.kind}
        self._cells: dict[tuple[str, str], Printed] = {}
        for result in claims.values():
            _, row, column = _cell(result.claim.id)
            for _, printed in _read(result, book):
                if isinstance(printed.stands_for, Interval) and None not in _ends(printed):
                    self._cells.setdefault((row, column), printed)
        self._rows = list(dict.fromkeys(row for row, _ in self._cells))
        self._columns = list(dict.fromkeys(column for _, column in self._cells))

    def _id(self, row: str, column: str) -> str:
        return f"{self._name}.{row}.{column}"

    def _untouched(self, cells: Iterable[tuple[str, str]]) -> bool:
        """Whether all of these cells are recomputed, so that nothing has to be asked of them here."""
        return not any(self._id(row, column) in self._kind for row, column in cells)

    def totals(self) -> Iterator[Follows]:
        """Rows and columns named a total, against the sum of the others."""
        for row in self._rows:
            lines = [
                ((row, column), [(other, column) for other in self._rows if other != row])
                for column in self._columns
            ]
            yield from self._total("row", row, lines)
        for column in self._columns:
            lines = [
                ((row, column), [(row, other) for other in self._columns if other != column])
                for row in self._rows
            ]
            yield from self._total("column", column, lines)

    def _total(
        self, kind: str, name: str, lines: Sequence[tuple[tuple[str, str], Sequence[tuple[str, str]]]]
    ) -> Iterator[Follows]:
        words = set(name.split("-"))
        if not words & (TOTALS | POOLED):
            return
        follow, do_not = [], []
        for total, parts in lines:
            cells = [total, *parts]
            if len(parts) < 2 or not all(cell in self._cells for cell in cells) or self._untouched(cells):
                continue
            if any(self._cells[cell].percent for cell in cells):
                continue
            ends = [_known(self._cells[cell]) for cell in parts]
            low, high = (sum(sides, Fraction(0)) for sides in zip(*ends, strict=True))
            least, most = _known(self._cells[total])
            if low <= most and high >= least:
                follow.append(self._id(*total))
            elif least > max(high for _, high in ends):  # no greater than a part, it reads as a mean
                do_not.append(self._id(*total))
        if not follow and not words & TOTALS:
            return
        if follow or do_not:
            says = f"{kind} {name} of {self._name} is the sum of the others"
            yield Follows(says=says, follow=tuple(follow), do_not=tuple(do_not))

    def ratios(self) -> Iterator[Follows]:
        """Columns that are, in most rows, the ratio or the share left of two others."""
        for whole, top, bottom in permutations(self._columns, 3):
            for says, left in (
                (f"{whole} = {top} / {bottom}", False),
                (f"{whole} = 1 - {top} / {bottom}", True),
            ):
                verdicts: dict[bool, list[str]] = {True: [], False: []}
                for row in self._rows:
                    cells = [self._cells.get((row, column)) for column in (whole, top, bottom)]
                    if None in cells:
                        continue
                    verdict = _is_ratio(*(cell for cell in cells if cell), left=left)
                    if verdict is not None:
                        verdicts[verdict].append(row)
                rows = len(verdicts[True]) + len(verdicts[False])
                places = [(row, column) for row in self._rows for column in (whole, top, bottom)]
                if rows >= LEAST_ROWS and 3 * len(verdicts[False]) <= rows and not self._untouched(places):
                    yield Follows(
                        says=f"{says} in {self._name}",
                        follow=tuple(self._id(row, whole) for row in verdicts[True]),
                        do_not=tuple(self._id(row, whole) for row in verdicts[False]),
                    )


def _ends(printed: Printed) -> tuple[Fraction | None, Fraction | None]:
    stands_for = printed.stands_for
    return (stands_for.low, stands_for.high) if isinstance(stands_for, Interval) else (None, None)


def _known(printed: Printed) -> tuple[Fraction, Fraction]:
    low, high = _ends(printed)
    assert low is not None, "only cells with two ends are kept"
    assert high is not None, "only cells with two ends are kept"
    return low, high


def _is_ratio(whole: Printed, top: Printed, bottom: Printed, *, left: bool) -> bool | None:
    """Whether the printed whole can be top over bottom, or what they leave of 1; None where the digits are few."""
    (low, high), (least, most) = _known(top), _known(bottom)
    if whole.significant < TELLING or low < 0 or least <= 0:
        return None
    smallest, greatest = low / most, high / least
    if left:
        smallest, greatest = 1 - greatest, 1 - smallest
    from_, to = _known(whole)
    return smallest <= to and greatest >= from_
