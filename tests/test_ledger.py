"""Ledgers as typed objects: grids unfolded, layers merged, and every fault of form gathered."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests import build
from tieout.claims import PrintingPlace
from tieout.errors import CannotOpen, Invalid
from tieout.ledger import Recipe, open_ledger, places
from tieout.printed import NumberFormat


def test_a_printing_holds_what_the_ledger_says_of_it(tmp_path: Path) -> None:
    tolerance = {"value": 0.5, "because": "the scale reads halves"}
    erratum = {
        "corrected": "76%",
        "says": "A slip",
        "noticed_by": "a reader",
        "published": "https://example.org/e",
    }
    claims = [build.claim("a", "75%", near="in all", tolerance=tolerance, erratum=erratum)]
    place = build.claims(tmp_path, claims)["a"].printings[0]
    assert place.tolerance is not None
    assert place.erratum is not None
    assert (place.text, place.near, place.section) == ("75%", "in all", "I")
    assert place.tolerance.value == Fraction(1, 2)
    assert (place.erratum.corrected, place.erratum.published) == ("76%", "https://example.org/e")


@pytest.mark.parametrize("published", ["none", None])
def test_an_erratum_published_nowhere_has_no_url(tmp_path: Path, published: str | None) -> None:
    claims = [build.claim("a", "80%", erratum={"corrected": "75%", "says": "A slip", "published": published})]
    erratum = build.claims(tmp_path, claims)["a"].printings[0].erratum
    assert erratum is not None
    assert erratum.published is None


def test_a_tolerance_is_exactly_the_decimal_that_was_written(tmp_path: Path) -> None:
    claims = [build.claim("a", "75%", tolerance={"value": 0.1, "because": "why"})]
    place = build.claims(tmp_path, claims)["a"].printings[0]
    assert place.tolerance is not None
    assert place.tolerance.value == Fraction(1, 10)


def test_another_reading_is_the_claim_with_what_it_says_differently(tmp_path: Path) -> None:
    others = [
        {"says": "with retries", "where": {"trials": {"policy": "retry"}}},
        {"says": "counted", "sql": "SELECT 1 AS count"},
    ]
    claims = [build.claim("a", "75%", package="t", reading={"taken": "without", "others": others})]
    reading = build.claims(tmp_path, claims)["a"].reading
    assert reading is not None
    first, second = reading.others
    assert first.recipe == Recipe(metric="success_rate", where={"trials": {"policy": "retry"}}, package="t")
    assert (second.recipe.metric, second.recipe.sql) == (None, "SELECT 1 AS count")


def test_claims_stand_in_the_order_of_their_sections(tmp_path: Path) -> None:
    root = build.ledger(tmp_path / "doc", [build.claim("first", "1")])
    section = {"section": "II", "heading": "II. More", "claims": [build.claim("second", "2")]}
    build.write(root / "sections" / "02-more.yaml", section)
    ledger = open_ledger(root)
    assert list(ledger.claims) == ["first", "second"]
    assert [(part.name, part.heading) for part in ledger.sections] == [("I", None), ("II", "II. More")]
    assert places(ledger) == [
        PrintingPlace(claim="first", text="1", section="I"),
        PrintingPlace(claim="second", text="2", section="II"),
    ]


def test_a_folder_without_a_ledger_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CannotOpen) as caught:
        open_ledger(tmp_path)
    assert str(caught.value) == f"{tmp_path}: no ledger here (ledger.yaml is missing)"


WHERE = "sections/01-all.yaml, /claims/"
HOW = '"metric", "sql", "formula", "asserts" or "kind"'


@pytest.mark.parametrize(
    ("claims", "message"),
    [
        (
            [{"id": "a", "says": "It"}],
            f"{WHERE}0, line 4: expected one of the keys {HOW}, found none of them",
        ),
        (
            [build.claim("a", package="other")],
            f"{WHERE}0: claim a names the package `other`; ledger.yaml names t",
        ),
        (
            [build.claim("a", caveats=["small"])],
            f"{WHERE}0: claim a names the caveat `small`, ledger.yaml does not",
        ),
        ([build.claim("a"), build.claim("a")], f"{WHERE}1: claim a stands in sections/01-all.yaml already"),
    ],
)
def test_a_claim_of_another_form_is_a_fault(
    tmp_path: Path, claims: list[dict[str, Any]], message: str
) -> None:
    assert build.refusals(tmp_path, claims) == [message]


@pytest.mark.parametrize(("kind", "needed"), [("not-recomputable", "because"), ("quoted", "locator")])
def test_a_kind_says_what_it_owes(tmp_path: Path, kind: str, needed: str) -> None:
    assert any(needed in message for message in build.refusals(tmp_path, [build.claim("a", "1", kind=kind)]))
    owed = build.claim("a", "1", kind=kind, **{needed: "p. 3"})
    assert build.claims(tmp_path, [owed])["a"].kind == kind


def test_a_headline_names_claims_that_are_there(tmp_path: Path) -> None:
    assert build.refusals(tmp_path, [build.claim("a")], headline=["a", "b"]) == [
        "ledger.yaml, /headline/1: no claim `b` in the ledger"
    ]


def test_faults_of_all_sections_are_gathered(tmp_path: Path) -> None:
    root = build.ledger(tmp_path / "doc", [build.claim("a", package="x")], headline=["nobody"])
    build.write(root / "sections" / "02.yaml", {"section": "II"})
    build.write(root / "ignored.yaml", {"ignored": [{"text": "1"}]})
    with pytest.raises(Invalid) as caught:
        open_ledger(root)
    assert {fault.file for fault in caught.value.faults} == {
        "sections/01-all.yaml",
        "sections/02.yaml",
        "ignored.yaml",
    }


def test_a_ledger_without_sections_is_empty(tmp_path: Path) -> None:
    root = build.ledger(tmp_path / "doc", [build.claim("a")])
    (root / "sections" / "01-all.yaml").unlink()
    with pytest.raises(Invalid, match="sections: the ledger has no section"):
        open_ledger(root)


def test_a_text_that_is_no_quoted_text_is_refused(tmp_path: Path) -> None:
    claims = [{**build.claim("a"), "printings": [{"text": 75}]}]
    assert build.refusals(tmp_path, claims)[0].startswith("sections/01-all.yaml, /claims/0/printings/0/text")


@pytest.mark.parametrize(
    "name", ["sections/02-more.yml", "ignored.yml", "notes.yaml", "sections/more/03.yaml"]
)
def test_a_file_that_would_not_be_read_is_a_fault(tmp_path: Path, name: str) -> None:
    root = build.ledger(tmp_path / "doc", [build.claim("a", "75%")])
    build.write(root / name, {"section": "II", "claims": []})
    with pytest.raises(Invalid) as caught:
        open_ledger(root)
    assert [(fault.code, fault.file) for fault in caught.value.faults] == [("not-read", name)]


def test_a_document_of_decimal_commas_parts_groups_with_points(tmp_path: Path) -> None:
    root = build.ledger(tmp_path / "doc", [build.claim("a", "75%")], numbers={"decimal": ","})
    assert open_ledger(root).numbers == NumberFormat(decimal=",", group=".")


def test_marks_that_cannot_be_told_apart_are_a_fault_with_their_place(tmp_path: Path) -> None:
    [told] = build.refusals(tmp_path, [build.claim("a", "75%")], numbers={"decimal": ",", "group": ","})
    assert told == "ledger.yaml, /numbers: the decimal mark and the group mark are both ','"
