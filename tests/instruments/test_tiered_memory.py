"""Tiered memory: budgets hold, demotion loses nothing due, replay is exact, and pins are kept, for any tables."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tieout.instruments import INSTRUMENTS, InstrumentRefused, describe, load
from tieout.instruments.memory_assembly import assemble, differences
from tieout.instruments.memory_ranking import recency, similarity
from tieout.instruments.memory_tiers import Part, restore
from tieout.instruments.tiered_inputs import read_conversation
from tieout.instruments.tiered_memory import play

Tables = dict[str, list[dict[str, Any]]]
NAMES = [name for name in INSTRUMENTS if name.startswith("tiered-memory-")]
WORDS = st.lists(
    st.sampled_from(["valve", "lemon", "bed", "water", "plan", "Friday"]), min_size=1, max_size=4
).map(" ".join)
SETTINGS = {
    "similarity_weight": 600,
    "recency_weight": 300,
    "pin_weight": 100,
    "half_life": 100,
    "shortest_word": 4,
    "episode_limit": 40,
    "episode_heading": 5,
}


def tables(
    *,
    turns: list[tuple[str, str, int]],
    items: list[dict[str, Any]] | None = None,
    chunks: list[dict[str, Any]] | None = None,
    frame: int = 5,
    budget: dict[str, int] | None = None,
    **settings: int,
) -> Tables:
    """Tables of a conversation; `turns` are role, text and tokens, ten units of time apart."""
    parts = {"system": 10, "working": 30, "episodic": 60, "semantic": 40, "reserve": 20} | (budget or {})
    return {
        "frame": [{"line": 1, "text": "Be brief.", "tokens": frame}],
        "turns": [
            {"turn": number, "time": 10 * number, "role": role, "text": text, "tokens": tokens}
            for number, (role, text, tokens) in enumerate(turns, 1)
        ],
        "items": [{"closed_by": None, "tokens": 6} | item for item in items or []],
        "chunks": [{"time": 0, "pinned": False, "tokens": 10} | chunk for chunk in chunks or []],
        "budget": [
            {"part": part, "tokens": tokens}
            for part, tokens in {"total": sum(parts.values()), **parts}.items()
        ],
        "settings": [{"setting": name, "value": value} for name, value in {**SETTINGS, **settings}.items()],
    }


def run(name: str, given_tables: Tables, **parameters: object) -> list[dict[str, Any]]:
    return load(f"tiered-memory-{name}")(given_tables, parameters, None)


@st.composite
def conversations(draw: st.DrawFn) -> Tables:
    """Any conversation that an assembler can keep its word on."""
    count = draw(st.integers(1, 12))
    turns = [
        (draw(st.sampled_from(["user", "assistant"])), draw(WORDS), draw(st.integers(0, 30)))
        for _ in range(count)
    ]
    items = [
        {
            "item": f"item-{place}",
            "turn": turn,
            "kind": kind,
            "text": f"{draw(WORDS)} {draw(st.integers(0, 3))}",
            "closed_by": draw(st.one_of(st.none(), st.integers(turn + 1, count + 1)))
            if kind == "question"
            else None,
            "tokens": draw(st.integers(0, 5)),
        }
        for place, (turn, kind) in enumerate(
            draw(
                st.lists(
                    st.tuples(st.integers(1, count), st.sampled_from(["decision", "entity", "question"])),
                    max_size=7,
                )
            )
        )
    ]
    chunks = [
        {
            "chunk": f"chunk-{place}",
            "time": draw(st.integers(-1000, 100)),
            "pinned": draw(st.booleans()) if place < 3 else False,
            "text": draw(WORDS),
            "tokens": draw(st.integers(0, 12)),
        }
        for place in range(draw(st.integers(0, 8)))
    ]
    weight = st.integers(0, 1000)
    return tables(
        turns=turns,
        items=items,
        chunks=chunks,
        frame=draw(st.integers(0, 10)),
        budget={"working": draw(st.integers(30, 90)), "episodic": draw(st.integers(0, 80))},
        similarity_weight=draw(weight),
        recency_weight=draw(weight),
        pin_weight=draw(weight),
        half_life=draw(st.integers(1, 500)),
    )


@given(conversations())
def test_no_tier_is_over_its_budget_and_no_prompt_over_the_ceiling(given_tables: Tables) -> None:
    budget = {row["part"]: row["tokens"] for row in given_tables["budget"]}
    spent: Counter[tuple[str, int, str]] = Counter()
    total: Counter[tuple[str, int]] = Counter()
    for part in run("prompts", given_tables):
        spent[part["policy"], part["request"], part["tier"]] += part["tokens"]
        total[part["policy"], part["request"]] += part["tokens"]
    assert all(tokens <= budget[tier] for (_, _, tier), tokens in spent.items())
    assert all(tokens + budget["reserve"] <= budget["total"] for tokens in total.values())


@given(conversations())
def test_demotion_loses_no_item_that_is_due_and_holds_each_evicted_turn_once(given_tables: Tables) -> None:
    assert [
        row
        for row in run("preservation", given_tables, policies=["demotion"])
        if row["due"] and not row["in_memory"]
    ] == []
    episodes = run("episodes", given_tables)
    for turn in run("evictions", given_tables, policies=["demotion"]):
        holding = [one for one in episodes if one["first_turn"] <= turn["turn"] <= one["last_turn"]]
        assert [one["episode"] for one in holding] == [turn["episode"]]
        assert turn["episodes"] == 1
    assert all(episode["tokens"] <= SETTINGS["episode_limit"] for episode in episodes)


@given(conversations())
def test_replay_from_a_snapshot_is_exact(given_tables: Tables) -> None:
    conversation = read_conversation(given_tables)
    for step in play(conversation, "demotion"):
        memory = restore(step.memory.snapshot())
        assert memory == step.memory
        again = assemble(memory, conversation.budget, conversation.ranker)
        assert again == step.prompt
        assert again.digest == step.replayed == step.prompt.digest


@given(conversations(), st.randoms(use_true_random=False))
def test_the_order_of_the_tables_rows_changes_nothing(given_tables: Tables, shuffler: random.Random) -> None:
    shuffled = {name: shuffler.sample(rows, len(rows)) for name, rows in given_tables.items()}
    assert run("requests", shuffled) == run("requests", given_tables)


@given(conversations())
def test_the_frame_stands_first_and_whole(given_tables: Tables) -> None:
    [line] = given_tables["frame"]
    first = [part for part in run("prompts", given_tables) if part["position"] == 1]
    assert len(first) == len(run("requests", given_tables))
    assert all((part["tier"], part["text"]) == ("system", line["text"]) for part in first)


@given(conversations())
def test_a_pinned_chunk_is_always_retrieved(given_tables: Tables) -> None:
    known = {turn["turn"]: turn["time"] for turn in given_tables["turns"]}
    retrieved = {
        (row["policy"], row["request"], row["candidate"])
        for row in run("retrievals", given_tables)
        if row["retrieved"]
    }
    for request in run("requests", given_tables):
        for chunk in given_tables["chunks"]:
            if chunk["pinned"] and chunk["time"] <= known[request["request"]]:
                assert (request["policy"], request["request"], chunk["chunk"]) in retrieved


@given(conversations())
def test_the_working_set_is_the_newest_turns_without_a_gap(given_tables: Tables) -> None:
    spoken: dict[tuple[str, int], list[str]] = {}
    for part in run("prompts", given_tables):
        if part["tier"] == "working":
            spoken.setdefault((part["policy"], part["request"]), []).append(part["part"])
    for (_, request), names in spoken.items():
        assert names == [f"turn-{number}" for number in range(request - len(names) + 1, request + 1)]


@given(conversations())
def test_prompts_differ_in_a_part_exactly_where_their_digests_differ(given_tables: Tables) -> None:
    digests: dict[int, set[str]] = {}
    for row in run("requests", given_tables):
        digests.setdefault(row["request"], set()).add(row["prompt_digest"])
    differing = {row["request"] for row in run("differences", {"prompts": run("prompts", given_tables)})}
    assert differing == {request for request, found in digests.items() if len(found) > 1}


@given(st.integers(0, 3000), st.integers(1, 60))
def test_recency_is_the_power_of_two_to_the_millionth(age: int, half_life: int) -> None:
    # 2^(-age/half_life) lies between m - 1/2 and m + 1/2 millionths; both sides raised to the half-life are rational
    found = recency(age, half_life)
    power = Fraction(1, 2**age)
    assert power <= (Fraction(2 * found + 1, 2 * 10**6)) ** half_life
    assert found == 0 or power >= (Fraction(2 * found - 1, 2 * 10**6)) ** half_life


def test_similarity_is_twice_the_shared_words_over_both_counts() -> None:
    # lemon and door are shared; the query has lemon, tree, door, the chunk lemon, door, shut, warm: 2 * 2 of 7
    assert similarity("The lemon tree, by the DOOR?", "lemon door: shut, so warm", 4) == round(
        Fraction(4_000_000, 7)
    )
    assert similarity("a b c", "a b c", 4) == 0
    assert similarity("valve", "valve", 4) == 1_000_000


TALK = [
    ("user", "my name is Oda", 12),
    ("assistant", "welcome", 8),
    ("user", "which valve leaks", 10),
    ("assistant", "the one by the door", 9),
    ("user", "then close that valve", 11),
]
ITEMS = [
    {"item": "name", "turn": 1, "kind": "entity", "text": "Oda"},
    {"item": "leak", "turn": 3, "kind": "question", "text": "which valve leaks?", "closed_by": 4},
    {"item": "when", "turn": 2, "kind": "question", "text": "when?", "closed_by": 9},
]


def test_turns_are_demoted_when_the_working_set_is_full_and_cut_off_by_truncation() -> None:
    # 12 + 8 + 10 is 30 and fits; with 9 and 11 more only the last three do
    given_tables = tables(turns=TALK, items=ITEMS)
    assert run("evictions", given_tables) == [
        {"policy": policy, "turn": turn, "request": 5, "episodes": held, "episode": episode, "tokens": tokens}
        for policy, held, episode in (("demotion", 1, 1), ("truncation", 0, None))
        for turn, tokens in ((1, 12), (2, 8))
    ]
    assert run("episodes", given_tables) == [
        {
            "policy": "demotion",
            "episode": 1,
            "request": 5,
            "first_turn": 1,
            "last_turn": 2,
            "turns": 2,
            "turn_tokens": 20,
            "tokens": 17,
            "items": 2,
            "text": "Turns 1 to 2:\nentity: Oda\nquestion: when?",
        }
    ]
    assert [
        part["text"] for part in run("prompts", given_tables, policies=["truncation"]) if part["request"] == 5
    ] == [
        "Be brief.",
        "user: which valve leaks",
        "assistant: the one by the door",
        "user: then close that valve",
    ]


def test_an_episode_closes_before_it_would_pass_its_limit() -> None:
    episodes = run("episodes", tables(turns=TALK, items=ITEMS, episode_limit=16))
    assert [(one["first_turn"], one["last_turn"], one["tokens"]) for one in episodes] == [
        (1, 1, 11),
        (2, 2, 11),
    ]


def test_a_question_that_was_settled_before_its_turn_left_is_not_kept() -> None:
    given_tables = tables(turns=[*TALK, ("assistant", "done", 20), ("user", "thanks", 5)], items=ITEMS)
    kept = {
        row["item"]: (row["evicted_at"], row["due"], row["in_memory"])
        for row in run("preservation", given_tables)[:3]
    }
    assert kept == {"name": (5, True, True), "when": (5, True, True), "leak": (7, False, False)}


def test_what_memory_holds_and_no_budget_retrieves_is_not_in_the_prompt() -> None:
    needs = [{"request": 5, "item": "name"}]
    for episodic, found in ((17, (True, True, "episodic")), (16, (True, False, None))):
        given_tables = tables(turns=TALK, items=ITEMS, budget={"episodic": episodic}) | {"needs": needs}
        row, other = run("recall", given_tables)
        assert (row["in_memory"], row["in_prompt"], row["tier"]) == found
        assert (other["in_memory"], other["in_prompt"], other["tier"]) == (False, False, None)


def test_a_pin_that_the_formula_outweighs_is_kept_and_the_log_says_so() -> None:
    chunks = [
        {"chunk": "rule", "pinned": True, "text": "children with an adult only", "time": -900, "tokens": 25},
        {"chunk": "valve", "text": "which valve leaks", "tokens": 25},
    ]
    log = run("retrievals", tables(turns=TALK[:3], chunks=chunks, pin_weight=1), policies=["demotion"])
    # at time 30: words 1 of 1 for the one, none for the other; 2^-0.3 and 2^-9.3 of the recency
    assert [row for row in log if row["request"] == 3] == [
        {
            "policy": "demotion",
            "request": 3,
            "tier": "semantic",
            "candidate": "rule",
            "pinned": True,
            "age": 930,
            "tokens": 25,
            "similarity": 0,
            "recency": 1586,
            "similarity_part": 0,
            "recency_part": 300 * 1586,
            "pin_part": 1_000_000,
            "score": 300 * 1586 + 1_000_000,
            "rank": 1,
            "score_rank": 2,
            "retrieved": True,
            "retrieved_by_score": False,
        },
        {
            "policy": "demotion",
            "request": 3,
            "tier": "semantic",
            "candidate": "valve",
            "pinned": False,
            "age": 30,
            "tokens": 25,
            "similarity": 1_000_000,
            "recency": 812_252,
            "similarity_part": 600_000_000,
            "recency_part": 300 * 812_252,
            "pin_part": 0,
            "score": 600_000_000 + 300 * 812_252,
            "rank": 2,
            "score_rank": 1,
            "retrieved": False,
            "retrieved_by_score": True,
        },
    ]


def test_parts_are_removed_added_changed_and_moved() -> None:
    def parts(*named: str) -> list[Part]:
        return [Part(tier="semantic", name=one[0], text=one, tokens=1) for one in named]

    found = differences(parts("a", "b", "c", "d"), parts("c2", "b", "e", "d"))
    assert [(one.name, one.change) for one in found] == [
        ("a", "removed"),
        ("e", "added"),
        ("c", "changed"),
        ("b", "moved"),
    ]
    assert differences(parts("a", "b"), parts("a", "b")) == ()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            {"budget": {"working": 4}},
            "turn 1 takes 12 tokens and is never cut; the budget of L1 is 4",
        ),
        ({"frame": 11}, "the frame takes 11 tokens and is never cut; its budget is 10"),
        (
            {"chunks": [{"chunk": "a", "pinned": True, "text": "x", "tokens": 41}]},
            "pinned chunks take 41 tokens and are always retrieved; their budget is 40",
        ),
        (
            {"episode_limit": 10},
            "turn 1: what must be kept of it takes 11 tokens with a heading; an episode has at most 10",
        ),
        ({"half_life": 0}, "settings: half_life is 0, below 1"),
        (
            {"items": [{"item": "a", "turn": 9, "kind": "entity", "text": "x"}]},
            "item 'a': there is no turn 9",
        ),
        (
            {"items": [{"item": "a", "turn": 2, "kind": "decision", "text": "x", "closed_by": 3}]},
            "item 'a': only a question is settled, and only by a later turn",
        ),
        (
            {"items": [{"item": "a", "turn": 2, "kind": "mood", "text": "x"}]},
            "kind: expected one of decision, entity, question, found 'mood'",
        ),
        (
            {"items": [{"item": "a", "turn": 2, "kind": "entity", "text": "x\ny"}]},
            "item 'a': an episode states it on one line",
        ),
        ({"chunks": [{"chunk": "a", "text": "x"}] * 2}, "chunk 'a' is there twice"),
        ({"frame": -1}, "tokens: expected 0 or more, found -1"),
        (
            {"memory": 1},
            (
                "setting: expected similarity_weight, recency_weight, pin_weight, half_life, shortest_word, "
                "episode_limit, episode_heading, found episode_heading, episode_limit, half_life, memory, pin_weight, "
                "recency_weight, shortest_word, similarity_weight"
            ),
        ),
    ],
)
def test_what_an_assembler_cannot_keep_its_word_on_is_refused(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(InstrumentRefused) as caught:
        run("requests", tables(**{"turns": TALK, "items": ITEMS, **changed}))
    assert str(caught.value) == message


def test_parts_that_do_not_add_up_to_the_total_are_refused() -> None:
    given_tables = tables(turns=TALK)
    given_tables["budget"][0]["tokens"] += 1
    with pytest.raises(InstrumentRefused) as caught:
        run("requests", given_tables)
    assert str(caught.value) == "budget: the parts add up to 160, not to the total of 161"


def test_a_turn_of_before_the_last_one_is_refused() -> None:
    given_tables = tables(turns=TALK)
    given_tables["turns"][1]["time"] = 9
    with pytest.raises(InstrumentRefused) as caught:
        run("requests", given_tables)
    assert str(caught.value) == "turn 2: is of 9, before turn 1, which is of 10"


@pytest.mark.parametrize(
    ("parameters", "seed", "message"),
    [
        ({"policy": "demotion"}, None, "no parameter 'policy': the parameters are policies"),
        ({"policies": ["forget"]}, None, "policies: expected one of demotion, truncation, found 'forget'"),
        ({"policies": []}, None, "policies: expected a list of different names, found []"),
        ({}, 1, "draws nothing at random: takes no seed"),
    ],
)
def test_other_parameters_are_refused(parameters: dict[str, object], seed: int | None, message: str) -> None:
    with pytest.raises(InstrumentRefused) as caught:
        load("tiered-memory-requests")(tables(turns=TALK), parameters, seed)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("request_", "item", "message"),
    [
        (2, "name", "needs: turn 2 is no request"),
        (1, "leak", "needs: item 'leak' was not stated by turn 1"),
        (5, "mood", "needs: item 'mood' was not stated by turn 5"),
    ],
)
def test_a_need_of_nothing_is_refused(request_: int, item: str, message: str) -> None:
    given_tables = tables(turns=TALK, items=ITEMS) | {"needs": [{"request": request_, "item": item}]}
    with pytest.raises(InstrumentRefused) as caught:
        run("recall", given_tables)
    assert str(caught.value) == message


@pytest.mark.parametrize("name", NAMES)
def test_an_instrument_gives_the_columns_that_it_describes(name: str) -> None:
    given_tables = tables(turns=TALK, items=ITEMS, chunks=[{"chunk": "a", "text": "valve"}])
    given_tables |= {"needs": [{"request": 5, "item": "name"}], "prompts": run("prompts", given_tables)}
    described = describe(name)
    rows = load(name)({table: given_tables[table] for table in described.inputs}, {}, None)
    assert rows
    assert all(list(row) == list(described.output) for row in rows)
