"""What a buffer holds and sends at every step of a run, under each rule of admission and each budget."""

from __future__ import annotations

from collections.abc import Mapping

from tieout.instruments import InstrumentRefused, Rows, text
from tieout.instruments.buffer_inputs import INPUTS, PARAMETERS, SAYS, SETTING, runs, settings
from tieout.instruments.buffer_replay import replay
from tieout.instruments.description import Description

DESCRIPTION = Description(
    title="A buffer under a budget, step by step",
    says="For each rule, tie-break and budget: the entries and tokens held after each step of a run, what left, the "
    "tokens sent so far when the whole buffer is sent at every step, and whether the instruction is still there.",
    source="buffer-lab, the formula and the worked example",
    inputs=INPUTS,
    output={
        **SETTING,
        "step": "integer, the step",
        "entries_held": "integer, entries held after the step",
        "tokens_held": "integer, tokens held after the step",
        "evicted_entries": "integer, entries that left at the step",
        "evicted_tokens": "integer, their tokens",
        "resent_tokens": "integer, tokens held, added up over the steps so far",
        "attention_pairs": "integer, pairs of a token and itself or an earlier one among the tokens held",
        "instruction_held": "boolean or null, whether each entry of that kind is held; null before the first",
    },
    parameters={
        **SAYS,
        "instruction": "string, the kind of the entries to look out for, by default instruction",
    },
)


def run(
    inputs: Mapping[str, Rows], parameters: Mapping[str, object], seed: int | None
) -> list[dict[str, object]]:
    """One row for each run, rule, tie-break, budget and step; the columns are those of DESCRIPTION.

    Draws nothing at random, so the seed must be None.

    Raises InstrumentRefused for a seed, and for inputs and parameters that `runs` and `settings` refuse.
    """
    if seed is not None:
        raise InstrumentRefused("draws nothing at random: takes no seed")
    chosen = settings(parameters, (*PARAMETERS, "instruction"))
    instruction = text({"instruction": "instruction", **parameters}, "instruction")
    rows: list[dict[str, object]] = []
    for name, entries in runs(inputs).items():
        for setting in chosen:
            held = tokens = sent = written = lost = 0
            for admission in replay(entries, setting):
                gone = sum(entry.tokens for entry in admission.evicted)
                held += 1 - len(admission.evicted)
                tokens += admission.entry.tokens - gone
                sent += tokens
                written += admission.entry.kind == instruction
                lost += sum(entry.kind == instruction for entry in admission.evicted)
                rows.append(
                    {
                        "run": name,
                        "rule": setting.rule,
                        "tie_break": setting.tie_break,
                        "budget": setting.budget,
                        "step": admission.entry.step,
                        "entries_held": held,
                        "tokens_held": tokens,
                        "evicted_entries": len(admission.evicted),
                        "evicted_tokens": gone,
                        "resent_tokens": sent,
                        "attention_pairs": tokens * (tokens + 1) // 2,
                        "instruction_held": None if written == 0 else lost == 0,
                    }
                )
    return rows
