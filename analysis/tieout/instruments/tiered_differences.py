"""Instrument: what differs between the prompts of two policies, or of any two runs in one table, request by request."""

from __future__ import annotations

from collections.abc import Mapping

from tieout.instruments import InstrumentRefused, Rows, integer, refuse_unknown, table, text
from tieout.instruments.description import Description
from tieout.instruments.memory_assembly import differences
from tieout.instruments.memory_tiers import Part
from tieout.instruments.tiered_inputs import SOURCE

DESCRIPTION = Description(
    title="Tiered memory: differences between prompts",
    says="For each request, the parts that one policy's prompt has and the other's has not, and those that are worded "
    "or placed otherwise. A request without a row has the same prompt under both.",
    source=SOURCE,
    inputs={
        "prompts": {
            "policy": "string, whose prompt",
            "request": "integer, the request",
            "position": "integer, place in the prompt",
            "tier": "string, the part's tier",
            "part": "string, the part's name",
            "text": "string, the part as it stands in the prompt",
        }
    },
    output={
        "request": "integer, the request",
        "tier": "string, the part's tier",
        "part": "string, the part's name",
        "change": "string, removed, added, changed or moved, from the one policy to the other",
    },
    parameters={
        "before": "string, the one policy, by default truncation",
        "after": "string, the other, by default demotion",
    },
)


def run(
    inputs: Mapping[str, Rows], parameters: Mapping[str, object], seed: int | None
) -> list[dict[str, object]]:
    """One row a request and part that differs.

    Raises InstrumentRefused for an unknown parameter, a seed, or a request that one of the two policies lacks.
    """
    refuse_unknown(parameters, ("before", "after"))
    if seed is not None:
        raise InstrumentRefused("draws nothing at random: takes no seed")
    named = {"before": "truncation", "after": "demotion", **parameters}
    prompts: dict[str, dict[int, list[Part]]] = {text(named, "before"): {}, text(named, "after"): {}}
    for row in sorted(table(inputs, "prompts"), key=lambda row: integer(row, "position")):
        if (policy := text(row, "policy")) in prompts:
            part = Part(tier=text(row, "tier"), name=text(row, "part"), text=text(row, "text"), tokens=0)
            prompts[policy].setdefault(integer(row, "request"), []).append(part)
    before, after = prompts[text(named, "before")], prompts[text(named, "after")]
    if lacking := sorted(set(before) ^ set(after)):
        raise InstrumentRefused(f"request {lacking[0]} has a prompt under one of the two policies alone")
    return [
        {"request": request, "tier": one.tier, "part": one.name, "change": one.change}
        for request in sorted(before)
        for one in differences(before[request], after[request])
    ]
