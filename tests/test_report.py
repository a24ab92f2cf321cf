"""The report as data: verdicts by basis, values as text, and JSON that loses no digit."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests import build
from tieout.report import Report, number
from tieout.verify import Options, verify

claim = build.claim
BIG = "SELECT 9007199254740993 AS count FROM limits"
PLAIN = {"trials": {"policy": "plain"}}
BY_TASK = (
    "SELECT task_id, count(*) FILTER (WHERE success) AS numerator, count(*) AS denominator "
    "FROM trials GROUP BY task_id"
)
CLAIMS = [
    claim("rate", "75%", of="value"),
    claim("half", "50%", where={"trials": {"policy": "plain", "task_id": "a"}}),
    claim("big", "9,007,199,254,740,993", sql=BIG, where={"limits": "all"}, combine="sum", unit="x"),
    claim("differ", "76%", erratum={"corrected": "75%", "says": "A slip", "noticed_by": "a reader"}),
    claim("gain", "1/4 or so", formula="1 - a", from_={"a": "rate"}),
    claim("true", "more", asserts="a > b", from_={"a": "rate", "b": "half"}),
    claim("absent", "9", kind="not-collected"),
    claim("quoted", "9", kind="quoted", locator="p. 3"),
    claim("unprinted", formula="a#", from_={}),
    claim("range", "50%–100%", sql=BY_TASK, where=PLAIN, combine="range", unit="x", of=["low", "high"]),
]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    root: Path = build.artifacts(tmp_path_factory.mktemp("report"), CLAIMS, headline=["rate"])
    return verify([root], Options(frozen=False, locked=False))


@pytest.fixture(scope="module")
def told(report: Report) -> dict[str, dict[str, Any]]:
    document = json.loads(json.dumps(report.to_json(), allow_nan=False))
    return {entry["id"]: entry for entry in document["ledgers"][0]["claims"]}


@pytest.mark.parametrize(
    ("value", "exact", "text"),
    [
        (None, True, None),
        (True, True, "true"),
        (False, True, "false"),
        (Fraction(27563, 2), True, "27563/2"),
        (Fraction(-3), True, "-3"),
        (Fraction(0.1), False, "0.1"),
        (Fraction(2.0), False, "2.0"),
        (Fraction(9007199254740993), True, "9007199254740993"),
    ],
)
def test_a_value_is_text_that_reads_back(
    value: Fraction | bool | None, exact: bool, text: str | None
) -> None:
    assert number(value, exact=exact) == text


def test_numbers_cross_as_text(told: dict[str, dict[str, Any]]) -> None:
    rate, big = told["rate"], told["big"]
    assert (rate["value"], rate["numerator"], rate["denominator"]) == ("3/4", "3", "4")
    assert big["value"] == "9007199254740993"
    assert big["printings"][0]["interval"] == "[18014398509481985/2, 18014398509481987/2)"


def test_a_claim_without_a_value_has_nulls_and_never_zeros(told: dict[str, dict[str, Any]]) -> None:
    absent = told["absent"]
    keys = ("value", "exact", "numerator", "denominator", "basis", "n_cases", "sql", "unit", "package")
    assert {key: absent[key] for key in keys} == dict.fromkeys(keys)
    assert (absent["verdict"], absent["engines"], absent["evaluators"]) == ("not-collected", {}, [])


def test_a_formula_names_its_inputs_and_their_values(told: dict[str, dict[str, Any]]) -> None:
    assert (told["true"]["value"], told["true"]["formula"], told["true"]["sql"]) == ("true", "a > b", None)
    inputs = {name: (entry["claim"], entry["value"]) for name, entry in told["true"]["from"].items()}
    assert inputs == {"a": ("rate", "3/4"), "b": ("half", "1/2")}


def test_a_range_has_both_intervals(told: dict[str, dict[str, Any]]) -> None:
    [place] = told["range"]["printings"]
    assert (place["of"], place["interval"]) == (["low", "high"], "[99/200, 101/200] to [199/200, 201/200]")
    assert (told["range"]["value"], told["range"]["columns"]) == (None, {"low": "1/2", "high": "1"})


def test_an_erratum_says_whether_it_ties_and_who_admits_it(told: dict[str, dict[str, Any]]) -> None:
    assert told["differ"]["printings"][0]["erratum"] == {
        "corrected": "75%",
        "says": "A slip",
        "noticed_by": "a reader",
        "published": None,
        "ties": True,
        "status": "admitted",
    }


def test_the_headline_is_marked(told: dict[str, dict[str, Any]]) -> None:
    assert [name for name, entry in told.items() if entry["headline"]] == ["rate"]


def test_verdicts_are_counted_by_basis(report: Report) -> None:
    assert report.counts("printings") == {
        "ties": {"observation": 4, "design": 1},
        "differs": {"observation": 1},
        "error": {"observation": 1},
        "quoted": {"none": 1},
        "not-collected": {"none": 1},
    }
    # a claim that is printed nowhere is counted only where it is in error
    assert report.counts("claims")["error"] == {"observation": 1, "none": 1}


def test_an_admitted_difference_is_open_no_more(report: Report) -> None:
    assert report.open_differences() == 0
