"""Validators as Tieout uses them: formats always active, one meaning of a pattern, nothing fetched.

`jsonschema` says what is wrong. `jsonschema-rs` says a hundred times as fast whether anything is, of documents of ours,
whose schemas use what both take alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Any

from tieout.schema.formats import FORMATS
from tieout.schema.patterns import searcher

Matches = Callable[[str, str], bool]  # of a pattern and a text

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def validator(schema: Mapping[str, Any] | bool, matches: Matches | None = None) -> Any:
    """A validator for a draft 2020-12 schema; a reference out of the schema can't be resolved.

    `matches` says whether a pattern is in a text; without it Python says so here, for patterns that are ours.
    """
    from referencing import Registry

    # Without a registry of its own a validator would fetch a remote reference.
    registry: Any = Registry()
    return _validator_class(matches or _searched)(schema, format_checker=_format_checker(), registry=registry)


def checker(schema: Mapping[str, Any]) -> Callable[[object], bool]:
    """Whether a value keeps a draft 2020-12 schema of ours, as `validator` without `matches` would find.

    False too of what is no JSON, such as half of a surrogate pair.
    """
    from jsonschema_rs import Draft202012Validator

    formats = {name: form.matches for name, form in FORMATS.items()}
    compiled = Draft202012Validator(dict(schema), formats=formats, validate_formats=True, offline=True)

    def keeps(value: object) -> bool:
        try:
            return bool(compiled.is_valid(value))
        except ValueError:
            return False

    return keeps


@lru_cache(maxsize=1)
def _validator_class(matches: Matches) -> Any:
    from jsonschema import Draft202012Validator, validators
    from jsonschema.exceptions import ValidationError

    def integer(_: object, value: object) -> bool:
        if isinstance(value, Decimal):
            return value == value.to_integral_value()
        return bool(Draft202012Validator.TYPE_CHECKER.is_type(value, "integer"))

    def check_pattern(_: object, pattern: str, instance: object, __: object) -> Iterator[Any]:
        if isinstance(instance, str) and not matches(pattern, instance):
            yield ValidationError("does not match")

    extend: Any = validators.extend
    return extend(
        Draft202012Validator,
        {"pattern": check_pattern},
        type_checker=Draft202012Validator.TYPE_CHECKER.redefine("integer", integer),
    )


def _searched(pattern: str, text: str) -> bool:
    regex = searcher(pattern)
    return regex is not None and regex.search(text) is not None


@lru_cache(maxsize=1)
def _format_checker() -> Any:
    from jsonschema import FormatChecker

    checker = FormatChecker(formats=())
    for name, form in FORMATS.items():

        def check(value: object, matches: Any = form.matches) -> bool:
            return not isinstance(value, str) or bool(matches(value))

        checker.checks(name)(check)
    return checker
