"""What a retriever's selection becomes: items laid one after the other, and how much of each a budget leaves."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from tieout.instruments import InstrumentRefused, Rows, flag, integer, table, text

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
Pair: TypeAlias = tuple[str, str]  # query, retriever

INPUTS: Mapping[str, Mapping[str, str]] = {
    "items": {
        "item_id": "string, the item of the corpus",
        "heading_tokens": "integer, tokens of its label, title and separators, rendered before its text",
        "text_tokens": "integer, tokens of its text",
        "expired": "boolean, whether it is no longer in force",
    },
    "queries": {"query_id": "string, the query"},
    "required_items": {
        "query_id": "string, the query",
        "item_id": "string, an item that it needs; a query without one has no evidence in the corpus",
    },
    "required_spans": {
        "query_id": "string, the query",
        "fact_id": "string, a fact that it needs; all of a fact's spans are needed",
        "item_id": "string, the required item whose text holds the span",
        "start_token": "integer, first token of the span, counted from 0 in the item's text",
        "end_token": "integer, the token after its last",
    },
    "runs": {
        "query_id": "string, the query; every retriever is run on every query",
        "retriever": "string, the retriever",
        "model_calls": "integer or null, calls of a model while retrieving; null where nobody recorded them",
        "model_tokens": "integer or null, input and output tokens of those calls",
        "model_cost": "integer or null, what those calls cost, in 1e-7 dollar",
    },
    "selections": {
        "query_id": "string, the query",
        "retriever": "string, the retriever",
        "rank": "integer, place of the item from 1, which is the order of rendering",
        "item_id": "string, the item selected",
    },
}
"""The tables that the instruments of retrieval read; any unit may stand for tokens if all of them keep to it."""

TRUNCATIONS = ("cut", "whole")


@dataclass(frozen=True, kw_only=True, slots=True)
class Item:
    """An item of the corpus as it is rendered: a heading, then a text."""

    heading: int
    text: int
    expired: bool

    @property
    def size(self) -> int:
        """Tokens of heading and text."""
        return self.heading + self.text


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
    """Where a piece of a fact stands in an item's text: tokens from `start` to before `end`."""

    item: str
    start: int
    end: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Block:
    """A selected item in the context before truncation, from token `start` to before `end`."""

    item_id: str
    item: Item
    start: int

    @property
    def end(self) -> int:
        """The token after its last."""
        return self.start + self.item.size


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """What retrieving for one query took; None is what nobody recorded."""

    model_calls: int | None
    model_tokens: int | None
    model_cost: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Study:
    """The inputs, read and held against each other; queries and retrievers in order of their names."""

    queries: tuple[str, ...]
    retrievers: tuple[str, ...]
    required_items: Mapping[str, frozenset[str]]
    facts: Mapping[str, Mapping[str, tuple[Span, ...]]]
    runs: Mapping[Pair, Run]
    blocks: Mapping[Pair, tuple[Block, ...]]


def read(inputs: Mapping[str, Rows], preface: int) -> Study:
    """The study that the input tables hold, each selection laid out behind `preface` tokens.

    Raises InstrumentRefused where the tables contradict each other: an unknown name, a name or rank twice, ranks with
    a gap, a span that leaves its item's text or lies in an item that is not required, a query that a retriever did not
    run.
    """
    items = _once("item", ((text(row, "item_id"), _item(row)) for row in table(inputs, "items")))
    queries = tuple(
        sorted(_once("query", ((text(row, "query_id"), None) for row in table(inputs, "queries"))))
    )
    required: dict[str, set[str]] = {query: set() for query in queries}
    for row in table(inputs, "required_items"):
        query, item = _known(row, "query_id", required), _known(row, "item_id", items)
        if item in required[query]:
            raise InstrumentRefused(f"query {query!r} requires item {item!r} twice")
        required[query].add(item)
    runs = _once("run", ((_pair(row, required), _run(row)) for row in table(inputs, "runs")))
    retrievers = tuple(sorted({retriever for _, retriever in runs}))
    for query in queries:
        for retriever in retrievers:
            if (query, retriever) not in runs:
                raise InstrumentRefused(f"retriever {retriever!r} was not run on query {query!r}")
    return Study(
        queries=queries,
        retrievers=retrievers,
        required_items={query: frozenset(needed) for query, needed in required.items()},
        facts=_facts(table(inputs, "required_spans"), items, required),
        runs=runs,
        blocks=_blocks(table(inputs, "selections"), items, runs, preface),
    )


def shown(blocks: Sequence[Block], budget: int, truncation: str) -> list[int]:
    """How many tokens of each block stand in the context.

    `cut` ends the context at the budget, in the middle of an item if need be; `whole` ends it before the first item
    that does not fit, and smaller ones after it are not tried.
    """
    if truncation == "cut":
        return [min(max(budget - block.start, 0), block.item.size) for block in blocks]
    # starts only grow, so nothing fits behind a block that doesn't
    return [block.item.size if block.end <= budget else 0 for block in blocks]


