"""Worked examples for the method page: printings read and compared by the rule that verdicts are made with."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tieout import printed
from tieout.site.templating import Html, fill

# Printing, and the values that are put to it. What follows from them is computed.
EXAMPLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("3,617", ("7233/2", "7235/2", "3617")),
    ("3.8×", ("15/4", "77/20", "386/100")),
    ("90%", ("9/10", "179/200", "907/1000")),
    ("13,782", ("27563/2",)),
    ("13,781", ("27563/2",)),
    ("18/20", ("18/20", "9/10")),
    ("thirteen", ("13", "14")),
    ("none", ("0", "1/1000")),
    ("a third", ("1691/5099", "1/2")),
    ("half", ("5/12", "59/100")),
    ("at least 4", ("4", "39/10")),
    ("up to 250", ("243", "251")),
    ("more than twice", ("2", "201/100")),
    ("p < 0.001", ("1/2000", "1/1000")),
    ("about 2.73x", ("2731/1000", "274/100")),
    ("~4_000", ("4000", "4001")),
    ("1.2M", ("1170000", "1250000")),
    ("101{,}980", ("101980",)),
    ("0.0%", ("0", "1/5000")),
    ("−3", ("-3", "3")),
    ("0.15", ("31/200", "3/20")),
)
REFUSED = ("1.234,5", "12 answers", "at most 18/20", "3,61", "a few", "١٢")


@dataclass(frozen=True, kw_only=True, slots=True)
class Put:
    """A value put to a printing, and what came of it."""

    value: str
    verdict: str
    marks: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Example:
    """A printing, the values it stands for, and values put to it."""

    text: str
    stands_for: str
    marks: tuple[str, ...]
    put: tuple[Put, ...]


def worked(text: str, values: tuple[str, ...]) -> Example:
    """A printing with values put to it; raises UnreadablePrinting."""
    read = printed.read(text)
    found = []
    for value in values:
        pair = isinstance(read.stands_for, printed.Pair)
        numerator, _, denominator = value.partition("/")
        compared = printed.compare(
            read,
            Fraction(value),
            numerator=int(numerator) if pair else None,
            denominator=int(denominator) if pair else None,
        )
        said = f"{numerator} of {denominator}" if pair else value
        found.append(Put(value=said, verdict=compared.verdict, marks=tuple(sorted(compared.marks))))
    return Example(
        text=text, stands_for=str(read.stands_for), marks=tuple(sorted(read.marks)), put=tuple(found)
    )


def examples() -> Html:
    """Each form of a printing with values put to it."""
    return fill("examples.html.j2", examples=[worked(text, values) for text, values in EXAMPLES])


def refusals() -> Html:
    """Texts that are no printing, each with why."""
    found = []
    for text in REFUSED:
        try:
            printed.read(text)
        except printed.UnreadablePrinting as error:
            found.append((text, str(error)))
    return fill("refusals.html.j2", refusals=found)
