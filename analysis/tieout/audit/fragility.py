"""How few rows decide whether a printing ties, and whether the value depends on the rows at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tieout.audit.changes import BySums, ByVariants, changes, quantities
from tieout.audit.movement import Movement, movement
from tieout.audit.parts import Key, Sums
from tieout.audit.subject import Room, Subject, number, still_ties
from tieout.planning import QueryStep
from tieout.printed import Pair
from tieout.report import PrintingResult

EXACT = "exact: rows in the order of what each adds beyond the printing's end, summed in integers"
ONE = "exact: one row suffices"
GREEDY = "at most: rows in the order of what each does alone"
SETS = "at most: sets of rows that share a cell were tried"
DISAGREE = "the sums and the query disagree, so nothing is said"
CONFIRMED = 400  # rows; a larger set is not put to the engine again


@dataclass(frozen=True, kw_only=True, slots=True)
class Fewest:
    """The fewest rows found whose change makes a printing stop tying.

    `rows` is None where no number of rows was found that does. `change` is `deleted`, or `flipped COLUMN`. `exact`
    says that no fewer rows do it; `method` is how it was found.
    """

    change: str
    table: str
    rows: int | None
    of: int
    exact: bool
    method: str

    def to_json(self) -> dict[str, Any]:
        """The finding's part of the audit's JSON."""
        return {
            "change": self.change,
            "table": self.table,
            "rows": self.rows,
            "of": self.of,
            "exact": self.exact,
            "method": self.method,
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Fragility:
    """For each printing that ties, the fewest rows by each kind of change; and what moves the value."""

    printings: tuple[tuple[str, tuple[Fewest, ...]], ...]
    movement: Movement

    def to_json(self) -> dict[str, Any]:
        """The guard's part of the audit's JSON."""
        return {
            "printings": [
                {"text": text, "fewest": [each.to_json() for each in fewest]}
                for text, fewest in self.printings
            ],
            **self.movement.to_json(),
        }


def fragility(room: Room, subject: Subject) -> Fragility:
    """The guard's finding on a claim that has a value.

    For a ratio of sums, value > h is numerator - h * denominator > 0 while the denominator is positive, which is a sum
    over rows: the rows that add most to it come first, and no other choice of as many rows adds more. That is exact for
    shares, counts and ratios of sums alike. Means over strata, formulas and assertions are not of that form; their rows
    are taken in the order of what each does alone, which bounds the number from above.
    """
    found = changes(room, subject)
    printings = tuple(
        (place.printing.text, tuple(_fewest(place, subject, change) for change in found))
        for place in subject.result.printings
        if place.verdict == "ties"
    )
    return Fragility(printings=printings, movement=movement(room, subject, found))


def _fewest(place: PrintingResult, subject: Subject, change: BySums | ByVariants) -> Fewest:
    if isinstance(change, ByVariants):
        return _by_sets(place, change)

    def result(rows: int | None, exact: bool, method: str) -> Fewest:
        return Fewest(
            change=change.kind, table=change.table, rows=rows, of=change.of, exact=exact, method=method
        )

    classes = change.classes
    for keys in classes:
        if not still_ties(place, change.value(keys[:1])):
            return (
                result(1, True, ONE) if _confirmed(place, change, keys[:1]) else result(None, False, DISAGREE)
            )
    sums = next(iter(change.sums.values())) if isinstance(subject.step, QueryStep) else None
    ordered = _linear(place, sums) if sums else None
    exact, orders = ordered is not None, ordered if ordered is not None else _greedy(subject, change, classes)
    best: Sequence[Key] | None = None
    for order in orders:
        prefix = _first(place, change, order, len(best) - 1 if best else len(order))
        best = prefix or best
    if best is None:
        return result(None, exact, EXACT if exact else GREEDY)
    if len(best) <= CONFIRMED and not _confirmed(place, change, best):
        return result(None, False, DISAGREE)
    return result(len(best), exact, EXACT if exact else GREEDY)


def _confirmed(place: PrintingResult, change: BySums, keys: Sequence[Key]) -> bool:
    return not still_ties(place, change.recomputed(keys))


def _first(place: PrintingResult, change: BySums, order: Sequence[Key], most: int) -> Sequence[Key] | None:
    """The shortest beginning of an order, of at most so many rows, with which the printing stops tying.

    Each further row of an order goes the same way, so that halving finds it.
    """
    low, high = 1, min(most, len(order))
    if high < 1 or still_ties(place, change.value(order[:high])):
        return None
    while low < high:
        middle = (low + high) // 2
        if still_ties(place, change.value(order[:middle])):
            low = middle + 1
        else:
            high = middle
    return order[:low]


def _linear(place: PrintingResult, sums: Sums) -> list[list[Key]] | None:
    """Orders of rows beyond each end of the printing; None where the value is no count and no ratio of sums."""
    if len(place.printed) != 1 or place.printing.tolerance is not None:
        return None
    single = not next(iter(sums.base), ())
    if not (sums.step.combine in {"ratio", "sum"} or single) or sums.step.combine in {"single", "member"}:
        return None
    stands_for, of = place.printed[0].stands_for, place.printing.of[0]
    if isinstance(stands_for, Pair):
        return []  # any row that counts changes a pair, and was tried alone
    ratio = len(sums.columns) > 1 and sums.columns[-1] == "denominator" and of == "value"
    weights = {key: sums.weight(key) for key in sorted(sums.changes, key=repr)}

    def beyond(end: Fraction, side: int) -> Callable[[Key], Fraction]:
        def gain(key: Key) -> Fraction:
            numerator, denominator = weights[key]
            if of == "denominator":
                return Fraction(side * denominator)
            return side * (numerator - end * denominator) if ratio else Fraction(side * numerator)

        return gain

    orders = [
        _descending(weights, beyond(end, side))
        for end, side in ((stands_for.high, 1), (stands_for.low, -1))
        if end is not None
    ]
    if ratio:  # a denominator that is no longer positive leaves no value
        orders.append(_descending(weights, lambda key: Fraction(-weights[key][1])))
    return orders


def _descending(keys: dict[Key, Any], gain: Callable[[Key], Fraction]) -> list[Key]:
    gains = {key: gain(key) for key in keys}
    return sorted((key for key in keys if gains[key] > 0), key=lambda key: (-gains[key], repr(key)))


def _greedy(subject: Subject, change: BySums, classes: Sequence[list[Key]]) -> Iterator[list[Key]]:
    """The rows that leave a denominator of nothing; then for each quantity its rows by what each does alone."""
    for sums in change.sums.values():
        weights = {key: Fraction(-sums.weight(key)[1]) for key in sorted(sums.changes, key=repr)}
        yield _descending(weights, weights.__getitem__)
    for quantity in quantities(subject):
        parts = (
            dict.fromkeys(of for place in subject.result.printings for of in place.printing.of)
            if quantity is None
            else {"value": None}
        )
        for of in parts or {"value": None}:
            before = number(change.value((), quantity).part(of))
            if before is None:
                continue
            effects: dict[Key, Fraction] = {}
            for keys in classes:
                after = number(change.value(keys[:1], quantity).part(of))
                effects.update(dict.fromkeys(keys, Fraction(0) if after is None else after - before))
            yield _descending(effects, effects.__getitem__)
            yield _descending(effects, lambda key, effects=effects: -effects[key])  # type: ignore[misc]


def _by_sets(place: PrintingResult, change: ByVariants) -> Fewest:
    sizes = [each.rows for each in change.variants if not still_ties(place, change.value(each))]
    rows = min(sizes, default=None)
    return Fewest(
        change=change.kind,
        table=change.table,
        rows=rows,
        of=change.of,
        exact=rows == 1,
        method=ONE if rows == 1 else SETS,
    )
