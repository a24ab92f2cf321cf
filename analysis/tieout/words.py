"""Numbers in English words: cardinals to the hundreds of trillions, and the fractions that prose uses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType

_UNITS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS = (
    *("ten", "eleven", "twelve", "thirteen", "fourteen"),
    *("fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_THOUSANDS = {"trillion": 10**12, "billion": 10**9, "million": 10**6, "thousand": 10**3}
FACTORS = {"once": 1, "twice": 2, "thrice": 3, "doubled": 2, "tripled": 3, "quadrupled": 4}

# Words that deny that there is any: exactly 0, never something that rounds to it.
NOTHING = frozenset({"no", "none", "zero"})

# Every word that is a cardinal or part of one. "no" is not among them: in prose it is hardly ever a number.
CARDINALS: Mapping[str, int] = MappingProxyType(
    {"none": 0, "zero": 0}
    | {word: number for number, word in enumerate(_UNITS + _TEENS, start=1)}
    | {word: 10 * number for number, word in enumerate(_TENS, start=2)}
    | {"dozen": 12, "hundred": 100}
    | _THOUSANDS
    | FACTORS
)

_GLYPHS = {
    "¼": Fraction(1, 4),
    "⅓": Fraction(1, 3),
    "½": Fraction(1, 2),
    "⅔": Fraction(2, 3),
    "¾": Fraction(3, 4),
}
_LADDER = (Fraction(0), *_GLYPHS.values(), Fraction(1))
_ORDINALS = ("third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_PARTS = {
    **{word: number for number, word in enumerate(_ORDINALS, start=3)},
    "half": 2,
    "quarter": 4,
    "hundredth": 100,
    "thousandth": 1000,
}

_UNIT, _TEEN, _TEN = ("|".join(words) for words in (_UNITS, _TEENS, _TENS))
_BELOW_100 = rf"(?:(?:{_TEN})(?: (?:{_UNIT}))?|{_TEEN}|{_UNIT})"
_BELOW_1000 = rf"(?:(?:a|{_BELOW_100}) hundred(?: (?:and )?{_BELOW_100})?|{_BELOW_100})"
_GROUP = re.compile(rf"(a|{_BELOW_1000}) ({'|'.join(_THOUSANDS)})(?: |$)")
_SHARE = re.compile(rf"(?P<count>an?|{_UNIT}) (?P<part>{'|'.join(_PARTS)})(?P<many>s?)")


def cardinal(text: str) -> int | None:
    """The integer that a spelled-out cardinal names ("two hundred and fifty-six": 256), or None if it names none.

    "no", "none" and "zero" are 0, "once" and "twice" 1 and 2, "doubled" 2, "a dozen" 12. Ordinals, "all", "both" and a
    bare "hundred" are no cardinals.
    """
    words = _words(text)
    if words in NOTHING:
        return 0
    if words in FACTORS:
        return FACTORS[words]
    if dozens := re.fullmatch(rf"(a|{_BELOW_100}) dozen", words):
        return 12 * _add_up(dozens[1])
    total, rest = 0, words
    scales: list[int] = []
    while group := _GROUP.match(rest):
        scales.append(_THOUSANDS[group[2]])
        total += scales[-1] * _add_up(group[1])
        rest = rest[group.end() :]
    if any(lower >= higher for higher, lower in pairwise(scales)):
        return None
    if scales and not rest:
        return total
    begins = "(?:and )?" if scales else ""
    return total + _add_up(rest) if re.fullmatch(begins + _BELOW_1000, rest) else None


def multiplier(text: str) -> int:
    """What the last word multiplies by: 1,000 in "two thousand", 12 in "two dozen", 1 where it only counts."""
    last = _words(text).rpartition(" ")[2]
    return {"dozen": 12, "hundred": 100, **_THOUSANDS}.get(last, 1)


def fraction(text: str) -> Fraction | None:
    """The fraction that words or a glyph name: ¼, ⅓, ½, ⅔ or ¾; None for anything else, fifths included."""
    found = _parts(text)
    named = Fraction(*found) if found and found[1] <= 4 else None
    return named if named in _LADDER[1:-1] else None


def share(text: str) -> Fraction | None:
    """Any fraction that words name, also "a fifth", "two tenths" and "halved"; None for a bare ordinal ("third")."""
    if _words(text) == "halved":
        return Fraction(1, 2)
    found = _parts(text)
    return Fraction(*found) if found else None


def neighbours(named: Fraction) -> tuple[Fraction, Fraction]:
    """The fractions next to one that `fraction` names, below and above, among 0, ¼, ⅓, ½, ⅔, ¾ and 1."""
    place = _LADDER.index(named)
    return _LADDER[place - 1], _LADDER[place + 1]


def _parts(text: str) -> tuple[int, int] | None:
    """How many of which parts: "two thirds" is (2, 3)."""
    words = _words(text)
    if words in _GLYPHS:
        return _GLYPHS[words].as_integer_ratio()
    if words == "half":
        return 1, 2
    match = _SHARE.fullmatch(words)
    if match is None:
        return None
    count = CARDINALS.get(match["count"], 1)
    return (count, _PARTS[match["part"]]) if (count > 1) == bool(match["many"]) else None


def _words(text: str) -> str:
    return " ".join(re.split(r"[-\s]+", text.strip().lower()))


def _add_up(words: str | None) -> int:
    total = 0
    for word in (words or "").split():
        if word == "hundred":
            total *= 100
        elif word != "and":
            total += 1 if word == "a" else CARDINALS[word]
    return total
