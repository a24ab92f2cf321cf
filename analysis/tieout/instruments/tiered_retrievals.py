"""Instrument: every candidate of every retrieval with its score broken down, taken or not."""

from __future__ import annotations

from collections.abc import Mapping

from tieout.instruments import Rows
from tieout.instruments.description import Description
from tieout.instruments.tiered_inputs import INPUTS, PARAMETERS, SOURCE
from tieout.instruments.tiered_memory import steps

DESCRIPTION = Description(
    title="Tiered memory: the log of retrievals",
    says="Each episode and chunk that a request ranked: similarity, recency, pin, the score they add up to, its rank, "
    "and whether the tier's budget took it; also whether the score alone would have got it, pins being one term.",
    source=SOURCE,
    inputs=INPUTS,
    output={
        "policy": "string, demotion or truncation",
        "request": "integer, the user's turn that is the query",
        "tier": "string, episodic or semantic",
        "candidate": "string, name of the episode or chunk",
        "pinned": "boolean, whether it is retrieved whatever its score",
        "age": "integer, time since it was written, in the unit of the turns",
        "tokens": "integer, tokens of the candidate",
        "similarity": "integer, words in common with the query (Dice coefficient), in millionths",
        "recency": "integer, what the half-life has left of it, in millionths",
        "similarity_part": "integer, weight times similarity, in billionths",
        "recency_part": "integer, weight times recency, in billionths",
        "pin_part": "integer, weight of the pin or 0, in billionths",
        "score": "integer, the sum of the three parts, in billionths",
        "rank": "integer, place with pinned candidates first, from 1",
        "score_rank": "integer, place by score alone, from 1",
        "retrieved": "boolean, whether the budget took it in the order of ranks",
        "retrieved_by_score": "boolean, whether the budget would have taken it in the order of scores",
    },
    parameters=PARAMETERS,
)


def run(
    inputs: Mapping[str, Rows], parameters: Mapping[str, object], seed: int | None
) -> list[dict[str, object]]:
    """One row a policy, request, tier and candidate."""
    _, played = steps(inputs, parameters, seed)
    return [
        {
            "policy": step.policy,
            "request": step.request,
            "tier": tier,
            "candidate": one.candidate.name,
            "pinned": one.candidate.pinned,
            "age": one.age,
            "tokens": one.candidate.tokens,
            "similarity": one.similarity,
            "recency": one.recency,
            "similarity_part": one.similarity_part,
            "recency_part": one.recency_part,
            "pin_part": one.pin_part,
            "score": one.score,
            "rank": one.rank,
            "score_rank": one.score_rank,
            "retrieved": one.retrieved,
            "retrieved_by_score": one.retrieved_by_score,
        }
        for step in played
        for tier, log in (("episodic", step.prompt.episodic), ("semantic", step.prompt.semantic))
        for one in log
    ]
