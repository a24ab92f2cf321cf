"""YAML by the parser's events: of the two versions of YAML only what both read alike."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NoReturn

from tieout.errors import Fault, Invalid
from tieout.strict.text import (
    MAX_DEPTH,
    MAX_DIGITS,
    MAX_SCALAR,
    Document,
    Lines,
    Place,
    decode,
    escape,
    fault,
    number,
    number_problem,
    place_at,
    refuse,
    short,
)

MAX_FAULTS = 100
QUOTED_KEYS = frozenset({"text", "corrected"})

# 1e5 and 1.5e5 are numbers in YAML 1.2 and texts in 1.1, which wants a point and a sign.
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+(?:[eE][-+][0-9]+)?)?\Z")
_WORDS: Mapping[str, bool | None] = {"true": True, "false": False, "null": None, "~": None, "": None}
# YAML 1.1 reads these as truth values, nulls or merges, YAML 1.2 as text, or the other way round.
_AMBIGUOUS_WORDS = frozenset(
    form
    for word in ("true", "false", "null", "yes", "no", "on", "off")
    for form in (word, word.capitalize(), word.upper())
    if form not in _WORDS
) | {"<<", "="}
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF|nan|NaN|NAN)\Z")
_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt \t].*)?\Z", re.DOTALL)
_AMBIGUOUS_NUMBER = re.compile(
    r"""[-+]?(?: [0-9_]*\.?[0-9_]*(?<=[0-9_.])(?:[eE][-+]?[0-9]+)?   # 007, +5, 1_000, .5, 5.
             | 0[xX][0-9a-fA-F_]+ | 0[oO][0-7_]+ | 0[bB][01_]+
             | [0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?           # 12:30, sexagesimal in YAML 1.1
        )\Z""",
    re.VERBOSE,
)
# YAML 1.1 ends a line at these, YAML 1.2 does not.
_SEPARATOR = re.compile("[\x85\u2028\u2029]")
_NUMBER_START = frozenset("0123456789+-.")


def yaml_document(data: str | bytes, file: str, quoted: frozenset[str] = QUOTED_KEYS) -> Document:
    """The YAML text as a `Document`; values under the keys `quoted` must stand in quotes. Raises `Invalid`."""
    text = decode(data, file)
    if found := None if text.isascii() else _SEPARATOR.search(text):
        code = ord(found[0])
        message = f"the line separator U+{code:04X} stands here; write \\u{code:04x} in double quotes"
        refuse(file, "line-separator", place_at(text, found.start()), message)
    value = _Yaml(text, file, quoted).read()
    return Document(
        value=value, file=file, lines=Lines(lambda: _Yaml(text, file, quoted, places={}).places_read())
    )


class _Yaml:
    """One pass over the parser's events; the events' own tags and styles decide, no resolver of YAML 1.1."""

    def __init__(
        self, text: str, file: str, quoted: frozenset[str], places: dict[str, Place] | None = None
    ) -> None:
        import yaml

        self.file = file
        self.text = text
        self.quoted = quoted
        self.places = places
        self.faults: list[Fault] = []
        self.yaml_error = yaml.YAMLError
        # Only the parser of the loader is used; without libyaml the same events come from Python, slower.
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        try:
            self.next = loader(text).get_event
        except yaml.YAMLError as error:
            self._syntax(error)

    def places_read(self) -> dict[str, Place]:
        self.read()
        return self.places or {}

    def read(self) -> Any:
        try:
            self.next()  # the stream's start
            document = self.next()
            if not hasattr(document, "version"):
                refuse(self.file, "empty-document", Place(line=1, column=1), "the file holds no value")
            if document.version or document.tags:
                self._add("yaml-directive", document, "a directive (%…) stands here; remove it", "")
            value = self._value(self.next(), "", 1, None)
            self.next()  # the document's end
            after = self.next()
            if hasattr(after, "version"):
                self._add("second-document", after, "a second document begins here; a file holds one", "")
        except self.yaml_error as error:
            self._syntax(error)
        if self.faults:
            raise Invalid(self.faults)
        return value

    def _value(self, event: Any, pointer: str, depth: int, key: str | None) -> Any:
        kind = type(event).__name__
        if self.places is not None:
            self.places.setdefault(pointer, _mark(event))
        if kind == "AliasEvent":
            self._add("alias", event, f"the alias *{event.anchor} stands here; write the value out", pointer)
            return None
        if event.anchor is not None:
            self._add("anchor", event, f"the anchor &{event.anchor} stands here; remove it", pointer)
        if event.tag is not None:
            self._add("tag", event, f"the tag {short(event.tag)} stands here; remove it", pointer)
        if kind == "ScalarEvent":
            return self._scalar(event, pointer, key)
        if depth > MAX_DEPTH:
            self._stop("too-deep", event, f"more than {MAX_DEPTH} levels of nesting", pointer)
        following = self.next
        if kind == "SequenceStartEvent":
            items: list[Any] = []
            while type(event := following()).__name__ != "SequenceEndEvent":
                items.append(self._value(event, f"{pointer}/{len(items)}", depth + 1, None))
            return items
        return self._mapping(pointer, depth)

    def _mapping(self, pointer: str, depth: int) -> dict[str, Any]:
        result: dict[str, Any] = {}
        lines: dict[str, int] = {}
        following = self.next
        while type(event := following()).__name__ != "MappingEndEvent":
            if type(event).__name__ != "ScalarEvent":
                self._stop("key", event, "a key must be a text", pointer)
            name = event.value
            if event.anchor is not None or event.tag is not None or not event.style:
                found = self._value(event, pointer, depth, None)
                if not isinstance(found, str) and not self.faults:
                    message = f"the key {name or 'null'} is not a text; put it in quotes"
                    self._add("key", event, message, pointer)
            child = f"{pointer}/{escape(name)}"
            if name in result:
                message = f"the key {short(name)} stands twice; first on line {lines[name]}"
                self._add("duplicate-key", event, message, child)
            lines[name] = event.start_mark.line + 1
            if self.places is not None:
                self.places[child] = _mark(event)
            result[name] = self._value(following(), child, depth + 1, name)
        return result

    def _scalar(self, event: Any, pointer: str, key: str | None) -> Any:
        text: str = event.value
        if len(text) > MAX_SCALAR:
            self._add("too-large", event, f"the value has more than {MAX_SCALAR} characters", pointer)
            return None
        if event.style:
            if key in self.quoted and event.style not in "'\"":
                self._unquoted(event, key, pointer)
            return text
        if key in self.quoted:
            self._unquoted(event, key, pointer)
            return text
        if text in _WORDS:
            return _WORDS[text]
        if text[0] in _NUMBER_START:
            return self._number(event, text, pointer)
        if text in _AMBIGUOUS_WORDS:
            message = f"{text} is read in two ways; write true, false or null, or put it in quotes"
            self._add("ambiguous", event, message, pointer)
        return text

    def _number(self, event: Any, text: str, pointer: str) -> Any:
        if _NUMBER.match(text):
            problem = number_problem(text)
            if problem:
                self._add("number", event, problem, pointer)
                return None
            return number(text)
        if _DATE.match(text):
            message = f"{short(text)} is read as a date or as text; put it in quotes"
            self._add("ambiguous", event, message, pointer)
        elif _NOT_FINITE.match(text):
            self._add("not-finite", event, f"{text} is no number that can be used here", pointer)
        elif len(text) <= MAX_DIGITS and any(c.isdigit() for c in text) and _AMBIGUOUS_NUMBER.match(text):
            message = f"{text} is read in two ways; write a number like 1234 or 0.5, or put it in quotes"
            self._add("ambiguous", event, message, pointer)
        return text

    def _unquoted(self, event: Any, key: str | None, pointer: str) -> None:
        self._add("unquoted-text", event, f"the value of {key} must be in quotes", pointer)

    def _add(self, code: str, event: Any, message: str, pointer: str) -> None:
        self.faults.append(fault(self.file, code, _mark(event), message, pointer))
        if len(self.faults) >= MAX_FAULTS:
            raise Invalid(self.faults)

    def _stop(self, code: str, event: Any, message: str, pointer: str) -> NoReturn:
        raise Invalid([*self.faults, fault(self.file, code, _mark(event), message, pointer)])

    def _syntax(self, error: Any) -> NoReturn:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        if mark is not None:
            place = Place(line=mark.line + 1, column=mark.column + 1)
            message = f"{error.context}: {error.problem}" if error.context else str(error.problem)
        else:
            # libyaml gives the code of the character, the reader in Python the character.
            character = chr(error.character) if isinstance(error.character, int) else str(error.character)
            place = place_at(self.text, max(0, self.text.find(character)))
            message = f"the character U+{ord(character):04X} may not stand in YAML"
        raise Invalid([*self.faults, fault(self.file, "yaml", place, message)]) from error


def _mark(event: Any) -> Place:
    mark = event.start_mark
    return Place(line=mark.line + 1, column=mark.column + 1)
