"""Remarks on how claims are written."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests import build
from tests.audit.opened import opened, tiny
from tests.build import claim
from tests.conftest import ROOT
from tieout.audit.lint import Remark, lint

ALL: Mapping[str, Any] = {"trials": "all"}
PLAIN = {"trials": {"policy": "plain"}}


def own(name: str, text: str, sql: str, where: Mapping[str, Any] = ALL, **more: Any) -> dict[str, Any]:
    return claim(name, text, sql=sql, where=where, unit="x", combine=more.pop("combine", "ratio"), **more)


def remarks(root: Path, *claims: Mapping[str, Any], **head: Any) -> list[tuple[str, str]]:
    with tiny(root, claims, **head) as (book, _, bench):
        found = lint(book, bench)
    # every claim here reads the judge's outcomes and says nothing of the judge
    return [(remark.code, remark.says) for remark in found if remark.code != "evaluator-unnamed"]


def test_constant_sql_is_remarked_on_whether_it_reads_a_table_or_not(tmp_path: Path) -> None:
    bare = claim("bare", "18/20", sql="SELECT 18 AS numerator, 20 AS denominator", unit="x", combine="ratio")
    dressed = own("dressed", "17", "SELECT max(17) AS count FROM trials", combine="sum")
    found = remarks(tmp_path, bare, dressed)
    assert found == [
        ("reads-no-table", "the query reads no table of the package"),
        ("literal-is-printing", "the literal 18 is the printed “18/20”"),
        ("literal-is-printing", "the literal 20 is the printed “18/20”"),
        ("literal-is-printing", "the literal 17 is the printed “17”"),
    ]


def test_literals_that_make_the_printing_together_and_factors_of_it_are_remarked_on(tmp_path: Path) -> None:
    found = remarks(
        tmp_path,
        claim("made", "168", formula="56 * 3", from_={}),
        claim("rows", sql="SELECT count(*) AS count FROM trials", where=ALL, unit="x", combine="sum"),
        claim("factor", "24", formula="rows * 3", from_={"rows": "rows"}),
        claim("percent", "75%", formula="75 / 100", from_={}),
    )
    assert found == [
        ("reads-no-table", "`56 * 3` holds literals only"),
        ("literals-make-printing", "the literals 3 and 56 make the printed “168”"),
        ("literal-is-factor", "the query multiplies by 3, a factor of the printed “24”"),
        ("reads-no-table", "`75 / 100` holds literals only"),
        ("literal-is-printing", "the literal 75 is the printed “75%”"),
    ]


def test_rows_picked_by_name_case_limit_and_rounding_are_remarked_on(tmp_path: Path) -> None:
    rate = "SELECT count(*) FILTER (WHERE success) AS numerator, count(*) AS denominator FROM trials"
    found = remarks(
        tmp_path,
        own("picked", "75%", f"{rate} WHERE task_id <> 'b'"),
        own("first", "1", f"{rate} WHERE trial IN (0)"),
        claim("filtered", "100%", metric="success_rate", where={"trials": {"task_id": "b"}}),
        own(
            "decided",
            "7",
            "SELECT sum(CASE WHEN success THEN 1 ELSE 0 END) AS count FROM trials",
            combine="sum",
        ),
        own("cut", "1", "SELECT trial AS count FROM trials ORDER BY trial LIMIT 1", combine="sum"),
        own("rounded", "1", "SELECT round(trial) AS count FROM trials", combine="sum"),
        claim("held", "1", sql="SELECT sum(a) AS count FROM (VALUES (1)) AS v(a)", unit="x", combine="sum"),
    )
    assert found == [
        ("id-in-predicate", "the query picks rows by their name: task_id <> 'b'"),
        ("id-in-predicate", "the query picks rows by their name: trial IN (0)"),
        ("id-in-predicate", "the filter picks rows by their name: trials.task_id b"),
        ("case", "the query decides by CASE: CASE WHEN success THEN 1 ELSE 0 END"),
        ("limit", "the query keeps some rows only (LIMIT): LIMIT 1"),
        ("round", "the query rounds: ROUND(trial)"),
        ("reads-no-table", "the query reads no table of the package"),
        ("values", "the query holds rows of its own (VALUES): (VALUES (1)) AS v(a)"),
    ]


def test_a_tailored_metric_is_compared_with_the_catalogue_s_of_its_name(tmp_path: Path) -> None:
    kind = "SELECT count(*) FILTER (WHERE success OR trial = 1) AS numerator, count(*) AS denominator FROM trials"
    same = "SELECT count(*) FILTER (WHERE success) AS numerator, count(success) AS denominator FROM trials"
    found = remarks(
        tmp_path, own("plain-success-rate", "100%", kind, PLAIN), own("success-rate", "75%", same, PLAIN)
    )
    says = "the claim's own query gives 1, the catalogue's success_rate on the same rows 3/4"
    assert ("other-metric-of-name", says) in found
    assert [code for code, _ in found].count("other-metric-of-name") == 1


def test_a_printing_that_its_own_filter_names_is_remarked_on(tmp_path: Path) -> None:
    most = "SELECT max(input_tokens) AS count FROM trials"
    found = remarks(tmp_path, own("cap", "300", most, {"trials": {"input_tokens": 300}}, combine="sum"))
    assert found == [("filter-is-printing", "the filter trials.input_tokens 300 is the printed “300”")]


@pytest.mark.parametrize(
    ("says", "code"),
    [
        ("Share of trials that succeed", "evaluator-unnamed"),
        ("Share of trials that the judge let pass", None),
        ("Share of trials that the human panel let pass, and the judge", "evaluator-not-read"),
    ],
)
def test_an_outcome_without_its_judge_and_a_judge_without_an_outcome_are_remarked_on(
    tmp_path: Path, says: str, code: str | None
) -> None:
    panel = {"id": "human-panel", "kinds": ["human"], "in_loop": False}
    build.package(tmp_path / "packages" / "tiny", evaluators=[build.JUDGE, panel])
    with tiny(tmp_path, [{**claim("rate", "75%"), "says": says}]) as (book, _, bench):
        found = lint(book, bench)
    assert [remark.code for remark in found] == ([code] if code else [])


def test_planned_without_a_registration_is_remarked_on(tmp_path: Path) -> None:
    registered = "2026-01-02, https://example.org/plan"
    found = remarks(
        tmp_path,
        claim("loose", "75%", timing="planned"),
        claim("fast", "75%", timing="planned", registration=registered),
        claim("late", "75%", timing="post-hoc"),
    )
    assert found == [("planned-unregistered", "the timing is `planned` and no dated registration is named")]


def test_printings_of_exact_halves_that_need_different_rules_are_told_together(tmp_path: Path) -> None:
    # 1 of 8 is 12.5%: 13% rounds half up, 12% half to even
    eighth = "SELECT count(*) FILTER (WHERE trial = 0 AND task_id = 'a' AND policy = 'plain') AS numerator, "
    sql = f"{eighth} count(*) AS denominator FROM trials"
    with tiny(tmp_path, [own("up", "13%", sql), own("even", "12%", sql)]) as (book, _, bench):
        found = lint(book, bench)
    assert found[-1] == Remark(
        code="rounding-rules",
        claim=None,
        says="printings of exact halves need different rules of rounding (half-up: up “13%”; half-even: even “12%”)",
    )


def test_the_readme_s_row_does_not_name_the_program_that_judged_it() -> None:
    with opened(ROOT / "artifacts" / "ledgers" / "tau-bench-readme") as (report, bench):
        found = lint(report.ledgers[0], bench)
    assert {(remark.code, remark.claim) for remark in found} == {
        ("evaluator-unnamed", f"results.airline-gpt-4o.pass{k}") for k in (1, 2, 3, 4)
    }
