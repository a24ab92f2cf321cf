"""A declared conversation played request by request under a policy of eviction, each assembled and replayed.

Every turn of the user is a request. Turns enter L1 as they are spoken; at a request L1 is brought within its budget by
the policy, the prompt is assembled, and the state is written down, restored and assembled again, which must give the
same digest. The tables of the instruments `tiered-memory-…` are all read off these steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from tieout.instruments import Rows
from tieout.instruments.memory_assembly import Prompt, assemble
from tieout.instruments.memory_eviction import POLICIES
from tieout.instruments.memory_tiers import Episode, Memory, Turn, restore
from tieout.instruments.tiered_inputs import Conversation, policies, read_conversation


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """One request under one policy; `memory` is the state that the prompt was assembled from, after eviction.

    `replayed` is the digest of the prompt assembled from the snapshot of that state; `everything` the tokens of a
    prompt without any memory design: the frame, every turn so far and every chunk.
    """

    policy: str
    request: int
    memory: Memory
    prompt: Prompt
    replayed: str
    evicted: tuple[Turn, ...]
    episodes: tuple[Episode, ...]
    everything: int


def steps(
    inputs: Mapping[str, Rows], parameters: Mapping[str, object], seed: int | None
) -> tuple[Conversation, tuple[Step, ...]]:
    """The conversation that the tables declare, and every request of it under every policy that the parameters name.

    Raises InstrumentRefused as `read_conversation`, `policies`, `assemble` and the policies do.
    """
    named = policies(parameters, seed)
    conversation = read_conversation(inputs)
    return conversation, _played(conversation, tuple(named))


@lru_cache(maxsize=1)  # every table of a package is read off the same steps
def _played(conversation: Conversation, named: tuple[str, ...]) -> tuple[Step, ...]:
    return tuple(step for policy in named for step in play(conversation, policy))


def play(conversation: Conversation, policy: str) -> Iterator[Step]:
    """Every request of a conversation under one of `POLICIES`, in order."""
    memory = Memory(frame=conversation.frame, turns=(), episodes=(), chunks=())
    frame = sum(line.tokens for line in conversation.frame)
    spoken = 0
    for turn in conversation.turns:
        memory = replace(memory, turns=(*memory.turns, turn))
        spoken += turn.tokens
        if turn.role != "user":
            continue
        known = tuple(chunk for chunk in conversation.chunks if chunk.time <= turn.time)
        evict = POLICIES[policy]
        eviction = evict(replace(memory, chunks=known), conversation.budget.working, conversation.codec)
        memory = eviction.memory
        again = assemble(restore(memory.snapshot()), conversation.budget, conversation.ranker)
        yield Step(
            policy=policy,
            request=turn.number,
            memory=memory,
            prompt=assemble(memory, conversation.budget, conversation.ranker),
            replayed=again.digest,
            evicted=eviction.turns,
            episodes=eviction.episodes,
            everything=spoken + frame + sum(chunk.tokens for chunk in known),
        )
