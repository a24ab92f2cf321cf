"""What a keyword asks and what was found, in words a person reads."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from tieout.safetext import visible

_SHOWN = 40
_LISTED = 8


def shown(value: object) -> str:
    """A value as JSON on one line, cut at 40 characters; numbers that JSON lacks by their names."""
    if isinstance(value, str):
        text = value if len(value) <= _SHOWN else value[: _SHOWN - 1] + "…"
        return visible(json.dumps(text, ensure_ascii=False))
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "infinity" if value > 0 else "-infinity"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "an array"
    return json.dumps(value)


def any_of(values: Sequence[object]) -> str:
    """Values as "a, b or c", the first eight of them."""
    texts = [shown(value) for value in values[:_LISTED]]
    if len(values) > _LISTED:
        return f"one of {', '.join(texts)} and {len(values) - _LISTED} more"
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} or {texts[-1]}"


def asked(keyword: str, value: Any) -> str:
    """What a schema's keyword asks of a value."""
    plain = {
        "minimum": f"at least {value}",
        "maximum": f"at most {value}",
        "exclusiveMinimum": f"more than {value}",
        "exclusiveMaximum": f"less than {value}",
        "multipleOf": f"a multiple of {value}",
        "minLength": f"at least {count(value, 'character')}",
        "maxLength": f"at most {count(value, 'character')}",
        "minItems": f"at least {count(value, 'item')}",
        "maxItems": f"at most {count(value, 'item')}",
        "minProperties": f"at least {count(value, 'key')}",
        "maxProperties": f"at most {count(value, 'key')}",
        "uniqueItems": "no item twice",
    }
    if keyword in plain:
        return plain[keyword]
    if keyword == "type":
        names = [value] if isinstance(value, str) else list(value)
        return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
    if keyword == "enum":
        return any_of(value) if value else "nothing"
    if keyword == "const":
        return shown(value)
    if keyword == "pattern":
        return f"text that matches {value}"
    if keyword == "format":
        from tieout.schema.formats import FORMATS

        return FORMATS[value].says if value in FORMATS else f"the format {value}"
    return f"what the schema's {keyword} lets through"


def count(number: Any, noun: str) -> str:
    """A number with its noun, in the plural unless it is 1."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
