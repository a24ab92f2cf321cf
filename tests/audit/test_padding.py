"""What a ledger's ties are made of."""

from __future__ import annotations

from pathlib import Path

from tests.audit.opened import opened, tiny
from tests.build import claim
from tests.conftest import ROOT
from tieout.audit.padding import Repeated, padding


def test_a_ledger_padded_with_one_quantity_shows_it_once_and_its_headline_apart(tmp_path: Path) -> None:
    claims = [
        claim("main", "80%"),
        *(claim(f"again-{n}", "75%") for n in range(9)),
        claim("limit", "30", metric="design_parameter", where={"limits": "all"})
        | {"metric": None, "sql": "SELECT max(most) AS count FROM limits", "combine": "sum", "unit": "steps"},
        claim("sum", "5", formula="2 + 3", from_={}),
    ]
    claims = [{key: value for key, value in one.items() if value is not None} for one in claims]
    with tiny(tmp_path, claims, headline=["main"]) as (book, _, _bench):
        found = padding(book)
    assert [(one.claim, one.verdict, one.basis, one.texts) for one in found.headline] == [
        ("main", "differs", "observation", ("80%",))
    ]
    assert found.headline_printings == {"differs": {"observation": 1}}
    assert found.other_printings == {"ties": {"observation": 9, "design": 1, "arithmetic": 1}}
    assert found.quantities == 3
    assert found.repeated == (Repeated(claims=tuple(f"again-{n}" for n in range(9)), printings=9),)
    assert found.from_no_receipt == ("sum",)
    assert found.digits == {"1": 1, "2": 10}


def test_two_parts_of_one_row_are_two_quantities(tmp_path: Path) -> None:
    claims = [claim("top", "3", of="numerator"), claim("bottom", "4", of="denominator"), claim("pair", "3/4")]
    with tiny(tmp_path, claims) as (book, _, _bench):
        found = padding(book)
    assert found.quantities == 3
    assert found.repeated == ()


def test_the_table_of_part_two_is_counted_by_basis_with_its_headline_apart() -> None:
    with opened(ROOT / "artifacts" / "ledgers" / "part-ii-tables") as (report, _):
        [book] = report.ledgers
        found = padding(book)
    # four headline cells, two of which print a pair and a percentage
    assert found.headline_printings == {"ties": {"observation": 6}}
    assert [headline.texts for headline in found.headline] == [
        ("18/20", "90%"),
        ("2,713",),
        ("18/20", "90%"),
        ("10,336",),
    ]
