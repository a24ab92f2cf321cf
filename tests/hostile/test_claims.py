"""Claims that ask for what they may not have, through the command: each is an error of its own and of no other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests import build
from tests.hostile.claims import CLAIMS
from tests.hostile.command import Ran, snapshot, verify
from tieout.engines import Limits
from tieout.verify import Options
from tieout.verify import verify as verify_with

EXPECTED = yaml.safe_load((Path(__file__).parent / "expected.yaml").read_text("utf-8"))["claims"]
# What these ask for breaks the form of a section, so that none of its claims is read.
FORM = {
    "column_that_is_sql": "/claims/0/where/trials, line 9: expected text that matches ^[A-Za-z_][A-Za-z0-9_]*$, "
    "found \"policy = 'plain' OR 1\"",
    "metric_that_is_a_path": "/claims/0/metric, line 7: expected text that matches ^[a-z][a-z0-9_]*$, "
    'found "../../../etc/passwd"',
    "unfiltered_table": "/claims/0/where, line 8: expected at least 1 key, found 0 keys",
}


def desk(root: Path, *claims: dict[str, Any]) -> Path:
    build.package(root / "packages" / "tiny")
    build.ledger(root / "ledgers" / "doc", claims)
    return root


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ran]:
    """All claims in one ledger, a second for each query."""
    root = tmp_path_factory.mktemp("claims")
    named = [{**make(), "id": name.replace("_", "-")} for name, make in CLAIMS.items() if name not in FORM]
    desk(root, *named)
    before = snapshot(root)
    yield verify("--draft", "--seconds", "1", root)
    assert snapshot(root) == before, "no query writes a file"


def test_the_run_ends_with_one_and_says_nothing_else(ran: Ran) -> None:
    assert (ran.code, ran.faults, ran.said) == (1, (), "")
    assert ran.report["packages"][0]["valid"]


@pytest.mark.parametrize("name", [name for name in CLAIMS if name not in FORM])
def test_a_claim_has_what_it_may_not_have_said(ran: Ran, name: str) -> None:
    [claim] = [c for c in ran.report["ledgers"][0]["claims"] if c["id"] == name.replace("_", "-")]
    expected = EXPECTED[name]
    said = claim["error"] or claim["printings"][0]["diagnosis"]
    if expected["says"] and expected["says"].endswith("…"):
        said = said[: len(expected["says"]) - 1] + "…"
    assert (claim["verdict"], said) == (expected["verdict"], expected["says"])
    erratum = claim["printings"][0]["erratum"]
    assert (erratum["ties"] if erratum else None) is expected.get("erratum_ties")


def test_every_claim_is_expected_and_every_expectation_a_claim() -> None:
    assert sorted(EXPECTED) == sorted(set(CLAIMS) - set(FORM))


@pytest.mark.parametrize("name", FORM)
def test_a_claim_of_another_form_ends_the_reading(name: str, tmp_path: Path) -> None:
    ran = verify("--draft", desk(tmp_path, {**CLAIMS[name](), "id": "x"}))
    assert (ran.code, ran.lines) == (1, [f"doc/sections/01-all.yaml, {FORM[name]}"])


def errors(root: Path) -> dict[str, str | None]:
    ran = verify("--draft", root)
    assert ran.code == 1
    return {claim["id"]: claim["error"] for claim in ran.report["ledgers"][0]["claims"]}


def test_claims_in_a_circle_are_errors(tmp_path: Path) -> None:
    claims = [build.claim(name, "1", formula="x", from_={"x": other}) for name, other in ("ab", "bc", "ca")]
    found = errors(desk(tmp_path, *claims))
    assert found["a"] == "`from` goes in a circle: a -> b -> c -> a"
    assert all(found.values())


@pytest.mark.parametrize("turned", [False, True])
def test_a_chain_of_claims_is_computed_to_its_end(tmp_path: Path, turned: bool) -> None:
    """Each stands on the next, so that the first one asks for all, wherever they stand."""
    claims = [build.claim(f"c{n}", None, formula="x + 1", from_={"x": f"c{n + 1}"}) for n in range(2000)]
    claims.append(build.claim("c2000", None, formula="1 / 2", from_={}))
    ran = verify("--draft", desk(tmp_path, *(reversed(claims) if turned else claims)))
    assert ran.code == 0
    [found] = [claim for claim in ran.report["ledgers"][0]["claims"] if claim["id"] == "c0"]
    assert found["value"] == "4001/2"


def test_numbers_that_square_themselves_have_an_end(tmp_path: Path) -> None:
    claims = [build.claim(f"c{n}", None, formula="x * x", from_={"x": f"c{n - 1}"}) for n in range(1, 60)]
    start = build.claim("c0", None, formula="a / 7", from_={"a": "rate"})
    found = errors(desk(tmp_path, build.claim("rate"), start, *claims))
    assert found["c59"] == "an exact number grows beyond 4,000 digits"
    assert found["c5"] is None


def test_the_queries_of_one_package_share_a_budget_of_time(tmp_path: Path) -> None:
    endless = CLAIMS["endless_recursion"]()
    slow = [{**endless, "id": f"c{n}", "sql": endless["sql"].replace("> 0", f"> {-n}")} for n in range(12)]
    limits = Limits(seconds=0.2, total=0.5)
    root = desk(tmp_path, *slow)
    report = verify_with([root], Options(frozen=False, locked=False, limits=limits))
    said = [claim.error for claim in report.ledgers[0].claims]
    assert said[-1] == "duckdb: not asked: this package's queries have used up their time"
    assert set(said[:-1]) <= {"duckdb: stopped after 0.2 s", said[-1]}
