"""Does the order of an album's tracks carry a signal? Neighbours' similarity against shuffled orders.

For each album: the cosine similarity of the theme ratings of each two neighbouring tracks, averaged (`observed`); the
same average for `shuffles` random orders, its mean (`mean`) and its central `central_percent` per cent (`low`, `high`).
Every album starts a generator of its own from the seed. The result is the same to the last digit everywhere: dot
products are of small integers and exact, sums are taken elementwise in a fixed order or by `math.fsum`, and nothing
calls a BLAS.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from tieout.instruments import InstrumentRefused, Rows, integer, refuse_unknown, table, text
from tieout.instruments.description import Description

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PARAMETERS = ("themes", "shuffles", "central_percent", "quantile")
DESCRIPTION = Description(
    title="Order of a sequence against shuffled orders",
    says="The mean cosine similarity of neighbours in an ordered set of ratings, beside the same mean for shuffled "
    "orders and their central range.",
    source="part-i, section VI",
    inputs={
        "ratings": {
            "album": "string, the ordered set",
            "position": "integer, the place in it",
            # and an integer column for each name in the parameter `themes`
        }
    },
    output={
        "album": "string, the ordered set",
        "observed": "number, mean similarity of neighbours in the given order, -1 to 1",
        "mean": "number, mean of the same over the shuffled orders",
        "low": "number, lower end of their central range",
        "high": "number, upper end of their central range",
    },
    parameters={
        "themes": "list of strings, the rating columns, integers",
        "shuffles": "integer, shuffled orders for each set, at least 1",
        "central_percent": "integer, width of the central range in per cent, by default 95",
        "quantile": "string, linear (default), inverted_cdf, hazen, weibull or median_unbiased",
    },
    seeded=True,
)

# Position of a quantile among n sorted values, counted from 1, is n*q + alpha + q*(1 - alpha - beta): Hyndman and Fan,
# "Sample Quantiles in Statistical Packages", The American Statistician 50 (1996), definitions 5 to 8.
_PLOTTING: Mapping[str, Fraction] = {
    "hazen": Fraction(1, 2),
    "weibull": Fraction(0),
    "linear": Fraction(1),
    "median_unbiased": Fraction(1, 3),
}
# definition 1: the smallest value that at least the share q of all values does not exceed
_INVERTED = "inverted_cdf"
QUANTILES = (_INVERTED, *_PLOTTING)


def run(
    inputs: Mapping[str, Rows], parameters: Mapping[str, object], seed: int | None
) -> list[dict[str, object]]:
    """One row an album: `album`, `observed`, `mean`, `low`, `high`.

    Input `ratings`: `album`, `position` and the columns named by the parameter `themes`, integers. Parameters:
    `themes`; `shuffles`, at least 1; `central_percent`, 1 to 99, by default 95; `quantile`, one of QUANTILES, by
    default `linear`.

    Raises InstrumentRefused for a missing seed, an unknown parameter, an album of one track, and a track rated zero on
    every theme, whose similarity to another is undefined.
    """
    refuse_unknown(parameters, PARAMETERS)
    if seed is None:
        raise InstrumentRefused("shuffled orders need a seed")
    settings: dict[str, object] = {"central_percent": 95, "quantile": "linear", **parameters}
    shuffles = integer(settings, "shuffles")
    percent = integer(settings, "central_percent")
    method = text(settings, "quantile")
    if shuffles < 1 or not 1 <= percent <= 99 or method not in QUANTILES:
        raise InstrumentRefused(
            f"needs shuffles of at least 1, central_percent from 1 to 99 and a quantile of {', '.join(QUANTILES)}"
        )
    tail = Fraction(100 - percent, 200)
    rows: list[dict[str, object]] = []
    for album, vectors in sorted(_by_album(table(inputs, "ratings"), _themes(parameters)).items()):
        similar = _similarities(album, vectors)
        observed = _adjacency(similar, range(len(vectors)))
        shuffled = sorted(_shuffled(similar, shuffles, seed))
        rows.append(
            {
                "album": album,
                "observed": observed,
                "mean": math.fsum(shuffled) / shuffles,
                "low": quantile(shuffled, tail, method),
                "high": quantile(shuffled, 1 - tail, method),
            }
        )
    return rows


def quantile(ordered: Sequence[float], share: Fraction, method: str) -> float:
    """The value below which `share` of the `ordered` values lie, by one of the definitions of QUANTILES."""
    count = len(ordered)
    if method == _INVERTED:
        return ordered[max(math.ceil(count * share), 1) - 1]
    alpha = _PLOTTING[method]
    place = count * share + alpha + share * (1 - 2 * alpha)
    place = min(max(place, Fraction(1)), Fraction(count))
    below = math.floor(place)
    if below == count:
        return ordered[-1]
    low, high = ordered[below - 1], ordered[below]
    return low + (high - low) * float(place - below)


def _themes(parameters: Mapping[str, object]) -> list[str]:
    themes = parameters.get("themes")
    if not isinstance(themes, list) or not themes or not all(isinstance(name, str) for name in themes):
        raise InstrumentRefused(f"themes: expected the names of the rating columns, found {themes!r}")
    return themes


def _by_album(ratings: Rows, themes: Sequence[str]) -> dict[str, list[list[int]]]:
    albums: dict[str, list[tuple[int, list[int]]]] = {}
    for row in ratings:
        vector = [integer(row, theme) for theme in themes]
        albums.setdefault(text(row, "album"), []).append((integer(row, "position"), vector))
    return {album: [vector for _, vector in sorted(tracks)] for album, tracks in albums.items()}


def _similarities(album: str, vectors: Sequence[Sequence[int]]) -> list[list[float]]:
    squares = [sum(value * value for value in vector) for vector in vectors]
    if len(vectors) < 2:
        raise InstrumentRefused(f"album {album!r}: one track has no neighbours")
    if 0 in squares:
        raise InstrumentRefused(
            f"album {album!r}: track {squares.index(0) + 1} is rated 0 on every theme, its similarity is undefined"
        )
    return [
        [
            sum(a * b for a, b in zip(left, right, strict=True)) / math.sqrt(squares[i] * squares[j])
            for j, right in enumerate(vectors)
        ]
        for i, left in enumerate(vectors)
    ]


def _adjacency(similar: Sequence[Sequence[float]], order: Sequence[int]) -> float:
    total = 0.0
    for left, right in itertools.pairwise(order):
        total += similar[left][right]
    return total / (len(order) - 1)


def _shuffled(similar: Sequence[Sequence[float]], shuffles: int, seed: int) -> list[float]:
    import numpy as np

    count = len(similar)
    # one shuffle a row: the stream is that of `permutation` called once for each shuffle
    orders = np.random.default_rng(seed).permuted(np.tile(np.arange(count), (shuffles, 1)), axis=1)
    matrix: NDArray[np.float64] = np.array(similar)
    total: NDArray[np.float64] = np.zeros(shuffles)
    for place in range(count - 1):
        total += matrix[orders[:, place], orders[:, place + 1]]
    averages: list[float] = (total / (count - 1)).tolist()
    return averages
