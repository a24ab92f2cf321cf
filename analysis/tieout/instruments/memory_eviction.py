"""What becomes of turns that L1 has no room for: an episode that keeps what the contract covers, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from tieout.instruments import InstrumentRefused
from tieout.instruments.memory_assembly import newest
from tieout.instruments.memory_tiers import KINDS, Episode, Item, Memory, Turn


@dataclass(frozen=True, kw_only=True, slots=True)
class Codec:
    """How an episode is written: its most tokens, and the tokens of its heading."""

    limit: int
    heading: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Eviction:
    """What a request evicted: the memory afterwards, the turns that left L1, and the episodes they became."""

    memory: Memory
    turns: tuple[Turn, ...]
    episodes: tuple[Episode, ...]


def demote(memory: Memory, working: int, codec: Codec) -> Eviction:
    """Oldest turns leave L1 until the rest is within `working` tokens, and go to L2 as episodes.

    An episode takes turns while its heading and items are within the limit; then the next begins. Of a turn it keeps
    the decisions, the entities, and the questions that are open at the newest turn, each line once.
    Raises InstrumentRefused for a turn whose items alone are over the limit: a shorter summary breaks the contract.
    """
    evicted, kept = _split(memory, working)
    episodes = tuple(_episodes(evicted, memory, codec))
    after = replace(memory, turns=kept, episodes=(*memory.episodes, *episodes))
    return Eviction(memory=after, turns=evicted, episodes=episodes)


def truncate(memory: Memory, working: int, codec: Codec) -> Eviction:  # noqa: ARG001 - called like `demote`
    """The same turns leave L1, and nothing is kept of them."""
    evicted, kept = _split(memory, working)
    return Eviction(memory=replace(memory, turns=kept), turns=evicted, episodes=())


POLICIES: Mapping[str, Callable[[Memory, int, Codec], Eviction]] = {
    "demotion": demote,
    "truncation": truncate,
}


def _split(memory: Memory, working: int) -> tuple[tuple[Turn, ...], tuple[Turn, ...]]:
    kept = newest(memory.turns, working)
    return memory.turns[: len(memory.turns) - len(kept)], kept


def _episodes(evicted: tuple[Turn, ...], memory: Memory, codec: Codec) -> Iterator[Episode]:
    if not evicted:
        return
    request = memory.turns[-1].number
    number = len(memory.episodes)
    gathered: list[Turn] = []
    for turn in evicted:
        if _size([turn], request, codec) > codec.limit:
            raise InstrumentRefused(
                f"turn {turn.number}: what must be kept of it takes {_size([turn], request, codec)} tokens "
                f"with a heading; an episode has at most {codec.limit}"
            )
        if gathered and _size([*gathered, turn], request, codec) > codec.limit:
            number += 1
            yield _episode(number, gathered, request, codec)
            gathered = []
        gathered.append(turn)
    yield _episode(number + 1, gathered, request, codec)


def _episode(number: int, turns: list[Turn], request: int, codec: Codec) -> Episode:
    return Episode(
        number=number,
        request=request,
        turns=tuple(turn.number for turn in turns),
        turn_tokens=sum(turn.tokens for turn in turns),
        time=turns[-1].time,
        items=_kept(turns, request),
        tokens=_size(turns, request, codec),
    )


def _size(turns: Iterable[Turn], request: int, codec: Codec) -> int:
    return codec.heading + sum(item.tokens for item in _kept(turns, request))


def _kept(turns: Iterable[Turn], request: int) -> tuple[Item, ...]:
    lines: dict[str, Item] = {}
    for item in (item for turn in turns for item in turn.items):
        if item.due(request):
            lines.setdefault(item.line, item)
    return tuple(sorted(lines.values(), key=lambda item: KINDS.index(item.kind)))
