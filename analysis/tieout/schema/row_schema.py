"""A package's schema of rows, itself held against what Tieout asks of one."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from decimal import Decimal
from typing import Any

from tieout.errors import Fault
from tieout.schema.conditions import ANNOTATIONS, OF_ARRAYS, OF_OBJECTS
from tieout.schema.documents import text_faults
from tieout.schema.formats import FORMATS
from tieout.schema.patterns import common, searcher
from tieout.schema.validator import DIALECT
from tieout.schema.words import any_of, shown
from tieout.strict import MAX_DEPTH, escape

ROLES = ("key", "case", "repeat", "condition", "outcome", "usage", "cost", "none")
TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")
_SIMPLE = ("type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_OF_TEXT = ("minLength", "maxLength", "pattern", "format")
_COMBINING = ("allOf", "anyOf", "oneOf", "not", "if", "then", "else", "$ref")
_CELL = frozenset({*_SIMPLE, *_OF_TEXT, *_COMBINING, "multipleOf"}) | ANNOTATIONS | OF_ARRAYS | OF_OBJECTS
_ROW = frozenset({"$schema", "$id", "$defs", "type", *_COMBINING}) | ANNOTATIONS | OF_OBJECTS

_REPEAT = re.compile(r"[*+{]|(?<!\()\?")
_MOST_PARTS = (
    10_000  # of a schema with each of its references written out; a cell is held against all of them
)

Broken = tuple[str, str]  # a JSON pointer and a message


def check_row_schema(schema: object, file: str, evaluators: AbstractSet[str] = frozenset()) -> list[Fault]:
    """What is wrong with a schema of rows; `evaluators` are the ids that outcome columns may name.

    A keyword that draft 2020-12 doesn't know is a fault, as it checks nothing: it is most likely misspelt. So is a
    format that Tieout doesn't check, a pattern that can't be read, and `multipleOf` other than whole.
    """
    broken = dict.fromkeys(_all(schema, evaluators))
    faults = [
        Fault(code="row-schema", message=message, file=file, pointer=pointer or None)
        for pointer, message in broken
    ]
    return faults + text_faults(schema, file)


def _all(schema: object, evaluators: AbstractSet[str]) -> Iterator[Broken]:
    if not isinstance(schema, Mapping):
        yield "", f"expected an object, found {shown(schema)}"
        return
    if schema.get("$schema") != DIALECT:
        yield "/$schema", f"expected {DIALECT}, found {shown(schema.get('$schema'))}"
    if schema.get("type") != "object":
        yield "/type", f'expected "object", found {shown(schema.get("type"))}'
    yield from _unknown(schema, _ROW, "")
    properties = schema.get("properties")
    if not isinstance(properties, Mapping) or not properties:
        yield "/properties", f"expected an object with the columns, found {shown(properties)}"
        return
    for name in _strings(schema.get("required", [])):
        if name not in properties:
            yield "/required", f"the column {shown(name)} is required and not described"
    for name, column in properties.items():
        yield from _column(column, f"/properties/{escape(name)}", evaluators)
    yield from _key(schema, properties)
    nested = {*_COMBINING, *OF_ARRAYS, *OF_OBJECTS} - {"properties", "required", "additionalProperties"}
    if not nested.isdisjoint(schema) or any(
        isinstance(column, Mapping) and not nested.isdisjoint(column) for column in properties.values()
    ):
        yield from _metaschema(schema)


def _column(column: object, at: str, evaluators: AbstractSet[str]) -> Iterator[Broken]:
    if not isinstance(column, Mapping):
        yield at, f"expected an object that describes the column, found {shown(column)}"
        return
    yield from _unknown(column, _CELL, at)
    if "type" in column:
        yield from _types(column["type"], f"{at}/type")
    elif not {"enum", "const", *_COMBINING} & set(column):
        yield at, "the column needs a type, or an enum of its values"
    if "enum" in column and not (isinstance(column["enum"], list) and column["enum"]):
        yield f"{at}/enum", f"expected a list of values, found {shown(column['enum'])}"
    for keyword, asked, holds in _VALUES:
        if keyword in column and not holds(column[keyword]):
            yield f"{at}/{keyword}", f"expected {asked}, found {shown(column[keyword])}"
    if "tieout" in column:
        yield from _annotation(column["tieout"], f"{at}/tieout", evaluators)


def _types(kinds: object, at: str) -> Iterator[Broken]:
    given = [kinds] if isinstance(kinds, str) else kinds
    if not isinstance(given, list) or not given or len(set(map(str, given))) != len(given):
        yield at, f"expected a type or a list of types, found {shown(kinds)}"
        return
    for kind in given:
        if kind not in TYPES:
            yield at, f"expected {any_of(TYPES)}, found {shown(kind)}"


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)


def _is_count(value: object) -> bool:
    return (
        isinstance(value, (int, float, Decimal))
        and not isinstance(value, bool)
        and value >= 0
        and value == int(value)
    )


def _is_divisor(value: object) -> bool:
    return _is_count(value) and value != 0


def _is_pattern(value: object) -> bool:
    return isinstance(value, str) and searcher(value) is not None


def _is_format(value: object) -> bool:
    return isinstance(value, str) and value in FORMATS


_VALUES = (
    *(
        (name, "a number", _is_number)
        for name in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
    ),
    *((name, "a whole number from 0", _is_count) for name in ("minLength", "maxLength")),
    ("multipleOf", "a whole number from 1", _is_divisor),
    ("pattern", "a regular expression", _is_pattern),
    ("format", any_of(list(FORMATS)), _is_format),
)


def _annotation(annotation: object, at: str, evaluators: AbstractSet[str]) -> Iterator[Broken]:
    if not isinstance(annotation, Mapping):
        yield at, f"expected an object, found {shown(annotation)}"
        return
    for key in annotation:
        if key not in ("role", "evaluator", "unit"):
            yield f"{at}/{escape(key)}", f"the key {shown(key)} is unknown; known here: evaluator, role, unit"
    role = annotation.get("role")
    if role is not None and role not in ROLES:
        yield f"{at}/role", f"expected {any_of(ROLES)}, found {shown(role)}"
    evaluator = annotation.get("evaluator")
    if role == "outcome" and evaluator is None:
        yield at, "an outcome needs its evaluator"
    if role != "outcome" and evaluator is not None:
        yield f"{at}/evaluator", "only an outcome has an evaluator"
    if evaluator is not None and evaluator not in evaluators:
        known = any_of(sorted(evaluators)) if evaluators else "none, as the package has no evaluators"
        yield f"{at}/evaluator", f"expected {known}, found {shown(evaluator)}"
    if "unit" in annotation and not isinstance(annotation["unit"], str):
        yield f"{at}/unit", f"expected a text, found {shown(annotation['unit'])}"


def _key(schema: Mapping[str, Any], properties: Mapping[str, Any]) -> Iterator[Broken]:
    annotation = schema.get("tieout")
    key = annotation.get("key") if isinstance(annotation, Mapping) else None
    if not isinstance(key, list) or not key:
        yield "/tieout/key", f"expected the columns that name a row, found {shown(key)}"
        return
    required = set(_strings(schema.get("required", [])))
    for index, name in enumerate(key):
        if name not in properties:
            yield f"/tieout/key/{index}", f"{shown(name)} is no column"
        elif name not in required:
            yield f"/tieout/key/{index}", f"the column {shown(name)} must be required, as it is in the key"


def _unknown(schema: Mapping[str, Any], known: AbstractSet[str], at: str) -> Iterator[Broken]:
    for keyword in schema:
        if keyword not in known:
            near = difflib.get_close_matches(keyword, sorted(known), n=1, cutoff=0.75)
            hint = f"; did you mean {shown(near[0])}?" if near else ""
            yield f"{at}/{escape(keyword)}", f"the keyword {shown(keyword)} is unknown here{hint}"


def _metaschema(schema: Mapping[str, Any]) -> Iterator[Broken]:
    """The rest of draft 2020-12, and references, which must stay inside the schema and end."""
    from jsonschema import Draft202012Validator

    for error in Draft202012Validator(Draft202012Validator.META_SCHEMA).iter_errors(schema):
        pointer = "".join(f"/{escape(str(part))}" for part in error.absolute_path)
        yield pointer, f"{shown(error.instance)} is no value that draft 2020-12 allows here"
    broken = dict.fromkeys(_references(schema, schema, "", (), {}))
    yield from broken
    if not broken and (parts := _parts(schema, schema, {})) > _MOST_PARTS:
        yield "", f"the schema has {parts:,} parts with its references written out; at most {_MOST_PARTS:,}"


def _references(
    part: object, root: Mapping[str, Any], at: str, followed: tuple[str, ...], seen: dict[str, None]
) -> Iterator[Broken]:
    if isinstance(part, list):
        for index, inner in enumerate(part):
            yield from _references(inner, root, f"{at}/{index}", followed, seen)
        return
    if not isinstance(part, Mapping):
        return
    for key, inner in part.items():
        if key in ("$id", "$anchor", "$dynamicRef", "$dynamicAnchor") and at:
            yield f"{at}/{key}", f"{key} can't stand inside a schema of rows"
        elif key == "$ref":
            target = _target(root, inner)
            if target is None:
                yield (
                    f"{at}/$ref",
                    f"expected a place in this schema, like #/$defs/name, found {shown(inner)}",
                )
            elif inner in followed:
                yield f"{at}/$ref", f"the reference {shown(inner)} leads back to itself"
            elif len(followed) >= MAX_DEPTH:
                yield f"{at}/$ref", f"more than {MAX_DEPTH} references lead from one to the next"
            elif inner not in seen:
                yield from _references(target, root, at, (*followed, str(inner)), seen)
                seen[str(inner)] = None  # what it leads to is told once
        elif key not in ("enum", "const", "default", "examples"):
            if key == "patternProperties":
                yield from _patterns_of_names(inner, f"{at}/{key}")
            yield from _references(inner, root, f"{at}/{escape(key)}", followed, seen)


def _patterns_of_names(patterns: object, at: str) -> Iterator[Broken]:
    """Names are matched here and now, so their patterns must be such that no name keeps them busy."""
    for pattern in patterns if isinstance(patterns, Mapping) else ():
        if common(pattern) is None or len(_REPEAT.findall(pattern)) > 1:
            message = "a pattern of names may repeat something once, and is read alike by RE2 and Python"
            yield f"{at}/{escape(pattern)}", message


def _parts(part: object, root: Mapping[str, Any], known: dict[str, int]) -> int:
    """How many objects a schema without circles has when each reference stands for what it leads to."""
    if isinstance(part, list):
        return sum(_parts(inner, root, known) for inner in part)
    if not isinstance(part, Mapping):
        return 0
    parts = 1
    for key, inner in part.items():
        if key == "$ref":
            if inner not in known:
                known[str(inner)] = _parts(_target(root, inner), root, known)
            parts += known[str(inner)]
        elif key not in ("enum", "const", "default", "examples", "$defs"):
            parts += _parts(inner, root, known)
    return parts


def _target(root: Mapping[str, Any], reference: object) -> object:
    if not isinstance(reference, str) or not reference.startswith("#/"):
        return None
    found: Any = root
    for part in reference[2:].split("/"):
        name = part.replace("~1", "/").replace("~0", "~")
        if not isinstance(found, Mapping) or name not in found:
            return None
        found = found[name]
    return found


def _strings(value: object) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
