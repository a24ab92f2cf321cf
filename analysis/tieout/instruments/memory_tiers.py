"""What an agent's memory is made of: a budget with its parts, and four tiers of turns, items, episodes and chunks."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from tieout.instruments import InstrumentRefused

PARTS = ("system", "working", "episodic", "semantic", "reserve")
"""The parts of a budget; the first four are also the tiers, from L0 to L3."""

KINDS = ("decision", "entity", "question")
"""What the preservation contract covers, in the order in which an episode lists it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Budget:
    """The tokens of one request: `total` is the ceiling, and its parts add up to it.

    Raises InstrumentRefused for a part below 0 and for parts that add up to anything else.
    """

    total: int
    system: int
    working: int
    episodic: int
    semantic: int
    reserve: int

    def __post_init__(self) -> None:
        parts = {name: getattr(self, name) for name in PARTS}
        for name, tokens in parts.items():
            if tokens < 0:
                raise InstrumentRefused(f"budget: {name} is {tokens}, below 0")
        if sum(parts.values()) != self.total:
            raise InstrumentRefused(
                f"budget: the parts add up to {sum(parts.values())}, not to the total of {self.total}"
            )


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """One piece of a prompt: the tier it is from, its name there, its text and its tokens."""

    tier: str
    name: str
    text: str
    tokens: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Item:
    """What a turn decided, named or left open. `closed_by` is the turn that settled a question, None while open."""

    name: str
    turn: int
    kind: str
    text: str
    tokens: int
    closed_by: int | None

    @property
    def line(self) -> str:
        """The item as an episode states it."""
        return f"{self.kind}: {self.text}"

    def due(self, request: int) -> bool:
        """Whether the contract covers it at that request: a question settled by then need not be kept."""
        return self.closed_by is None or self.closed_by > request


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """What one side said, as L1 holds it; `tokens` are those of `line`."""

    number: int
    time: int
    role: str
    text: str
    tokens: int
    items: tuple[Item, ...]

    @property
    def line(self) -> str:
        """The turn as a prompt states it."""
        return f"{self.role}: {self.text}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Episode:
    """Turns that were demoted at `request`, as L2 holds them; `items` is all that is left of what they said."""

    number: int
    request: int
    turns: tuple[int, ...]
    turn_tokens: int
    time: int
    items: tuple[Item, ...]
    tokens: int

    @property
    def name(self) -> str:
        """The episode's name in a prompt."""
        return f"episode-{self.number}"

    @property
    def text(self) -> str:
        """The episode as a prompt states it: a heading, then a line an item."""
        heading = f"Turns {self.turns[0]} to {self.turns[-1]}:"
        return "\n".join((heading, *(item.line for item in self.items)))

    @property
    def pinned(self) -> bool:
        """Never: only what is stored for good in L3 has a pin."""
        return False


@dataclass(frozen=True, kw_only=True, slots=True)
class Chunk:
    """A document, fact or piece of code of L3; `time` is when it was last true or written, in the turns' unit."""

    name: str
    time: int
    pinned: bool
    text: str
    tokens: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Memory:
    """The state of all tiers at a request: `frame` is L0, `turns` L1, `episodes` L2, `chunks` L3."""

    frame: tuple[Part, ...]
    turns: tuple[Turn, ...]
    episodes: tuple[Episode, ...]
    chunks: tuple[Chunk, ...]

    def snapshot(self) -> str:
        """The whole state as JSON, the same text for the same state."""
        return json.dumps(self, default=_fields, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _fields(part: Any) -> dict[str, object]:
    return {field.name: getattr(part, field.name) for field in fields(part)}


def restore(snapshot: str) -> Memory:
    """The state that `Memory.snapshot` wrote down."""
    state: Mapping[str, Any] = json.loads(snapshot)
    return Memory(
        frame=tuple(Part(**part) for part in state["frame"]),
        turns=tuple(Turn(**{**turn, "items": _items(turn["items"])}) for turn in state["turns"]),
        episodes=tuple(
            Episode(**{**episode, "turns": tuple(episode["turns"]), "items": _items(episode["items"])})
            for episode in state["episodes"]
        ),
        chunks=tuple(Chunk(**chunk) for chunk in state["chunks"]),
    )


def digest(text: str) -> str:
    """SHA-256 of a text's UTF-8, in hexadecimal."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _items(written: Iterable[Mapping[str, Any]]) -> tuple[Item, ...]:
    return tuple(Item(**item) for item in written)
