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


def own(name: str, text: str | None, sql: str, where: Mapping[str, Any] = ALL, **more: Any) -> dict[str, Any]:
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
        ("literals-make-printing", "the literals 56 and 3 make the printed “168”"),
        ("literal-is-factor", "the query multiplies by 3, a factor of the printed “24”"),
        ("reads-no-table", "`75 / 100` holds literals only"),
        ("literals-make-printing", "the literals 75 and 100 make the printed “75%”"),
    ]


def test_constants_that_are_reckoned_from_literals_are_told_where_they_print_so(tmp_path: Path) -> None:
    found = remarks(
        tmp_path,
        claim("rate"),
        claim("least", "42%", formula="min(max(a, a), 21 / 50)", from_={"a": "rate"}),
        claim("near", "42%", formula="min(a, 4173 / (2 + 9998))", from_={"a": "rate"}),
        claim("written", "42%", formula="min(a, 0.4173)", from_={"a": "rate"}),
        own("scaled", "3.5", "SELECT 7 * count(*) AS numerator, 2 * count(*) AS denominator FROM trials"),
        own("folded", "17", "SELECT max(-(3 - 20)) AS count FROM trials", combine="sum"),
        own("bound", "17", "SELECT max(:most) AS count FROM trials", combine="sum", params={"most": 17}),
    )
    assert found == [
        ("literals-make-printing", "the literals 21 and 50 make the printed “42%”"),
        ("literals-make-printing", "`4173 / (2 + 9998)` makes the printed “42%”"),
        ("literal-is-printing", "the literal 0.4173 rounds to the printed “42%”"),
        ("literals-make-printing", "the literals 7 and 2 make the printed “3.5”"),
        ("literals-make-printing", "`-(3 - 20)` makes the printed “17”"),
        ("literal-is-printing", "the literal 17 is the printed “17”"),
    ]


def test_what_is_added_to_a_count_is_told_and_what_a_share_leaves_is_not(tmp_path: Path) -> None:
    found = remarks(
        tmp_path,
        own("topped", "3,617", "SELECT count(*) + 3609 AS count FROM trials", combine="sum"),
        own(
            "inside", "5", "SELECT max(n) AS count FROM (SELECT count(*) - 3 AS n FROM trials)", combine="sum"
        ),
        own("one", "9", "SELECT count(*) + 1 AS count FROM trials", combine="sum"),
        own("rows", None, "SELECT count(*) AS count FROM trials WHERE trial + 1 = 2", combine="sum"),
        claim("rate"),
        claim("left", "25%", formula="1 - rate", from_={"rate": "rate"}),
        claim("growth", "0%", formula="rate / rate - 1", from_={"rate": "rate"}),
        claim("more", "19", formula="rows + 3 * 5", from_={"rows": "rows"}),
        claim("fewer", "3", formula="rows - 1", from_={"rows": "rows"}),
        claim("rest", "3", formula="11 - rows", from_={"rows": "rows"}),
    )
    assert [remark for remark in found if remark[0] != "always-same"] == [
        ("literal-added", "the query adds 3609: COUNT(*) + 3609"),
        ("literal-added", "the query takes 3 away: COUNT(*) - 3"),
        ("literal-added", "the query adds 1: COUNT(*) + 1"),
        ("id-in-predicate", "the query picks rows by their name: trial + 1 = 2"),
        ("literal-added", "the formula adds 15: `rows + 3 * 5`"),
        ("literal-added", "the formula takes 1 away: `rows - 1`"),
        ("literal-added", "the formula takes from 11: `11 - rows`"),
    ]


def test_a_filter_that_keeps_no_row_is_told_and_one_that_counts_none_of_some_is_not(tmp_path: Path) -> None:
    nothing = {"trials": {"policy": {"not": ["plain", "retry"]}}}
    found = remarks(
        tmp_path,
        own("none", "0", "SELECT count(*) AS count FROM trials", nothing, combine="sum"),
        own(
            "some",
            "0",
            "SELECT count(*) FILTER (WHERE policy = 'retry') AS count FROM trials",
            PLAIN,
            combine="sum",
        ),
    )
    assert found == [
        ("keeps-no-row", "no row of `trials` meets the filter: policy NOT IN ('plain', 'retry')")
    ]


def test_dollars_of_a_value_in_another_unit_are_told(tmp_path: Path) -> None:
    counted = "SELECT count(*) AS count FROM trials"
    found = remarks(
        tmp_path,
        own("answers", r"\$8", counted, combine="sum"),
        claim("spent", "$8", sql=counted, where=ALL, unit="dollars a run", combine="sum"),
        claim("paid", "$8", sql=counted, where=ALL, unit="USD", combine="sum"),
    )
    assert found == [("dollars-of-other-unit", r"“\$8” is in dollars, and the value’s unit is x")]


def test_what_is_true_whatever_the_data_are_is_told(tmp_path: Path) -> None:
    ends = {"a": "plain", "b": "retry", "c": "plain-too"}
    asserted = [
        ("same", "a == a"),
        ("literals", "1 == 1"),
        ("exchanged", "a + b <= b + a"),
        ("alias", "a >= c"),
        ("sides", "a < b or b <= a"),
        ("open", "a < b and a == a"),
    ]
    found = remarks(
        tmp_path,
        claim("plain"),
        claim("plain-too"),
        claim("retry", where={"trials": {"policy": "retry"}}, metric="success_rate"),
        *(
            claim(name, "so", asserts=text, from_={key: ends[key] for key in ends if key in text.split()})
            for name, text in asserted
        ),
        claim("number", "42%", formula="0 * a + 0.42", from_={"a": "plain"}),
    )
    assert [says for code, says in found if code == "always-same"] == [
        *(f"`{text}` is true whatever the numbers are" for _, text in asserted[:-1]),
        "`0 * a + 0.42` is 0.42 whatever the numbers are",
    ]


def test_a_correction_that_is_true_whatever_the_data_are_is_told(tmp_path: Path) -> None:
    erratum = {"corrected": "a <= a", "says": "s", "noticed_by": "us", "published": None}
    ends = {"a": "plain", "b": "retry"}
    found = remarks(
        tmp_path,
        claim("plain"),
        claim("retry", where={"trials": {"policy": "retry"}}, metric="success_rate"),
        claim("worse", "worse", asserts="a > b", from_=ends, erratum=erratum),
    )
    assert found == [("always-same", "`a <= a` is true whatever the numbers are")]


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


def test_a_percent_is_not_its_bare_digits(tmp_path: Path) -> None:
    rate = "SELECT count(*) FILTER (WHERE success) AS numerator, count(*) AS denominator FROM trials"
    hundred = {"trials": {"input_tokens": 100}}
    found = remarks(
        tmp_path,
        claim("filtered", "100%", metric="success_rate", where=hundred),
        own("own", "100%", f"{rate} WHERE input_tokens = 100"),
    )
    assert found == [
        ("spent-in-predicate", "the query picks rows by what they used or cost: input_tokens = 100")
    ]


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
