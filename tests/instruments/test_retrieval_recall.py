"""Recall under a budget against a context built token by token, and the properties that no input may break."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tieout.instruments import InstrumentRefused
from tieout.instruments.retrieval_fact_cost import run as run_cost
from tieout.instruments.retrieval_recall import run

Tables = dict[str, list[dict[str, Any]]]
Token = tuple[str, str, int]  # item, "heading" or "text", number within it
NO_CALLS = {"model_calls": None, "model_tokens": None, "model_cost": None}


def tables() -> Tables:
    """A question that needs one fact of two spans; before it, an expired record that resembles the right one."""
    return {
        "items": [
            {"item_id": "old", "heading_tokens": 4, "text_tokens": 6, "expired": True},
            {"item_id": "right", "heading_tokens": 5, "text_tokens": 10, "expired": False},
            {"item_id": "other", "heading_tokens": 4, "text_tokens": 6, "expired": False},
        ],
        "queries": [{"query_id": "fee"}, {"query_id": "none"}, {"query_id": "silent"}],
        "required_items": [{"query_id": "fee", "item_id": "right"}],
        "required_spans": [
            {"query_id": "fee", "fact_id": "price", "item_id": "right", "start_token": 1, "end_token": 3},
            {"query_id": "fee", "fact_id": "price", "item_id": "right", "start_token": 6, "end_token": 8},
        ],
        "runs": [{"query_id": name, "retriever": "r", **NO_CALLS} for name in ("fee", "none", "silent")],
        "selections": [
            {"query_id": "fee", "retriever": "r", "rank": 1, "item_id": "old"},
            {"query_id": "fee", "retriever": "r", "rank": 2, "item_id": "right"},
            {"query_id": "none", "retriever": "r", "rank": 1, "item_id": "other"},
        ],
    }


def at(budget: int, query: str = "fee", **parameters: object) -> dict[str, Any]:
    rows = run(tables(), {"budgets": [budget], **parameters}, None)
    (row,) = (row for row in rows if row["query_id"] == query)
    return row


def test_an_item_beyond_truncation_is_not_delivered_though_it_was_selected() -> None:
    row = at(10)
    assert (row["selected_required_items"], row["delivered_required_items"]) == (1, 0)
    assert (row["selected_facts"], row["delivered_facts"]) == (1, 0)


def test_a_title_whose_fact_was_cut_delivers_the_item_and_no_fact() -> None:
    # old 10, heading 5, then eight tokens of text up to the fact's last span
    row = at(22)
    assert (row["delivered_required_items"], row["delivered_facts"]) == (1, 0)
    assert at(22, item_rule="whole")["delivered_required_items"] == 0


def test_a_fact_needs_the_last_token_of_its_last_span() -> None:
    assert [at(budget)["delivered_facts"] for budget in (22, 23)] == [0, 1]
    assert [at(budget, truncation="whole")["delivered_facts"] for budget in (24, 25)] == [0, 1]


def test_an_expired_record_that_resembles_the_right_one_is_a_distractor() -> None:
    row = at(10)
    assert (row["distractors"], row["expired_distractors"], row["distractor_tokens"]) == (1, 1, 10)


def test_tokens_are_used_for_evidence_or_wasted() -> None:
    row = at(23)
    assert (row["used_tokens"], row["formatting_tokens"]) == (23, 9)
    assert (row["evidence_tokens"], row["wasted_tokens"]) == (4, 19)
    assert row["rendered_tokens"] == 25


def test_tokens_before_the_first_item_count_against_the_budget() -> None:
    assert [at(budget, preface_tokens=3)["delivered_facts"] for budget in (25, 26)] == [0, 1]
    assert at(2, preface_tokens=3)["used_tokens"] == 2
    assert at(2, preface_tokens=3, truncation="whole")["used_tokens"] == 0


@pytest.mark.parametrize(
    ("query", "truncation", "absence"),
    [
        ("silent", "cut", "exposed"),
        ("none", "cut", "filled"),
        ("none", "whole", "no-room"),
        ("fee", "cut", None),
    ],
)
def test_without_evidence_absence_shows_or_substitutes_fill_the_budget(
    query: str, truncation: str, absence: str | None
) -> None:
    assert at(5, query, truncation=truncation)["absence"] == absence


def test_calls_of_a_model_are_handed_on_and_unknown_ones_stay_unknown() -> None:
    given = tables()
    given["runs"][0] |= {"model_calls": 2, "model_tokens": 300, "model_cost": 45}
    rows = {row["query_id"]: row for row in run(given, {"budgets": [9]}, None)}
    assert [rows["fee"][name] for name in NO_CALLS] == [2, 300, 45]
    assert [rows["none"][name] for name in NO_CALLS] == [None, None, None]


def test_a_further_fact_costs_what_the_budget_must_grow_by() -> None:
    given = tables()
    given["required_spans"].append(
        {"query_id": "fee", "fact_id": "day", "item_id": "right", "start_token": 0, "end_token": 1}
    )
    given["required_items"].append({"query_id": "fee", "item_id": "other"})
    given["required_spans"].append(
        {"query_id": "fee", "fact_id": "lost", "item_id": "other", "start_token": 0, "end_token": 1}
    )
    rows = run_cost(given, {}, None)
    assert [(row["fact_id"], row["needed_budget"], row["place"], row["marginal_tokens"]) for row in rows] == [
        ("day", 16, 1, 16),
        ("lost", None, None, None),
        ("price", 23, 2, 7),
    ]


@st.composite
def studies(draw: st.DrawFn) -> Tables:
    names = [f"i{number}" for number in range(draw(st.integers(1, 5)))]
    items: list[dict[str, Any]] = [
        {
            "item_id": name,
            "heading_tokens": draw(st.integers(0, 4)),
            "text_tokens": draw(st.integers(1, 8)),
            "expired": draw(st.booleans()),
        }
        for name in names
    ]
    texts = {item["item_id"]: item["text_tokens"] for item in items}
    required = draw(st.lists(st.sampled_from(names), unique=True))
    spans = []
    for fact in range(draw(st.integers(0, 4)) if required else 0):
        for _ in range(draw(st.integers(1, 2))):
            name = draw(st.sampled_from(required))
            start = draw(st.integers(0, texts[name] - 1))
            end = draw(st.integers(start + 1, texts[name]))
            spans.append(
                {
                    "query_id": "q",
                    "fact_id": f"f{fact}",
                    "item_id": name,
                    "start_token": start,
                    "end_token": end,
                }
            )
    order = draw(st.lists(st.sampled_from(names), unique=True))
    return {
        "items": items,
        "queries": [{"query_id": "q"}],
        "required_items": [{"query_id": "q", "item_id": name} for name in required],
        "required_spans": spans,
        "runs": [{"query_id": "q", "retriever": "r", **NO_CALLS}],
        "selections": [
            {"query_id": "q", "retriever": "r", "rank": rank, "item_id": name}
            for rank, name in enumerate(order, 1)
        ],
    }


def context(study: Tables, budget: int, truncation: str, preface: int) -> list[Token]:
    """The context as the rules say it, one token after the other."""
    items = {item["item_id"]: item for item in study["items"]}
    tokens: list[Token] = [("", "preface", number) for number in range(preface)]
    if truncation == "whole" and preface > budget:
        return []
    for row in sorted(study["selections"], key=lambda row: row["rank"]):
        item = items[row["item_id"]]
        block = [(row["item_id"], "heading", number) for number in range(item["heading_tokens"])]
        block += [(row["item_id"], "text", number) for number in range(item["text_tokens"])]
        if truncation == "whole" and len(tokens) + len(block) > budget:
            return tokens
        tokens += block
    return tokens[:budget]


parameters = st.fixed_dictionaries(
    {
        "truncation": st.sampled_from(["cut", "whole"]),
        "item_rule": st.sampled_from(["heading", "whole"]),
        "preface_tokens": st.integers(0, 3),
    }
)
BUDGETS = list(range(66))  # from nothing to more than any of these studies renders


@given(studies(), parameters, st.sampled_from(BUDGETS))
def test_a_context_built_token_by_token_gives_the_same(
    study: Tables, given: dict[str, Any], budget: int
) -> None:
    (row,) = run(study, {"budgets": [budget], **given}, None)
    tokens = context(study, budget, given["truncation"], given["preface_tokens"])
    held = set(tokens)
    required = {row["item_id"] for row in study["required_items"]}
    facts: dict[str, set[Token]] = {}
    for span in study["required_spans"]:
        facts.setdefault(span["fact_id"], set()).update(
            (span["item_id"], "text", number) for number in range(span["start_token"], span["end_token"])
        )
    delivered = set()
    for item in study["items"]:
        name, heading = item["item_id"], item["heading_tokens"]
        mine = sum(token[0] == name for token in tokens)
        least = max(heading, 1) if given["item_rule"] == "heading" else heading + item["text_tokens"]
        if mine >= least:
            delivered.add(name)
    evidence = {token for fact in facts.values() if fact <= held for token in fact}
    expired = {item["item_id"] for item in study["items"] if item["expired"]}
    assert row["used_tokens"] == len(tokens)
    assert row["delivered_required_items"] == len(delivered & required)
    assert row["delivered_items"] == len(delivered)
    assert row["distractors"] == len(delivered - required)
    assert row["expired_distractors"] == len((delivered - required) & expired)
    assert row["required_facts"] == len(facts)
    assert row["delivered_facts"] == sum(fact <= held for fact in facts.values())
    assert row["evidence_tokens"] == len(evidence)
    assert row["wasted_tokens"] == len(tokens) - len(evidence)
    assert row["formatting_tokens"] == sum(token[1] != "text" for token in tokens)
    assert row["distractor_tokens"] == sum(bool(token[0]) and token[0] not in required for token in tokens)


@given(studies(), parameters)
def test_delivered_never_exceeds_selected_nor_falls_and_no_budget_is_exceeded(
    study: Tables, given: dict[str, Any]
) -> None:
    rows: list[dict[str, Any]] = run(study, {"budgets": BUDGETS, **given}, None)
    for row in rows:
        assert row["delivered_required_items"] <= row["selected_required_items"] <= row["required_items"]
        assert row["delivered_facts"] <= row["selected_facts"] <= row["required_facts"]
        assert row["used_tokens"] <= min(row["budget"], row["rendered_tokens"])
        assert row["evidence_tokens"] + row["wasted_tokens"] == row["used_tokens"]
    for less, more in itertools.pairwise(rows):
        assert less["delivered_required_items"] <= more["delivered_required_items"]
        assert less["delivered_facts"] <= more["delivered_facts"]
    # with room for everything, what was selected is delivered
    assert rows[-1]["delivered_required_items"] == rows[-1]["selected_required_items"]
    assert rows[-1]["delivered_facts"] == rows[-1]["selected_facts"]


@given(studies(), st.sampled_from(["cut", "whole"]), st.integers(0, 3))
def test_the_needed_budget_is_the_smallest_that_delivers(
    study: Tables, truncation: str, preface: int
) -> None:
    given: dict[str, Any] = {"truncation": truncation, "preface_tokens": preface}
    recall: list[dict[str, Any]] = run(study, {"budgets": BUDGETS, **given}, None)
    costs: list[dict[str, Any]] = run_cost(study, given, None)
    needed = [row["needed_budget"] for row in costs if row["needed_budget"] is not None]
    for row in recall:
        assert row["delivered_facts"] == sum(budget <= row["budget"] for budget in needed)
    assert sum(row["marginal_tokens"] or 0 for row in costs) == max(needed, default=0)
    assert sorted(row["place"] for row in costs if row["place"] is not None) == list(
        range(1, len(needed) + 1)
    )


@given(studies(), st.randoms(use_true_random=False))
def test_the_order_of_rows_means_nothing(study: Tables, random: Any) -> None:
    shuffled = {name: random.sample(rows, len(rows)) for name, rows in study.items()}
    assert run(shuffled, {"budgets": [20, 7]}, None) == run(study, {"budgets": [7, 20]}, None)


def change(name: str, index: int, **cells: object) -> Callable[[Tables], None]:
    return lambda given: given[name][index].update(cells)


def again(name: str, index: int, **cells: object) -> Callable[[Tables], None]:
    return lambda given: given[name].append({**given[name][index], **cells})


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (again("items", 0), "item 'old' stands twice in its table"),
        (
            change("items", 0, heading_tokens=0, text_tokens=0),
            "item 'old' has no tokens, so nothing of it can be delivered",
        ),
        (change("items", 0, text_tokens=-1), "text_tokens: expected 0 or more, found -1"),
        (again("queries", 0), "query 'fee' stands twice in its table"),
        (again("required_items", 0), "query 'fee' requires item 'right' twice"),
        (change("required_items", 0, item_id="gone"), "item_id: no row of its own table has 'gone'"),
        (
            change("required_spans", 1, end_token=11),
            "fact 'price' of query 'fee': tokens 6 to 11 are no span of the 10 tokens of 'right'",
        ),
        (
            change("required_spans", 1, start_token=8),
            "fact 'price' of query 'fee': tokens 8 to 8 are no span of the 10 tokens of 'right'",
        ),
        (
            change("required_spans", 0, item_id="other"),
            "fact 'price' of query 'fee' lies in 'other', which it does not require",
        ),
        (again("runs", 0, retriever="s"), "retriever 's' was not run on query 'none'"),
        (again("runs", 0), "run ('fee', 'r') stands twice in its table"),
        (change("runs", 0, model_calls=-1), "model_calls: expected 0 or more, found -1"),
        (
            change("selections", 0, retriever="s"),
            "a selection of retriever 's' on query 'fee' belongs to no run",
        ),
        (
            change("selections", 1, rank=3),
            "the ranks of retriever 'r' on query 'fee' are not 1, 2, 3 and so on",
        ),
        (change("selections", 1, rank=1), "retriever 'r' on query 'fee' has rank 1 or 'right' twice"),
        (change("selections", 1, item_id="old"), "retriever 'r' on query 'fee' has rank 2 or 'old' twice"),
    ],
)
def test_tables_that_contradict_each_other_are_refused(spoil: Callable[[Tables], None], message: str) -> None:
    given = tables()
    spoil(given)
    for instrument, settings in ((run, {"budgets": [9]}), (run_cost, {})):
        with pytest.raises(InstrumentRefused) as caught:
            instrument(given, settings, None)
        assert str(caught.value) == message


@pytest.mark.parametrize(
    ("given", "seed", "message"),
    [
        ({}, None, "budgets: expected a list of different numbers of tokens, found None"),
        ({"budgets": [5, 5]}, None, "budgets: expected a list of different numbers of tokens, found [5, 5]"),
        ({"budgets": [-1]}, None, "budget: expected 0 or more, found -1"),
        ({"budgets": [True]}, None, "budget: expected an integer, found True"),
        (
            {"budgets": [5], "truncation": "tail"},
            None,
            "truncation: expected one of cut, whole, found 'tail'",
        ),
        (
            {"budgets": [5], "item_rule": "title"},
            None,
            "item_rule: expected one of whole, heading, found 'title'",
        ),
        (
            {"budgets": [5], "trunctation": "cut"},
            None,
            "no parameter 'trunctation': the parameters are budgets, truncation, item_rule, preface_tokens",
        ),
        ({"budgets": [5]}, 1, "draws nothing at random: takes no seed"),
    ],
)
def test_parameters_that_nothing_would_read_rightly_are_refused(
    given: dict[str, object], seed: int | None, message: str
) -> None:
    with pytest.raises(InstrumentRefused) as caught:
        run(tables(), given, seed)
    assert str(caught.value) == message
