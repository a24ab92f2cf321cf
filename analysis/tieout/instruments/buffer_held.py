"""Which entries a buffer holds after every step of a run, under each rule of admission and each budget."""

from __future__ import annotations

from collections.abc import Mapping

from tieout.instruments import InstrumentRefused, Rows
from tieout.instruments.buffer_inputs import INPUTS, SAYS, SETTING, Entry, runs, settings
from tieout.instruments.buffer_replay import replay
from tieout.instruments.description import Description

DESCRIPTION = Description(
    title="Entries held in a buffer, step by step",
    says="For each rule, tie-break and budget: every entry that is held after each step of a run.",
    source="buffer-lab, the formula and the worked example",
    inputs=INPUTS,
    output={
        **SETTING,
        "step": "integer, the step after which the entry is held",
        "entry": "integer, the step at which it was written",
        "kind": "string, what it is",
        "tokens": "integer, its size",
    },
    parameters=SAYS,
)


def run(
    inputs: Mapping[str, Rows], parameters: Mapping[str, object], seed: int | None
) -> list[dict[str, object]]:
    """One row for each run, rule, tie-break, budget, step and entry held after it.

    Draws nothing at random, so the seed must be None.

    Raises InstrumentRefused for a seed, and for inputs and parameters that `runs` and `settings` refuse.
    """
    if seed is not None:
        raise InstrumentRefused("draws nothing at random: takes no seed")
    chosen = settings(parameters)
    rows: list[dict[str, object]] = []
    for name, entries in runs(inputs).items():
        for setting in chosen:
            held: dict[int, Entry] = {}
            for admission in replay(entries, setting):
                held[admission.entry.step] = admission.entry
                for gone in admission.evicted:
                    del held[gone.step]
                rows.extend(
                    {
                        "run": name,
                        "rule": setting.rule,
                        "tie_break": setting.tie_break,
                        "budget": setting.budget,
                        "step": admission.entry.step,
                        "entry": entry.step,
                        "kind": entry.kind,
                        "tokens": entry.tokens,
                    }
                    for entry in held.values()
                )
    return rows
