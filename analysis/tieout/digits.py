"""Numbers in digits: a document's marks, the grammar of one number, and the refusal of everything else."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NoReturn

from tieout.errors import TieoutError

# Longer than any number that a person reads; keeps powers of ten and regular expressions small.
MAX_LENGTH = 200

SPACE = "[ \u00a0\u2009\u202f]"
FLAGS = re.ASCII | re.IGNORECASE
_READABLE = frozenset(map(chr, range(0x20, 0x7F))) | frozenset("\u00a0\u2009\u202f−–×≈∼≤≥¼⅓½⅔¾’")
MINUS = rf"minus{SPACE}+"
_SUFFIX = re.compile(
    rf"""(?P<percent>(?:{SPACE}|\\,)?\\?% | (?:{SPACE}|-)(?:percent|per\ cent|percentage[ -]points?|pp)\b)
       | (?P<times>{SPACE}?(?:×|x|\\times) | {SPACE}times\b | -?fold\b)
       | (?P<thousand>[Kk] | {SPACE}thousand\b)
       | (?P<million>M | {SPACE}million\b)
       | (?P<billion>B | {SPACE}billion\b)""",
    re.ASCII | re.VERBOSE,
)
_SCALES = {
    "percent": Fraction(1, 100),
    "times": Fraction(1),
    "thousand": Fraction(10**3),
    "million": Fraction(10**6),
    "billion": Fraction(10**9),
}


class UnreadablePrinting(TieoutError):
    """A printed text that is no number, or that can be read two ways; the message says which."""


@dataclass(frozen=True, kw_only=True, slots=True)
class NumberFormat:
    """The marks that a document declares: `decimal` is "." or ","; `group` may be "" for none.

    `_`, LaTeX's `\\,`, no-break and thin spaces separate groups whatever is declared: they are never decimal
    marks. Raises `UnreadablePrinting` for marks that nobody uses, or that cannot be told apart.
    """

    decimal: str = "."
    group: str = ","

    def __post_init__(self) -> None:
        if self.decimal not in {".", ","} or self.group not in {"", ".", ",", " ", "'", "’"}:
            raise UnreadablePrinting(
                f"no such number format: decimal mark {self.decimal!r}, group mark {self.group!r}"
            )
        if self.decimal == self.group:
            raise UnreadablePrinting(f"the decimal mark and the group mark are both {self.decimal!r}")


ENGLISH = NumberFormat()


@dataclass(frozen=True, kw_only=True, slots=True)
class Digits:
    """A number in digits: `place` steps of `unit` each, its suffix (`scale`) included.

    `unit_below` is the step from here towards zero: a tenth of `unit` where a mantissa of 1 falls to 9.
    `sign` is "", "+" or "-". `plain` says that nothing but digits and group marks was printed.
    """

    place: int
    unit: Fraction
    unit_below: Fraction
    scale: Fraction
    sign: str
    percent: bool
    plain: bool
    decimals: int
    significant: int


def read_digits(text: str, start: int, end: int, format: NumberFormat) -> Digits | None:  # noqa: A002
    """The number that `text[start:end]` is, or None where no digits stand at its start.

    Raises `UnreadablePrinting` where something follows the number, or the digits can be read two ways.
    """
    number = _pattern(format).match(text, start, end)
    if number is None:
        return None
    suffix = _SUFFIX.match(text, number.end(), end)
    stop = suffix.end() if suffix else number.end()
    if stop != end:
        _explain(text, number.start("digits"), number.end(), stop)
    if number["sign"] and number["inner"]:
        refuse(text, "it has two signs")
    if number["dollar"] and suffix and suffix.lastgroup in {"percent", "times"}:
        refuse_two_readings(text, "in dollars", f"as {suffix[0].strip()}")
    kind = (suffix and suffix.lastgroup) or "times"
    scale = _SCALES[kind]
    whole = re.sub(r"\D", "", number["whole"] or "", flags=re.ASCII)
    fraction: str = number["fraction"] or number["bare"] or ""
    exponent = int(number["exponent"].replace("−", "-")) if number["exponent"] else 0
    unit = Fraction(10) ** (exponent - len(fraction)) * scale
    leading_one = number["exponent"] is not None and whole == "1" and not fraction.strip("0")
    sign = number["sign"] or number["inner"] or ""
    return Digits(
        place=int(whole + fraction),
        unit=unit,
        unit_below=unit / 10 if leading_one else unit,
        scale=scale,
        sign="-" if sign not in {"", "+"} else sign,
        percent=kind == "percent",
        plain=number.start("whole") == start and number.end("whole") == end,
        decimals=len(fraction),
        significant=max(1, len((whole + fraction).lstrip("0"))),
    )


@lru_cache
def _pattern(format: NumberFormat) -> re.Pattern[str]:  # noqa: A002
    # TeX sets "{,}" so that no space follows a comma between digits, whichever mark it is.
    decimal = r"(?:,|\{,\})" if format.decimal == "," else r"\."
    groups = ["_", r"\\,", "[\u00a0\u2009\u202f]"]
    if format.decimal != ",":
        groups.append(r"\{,\}")
    if format.group:
        groups.append("['’]" if format.group in {"'", "’"} else re.escape(format.group))
    grouped = rf"[1-9]\d{{0,2}}(?P<mark>{'|'.join(groups)})\d{{3}}(?:(?P=mark)\d{{3}})*(?!\d)"
    power = (
        rf"(?:e|{SPACE}?(?:×|x|\\times){SPACE}?10\^)(?P<brace>\{{)?(?P<exponent>[-+−]?\d{{1,3}})(?(brace)\}})"
    )
    return re.compile(
        rf"(?P<sign>[-+]|−{SPACE}?|{MINUS})?(?:(?P<dollar>\\?\$)(?P<inner>[-+−])?)?"
        rf"(?P<digits>(?P<whole>{grouped}|0|[1-9]\d*)(?:{decimal}(?P<fraction>\d+))?|{decimal}(?P<bare>\d+))"
        rf"(?:{power})?",
        FLAGS,
    )


def _explain(text: str, start: int, read_to: int, stop: int) -> NoReturn:
    """Refuse with both readings where a person could take the digits for two numbers."""
    lone_mark = re.compile(r"(\d+)([.,])(\d+)(?![\d.,])", re.ASCII).match(text, start)
    if lone_mark and lone_mark.end() > read_to:
        whole, mark, rest = lone_mark.groups()
        refuse_two_readings(
            text,
            f"as {int(whole + rest)} with {mark!r} between groups",
            f"as {int(whole)}.{rest} with {mark!r} before decimals",
        )
    if zeros := re.compile(r"0\d+", re.ASCII).match(text, start):
        refuse_two_readings(text, f"as the number {int(zeros[0])}", f"as the identifier {zeros[0]}")
    refuse_at(text, stop)


def refuse_odd_characters(text: str) -> None:
    """Raise `UnreadablePrinting` for a text that is empty, too long, or holds a character no printing needs."""
    if len(text) > MAX_LENGTH:
        refuse(text, f"it is longer than {MAX_LENGTH} characters")
    if not text.strip():
        refuse(text, "it is empty")
    for position, character in enumerate(text):
        if character not in _READABLE:
            refuse_at(text, position)


def refuse_at(text: str, position: int) -> NoReturn:
    """Raise `UnreadablePrinting`, naming the character at `position` (told counted from 1) and its word."""
    if not text[position:].strip(" \u00a0\u2009\u202f"):
        refuse(text, "a number is missing at the end")
    character = text[position]
    what = f"character {position + 1} is U+{ord(character):04X} ({unicodedata.name(character, 'no name')})"
    if word := re.compile(r"[a-z]+(?:[- ][a-z]+)*", FLAGS).match(text, position):
        what += f", and {word[0]!r} is no number"
    refuse(text, what)


def refuse_two_readings(text: str, one: str, other: str) -> NoReturn:
    """Raise `UnreadablePrinting` with both readings."""
    refuse(text, f"it can be read two ways: {one}, or {other}")


def refuse(text: str, why: str) -> NoReturn:
    """Raise `UnreadablePrinting` for a text, quoted so that it is safe to print."""
    shown = text if len(text) <= 60 else text[:60] + "…"
    raise UnreadablePrinting(f"cannot read {shown!r}: {why}")
