"""Queries are sent once each, to whoever must answer them, and answers come back by query."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import build
from tieout.exact import Rows
from tieout.ledger import Recipe
from tieout.package import Package, open_package
from tieout.planning import Planner, QueryStep
from tieout.questions import Questions
from tieout.verify import Options, open_in, started

COUNT = "SELECT count(*) AS count FROM trials"


@pytest.fixture
def package(tmp_path: Path) -> Package:
    return open_package(build.package(tmp_path / "tiny"), frozen=False)


@pytest.fixture
def questions(package: Package) -> Iterator[Questions]:
    options = Options()
    with started(options) as (duckdb, sqlite):
        open_in((duckdb, sqlite), [package], options)
        yield Questions(duckdb, sqlite)


def step(package: Package, sql: str | None = None, metric: str | None = None) -> QueryStep:
    recipe = Recipe(sql=sql, metric=metric, combine="sum" if sql else None, where={"trials": "all"})
    planned = Planner(package).plan(recipe)
    assert isinstance(planned, QueryStep)
    return planned


def test_a_value_is_answered_by_both_engines(package: Package, questions: Questions) -> None:
    counted = step(package, COUNT)
    questions.ask([counted])
    first, second = questions.answers()
    assert first == second == {counted.asked: Rows(columns=("count",), rows=((8,),))}


def test_a_query_that_is_asked_again_is_sent_once(package: Package, questions: Questions) -> None:
    counted, success = step(package, COUNT), step(package, metric="success_rate")
    told: list[tuple[str, int, int]] = []
    questions.ask([counted, success])
    questions.ask([success, counted])
    first, second = questions.answers(lambda *said: told.append(said))
    wanted = {counted.asked, success.asked}
    assert set(second) == wanted
    assert set(first) == wanted | set(success.profile.asked)
    assert told[-1] == ("recomputing", len(first), len(first))


def test_what_is_told_beside_a_value_is_asked_of_one_engine(package: Package, questions: Questions) -> None:
    success = step(package, metric="success_rate")
    questions.ask([success])
    first, second = questions.answers()
    [cases] = [asked for asked in success.profile.asked if asked is success.profile.cases]
    assert first[cases] == Rows(columns=("count_star()",), rows=((2,),))
    assert cases not in second


def test_nothing_asked_is_nothing_answered(questions: Questions) -> None:
    assert questions.answers() == ({}, {})