def needed_budget(blocks: Sequence[Block], spans: Iterable[Span], truncation: str) -> int | None:
    """The smallest budget that leaves all these spans in the context; None where an item of theirs was not selected."""
    places = {block.item_id: block for block in blocks}
    if not all(span.item in places for span in spans):
        return None
    if truncation == "whole":
        return max(places[span.item].end for span in spans)
    return max(places[span.item].start + places[span.item].item.heading + span.end for span in spans)


def settings(parameters: Mapping[str, object]) -> tuple[str, int]:
    """The truncation, by default `cut`, and the tokens before the first item, by default 0.

    Raises InstrumentRefused for a truncation that is not of TRUNCATIONS and for fewer than 0 tokens.
    """
    truncation = text({"truncation": "cut", **parameters}, "truncation")
    if truncation not in TRUNCATIONS:
        raise InstrumentRefused(f"truncation: expected one of {', '.join(TRUNCATIONS)}, found {truncation!r}")
    return truncation, natural({"preface_tokens": 0, **parameters}, "preface_tokens")


def natural(row: Mapping[str, object], name: str) -> int:
    """The integer under `name`; raises InstrumentRefused for anything else and for one below 0."""
    value = integer(row, name)
    if value < 0:
        raise InstrumentRefused(f"{name}: expected 0 or more, found {value}")
    return value


def _or_null(row: Mapping[str, object], name: str) -> int | None:
    return None if row.get(name) is None else natural(row, name)


def _item(row: Mapping[str, object]) -> Item:
    item = Item(
        heading=natural(row, "heading_tokens"), text=natural(row, "text_tokens"), expired=flag(row, "expired")
    )
    if item.size == 0:
        raise InstrumentRefused(
            f"item {text(row, 'item_id')!r} has no tokens, so nothing of it can be delivered"
        )
    return item


def _run(row: Mapping[str, object]) -> Run:
    return Run(
        model_calls=_or_null(row, "model_calls"),
        model_tokens=_or_null(row, "model_tokens"),
        model_cost=_or_null(row, "model_cost"),
    )


def _pair(row: Mapping[str, object], queries: Mapping[str, object]) -> Pair:
    return _known(row, "query_id", queries), text(row, "retriever")


def _known(row: Mapping[str, object], name: str, known: Mapping[str, object]) -> str:
    value = text(row, name)
    if value not in known:
        raise InstrumentRefused(f"{name}: no row of its own table has {value!r}")
    return value


def _once(what: str, pairs: Iterable[tuple[K, V]]) -> dict[K, V]:
    found: dict[K, V] = {}
    for name, value in pairs:
        if name in found:
            raise InstrumentRefused(f"{what} {name!r} stands twice in its table")
        found[name] = value
    return found


def _facts(
    rows: Rows, items: Mapping[str, Item], required: Mapping[str, set[str]]
) -> dict[str, dict[str, tuple[Span, ...]]]:
    facts: dict[str, dict[str, tuple[Span, ...]]] = {query: {} for query in required}
    for row in rows:
        query, item = _known(row, "query_id", required), _known(row, "item_id", items)
        fact = text(row, "fact_id")
        span = Span(item=item, start=natural(row, "start_token"), end=natural(row, "end_token"))
        if item not in required[query]:
            raise InstrumentRefused(
                f"fact {fact!r} of query {query!r} lies in {item!r}, which it does not require"
            )
        if not span.start < span.end <= items[item].text:
            raise InstrumentRefused(
                f"fact {fact!r} of query {query!r}: tokens {span.start} to {span.end} are no span of the "
                f"{items[item].text} tokens of {item!r}"
            )
        facts[query][fact] = (*facts[query].get(fact, ()), span)
    return facts


def _blocks(
    rows: Rows, items: Mapping[str, Item], runs: Mapping[Pair, Run], preface: int
) -> dict[Pair, tuple[Block, ...]]:
    ranked: dict[Pair, dict[int, str]] = {pair: {} for pair in runs}
    for row in rows:
        pair = (text(row, "query_id"), text(row, "retriever"))
        if pair not in ranked:
            raise InstrumentRefused(
                f"a selection of retriever {pair[1]!r} on query {pair[0]!r} belongs to no run"
            )
        rank, item = integer(row, "rank"), _known(row, "item_id", items)
        if rank in ranked[pair] or item in ranked[pair].values():
            raise InstrumentRefused(
                f"retriever {pair[1]!r} on query {pair[0]!r} has rank {rank} or {item!r} twice"
            )
        ranked[pair][rank] = item
    return {pair: _laid_out(pair, order, items, preface) for pair, order in ranked.items()}


def _laid_out(
    pair: Pair, order: Mapping[int, str], items: Mapping[str, Item], start: int
) -> tuple[Block, ...]:
    if sorted(order) != list(range(1, len(order) + 1)):
        raise InstrumentRefused(
            f"the ranks of retriever {pair[1]!r} on query {pair[0]!r} are not 1, 2, 3 and so on"
        )
    blocks: list[Block] = []
    for _, item_id in sorted(order.items()):
        blocks.append(Block(item_id=item_id, item=items[item_id], start=start))
        start = blocks[-1].end
    return tuple(blocks)
