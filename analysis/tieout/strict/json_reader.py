"""JSON in two passes: the fast reader says that something is wrong, the slow one says what and where."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, NoReturn

from tieout.strict.text import (
    MAX_DEPTH,
    MAX_SCALAR,
    Document,
    Lines,
    Place,
    decode,
    escape,
    has_surrogate,
    number,
    number_problem,
    refuse,
    short,
)


def json_document(data: str | bytes, file: str) -> Document:
    """The JSON text as a `Document`; raises `Invalid`."""
    text = decode(data, file)
    try:
        value = json.loads(
            text,
            parse_float=_number,
            parse_int=_number,
            parse_constant=_not_json,
            object_pairs_hook=_unique,
        )
        if text.count("[") + text.count("{") > MAX_DEPTH and _too_deep(value):
            raise _Doubtful
        if (len(text) > MAX_SCALAR or "\\u" in text) and not _texts_fit(value):
            raise _Doubtful
    except (ValueError, RecursionError, _Doubtful) as error:
        # The fast reader says only that something is wrong; the slow one says what and where.
        _Json(text, file).read()
        raise AssertionError("the two JSON readers disagree") from error
    return Document(value=value, file=file, lines=Lines(lambda: _Json(text, file).read()))


class _Doubtful(Exception):
    """The fast JSON reader met something that the slow one must name."""


def _number(text: str) -> int | Decimal:
    if number_problem(text):
        raise _Doubtful
    return number(text)


def _not_json(_: str) -> NoReturn:
    raise _Doubtful


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise _Doubtful
    return result


def _too_deep(value: Any) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        level = [
            child
            for parent in level
            if isinstance(parent, (dict, list))
            for child in (parent.values() if isinstance(parent, dict) else parent)
        ]
        if not level:
            return False
    return True


def _texts_fit(value: Any) -> bool:
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            if len(part) > MAX_SCALAR or has_surrogate(part):
                return False
        elif isinstance(part, dict):
            waiting.extend(part)
            waiting.extend(part.values())
        elif isinstance(part, list):
            waiting.extend(part)
    return True


_TOKEN = re.compile(
    r"""[ \t\n\r]*(?:
        (?P<mark>[\[\]{},:])
      | (?P<text>"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")
      | (?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)(?![0-9A-Za-z_.+-])
      | (?P<word>[-+]?[A-Za-z_][A-Za-z_0-9]*)
      | (?P<end>\Z)
    )""",
    re.VERBOSE,
)


class _Json:
    """A small JSON reader that knows where it is: raises the first fault, or returns every pointer's place."""

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self.starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self.places: dict[str, Place] = {}
        self.tokens = self._tokens()

    def read(self) -> dict[str, Place]:
        self._value(next(self.tokens), "", 1)
        kind, token, offset = next(self.tokens)
        if kind != "end":
            self._refuse("json", offset, f"the value has ended, but {short(token)} follows")
        return self.places

    def _tokens(self) -> Iterator[tuple[str, str, int]]:
        offset = 0
        while True:
            match = _TOKEN.match(self.text, offset)
            if match is None:
                space = re.compile(r"[ \t\n\r]*").match(self.text, offset)
                offset = space.end() if space else offset
                self._refuse("json", offset, f"{short(self.text[offset : offset + 12])} is not JSON")
            kind = match.lastgroup or "end"
            yield kind, match[kind], match.start(kind)
            offset = match.end()

    def _value(self, token: tuple[str, str, int], pointer: str, depth: int) -> None:
        kind, text, offset = token
        self.places.setdefault(pointer, self._place(offset))
        if kind == "text":
            self._text(text, offset, pointer)
        elif kind == "number":
            if problem := number_problem(text):
                self._refuse("number", offset, problem, pointer)
        elif kind == "word":
            if text.lstrip("+-") in ("NaN", "Infinity"):
                self._refuse("not-finite", offset, f"{text} is no number that can be used here", pointer)
            if text not in ("true", "false", "null"):
                self._refuse("json", offset, f"{short(text)} is not JSON", pointer)
        elif text in ("[", "{"):
            if depth > MAX_DEPTH:
                self._refuse("too-deep", offset, f"more than {MAX_DEPTH} levels of nesting", pointer)
            (self._array if text == "[" else self._object)(pointer, depth)
        else:
            found = short(text) if text else "the end of the file"
            self._refuse("json", offset, f"expected a value, found {found}", pointer)

    def _text(self, token: str, offset: int, pointer: str) -> str:
        text: str = json.loads(token)
        if len(text) > MAX_SCALAR:
            self._refuse("too-large", offset, f"the value has more than {MAX_SCALAR} characters", pointer)
        if has_surrogate(text):
            self._refuse("encoding", offset, "the text holds half of a surrogate pair", pointer)
        return text

    def _array(self, pointer: str, depth: int) -> None:
        token = next(self.tokens)
        index = 0
        while token[1] != "]" or index:
            self._value(token, f"{pointer}/{index}", depth + 1)
            index += 1
            if self._separator("]", pointer):
                return
            token = next(self.tokens)

    def _object(self, pointer: str, depth: int) -> None:
        first: dict[str, Place] = {}
        token = next(self.tokens)
        while token[1] != "}" or first:
            kind, text, offset = token
            if kind != "text":
                found = short(text) if text else "the end of the file"
                self._refuse("json", offset, f"expected a key in double quotes, found {found}", pointer)
            name = self._text(text, offset, pointer)
            child = f"{pointer}/{escape(name)}"
            if name in first:
                message = f"the key {short(name)} stands twice; first on line {first[name].line}"
                self._refuse("duplicate-key", offset, message, child)
            first[name] = self.places[child] = self._place(offset)
            colon = next(self.tokens)
            if colon[1] != ":":
                self._refuse("json", colon[2], f'expected ":" after the key {short(name)}', child)
            self._value(next(self.tokens), child, depth + 1)
            if self._separator("}", pointer):
                return
            token = next(self.tokens)

    def _separator(self, closing: str, pointer: str) -> bool:
        _, text, offset = next(self.tokens)
        if text not in (",", closing):
            found = short(text) if text else "the end of the file"
            self._refuse("json", offset, f'expected "," or "{closing}", found {found}', pointer)
        return text == closing

    def _place(self, offset: int) -> Place:
        line = bisect_right(self.starts, offset)
        return Place(line=line, column=offset - self.starts[line - 1] + 1)

    def _refuse(self, code: str, offset: int, message: str, pointer: str | None = None) -> NoReturn:
        refuse(self.file, code, self._place(offset), message, pointer)
