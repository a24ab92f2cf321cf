"""Which episodes and chunks a request gets: score, rank, and what the tier's budget takes, with every part of it shown.

A score is `similarity_weight * similarity + recency_weight * recency + pin_weight * pin`, in integers alone: weights in
thousandths, the three terms in millionths, so a score is in billionths and is the sum of its parts to the last digit.

- Similarity is lexical, the Dice coefficient of the two texts' sets of words: twice the words in common over the sum of
  both counts. An embedding would be another model's, and no two machines would have to agree on it.
- Recency halves every `half_life`: 2^(-age / half_life). `math.exp` may differ in its last bits from one C library to
  another; `decimal` is specified digit by digit, so it is computed there with 40 digits and then rounded.
- Pinned candidates come first whatever they score. The printed formula only adds a term for the pin, which a low weight
  or a poor similarity can outweigh; the words beside it call the pin a guarantee. What the formula alone would have
  taken is in the log as well.

The budget is then taken in the order of ranks: each candidate that still fits, the next one where it doesn't.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from functools import cache

from tieout.instruments import InstrumentRefused
from tieout.instruments.memory_tiers import Chunk, Episode

MILLION = 10**6
_WORD = re.compile(r"[^\W_]+")
_DECIMAL = Context(prec=40, rounding=ROUND_HALF_EVEN)
_FORGOTTEN = 64  # half-lives after which less than a millionth is left, by far


@dataclass(frozen=True, kw_only=True, slots=True)
class Ranker:
    """How candidates are scored: weights in thousandths, `half_life` in the unit of times, words by their length.

    A word shorter than `shortest_word` letters does not count in the similarity.
    Raises InstrumentRefused for a negative weight, or a half-life or a length below 1.
    """

    similarity_weight: int
    recency_weight: int
    pin_weight: int
    half_life: int
    shortest_word: int

    def __post_init__(self) -> None:
        for name, least in (
            ("similarity_weight", 0),
            ("recency_weight", 0),
            ("pin_weight", 0),
            ("half_life", 1),
            ("shortest_word", 1),
        ):
            if getattr(self, name) < least:
                raise InstrumentRefused(f"settings: {name} is {getattr(self, name)}, below {least}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Retrieval:
    """One candidate as a request saw it.

    `similarity` and `recency` are in millionths; the three parts and the `score` that they add up to in billionths.
    `rank` is the place with pinned candidates first, `score_rank` by score alone, both from 1; `retrieved` and
    `retrieved_by_score` say what the budget took in each of these orders. Until it is ranked the places are 0.
    """

    candidate: Episode | Chunk
    age: int
    similarity: int
    recency: int
    similarity_part: int
    recency_part: int
    pin_part: int
    rank: int = 0
    score_rank: int = 0
    retrieved: bool = False
    retrieved_by_score: bool = False

    @property
    def score(self) -> int:
        """The sum of the parts, in billionths."""
        return self.similarity_part + self.recency_part + self.pin_part


def rank(
    candidates: Sequence[Episode | Chunk], query: str, now: int, budget: int, ranker: Ranker
) -> tuple[Retrieval, ...]:
    """Every candidate, the best rank first, and whether the budget, in tokens, took it. Equal scores go by name.

    Raises InstrumentRefused where pinned candidates alone are more than the budget, or a candidate is of after `now`.
    """
    pinned = sum(candidate.tokens for candidate in candidates if candidate.pinned)
    if pinned > budget:
        raise InstrumentRefused(
            f"pinned chunks take {pinned} tokens and are always retrieved; their budget is {budget}"
        )
    scored = sorted((_score(candidate, query, now, ranker) for candidate in candidates), key=_by_score)
    by_score = {one.candidate.name: place for place, one in enumerate(scored, 1)}
    fits_by_score = _take((one.candidate for one in scored), budget)
    ranked = sorted(scored, key=lambda one: (not one.candidate.pinned, *_by_score(one)))
    fits = _take((one.candidate for one in ranked), budget)
    return tuple(
        replace(
            one,
            rank=place,
            score_rank=by_score[one.candidate.name],
            retrieved=one.candidate.name in fits,
            retrieved_by_score=one.candidate.name in fits_by_score,
        )
        for place, one in enumerate(ranked, 1)
    )


def similarity(query: str, text: str, shortest_word: int) -> int:
    """Dice coefficient of the words of two texts, in millionths; 0 where neither has a word that counts."""
    ours, theirs = _words(query, shortest_word), _words(text, shortest_word)
    both = len(ours) + len(theirs)
    return round(Fraction(2 * len(ours & theirs) * MILLION, both)) if both else 0


@cache
def recency(age: int, half_life: int) -> int:
    """2^(-age / half_life) in millionths: 1,000,000 at age 0, half of it after each half-life."""
    if age >= _FORGOTTEN * half_life:
        return 0
    halvings = _DECIMAL.divide(Decimal(age), Decimal(half_life))
    left = _DECIMAL.exp(_DECIMAL.multiply(-halvings, _DECIMAL.ln(Decimal(2))))
    return int(_DECIMAL.to_integral_value(_DECIMAL.multiply(left, Decimal(MILLION))))


def _score(candidate: Episode | Chunk, query: str, now: int, ranker: Ranker) -> Retrieval:
    age = now - candidate.time
    if age < 0:
        raise InstrumentRefused(
            f"{candidate.name}: is of {candidate.time}, after the request, which is of {now}"
        )
    alike = similarity(query, candidate.text, ranker.shortest_word)
    recent = recency(age, ranker.half_life)
    return Retrieval(
        candidate=candidate,
        age=age,
        similarity=alike,
        recency=recent,
        similarity_part=ranker.similarity_weight * alike,
        recency_part=ranker.recency_weight * recent,
        pin_part=ranker.pin_weight * MILLION * candidate.pinned,
    )


def _by_score(one: Retrieval) -> tuple[int, str]:
    return -one.score, one.candidate.name


def _take(ordered: Iterable[Episode | Chunk], budget: int) -> set[str]:
    taken: set[str] = set()
    for candidate in ordered:
        if candidate.tokens <= budget:
            taken.add(candidate.name)
            budget -= candidate.tokens
    return taken


def _words(text: str, shortest: int) -> set[str]:
    return {word for word in _WORD.findall(text.casefold()) if len(word) >= shortest}
