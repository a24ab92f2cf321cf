"""A printed text -> the values that print so.

    printing  = [bound] [hedge] number | [hedge] pair
    number    = [sign] ["$"] digits [exponent] [suffix] | ["minus"] cardinal in words [suffix] | fraction in words
    pair      = count ("/" | "of" | "out of") count

The text of a printing is the number and nothing else: what follows it (a unit, a noun) is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from tieout import words
from tieout.digits import (
    ENGLISH,
    FLAGS,
    MINUS,
    SPACE,
    NumberFormat,
    UnreadablePrinting,
    read_digits,
    refuse,
    refuse_at,
    refuse_odd_characters,
    refuse_two_readings,
)

__all__ = [
    "Comparison",
    "Interval",
    "NumberFormat",
    "Pair",
    "Printed",
    "UnreadablePrinting",
    "Verdict",
    "compare",
    "read",
    "read_range",
]

Verdict = Literal["ties", "differs", "error"]

# An inexact value nearer than this to an end of the interval, relative to the larger of the two, decides nothing.
UNDECIDABLE = Fraction(1, 10**9)

_OF = re.compile(rf"{SPACE}*/{SPACE}*|{SPACE}+(?:out )?of(?: the)?{SPACE}+", FLAGS)
_QUALIFIER = re.compile(
    rf"""(?:(?:(?:[a-z]{SPACE}?)?(?:
          (?P<at_least>≥|>=|\\geq?(?![a-z])) | (?P<more>>) | (?P<at_most>≤|<=|\\leq?(?![a-z])) | (?P<fewer><)
        ) | [a-z]{SPACE}?(?:=|(?=[≈~∼])) | (?:
          (?P<at_least_>at\ least | not?\ (?:fewer|less)\ than | an?\ minimum\ of)
        | (?P<at_most_>at\ most | up\ to | not?\ more\ than | as\ many\ as | an?\ maximum\ of)
        | (?P<more_>more\ than | greater\ than | over | above)
        | (?P<fewer_>fewer\ than | less\ than | under | below)
        )(?={SPACE})){SPACE}*)?
        (?:(?:≈|~|∼|\\(?:approx|sim)(?![a-z])
          | (?:about|approximately|approx\.?|around|roughly|circa|ca\.)(?={SPACE})
          | (?P<short_of>nearly|almost|just\ under)(?={SPACE})
          | (?P<beyond>just\ over)(?={SPACE})){SPACE}*)?""",
    FLAGS | re.VERBOSE,
)
_MINUS = re.compile(MINUS, FLAGS)
_SUFFIX_IN_WORDS = re.compile(
    rf"(?:{SPACE}|-)(percent|per cent|percentage[ -]points?|pp)$|{SPACE}times$|-?fold$", FLAGS
)
_TIMES = re.compile(r"(?:×|(?<![a-z])x|\\times|times|fold)$", FLAGS)
_GLUED_DASH = re.compile(r"\S--\S")
_SIDES = frozenset({"short_of", "beyond"})
_BETWEEN = re.compile(rf"between{SPACE}+(.+?){SPACE}+and{SPACE}+(.+)", FLAGS)
_FROM = re.compile(rf"from{SPACE}+", FLAGS)
_TO = re.compile(rf"{SPACE}+to{SPACE}+|{SPACE}*(?:–|--){SPACE}*|(?<=[\d%])-(?=[\d$.])", FLAGS)


@dataclass(frozen=True, slots=True)
class Interval:
    """A set of rationals between two ends; None is no end on that side."""

    low: Fraction | None
    high: Fraction | None
    low_closed: bool
    high_closed: bool

    def __contains__(self, value: Fraction | int) -> bool:
        after = self.low is None or value > self.low or (self.low_closed and value == self.low)
        before = self.high is None or value < self.high or (self.high_closed and value == self.high)
        return after and before

    def __str__(self) -> str:
        low = "-inf" if self.low is None else self.low
        high = "inf" if self.high is None else self.high
        return f"{'[' if self.low_closed else '('}{low}, {high}{']' if self.high_closed else ')'}"


@dataclass(frozen=True, slots=True)
class Pair:
    """A printed numerator and denominator, which stand for themselves and nothing else."""

    numerator: int
    denominator: int

    def __str__(self) -> str:
        return f"{self.numerator} of {self.denominator}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Printed:
    """A printing that was read.

    `face` is the number as it stands (90% is 9/10). `unit` is what a step of its last digit is worth (90%: 1/100),
    None where the printing is no rounded number: a pair, a bound, a fraction in words, "none". `scale` is what
    the suffix multiplies by; `decimals` and `significant` count printed digits, trailing zeros included (0 where
    there is no unit).
    """

    text: str
    stands_for: Interval | Pair
    marks: frozenset[str] = frozenset()
    face: Fraction
    unit: Fraction | None = None
    scale: Fraction = Fraction(1)
    percent: bool = False
    decimals: int = 0
    significant: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """Whether a value ties to a printing; `reason` says why it could not be told, None unless `error`.

    Marks: `bound`; `extreme` (0 or 100% is printed for what is not exactly so); `half-up`, `half-even` (on an
    exact half, and only that rule prints so); `binary-half` (only a binary64 formatter prints so).
    """

    verdict: Verdict
    marks: frozenset[str]
    reason: str | None = None


def read(text: str, format: NumberFormat = ENGLISH) -> Printed:  # noqa: A002 - a document's word for it
    """The values that print as `text`; raises `UnreadablePrinting`.

    A cardinal in words stands for itself: "thirteen" is 13 and "none" is 0. "nearly" and "just over" keep those of the
    values that round to the number, in words too, on that side; a bound is taken at its word, without rounding.
    """
    refuse_odd_characters(text)
    start, end = len(text) - len(text.lstrip()), len(text.rstrip())
    qualifier = _QUALIFIER.match(text, start, end)
    assert qualifier is not None, "every part of a qualifier is optional"
    start = qualifier.end()
    said = [name.rstrip("_") for name, found in qualifier.groupdict().items() if found is not None]
    if _OF.search(text, start, end):
        return refuse(text, "a pair of counts has no bound") if said else _read_pair(text, start, end, format)
    printed = _from_digits(text, start, end, format) or _from_words(
        text, start, end, sided=not _SIDES.isdisjoint(said)
    )
    if len(said) > 1:
        refuse(text, "it says both a bound and a side")
    return _bounded(printed, said[0]) if said else printed


def read_range(
    text: str,
    format: NumberFormat = ENGLISH,  # noqa: A002
) -> tuple[Printed, Printed]:
    """Both ends of a printed range, as "0.756–0.835" or "119 to 126"; raises `UnreadablePrinting`.

    A percent sign or a "times" on the upper end alone counts for both; a K, M or B, or a "hundred" in words, only where
    one reading makes sense.
    """
    refuse_odd_characters(text)
    body = text.strip()
    between = _BETWEEN.fullmatch(body)
    ends = [*between.groups()] if between else _TO.split(_FROM.sub("", body, count=1))
    if len(ends) != 2:
        refuse(text, "a range has two ends, with 'to' or U+2013 (EN DASH) between them")
    first, last = ends
    low, high = read(first, format), read(last, format)
    if low.unit is None or high.unit is None:
        refuse(text, "the ends of a range are plain numbers")
    if shared := _shared_suffix(first, last, low, high):
        low = replace(read(first + shared, format), text=low.text)
    if low.percent != high.percent:
        refuse(text, "one end of the range is a percentage")
    scale = _multiplier(last, high)
    if scale > _multiplier(first, low) == 1 and low.face * scale <= high.face:
        refuse_two_readings(text, f"from {low.face}", f"from {low.face * scale}")
    if low.face < 0 and _GLUED_DASH.search(body):
        refuse_two_readings(text, f"to {high.face}", f"to {-high.face}")
    if low.face > high.face:
        refuse(text, "the range runs backwards")
    return low, high


def _shared_suffix(first: str, last: str, low: Printed, high: Printed) -> str | None:
    """What the upper end's suffix says of a lower end that has none of its kind."""
    if high.percent and not low.percent:
        return " percent"
    return " times" if _TIMES.search(last) and not _TIMES.search(first) else None


