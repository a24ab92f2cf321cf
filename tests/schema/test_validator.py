"""The quick checker of our documents against the validator that says what is wrong with them."""

from __future__ import annotations

import copy
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import ROOT
from tieout.schema.documents import NAMES, document_schema
from tieout.schema.validator import checker, validator
from tieout.strict import load_json, read_yaml

KINDS = {
    "package": "packages/*/package.yaml",
    "checks": "packages/*/checks.yaml",
    "ledger": "ledgers/*/ledger.yaml",
    "section": "ledgers/*/sections/*.yaml",
    "ignored": "ledgers/*/ignored.yaml",
}
PRICES = {
    "date": "2026-01-01",
    "source": "a list",
    "models": {"m": {"input": Decimal("2.5"), "cached": Decimal("1.25"), "output": 10}},
}
DOCUMENTS: list[tuple[str, Any]] = [
    (kind, read_yaml(path, path.name).value)
    for kind, pattern in KINDS.items()
    for path in sorted((ROOT / "artifacts").glob(pattern))
]
ODD: list[Any] = [
    *(None, True, 0, 1, -1, 2**70, Decimal("1.0"), Decimal("0.5"), "", " ", "a", "a\n", "all", "2026-02-30"),
    *("2026-02-28", "http://", "https://example.org/a", "é", "\U0001f600", [], [1], ["a"], {}, {"a": 1}),
]


def agree(kind: str, document: object) -> bool:
    """Whether both say the same of a document; what they say is asserted by the callers."""
    schema = document_schema(kind)
    return checker(schema)(document) == (not list(validator(schema).iter_errors(document)))


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_document_of_the_repository_is_sound_to_both(kind: str) -> None:
    documents = [document for each, document in DOCUMENTS if each == kind]
    assert documents
    for document in documents:
        assert checker(document_schema(kind))(document)
        assert agree(kind, document)


@st.composite
def changed(draw: st.DrawFn) -> tuple[str, Any]:
    """A document of the repository in which up to three places are dropped, replaced or given another key."""
    kind, document = draw(st.sampled_from(DOCUMENTS))
    document = copy.deepcopy(document)
    for _ in range(draw(st.integers(1, 3))):
        places = list(_places(document))
        parent, key = draw(st.sampled_from(places))
        how = draw(st.sampled_from(["drop", "replace", "add", "rename"]))
        if how == "drop":
            del parent[key]
        elif how == "replace":
            parent[key] = draw(st.sampled_from(ODD))
        elif how == "add" and isinstance(parent, dict):
            parent[draw(st.text(max_size=3))] = draw(st.sampled_from(ODD))
        elif how == "rename" and isinstance(parent, dict):
            other = draw(st.sampled_from([each for _, each in places if isinstance(each, str)] or ["x"]))
            parent[other] = parent.pop(key)
        if not document:
            break
    return kind, document


def _places(value: Any) -> Any:
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from _places(value[key])


@given(changed())
def test_a_changed_document_is_sound_to_both_or_to_neither(given_: tuple[str, Any]) -> None:
    kind, document = given_
    assert agree(kind, document)


@pytest.mark.parametrize("value", ODD, ids=repr)
@pytest.mark.parametrize("kind", NAMES)
def test_an_odd_value_is_sound_to_both_or_to_neither(kind: str, value: object) -> None:
    assert agree(kind, value)


@pytest.mark.parametrize("value", [Decimal("2.5"), 0, -1, Decimal("-0.1"), "2.5", None])
def test_a_number_that_was_written_with_a_point_is_a_number_to_both(value: object) -> None:
    document = {**PRICES, "models": {"m": {"input": value, "cached": 0, "output": 1}}}
    assert agree("prices", document)


def test_formats_are_ours_to_both() -> None:
    schema = {"type": "string", "format": "date"}
    for text in ("2026-02-28", "2026-02-29", "2024-02-29", "2026-2-1", "2026-01-01\n", "０026-01-01"):
        assert checker(schema)(text) == (not list(validator(schema).iter_errors(text))), text
    assert not checker(schema)("2026-02-29")


def test_what_is_no_json_keeps_no_schema() -> None:
    assert not checker({})("\ud800")


def test_schemas_of_documents_are_sound_to_the_quick_checker() -> None:
    for name in NAMES:
        meta = load_json((ROOT / "schemas" / f"{name}.json").read_bytes(), name)
        assert checker({"$ref": meta["$schema"]})(meta)
