"""Queries are sent once each, to whoever must answer them, and answers come back by query."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests import build
from tieout.engines import Limits
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
    with engines(package, Options()) as questions:
        yield questions


@contextmanager
def engines(package: Package, options: Options) -> Iterator[Questions]:
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
    answered = questions.answered()
    assert set(answered.duckdb) == set(answered.sqlite) == {counted.asked}
    for answers in answered[:2]:
        assert answers[counted.asked].result() == Rows(columns=("count",), rows=((8,),))


def test_a_query_that_is_asked_again_is_sent_once(package: Package, questions: Questions) -> None:
    counted, success = step(package, COUNT), step(package, metric="success_rate")
    told: list[tuple[str, int, int]] = []
    questions.ask([counted, success])
    questions.ask([success, counted])
    answered = questions.answered(lambda *said: told.append(said))
    assert {isinstance(answer.result(), Rows) for answers in answered for answer in answers.values()} == {
        True
    }
    assert set(answered.duckdb) == set(answered.sqlite) == {counted.asked, success.asked}
    assert set(answered.beside) == set(success.profile.asked)
    assert told == [("recomputing", 1, 2), ("recomputing", 2, 2)]


@pytest.mark.parametrize(("loaded_rows", "column"), [(None, "count(*)"), (0, "count_star()")])
def test_what_is_told_beside_a_value_is_asked_of_sqlite_where_it_holds_the_package(
    package: Package, loaded_rows: int | None, column: str
) -> None:
    success = step(package, metric="success_rate")
    assert success.profile.cases
    with engines(package, Options(limits=Limits(loaded_rows=loaded_rows))) as questions:
        questions.ask([success])
        answered = questions.answered()
        cases = answered.beside[success.profile.cases].result()
    assert set(answered.beside) == set(success.profile.asked)
    assert cases == Rows(columns=(column,), rows=((2,),))
    assert set(answered.duckdb) == {success.asked}
    assert set(answered.sqlite) == ({success.asked} if loaded_rows is None else set())


def test_nothing_asked_is_nothing_answered(questions: Questions) -> None:
    assert questions.answered() == ({}, {}, {})
