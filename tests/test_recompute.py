"""From a recipe to a value: filters laid over each other, binary64 carried along, and what the report shows of it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests import build
from tieout.engines import Failure
from tieout.exact import Rows
from tieout.ledger import Recipe
from tieout.package import Package, open_package
from tieout.planning import CannotRecompute, Planner, QueryStep
from tieout.questions import Answered
from tieout.recompute import Answers
from tieout.report import ClaimResult
from tieout.verify import Options, verify

claim = build.claim
PERMUTED = build.schema(
    "order_permutation",
    ["album"],
    {"album": build.TEXT, **dict.fromkeys(("observed", "mean", "low", "high"), build.DOUBLE)},
)
# 0.25 is a half of 0.1 above 0.2 in binary64 exactly; its neighbour is the next number that binary64 has.
BINARY = [
    {"album": album, "observed": observed, "mean": 0.1, "low": 0.05, "high": 0.7}
    for album, observed in [("plain", 0.31), ("edge", 0.25), ("near", 0.25000000000000006), ("far", 0.250001)]
]


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    tables = {
        **build.TABLES,
        "order_permutation": (PERMUTED, BINARY, {"basis": "observation"}),
    }
    root = build.package(tmp_path_factory.mktemp("recompute") / "packages" / "tiny", tables)
    return open_package(root, frozen=False)


@pytest.fixture(scope="module")
def recomputed(package: Package) -> Mapping[str, ClaimResult]:
    def binary(album: str) -> dict[str, Any]:
        return {"metric": "order_permutation", "where": {"order_permutation": {"album": album}}}

    claims = [
        claim("double", "0.31", **binary("plain")),
        claim("edge", "0.3", **binary("edge")),
        claim("near", "0.3", **binary("near")),
        claim("far", "0.3", **binary("far")),
        claim("column", "0.05–0.70", of=["low", "high"], **binary("plain")),
        claim("part", "0.7", formula="a", from_={"a": "double#high"}),
        claim("compared", "less", asserts="a < 0.32", from_={"a": "double"}),
        claim("undecided", "less", asserts="a < 0.31", from_={"a": "double"}),
        claim("several", "0.31", metric="order_permutation", where={"order_permutation": "all"}),
        claim("pass2", "75%", metric="pass_hat_k", where={"trials": "all"}, params={"k": 2}),
    ]
    root = build.ledger(package.root.parent.parent / "ledgers" / "doc", claims)
    report = verify([root], Options(frozen=False, locked=False))
    return {result.claim.id: result for result in report.ledgers[0].claims}


def test_a_double_is_carried_as_the_fraction_of_its_bits(recomputed: Mapping[str, ClaimResult]) -> None:
    found = recomputed["double"].recomputed
    assert found is not None
    assert (found.value.value, found.value.exact) == (Fraction(0.31), False)
    assert recomputed["double"].verdict == "ties"


@pytest.mark.parametrize(("name", "verdict"), [("edge", "error"), ("near", "error"), ("far", "ties")])
def test_a_double_too_near_to_an_end_decides_nothing(
    recomputed: Mapping[str, ClaimResult], name: str, verdict: str
) -> None:
    assert recomputed[name].verdict == verdict
    if verdict == "error":
        assert recomputed[name].printings[0].diagnosis


def test_named_columns_of_a_double_row_are_parts(recomputed: Mapping[str, ClaimResult]) -> None:
    assert [recomputed[name].verdict for name in ("column", "part", "compared")] == ["ties"] * 3
    part = recomputed["part"].recomputed
    assert part is not None
    assert not part.value.exact


def test_a_comparison_that_binary64_leaves_open_is_an_error(recomputed: Mapping[str, ClaimResult]) -> None:
    assert recomputed["undecided"].verdict == "error"
    assert (recomputed["undecided"].error or "").endswith("are too near to compare as binary64 numbers")


def test_a_double_metric_needs_exactly_one_row(recomputed: Mapping[str, ClaimResult]) -> None:
    assert recomputed["several"].error == "exactly one row is needed, the query returns 4"


def test_a_parameter_is_a_literal_of_the_query_that_is_shown(recomputed: Mapping[str, ClaimResult]) -> None:
    found = recomputed["pass2"].recomputed
    assert found is not None
    assert isinstance(found.step, QueryStep)
    assert "WHERE drawn = 2" in found.step.asked.sql
    assert ":k" not in found.step.asked.sql
    # a: 1 of 2 under plain and 2 of 2 under retry, so 3 of 4; b: 4 of 4. C(3,2)/C(4,2) = 1/2, C(4,2)/C(4,2) = 1.
    assert found.value.value == Fraction(3, 4)


COUNTED = Rows(columns=("count",), rows=((8,),))


@pytest.mark.parametrize(
    ("duckdb", "sqlite", "message"),
    [
        (Failure(code="timeout", message="stopped after 1 s"), COUNTED, "duckdb: stopped after 1 s"),
        (COUNTED, Failure(code="engine", message="no such column"), "sqlite: no such column"),
        (COUNTED, Rows(columns=("count",), rows=((9,),)), "the engines disagree: duckdb [8], sqlite [9]"),
    ],
)
def test_a_value_needs_both_engines(package: Package, duckdb: Any, sqlite: Any, message: str) -> None:
    step = Planner(package).plan(Recipe(metric="trial_count", where={"trials": "all"}))
    assert isinstance(step, QueryStep)
    answers = Answers(
        {"tiny": package},
        Answered({step.asked: build.answered(duckdb)}, {step.asked: build.answered(sqlite)}, {}),
    )
    with pytest.raises(CannotRecompute) as caught:
        answers.query(step)
    assert str(caught.value) == message


def test_an_engine_that_was_not_asked_says_nothing(package: Package) -> None:
    step = Planner(package).plan(Recipe(metric="trial_count", where={"trials": "all"}))
    assert isinstance(step, QueryStep)
    found = Answers({"tiny": package}, Answered({step.asked: build.answered(COUNTED)}, {}, {})).query(step)
    assert (found.value.value, dict(found.engines)) == (8, {"duckdb": "same", "sqlite": None})


def test_no_engine_is_needed_for_a_formula_over_literals(tmp_path: Path) -> None:
    build.artifacts(tmp_path, [claim("a", "12", formula="3 * 4", from_={})])
    [result] = verify([tmp_path], Options(frozen=False, locked=False)).ledgers[0].claims
    assert result.recomputed is not None
    assert (result.verdict, dict(result.recomputed.engines)) == ("ties", {"duckdb": None, "sqlite": None})
