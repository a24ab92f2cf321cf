"""Instrument: which decisions, entities and questions the memory still holds when the conversation is over."""

from __future__ import annotations

from collections.abc import Mapping

from tieout.instruments import Rows
from tieout.instruments.description import Description
from tieout.instruments.memory_tiers import Memory
from tieout.instruments.tiered_inputs import INPUTS, PARAMETERS, SOURCE
from tieout.instruments.tiered_memory import steps

DESCRIPTION = Description(
    title="Tiered memory: what is preserved",
    says="Each decision, entity and question: when its turn left the working set, whether the contract covers it, and "
    "whether memory holds it after the last request. It is looked for in the memory's text, not in how that was made.",
    source=SOURCE,
    inputs=INPUTS,
    output={
        "policy": "string, demotion or truncation",
        "item": "string, name of the item",
        "kind": "string, decision, entity or question",
        "turn": "integer, the turn that states it",
        "evicted_at": "integer or null, the request at which that turn left L1; null where it never did",
        "due": "boolean, whether it is to survive: anything but a question that was settled when its turn left",
        "in_memory": "boolean, whether L1 holds its turn or an episode holds its line, after the last request",
    },
    parameters=PARAMETERS,
)


def run(
    inputs: Mapping[str, Rows], parameters: Mapping[str, object], seed: int | None
) -> list[dict[str, object]]:
    """One row a policy and item of a turn up to the last request."""
    conversation, played = steps(inputs, parameters, seed)
    last = {step.policy: step for step in played}
    left = {(step.policy, turn.number): step.request for step in played for turn in step.evicted}
    return [
        {
            "policy": policy,
            "item": item.name,
            "kind": item.kind,
            "turn": item.turn,
            "evicted_at": left.get((policy, item.turn)),
            "due": item.due(left.get((policy, item.turn), item.turn)),
            "in_memory": held(step.memory, item.turn, item.line),
        }
        for policy, step in last.items()
        for item in conversation.items
        if item.turn <= step.request
    ]


def held(memory: Memory, turn: int, line: str) -> bool:
    """Whether L1 holds the turn, or an episode's text has the line."""
    return any(one.number == turn for one in memory.turns) or any(
        line in episode.text.split("\n") for episode in memory.episodes
    )
