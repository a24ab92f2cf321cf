"""Our own documents, descriptor, checks and ledger, against the schemas that the repository publishes."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from tieout.errors import Fault
from tieout.safetext import problem
from tieout.schema.words import asked, count, shown
from tieout.strict import escape, load_json, nearest_line

NAMES = ("package", "checks", "ledger", "section", "ignored", "prices")


def schemas_root() -> Path:
    """The folder of the published schemas: inside an installed package, else the repository's."""
    installed = Path(str(resources.files("tieout"))) / "_schemas"
    return installed if installed.is_dir() else Path(__file__).resolve().parents[3] / "schemas"


@lru_cache(maxsize=len(NAMES))
def document_schema(name: str) -> Mapping[str, Any]:
    """The schema of a kind of document, one of `NAMES`; raises ValueError for any other name."""
    if name not in NAMES:
        raise ValueError(f"no schema of documents is called {name!r}")
    path = schemas_root() / f"{name}.json"
    schema: Mapping[str, Any] = load_json(path.read_bytes(), path.name)
    return schema


def check_document(
    value: object, name: str, file: str, lines: Mapping[str, int] | None = None
) -> list[Fault]:
    """What is wrong with a document of the kind `name` (one of `NAMES`) and with its texts, in the order of the text.

    `lines` maps JSON pointers to lines, as `strict.Document.lines` does; a fault's row is then its line.
    """
    faults = [
        Fault(
            code="document",
            message=f"expected {expected}, found {found}" if expected else found,
            file=file,
            row=nearest_line(lines, pointer) if lines is not None else None,
            pointer=pointer or None,
            expected=expected,
            found=found,
        )
        for error in _errors(value, name)
        for pointer, expected, found in _told(error)
    ]
    faults += text_faults(value, file, lines)
    unique = {(fault.pointer, fault.message): fault for fault in faults}
    return sorted(unique.values(), key=lambda fault: (fault.row or 0, fault.pointer or ""))


def text_faults(value: object, file: str, lines: Mapping[str, int] | None = None) -> list[Fault]:
    """Characters in a document's texts and keys that hide or imitate others, see `safetext`; `lines` as above."""
    return [
        Fault(
            code=found[0],
            message=found[1],
            file=file,
            row=nearest_line(lines, pointer) if lines is not None else None,
            pointer=pointer or None,
        )
        for pointer, text in _texts(value, "")
        if (found := problem(text))
    ]


def _texts(value: object, pointer: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield pointer, value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            child = f"{pointer}/{escape(key)}"
            yield child, key
            yield from _texts(inner, child)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _texts(inner, f"{pointer}/{index}")


def _errors(value: object, name: str) -> Iterable[Any]:
    """What `jsonschema` finds wrong; it is loaded and asked where the quick checker says that something is."""
    return [] if _checker(name)(value) else _validator(name).iter_errors(value)


@lru_cache(maxsize=len(NAMES))
def _checker(name: str) -> Callable[[object], bool]:
    from tieout.schema.validator import checker

    return checker(document_schema(name))


@lru_cache(maxsize=len(NAMES))
def _validator(name: str) -> Any:
    from tieout.schema.validator import validator

    return validator(document_schema(name))


def _told(error: Any) -> Iterator[tuple[str, str | None, str]]:
    """Pointer, expected and found of each thing that an error of the validator stands for."""
    pointer = "".join(f"/{escape(str(part))}" for part in error.absolute_path)
    keyword, value, instance = error.validator, error.validator_value, error.instance
    if keyword in ("anyOf", "oneOf"):
        yield from _of_alternatives(error, pointer)
    elif keyword == "additionalProperties" and value is False:
        known = list(error.schema.get("properties", {}))
        for key in instance:
            if key not in known:
                yield f"{pointer}/{escape(key)}", None, _unknown_key(key, known)
    elif keyword == "required":
        for key in value:
            if key not in instance:
                yield pointer, None, f"the key {shown(key)} is missing"
    elif keyword == "dependentRequired":
        for key, others in value.items():
            for other in others if key in instance else ():
                if other not in instance:
                    yield pointer, None, f"{shown(key)} needs {shown(other)} beside it"
    elif keyword == "not" and set(value) == {"required"}:
        keys = " and ".join(shown(key) for key in value["required"])
        yield (
            pointer,
            None,
            f"{keys} can't stand together" if len(value["required"]) > 1 else f"{keys} can't stand here",
        )
    elif keyword in ("minItems", "minProperties", "maxItems", "maxProperties"):
        yield (
            pointer,
            asked(keyword, value),
            count(len(instance), "item" if keyword.endswith("Items") else "key"),
        )
    else:
        yield pointer, asked(keyword, value), shown(instance)


def _of_alternatives(error: Any, pointer: str) -> Iterator[tuple[str, str | None, str]]:
    """Our schemas have alternatives for one purpose: which keys must be there."""
    keys = [key for form in error.validator_value for key in form["required"]]
    there = [key for key in keys if key in error.instance]
    names = ", ".join(shown(key) for key in keys[:-1]) + f" or {shown(keys[-1])}"
    found = " and ".join(shown(key) for key in there) if there else "none of them"
    yield pointer, f"one of the keys {names}", found


def _unknown_key(key: str, known: list[str]) -> str:
    near = difflib.get_close_matches(key, known, n=1, cutoff=0.75)
    hint = f"; did you mean {shown(near[0])}?" if near else f"; known here: {', '.join(sorted(known))}"
    return f"the key {shown(key)} is unknown{hint}"
