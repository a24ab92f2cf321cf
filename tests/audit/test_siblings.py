"""The other settings of a claim: their values, the rank among them, and which of them are printed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.audit.guarded import PACKAGES, Guarded, real, tiny
from tests.build import claim
from tieout.audit.siblings import Strip, matches, siblings
from tieout.sqltext import condition

TRAJECTORIES = PACKAGES / "album-memory-2" / "receipts" / "trajectories.parquet"


@pytest.fixture(scope="module")
def answerable() -> pd.DataFrame:
    frame = pd.read_parquet(TRAJECTORIES)
    return frame[frame["answerable"]]


@pytest.fixture(scope="module")
def part_ii() -> Iterator[Guarded]:
    with real("part-ii") as ledgers:
        yield ledgers


@pytest.fixture(scope="module")
def both() -> Iterator[Guarded]:
    with real("part-ii", "part-ii-tables") as ledgers:
        yield ledgers


def found(ledgers: Guarded, name: str) -> list[Strip]:
    return siblings(ledgers.room, ledgers.settings, ledgers[name])


def shares(frame: pd.DataFrame, *by: str) -> dict[tuple[object, ...], Fraction]:
    """Accepted of all, by the cells of some columns."""
    return {
        tuple(getattr(cell, "item", lambda cell=cell: cell)() for cell in key): Fraction(
            int(rows["accepted"].sum()), len(rows)
        )
        for key, rows in frame.groupby(list(by))
    }


def values(strip: Strip) -> dict[tuple[object, ...], object]:
    return {tuple(each.setting.values()): each.value for each in strip.siblings}


def test_the_whole_strips_of_caps_policies_and_settings_are_told(
    both: Guarded, answerable: pd.DataFrame
) -> None:
    policies, caps, settings = found(both, "embedding-1600-accepted")
    assert caps.over == ("cap",)
    assert values(caps) == shares(answerable[answerable["policy"] == "embedding"], "cap")
    assert policies.over == ("policy",)
    assert values(policies) == shares(answerable[answerable["cap"] == 1600], "policy")
    assert settings.over == ("policy", "cap", "threshold")
    assert values(settings) == shares(answerable, "policy", "cap", "threshold")
    assert len(settings.siblings) == 21


def test_rank_and_ties_count_from_both_ends(part_ii: Guarded, answerable: pd.DataFrame) -> None:
    every = shares(answerable, "policy", "cap", "threshold")
    own = every["embedding", 1600, 3]
    *_, settings = found(part_ii, "embedding-1600-accepted")
    assert settings.rank == 1 + sum(value > own for value in every.values())
    assert settings.rank_from_lowest == 1 + sum(value < own for value in every.values())
    assert settings.tied == sum(value == own for value in every.values()) - 1
    assert settings.pools == 1
    tied = [each for each in settings.siblings if each.setting["policy"] == "tfidf" and each.value == own]
    assert [(each.setting["cap"], each.printed) for each in tied] == [(2400, False)]


def test_a_sibling_is_printed_where_any_given_ledger_prints_it(part_ii: Guarded, both: Guarded) -> None:
    def printed(ledgers: Guarded) -> list[str]:
        _, caps, _ = found(ledgers, "embedding-1600-accepted")
        cap_1200 = next(each for each in caps.siblings if each.setting == {"cap": 1200})
        return [place.text or "" for place in cap_1200.places]

    assert printed(part_ii) == []
    assert printed(both) == ["16/20", "80%"]


def test_the_setting_beside_a_picked_one_is_shown_and_not_printed(tmp_path: Path) -> None:
    picked = claim("picked", "100%", metric="success_rate", where={"trials": {"policy": "retry"}})
    with tiny(tmp_path, picked) as ledger:
        [strip] = found(ledger, "picked")
    assert [(each.setting, each.value, each.this, each.printed) for each in strip.siblings] == [
        ({"policy": "plain"}, Fraction(3, 4), False, False),
        ({"policy": "retry"}, Fraction(1), True, True),
    ]
    assert (strip.rank, strip.rank_from_lowest, strip.unprinted) == (1, 2, 1)


def test_the_same_rows_filtered_in_other_words_are_the_same_place(tmp_path: Path) -> None:
    picked = claim("picked", "100%", metric="success_rate", where={"trials": {"policy": "retry"}})
    other = claim("other", "75%", metric="success_rate", where={"trials": {"policy": {"not": "retry"}}})
    with tiny(tmp_path, picked, other) as ledger:
        [strip] = found(ledger, "picked")
    assert [place.text for place in strip.siblings[0].places] == ["75%"]


def test_a_claim_that_pools_settings_is_none_of_them(tmp_path: Path) -> None:
    pooled = claim("pooled", "7/8", metric="success_rate", where={"trials": {"policy": ["plain", "retry"]}})
    with tiny(tmp_path, pooled) as ledger:
        [strip] = found(ledger, "pooled")
    assert (strip.pools, strip.rank, strip.rank_from_lowest) == (2, 2, 2)
    assert not any(each.this for each in strip.siblings)


def test_siblings_of_a_query_that_is_no_sum_are_recomputed_one_by_one(tmp_path: Path) -> None:
    own = claim(
        "tokens",
        "4",
        sql="SELECT count(DISTINCT input_tokens) AS count FROM trials",
        where={"trials": {"policy": "plain"}},
        unit="values",
        combine="sum",
    )
    with tiny(tmp_path, own) as ledger:
        [strip] = found(ledger, "tokens")
    assert values(strip) == {("plain",): 4, ("retry",): 2}


def test_without_a_condition_there_are_no_siblings(tmp_path: Path) -> None:
    by_task = claim("task", "75%", metric="success_rate", where={"trials": {"task_id": "a"}})
    with tiny(tmp_path, by_task) as ledger:
        assert found(ledger, "task") == []


def test_members_of_a_set_are_each_others_siblings(part_ii: Guarded, answerable: pd.DataFrame) -> None:
    whole = pd.read_parquet(TRAJECTORIES).query("threshold == 3")
    tokens = (whole["input_tokens"] + whole["output_tokens"]).groupby([whole["policy"], whole["cap"]]).mean()
    accepted = answerable.query("threshold == 3").groupby(["policy", "cap"])["accepted"].mean()
    frontier = {
        setting: int(
            not any(
                accepted[o] >= accepted[setting]
                and tokens[o] <= tokens[setting]
                and (accepted[o] > accepted[setting] or tokens[o] < tokens[setting])
                for o in accepted.index
            )
        )
        for setting in accepted.index
    }
    [strip] = found(part_ii, "adaptive-on-frontier")
    listed = {(each.setting["policy"], each.setting["cap"]): each.value for each in strip.siblings}
    assert listed == frontier


cells = st.one_of(st.none(), st.integers(-3, 3))
terms = st.one_of(
    cells,
    st.lists(st.integers(-3, 3), min_size=1, max_size=3),
    st.dictionaries(
        st.sampled_from(["below", "above", "at_least", "at_most"]), st.integers(-3, 3), min_size=1
    ),
    st.fixed_dictionaries({"not": st.one_of(cells, st.lists(st.integers(-3, 3), min_size=1, max_size=3))}),
)


@given(cell=cells, term=terms)
def test_a_term_selects_the_cells_that_its_sql_selects(cell: int | None, term: object) -> None:
    with sqlite3.connect(":memory:") as connection:
        connection.execute("CREATE TABLE t (x INTEGER)")
        connection.execute("INSERT INTO t VALUES (?)", (cell,))
        sql = f"SELECT count(*) FROM t WHERE {condition({'x': term}, {'x': True})}"
        [(selected,)] = connection.execute(sql).fetchall()
    connection.close()
    assert matches(cell, term) == bool(selected)
