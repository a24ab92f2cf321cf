"""A difference is diagnosed from what the engine says of other quantities; the verdict stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import build
from tieout.verify import Options, verify

PLAIN = {"trials": {"policy": "plain"}}
SUCCEEDED = (
    "SELECT count(*) FILTER (WHERE success) AS numerator, count(DISTINCT task_id) AS denominator FROM trials"
)
INPUT = "SELECT sum(input_tokens) AS count FROM trials"
MEAN = "SELECT sum(input_tokens) AS numerator, count(*) AS denominator FROM trials"

CASES = [
    # 3 of 4 over all eight trials
    (build.claim("all-rows", "37.5%"), "It would print so for another quantity: over all of trials."),
    # 3 successes over 2 tasks is 1.5; over the 4 filtered trials it is 0.75
    (
        build.claim("filtered-rows", "0.75", sql=SUCCEEDED, where=PLAIN, combine="ratio", unit="x"),
        "It would print so for another quantity: over the filtered rows of trials.",
    ),
    (build.claim("the-rest", "25%"), "It would print so for another quantity: the share of the rest."),
    # 407 input tokens under plain, 20 of them cached
    (
        build.claim("cached", "427", sql=INPUT, where=PLAIN, combine="sum", unit="tokens"),
        "It would print so for another quantity: cached input added to the input that holds it already.",
    ),
    (
        build.claim("roll-up", "814", sql=INPUT, where=PLAIN, combine="sum", unit="tokens"),
        "It would print so twice as large: a roll-up may have been counted twice.",
    ),
    # 407 / 4 = 101.75
    (
        build.claim("truncated", "101", sql=MEAN, where=PLAIN, combine="ratio", unit="tokens"),
        "It would print so if truncated.",
    ),
    (
        build.claim("percent", "0.75%"),
        "It would print so 100 times as small: a proportion may stand for a percentage.",
    ),
    # 102 printed for 101.75, so 1 / 102 = 0.0098039 where 1 / 101.75 = 0.0098280
    (
        build.claim("rounded", "0.009804", formula="1 / a", from_={"a": "rounded-input"}),
        "It would print so if computed from the rounded inputs.",
    ),
    (build.claim("nothing-known", "3"), None),
]
ROUNDED = build.claim(
    "rounded-input",
    "102",
    sql=MEAN,
    where=PLAIN,
    combine="ratio",
    unit="tokens",
)


@pytest.fixture(scope="module")
def diagnoses(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, str | None]]:
    root: Path = build.artifacts(tmp_path_factory.mktemp("hints"), [ROUNDED, *(case for case, _ in CASES)])
    report = verify([root], Options(frozen=False, locked=False))
    return {claim.claim.id: (place.verdict, place.diagnosis) for _, claim, place in report.printings()}


@pytest.mark.parametrize(("name", "diagnosis"), [(case["id"], diagnosis) for case, diagnosis in CASES])
def test_a_difference_says_what_would_print_so(
    diagnoses: dict[str, tuple[str, str | None]], name: str, diagnosis: str | None
) -> None:
    assert diagnoses[name] == ("differs", diagnosis)
