"""What the album studies declare before any run: their settings, the parameters that no receipt shows, and titles.

The plans are written out from the declared settings and not read off the runs, so that a run that is missing is missed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product

from tieout.importers.album_readers import THEMES

Row = dict[str, object]

# short name -> title and number of tracks; the hidden track of Infest is a unit of its own
ALBUMS: Mapping[str, tuple[str, int]] = {
    "rhcp": ("Californication", 15),
    "roach": ("Infest", 12),
    "beatles": ("Abbey Road", 17),
    "natalia": ("De todas las flores", 12),
}
NO_CAP = 100_000
PRIMARY_THRESHOLD = 3

_TASKS = ("local", "distant", "transformation", "contradiction", "multi_hop", "abstention")
_RANKED = ("relational", "tfidf", "embedding")
_CAPS = (400, 800, 1200, 1600, 2400)
# policy, memory cap in tokens, threshold
_SETTINGS = (
    *((policy, cap, PRIMARY_THRESHOLD) for policy, cap in product(_RANKED, _CAPS)),
    *((policy, NO_CAP, PRIMARY_THRESHOLD) for policy in ("full", "recent")),
    ("summary", 300, PRIMARY_THRESHOLD),
    *(("adaptive", NO_CAP, threshold) for threshold in (2, PRIMARY_THRESHOLD, 4)),
)
_PILOT_POLICIES = ("full", "recent3", "selective6", "summary")
_PROBES = ("return", "change", "counterevidence")
_REPETITIONS = range(3)


@dataclass(frozen=True, kw_only=True, slots=True)
class Derived:
    """A table that an instrument makes of others: `inputs` are tables of the package by the instrument's names."""

    table: str
    schema: str
    instrument: str
    inputs: Mapping[str, str]
    parameters: Mapping[str, object] = field(default_factory=dict)
    seed: int | None = None


def _order_permutation(table: str, quantile: str) -> Derived:
    return Derived(
        table=table,
        schema="order_permutation",
        instrument="order-permutation",
        inputs={"ratings": "theme_ratings"},
        parameters={
            "themes": list(THEMES),
            "shuffles": 10_000,
            "central_percent": 95,
            "quantile": quantile,
        },
        seed=41,
    )


DERIVED: Mapping[str, tuple[Derived, ...]] = {
    # the study doesn't say which quantile its central range takes, so the package holds each that is in common use
    "album-memory-1": (
        _order_permutation("order_permutation", "linear"),
        _order_permutation("order_permutation_inverted_cdf", "inverted_cdf"),
        _order_permutation("order_permutation_median_unbiased", "median_unbiased"),
    ),
    "album-memory-2": (
        Derived(
            table="threshold_selection",
            schema="threshold_selection",
            instrument="threshold-selection",
            inputs={"trajectories": "trajectories"},
            parameters={"policy": "adaptive", "tie_break": "fewest-tokens"},
        ),
    ),
}


def albums() -> list[Row]:
    """The albums of the corpus."""
    return [{"album": album, "title": title, "tracks": tracks} for album, (title, tracks) in ALBUMS.items()]


def pilot_plan() -> list[Row]:
    """The answers that album-memory-1 declared: 4 albums, 4 policies, 3 probes, 3 repetitions."""
    return [
        {"album": album, "policy": policy, "probe": probe, "repetition": repetition}
        for album, policy, probe, repetition in product(ALBUMS, _PILOT_POLICIES, _PROBES, _REPETITIONS)
    ]


def allocation_plan() -> list[Row]:
    """The trajectories that album-memory-2 declared: 4 albums, 6 tasks, 21 settings."""
    return [
        {"album": album, "task": task, "policy": policy, "cap": cap, "threshold": threshold}
        for album, task, (policy, cap, threshold) in product(ALBUMS, _TASKS, _SETTINGS)
    ]


def pilot_design() -> list[Row]:
    """Parameters of album-memory-1 that its receipts don't show."""
    return [
        _parameter("shuffles", 10_000, "orders", "the study's note on its order permutation"),
        _parameter("seed", 41, "seed", "the study's note on its order permutation"),
        _parameter("central_percent", 95, "percent", "the study's table of the order permutation"),
        _parameter("theme_rating_maximum", 3, "points", "the study's note on its theme ratings"),
        _parameter("judge_rating_maximum", 4, "points", "the study's table of the policies"),
    ]


def allocation_design() -> list[Row]:
    """Parameters of album-memory-2 that its receipts don't show."""
    return [
        _parameter("no_cap", NO_CAP, "tokens", "the study's note on its memory caps: it stands for no cap"),
        _parameter("primary_threshold", PRIMARY_THRESHOLD, "points", "the study's overview table"),
    ]


def _parameter(parameter: str, value: int, unit: str, source: str) -> Row:
    return {"parameter": parameter, "value": value, "unit": unit, "source": source}
