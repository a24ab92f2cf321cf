"""The author's own tables of means, every column, from the packages' Parquet by pandas alone."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from tests.conftest import ROOT

PACKAGES = ROOT / "artifacts" / "packages"
SETTING = ["policy", "cap", "threshold"]


def table(package: str, name: str) -> pd.DataFrame:
    return pd.read_parquet(PACKAGES / package / "receipts" / f"{name}.parquet")


def settings_means(by: str) -> pd.DataFrame:
    """What the author tabulates for each setting and task, or setting and album."""
    rows = table("album-memory-2", "trajectories")
    rows["tokens"] = rows.input_tokens + rows.output_tokens
    rows["positive_accepted"] = rows.accepted & rows.answerable
    rows["screened"] = rows.positive_accepted & rows.id_aligned
    groups = rows.groupby([*SETTING, by])
    total = groups[
        [
            "answerable",
            "positive_accepted",
            "screened",
            "correct_abstention",
            "tokens",
            "target_count",
            "available_count",
            "used_when_available_count",
            "cited_target_count",
            "claims_count",
            "supported_claims",
        ]
    ].sum()
    mean = groups[["input_tokens", "tokens", "latency_ms", "rounds"]].mean()
    cases = groups.size()

    def share(part: pd.Series, whole: pd.Series) -> pd.Series:
        return part / whole.where(whole > 0)

    return pd.DataFrame(
        {
            "posthoc_screened_quality": share(total.screened, total.answerable),
            "cases": cases,
            "positive_cases": total.answerable,
            "supported_answers": total.positive_accepted,
            "quality": share(total.positive_accepted, total.answerable),
            "negative_abstention": share(total.correct_abstention, cases - total.answerable),
            "mean_input_tokens": mean.input_tokens,
            "mean_total_tokens": mean.tokens,
            "tokens_per_supported_answer": share(total.tokens, total.positive_accepted),
            "availability": share(total.available_count, total.target_count),
            "utilization": share(total.used_when_available_count, total.available_count),
            "target_recall": share(total.cited_target_count, total.target_count),
            "model_attribution": share(total.supported_claims, total.claims_count),
            "mean_receipt_latency_s": mean.latency_ms / 1000,
            "mean_rounds": mean.rounds,
        }
    )


@pytest.mark.parametrize(("by", "rows"), [("task", 126), ("album", 84)])
def test_means_of_part_ii_are_the_author_s_in_every_column(by: str, rows: int, studies: Path) -> None:
    expected = pd.read_csv(studies / "album-memory-2" / f"expected_{by}_means.csv")
    named = expected.policy + ":" + expected.cap.astype(str) + ":t" + expected.threshold.astype(str)
    assert named.tolist() == expected.setting.tolist()
    expected = expected.drop(columns="setting").set_index([*SETTING, by]).sort_index()
    found = settings_means(by)
    assert len(found) == rows
    assert set(found.columns) == set(expected.columns)
    for column in expected.columns:
        # latencies are kept to the millisecond, a mean of them is off by half of one at most
        tolerance = 0.0005 if column == "mean_receipt_latency_s" else 1e-9
        pd.testing.assert_series_equal(
            found[column].astype(float),
            expected[column].astype(float),
            check_index_type=False,
            rtol=0,
            atol=tolerance,
        )


def test_means_of_part_i_are_the_author_s_in_every_column(studies: Path) -> None:
    key = ["album", "policy", "probe"]
    expected = pd.read_csv(studies / "album-memory-1" / "expected_case_means.csv").set_index(key).sort_index()
    answers = table("album-memory-1", "answers")
    answers["evidence_recall"] = answers.cited_targets / answers.target_count
    answers["target_availability"] = answers.available_targets / answers.target_count
    answers["answer_within_90_words"] = answers.within_90_words
    cited = table("album-memory-1", "answer_evidence").dropna(subset="track_id")
    cited = cited.merge(answers[["case_id", "album"]]).merge(table("album-memory-1", "albums"))
    number = cited.track_id.str[1:].astype(int)
    half = cited.tracks // 2
    first = set(cited.case_id[number <= half])
    second = set(cited.case_id[(number > half) & (number <= cited.tracks)])
    answers["citations_span_halves"] = answers.case_id.isin(first & second)
    found = answers.groupby(key)[expected.columns.tolist()].mean()
    assert len(found) == 48
    pd.testing.assert_frame_equal(
        found.astype(float), expected.astype(float), check_index_type=False, rtol=0, atol=1e-12
    )