def _multiplier(end: str, printed: Printed) -> Fraction:
    """What a K, M or B or the last word of one end of a range multiplies by; a percent or times behind it is none."""
    return max(printed.scale, Fraction(words.multiplier(_SUFFIX_IN_WORDS.sub("", end))))


def compare(
    printed: Printed,
    value: Fraction | None,
    *,
    numerator: int | None = None,
    denominator: int | None = None,
    exact: bool = True,
) -> Comparison:
    """Whether the recomputed value prints so; `exact=False` for a value that was a binary64.

    None for a value means that there is none, which is an `error` and never a difference.
    """
    stands_for, marks = printed.stands_for, printed.marks
    if isinstance(stands_for, Pair):
        if numerator is None or denominator is None:
            reason = "the printing is a pair of counts, the recomputed value is not"
            return Comparison(verdict="error", marks=marks, reason=reason)
        same = (numerator, denominator) == (stands_for.numerator, stands_for.denominator)
        return Comparison(verdict="ties" if same else "differs", marks=marks)
    if value is None:
        return Comparison(verdict="error", marks=marks, reason="there is no value to compare with")
    ends = [end for end in (stands_for.low, stands_for.high) if end is not None]
    if not exact and any(abs(value - end) <= UNDECIDABLE * max(abs(value), abs(end)) for end in ends):
        reason = f"undecidable: the value is not exact and too near to an end of {stands_for}"
        return Comparison(verdict="error", marks=marks, reason=reason)
    if value in stands_for:
        return Comparison(verdict="ties", marks=marks | _marks_of_tie(printed, value))
    if value in ends and _formatter_prints_so(printed, value):
        return Comparison(verdict="ties", marks=marks | {"binary-half"})
    return Comparison(verdict="differs", marks=marks)


