"""Instrument: the episodes that demotion wrote, each with what it was made of."""

from __future__ import annotations

from collections.abc import Mapping

from tieout.instruments import Rows
from tieout.instruments.description import Description
from tieout.instruments.tiered_inputs import INPUTS, PARAMETERS, SOURCE
from tieout.instruments.tiered_memory import steps

DESCRIPTION = Description(
    title="Tiered memory: the episodes",
    says="What turns became when they left the working set: a heading and the decisions, entities and open questions "
    "that they stated. A policy that only truncates writes none.",
    source=SOURCE,
    inputs=INPUTS,
    output={
        "policy": "string, demotion; truncation has no row",
        "episode": "integer, number in the order of writing",
        "request": "integer, the user's turn at which it was written",
        "first_turn": "integer, the oldest turn in it",
        "last_turn": "integer, the newest turn in it",
        "turns": "integer, turns in it",
        "turn_tokens": "integer, tokens of these turns",
        "tokens": "integer, tokens of the episode",
        "items": "integer, lines that it keeps",
        "text": "string, the episode as it stands in a prompt",
    },
    parameters=PARAMETERS,
)


def run(
    inputs: Mapping[str, Rows], parameters: Mapping[str, object], seed: int | None
) -> list[dict[str, object]]:
    """One row a policy and episode."""
    _, played = steps(inputs, parameters, seed)
    return [
        {
            "policy": step.policy,
            "episode": episode.number,
            "request": episode.request,
            "first_turn": episode.turns[0],
            "last_turn": episode.turns[-1],
            "turns": len(episode.turns),
            "turn_tokens": episode.turn_tokens,
            "tokens": episode.tokens,
            "items": len(episode.items),
            "text": episode.text,
        }
        for step in played
        for episode in step.episodes
    ]
