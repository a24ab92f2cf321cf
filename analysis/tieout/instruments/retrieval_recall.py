"""What of the evidence reaches the reader of a context: recall before rendering and after truncation, at each budget.

A retriever's selection is rendered in its order, each item as a heading and a text, and truncated at a budget of
tokens. An item beyond the truncation is not delivered, and neither is a fact of which one token was cut, though the
title above it may stand. Whatever a query does not require is a distractor to it, an expired item that says nearly the
same included.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tieout.instruments import InstrumentRefused, Rows, refuse_unknown, text
from tieout.instruments.description import Description
from tieout.instruments.retrieval_context import (
    INPUTS,
    Block,
    Item,
    Span,
    Study,
    natural,
    read,
    settings,
    shown,
)

PARAMETERS = ("budgets", "truncation", "item_rule", "preface_tokens")
DESCRIPTION = Description(
    title="Retrieval recall under a token budget",
    says="For each query, retriever and budget: required items and facts that were selected, and those still in the "
    "context after truncation; tokens used and wasted, distractors, and what stood in for absent evidence.",
    source="retrieval-recall",
    inputs=INPUTS,
    output={
        "query_id": "string, the query",
        "retriever": "string, the retriever",
        "budget": "integer, tokens that the context may have",
        "required_items": "integer, items that the query needs",
        "selected_required_items": "integer, those of them that the retriever selected",
        "delivered_required_items": "integer, those of them that the context holds",
        "required_facts": "integer, facts that the query needs",
        "selected_facts": "integer, those of them whose items the retriever selected",
        "delivered_facts": "integer, those of them of which the context holds every token",
        "selected_items": "integer, all items selected",
        "delivered_items": "integer, all items that the context holds",
        "distractors": "integer, delivered items that the query does not need",
        "expired_distractors": "integer, those of them that are no longer in force",
        "rendered_tokens": "integer, tokens before truncation",
        "used_tokens": "integer, tokens of the context",
        "formatting_tokens": "integer, those of them in headings and before the first item",
        "distractor_tokens": "integer, those of them in items that the query does not need, headings included",
        "evidence_tokens": "integer, those of them in required facts that were delivered",
        "wasted_tokens": "integer, used tokens that are no evidence",
        "absence": "string or null, for a query without evidence: exposed (nothing was selected), filled (substitutes "
        "stand in the context) or no-room (they were selected and did not fit)",
        "model_calls": "integer or null, calls of a model while retrieving, the same at every budget",
        "model_tokens": "integer or null, tokens of those calls",
        "model_cost": "integer or null, what those calls cost, in 1e-7 dollar",
    },
    parameters={
        "budgets": "list of integers, tokens that the context may have, headings included",
        "truncation": "string, cut (default: in the middle of an item if need be) or whole (before the first item "
        "that does not fit)",
        "item_rule": "string, when an item counts as delivered: heading (default: its heading stands, and at least one "
        "token) or whole (all its tokens stand)",
        "preface_tokens": "integer, tokens before the first item, by default 0",
    },
)

ITEM_RULES: Mapping[str, Callable[[Item, int], bool]] = {
    "whole": lambda item, tokens: tokens == item.size,
    "heading": lambda item, tokens: tokens >= max(item.heading, 1),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Rules:
    """How a context ends and when an item counts as delivered."""

    truncation: str
    item_rule: str
    preface: int


def run(
    inputs: Mapping[str, Rows], parameters: Mapping[str, object], seed: int | None
) -> list[dict[str, object]]:
    """One row a query, retriever and budget, as DESCRIPTION says; all of it counts in integers.

    Raises InstrumentRefused for an unknown parameter, a seed, budgets that are no list, and tables that contradict
    each other.
    """
    refuse_unknown(parameters, PARAMETERS)
    if seed is not None:
        raise InstrumentRefused("draws nothing at random: takes no seed")
    truncation, preface = settings(parameters)
    rule = text({"item_rule": "heading", **parameters}, "item_rule")
    if rule not in ITEM_RULES:
        raise InstrumentRefused(f"item_rule: expected one of {', '.join(ITEM_RULES)}, found {rule!r}")
    rules = Rules(truncation=truncation, item_rule=rule, preface=preface)
    study = read(inputs, preface)
    budgets = _budgets(parameters)
    return [
        _row(study, query, retriever, budget, rules)
        for query in study.queries
        for retriever in study.retrievers
        for budget in budgets
    ]


def _budgets(parameters: Mapping[str, object]) -> list[int]:
    budgets = parameters.get("budgets")
    if not isinstance(budgets, list) or not budgets or len(set(budgets)) != len(budgets):
        raise InstrumentRefused(f"budgets: expected a list of different numbers of tokens, found {budgets!r}")
    return sorted(natural({"budget": budget}, "budget") for budget in budgets)


def _row(study: Study, query: str, retriever: str, budget: int, rules: Rules) -> dict[str, object]:
    required, facts = study.required_items[query], study.facts[query]
    blocks = study.blocks[query, retriever]
    context = {
        block.item_id: (block, tokens)
        for block, tokens in zip(blocks, shown(blocks, budget, rules.truncation), strict=True)
    }
    counts = ITEM_RULES[rules.item_rule]
    delivered = {name for name, (block, tokens) in context.items() if counts(block.item, tokens)}
    whole_facts = [spans for spans in facts.values() if all(_holds(context, span) for span in spans)]
    preface = _preface(budget, rules)
    used = preface + sum(tokens for _, tokens in context.values())
    evidence = _union([span for spans in whole_facts for span in spans])
    run = study.runs[query, retriever]
    return {
        "query_id": query,
        "retriever": retriever,
        "budget": budget,
        "required_items": len(required),
        "selected_required_items": len(required & context.keys()),
        "delivered_required_items": len(required & delivered),
        "required_facts": len(facts),
        "selected_facts": sum(all(span.item in context for span in spans) for spans in facts.values()),
        "delivered_facts": len(whole_facts),
        "selected_items": len(blocks),
        "delivered_items": len(delivered),
        "distractors": len(delivered - required),
        "expired_distractors": sum(context[name][0].item.expired for name in delivered - required),
        "rendered_tokens": rules.preface + sum(block.item.size for block in blocks),
        "used_tokens": used,
        "formatting_tokens": preface
        + sum(min(tokens, block.item.heading) for block, tokens in context.values()),
        "distractor_tokens": sum(tokens for name, (_, tokens) in context.items() if name not in required),
        "evidence_tokens": evidence,
        "wasted_tokens": used - evidence,
        "absence": None if required else _absence(blocks, used - preface),
        "model_calls": run.model_calls,
        "model_tokens": run.model_tokens,
        "model_cost": run.model_cost,
    }


def _holds(context: Mapping[str, tuple[Block, int]], span: Span) -> bool:
    if span.item not in context:
        return False
    block, tokens = context[span.item]
    return tokens >= block.item.heading + span.end


def _preface(budget: int, rules: Rules) -> int:
    if rules.truncation == "cut":
        return min(budget, rules.preface)
    return rules.preface if rules.preface <= budget else 0


def _union(spans: Sequence[Span]) -> int:
    # facts may share words; a token is evidence once
    return len({(span.item, token) for span in spans for token in range(span.start, span.end)})


def _absence(blocks: Sequence[Block], tokens: int) -> str:
    if not blocks:
        return "exposed"
    return "filled" if tokens else "no-room"
