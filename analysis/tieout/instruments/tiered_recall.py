"""Instrument: whether what a request depends on was in memory, and whether it was in the prompt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tieout.instruments import InstrumentRefused, Rows, integer, table, text
from tieout.instruments.description import Description
from tieout.instruments.memory_tiers import Item, Part
from tieout.instruments.tiered_inputs import INPUTS, PARAMETERS, SOURCE
from tieout.instruments.tiered_memory import steps
from tieout.instruments.tiered_preservation import held

DESCRIPTION = Description(
    title="Tiered memory: what requests need",
    says="For each item that a request is declared to depend on: whether memory holds it, and whether the prompt does. "
    "What is preserved still has to be retrieved within a budget.",
    source=SOURCE,
    inputs={
        **INPUTS,
        "needs": {
            "request": "integer, the user's turn",
            "item": "string, the decision, entity or question that a good answer to it depends on",
        },
    },
    output={
        "policy": "string, demotion or truncation",
        "request": "integer, the user's turn",
        "item": "string, name of the item",
        "in_memory": "boolean, whether L1 or L2 holds it",
        "in_prompt": "boolean, whether the prompt holds its turn or an episode with its line",
        "tier": "string or null, working or episodic, where the prompt has it; null where it has not",
    },
    parameters=PARAMETERS,
)


def run(
    inputs: Mapping[str, Rows], parameters: Mapping[str, object], seed: int | None
) -> list[dict[str, object]]:
    """One row a policy, request and item that it needs.

    Raises InstrumentRefused for a need of no request, or of an item that was not stated by then, beside what playing
    the conversation refuses.
    """
    conversation, played = steps(inputs, parameters, seed)
    items = {item.name: item for item in conversation.items}
    requests = {(step.policy, step.request): step for step in played}
    rows: list[dict[str, object]] = []
    for policy in dict.fromkeys(step.policy for step in played):
        for need in table(inputs, "needs"):
            request, name = integer(need, "request"), text(need, "item")
            step, item = requests.get((policy, request)), items.get(name)
            if step is None:
                raise InstrumentRefused(f"needs: turn {request} is no request")
            if item is None or item.turn > request:
                raise InstrumentRefused(f"needs: item {name!r} was not stated by turn {request}")
            tier = _tier(step.prompt.parts, item)
            rows.append(
                {
                    "policy": policy,
                    "request": request,
                    "item": name,
                    "in_memory": held(step.memory, item.turn, item.line),
                    "in_prompt": tier is not None,
                    "tier": tier,
                }
            )
    return rows


def _tier(parts: Iterable[Part], item: Item) -> str | None:
    for part in parts:
        if part.tier == "working" and part.name == f"turn-{item.turn}":
            return part.tier
        if part.tier == "episodic" and item.line in part.text.split("\n"):
            return part.tier
    return None
