"""What a claim's page shows: its query for the shell, the rows behind it, its filters in words, its claims as CSV."""

from __future__ import annotations

import copy
import csv
import io
import re
from html import unescape
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.site.tiny import HOSTILE, gathered
from tieout.exact import Rows
from tieout.site import ledgerpages
from tieout.site.engines import Project
from tieout.site.model import Site
from tieout.site.shell import Shell
from tieout.site.templating import environment


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ({"t": "all"}, [("t", "all rows")]),
        ({"t": {"policy": "plain", "cap": 1600}}, [("t", "policy is plain and cap is 1600")]),
        ({"t": {"cap": [400, 800]}}, [("t", "cap one of 400, 800")]),
        ({"t": {"cap": {"at_least": 3}, "ok": True}}, [("t", "cap at least 3 and ok is true")]),
        ({"t": {"model": {"not": ["a", None]}}}, [("t", "model not a, null")]),
        ({"t": [{"a": 1}, {"b": 2}]}, [("t", "a is 1, or b is 2")]),
    ],
)
def test_a_filter_in_words(where: dict[str, Any], words: list[tuple[str, str]]) -> None:
    assert list(ledgerpages.where_lines(where)) == words


def test_the_lines_for_the_shell_give_the_value(monkeypatch: pytest.MonkeyPatch) -> None:
    site = gathered()
    [query] = site.behind("doc", "hostile")["queries"]
    monkeypatch.chdir(site.package("tiny")["folder"])
    with duckdb.connect(":memory:") as shell:
        assert shell.execute(ledgerpages.shell_lines(query)).fetchall() == [(2,)]


def test_the_rows_behind_a_claim_are_counted_and_listed_with_the_columns_that_matter() -> None:
    site = gathered()
    samples = ledgerpages.sample_rows(site)
    [query] = site.behind("doc", "hostile")["queries"]
    [behind] = ledgerpages._behind(query, samples)
    assert (behind.table, behind.count, behind.columns) == ("answers", 2, ("answer_id", "model"))
    assert behind.rows == (("a", HOSTILE), ("b", HOSTILE))


def test_claims_that_take_one_and_claims_of_its_metric_stand_beside_it() -> None:
    site = gathered()
    context = ledgerpages.claim_context(
        site, "doc", site.claim("doc", "plain-rate"), {}, ledgerpages._used_by(site), {}
    )
    assert [row.id for row in context["used"]] == ["gain", "no-worse"]
    assert [row.id for row in context["siblings"]] == ["retry-rate", "plain-count"]


def test_the_csv_holds_every_claim() -> None:
    rows = list(csv.DictReader(io.StringIO(ledgerpages.claims_csv(gathered(), "doc"))))
    assert len(rows) == 9
    assert (
        rows[0] | {"id": "plain-rate", "printed": "75%", "value": "3/4", "numerator": "3", "n_cases": "2"}
        == rows[0]
    )
    assert rows[-1]["kind"] == "not-recomputable"


def test_the_index_lists_what_is_printed_nowhere_too() -> None:
    html = ledgerpages.ledger_index(gathered()).text
    assert html.count("<li ") == 9
    assert '<li class="v-unprinted"><i>○ not printed</i> <a href="claims/doc/inner.html">' in html


def test_the_index_begins_with_what_differs_and_says_what_it_counts() -> None:
    html = ledgerpages.ledger_index(gathered()).text
    assert html.index("doc/gain.html") < html.index("doc/plain-rate.html")
    assert "9 claims, of which 8 stand in 8 printed numbers" in html


@pytest.mark.parametrize(
    ("numerator", "denominator", "words"),
    [
        ("18", "20", "18 of 20"),
        ("248067", "24", "248,067 over 24"),
        ("33580", "1", None),
        (None, None, None),
    ],
)
def test_counts_are_of_one_another_only_where_they_make_a_share(
    numerator: str | None, denominator: str | None, words: str | None
) -> None:
    assert ledgerpages.counts_words({"numerator": numerator, "denominator": denominator}) == words


