"""Which threshold would have been chosen for an album by looking only at the others? Leave one album out.

For each held-out album the threshold with the most accepted answers on the other albums is chosen. Thresholds that
are accepted equally often are told apart by the parameter `tie_break`; the table also holds what another tie-break
would have chosen, so that a ledger can show every reading.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tieout.instruments import InstrumentRefused, Rows, flag, integer, refuse_unknown, table, text
from tieout.instruments.description import Description

PARAMETERS = ("policy", "tie_break")
DESCRIPTION = Description(
    title="Leave-one-album-out choice of a threshold",
    says="For each album, the threshold that is accepted most often on the other albums; the table says what another "
    "tie-break would have chosen.",
    source="part-ii, reproduction and revision record",
    inputs={
        "trajectories": {
            "album": "string, the album of the question",
            "policy": "string, the memory policy",
            "threshold": "integer, the controller's threshold",
            "answerable": "boolean, whether the cards can answer the question",
            "accepted": "boolean, whether the evaluator accepted the answer",
            "input_tokens": "integer, input tokens of the trajectory",
            "output_tokens": "integer, output tokens of the trajectory",
        }
    },
    output={
        "held_out_album": "string, the album that was left out",
        "threshold": "integer, the threshold chosen on the others",
        "accepted_elsewhere": "integer, answers accepted on the others at that threshold",
        "tokens_elsewhere": "integer, tokens spent on the others at that threshold",
        "tied": "integer, thresholds accepted as often on the others",
        "lowest_tied": "integer, the lowest of them",
        "highest_tied": "integer, the highest of them",
    },
    parameters={
        "policy": "string, whose thresholds are compared",
        "tie_break": "string, fewest-tokens (default), lowest-threshold or highest-threshold",
    },
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """One threshold as it did on the albums that were not held out; tokens are input and output together."""

    threshold: int
    accepted: int
    tokens: int


TIE_BREAKS: Mapping[str, Callable[[Candidate], tuple[int, ...]]] = {
    "fewest-tokens": lambda candidate: (candidate.tokens, candidate.threshold),
    "lowest-threshold": lambda candidate: (candidate.threshold,),
    "highest-threshold": lambda candidate: (-candidate.threshold,),
}


def run(
    inputs: Mapping[str, Rows], parameters: Mapping[str, object], seed: int | None
) -> list[dict[str, object]]:
    """One row a held-out album: `held_out_album`, `threshold`, and what the choice rests on.

    `accepted_elsewhere` and `tokens_elsewhere` are those of the chosen threshold over the other albums: accepted
    answers of answerable cases, and all tokens of all cases, unanswerable ones included. `tied` is the number of
    thresholds accepted as often, `lowest_tied` and `highest_tied` are the outermost of them.

    Input `trajectories`: `album`, `policy`, `threshold`, `answerable`, `accepted`, `input_tokens`, `output_tokens`.
    Parameters: `policy`, whose thresholds are compared; `tie_break`, one of TIE_BREAKS, by default `fewest-tokens`.
    Draws nothing at random, so the seed must be None.

    Raises InstrumentRefused for an unknown parameter, a seed, fewer than two albums, or a threshold that was not run
    on every album.
    """
    refuse_unknown(parameters, PARAMETERS)
    if seed is not None:
        raise InstrumentRefused("draws nothing at random: takes no seed")
    policy = text(parameters, "policy")
    tie_break = text({"tie_break": "fewest-tokens", **parameters}, "tie_break")
    if tie_break not in TIE_BREAKS:
        raise InstrumentRefused(f"tie_break: expected one of {', '.join(TIE_BREAKS)}, found {tie_break!r}")
    totals = _totals(table(inputs, "trajectories"), policy)
    albums = sorted({album for album, _ in totals})
    thresholds = sorted({threshold for _, threshold in totals})
    if len(albums) < 2:
        raise InstrumentRefused(f"policy {policy!r}: needs at least two albums to leave one out")
    rows: list[dict[str, object]] = []
    for held_out in albums:
        candidates = [_elsewhere(totals, albums, held_out, threshold) for threshold in thresholds]
        most = max(candidate.accepted for candidate in candidates)
        tied = [candidate for candidate in candidates if candidate.accepted == most]
        chosen = min(tied, key=TIE_BREAKS[tie_break])
        rows.append(
            {
                "held_out_album": held_out,
                "threshold": chosen.threshold,
                "accepted_elsewhere": chosen.accepted,
                "tokens_elsewhere": chosen.tokens,
                "tied": len(tied),
                "lowest_tied": min(candidate.threshold for candidate in tied),
                "highest_tied": max(candidate.threshold for candidate in tied),
            }
        )
    return rows


def _totals(trajectories: Rows, policy: str) -> dict[tuple[str, int], tuple[int, int]]:
    totals: dict[tuple[str, int], tuple[int, int]] = {}
    for row in trajectories:
        if text(row, "policy") != policy:
            continue
        place = (text(row, "album"), integer(row, "threshold"))
        accepted, tokens = totals.get(place, (0, 0))
        counts = flag(row, "answerable") and flag(row, "accepted")
        totals[place] = (
            accepted + counts,
            tokens + integer(row, "input_tokens") + integer(row, "output_tokens"),
        )
    return totals


def _elsewhere(
    totals: Mapping[tuple[str, int], tuple[int, int]], albums: list[str], held_out: str, threshold: int
) -> Candidate:
    others = []
    for album in albums:
        if (album, threshold) not in totals:
            raise InstrumentRefused(f"threshold {threshold} was not run on album {album!r}")
        if album != held_out:
            others.append(totals[album, threshold])
    return Candidate(
        threshold=threshold,
        accepted=sum(accepted for accepted, _ in others),
        tokens=sum(tokens for _, tokens in others),
    )
