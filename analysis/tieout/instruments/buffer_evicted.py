"""What left a buffer and when, under each rule of admission and each budget."""

from __future__ import annotations

from collections.abc import Mapping

from tieout.instruments import InstrumentRefused, Rows
from tieout.instruments.buffer_inputs import INPUTS, SAYS, SETTING, runs, settings
from tieout.instruments.buffer_replay import replay
from tieout.instruments.description import Description

DESCRIPTION = Description(
    title="Entries evicted from a buffer, and when",
    says="For each rule, tie-break and budget: each entry that left the buffer, with the step at which it left.",
    source="buffer-lab, the worked example",
    inputs=INPUTS,
    output={
        **SETTING,
        "entry": "integer, the step at which the entry was written",
        "kind": "string, what it is",
        "tokens": "integer, its size",
        "step": "integer, the step at which it left",
        "place": "integer, its place among those that left at that step, from 1",
    },
    parameters=SAYS,
)


def run(
    inputs: Mapping[str, Rows], parameters: Mapping[str, object], seed: int | None
) -> list[dict[str, object]]:
    """One row for each run, rule, tie-break, budget and entry that left; an entry that was kept has none.

    Draws nothing at random, so the seed must be None.

    Raises InstrumentRefused for a seed, and for inputs and parameters that `runs` and `settings` refuse.
    """
    if seed is not None:
        raise InstrumentRefused("draws nothing at random: takes no seed")
    chosen = settings(parameters)
    return [
        {
            "run": name,
            "rule": setting.rule,
            "tie_break": setting.tie_break,
            "budget": setting.budget,
            "entry": entry.step,
            "kind": entry.kind,
            "tokens": entry.tokens,
            "step": admission.entry.step,
            "place": place,
        }
        for name, entries in runs(inputs).items()
        for setting in chosen
        for admission in replay(entries, setting)
        for place, entry in enumerate(admission.evicted, 1)
    ]