def test_all_rows_stand_on_a_claims_page_up_to_sixty_and_the_first_of_more() -> None:
    query = {
        "package": "p",
        "sql": "a",
        "filters": {"t": "S"},
        "keys": {"t": ["a"]},
        "tables": {"t": "t.parquet"},
    }
    for count, shown in ((60, 60), (61, 8)):
        samples = {
            ("p", "SELECT count(*) AS count FROM (S)"): Rows(columns=("count",), rows=((count,),)),
            ("p", "S LIMIT 60"): Rows(columns=("a",), rows=tuple((row,) for row in range(60))),
        }
        [behind] = ledgerpages._behind(query, samples)
        assert (behind.count, len(behind.rows)) == (count, shown)


def test_what_an_audit_says_of_two_printings_of_one_text_is_told_once() -> None:
    place = {"text": "3.8×", "fewest": [{"rows": 1}]}
    other = {**place, "fewest": [{"rows": 2}]}
    told = ledgerpages._told_once({"fragility": {"printings": [place, place, other]}})
    assert told == {"fragility": {"printings": [place, other]}}


def test_a_claim_without_a_tie_says_that_none_can_be_undone() -> None:
    site = gathered(audited=True)
    context = ledgerpages.claim_context(site, "doc", site.claim("doc", "gain"), {}, {}, {})
    html = environment().get_template("audit.html.j2").render(**context)
    assert "Not asked: no printing of it ties, so none can be undone." in html
    context = ledgerpages.claim_context(site, "doc", site.claim("doc", "plain-rate"), {}, {}, {})
    html = environment().get_template("audit.html.j2").render(**context)
    assert "no longer ties with 1 of 4 rows of <code>trials</code> deleted, or with 1 of 4 rows" in html


def claim_page(data: dict[str, Any], claim: str, folder: Path) -> str:
    """The text of a claim's page, its white space made one."""
    site = Site(data)
    shell = Shell(Project(root=folder, settings={"website": {"title": "Tiny"}}, pages=()), site)
    ledgerpages.write_ledger_pages(shell, site, folder)
    html = (folder / "claims" / "doc" / f"{claim}.html").read_text(encoding="utf-8")
    return " ".join(unescape(re.sub(r"<[^>]*>", "", html)).split())


def changed() -> dict[str, Any]:
    return copy.deepcopy(dict(gathered().data))


def test_a_claim_s_page_says_how_to_check_it_with_the_downloads(tmp_path: Path) -> None:
    assert (
        "unpack doc.zip in a folder ledgers and tiny.zip in a folder packages beside it, "
        "and type tieout show ledgers/doc gain"
    ) in claim_page(changed(), "gain", tmp_path)


def test_a_heading_stands_without_its_mark_of_markdown(tmp_path: Path) -> None:
    data = changed()
    data["documents"]["doc"]["sections"] = [{"name": "I", "heading": "## Results"}]
    assert "· Results What gain says" in claim_page(data, "gain", tmp_path)


@pytest.mark.parametrize(
    ("verdict", "ties", "said"),
    [
        ("differs", True, "1.5× should read 1.33×, which ties. Four trials over three. admitted"),
        (
            "differs",
            False,
            "1.5× should read 1.33×, which does not tie. Four trials over three. not admitted by it",
        ),
        (
            "ties",
            False,
            "1.5× ties as it stands: the erratum “1.33×” is superfluous. Four trials over three. not needed",
        ),
    ],
)
def test_an_erratum_is_told_by_what_it_does(tmp_path: Path, verdict: str, ties: bool, said: str) -> None:
    data = changed()
    [gain] = [claim for claim in data["report"]["ledgers"][0]["claims"] if claim["id"] == "gain"]
    gain["printings"][0]["verdict"] = verdict
    gain["printings"][0]["erratum"]["ties"] = ties
    assert said in claim_page(data, "gain", tmp_path)


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (0, "Each of these 2 values is printed in a ledger here."),
        (1, "1 of these 2 values is printed in no ledger here."),
    ],
)
def test_settings_that_are_all_printed_are_said_to_be(count: int, said: str) -> None:
    site = gathered(audited=True)
    context = ledgerpages.claim_context(site, "doc", site.claim("doc", "plain-rate"), {}, {}, {})
    [strip] = context["audit"]["siblings"]
    context["audit"] = {**context["audit"], "siblings": [{**strip, "not_printed": count}]}
    assert said in environment().get_template("audit.html.j2").render(**context)
