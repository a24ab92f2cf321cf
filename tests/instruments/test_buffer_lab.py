"""The buffer holds what its rule says: as the lesson prints it, as a plain simulation gives it, and by property."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tieout.instruments import InstrumentRefused, buffer_evicted, buffer_held, buffer_lab, buffer_listing

Inputs = dict[str, list[dict[str, object]]]
Row = dict[str, Any]

RANKS: list[dict[str, object]] = [
    {"kind": "instruction", "rank": 1},
    {"kind": "user-turn", "rank": 2},
    {"kind": "tool-result", "rank": 3},
]
KINDS = [str(row["kind"]) for row in RANKS]


def stream(steps: int, turns: Sequence[int], sizes: tuple[int, int, int]) -> list[dict[str, object]]:
    """A run whose first step is the instruction and whose other steps are user turns or tool results."""
    rows: list[dict[str, object]] = []
    for step in range(1, steps + 1):
        place = 0 if step == 1 else 1 if step in turns else 2
        rows.append({"run": "r", "step": step, "kind": KINDS[place], "tokens": sizes[place]})
    return rows


# the two runs as the lesson states them
HOME: Inputs = {
    "stream": stream(50, range(2, 48, 5), (48, 28, 96)),
    "rereads": [
        {"run": "r", "entry": entry, "step": step}
        for entry, steps in {9: (20, 26, 33), 16: (23, 44), 28: (34, 38), 41: (45, 49, 50)}.items()
        for step in steps
    ],
    "ranks": RANKS,
}
EXERCISE: Inputs = {"stream": stream(20, (4, 9, 14, 19), (60, 25, 80)), "rereads": [], "ranks": RANKS}


def steps(inputs: Inputs, **parameters: object) -> dict[int, Row]:
    rows = buffer_lab.run(inputs, parameters, None)
    return {int(str(row["step"])): row for row in rows}


def kept(inputs: Inputs, step: int, kind: str | None = None, **parameters: object) -> list[object]:
    rows = buffer_held.run(inputs, parameters, None)
    return [row["entry"] for row in rows if row["step"] == step and kind in (None, row["kind"])]


@pytest.mark.parametrize(
    ("rule", "entries", "tokens", "sent", "instruction"),
    [
        ("no-eviction", 50, 4072, 101_980, True),
        ("fifo", 9, 728, 33_580, False),
        ("priority", 15, 712, 33_820, True),
    ],
)
def test_the_printed_windows_come_out(
    rule: str, entries: int, tokens: int, sent: int, instruction: bool
) -> None:
    for row in buffer_lab.run(HOME, {"budgets": [800], "rule": rule}, None):
        if row["step"] == 50:
            names = ("entries_held", "tokens_held", "resent_tokens", "instruction_held")
            assert [row[name] for name in names] == [entries, tokens, sent, instruction]


def test_the_first_eleven_steps_are_those_of_the_walk_through() -> None:
    # step: pool, FIFO, priority
    printed = {1: (48, 48, 48), 2: (76, 76, 76), 7: (488, 488, 488), 11: (872, 796, 776)}
    rules = [
        steps(HOME, budgets=[800], rule=rule, tie_break=tie)
        for rule, tie in (("no-eviction", "none"), ("fifo", "none"), ("priority", "most-re-read"))
    ]
    assert {step: tuple(rule[step]["tokens_held"] for rule in rules) for step in printed} == printed


@pytest.mark.parametrize(
    ("tie_break", "results"),
    [
        ("most-re-read", [9, 16, 28, 41]),
        ("most-recent", [46, 48, 49, 50]),
        # by hand: 9 and 28 have left before the run comes back to them, and nothing comes back to 49 and 50
        ("most-re-read-so-far", [16, 41, 49, 50]),
    ],
)
def test_the_tie_break_decides_which_results_stay(tie_break: str, results: list[int]) -> None:
    assert kept(HOME, 50, "tool-result", budgets=[800], rule="priority", tie_break=tie_break) == results


def test_fifo_loses_the_instruction_at_step_eleven_and_priority_loses_only_results() -> None:
    fifo = buffer_evicted.run(HOME, {"budgets": [800], "rule": "fifo"}, None)
    assert [(row["step"], row["place"], row["entry"]) for row in fifo[:3]] == [
        (11, 1, 1),
        (11, 2, 2),
        (12, 1, 3),
    ]
    priority = buffer_evicted.run(
        HOME, {"budgets": [800], "rule": "priority", "tie_break": "most-re-read"}, None
    )
    assert {row["kind"] for row in priority} == {"tool-result"}
    assert sum(int(str(row["tokens"])) for row in priority) == 3360


def test_the_exercise_has_its_printed_answer() -> None:
    pool = steps(EXERCISE, budgets=[400], rule="no-eviction")
    fifo = steps(EXERCISE, budgets=[400], rule="fifo")
    assert (pool[6]["tokens_held"], pool[12]["tokens_held"]) == (405, 830)
    assert (fifo[5]["instruction_held"], fifo[6]["instruction_held"]) == (True, False)
    assert fifo[6]["tokens_held"] == 345


def test_attention_pairs_are_those_printed() -> None:
    assert (
        steps(HOME, budgets=[800], rule="priority", tie_break="most-recent")[50]["attention_pairs"] == 253_828
    )
    assert steps(HOME, budgets=[800], rule="no-eviction")[50]["attention_pairs"] == 8_292_628


def test_the_printout_is_that_of_a_queue() -> None:
    parameters = {"run": "r", "kind": "tool-result", "budget": 800, "steps": [10, 11], "first": 50}
    rows = buffer_listing.run(HOME, parameters, None)
    # 33,580 and 796 are what the lesson gives for FIFO outside its code; 468/509 is 3,744/4,072 in lowest terms
    assert [(row["line"], row["place"], row["numerator"], row["denominator"]) for row in rows] == [
        (1, 1, 4072, 1),
        (2, 1, 468, 509),
        (3, 1, 39, 50),
        (4, 1, 776, 1),
        (4, 2, 796, 1),
        (5, 1, 50, 1),
        (5, 2, 33_580, 1),
        (6, 1, 33_580, 1),
        (6, 2, 796, 1),
    ]


def test_a_range_of_budgets_holds_both_its_ends() -> None:
    rows = buffer_lab.run(EXERCISE, {"budgets": [100, 300], "every": 100, "rule": "fifo"}, None)
    assert sorted({row["budget"] for row in rows}, key=str) == [100, 200, 300]


def test_an_instruction_not_yet_written_is_neither_held_nor_lost() -> None:
    late: Inputs = {
        "stream": [
            {"run": "r", "step": 1, "kind": "tool-result", "tokens": 5},
            {"run": "r", "step": 2, "kind": "instruction", "tokens": 5},
        ],
        "rereads": [],
        "ranks": RANKS,
    }
    found = [row["instruction_held"] for row in buffer_lab.run(late, {"budgets": [5], "rule": "fifo"}, None)]
    assert found == [None, True]


@st.composite
def any_run(draw: st.DrawFn) -> Inputs:
    """A run of up to 14 entries of any kind and size, with re-reads of any of them."""
    count = draw(st.integers(1, 14))
    rows: list[dict[str, object]] = [
        {"run": "r", "step": step, "kind": draw(st.sampled_from(KINDS)), "tokens": draw(st.integers(0, 9))}
        for step in range(1, count + 1)
    ]
    pairs = [(entry, step) for step in range(2, count + 1) for entry in range(1, step)]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=12)) if pairs else []
    ranks: list[dict[str, object]] = [{"kind": kind, "rank": draw(st.integers(1, 3))} for kind in KINDS]
    rereads: list[dict[str, object]] = [{"run": "r", "entry": e, "step": s} for e, s in chosen]
    return {"stream": rows, "rereads": rereads, "ranks": ranks}


def plainly(inputs: Inputs, rule: str, tie_break: str, budget: int) -> list[list[int]]:
    """What is held after each step, by sorting what is held anew for every entry that has to go."""
    ranks: Mapping[object, Any] = {row["kind"]: row["rank"] for row in inputs["ranks"]}
    sizes: dict[int, int] = {}
    kinds: dict[int, object] = {}
    held: list[int] = []
    after = []
    for row in inputs["stream"]:
        now = int(str(row["step"]))
        sizes[now], kinds[now] = int(str(row["tokens"])), row["kind"]
        held.append(now)
        while rule != "no-eviction" and sum(sizes[entry] for entry in held) > budget:
            oldest_first = sorted(held)
            if rule == "priority":
                reads = {
                    entry: sum(
                        1
                        for reread in inputs["rereads"]
                        if reread["entry"] == entry
                        and tie_break != "most-recent"
                        and (tie_break == "most-re-read" or int(str(reread["step"])) <= now)
                    )
                    for entry in held
                }
                # sorting is stable: the last key sorted by decides first
                oldest_first.sort(key=lambda entry, reads=reads: reads[entry])  # type: ignore[misc]
                oldest_first.sort(key=lambda entry: ranks[kinds[entry]], reverse=True)
            held.remove(oldest_first[0])
        after.append(sorted(held))
    return after


SETTINGS = [
    ("no-eviction", "none"),
    ("fifo", "none"),
    ("priority", "most-recent"),
    ("priority", "most-re-read"),
    ("priority", "most-re-read-so-far"),
]


@pytest.mark.parametrize(("rule", "tie_break"), SETTINGS)
@given(inputs=any_run(), budget=st.integers(0, 60))
def test_it_is_what_a_plain_simulation_gives(rule: str, tie_break: str, inputs: Inputs, budget: int) -> None:
    rows = buffer_held.run(inputs, {"budgets": [budget], "rule": rule, "tie_break": tie_break}, None)
    found = [
        [row["entry"] for row in rows if row["step"] == step] for step in range(1, len(inputs["stream"]) + 1)
    ]
    assert found == plainly(inputs, rule, tie_break, budget)


@given(inputs=any_run(), budget=st.integers(0, 60))
def test_a_budget_is_never_exceeded(inputs: Inputs, budget: int) -> None:
    for row in buffer_lab.run(inputs, {"budgets": [budget]}, None):
        if row["rule"] != "no-eviction":
            assert int(str(row["tokens_held"])) <= budget


@given(inputs=any_run(), budget=st.integers(0, 60))
def test_priority_drops_nothing_while_anything_of_lower_rank_is_held(inputs: Inputs, budget: int) -> None:
    ranks: Mapping[object, Any] = {row["kind"]: row["rank"] for row in inputs["ranks"]}
    parameters = {"budgets": [budget], "rule": "priority"}
    held: dict[tuple[object, object], list[int]] = {}
    for row in buffer_held.run(inputs, parameters, None):
        held.setdefault((row["tie_break"], row["step"]), []).append(ranks[row["kind"]])
    for row in buffer_evicted.run(inputs, parameters, None):
        assert all(rank <= ranks[row["kind"]] for rank in held.get((row["tie_break"], row["step"]), []))


@given(inputs=any_run(), budget=st.integers(0, 60))
def test_fifo_holds_a_suffix(inputs: Inputs, budget: int) -> None:
    for step in range(1, len(inputs["stream"]) + 1):
        entries = kept(inputs, step, budgets=[budget], rule="fifo")
        assert entries == list(range(step - len(entries) + 1, step + 1))


@given(inputs=any_run())
def test_a_budget_for_everything_holds_everything(inputs: Inputs) -> None:
    everything = sum(int(str(row["tokens"])) for row in inputs["stream"])
    assert buffer_evicted.run(inputs, {"budgets": [everything]}, None) == []


@given(inputs=any_run(), budget=st.integers(0, 60))
def test_the_order_of_the_rows_does_not_matter(inputs: Inputs, budget: int) -> None:
    turned = {name: rows[::-1] for name, rows in inputs.items()}
    assert buffer_lab.run(turned, {"budgets": [budget]}, None) == buffer_lab.run(
        inputs, {"budgets": [budget]}, None
    )


ENTRY = {"run": "r", "step": 1, "kind": "instruction", "tokens": 5}


@pytest.mark.parametrize(
    ("changed", "parameters", "seed", "message"),
    [
        ({}, {"budgets": [8]}, 1, "draws nothing at random: takes no seed"),
        (
            {},
            {"budget": [8]},
            None,
            "no parameter 'budget': the parameters are budgets, every, rule, tie_break",
        ),
        ({}, {}, None, "budgets: expected different integers of at least 0, found None"),
        (
            {},
            {"budgets": [8, 8]},
            None,
            "budgets: expected different integers of at least 0, found [8, 8]",
        ),
        (
            {},
            {"budgets": [8, True]},
            None,
            "budgets: expected different integers of at least 0, found [8, True]",
        ),
        (
            {},
            {"budgets": [8, 20], "every": 5},
            None,
            "every: expected a step that leads from the first of two budgets to the second, found 5 for [8, 20]",
        ),
        (
            {},
            {"budgets": [8], "rule": "fifo", "tie_break": "most-recent"},
            None,
            (
                "no rule 'fifo' with the tie-break 'most-recent': there are no-eviction with none; fifo with none; "
                "priority with most-recent, most-re-read, most-re-read-so-far"
            ),
        ),
        ({"ranks": []}, {"budgets": [8]}, None, "run 'r', step 1: no rank for the kind 'instruction'"),
        ({"stream": [ENTRY, ENTRY]}, {"budgets": [8]}, None, "run 'r': step 1 writes two entries"),
        ({"stream": [{**ENTRY, "tokens": -1}]}, {"budgets": [8]}, None, "run 'r', step 1: -1 tokens"),
        (
            {"rereads": [{"run": "r", "entry": 1, "step": 1}]},
            {"budgets": [8]},
            None,
            "run 'r': the entry of step 1 is re-read before it is written",
        ),
    ],
)
def test_what_cannot_be_replayed_is_refused(
    changed: Inputs, parameters: dict[str, object], seed: int | None, message: str
) -> None:
    inputs: Inputs = {"stream": [ENTRY], "rereads": [], "ranks": RANKS} | changed
    for instrument in (buffer_held.run, buffer_evicted.run):
        with pytest.raises(InstrumentRefused) as caught:
            instrument(inputs, parameters, seed)
        assert str(caught.value) == message


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"run": "s"}, "the stream has no run 's'"),
        ({"steps": [2]}, "steps: the run has no entry 2, only 1"),
        ({"steps": "1"}, "steps: expected a list of integers, found '1'"),
        ({"first": 0}, "first: expected an integer of at least 1, found 0"),
        ({"last": 1}, "no parameter 'last': the parameters are run, kind, budget, steps, first"),
    ],
)
def test_a_printout_that_cannot_be_made_is_refused(changed: dict[str, object], message: str) -> None:
    parameters = {"run": "r", "kind": "instruction", "budget": 8, "steps": [1], "first": 1} | changed
    with pytest.raises(InstrumentRefused) as caught:
        buffer_listing.run({"stream": [ENTRY]}, parameters, None)
    assert str(caught.value) == message
