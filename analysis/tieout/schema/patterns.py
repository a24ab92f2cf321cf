"""Regular expressions that RE2 and Python read alike: the subset, and its two spellings.

The subset: literals; `.`; `^` and `$`; `|`; groups `(…)` and `(?:…)`; classes with ranges and `^`; `\\d \\D \\w \\W`
`\\s \\S`; `\\t \\n \\v \\f \\r`; `\\xHH`, `\\uHHHH`; a backslash before punctuation; `* + ? {n} {n,} {n,m}`, lazy ones
too. The meaning is ECMA 262's, as JSON Schema asks: `\\d` and `\\w` are ASCII, `\\s` is ECMA's white space, `$` is the
very end, `.` is anything but a line's end. Everything is spelled out for each engine, so that neither engine's habits
matter.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_LAST = 0x10FFFF
_MAX_REPEAT = 1000  # RE2 refuses more, nested ones multiplied
_MAX_LENGTH = 10_000
_MAX_DEPTH = 40

Ranges = tuple[tuple[int, int], ...]

_LINE_ENDS: Ranges = ((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029))
_DIGITS: Ranges = ((0x30, 0x39),)
_WORD: Ranges = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
_SPACE: Ranges = (
    (0x09, 0x0D),
    (0x20, 0x20),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
    (0xFEFF, 0xFEFF),
)
_CONTROLS = {"t": 0x09, "n": 0x0A, "v": 0x0B, "f": 0x0C, "r": 0x0D}
_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_QUANTIFIER = re.compile(r"(?:[*+?]|\{([0-9]{1,4})(?:(,)([0-9]{0,4}))?\})\??")


@dataclass(frozen=True, kw_only=True, slots=True)
class Pattern:
    """One pattern in two spellings; both search anywhere in a text."""

    re2: str
    python: re.Pattern[str]


@lru_cache(maxsize=512)
def common(pattern: str) -> Pattern | None:
    """The pattern for both engines, or None when it is outside the subset."""
    try:
        re2, python, _ = _Parser(pattern).whole()
    except _OutsideError:
        return None
    return Pattern(re2=re2, python=re.compile(python))


@lru_cache(maxsize=512)
def searcher(pattern: str) -> re.Pattern[str] | None:
    """The pattern for Python alone, in its own dialect when outside the subset; None when it is none, or very long."""
    found = common(pattern)
    if found is not None:
        return found.python
    if len(pattern) > _MAX_LENGTH:
        return None
    try:
        return re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return None


class _OutsideError(Exception):
    """The pattern uses something outside the subset."""


def _complement(ranges: Ranges) -> Ranges:
    result = []
    start = 0
    for low, high in ranges:
        if start < low:
            result.append((start, low - 1))
        start = high + 1
    if start <= _LAST:
        result.append((start, _LAST))
    return tuple(result)


_SHORTHANDS: dict[str, Ranges] = {
    "d": _DIGITS,
    "D": _complement(_DIGITS),
    "w": _WORD,
    "W": _complement(_WORD),
    "s": _SPACE,
    "S": _complement(_SPACE),
}


def _re2(code: int) -> str:
    return chr(code) if chr(code).isascii() and chr(code).isalnum() else f"\\x{{{code:X}}}"


def _python(code: int) -> str:
    return chr(code) if chr(code).isascii() and chr(code).isalnum() else f"\\U{code:08x}"


def _class(ranges: Ranges, *, negated: bool = False) -> tuple[str, str]:
    start = "[^" if negated else "["
    both = []
    for spell in (_re2, _python):
        body = "".join(spell(low) if low == high else f"{spell(low)}-{spell(high)}" for low, high in ranges)
        both.append(f"{start}{body}]")
    return both[0], both[1]


class _Parser:
    """Recursive descent; each part gives its RE2 spelling, its Python spelling, and how often it repeats at most."""

    def __init__(self, pattern: str) -> None:
        if len(pattern) > _MAX_LENGTH:
            raise _OutsideError
        self.pattern = pattern
        self.at = 0

    def whole(self) -> tuple[str, str, int]:
        result = self._alternation(0)
        if self.at < len(self.pattern):
            raise _OutsideError
        return result

    def _peek(self) -> str:
        return self.pattern[self.at : self.at + 1]

    def _next(self) -> str:
        character = self._peek()
        if not character:
            raise _OutsideError
        self.at += 1
        return character

    def _alternation(self, depth: int) -> tuple[str, str, int]:
        if depth > _MAX_DEPTH:
            raise _OutsideError
        branches = [self._sequence(depth)]
        while self._peek() == "|":
            self.at += 1
            branches.append(self._sequence(depth))
        re2, python, repeats = zip(*branches, strict=True)
        return "|".join(re2), "|".join(python), max(repeats)

    def _sequence(self, depth: int) -> tuple[str, str, int]:
        re2, python, most = "", "", 1
        while (character := self._peek()) not in ("", "|", ")"):
            if character in "^$":
                self.at += 1
                re2 += "\\A" if character == "^" else "\\z"
                python += "\\A" if character == "^" else "\\Z"
                if self._peek() and self._peek() in "*+?{":
                    raise _OutsideError
                continue
            atom = self._atom(depth)
            quantifier, times = self._quantifier()
            re2 += atom[0] + quantifier
            python += atom[1] + quantifier
            most = max(most, atom[2] * times)
            if most > _MAX_REPEAT:
                raise _OutsideError
        return re2, python, most

    def _quantifier(self) -> tuple[str, int]:
        match = _QUANTIFIER.match(self.pattern, self.at)
        if match is None:
            return "", 1
        self.at = match.end()
        if self._peek() and self._peek() in "*+?{":
            raise _OutsideError
        if match[1] is None:
            return match[0], 1
        low = int(match[1])
        high = int(match[3]) if match[3] else low
        if high < low:
            raise _OutsideError
        return match[0], max(high, 1)

    def _atom(self, depth: int) -> tuple[str, str, int]:
        character = self._next()
        if character == "(":
            if self._peek() == "?":
                if self.pattern[self.at : self.at + 2] != "?:":
                    raise _OutsideError
                self.at += 2
            re2, python, most = self._alternation(depth + 1)
            if self._next() != ")":
                raise _OutsideError
            return f"(?:{re2})", f"(?:{python})", most
        if character == "[":
            return (*self._bracket(), 1)
        if character == ".":
            return (*_class(_LINE_ENDS, negated=True), 1)
        if character == "\\":
            ranges = self._escape()
        elif character in "*+?{}])":
            raise _OutsideError
        else:
            ranges = self._literal(character)
        if len(ranges) == 1 and ranges[0][0] == ranges[0][1]:
            return _re2(ranges[0][0]), _python(ranges[0][0]), 1
        return (*_class(ranges), 1)

    def _literal(self, character: str) -> Ranges:
        code = ord(character)
        if code == 0 or 0xD800 <= code <= 0xDFFF:
            raise _OutsideError
        return ((code, code),)

    def _escape(self) -> Ranges:
        character = self._next()
        if character in _SHORTHANDS:
            return _SHORTHANDS[character]
        if character in _CONTROLS:
            return ((_CONTROLS[character],) * 2,)
        if character in "xu":
            digits = self.pattern[self.at : self.at + (2 if character == "x" else 4)]
            if not re.fullmatch("[0-9a-fA-F]{2}|[0-9a-fA-F]{4}", digits):
                raise _OutsideError
            if len(digits) != (2 if character == "x" else 4):
                raise _OutsideError
            self.at += len(digits)
            return self._literal(chr(int(digits, 16)))
        if character in _PUNCTUATION:
            return self._literal(character)
        raise _OutsideError

    def _bracket(self) -> tuple[str, str]:
        negated = self._peek() == "^"
        self.at += negated
        if self._peek() == "]":
            raise _OutsideError
        ranges: list[tuple[int, int]] = []
        while (character := self._next()) != "]":
            if character == "[":
                raise _OutsideError
            low = self._escape() if character == "\\" else self._literal(character)
            if self._peek() == "-" and self.pattern[self.at + 1 : self.at + 2] not in ("]", ""):
                self.at += 1
                character = self._next()
                if character == "[":
                    raise _OutsideError
                high = self._escape() if character == "\\" else self._literal(character)
                if not (_single(low) and _single(high) and low[0][0] <= high[0][0]):
                    raise _OutsideError
                ranges.append((low[0][0], high[0][0]))
            else:
                ranges.extend(low)
        return _class(tuple(ranges), negated=negated)


def _single(ranges: Ranges) -> bool:
    return len(ranges) == 1 and ranges[0][0] == ranges[0][1]