def _marks_of_tie(printed: Printed, value: Fraction) -> set[str]:
    marks: set[str] = set()
    if printed.unit is None:
        return marks
    if (printed.face == 0 or (printed.percent and printed.face == 1)) and value != printed.face:
        marks.add("extreme")
    beyond = abs(value) - abs(printed.face)
    if beyond == printed.unit / 2:
        marks.add("half-even")
    elif beyond == -printed.unit / 2 and printed.face / printed.unit % 2 == 1:
        marks.add("half-up")
    return marks


def _formatter_prints_so(printed: Printed, value: Fraction) -> bool:
    """Whether a formatter that gets a half as a binary64, scaled before or after, prints the printed digits."""
    if printed.unit is None or abs(value) - abs(printed.face) != printed.unit / 2:
        return False
    scale = printed.scale
    try:
        given = float(value)
        shown = {float(value / scale), given * float(1 / scale) if scale < 1 else given / float(scale)}
    except OverflowError:
        return False
    # A formatter writes the decimal nearest to the exact value of the binary64 it gets.
    step = printed.unit / scale
    return any(round(Fraction(number) / step) == printed.face / printed.unit for number in shown)


def _read_pair(text: str, start: int, end: int, format: NumberFormat) -> Printed:  # noqa: A002
    parts = _OF.split(text[start:end])
    if len(parts) != 2:
        refuse(text, "a pair has one numerator and one denominator")
    counts = []
    for part in parts:
        digits = read_digits(part, 0, len(part), format)
        count = words.cardinal(part) if digits is None else digits.place if digits.plain else None
        if count is None:
            refuse(text, f"{part!r} is no count")
        counts.append(count)
    if counts[1] == 0:
        refuse(text, "the denominator is 0")
    return Printed(text=text, stands_for=Pair(*counts), face=Fraction(*counts))


def _from_digits(text: str, start: int, end: int, format: NumberFormat) -> Printed | None:  # noqa: A002
    digits = read_digits(text, start, end, format)
    if digits is None:
        return None
    return Printed(
        text=text,
        stands_for=_rounds_to(digits.place, digits.unit, digits.unit_below, digits.sign),
        face=(-digits.place if digits.sign == "-" else digits.place) * digits.unit,
        unit=digits.unit,
        scale=digits.scale,
        percent=digits.percent,
        decimals=digits.decimals,
        significant=digits.significant,
    )


def _rounds_to(place: int, unit: Fraction, unit_below: Fraction, sign: str) -> Interval:
    """What rounds to `place` units, half up (away from zero) or half to even; a sign keeps its side of zero."""
    low, high = place * unit - unit_below / 2, place * unit + unit / 2
    even = place % 2 == 0
    if place == 0:
        low = Fraction(0) if sign else -high
    return Interval(-high, -low, even, True) if sign == "-" else Interval(low, high, True, even)


def _from_words(text: str, start: int, end: int, *, sided: bool) -> Printed:
    minus = _MINUS.match(text, start, end)
    suffix = _SUFFIX_IN_WORDS.search(text, start, end)
    body = text[minus.end() if minus else start : suffix.start() if suffix else end]
    named = words.fraction(body)
    if named is not None and suffix is None and minus is None:
        below, above = words.neighbours(named)
        reach = Interval((below + named) / 2, (named + above) / 2, True, True)
        return Printed(text=text, stands_for=reach, face=named)
    count = words.cardinal(body)
    if count is None and suffix is not None:  # "hundredfold" has no article
        count = words.cardinal(f"a {body}")
    if count is None:
        refuse_at(text, start)
    if count == 0:
        return Printed(text=text, stands_for=Interval(Fraction(0), Fraction(0), True, True), face=Fraction(0))
    percent = suffix is not None and suffix[1] is not None
    unit = Fraction(1, 100) if percent else Fraction(1)
    face = (-count if minus else count) * unit
    if (
        sided and suffix is None and words.multiplier(body) >= 1000
    ):  # as "2 million", while 200 is not "2 hundred"
        unit = Fraction(words.multiplier(body))
    # A word that counts is no rounded number: thirteen is 13. What is nearly thirteen, a factor and a percentage are
    # rounded as in digits.
    counts = suffix is None and not sided and body.strip().lower() not in words.FACTORS
    place = int(abs(face) / unit)
    rounded = _rounds_to(place, unit, unit, "-" if minus else "")
    return Printed(
        text=text,
        stands_for=Interval(face, face, True, True) if counts else rounded,
        face=face,
        unit=unit,
        scale=unit,
        percent=percent,
        significant=len(str(place)),
    )


def _bounded(printed: Printed, word: str) -> Printed:
    face, prints_so = printed.face, printed.stands_for
    assert isinstance(prints_so, Interval), "a pair has no bound"
    if word in _SIDES and (face <= 0 or face not in prints_so):
        refuse(printed.text, "such a number has no side")
    if word == "short_of":
        return replace(printed, stands_for=replace(prints_so, high=face, high_closed=False))
    if word == "beyond":
        return replace(printed, stands_for=replace(prints_so, low=face, low_closed=False))
    above, closed = word in {"at_least", "more"}, word in {"at_least", "at_most"}
    half_line = Interval(face, None, closed, False) if above else Interval(None, face, False, closed)
    return replace(printed, stands_for=half_line, marks=frozenset({"bound"}), unit=None, significant=0)
