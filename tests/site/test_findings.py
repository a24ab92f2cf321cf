"""What the audit found, as facts by kind, and the words of each kind."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.site.tiny import gathered
from tieout.site import findings
from tieout.site.model import Site

CLAIM = {"id": "plain-rate", "denominator": "4"}
QUIET: dict[str, Any] = {
    "siblings": [],
    "ablation": [],
    "fragility": {"printings": [], "hollow": False, "same_when_shuffled": True},
}
STRIP = {"over": ["policy", "cap"], "pools": 1, "of": 5, "rank": 1, "rank_from_lowest": 5, "tied": 0}


def found(kind: str, site: Site | None = None) -> list[tuple[str, str | None, str]]:
    listed = findings.findings(site or gathered(audited=True))
    return [(each.of, each.claim, each.says) for each in listed if each.kind == kind]


def with_audit(change: dict[str, Any]) -> Site:
    """The audited study with other findings on its ledger, each under its guard's name."""
    data = copy.deepcopy(dict(gathered(audited=True).data))
    for guard, given in change.items():
        whole = data["ledger_audits"]["doc"]
        whole[guard] = {**whole[guard], **given} if isinstance(given, dict) else given
    return Site(data)


def of_claim(change: dict[str, Any]) -> list[tuple[str, str]]:
    return list(findings._of_claim(CLAIM, {**QUIET, **change}))


def test_claims_that_few_rows_decide_are_named() -> None:
    says = "stops tying with 1 of 4 rows of trials changed (flipped success)"
    assert found("fragile") == [("doc", name, says) for name in ("plain-rate", "retry-rate", "plain-count")]


def test_what_is_left_out_though_a_query_gives_it_is_told_with_how_many_were_tried() -> None:
    [(ledger, claim, says)] = found("coincides")
    assert (ledger, claim) == ("doc", "theirs")
    assert says == "4 of 36 values tried print so, such as cost_per_success over trials (all rows)"


def test_rows_that_repeat_stand_with_their_package() -> None:
    assert found("receipts") == [
        ("tiny", None, "2 of 8 rows equal another in all but their key; 7 are different")
    ]


def test_a_figure_that_no_count_gives_says_under_which_condition() -> None:
    granular = {
        "claim": "lost",
        "text": "12",
        "step": "1/3",
        "because": "if it is of as many as plain-rate",
        "possible": False,
        "k": None,
        "below": "35/3",
        "above": "38/3",
    }
    possible = {**granular, "claim": "theirs", "possible": True}
    follows = {"says": "the total of the row", "follow": ["plain-rate"], "do_not": ["gain"]}
    site = with_audit(
        {"feasibility": {"granular": [granular, possible], "totals": [follows], "ratios": [], "untested": 0}}
    )
    assert found("impossible", site) == [
        (
            "doc",
            "lost",
            "no multiple of 1/3 prints so, the nearest are 11.6667… and 12.6667…; if it is of as many as plain-rate",
        ),
        ("doc", "gain", "does not follow: the total of the row"),
    ]


def test_a_reading_is_named_only_where_it_decides() -> None:
    reading = {
        "kind": "reading",
        "claim": "plain-rate",
        "text": "75%",
        "says": "a; or: b",
        "effect": "ties under 1 of 2",
    }
    site = with_audit({"excuses": {"leeway": [reading, {**reading, "kind": "tolerance", "claim": "gain"}]}})
    assert found("leeway", site) == [("doc", "gain", "ties under 1 of 2: a; or: b")]
    site.data["report"]["ledgers"][0]["claims"][0]["printings"][0]["marks"].append("one-reading")
    assert [claim for _, claim, _ in found("leeway", site)] == ["plain-rate", "gain"]


@pytest.mark.parametrize(
    ("strip", "says"),
    [
        (
            {"not_printed": 3},
            "highest of 5 values over policy and cap; 3 of them are printed in no ledger here",
        ),
        (
            {"rank": 4, "rank_from_lowest": 1, "tied": 2, "not_printed": 0},
            "lowest of 5 values over policy and cap, level with 2; none of them is printed in no ledger here",
        ),
        ({"rank": 2, "rank_from_lowest": 4}, None),
        ({"rank": 1, "rank_from_lowest": 1, "tied": 4}, None),
        ({"of": 2, "rank_from_lowest": 2}, None),
        ({"pools": 2}, None),
    ],
)
def test_the_highest_and_the_lowest_of_settings(strip: dict[str, Any], says: str | None) -> None:
    assert of_claim({"siblings": [{**STRIP, **strip}]}) == ([] if says is None else [("extreme", says)])


