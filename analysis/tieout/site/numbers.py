"""The one way in which a number gets into a page's prose: from a verdict, with a tick that links to its place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction
from html import escape
from typing import Any

from tieout.errors import CannotOpen
from tieout.site.model import Site, claim_address

SIGNS = {
    "ties": "✓",
    "differs": "✗",
    "error": "!",
    "quoted": "”",
    "not-recomputable": "–",
    "not-collected": "∅",
}
WORDS = {
    "ties": "ties",
    "differs": "differs from print",
    "error": "could not be decided",
    "quoted": "quoted",
    "not-recomputable": "not recomputable",
    "not-collected": "not collected",
}
UNPRINTED = "○"  # the sign of what is recomputed and printed nowhere
VALUE = "value"
COUNTS = frozenset({"numerator", "denominator"})
MOST_COUNTED = 1000  # of how many at most a share is told as a pair of counts


@dataclass(frozen=True, kw_only=True, slots=True)
class Number:
    """A recomputed number as it stands in prose."""

    text: str
    ledger: str
    claim: str
    verdict: str | None

    def _repr_html_(self) -> str:
        sign = SIGNS.get(self.verdict or "", UNPRINTED)
        says = WORDS.get(self.verdict or "", "recomputed, not printed")
        address = escape(claim_address(self.ledger, self.claim))
        return (
            f'<a class="tick tick-{escape(self.verdict or "unprinted")}" href="{address}" '
            f'title="{escape(says)}: {escape(self.ledger)} {escape(self.claim)}">{escape(self.text)}'
            f'<span class="tick-sign" aria-hidden="true">{sign}</span></a>'
        )

    def _repr_markdown_(self) -> str:
        return f"`{self._repr_html_()}`{{=html}}"

    def __str__(self) -> str:
        return self.text


def number(site: Site, ledger: str, claim: str, form: str | None = None) -> Number:
    """The recomputed value of a claim, in a form.

    `claim` may name a part of the value: `CLAIM#numerator`, `CLAIM#low`. `form` is `pair` (18 of 20), `percent`,
    `percent1`, `integer`, `decimal1`, `decimal2`, … or `printed`: the text of its first printing, only where that ties.
    Without a form a pair of counts of at most 1,000 is told as a pair, an integer as an integer, and anything else with
    three significant digits. Without a part it is the one that the claim's printings ask for.
    Raises CannotOpen where the claim has no value, its printings ask for several parts, or its printing does not tie.
    """
    name, _, part = claim.partition("#")
    found = site.claim(ledger, name)
    if not part:
        part = _only(found)
    return Number(text=text_of(_part(found, part), form), ledger=ledger, claim=name, verdict=found["verdict"])


def parts_asked(claim: Mapping[str, Any]) -> tuple[str, ...]:
    """The parts of a claim's value that its printings ask for, each once and in their order.

    Where the value is told as a pair of counts, that tells its numerator and its denominator as well.
    """
    named = (
        part
        for place in claim["printings"]
        for part in ([place["of"]] if isinstance(place["of"], str) else place["of"])
    )
    if _told_as_pair(claim):
        named = (VALUE if part in COUNTS else part for part in named)
    return tuple(dict.fromkeys(named)) or (VALUE,)


def cell(claim: Mapping[str, Any], part: str) -> str | None:
    """A part of a claim's value as the report has it: the value, numerator, denominator, or a named column."""
    found: str | None = claim[part] if part == VALUE or part in COUNTS else claim["columns"].get(part)
    return found


def _only(claim: Mapping[str, Any]) -> str:
    """The one part that a claim's printings ask for; raises CannotOpen where they ask for several."""
    parts = parts_asked(claim)
    if len(parts) > 1 and VALUE not in parts:
        raise CannotOpen(
            f"{claim['id']} is printed as {' and '.join(parts)}; name one: {claim['id']}#{parts[0]}"
        )
    return parts[0] if len(parts) == 1 else VALUE


def _part(claim: Mapping[str, Any], part: str) -> Mapping[str, Any]:
    """A claim with one of its named columns, its numerator or its denominator in the place of its value."""
    if part == VALUE:
        return claim
    value = cell(claim, part)
    if value is None:
        raise CannotOpen(
            f"{claim['id']} has no {part}; it has {', '.join(claim['columns']) or 'a value alone'}"
        )
    return {**claim, "value": value, "numerator": None, "denominator": None}


