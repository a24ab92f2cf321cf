"""What every instrument of the buffer lab reads: a stream of entries with their ranks and re-reads, and settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tieout.instruments import InstrumentRefused, Rows, integer, refuse_unknown, table, text

PARAMETERS = ("budgets", "every", "rule", "tie_break")
INPUTS: Mapping[str, Mapping[str, str]] = {
    "stream": {
        "run": "string, the run that wrote the entry",
        "step": "integer, the step at which it was written; an entry has a step of its own",
        "kind": "string, what it is",
        "tokens": "integer, its size",
    },
    "rereads": {
        "run": "string, the run",
        "entry": "integer, the step at which the entry was written",
        "step": "integer, a later step at which the run came back to it",
    },
    "ranks": {
        "kind": "string, what an entry is",
        "rank": "integer, its place in importance, the most important first; kinds may share one",
    },
}
SETTING: Mapping[str, str] = {
    "run": "string, the run",
    "rule": "string, no-eviction, fifo or priority",
    "tie_break": "string, most-recent, most-re-read or most-re-read-so-far, none where the rule has no ties",
    "budget": "integer, the most tokens that fifo and priority hold; no-eviction takes no notice of it",
}
SAYS: Mapping[str, str] = {
    "budgets": "list of integers, the budgets; with `every`, the two ends of a range, both included",
    "every": "integer, the step of that range",
    "rule": "string, one rule alone",
    "tie_break": "string, one tie-break alone",
}

RULES: Mapping[str, tuple[str, ...]] = {
    "no-eviction": ("none",),
    "fifo": ("none",),
    "priority": ("most-recent", "most-re-read", "most-re-read-so-far"),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One entry of a run. A lower `rank` is more important; `reread_at` are the steps that came back to it, sorted."""

    step: int
    kind: str
    tokens: int
    rank: int
    reread_at: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Setting:
    """A rule of admission, how it breaks ties, and the most tokens that it holds."""

    rule: str
    tie_break: str
    budget: int


def runs(inputs: Mapping[str, Rows]) -> dict[str, list[Entry]]:
    """The entries of each run in the order in which they were written, runs sorted by name.

    Raises InstrumentRefused for two entries of one step, a negative size, a kind without a rank, and a re-read of what
    was not written before.
    """
    ranks = {text(row, "kind"): integer(row, "rank") for row in table(inputs, "ranks")}
    reread_at: dict[tuple[str, int], list[int]] = {}
    for row in table(inputs, "rereads"):
        reread_at.setdefault((text(row, "run"), integer(row, "entry")), []).append(integer(row, "step"))
    written: dict[str, dict[int, Entry]] = {}
    for row in table(inputs, "stream"):
        run, step, kind, tokens = (
            text(row, "run"),
            integer(row, "step"),
            text(row, "kind"),
            integer(row, "tokens"),
        )
        if kind not in ranks:
            raise InstrumentRefused(f"run {run!r}, step {step}: no rank for the kind {kind!r}")
        if tokens < 0:
            raise InstrumentRefused(f"run {run!r}, step {step}: {tokens} tokens")
        if step in written.setdefault(run, {}):
            raise InstrumentRefused(f"run {run!r}: step {step} writes two entries")
        later = tuple(sorted(reread_at.get((run, step), ())))
        written[run][step] = Entry(step=step, kind=kind, tokens=tokens, rank=ranks[kind], reread_at=later)
    for (run, entry), steps in sorted(reread_at.items()):
        if entry not in written.get(run, {}) or min(steps) <= entry:
            raise InstrumentRefused(f"run {run!r}: the entry of step {entry} is re-read before it is written")
    return {run: [entry for _, entry in sorted(entries.items())] for run, entries in sorted(written.items())}


def settings(parameters: Mapping[str, object], known: Sequence[str] = PARAMETERS) -> list[Setting]:
    """Every rule with every tie-break under every budget, or those that the parameters name.

    Raises InstrumentRefused for an unknown parameter, rule or tie-break, and for budgets that are none.
    """
    refuse_unknown(parameters, known)
    rule = parameters.get("rule")
    tie_break = parameters.get("tie_break")
    chosen = [
        (name, tie)
        for name, ties in RULES.items()
        for tie in ties
        if rule in (None, name) and tie_break in (None, tie)
    ]
    if not chosen:
        raise InstrumentRefused(
            f"no rule {rule!r} with the tie-break {tie_break!r}: there are "
            + "; ".join(f"{name} with {', '.join(ties)}" for name, ties in RULES.items())
        )
    sizes = budgets(parameters)
    return [Setting(rule=name, tie_break=tie, budget=budget) for name, tie in chosen for budget in sizes]


def budgets(parameters: Mapping[str, object]) -> list[int]:
    """The budgets that the parameters name: those of the list `budgets`, or with `every` a range from one to the other.

    Raises InstrumentRefused for budgets that are no different integers of at least 0, and a range that misses its end.
    """
    given = parameters.get("budgets")
    listed = given if isinstance(given, list) else []
    named = [size for size in listed if type(size) is int and size >= 0]
    if not named or len(set(named)) != len(listed):
        raise InstrumentRefused(f"budgets: expected different integers of at least 0, found {given!r}")
    if "every" not in parameters:
        return named
    every = integer(parameters, "every")
    if len(named) != 2 or every < 1 or named[0] > named[1] or (named[1] - named[0]) % every:
        raise InstrumentRefused(
            f"every: expected a step that leads from the first of two budgets to the second, found {every} for {named}"
        )
    return list(range(named[0], named[1] + 1, every))
