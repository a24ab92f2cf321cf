"""The tables of a conversation into memory, budget and settings, as the tiered-memory instruments describe them."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tieout.instruments import InstrumentRefused, Rows, flag, integer, refuse_unknown, table, text
from tieout.instruments.memory_eviction import POLICIES, Codec
from tieout.instruments.memory_ranking import Ranker
from tieout.instruments.memory_tiers import KINDS, PARTS, Budget, Chunk, Item, Part, Turn

SOURCE = "tiered-memory, sections 2 and 4"
ROLES = ("user", "assistant")
SETTINGS = (
    "similarity_weight",
    "recency_weight",
    "pin_weight",
    "half_life",
    "shortest_word",
    "episode_limit",
    "episode_heading",
)
INPUTS: Mapping[str, Mapping[str, str]] = {
    "frame": {
        "line": "integer, place in the frame that stands first in every prompt",
        "text": "string, the line",
        "tokens": "integer, tokens of the line",
    },
    "turns": {
        "turn": "integer, number in the order of speaking",
        "time": "integer, when it was said, in any one unit",
        "role": "string, user or assistant; every turn of the user is a request",
        "text": "string, what was said",
        "tokens": "integer, tokens of `role: text`",
    },
    "items": {
        "item": "string, name of the decision, entity or question",
        "turn": "integer, the turn that states it",
        "kind": "string, decision, entity or question",
        "text": "string, how an episode states it",
        "tokens": "integer, tokens of `kind: text`",
        "closed_by": "integer or null, the later turn that settles a question; null while it is open",
    },
    "chunks": {
        "chunk": "string, name of the document, fact or piece of code",
        "time": "integer, when it was written, in the unit of the turns; it may be before the first",
        "pinned": "boolean, whether it is retrieved whatever its score",
        "text": "string, the chunk",
        "tokens": "integer, its tokens",
    },
    "budget": {
        "part": f"string, total, {', '.join(PARTS)}; the parts add up to the total",
        "tokens": "integer, tokens of the part",
    },
    "settings": {
        "setting": f"string, {', '.join(SETTINGS)}",
        "value": "integer, weights in thousandths, half_life in the unit of times, the rest in letters and tokens",
    },
}
PARAMETERS: Mapping[str, str] = {
    "policies": "list of strings, demotion and truncation (default) or one of them"
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Conversation:
    """A declared conversation and everything that memory is to be made of."""

    frame: tuple[Part, ...]
    turns: tuple[Turn, ...]
    chunks: tuple[Chunk, ...]
    budget: Budget
    ranker: Ranker
    codec: Codec

    @property
    def items(self) -> tuple[Item, ...]:
        """The items of all turns, in the order of speaking."""
        return tuple(item for turn in self.turns for item in turn.items)


def read_conversation(inputs: Mapping[str, Rows]) -> Conversation:
    """The conversation that the tables of `INPUTS` declare.

    Raises InstrumentRefused for what an assembler could not keep its word on: a name twice, an unknown part, setting,
    role or kind, negative tokens, turns out of the order of time, an item of no turn
    or of more than one line, a question settled before it is asked.
    """
    settings = _named(table(inputs, "settings"), "setting", "value", SETTINGS)
    parts = _named(table(inputs, "budget"), "part", "tokens", ("total", *PARTS))
    frame = _unique(table(inputs, "frame"), "line")
    chunks = _unique(table(inputs, "chunks"), "chunk")
    return Conversation(
        frame=tuple(
            Part(tier="system", name=f"frame-{line}", text=text(row, "text"), tokens=_tokens(row))
            for line, row in sorted(frame.items(), key=lambda entry: _number(entry[0]))
        ),
        turns=_turns(inputs),
        chunks=tuple(
            Chunk(
                name=text(row, "chunk"),
                time=integer(row, "time"),
                pinned=flag(row, "pinned"),
                text=text(row, "text"),
                tokens=_tokens(row),
            )
            for _, row in sorted(chunks.items(), key=lambda entry: str(entry[0]))
        ),
        budget=Budget(**parts),
        ranker=Ranker(
            similarity_weight=settings["similarity_weight"],
            recency_weight=settings["recency_weight"],
            pin_weight=settings["pin_weight"],
            half_life=settings["half_life"],
            shortest_word=settings["shortest_word"],
        ),
        codec=Codec(limit=settings["episode_limit"], heading=settings["episode_heading"]),
    )


def policies(parameters: Mapping[str, object], seed: int | None) -> tuple[str, ...]:
    """The policies to play, from the parameter of that name.

    Raises InstrumentRefused for another parameter, an unknown policy, or a seed.
    """
    refuse_unknown(parameters, tuple(PARAMETERS))
    if seed is not None:
        raise InstrumentRefused("draws nothing at random: takes no seed")
    named = parameters.get("policies", list(POLICIES))
    if not isinstance(named, list) or not named or len(set(map(str, named))) != len(named):
        raise InstrumentRefused(f"policies: expected a list of different names, found {named!r}")
    return tuple(one_of({"policies": name}, "policies", tuple(POLICIES)) for name in named)


def one_of(row: Mapping[str, object], name: str, known: Sequence[str]) -> str:
    """The text under `name`, one of `known`; raises InstrumentRefused for anything else."""
    value = text(row, name)
    if value not in known:
        raise InstrumentRefused(f"{name}: expected one of {', '.join(known)}, found {value!r}")
    return value


def _turns(inputs: Mapping[str, Rows]) -> tuple[Turn, ...]:
    rows = _unique(table(inputs, "turns"), "turn")
    numbers = sorted(map(_number, rows))
    items: dict[int, list[Item]] = {number: [] for number in numbers}
    for row in _unique(table(inputs, "items"), "item").values():
        item = _item(row)
        if item.turn not in items:
            raise InstrumentRefused(f"item {item.name!r}: there is no turn {item.turn}")
        items[item.turn].append(item)
    turns = tuple(
        Turn(
            number=number,
            time=integer(rows[number], "time"),
            role=one_of(rows[number], "role", ROLES),
            text=text(rows[number], "text"),
            tokens=_tokens(rows[number]),
            items=tuple(sorted(items[number], key=lambda item: item.name)),
        )
        for number in numbers
    )
    for before, after in itertools.pairwise(turns):
        if after.time < before.time:
            raise InstrumentRefused(
                f"turn {after.number}: is of {after.time}, before turn {before.number}, which is of {before.time}"
            )
    return turns


def _item(row: Mapping[str, object]) -> Item:
    name, turn, kind = text(row, "item"), integer(row, "turn"), one_of(row, "kind", KINDS)
    closed_by = None if row.get("closed_by") is None else integer(row, "closed_by")
    if closed_by is not None and (kind != "question" or closed_by <= turn):
        raise InstrumentRefused(f"item {name!r}: only a question is settled, and only by a later turn")
    if "\n" in text(row, "text"):
        raise InstrumentRefused(f"item {name!r}: an episode states it on one line")
    return Item(
        name=name, turn=turn, kind=kind, text=text(row, "text"), tokens=_tokens(row), closed_by=closed_by
    )


def _named(rows: Rows, name: str, value: str, known: Sequence[str]) -> dict[str, int]:
    found = _unique(rows, name)
    if set(found) != set(known):
        raise InstrumentRefused(
            f"{name}: expected {', '.join(known)}, found {', '.join(sorted(map(str, found)))}"
        )
    return {one: integer(found[one], value) for one in known}


def _unique(rows: Rows, key: str) -> dict[object, Mapping[str, object]]:
    found: dict[object, Mapping[str, object]] = {}
    for row in rows:
        if row.get(key) in found:
            raise InstrumentRefused(f"{key} {row.get(key)!r} is there twice")
        found[row.get(key)] = row
    return found


def _number(key: object) -> int:
    return integer({"number": key}, "number")


def _tokens(row: Mapping[str, object]) -> int:
    tokens = integer(row, "tokens")
    if tokens < 0:
        raise InstrumentRefused(f"tokens: expected 0 or more, found {tokens}")
    return tokens
