"""The whole audit of a ledger: plain data, the same twice, and no verdict changed."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.audit.opened import opened, tiny
from tests.build import claim
from tests.conftest import ROOT
from tieout.audit.ledgers import audit_ledger
from tieout.audit.sample import sample

LOST = {"kind": "not-recomputable", "because": "the logs were lost"}
FORMS: list[dict[str, Any]] = [
    {},
    {"where": {"trials": {"policy": "retry"}}},
    {"formula": "3 / 4", "from_": {}},
    {"sql": "SELECT 3 AS numerator, 4 AS denominator", "unit": "x", "combine": "ratio"},
    {"metric": "no_such_metric", "where": {"trials": "all"}},
    {"tolerance": {"value": 0.1, "because": "about"}},
    {"erratum": {"corrected": "75%", "says": "a slip"}},
    LOST,
]


@settings(max_examples=6)
@given(
    chosen=st.lists(
        st.tuples(st.sampled_from(FORMS), st.sampled_from(["75%", "3/4", "80%", "much"])),
        min_size=1,
        max_size=5,
    )
)
def test_an_audit_changes_no_verdict(chosen: list[tuple[dict[str, Any], str]]) -> None:
    claims = [claim(f"c{n}", text, **form) for n, (form, text) in enumerate(chosen)]
    with tempfile.TemporaryDirectory() as folder, tiny(Path(folder), claims) as (book, report, bench):
        before = json.dumps(report.to_json())
        audit_ledger(book, report, bench)
        sample(report, 3, "word")
        assert json.dumps(report.to_json()) == before


def test_the_audit_of_the_readme_is_plain_data_and_the_same_twice() -> None:
    with opened(ROOT / "artifacts" / "ledgers" / "tau-bench-readme") as (report, bench):
        first, second = (
            json.dumps(audit_ledger(report.ledgers[0], report, bench).to_json(), allow_nan=False)
            for _ in range(2)
        )
    assert first == second
    found = json.loads(first)
    assert set(found) == {"document", "excuses", "padding", "lint", "forensics", "feasibility"}
    assert found["excuses"]["printings"] == {"count": 32, "of": 36}
    assert (
        sum(not one["possible"] for one in found["feasibility"]["granular"] if "airline" in one["claim"]) == 6
    )


def test_no_remark_accuses_anybody(tmp_path: Path) -> None:
    claims = [claim(f"c{n}", "75%", **form) for n, form in enumerate(FORMS)]
    with tiny(tmp_path, claims) as (book, report, bench):
        text = json.dumps(audit_ledger(book, report, bench).to_json()).lower()
    accusing = ("fraud", "fabricat", "cheat", "suspicious", "dishonest", "manipulat", "hid", "excuse ")
    assert not [word for word in accusing if word in text]
