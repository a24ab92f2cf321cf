"""Instrument: every part of every prompt that was assembled, so that each can be read and hashed again."""

from __future__ import annotations

from collections.abc import Mapping

from tieout.instruments import Rows
from tieout.instruments.description import Description
from tieout.instruments.tiered_inputs import INPUTS, PARAMETERS, SOURCE
from tieout.instruments.tiered_memory import steps

DESCRIPTION = Description(
    title="Tiered memory: the prompts, part by part",
    says="Each request's prompt under each policy of eviction: the frame whole, episodes and chunks by rank, the "
    "newest turns. Joined by newlines in the order of their positions, the texts are the prompt.",
    source=SOURCE,
    inputs=INPUTS,
    output={
        "policy": "string, demotion or truncation",
        "request": "integer, the user's turn that the prompt is for",
        "position": "integer, place in the prompt, from 1",
        "tier": "string, system, episodic, semantic or working",
        "part": "string, name of the frame's line, episode, chunk or turn",
        "tokens": "integer, tokens of the part",
        "text": "string, the part as it stands in the prompt",
    },
    parameters=PARAMETERS,
)


def run(
    inputs: Mapping[str, Rows], parameters: Mapping[str, object], seed: int | None
) -> list[dict[str, object]]:
    """One row a policy, request and part of the prompt."""
    _, played = steps(inputs, parameters, seed)
    return [
        {
            "policy": step.policy,
            "request": step.request,
            "position": position,
            "tier": part.tier,
            "part": part.name,
            "tokens": part.tokens,
            "text": part.text,
        }
        for step in played
        for position, part in enumerate(step.prompt.parts, 1)
    ]