def text_of(claim: Mapping[str, Any], form: str | None = None) -> str:
    """A claim's value as text; see `number`, which raises as this does."""
    if form == "printed":
        ties = [place["text"] for place in claim["printings"] if place["verdict"] == "ties"]
        if not ties:
            raise CannotOpen(f"{claim['id']}: no printing ties, so none can stand for the value")
        return str(ties[0])
    value = claim["value"]
    if value is None:
        raise CannotOpen(
            f"{claim['id']}: there is no value to show ({claim.get('reason') or claim['kind'] or claim['error']})"
        )
    if value in {"true", "false"}:
        return "yes" if value == "true" else "no"
    exact = _exact(value, claim["exact"])
    if form is None:
        form = _usual(exact, claim)
    if form == "pair":
        return f"{int(claim['numerator']):,} of {int(claim['denominator']):,}"
    if form.startswith("percent"):
        return f"{decimal(exact * 100, int(form[7:] or 0))}%"
    if form == "integer":
        return decimal(exact, 0)
    if form.startswith("decimal"):
        return decimal(exact, int(form[7:] or 0))
    raise CannotOpen(f"{claim['id']}: no form `{form}`; there are pair, percentN, integer, decimalN, printed")


def is_share(claim: Mapping[str, Any]) -> bool:
    """Whether a value is so many of so many: counts of which the first is a part of the second, and not of one."""
    counts = claim["numerator"] is not None and claim["denominator"] is not None
    return counts and 0 <= int(claim["numerator"]) <= int(claim["denominator"]) != 1


def _told_as_pair(claim: Mapping[str, Any]) -> bool:
    return is_share(claim) and int(claim["denominator"]) <= MOST_COUNTED


def _usual(exact: Fraction, claim: Mapping[str, Any]) -> str:
    if _told_as_pair(claim):
        return "pair"
    if exact.denominator == 1 or abs(exact) >= 100:
        return "integer"
    return "decimal1" if abs(exact) >= 10 else "decimal2" if abs(exact) >= 1 else "decimal3"


def decimal(value: Fraction, digits: int) -> str:
    """A value with so many decimals, half to even, in groups of three."""
    with localcontext(prec=200):
        number = Decimal(value.numerator) / Decimal(value.denominator)
        return f"{number.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_EVEN):,f}"


def told(claim: Mapping[str, Any]) -> str:
    """A claim's value as tables tell it beside its printings, in the parts that these ask for.

    That is a pair of counts, a decimal of at most ten digits, or whether it holds; both ends of a range. A decimal that
    goes on is marked with an ellipsis; where there is no value, the reason stands.
    """
    parts = parts_asked(claim)
    if any(cell(claim, part) is None for part in parts):
        return _told_value(claim)
    between = " to " if any(not isinstance(place["of"], str) for place in claim["printings"]) else ", "
    return between.join(_told_value(claim if part == VALUE else _part(claim, part)) for part in parts)


def _told_value(claim: Mapping[str, Any]) -> str:
    if claim["value"] is None:
        if claim["columns"]:
            return ", ".join(
                f"{name} {cell if cell is None else shortened(cell, exact=claim['exact'])}"
                for name, cell in claim["columns"].items()
            )
        return f"no value: {claim['reason']}" if claim["reason"] else "–"
    if claim["value"] in {"true", "false"}:
        return "holds" if claim["value"] == "true" else "does not hold"
    if _told_as_pair(claim):
        return text_of(claim, "pair")
    return shortened(claim["value"], exact=claim["exact"])


def shortened(value: str, *, exact: bool, digits: int = 10) -> str:
    """A value of the report as a decimal of at most so many digits, grouped, with an ellipsis where it goes on."""
    if value in {"true", "false"}:
        return value
    number = _exact(value, exact)
    whole = len(str(abs(number.numerator) // number.denominator))
    places = max(0, digits - whole)
    text = decimal(number, places)
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return text if Fraction(text.replace(",", "")) == number else f"{text}…"


def plain(value: str | None, digits: int = 8) -> str:
    """A value of the report for reading, whichever kind it is: a decimal, or whether a proposition holds."""
    if value is None:
        return "no value"
    if value in {"true", "false"}:
        return "holds" if value == "true" else "does not hold"
    return shortened(value, exact="." not in value and "e" not in value, digits=digits)


INTERVAL = re.compile(r"([\[(])([^\s,]+), ([^\s,]+)([\])])")


def interval_words(interval: str) -> str:
    """What a printing stands for, in decimals: "0.895 to 0.905"; its brackets say which ends belong to it."""

    def words(match: re.Match[str]) -> str:
        opening, low, high, closing = match.groups()
        if low == "-inf":
            return f"{plain(high)} or less" if closing == "]" else f"less than {plain(high)}"
        if high == "inf":
            return f"{plain(low)} or more" if opening == "[" else f"more than {plain(low)}"
        return plain(low) if low == high else f"{plain(low)} to {plain(high)}"

    return INTERVAL.sub(words, interval.replace("] to [", "]; [").replace(") to [", "); ["))


def _exact(value: str, exact: bool) -> Fraction:
    return Fraction(value) if exact else Fraction(float(value))
