"""All guards beside the verdicts: what the JSON holds, and that no verdict changes."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import build
from tests.audit.guarded import LEDGERS
from tests.audit.opened import DRAFT
from tests.build import claim
from tieout.audit.run import Audit, audit
from tieout.errors import CannotOpen
from tieout.verify import verify


def without_audit(document: dict[str, Any]) -> dict[str, Any]:
    for book in document["ledgers"]:
        book.pop("audit", None)
        for each in book["claims"]:
            each.pop("audit", None)
    return document


@pytest.fixture(scope="module")
def tables() -> Audit:
    return audit([LEDGERS / "part-ii-tables", LEDGERS / "tau-bench-readme"], options=DRAFT)


def test_without_its_findings_the_json_is_that_of_verify(tables: Audit) -> None:
    paths = [LEDGERS / "part-ii-tables", LEDGERS / "tau-bench-readme"]
    assert without_audit(tables.to_json()) == verify(paths, DRAFT).to_json()


def test_every_claim_and_every_ledger_has_its_findings(tables: Audit) -> None:
    document = tables.to_json()
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    for book in document["ledgers"]:
        assert "audit" in book
        for each in book["claims"]:
            found = each["audit"]
            for name in ("siblings", "ablation", "fragility", "cases", "meaning"):
                assert found[name] or name in found["because"], (each["id"], name)


def test_a_claim_that_is_not_recomputed_says_so_for_every_guard(tables: Audit) -> None:
    found = tables.claims["tau-bench-readme", "results.airline-act.pass1"]
    assert set(found.because.values()) == {"nothing was recomputed"}
    assert found.meaning is None


def test_one_claim_is_audited_alone_and_an_unknown_one_is_refused() -> None:
    path = LEDGERS / "tau-bench-readme"
    alone = audit([path], "results.airline-gpt-4o.pass1", DRAFT)
    assert list(alone.claims) == [("tau-bench-readme", "results.airline-gpt-4o.pass1")]
    assert alone.ledgers == {}
    with pytest.raises(CannotOpen) as error:
        audit([path], "results.airline-gpt-4o.pass", DRAFT)
    assert str(error.value).startswith(
        "no claim results.airline-gpt-4o.pass in tau-bench-readme; near it: results.airline-gpt-4o.pass"
    )


def test_what_stops_one_guard_stops_no_other(tmp_path: Path) -> None:
    build.package(tmp_path / "packages" / "tiny")
    broken = claim("broken", "1", metric="trial_count", where={"trials": {"policy": "neither"}})
    build.ledger(tmp_path / "ledgers" / "doc", [broken, claim("whole", "75%")])
    found = audit([tmp_path / "ledgers" / "doc"], options=DRAFT)
    assert [each.verdict for each in found.report.ledgers[0].claims] == ["error", "ties"]
    assert found.claims["doc", "broken"].because["fragility"] == "nothing was recomputed"
    assert found.claims["doc", "whole"].fragility is not None


wheres = st.sampled_from(
    [
        "all",
        {"policy": "plain"},
        {"policy": ["retry"]},
        {"success": True},
        {"user_cost": {"not": None}},
        {"trial": 7},
    ]
)
texts = st.sampled_from(["75%", "100%", "7/8", "at least half", "4", "0.9", "none", "undefined"])
recipes = st.sampled_from(
    [
        {"metric": "success_rate"},
        {"metric": "trial_count"},
        {"metric": "cost_per_success"},
        {"metric": "pass_hat_k", "params": {"k": 2}},
        {"sql": "SELECT 3 AS numerator, 4 AS denominator FROM trials", "unit": "x", "combine": "ratio"},
        {"sql": "SELECT max(input_tokens) AS count FROM trials", "unit": "x", "combine": "sum"},
        {"sql": "SELECT success AS count FROM trials LIMIT 2", "unit": "x", "combine": "sum"},
    ]
)


@settings(max_examples=6)
@given(st.lists(st.tuples(recipes, wheres, texts), min_size=3, max_size=6))
def test_an_audit_changes_no_verdict(drawn: list[tuple[dict[str, Any], Any, str]]) -> None:
    claims = [
        claim(f"c{index}", text, where={"trials": where}, **recipe)
        for index, (recipe, where, text) in enumerate(drawn)
    ]
    claims.append(claim("sum", "8", formula="a + b", from_={"a": "c0", "b": "c1"}))
    with TemporaryDirectory() as folder:
        build.package(Path(folder) / "packages" / "tiny")
        book = build.ledger(Path(folder) / "ledgers" / "doc", claims)
        before = verify([book], DRAFT)
        after = audit([book], options=DRAFT)
    assert without_audit(after.to_json()) == before.to_json()
    assert after.report.exit_code() == before.exit_code()
