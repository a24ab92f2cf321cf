"""A prompt as a pure function of memory and budget, and what differs between two prompts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tieout.instruments import InstrumentRefused
from tieout.instruments.memory_ranking import Ranker, Retrieval, rank
from tieout.instruments.memory_tiers import Budget, Memory, Part, Turn, digest


@dataclass(frozen=True, kw_only=True, slots=True)
class Prompt:
    """An assembled prompt: its parts in order, and the log of every candidate that was scored for it, by tier."""

    parts: tuple[Part, ...]
    episodic: tuple[Retrieval, ...]
    semantic: tuple[Retrieval, ...]

    @property
    def text(self) -> str:
        """What a model is sent."""
        return "\n".join(part.text for part in self.parts)

    @property
    def digest(self) -> str:
        """SHA-256 of the text."""
        return digest(self.text)

    def tokens(self, tier: str) -> int:
        """Tokens of one tier's parts."""
        return sum(part.tokens for part in self.parts if part.tier == tier)


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """A part that two prompts don't share: `added`, `removed`, `changed` (another text) or `moved` among the shared."""

    tier: str
    name: str
    change: str


def assemble(memory: Memory, budget: Budget, ranker: Ranker) -> Prompt:
    """The prompt of the newest turn of L1, which is its query and its time. Nothing is read but the arguments.

    L0 stands whole, then episodes and chunks by rank, then the turns as they were spoken. L1 is taken newest first
    until a turn does not fit, so it is never one with a gap. The reserve is given to none of them.
    Raises InstrumentRefused where L0 or the newest turn is over its budget, since neither is ever cut, where pinned
    chunks are over theirs, and where L1 is empty.
    """
    taken = sum(part.tokens for part in memory.frame)
    if taken > budget.system:
        raise InstrumentRefused(
            f"the frame takes {taken} tokens and is never cut; its budget is {budget.system}"
        )
    turns = newest(memory.turns, budget.working)
    query = turns[-1]
    episodic = rank(memory.episodes, query.text, query.time, budget.episodic, ranker)
    semantic = rank(memory.chunks, query.text, query.time, budget.semantic, ranker)
    return Prompt(
        parts=(
            *memory.frame,
            *_retrieved("episodic", episodic),
            *_retrieved("semantic", semantic),
            *(
                Part(tier="working", name=f"turn-{turn.number}", text=turn.line, tokens=turn.tokens)
                for turn in turns
            ),
        ),
        episodic=episodic,
        semantic=semantic,
    )


def newest(turns: tuple[Turn, ...], budget: int) -> tuple[Turn, ...]:
    """The longest run of newest turns within the budget, in tokens, in the order of speaking.

    Raises InstrumentRefused where there is no turn, or the newest alone is over the budget.
    """
    first = len(turns)
    left = budget
    while first and turns[first - 1].tokens <= left:
        first -= 1
        left -= turns[first].tokens
    if not turns:
        raise InstrumentRefused("no turn to answer: L1 is empty")
    if first == len(turns):
        raise InstrumentRefused(
            f"turn {turns[-1].number} takes {turns[-1].tokens} tokens and is never cut; the budget of L1 is {budget}"
        )
    return turns[first:]


def differences(before: Iterable[Part], after: Iterable[Part]) -> tuple[Difference, ...]:
    """What was taken out, put in, reworded or moved from one prompt to another, in this order."""
    old = {(part.tier, part.name): part.text for part in before}
    new = {(part.tier, part.name): part.text for part in after}
    places = {name: place for place, name in enumerate(name for name in old if name in new)}
    shared = [name for name in new if name in old]
    moved = [name for place, name in enumerate(shared) if places[name] != place]
    return tuple(
        Difference(tier=tier, name=name, change=change)
        for change, found in (
            ("removed", [name for name in old if name not in new]),
            ("added", [name for name in new if name not in old]),
            ("changed", [name for name in shared if old[name] != new[name]]),
            ("moved", [name for name in moved if old[name] == new[name]]),
        )
        for tier, name in found
    )


def _retrieved(tier: str, log: tuple[Retrieval, ...]) -> Iterator[Part]:
    for one in log:
        if one.retrieved:
            candidate = one.candidate
            yield Part(tier=tier, name=candidate.name, text=candidate.text, tokens=candidate.tokens)
