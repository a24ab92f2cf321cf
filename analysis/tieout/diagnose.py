"""A difference -> a hint at how it may have come about, for a person; a hint never makes a number tie."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

from tieout.printed import Interval, Pair, Printed, compare

_TIMES = {2: "twice", 3: "three times"}
_NOTHING: Mapping[str, Fraction] = MappingProxyType({})


def diagnose(
    printed: Printed,
    value: Fraction | None,
    *,
    numerator: int | None = None,
    denominator: int | None = None,
    from_rounded: Fraction | None = None,
    others: Mapping[str, Fraction] = _NOTHING,
) -> str | None:
    """One sentence on what would print so, or None where nothing known would.

    `from_rounded` is a formula's value with its inputs as they are printed. `others` are values of other named
    quantities: over another denominator, of another share, with cached input added to input. Asked in this order, and
    the first that fits is told: truncated, from the rounded inputs, to fewer significant digits, others in the order
    given, percent for proportion, a roll-up counted twice. None too for what ties, and for a bound or a fraction in
    words everything but the others is left out, since half the numbers there are would fit.
    """
    comparison = compare(printed, value, numerator=numerator, denominator=denominator)
    if comparison.verdict != "differs":
        return None
    if isinstance(printed.stands_for, Pair):
        return _diagnose_pair(printed.stands_for, value, numerator, denominator, others)
    assert value is not None, "no value is an error, not a difference"
    prints_so = printed.stands_for
    if printed.unit is None:
        return _other(prints_so, others)
    return (
        _truncated(printed.face, printed.unit, value)
        or _from_rounded(prints_so, from_rounded)
        or _fewer_digits(printed, value)
        or _other(prints_so, others)
        or _percent(prints_so, value)
        or _rolled_up(prints_so, value)
    )


def _truncated(face: Fraction, unit: Fraction, value: Fraction) -> str | None:
    """Towards zero, so that both signs lose digits alike."""
    cut = abs(value) // unit * unit
    same_side = value * face > 0 or face == 0
    return "It would print so if truncated." if cut == abs(face) and same_side else None


def _from_rounded(prints_so: Interval, from_rounded: Fraction | None) -> str | None:
    if from_rounded is None or from_rounded not in prints_so:
        return None
    return "It would print so if computed from the rounded inputs."


def _fewer_digits(printed: Printed, value: Fraction) -> str | None:
    """The finest rounding coarser than the printed digits that gives the printed number."""
    if not value:
        return None
    magnitude = _magnitude(value)
    for digits in range(printed.significant - 1, 0, -1):
        step = Fraction(10) ** (magnitude - digits + 1)
        places = value / step
        half_up = (1 if value > 0 else -1) * ((2 * abs(places) + 1) // 2)
        if printed.face in (half_up * step, round(places) * step):
            noun = "digit" if digits == 1 else "digits"
            return f"It would print so if rounded to {digits} significant {noun}."
    return None


def _magnitude(value: Fraction) -> int:
    """The power of ten of the first significant digit."""
    numerator, denominator = abs(value.numerator), value.denominator
    guess = len(str(numerator)) - len(str(denominator))
    return guess if numerator >= denominator * Fraction(10) ** guess else guess - 1


def _other(prints_so: Interval, others: Mapping[str, Fraction]) -> str | None:
    for name, other in others.items():
        if other in prints_so:
            return f"It would print so for another quantity: {name}."
    return None


def _percent(prints_so: Interval, value: Fraction) -> str | None:
    if value * 100 in prints_so:
        return "It would print so 100 times as large: a percentage may stand for a proportion."
    if value / 100 in prints_so:
        return "It would print so 100 times as small: a proportion may stand for a percentage."
    return None


def _rolled_up(prints_so: Interval, value: Fraction) -> str | None:
    for factor, times in _TIMES.items():
        if factor * value in prints_so:
            return f"It would print so {times} as large: a roll-up may have been counted {times}."
    return None


def _diagnose_pair(
    pair: Pair,
    value: Fraction | None,
    numerator: int | None,
    denominator: int | None,
    others: Mapping[str, Fraction],
) -> str | None:
    printed_share = Fraction(pair.numerator, pair.denominator)
    for name, other in others.items():
        if other == printed_share:
            return f"It would print so for another quantity: {name}."
    if value == printed_share:
        return f"It is the same share, of {denominator} instead of {pair.denominator}."
    if numerator == pair.numerator:
        return f"The numerator is the same, of {denominator} instead of {pair.denominator}."
    return None
