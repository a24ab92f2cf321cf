"""Numerals of a text: where digits and cardinals in words stand, and what no match may cut in two."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass

_UNITS = "zero one two three four five six seven eight nine"
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"


def _any(words: str) -> str:
    return "(?:" + "|".join(words.split()) + ")"


# A word begins and ends where no letter or digit is glued to it; an underscore joins names (top_five), and is emphasis
# where it stands at a word's edge (_five_, __five__).
_BEGINS = r"(?<![^\W_])(?<![^\W_]_)(?<![^\W_]__)(?<![^\W_]___)"
_ENDS = r"(?!_*[^\W_])"
# A joint lies within a paragraph. Longer alternatives come first: "sixty-four" before "sixty".
_GAP = r"(?:[^\S\n]+|[^\S\n]*\n[^\S\n]*)"
_JOINT = rf"(?:-|{_GAP})"
_SMALL = rf"(?:{_any(_TENS)}(?:{_JOINT}{_any(_UNITS)})?|{_any(_TEENS)}|{_any(_UNITS)})"
_SCALE = r"(?:hundreds?|thousands?|millions?|billions?|trillions?|dozens?)"
_PART = "(?:third|quarter|fourth|fifth|sixth|seventh|eighth|ninth|tenth|hundredth|thousandth)"
_FACTOR = "(?:twice|thrice|doubled|tripled|quadrupled|halved)"
_WORD = rf"""
    {_BEGINS}(?:
        (?:{_SMALL}|(?:a{_JOINT})?{_SCALE})-?fold
      | (?:{_SMALL}|a)(?:{_JOINT}{_SCALE})+(?:{_JOINT}(?:and{_JOINT})?{_SMALL})?
      | {_SMALL}{_JOINT}{_PART}s
      | (?:one|an?){_JOINT}(?:half|{_PART})
      | {_SMALL} | {_SCALE} | {_PART}s | half | third | quarter | none | {_FACTOR}
    ){_ENDS}"""
_SIGNS = r"\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u2079\u2150-\u215e"  # fractions and raised digits
_GLYPH = rf"(?:[{_SIGNS}]|&frac\d\d;)"
# A sign is no hyphen and no dash: nothing is glued to its left. "minus" after a number or a bracket takes away.
_MINUS = rf"(?:{_BEGINS}(?<![\d%)\]}}]\s)minus{_GAP})"
_SIGN = rf"{_BEGINS}(?<![-.)\]}}])(?:[-+\u2212]|(?<!\$)[-+\u2212]\\?\$)"
_PERCENT = rf"""
    (?:\\?[%\u2030] | (?:[^\S\n]|\\,)\\?[%\u2030](?![^\S\n]*\d)
      | {_JOINT}(?:percent|per{_GAP}cent|percentage{_JOINT}points?|pp){_ENDS})"""
_DIGITS = rf"""
    (?:{_SIGN} | {_MINUS}(?:\\?\$)?)?
    (?:
        \d+ (?:(?:[,\u00a0\u2009\u202f]|\{{,\}})\d{{3}}(?!\d) | _\d+)*   # groups
        (?:(?:\.\d+)+|{_GLYPH})?             # decimals, the rest of a version, 2½
      | \.\d+
    )
    (?:[eE][-+\u2212]?\d+{_ENDS})?
    (?:/\d+(?![\d/]))?                        # a pair such as 18/20
    (?:{_PERCENT} | [KMBk]{_ENDS} | \u00d7(?!\d) | x{_ENDS})?
  | {_GLYPH}{_PERCENT}?"""
# Letters directly followed by plain digits name something: T04, C2, L0, Embedding1600. But an x may mean "times", a
# macro of TeX (\leq5) takes no digits into its name, a currency counts what follows, and a name is no percentage.
_CURRENCY = "(?:AUD|BRL|CAD|CHF|CNY|COP|EUR|GBP|HKD|INR|JPY|KRW|MXN|NOK|NZD|SEK|SGD|USD)"
_IDENTIFIER = rf"""
    {_BEGINS}(?<!\\)(?!x\d|(?-i:{_CURRENCY})\d)
    (?:[^\W\d_{_SIGNS}]+\d+)+ (?![.,]?\d|\\?[%\u2030])"""
_TOKEN = rf"(?P<identifier>{_IDENTIFIER}) | (?P<numeral>{_DIGITS}|{_MINUS}?{_WORD}{_PERCENT}?)"
_WORD_BEGINS, _WORD_ENDS = re.compile(_BEGINS), re.compile(_ENDS)


@dataclass(frozen=True, kw_only=True, slots=True)
class Numeral:
    """A number in a text, in digits or in words; `line` and `column` count from 1, offsets from 0."""

    text: str
    start: int
    end: int
    line: int
    column: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
    """A stretch of a text, from `start` to before `end`."""

    start: int
    end: int

    def gap(self, other: Span) -> int:
        """How many characters lie between the two; 0 if they touch, overlap or hold one another."""
        return max(0, other.start - self.end, self.start - other.end)


class NumeralText:
    """A text with its numerals and identifiers."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._lines = [0, *(match.end() for match in re.finditer("\n", text))]
        tokens = list(re.finditer(_TOKEN, text, re.VERBOSE | re.IGNORECASE))
        self._starts = [token.start() for token in tokens]
        self._ends = [token.end() for token in tokens]
        self.numerals = tuple(self._numeral(token) for token in tokens if token["numeral"])
        self._numeral_starts = [numeral.start for numeral in self.numerals]

    def _numeral(self, token: re.Match[str]) -> Numeral:
        line = self.line(token.start())
        column = token.start() - self._lines[line - 1] + 1
        return Numeral(text=token[0], start=token.start(), end=token.end(), line=line, column=column)

    def line(self, offset: int) -> int:
        """The line of an offset, from 1."""
        return bisect_right(self._lines, offset)

    def inside(self, span: Span) -> tuple[Numeral, ...]:
        """The numerals that begin in a span."""
        low = bisect_left(self._numeral_starts, span.start)
        return self.numerals[low : bisect_left(self._numeral_starts, span.end)]

    def _cuts(self, span: Span) -> bool:
        if self.text[span.start].isalpha() and not _WORD_BEGINS.match(self.text, span.start):
            return True
        if self.text[span.end - 1].isalpha() and not _WORD_ENDS.match(self.text, span.end):
            return True
        for edge in (span.start, span.end):
            index = bisect_left(self._starts, edge) - 1
            if index >= 0 and self._ends[index] > edge:
                return True
        return False

    def occurrences(self, words: str, within: Span, *, whole: bool = True) -> list[Span]:
        """Where `words` stand, any white space for white space.

        `whole` keeps out what would cut a numeral, an identifier or a word: 3 in 13 or 3.8×, two in network.
        """
        if not words.split():
            return []
        pattern = re.compile(r"\s+".join(re.escape(word) for word in words.split()))
        spans: list[Span] = []
        found = pattern.search(self.text, within.start, within.end)
        while found:
            spans.append(Span(start=found.start(), end=found.end()))
            found = pattern.search(self.text, found.start() + 1, within.end)
        return [span for span in spans if not (whole and self._cuts(span))]


def scan(text: str) -> list[Numeral]:
    """All numerals of a text in order.

    Digits with sign, groups, decimals, exponent, `%`, `×`, `K`, `M`, `B`; a pair such as 18/20 as one; cardinals in
    words (also "none", "half", "a third", "a tenth", "twice", "twofold", "doubled"); a "minus" before and a "percent"
    after either are part of it. Commas join groups of three digits only. Not looked for is what mostly counts nothing:
    "a", "no", "once", "both", "double", ordinals.
    Letters directly followed by plain digits (T04, L0) are an identifier and no numeral, unless the letters are a
    macro (`\\approx90`) or a currency (USD100) or a percent sign follows (acc90%); every other digit is a numeral,
    also in `gpt-4o`, `U+2212` or a date: what is no claim is named in the list of the ignored, not guessed here.
    """
    return list(NumeralText(text).numerals)
