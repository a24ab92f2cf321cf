"""Ledgers as typed objects: grids unfolded, layers merged, and every fault of form gathered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests import build
from tieout.claims import PrintingPlace
from tieout.errors import CannotOpen, Invalid
from tieout.ledger import Claim, Recipe, merge_where, open_ledger, places

GRID: Mapping[str, Any] = {
    "id": "glance",
    "says": "Two policies",
    "package": "t",
    "rows": {
        "plain": {"says": "without retries", "where": {"trials": {"policy": "plain"}}},
        "retry": {"where": {"trials": {"policy": "retry"}}, "near": "with retries"},
    },
    "columns": {
        "success": {"metric": "success_rate"},
        "count": {"metric": "trial_count", "of": "value"},
        "range": {"metric": "success_rate", "of": ["numerator", "denominator"]},
    },
    "printed": """
        row   | success    | count | range
        plain | 3/4 · 75%  | 4     | —
        retry | 100%       |       | 4–4
    """,
}


def opened(root: Path, claims: Sequence[Mapping[str, Any]] = (), **more: Any) -> Mapping[str, Claim]:
    grids = more.pop("grids", ())
    return open_ledger(build.ledger(root / "doc", claims, grids, **more)).claims


def grid(**changes: Any) -> dict[str, Any]:
    return {**GRID, **changes}


def messages(root: Path, claims: Sequence[Mapping[str, Any]] = (), **more: Any) -> list[str]:
    with pytest.raises(Invalid) as caught:
        opened(root, claims, **more)
    return [str(fault) for fault in caught.value.faults]


def test_a_grid_is_one_claim_for_each_printed_cell(tmp_path: Path) -> None:
    found = opened(tmp_path, grids=[GRID])
    assert list(found) == [
        "glance.plain.success",
        "glance.plain.count",
        "glance.retry.success",
        "glance.retry.range",
    ]


def test_a_cell_merges_its_row_and_its_column(tmp_path: Path) -> None:
    cell = opened(tmp_path, grids=[GRID])["glance.plain.success"]
    assert cell.recipe == Recipe(metric="success_rate", where={"trials": {"policy": "plain"}}, package="t")
    assert cell.says == "Two policies: without retries, success"
    assert [place.text for place in cell.printings] == ["3/4", "75%"]


def test_a_cell_takes_the_words_near_it_from_its_row_and_its_parts_from_its_column(tmp_path: Path) -> None:
    found = opened(tmp_path, grids=[GRID])
    assert found["glance.retry.success"].printings[0].near == "with retries"
    assert found["glance.retry.range"].printings[0].of == ("numerator", "denominator")
    assert found["glance.plain.success"].printings[0].of == ("value",)


def test_the_more_specific_layer_wins(tmp_path: Path) -> None:
    rows = {
        "a": {
            "metric": "row",
            "caveats": ["r"],
            "where": {"t": {"x": 1, "y": 1, "z": 1}},
            "params": {"k": 1, "j": 1},
        }
    }
    columns = {
        "b": {"caveats": ["c"], "where": {"t": {"y": 2, "z": 2}, "u": "all"}, "params": {"k": 2}},
    }
    cells = {"a.b": {"where": {"t": {"z": 3}}, "says": "The cell"}}
    one = grid(
        rows=rows, columns=columns, cells=cells, printed="row | b\na | 1", unit="things", metric="grid"
    )
    claim = opened(tmp_path, grids=[one], caveats={"r": "R", "c": "C"})["glance.a.b"]
    assert claim.recipe == Recipe(
        metric="row",
        unit="things",
        package="t",
        params={"k": 2, "j": 1},
        where={"t": {"x": 1, "y": 2, "z": 3}, "u": "all"},
    )
    assert (claim.caveats, claim.says) == (("c",), "The cell")


def test_another_way_to_recompute_ends_the_one_below(tmp_path: Path) -> None:
    cells = {
        "plain.success": {"kind": "not-collected"},
        "retry.success": {"formula": "1 - x", "from": {"x": "a"}},
    }
    found = opened(tmp_path, [build.claim("a")], grids=[grid(cells=cells)])
    assert (found["glance.plain.success"].kind, found["glance.plain.success"].recipe) == (
        "not-collected",
        None,
    )
    recipe = found["glance.retry.success"].recipe
    assert recipe is not None
    assert (recipe.formula, recipe.metric) == ("1 - x", None)


def test_a_cell_that_prints_nothing_is_a_claim_only_where_it_is_described(tmp_path: Path) -> None:
    cells: dict[str, Any] = {"retry.count": {"caveats": []}}
    found = opened(tmp_path, grids=[grid(cells=cells)])
    assert found["glance.retry.count"].printings == ()
    assert "glance.plain.range" not in found


@pytest.mark.parametrize("nothing", ["", "—", "??"])
def test_signs_for_nothing_are_no_printings(tmp_path: Path, nothing: str) -> None:
    printed = f"row | success\nplain | {nothing}\nretry | 100%"
    assert list(opened(tmp_path, grids=[grid(printed=printed)])) == ["glance.retry.success"]


MISSING = "has no such row or column"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"printed": "row | succes\nplain | 1"}, f"/printed: printed row `plain`, column `succes` {MISSING}"),
        ({"printed": "row | success\nplan | 1"}, f"/printed: printed row `plan`, column `success` {MISSING}"),
        ({"printed": "row | success\nplain | 1 | 2"}, "/printed: the line `plain` has 3 cells, the header 2"),
        (
            {"printed": "row | success\nplain | 1\nplain | 2"},
            "/printed: the cell plain, success is printed twice",
        ),
        ({"cells": {"plain.sucess": {}}}, "/cells: `plain.sucess` is no row.column of the grid"),
    ],
)
def test_a_grid_whose_parts_do_not_meet_is_a_fault(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    assert messages(tmp_path, grids=[grid(**changes)]) == [f"sections/01-all.yaml, /grids/0{message}"]


def test_a_column_that_the_printed_header_lacks_is_no_claim(tmp_path: Path) -> None:
    assert list(opened(tmp_path, grids=[grid(printed="row | success\nplain | 75%")])) == [
        "glance.plain.success"
    ]


def test_filters_merge_by_table_and_column_and_other_forms_replace() -> None:
    under = {"a": {"x": 1, "y": 2}, "b": "all", "c": [{"x": 1}]}
    over = {"a": {"y": 3}, "b": {"x": 1}, "c": {"x": 2}, "d": "all"}
    assert merge_where(under, over) == {"a": {"x": 1, "y": 3}, "b": {"x": 1}, "c": {"x": 2}, "d": "all"}
    assert under == {"a": {"x": 1, "y": 2}, "b": "all", "c": [{"x": 1}]}


def test_a_printing_holds_what_the_ledger_says_of_it(tmp_path: Path) -> None:
    tolerance = {"value": 0.5, "because": "the scale reads halves"}
    erratum = {
        "corrected": "76%",
        "says": "A slip",
        "noticed_by": "a reader",
        "published": "https://example.org/e",
    }
    claims = [build.claim("a", "75%", near="in all", tolerance=tolerance, erratum=erratum)]
    place = opened(tmp_path, claims)["a"].printings[0]
    assert place.tolerance is not None
    assert place.erratum is not None
    assert (place.text, place.near, place.section) == ("75%", "in all", "I")
    assert place.tolerance.value == Fraction(1, 2)
    assert (place.erratum.corrected, place.erratum.published) == ("76%", "https://example.org/e")


@pytest.mark.parametrize("published", ["none", None])
def test_an_erratum_published_nowhere_has_no_url(tmp_path: Path, published: str | None) -> None:
    claims = [build.claim("a", "80%", erratum={"corrected": "75%", "says": "A slip", "published": published})]
    erratum = opened(tmp_path, claims)["a"].printings[0].erratum
    assert erratum is not None
    assert erratum.published is None


def test_a_tolerance_is_exactly_the_decimal_that_was_written(tmp_path: Path) -> None:
    claims = [build.claim("a", "75%", tolerance={"value": 0.1, "because": "why"})]
    place = opened(tmp_path, claims)["a"].printings[0]
    assert place.tolerance is not None
    assert place.tolerance.value == Fraction(1, 10)


def test_another_reading_is_the_claim_with_what_it_says_differently(tmp_path: Path) -> None:
    others = [
        {"says": "with retries", "where": {"trials": {"policy": "retry"}}},
        {"says": "counted", "sql": "SELECT 1 AS count"},
    ]
    claims = [build.claim("a", "75%", package="t", reading={"taken": "without", "others": others})]
    reading = opened(tmp_path, claims)["a"].reading
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
    assert messages(tmp_path, claims) == [message]


@pytest.mark.parametrize(("kind", "needed"), [("not-recomputable", "because"), ("quoted", "locator")])
def test_a_kind_says_what_it_owes(tmp_path: Path, kind: str, needed: str) -> None:
    assert any(needed in message for message in messages(tmp_path, [build.claim("a", "1", kind=kind)]))
    owed = build.claim("a", "1", kind=kind, **{needed: "p. 3"})
    assert opened(tmp_path, [owed])["a"].kind == kind


def test_a_headline_names_claims_that_are_there(tmp_path: Path) -> None:
    assert messages(tmp_path, [build.claim("a")], headline=["a", "b"]) == [
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
    assert messages(tmp_path, claims)[0].startswith("sections/01-all.yaml, /claims/0/printings/0/text")
