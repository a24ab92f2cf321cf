"""A printed table as single claims: cells merge their row and column, and parts that do not meet are told."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests import build
from tieout.ledger import Recipe

MISSING = "has no such row or column"
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


def grid(**changes: Any) -> dict[str, Any]:
    return {**GRID, **changes}


def test_a_grid_is_one_claim_for_each_printed_cell(tmp_path: Path) -> None:
    found = build.claims(tmp_path, grids=[GRID])
    assert list(found) == [
        "glance.plain.success",
        "glance.plain.count",
        "glance.retry.success",
        "glance.retry.range",
    ]


def test_a_cell_merges_its_row_and_its_column(tmp_path: Path) -> None:
    cell = build.claims(tmp_path, grids=[GRID])["glance.plain.success"]
    assert cell.recipe == Recipe(metric="success_rate", where={"trials": {"policy": "plain"}}, package="t")
    assert cell.says == "Two policies: without retries, success"
    assert [place.text for place in cell.printings] == ["3/4", "75%"]


def test_a_cell_takes_the_words_near_it_from_its_row_and_its_parts_from_its_column(tmp_path: Path) -> None:
    found = build.claims(tmp_path, grids=[GRID])
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
    claim = build.claims(tmp_path, grids=[one], caveats={"r": "R", "c": "C"})["glance.a.b"]
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
    found = build.claims(tmp_path, [build.claim("a")], grids=[grid(cells=cells)])
    assert (found["glance.plain.success"].kind, found["glance.plain.success"].recipe) == (
        "not-collected",
        None,
    )
    recipe = found["glance.retry.success"].recipe
    assert recipe is not None
    assert (recipe.formula, recipe.metric) == ("1 - x", None)


def test_a_cell_that_prints_nothing_is_a_claim_only_where_it_is_described(tmp_path: Path) -> None:
    cells: dict[str, Any] = {"retry.count": {"caveats": []}}
    found = build.claims(tmp_path, grids=[grid(cells=cells)])
    assert found["glance.retry.count"].printings == ()
    assert "glance.plain.range" not in found


@pytest.mark.parametrize("nothing", ["", "—", "??"])
def test_signs_for_nothing_are_no_printings(tmp_path: Path, nothing: str) -> None:
    printed = f"row | success\nplain | {nothing}\nretry | 100%"
    assert list(build.claims(tmp_path, grids=[grid(printed=printed)])) == ["glance.retry.success"]


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
    assert build.refusals(tmp_path, grids=[grid(**changes)]) == [f"sections/01-all.yaml, /grids/0{message}"]


def test_a_column_that_the_printed_header_lacks_is_no_claim(tmp_path: Path) -> None:
    assert list(build.claims(tmp_path, grids=[grid(printed="row | success\nplain | 75%")])) == [
        "glance.plain.success"
    ]
