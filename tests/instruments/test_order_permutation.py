"""The permutation test gives what the author printed, what a direct calculation gives, and nothing undefined."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tieout.instruments import InstrumentRefused
from tieout.instruments.order_permutation import QUANTILES, quantile, run

THEMES = ["attachment", "rupture", "agency", "escape", "identity", "social_critique", "mortality", "renewal"]
PARAMETERS = {"themes": THEMES, "shuffles": 10_000}

# album: observed, mean shuffled, ends of the central 95 %, as the article's table prints them
PRINTED = {
    "rhcp": ("0.830", "0.795", "0.756", "0.835"),
    "roach": ("0.851", "0.832", "0.795", "0.870"),
    "beatles": ("0.623", "0.633", "0.560", "0.710"),
    "natalia": ("0.781", "0.756", "0.701", "0.815"),
}


@pytest.fixture(scope="module")
def ratings(studies: Path) -> list[dict[str, object]]:
    path = studies / "album-memory-1" / "theme_ratings.csv"
    with path.open(encoding="utf-8", newline="") as stream:
        return [
            {name: cell if name in ("album", "track_id") else int(cell) for name, cell in row.items()}
            for row in csv.DictReader(stream)
        ]


def small(vectors: Sequence[Sequence[int]]) -> list[dict[str, object]]:
    return [
        {"album": "a", "position": place, "x": vector[0], "y": vector[1]}
        for place, vector in enumerate(vectors, start=1)
    ]


def test_the_printed_table_comes_out(ratings: list[dict[str, object]]) -> None:
    rows = run({"ratings": ratings}, PARAMETERS, 41)
    found = {
        str(row["album"]): tuple(f"{row[name]:.3f}" for name in ("observed", "mean", "low", "high"))
        for row in rows
    }
    assert found == PRINTED


def test_one_shuffle_after_the_other_gives_the_same_to_a_last_digit(ratings: list[dict[str, object]]) -> None:
    rows = {row["album"]: row for row in run({"ratings": ratings}, PARAMETERS, 41)}
    for album in PRINTED:
        vectors = np.array(
            [[row[theme] for theme in THEMES] for row in ratings if row["album"] == album], float
        )
        unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        similar = unit @ unit.T
        generator = np.random.default_rng(41)
        means = []
        for _ in range(10_000):
            order = generator.permutation(len(vectors))
            means.append(similar[order[:-1], order[1:]].mean())
        expected = [similar.diagonal(1).mean(), np.mean(means), *np.quantile(means, [0.025, 0.975])]
        assert [rows[album][name] for name in ("observed", "mean", "low", "high")] == pytest.approx(
            expected, rel=0, abs=2e-15
        )


def test_the_result_is_the_same_to_the_last_bit_whatever_the_order_of_the_rows(
    ratings: list[dict[str, object]],
) -> None:
    assert run({"ratings": ratings[::-1]}, PARAMETERS, 41) == run({"ratings": ratings}, PARAMETERS, 41)


def test_an_album_does_not_depend_on_the_others(ratings: list[dict[str, object]]) -> None:
    alone = [row for row in ratings if row["album"] == "natalia"]
    every = run({"ratings": ratings}, PARAMETERS, 41)
    assert run({"ratings": alone}, PARAMETERS, 41) == [row for row in every if row["album"] == "natalia"]


def test_two_tracks_have_one_similarity_in_either_order() -> None:
    rows = run({"ratings": small([(3, 4), (4, 3)])}, {"themes": ["x", "y"], "shuffles": 8}, 0)
    assert rows == [{"album": "a", "observed": 0.96, "mean": 0.96, "low": 0.96, "high": 0.96}]


@pytest.mark.parametrize("method", QUANTILES)
@given(
    values=st.lists(st.floats(-1, 1), min_size=1, max_size=60),
    # shares that binary64 holds exactly, so that numpy is asked for the same quantile
    share=st.integers(0, 64).map(lambda part: Fraction(part, 64)),
)
def test_quantiles_are_those_of_numpy(method: Any, values: list[float], share: Fraction) -> None:
    ordered = sorted(values)
    assert quantile(ordered, share, method) == pytest.approx(
        np.quantile(np.array(ordered), float(share), method=method), rel=1e-9, abs=1e-12
    )


@pytest.mark.parametrize(
    ("vectors", "parameters", "seed", "message"),
    [
        ([(1, 0), (0, 1)], {}, None, "shuffled orders need a seed"),
        ([(1, 0)], {}, 1, "album 'a': one track has no neighbours"),
        (
            [(1, 0), (0, 0)],
            {},
            1,
            "album 'a': track 2 is rated 0 on every theme, its similarity is undefined",
        ),
        (
            [(1, 0), (0, 1)],
            {"shufles": 3},
            1,
            "no parameter 'shufles': the parameters are themes, shuffles, central_percent, quantile",
        ),
        ([(1, 0), (0, 1)], {"shuffles": 2.0}, 1, "shuffles: expected an integer, found 2.0"),
        (
            [(1, 0), (0, 1)],
            {"quantile": "middle"},
            1,
            f"needs shuffles of at least 1, central_percent from 1 to 99 and a quantile of {', '.join(QUANTILES)}",
        ),
        ([(1, 0), (0, 1)], {"themes": []}, 1, "themes: expected the names of the rating columns, found []"),
        ([(1, 0), (0, 1)], {"themes": ["z"]}, 1, "z: expected an integer, found None"),
    ],
)
def test_what_has_no_answer_is_refused(
    vectors: list[tuple[int, int]], parameters: dict[str, object], seed: int | None, message: str
) -> None:
    with pytest.raises(InstrumentRefused) as caught:
        run({"ratings": small(vectors)}, {"themes": ["x", "y"], "shuffles": 3, **parameters}, seed)
    assert str(caught.value) == message
