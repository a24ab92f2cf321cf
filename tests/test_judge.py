"""From claims to verdicts: what ties, what differs, what is an error, and the marks and admissions beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tests import build
from tieout.report import ClaimResult
from tieout.verify import Options, verify

claim = build.claim
PLAIN = {"trials": {"policy": "plain"}}
RETRY = {"trials": {"policy": "retry"}}
ALL: Mapping[str, Any] = {"trials": "all"}
RATE = "SELECT count(*) FILTER (WHERE success) AS numerator, count(*) AS denominator FROM trials"
NONE = f"{RATE} WHERE trial > 9"
TOKENS = "SELECT sum(input_tokens) AS numerator, count(*) AS denominator FROM trials"
BY_TASK = (
    "SELECT task_id, count(*) FILTER (WHERE success) AS numerator, count(*) AS denominator "
    "FROM trials GROUP BY task_id"
)
MEMBERS = "SELECT task_id, policy, count(*) FILTER (WHERE success) AS successes FROM trials GROUP BY task_id, policy"
DRAFT = Options(frozen=False, locked=False)


def asked(
    name: str, text: str | None, sql: str, where: Mapping[str, Any] = ALL, **more: Any
) -> dict[str, Any]:
    return claim(name, text, sql=sql, where=where, unit="x", combine=more.pop("combine", "ratio"), **more)


def erratum(corrected: str, **more: str) -> dict[str, str]:
    return {"corrected": corrected, "says": "A slip of the pen", **more}


def reading(*others: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "taken": "all trials",
        "others": [{"says": f"reading {n}", **other} for n, other in enumerate(others)],
    }


CLAIMS = [
    claim("rate", "75%"),
    claim("wrong", "80%"),
    claim("pair", "3/4"),
    claim("cancelled-pair", "6/8"),
    claim("numerator", "3", of="numerator"),
    claim("denominator", "5", of="denominator"),
    claim("unprinted"),
    {**claim("twice"), "printings": [{"text": "75%"}, {"text": "74%"}]},
    claim("all", "exactly", kind="quoted", locator="p. 3"),
    # formulas
    claim("retry-rate", "100%", where=RETRY),
    claim("gain", "25%", formula="after - before", from_={"after": "retry-rate", "before": "rate"}),
    claim("successes", "7", formula="a + b", from_={"a": "rate#numerator", "b": "retry-rate#numerator"}),
    claim("part-missing", "7", formula="a", from_={"a": "literal#low"}),
    claim("literal", "12", formula="3 * 4", from_={}),
    claim("of-quoted", "12", formula="a", from_={"a": "all"}),
    claim("of-nobody", "12", formula="a", from_={"a": "nobody"}),
    claim("circle-a", "1", formula="b", from_={"b": "circle-b"}),
    claim("circle-b", formula="a", from_={"a": "circle-a"}),
    claim("self", "1", formula="me", from_={"me": "self"}),
    # assertions
    claim("more", "more often", asserts="after > before", from_={"after": "retry-rate", "before": "rate"}),
    claim("less", "less often", asserts="after < before", from_={"after": "retry-rate", "before": "rate"}),
    claim("open", "no more", asserts="a > 1", from_={"a": "undefined"}),
    claim("truth-printed", "1", formula="a > 1", from_={"a": "rate"}),
    # no value
    asked("undefined", "0%", NONE),
    asked("undefined-pair", "0 of 0", NONE),
    claim("undefined-below", "0%", formula="a + b", from_={"a": "undefined", "b": "rate"}),
    claim("divided-by-zero", "0%", formula="1 / (a - a)", from_={"a": "rate"}),
    asked("null", "3", "SELECT sum(user_cost) AS count FROM trials WHERE user_cost IS NULL", combine="sum"),
    # ranges and members
    asked("range", "75%–100%", BY_TASK, combine="range", of=["low", "high"]),
    asked("range-low", "75%", BY_TASK, combine="range", of="low"),
    asked("range-off", "75%–99%", BY_TASK, combine="range", of=["low", "high"]),
    asked("range-value", "75%", BY_TASK, combine="range"),
    claim("from-range", "25%", formula="h - l", from_={"h": "range#high", "l": "range#low"}),
    asked("member", "1", MEMBERS, combine="member", member={"task_id": "a", "policy": "plain"}),
    asked("no-member", "1", MEMBERS, combine="member", member={"task_id": "z"}),
    # marks
    claim("bound", "at least 70%"),
    asked("tolerated", "150", TOKENS, PLAIN, tolerance={"value": 50, "because": "the scale reads fifties"}),
    asked("beyond-tolerance", "150", TOKENS, PLAIN, tolerance={"value": 40, "because": "the scale reads forties"}),
    claim("one-reading", "75%", reading=reading({"where": PLAIN}, {"where": RETRY})),
    claim("every-reading", "75%", reading=reading({"where": {"trials": [{"policy": "plain"}]}})),
    claim("only-other-reading", "100%", reading=reading({"where": RETRY})),
    claim("broken-reading", "75%", reading=reading({"sql": "SELECT 1 / 2 AS count FROM trials"})),
    # errata
    claim("admitted", "80%", erratum=erratum("75%")),
    claim("corrected", "80%", erratum=erratum("75%", published="https://example.org/erratum")),
    claim("false-erratum", "80%", erratum=erratum("76%")),
    claim("unreadable-erratum", "80%", erratum=erratum("seventy-five or so")),
    claim(
        "assertion-admitted",
        "fewer",
        asserts="after < before",
        erratum=erratum("after > before"),
        from_={"after": "retry-rate", "before": "rate"},
    ),
    claim(
        "assertion-not-admitted",
        "fewer",
        asserts="after < before",
        erratum=erratum("after == before"),
        from_={"after": "retry-rate", "before": "rate"},
    ),
    # errors
    claim("unreadable", "about a few"),
    claim("no-metric", "1", metric="succes_rate", where=ALL),
    claim("unfiltered", "1", metric="success_rate"),
    claim("filters-unread", "1", metric="success_rate", where={"trials": "all", "limits": "all"}),
    claim("unknown-column", "1", metric="success_rate", where={"trials": {"polcy": "plain"}}),
    claim("unknown-value", "1", metric="success_rate", where={"trials": {"policy": "plan"}}),
    claim("no-param", "1", metric="pass_hat_k", where=ALL),
    claim("dollars", "1", metric="dollar_cost", where=ALL),
    asked("division", "1", "SELECT 1 / 2 AS count FROM trials"),
    asked("engines-disagree", "1", "SELECT count(*) AS count FROM trials WHERE task_id > 0 OR trial = '0'"),
    asked("double", "0.1", "SELECT max(share) AS count FROM limits", {"limits": "all"}, combine="sum"),
    # basis and evaluators
    asked("designed", "30", "SELECT max(most) AS count FROM limits", {"limits": "all"}, combine="sum"),
    claim("mixed", "30.75", formula="a + b", from_={"a": "designed", "b": "rate"}),
    claim("both-loops", metric="success_rate", where=ALL),
    claim("gain-unjudged", formula="a", from_={"a": "designed"}),
    claim("filtered-by-outcome", metric="trial_count", where={"trials": {"success": True}}),
    claim("trials", "8", metric="trial_count", where=ALL),
]  # fmt: skip


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], ClaimResult]:
    root = build.artifacts(tmp_path_factory.mktemp("judged"), CLAIMS)
    report = verify([root], DRAFT)
    found = {result.claim.id: result for result in report.ledgers[0].claims}
    return found.__getitem__


Judged = Callable[[str], ClaimResult]


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("rate", "ties"),
        ("wrong", "differs"),
        ("pair", "ties"),
        ("cancelled-pair", "differs"),
        ("numerator", "ties"),
        ("denominator", "differs"),
        ("unprinted", None),
        ("twice", "differs"),
        ("all", "quoted"),
        ("gain", "ties"),
        ("successes", "ties"),
        ("literal", "ties"),
        ("more", "ties"),
        ("less", "differs"),
        ("range", "ties"),
        ("range-low", "ties"),
        ("range-off", "differs"),
        ("from-range", "ties"),
        ("member", "ties"),
        ("undefined", "differs"),
        ("undefined-below", "differs"),
        ("divided-by-zero", "differs"),
    ],
)
def test_a_claim_has_the_verdict_of_its_printings(judged: Judged, name: str, verdict: str | None) -> None:
    assert (judged(name).verdict, judged(name).error) == (verdict, None)


def test_a_claim_is_as_bad_as_the_worst_of_its_printings(judged: Judged) -> None:
    assert [place.verdict for place in judged("twice").printings] == ["ties", "differs"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("undefined", "there is no value: undefined"),
        ("undefined-below", "there is no value: undefined, in `a`"),
        ("divided-by-zero", "there is no value: undefined (division by zero)"),
    ],
)
def test_a_number_printed_where_there_is_none_differs_and_says_why(
    judged: Judged, name: str, reason: str
) -> None:
    assert judged(name).printings[0].diagnosis == reason


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("part-missing", "`a` asks for #low, which its claim does not have"),
        ("of-quoted", "claim `all` is quoted: it has no value"),
        ("of-nobody", "`a` is from claim `nobody`, which the ledger does not have"),
        ("circle-a", "`from` goes in a circle: circle-a -> circle-b -> circle-a"),
        ("circle-b", "`from` goes in a circle: circle-a -> circle-b -> circle-a"),
        ("self", "`from` goes in a circle: self -> self"),
        ("no-member", "`member` must name one row of the set; it fits 0"),
        (
            "no-metric",
            "no metric `succes_rate` in the catalogue; near it: success_rate (`tieout metrics` lists it)",
        ),
        ("unfiltered", "table `trials` is read and not filtered; say `trials: all` or filter it in `where`"),
        ("filters-unread", "`where` filters table `limits`, which the query does not read"),
        ("unknown-value", "`trials.policy` is never 'plan'; its values are plain, retry"),
        ("no-param", "metric pass_hat_k needs the parameter k"),
        ("division", "`1 / 2` (Div) is outside the subset of SQL that may run here"),
        ("double", "column count holds 0.1; a metric returns integers"),
    ],
)
def test_what_cannot_be_recomputed_is_an_error_that_says_why(judged: Judged, name: str, message: str) -> None:
    result = judged(name)
    assert (result.verdict, result.error, result.recomputed) == ("error", message, None)
    assert {place.verdict for place in result.printings} <= {"error"}


def test_an_unknown_column_is_an_error_with_the_columns_there_are(judged: Judged) -> None:
    error = judged("unknown-column").error or ""
    assert error.startswith("no column `polcy`; the table has task_id, policy, trial, ")


def test_engines_that_disagree_or_fail_are_an_error(judged: Judged) -> None:
    error = judged("engines-disagree").error or ""
    assert error.startswith(("the engines disagree: ", "duckdb: "))


@pytest.mark.parametrize(
    ("name", "diagnosis"),
    [
        ("truth-printed", "a truth value is no number; use `asserts`"),
        ("open", "no truth value: undefined, in `a`"),
        ("null", "there is no value: no rows"),
        ("range-value", "there is no value: a range has no single value"),
    ],
)
def test_a_printing_that_cannot_be_compared_is_an_error(judged: Judged, name: str, diagnosis: str) -> None:
    [place] = judged(name).printings
    assert (place.verdict, place.diagnosis) == ("error", diagnosis)


def test_a_printing_that_cannot_be_read_is_an_error_of_its_own(judged: Judged) -> None:
    result = judged("unreadable")
    assert (result.verdict, result.error) == ("error", None)
    assert result.printings[0].diagnosis


def test_a_bound_is_marked(judged: Judged) -> None:
    assert judged("bound").printings[0].marks == ("bound",)


def test_a_tie_by_tolerance_is_marked_and_has_its_reach(judged: Judged) -> None:
    [within], [beyond] = judged("tolerated").printings, judged("beyond-tolerance").printings
    assert (within.verdict, within.marks) == ("ties", ("tolerance",))
    assert (beyond.verdict, beyond.marks) == ("differs", ())


def test_a_tie_under_one_reading_of_several_is_marked(judged: Judged) -> None:
    result = judged("one-reading")
    assert (result.verdict, result.printings[0].marks) == ("ties", ("one-reading",))
    assert [entry.verdict for entry in result.readings] == ["ties", "ties", "differs"]
    assert judged("every-reading").printings[0].marks == ()


def test_the_verdict_follows_the_reading_taken(judged: Judged) -> None:
    result = judged("only-other-reading")
    assert (result.verdict, [entry.verdict for entry in result.readings]) == ("differs", ["differs", "ties"])


def test_a_reading_that_cannot_be_recomputed_does_not_agree(judged: Judged) -> None:
    result = judged("broken-reading")
    assert (result.verdict, result.printings[0].marks) == ("ties", ("one-reading",))
    assert [entry.verdict for entry in result.readings] == ["ties", "error"]


@pytest.mark.parametrize(
    ("name", "ties", "admission"),
    [
        ("admitted", True, "admitted"),
        ("corrected", True, "corrected"),
        ("false-erratum", False, "admitted"),
        ("unreadable-erratum", False, "admitted"),
        ("assertion-admitted", True, "admitted"),
        ("assertion-not-admitted", False, "admitted"),
        ("wrong", None, None),
    ],
)
def test_an_erratum_must_itself_tie_and_the_printing_stays_different(
    judged: Judged, name: str, ties: bool | None, admission: str | None
) -> None:
    [place] = judged(name).printings
    assert (place.verdict, place.erratum_ties, place.admission) == ("differs", ties, admission)


@pytest.mark.parametrize(
    ("name", "basis"),
    [
        ("rate", "observation"),
        ("designed", "design"),
        ("mixed", "design"),
        ("literal", "arithmetic"),
        ("all", None),
    ],
)
def test_a_claim_rests_on_the_weakest_of_what_it_reads(judged: Judged, name: str, basis: str | None) -> None:
    assert judged(name).basis == basis


@pytest.mark.parametrize(
    ("name", "evaluators"),
    [
        ("rate", {"judge": False}),
        ("retry-rate", {"judge": True}),
        ("both-loops", {"judge": {"policy": ["retry"]}}),
        ("gain", {"judge": {"policy": ["retry"]}}),
        ("mixed", {"judge": False}),
        ("designed", {}),
        ("gain-unjudged", {}),
        ("trials", {}),
        ("filtered-by-outcome", {"judge": {"policy": ["retry"]}}),
    ],
)
def test_an_outcome_carries_its_judge_and_where_it_stood_in_the_loop(
    judged: Judged, name: str, evaluators: Mapping[str, object]
) -> None:
    recomputed = judged(name).recomputed
    assert recomputed is not None
    assert dict(recomputed.evaluators) == evaluators


@pytest.mark.parametrize(("name", "cases"), [("rate", 2), ("gain", 2), ("designed", None), ("mixed", None)])
def test_repeats_of_a_case_are_no_new_cases(judged: Judged, name: str, cases: int | None) -> None:
    recomputed = judged(name).recomputed
    assert recomputed is not None
    assert recomputed.n_cases == cases


def test_a_quoted_claim_is_not_read_as_a_number(judged: Judged) -> None:
    [place] = judged("all").printings
    assert (place.printed, place.verdict) == ((), "quoted")
