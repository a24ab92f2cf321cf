"""Honesty tables and the overview: differences first, nothing left out, judges and denominators beside values."""

from __future__ import annotations

import copy
import re
from html import unescape

import pytest

from tests.site.tiny import CLAIMS, HOSTILE, gathered
from tieout.site import honesty, overview
from tieout.site.model import Site


def test_what_differs_comes_first_and_every_printed_claim_is_there() -> None:
    rows = honesty.rows(gathered(), ["doc"])
    assert [row.id for row in rows] == ["gain"] + [
        str(claim["id"]) for claim in CLAIMS if "printings" in claim and claim["id"] != "gain"
    ]


def test_a_row_says_out_of_what_and_who_judged_where() -> None:
    rows = {row.id: row for row in honesty.rows(gathered(), ["doc"])}
    plain, retry = rows["plain-rate"], rows["retry-rate"]
    assert (plain.recomputed, plain.basis, plain.how) == ("3 of 4", "observation", "success_rate")
    assert plain.denominator == "4 trials; 2 distinct cases"
    assert plain.judges == (("judge", "outside the loop"),)
    assert retry.judges == (("judge", "in the loop"),)
    assert rows["gain"].judges == (("judge", "in the loop for policy retry"),)


def test_what_is_not_recomputed_has_its_kind_for_a_basis() -> None:
    rows = {row.id: row for row in honesty.rows(gathered(), ["doc"])}
    assert (rows["theirs"].basis, rows["theirs"].verdict, rows["theirs"].recomputed) == (
        "quoted",
        "quoted",
        "–",
    )


def test_printings_of_one_text_are_told_once_with_their_number() -> None:
    place = {"text": "4", "verdict": "ties", "erratum": None}
    other = {**place, "text": "four"}
    assert [(each["text"], each["times"]) for each in honesty._once([place, other, place])] == [
        ("4", 2),
        ("four", 1),
    ]


def test_names_come_out_as_they_are() -> None:
    html = honesty.errata(gathered(), ["doc"]).text + overview.headlines(gathered()).text
    assert HOSTILE in unescape(re.sub(r"<[^>]*>", "", html))
    assert "<b>|" not in html
    assert HOSTILE not in html


def test_the_tally_is_split_by_basis() -> None:
    assert honesty.tally(gathered()) == {
        "ties": {"observation": 4, "fixture": 1},
        "differs": {"observation": 1},
        "quoted": {"none": 1},
        "not-recomputable": {"none": 1},
    }


def test_the_bar_has_a_part_for_each_basis_and_leaves_nothing_out() -> None:
    shares = overview.shares(gathered())
    assert [(share.basis, share.count) for share in shares if share.count] == [
        ("observation", 5),
        ("fixture", 1),
        ("none", 2),
    ]
    assert sum(share.width for share in shares) == 1000


def test_the_first_screen_tells_the_difference_with_both_numbers() -> None:
    html = overview.first_screen(gathered()).text
    assert (
        "<b>1 of 8 printed numbers differs</b> from their receipts, in 1 claim; 5 tie, and 2 are not" in html
    )
    assert '<q class="print p-differs">1.5×</q>' in html
    assert 'admitted: <span class="print">1.33×</span>' in html
    assert "1.333333333…" in html
    assert html.index("What differs") < html.index("What the printed numbers are built on")
    assert "%" not in re.sub(r"<q.*?</q>|<svg.*?</svg>", "", html)


def test_a_study_begins_with_its_documents_and_with_what_differs_even_where_nothing_does() -> None:
    html = honesty.tally_sentence(gathered(), ["doc"]).text
    text = " ".join(unescape(re.sub(r"<[^>]*>", "", html)).split())
    assert text == (
        f"A study of {HOSTILE}, by The tests · version: 1; its address is not given "
        "8 printed numbers in 8 claims: ✗ 1 differ (1 observation) ✓ 5 tie (4 observation, 1 fixture) "
        "” 1 quoted – 1 not recomputable"
    )
    data = copy.deepcopy(dict(gathered().data))
    claims = data["report"]["ledgers"][0]["claims"]
    data["report"]["ledgers"][0]["claims"] = [each for each in claims if each["verdict"] == "ties"]
    html = honesty.tally_sentence(Site(data), ["doc"]).text
    assert '<i class="sign">✗</i> <b>0</b> differ' in html
    assert html.index("differ") < html.index("tie")


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://example.org/a", '<a href="https://example.org/a">example.org/a</a>'),
        ("javascript:alert(1)", "version: 1; javascript:alert(1)</small>"),
    ],
)
def test_a_document_is_linked_where_it_has_an_address_of_the_web(url: str, shown: str) -> None:
    data = copy.deepcopy(dict(gathered().data))
    data["documents"]["doc"]["url"] = url
    html = honesty.tally_sentence(Site(data), ["doc"]).text
    assert shown in html
    assert html.count("<a ") == shown.count("<a ")


