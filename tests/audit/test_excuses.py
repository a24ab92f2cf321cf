"""What is not recomputed: shares, what the catalogue yields, and the effect of tolerances, readings and errata."""

from __future__ import annotations

from pathlib import Path

from tests.audit.opened import opened, tiny
from tests.build import claim
from tests.conftest import ROOT
from tieout.audit.excuses import Excuses, Leeway, Share, excuses

LEDGERS = ROOT / "artifacts" / "ledgers"
PLAIN = {"trials": {"policy": "plain"}}
LOST = {"kind": "not-recomputable", "because": "the logs were lost"}


def of(path: Path, document: str) -> Excuses:
    with opened(path / document) as (report, bench):
        return excuses(report.ledgers[0], bench)


def test_shares_are_counted_by_kind_by_section_and_among_headline_claims(tmp_path: Path) -> None:
    claims = [
        claim("rate", "75%"),
        {**claim("lost", "12.3", **LOST), "printings": [{"text": "12.3"}, {"text": "12.3", "section": "II"}]},
        claim("cited", "9.9", kind="quoted", locator="p. 3"),
    ]
    with tiny(tmp_path, claims, headline=["rate", "lost"]) as (book, _, bench):
        found = excuses(book, bench)
    assert found.printings == Share(count=3, of=4)
    assert found.by_kind == {"not-recomputable": Share(count=2, of=4), "quoted": Share(count=1, of=4)}
    assert found.by_section == {"I": Share(count=2, of=3), "II": Share(count=1, of=1)}
    assert found.headline == Share(count=2, of=3)


def test_an_excuse_for_a_number_that_can_be_recomputed_names_the_metric_and_its_filter(
    tmp_path: Path,
) -> None:
    # 75% of the trials under `plain` succeed: 3 of 4
    with tiny(tmp_path, [claim("lost", "75%", **LOST), claim("pair", "3/4", **LOST)]) as (book, _, bench):
        found = excuses(book, bench)
    for excuse in found.listed:
        assert excuse.because == "the logs were lost"
        assert ("success_rate", {"trials": {"policy": "plain"}}, "value") in [
            (one.metric, one.where, one.of) for one in excuse.found
        ]
        assert 0 < excuse.yields <= excuse.tried


def test_an_excuse_for_a_count_is_found_among_numerators_and_denominators(tmp_path: Path) -> None:
    with tiny(tmp_path, [claim("successes", "7", **LOST)]) as (book, _, bench):
        [excuse] = excuses(book, bench).listed
    # 1 + 2 successes under `plain`, 2 + 2 under `retry`
    assert ("success_rate", {"trials": "all"}, "numerator") in [
        (one.metric, one.where, one.of) for one in excuse.found
    ]


def test_a_number_that_no_metric_yields_is_listed_without_one(tmp_path: Path) -> None:
    with tiny(tmp_path, [claim("lost", "61.7%", **LOST)]) as (book, _, bench):
        found = excuses(book, bench)
    [excuse] = found.listed
    assert excuse.found == ()
    assert excuse.tried > 0
    assert found.could_be == ()


def test_what_is_no_number_or_a_bound_is_not_searched_and_says_so(tmp_path: Path) -> None:
    claims = [claim("words", "a great deal", **LOST), claim("bound", "at most 90", **LOST)]
    with tiny(tmp_path, claims) as (book, _, bench):
        found = excuses(book, bench)
    assert [(one.not_searched, one.tried) for one in found.listed] == [
        ("the printing is no number", 0),
        ("the printing is a bound, which many values meet", 0),
    ]


def test_tolerances_readings_and_errata_are_told_with_their_effect(tmp_path: Path) -> None:
    other = {"trials": {"policy": "retry"}}
    claims = [
        claim("wide", "74%", tolerance={"value": 0.02, "because": "about"}),
        claim("needless", "75%", tolerance={"value": 0.001, "because": "about"}),
        claim("short", "50%", tolerance={"value": 0.02, "because": "about"}),
        claim("open", "75%", reading={"taken": "plain", "others": [{"says": "retry", "where": other}]}),
        claim("slip", "80%", erratum={"corrected": "75%", "says": "a slip"}),
        claim("twice-wrong", "80%", erratum={"corrected": "81%", "says": "a slip"}),
        claim("right", "75%", erratum={"corrected": "75.0%", "says": "a slip"}),
    ]
    with tiny(tmp_path, claims) as (book, _, bench):
        found = {one.claim: one for one in excuses(book, bench).leeway}
    assert {name: one.effect for name, one in found.items()} == {
        "wide": "the printing ties only because of it; it is wider than a step of the last printed digit (1/100)",
        "needless": "none: the value lies in the printing's interval",
        "short": "none: the value lies beyond it; it is wider than a step of the last printed digit (1/100)",
        "open": "ties under 1 of 2 readings",
        "slip": "the difference is admitted; the corrected text ties",
        "twice-wrong": "the corrected text does not tie",
        "right": "none: the printing ties as it stands",
    }
    assert found["slip"] == Leeway(
        kind="erratum",
        claim="slip",
        text="80%",
        says="75%: a slip",
        effect="the difference is admitted; the corrected text ties",
    )


def test_no_other_row_of_the_benchmark_is_yielded_by_its_trials() -> None:
    found = of(LEDGERS, "tau-bench-readme")
    # nine rows of four numbers, and the receipts hold the trials of one row
    assert found.printings == Share(count=32, of=36)
    assert found.by_kind == {"not-recomputable": Share(count=32, of=36)}
    assert found.headline == Share(count=0, of=2)
    assert found.could_be == ()


def test_the_pilot_has_as_many_tracks_as_hashes_that_nobody_can_recount() -> None:
    found = of(LEDGERS, "part-i")
    hashes = next(one for one in found.listed if one.claim == "source-hashes")
    assert hashes.text == "56"
    assert [(one.metric, one.where, one.of) for one in hashes.found] == [
        ("annotated_tracks", {"theme_ratings": "all"}, "value")
    ]
    # what few values yield is told first
    assert found.could_be[0].yields <= found.could_be[-1].yields
