"""Instrument: what each request spent by tier, and the digests of its memory, its prompt and the prompt replayed."""

from __future__ import annotations

from collections.abc import Mapping

from tieout.instruments import Rows
from tieout.instruments.description import Description
from tieout.instruments.memory_tiers import digest
from tieout.instruments.tiered_inputs import INPUTS, PARAMETERS, SOURCE
from tieout.instruments.tiered_memory import steps

DESCRIPTION = Description(
    title="Tiered memory: the requests",
    says="Tokens of each request by tier under each policy of eviction, beside the tokens of a prompt that holds "
    "everything, and digests: of the memory, of the prompt, of the prompt assembled again from the memory's snapshot.",
    source=SOURCE,
    inputs=INPUTS,
    output={
        "policy": "string, demotion or truncation",
        "request": "integer, the user's turn that the prompt is for",
        "system_tokens": "integer, tokens of the frame, L0",
        "working_tokens": "integer, tokens of turns, L1",
        "episodic_tokens": "integer, tokens of episodes, L2",
        "semantic_tokens": "integer, tokens of chunks, L3",
        "prompt_tokens": "integer, tokens of all four",
        "everything_tokens": "integer, tokens of the frame, every turn so far and every chunk known",
        "evicted_turns": "integer, turns that left L1 at this request",
        "new_episodes": "integer, episodes written at this request",
        "memory_digest": "string, SHA-256 of the memory's snapshot",
        "prompt_digest": "string, SHA-256 of the prompt",
        "replay_digest": "string, SHA-256 of the prompt assembled from the snapshot",
    },
    parameters=PARAMETERS,
)
TIERS = ("system", "working", "episodic", "semantic")


def run(
    inputs: Mapping[str, Rows], parameters: Mapping[str, object], seed: int | None
) -> list[dict[str, object]]:
    """One row a policy and request."""
    _, played = steps(inputs, parameters, seed)
    return [
        {
            "policy": step.policy,
            "request": step.request,
            **{f"{tier}_tokens": step.prompt.tokens(tier) for tier in TIERS},
            "prompt_tokens": sum(part.tokens for part in step.prompt.parts),
            "everything_tokens": step.everything,
            "evicted_turns": len(step.evicted),
            "new_episodes": len(step.episodes),
            "memory_digest": digest(step.memory.snapshot()),
            "prompt_digest": step.prompt.digest,
            "replay_digest": step.replayed,
        }
        for step in played
    ]
