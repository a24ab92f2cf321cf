"""Instrument: each turn that left the working set, when, and what took it in."""

from __future__ import annotations

from collections.abc import Mapping

from tieout.instruments import Rows
from tieout.instruments.description import Description
from tieout.instruments.tiered_inputs import INPUTS, PARAMETERS, SOURCE
from tieout.instruments.tiered_memory import steps

DESCRIPTION = Description(
    title="Tiered memory: the evictions",
    says="Each turn that the working set had no room for, the request at which it left, and the episode that holds it "
    "since; none where the policy only truncates.",
    source=SOURCE,
    inputs=INPUTS,
    output={
        "policy": "string, demotion or truncation",
        "turn": "integer, the turn that left",
        "request": "integer, the user's turn at which it left",
        "episodes": "integer, episodes that hold it",
        "episode": "integer or null, the first of them; null for none",
        "tokens": "integer, tokens of the turn",
    },
    parameters=PARAMETERS,
)


def run(
    inputs: Mapping[str, Rows], parameters: Mapping[str, object], seed: int | None
) -> list[dict[str, object]]:
    """One row a policy and turn that left."""
    _, played = steps(inputs, parameters, seed)
    return [
        {
            "policy": step.policy,
            "turn": turn.number,
            "request": step.request,
            "episodes": len(holding),
            "episode": holding[0] if holding else None,
            "tokens": turn.tokens,
        }
        for step in played
        for turn in step.evicted
        for holding in [[one.number for one in step.memory.episodes if turn.number in one.turns]]
    ]