def test_a_filter_on_an_outcome_is_named_where_it_drops_rows() -> None:
    term = {"term": "accepted", "marks": ["outcome"], "value": "3/4", "kept": 1200, "dropped": 1}
    says = "`accepted` (outcome) keeps 1,200 rows and drops 1; without it the value is 0.75"
    assert of_claim({"ablation": [term, {**term, "dropped": 0}, {**term, "marks": []}]}) == [
        ("selected", says)
    ]


def test_a_value_that_no_row_moves_or_that_the_order_moves() -> None:
    fragility = {**QUIET["fragility"], "hollow": True, "same_when_shuffled": False}
    assert of_claim({"fragility": fragility}) == [
        ("unmoved", "the same whichever rows are changed"),
        ("unmoved", "another value in another order of rows"),
    ]


def test_more_than_few_rows_and_deleted_ones_are_not_named() -> None:
    few = {"rows": 3, "of": 40, "table": "t", "change": "flipped ok"}
    many, deleted, none = {**few, "rows": 4}, {**few, "rows": 1, "change": "deleted"}, {**few, "rows": None}

    def fragile(*fewest: dict[str, Any]) -> list[tuple[str, str]]:
        printings = [{"text": "75%", "fewest": list(fewest)}]
        return of_claim({"fragility": {**QUIET["fragility"], "printings": printings}})

    assert fragile(many, deleted, none) == []
    assert fragile(many, few) == [("fragile", "stops tying with 3 of 40 rows of t changed (flipped ok)")]


def test_packages_say_what_stands_out_and_what_does_not() -> None:
    [forensics] = copy.deepcopy(gathered(audited=True).data["ledger_audits"]["doc"]["forensics"])
    even = {"table": "trials", "column": "cost", "counts": [], "chi_square": "9.0", "p": "0.44"}
    forensics["gaps"] = [{"table": "trials", "says": "planned runs have no row", "count": 2, "examples": []}]
    forensics["reuse"] = [
        {"table": "trials", "by": "key", "references": 9, "calls": 7, "read_by": [], "counted_each": ["gain"]}
    ]
    forensics["digits"] = [even, {**even, "column": "usage", "p": "0.01"}]
    made = {"table": "made", "instrument": "maker", "status": "as published", "read_by": []}
    forensics["derived"] = [made, {**made, "table": "anew", "status": "same"}]
    site = with_audit({"forensics": [forensics]})
    assert [says for _, _, says in found("receipts", site)] == [
        "2 planned runs have no row",
        "9 references to 7 calls; each time counts for gain",
        "2 of 8 rows equal another in all but their key; 7 are different",
        "the last digits of usage are spread unevenly, with a chance of 0.01 if all ten were as likely",
        "derived by maker, and as published",
    ]
    [package] = findings.receipts(site)
    assert package["looked"] == [
        "the last digits of trials.cost (chance 0.44) are as an even spread has them",
        "made anew, the same came out for anew",
    ]


def test_counts_are_of_every_kind_and_of_the_ledgers_asked_for() -> None:
    site = gathered(audited=True)
    counted = {entry["kind"].name: entry["of"] for entry in findings.counts(site)}
    assert list(counted) == [kind.name for kind in findings.KINDS]
    assert (counted["fragile"], counted["receipts"], counted["impossible"]) == ({"doc": 3}, {"tiny": 1}, {})
    assert findings.counts(site, ["doc"]) == findings.counts(site)
    assert sum(entry["count"] for entry in findings.counts(site, [])) == 0


def test_findings_of_a_claim_are_found_by_its_name() -> None:
    noted = findings.by_claim(gathered(audited=True))
    assert [each.kind for each in noted["doc", "plain-rate"]] == ["fragile", "form"]
    assert ("doc", "hostile") not in noted
