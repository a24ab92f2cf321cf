"""What an album study recorded, in no one's shape: numbers, identifiers and flags, and not a word of prose."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Call:
    """A reference to one provider call; `cached_input_tokens` are inside `input_tokens`.

    `key` is None where the study has one call of a kind for each answer, `model` where the records don't hold it.
    """

    kind: str
    key: str | None
    model: str | None
    input_tokens: int
    output_tokens: int
    cached_input_tokens: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Round:
    """One budget level that a controller visited, in tokens."""

    cap: int
    context_tokens: int
    selected_count: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Verified:
    """An answer as it was checked: the sources of each claim, the verdict on each, and what it took.

    `format_error` is None where it was not recorded. `verdicts` can be shorter than `sources`: an answer that abstains
    may list claims that nobody judged. `counts` are the author's own, under the author's names.
    """

    album: str
    task: str
    policy: str
    abstained: bool
    format_error: bool | None
    sources: tuple[tuple[str, ...], ...]
    verdicts: tuple[bool, ...]
    all_assertions_listed: bool
    addresses_question: bool
    rounds: tuple[Round, ...]
    calls: tuple[Call, ...]
    accepted: bool
    counts: dict[str, int]


@dataclass(frozen=True, kw_only=True, slots=True)
class Trajectory:
    """A question answered under one setting; latency in milliseconds."""

    case_id: str
    cap: int
    threshold: int
    answerable: bool
    id_aligned: bool
    targets: tuple[str, ...]
    selected: tuple[str, ...]
    correct_abstention: bool
    latency_ms: int
    verified: Verified


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """A question of a conversation, `turn` from 1."""

    session_id: str
    turn: int
    verified: Verified


@dataclass(frozen=True, kw_only=True, slots=True)
class Relation:
    """An edge between two addresses, in the order the author lists them."""

    album: str
    edge_id: str
    type: str
    addresses: tuple[str, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Usage:
    """The author's own total of one kind, scope or stage."""

    name: str
    calls: int
    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Embedding:
    """One embedding request."""

    model: str
    input_tokens: int
    items: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """An answer of the pilot and its judgement; `support` and `coverage` from 0 to 4."""

    case_id: str
    album: str
    policy: str
    probe: str
    repetition: int
    targets: tuple[str, ...]
    selected: tuple[str, ...]
    evidence: tuple[str, ...]
    valid_ids: bool
    abstained: bool
    within_90_words: bool
    input_tokens: int
    output_tokens: int
    context_tokens_estimate: int
    selected_tracks: int
    support: int
    coverage: int
    overclaim: bool
    generation: Call
    judge: Call


@dataclass(frozen=True, kw_only=True, slots=True)
class Ratings:
    """A track as a model rated it: themes from 0 to 3, by name, and a tension."""

    album: str
    track_id: str
    position: int
    themes: dict[str, int]
    tension: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Pilot:
    """All of album-memory-1."""

    answers: tuple[Answer, ...]
    ratings: tuple[Ratings, ...]
    stages: tuple[Usage, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Allocation:
    """All of album-memory-2."""

    trajectories: tuple[Trajectory, ...]
    turns: tuple[Turn, ...]
    relations: tuple[Relation, ...]
    scopes: tuple[Usage, ...]
    kinds: tuple[Usage, ...]
    embeddings: tuple[Embedding, ...]
