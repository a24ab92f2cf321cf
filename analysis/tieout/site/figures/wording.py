"""How numbers and lists stand in a figure's sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import TypeVar

T = TypeVar("T")

SMALL = (
    "none",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


def number(value: Fraction | float, places: int = 0) -> str:
    """A number with so many decimals, a half rounded away from zero, thousands grouped."""
    exact = Fraction(value)
    scaled = abs(exact) * 10**places + Fraction(1, 2)
    digits = scaled.numerator // scaled.denominator
    sign = "−" if exact < 0 and digits else ""
    whole, rest = divmod(digits, 10**places)
    return f"{sign}{whole:,}" + (f".{rest:0{places}d}" if places else "")


def percent(value: Fraction | float, places: int = 0) -> str:
    """A share as per cent."""
    return number(Fraction(value) * 100, places) + "%"


def points(value: Fraction | float) -> str:
    """A difference of shares."""
    return f"{number(Fraction(value) * 100)} percentage points"


def times(value: Fraction | float) -> str:
    """How many times as much, with one decimal."""
    return f"{number(value, 1)} times"


def spelled(count: int) -> str:
    """A count as a word up to twelve, else as digits."""
    return SMALL[count] if 0 <= count < len(SMALL) else number(count)


def counted(count: int, one: str, many: str | None = None) -> str:
    """A count with its noun."""
    return f"{number(count)} {one if count == 1 else many or one + 's'}"


def listed(parts: Iterable[str], last: str = "and") -> str:
    """Parts joined as a sentence joins them."""
    given: Sequence[str] = list(parts)
    return ", ".join(given[:-1]) + f" {last} {given[-1]}" if len(given) > 1 else "".join(given)


def ends(what: str, given: Iterable[T], key: Callable[[T], Fraction], said: Callable[[T], str]) -> str:
    """A sentence that names all that have the least and the most of something."""
    known = list(given)
    low, high = min(map(key, known)), max(map(key, known))
    least, most = (listed(said(one) for one in known if key(one) == end) for end in (low, high))
    return f"Fewest {what}: {least}; most {what}: {most}."


def span(low: Fraction | float, high: Fraction | float, places: int = 0) -> str:
    """A range, or one number where both ends print alike."""
    ends = number(low, places), number(high, places)
    return ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


def first_upper(text: str) -> str:
    """The same with a capital at its start."""
    return text[:1].upper() + text[1:]
