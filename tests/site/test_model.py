"""The site's data: look-ups, and a stamp that changes with what is shown."""

from __future__ import annotations

import copy

import pytest

from tests.site.tiny import HOSTILE, gathered
from tieout.site.model import Site, UnknownName


def test_a_claim_is_found_by_its_ledger_and_id() -> None:
    assert gathered().claim("doc", "plain-rate")["value"] == "3/4"


@pytest.mark.parametrize(
    ("ledger", "claim", "message"),
    [
        ("doc", "none", "the ledger doc has no claim none"),
        ("dog", "plain-rate", "no ledger dog; there are doc"),
    ],
)
def test_an_unknown_name_is_refused(ledger: str, claim: str, message: str) -> None:
    with pytest.raises(UnknownName) as error:
        gathered().claim(ledger, claim)
    assert str(error.value) == message


def test_a_table_comes_with_its_text_as_it_is() -> None:
    assert list(gathered().table("tiny", "answers")["model"]) == [HOSTILE, HOSTILE, "plain"]
    with pytest.raises(UnknownName) as error:
        gathered().table("tiny", "answer")
    assert str(error.value) == "package tiny has no table answer; it has trials, limits, answers"


def test_what_is_behind_a_claim_names_its_tables_and_filters() -> None:
    [query] = gathered().behind("doc", "hostile")["queries"]
    assert query["tables"] == {"answers": "receipts/answers.parquet"}
    assert query["filters"] == {"answers": f"SELECT * FROM receipts.answers WHERE model = '{HOSTILE}'"}


def test_the_stamp_is_of_verdicts_and_values() -> None:
    site = gathered()
    other = copy.deepcopy(dict(site.data))
    other["report"]["ledgers"][0]["claims"][0]["value"] = "4/5"
    assert Site(dict(site.data)).stamp == site.stamp
    assert Site(other).stamp != site.stamp


def test_an_audit_is_part_of_what_a_site_is_made_from() -> None:
    plain, audited = gathered(), gathered(audited=True)
    assert (plain.audited, plain.ledger_audit("doc"), plain.audit("doc", "plain-rate")) == (False, None, None)
    whole = audited.ledger_audit("doc")
    assert audited.audited
    assert whole is not None
    assert whole["excuses"]["printings"] == {"count": 2, "of": 8}
    other = copy.deepcopy(dict(audited.data))
    other["ledger_audits"]["doc"]["excuses"]["printings"]["count"] = 1
    assert len({plain.stamp, audited.stamp, Site(other).stamp}) == 3