def test_a_reading_is_told_in_the_part_that_the_printing_asks_for() -> None:
    data = copy.deepcopy(dict(gathered().data))
    [rate] = [each for each in data["report"]["ledgers"][0]["claims"] if each["id"] == "plain-rate"]
    rate["printings"] = [{**rate["printings"][0], "of": ["low", "high"]}]
    rate["readings"] = [{"says": "as said", "value": "3/4", "verdict": "ties"}]
    data["behind"]["doc"]["plain-rate"]["readings"] = [
        {"sql": None, "exact": True, "columns": {"low": "1/4", "high": "1"}}
    ]
    [reading] = honesty.readings(Site(data), "doc", rate)
    assert reading["told"] == "0.25 to 1"


def test_a_draft_shows_its_faults_before_everything() -> None:
    assert overview.first_screen(gathered()).text.startswith('<div class="first-screen">')
    site = gathered()
    fault = {"code": "x", "file": "SHA256SUMS", "message": "not frozen"}
    broken = {
        **site.data,
        "report": {**site.report, "packages": [{**site.report["packages"][0], "faults": [fault]}]},
    }
    assert overview.first_screen(type(site)(broken)).text.startswith('<section class="faults"')


def test_the_sample_is_drawn_by_the_data() -> None:
    first = [claim["id"] for _, claim in overview.sampled(gathered(), 3)]
    assert first == [claim["id"] for _, claim in overview.sampled(gathered(), 3)]
    assert set(first) <= {"plain-rate", "retry-rate", "plain-count", "hostile"}


@pytest.mark.parametrize(
    ("loop", "words"),
    [
        (True, "in the loop"),
        (False, "outside the loop"),
        ({"policy": ["a", "b"], "cap": 3}, "in the loop for policy a, b; cap 3"),
    ],
)
def test_where_a_judge_stood(loop: object, words: str) -> None:
    assert honesty.loop_words(loop) == words


def test_a_caveat_that_two_ledgers_share_is_said_once_with_all_its_claims() -> None:
    data = copy.deepcopy(dict(gathered().data))
    book = data["report"]["ledgers"][0]
    data["report"]["ledgers"].append({**copy.deepcopy(book), "document": "tables"})
    data["documents"]["tables"] = copy.deepcopy(data["documents"]["doc"])
    html = honesty.caveats(Site(data), ["doc", "tables"]).text
    assert html.count("Four trials are few.") == 1
    assert "<small>2 claims</small>" in html
    data["documents"]["tables"]["caveats"]["small"] = "Four are not many."
    html = honesty.caveats(Site(data), ["doc", "tables"]).text
    assert html.count("<small>1 claim</small>") == 2


def test_a_caveat_that_no_claim_names_says_so() -> None:
    data = copy.deepcopy(dict(gathered().data))
    data["documents"]["doc"]["caveats"]["forgotten"] = "Nobody says so."
    html = honesty.caveats(Site(data), ["doc"]).text
    assert "<dt>forgotten <small>named by no claim</small></dt>\n<dd>Nobody says so.</dd>" in html


def test_parts_of_a_study_that_have_nothing_say_so() -> None:
    data = copy.deepcopy(dict(gathered().data))
    data["packages"]["tiny"]["evaluators"] = []
    for claim in data["report"]["ledgers"][0]["claims"]:
        claim["headline"] = False
    assert "These packages name no judge." in honesty.judges(Site(data), ["tiny"]).text
    assert "The ledger names no claim as a chief one." in overview.headlines(Site(data), ["doc"]).text
