"""What both readers share: the text of a file, places in it, faults, and what a number may be."""

from __future__ import annotations

import json
import math
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

from tieout.errors import CannotOpen, Fault, Invalid
from tieout.safetext import visible

MAX_BYTES = 16 * 1024 * 1024
MAX_SCALAR = 1024 * 1024  # characters of one value; the longest SQL text of a claim is some thousands
MAX_DEPTH = 64
MAX_DIGITS = 400  # enough for every binary64 written out; keeps `int()` linear

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)\Z")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """A line and a column of a text, both from 1."""

    line: int
    column: int


class Lines(Mapping[str, int]):
    """JSON pointer -> line, from 1, read from the text when first asked; a member stands where its key does."""

    def __init__(self, locate: Callable[[], Mapping[str, Place]]) -> None:
        self._locate = locate

    @cached_property
    def _lines(self) -> dict[str, int]:
        return {pointer: place.line for pointer, place in self._locate().items()}

    def __getitem__(self, pointer: str) -> int:
        return self._lines[pointer]

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)


@dataclass(frozen=True, kw_only=True, slots=True)
class Document:
    """A value read from a text, and where its parts stand.

    Objects are dicts with text keys, arrays lists. An integer is an int; a number with a point or an exponent is a
    `decimal.Decimal`, so that nothing of what was written is lost.
    """

    value: Any
    file: str
    lines: Mapping[str, int] = field(repr=False, compare=False)

    def line(self, pointer: str) -> int | None:
        """Line of the value at a JSON pointer, or of the nearest thing around it that is there."""
        return nearest_line(self.lines, pointer)


def nearest_line(lines: Mapping[str, int], pointer: str) -> int | None:
    """Line of `pointer`, or of its nearest ancestor in `lines`; None if there is none."""
    while pointer not in lines:
        if not pointer:
            return None
        pointer = pointer.rpartition("/")[0]
    return lines[pointer]


def escape(key: str) -> str:
    """A key as one segment of a JSON pointer (RFC 6901)."""
    return key.replace("~", "~0").replace("/", "~1")


def read_bytes(path: Path, file: str) -> bytes:
    """A regular file's bytes, at most one more than `MAX_BYTES`; raises `CannotOpen`."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise CannotOpen(f"{file}: is not a regular file")
        with path.open("rb") as stream:
            return stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise CannotOpen(f"{file}: {error.strerror or 'cannot be read'}") from error


def decode(data: str | bytes, file: str) -> str:
    """UTF-8 without a byte order mark, within `MAX_BYTES`; raises `Invalid`."""
    start = Place(line=1, column=1)
    if isinstance(data, bytes):
        if len(data) > MAX_BYTES:
            refuse(file, "too-large", start, f"the file has more than {MAX_BYTES} bytes")
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            refuse(file, "encoding", start, "the file is UTF-16; save it as UTF-8")
        if data.startswith(b"\xef\xbb\xbf"):
            message = "the file begins with a byte order mark; save it as UTF-8 without"
            refuse(file, "byte-order-mark", start, message)
        try:
            return data.decode()
        except UnicodeDecodeError as error:
            before = data[: error.start].decode()
            message = f"byte 0x{data[error.start]:02x} is not UTF-8"
            refuse(file, "encoding", place_at(before, len(before)), message)
    if data.startswith("\ufeff"):
        refuse(file, "byte-order-mark", start, "the text begins with a byte order mark")
    if has_surrogate(data):
        refuse(file, "encoding", start, "the text holds half of a surrogate pair")
    if len(data) > MAX_BYTES:
        refuse(file, "too-large", start, f"the text has more than {MAX_BYTES} characters")
    return data


def fault(file: str, code: str, place: Place, message: str, pointer: str | None = None) -> Fault:
    """A fault whose row is the line, and whose message begins with line and column."""
    message = f"line {place.line}, column {place.column}: {message}"
    return Fault(code=code, message=message, file=file, row=place.line, pointer=pointer or None)


def refuse(file: str, code: str, place: Place, message: str, pointer: str | None = None) -> NoReturn:
    """Raise `Invalid` with this one fault."""
    raise Invalid([fault(file, code, place, message, pointer)])


def place_at(text: str, offset: int) -> Place:
    """The place of the character at an offset, from 0."""
    line_start = text.rfind("\n", 0, offset) + 1
    return Place(line=text.count("\n", 0, offset) + 1, column=offset - line_start + 1)


def short(text: str) -> str:
    """The text quoted as JSON, cut at 40 characters."""
    return visible(json.dumps(text if len(text) <= 40 else text[:39] + "…", ensure_ascii=False))


def number_problem(text: str) -> str | None:
    """Why a text that has the form of a JSON number can't be used as one, or None."""
    if len(text) > MAX_DIGITS:
        return f"the number has more than {MAX_DIGITS} characters"
    if not _INTEGER.match(text):
        value = float(text)
        if math.isinf(value):
            return f"{short(text)} is beyond the range of a binary64 number"
        if value == 0.0 and not _is_zero(text):
            return f"{short(text)} is nearer to 0 than a binary64 number can be"
    return None


def number(text: str) -> int | Decimal:
    """The value of a text that has the form of a JSON number and no `number_problem`."""
    if _INTEGER.match(text):
        return int(text)
    # 0e-999999999 would make a Fraction of a billion digits.
    return Decimal("0.0") if _is_zero(text) else Decimal(text)


def has_surrogate(text: str) -> bool:
    """Whether half of a surrogate pair stands in it, which no UTF-8 file can hold."""
    return not text.isascii() and _SURROGATE.search(text) is not None


def _is_zero(text: str) -> bool:
    return not text.lower().partition("e")[0].strip("-0.")
