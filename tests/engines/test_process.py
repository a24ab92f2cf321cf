"""An engine in a child process: answers in order, limits that hold, and a new child where one was lost."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tieout.engines import Answer, Failure, Limits, Tables
from tieout.engines.process import Engine, EngineLost
from tieout.exact import Rows

ENDLESS = "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
COUNT = "SELECT count(*) AS count FROM receipts.trials"
EIGHT = Rows(columns=("count",), rows=((8,),))


@pytest.fixture(scope="module", params=["duckdb", "sqlite"])
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    files: dict[str, Path] = request.getfixturevalue("files")
    with Engine(request.param, Limits(seconds=0.3, rows=8)) as started:
        started.open(
            [Tables(package="tiny", files=files), Tables(package="half", files={"limits": files["limits"]})]
        )
        yield started


def test_packages_are_opened_apart(engine: Engine) -> None:
    assert engine.opened["tiny"].rows == {"limits": 1, "trials": 8}
    assert engine.ask([("tiny", COUNT)]) == [EIGHT]
    assert isinstance(engine.ask([("half", COUNT)])[0], Failure)


def test_answers_come_in_the_order_of_the_questions(engine: Engine) -> None:
    asked = [("tiny", f"SELECT {number} AS n") for number in range(50)]
    assert engine.ask(asked) == [Rows(columns=("n",), rows=((number,),)) for number in range(50)]


def test_what_is_urgent_is_answered_before_what_waits(files: dict[str, Path]) -> None:
    busy = "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT count(*) FROM n"
    done: list[str] = []
    with Engine("sqlite") as engine:
        engine.open([Tables(package="tiny", files=files)])
        waiting = engine.submit([("tiny", busy)] * 30)
        for answer in waiting:
            answer.add_done_callback(lambda _: done.append("waiting"))
        [urgent] = engine.submit([("tiny", COUNT)], urgent=True)
        urgent.add_done_callback(lambda _: done.append("urgent"))
        assert urgent.result() == EIGHT
        [last] = [answer.result() for answer in waiting[-1:]]
    assert last == Rows(columns=("count(*)",), rows=((20_000,),))
    assert done.index("urgent") < 29, "it came before the last of those that were asked earlier"


def test_several_threads_ask_one_engine(engine: Engine) -> None:
    def ask(number: int) -> list[Answer]:
        return engine.ask([("tiny", f"SELECT {number} AS n"), ("tiny", f"SELECT {number + 1} AS n")])

    with ThreadPoolExecutor(8) as pool:
        for number, answers in zip(range(40), pool.map(ask, range(40)), strict=True):
            assert answers == [Rows(columns=("n",), rows=((n,),)) for n in (number, number + 1)]


def test_a_query_that_is_stopped_does_not_touch_those_after_it(engine: Engine) -> None:
    stopped = Failure(code="timeout", message="stopped after 0.3 s")
    assert engine.ask([("tiny", COUNT), ("tiny", ENDLESS), ("tiny", COUNT)]) == [EIGHT, stopped, EIGHT]


def test_a_failure_is_an_answer(engine: Engine) -> None:
    answers = engine.ask([("tiny", "SELECT nothing FROM receipts.trials"), ("tiny", COUNT)])
    assert isinstance(answers[0], Failure)
    assert answers[1] == EIGHT


def test_the_limit_of_rows_crosses_to_the_child(engine: Engine) -> None:
    sql = "SELECT 1 AS a FROM receipts.trials UNION ALL SELECT 2"
    assert engine.ask([("tiny", sql)]) == [Failure(code="too-many-rows", message="more than 8 rows")]


def test_cells_come_back_as_they_were(engine: Engine) -> None:
    sql = "SELECT 9007199254740993 AS i, 'it''s \u00e4' AS t, NULL AS n, share FROM receipts.limits"
    assert engine.ask([("tiny", sql)]) == [
        Rows(columns=("i", "t", "n", "share"), rows=((9007199254740993, "it's ä", None, 0.1),))
    ]


def killed(engine: Engine) -> None:
    child = engine._child
    os.kill(child.pid, signal.SIGKILL)
    while not child.ended:
        time.sleep(0.01)


def test_a_child_that_died_is_started_again_for_the_queries_after(engine: Engine) -> None:
    assert engine.ask([("tiny", COUNT)]) == [EIGHT]
    killed(engine)
    died = Failure(code="engine-died", message=f"the engine's process ended in: {COUNT}")
    assert engine.ask([("tiny", COUNT)]) == [died]
    assert engine.ask([("tiny", COUNT), ("half", COUNT)])[0] == EIGHT


def test_what_a_child_that_died_had_been_given_is_asked_again_one_by_one(engine: Engine) -> None:
    assert engine.ask([("tiny", COUNT)]) == [EIGHT]
    waiting = engine.submit([("tiny", ENDLESS), ("tiny", COUNT), ("tiny", "SELECT 2 AS n"), ("tiny", COUNT)])
    killed(engine)
    endless, *others = [answer.result() for answer in waiting]
    assert endless == Failure(code="timeout", message="stopped after 0.3 s")
    assert others == [EIGHT, Rows(columns=("n",), rows=((2,),)), EIGHT]


def test_the_time_of_a_package_is_counted_on_in_another_child(files: dict[str, Path]) -> None:
    with Engine("sqlite", Limits(seconds=0.3, total=0.9)) as engine:
        engine.open([Tables(package="tiny", files=files)])
        assert engine.ask([("tiny", COUNT), ("tiny", ENDLESS), ("tiny", COUNT)])[2] == EIGHT
        killed(engine)
        [died] = engine.ask([("tiny", COUNT)])
        assert isinstance(died, Failure)
        assert died.code == "engine-died"
        stopped, refused = engine.ask([("tiny", ENDLESS), ("tiny", COUNT)])
    assert stopped == Failure(code="timeout", message="stopped after 0.3 s")
    # 0.3 s for each query that was stopped and for the one that died, and a little
    assert refused == Failure(
        code="timeout", message="not asked: this package's queries have used up their time"
    )


def test_a_child_that_hangs_is_killed_and_started_again(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tieout.engines.process.GRACE", 0.1)
    assert engine.ask([("tiny", COUNT)]) == [EIGHT]
    os.kill(engine._child.pid, signal.SIGSTOP)
    answers = engine.ask([("tiny", COUNT), ("tiny", COUNT)])
    assert answers == [Failure(code="timeout", message=f"killed after 0.4 s in: {COUNT}"), EIGHT]


def test_memory_beyond_the_limit_is_a_failure(files: dict[str, Path]) -> None:
    sql = "SELECT count(*) FROM (SELECT DISTINCT a.i, b.i FROM n AS a, n AS b)"
    numbers = "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 8000)"
    for name in ("duckdb", "sqlite"):
        with Engine(name, Limits(memory=3 * 2**28)) as engine:
            engine.open([Tables(package="tiny", files=files)])
            answers = engine.ask([("tiny", f"{numbers} {sql}"), ("tiny", COUNT)])
        assert isinstance(answers[0], Failure), name
        assert answers[1] == EIGHT


def test_packages_are_opened_one_after_the_other(files: dict[str, Path]) -> None:
    with Engine("duckdb") as engine:
        engine.open([Tables(package="tiny", files=files)])
        engine.open([Tables(package="half", files={"limits": files["limits"]})])
        assert {name: opened.rows for name, opened in engine.opened.items()} == {
            "tiny": {"limits": 1, "trials": 8},
            "half": {"limits": 1},
        }
        assert engine.ask([("tiny", COUNT)]) == [EIGHT]


def test_a_table_that_memory_does_not_hold_leaves_the_others(files: dict[str, Path], tmp_path: Path) -> None:
    """A file of two megabytes, half a gigabyte of rows."""
    wide = pa.DictionaryArray.from_arrays(pa.array([0] * 450_000, pa.int32()), pa.array(["a" * 1024]))
    pq.write_table(pa.table({"wide": wide.cast(pa.string())}), tmp_path / "large.parquet")
    count = "SELECT count(*) AS count FROM receipts.large"
    with Engine("sqlite", Limits(memory=3 * 2**28)) as engine:
        engine.open([Tables(package="tiny", files={**files, "large": tmp_path / "large.parquet"})])
        child = engine._child
        answers = engine.ask([("tiny", count), ("tiny", count), ("tiny", COUNT)])
        assert engine._child is child, "no query cost the child its life"
    assert [isinstance(answer, Failure) and answer.code for answer in answers[:2]] == ["engine", "engine"]
    assert answers[2] == EIGHT


def test_an_engine_that_cannot_start_is_lost_with_what_it_said() -> None:
    with Engine("duckdb", Limits(memory=2**20)) as engine:
        engine.open([Tables(package="tiny", files={})])
        with pytest.raises(EngineLost) as caught:
            _ = engine.opened
    assert str(caught.value).startswith("duckdb could not open package tiny: ")


def test_whoever_waits_for_an_engine_whose_context_ends_is_told(files: dict[str, Path]) -> None:
    with Engine("duckdb", Limits(seconds=60)) as engine, ThreadPoolExecutor(1) as pool:
        engine.open([Tables(package="tiny", files=files)])
        assert engine.ask([("tiny", COUNT)]) == [EIGHT]
        waiting = pool.submit(engine.ask, [("tiny", ENDLESS)])
        engine.__exit__(None, None, None)
        with pytest.raises(EngineLost, match="duckdb was stopped before it answered"):
            waiting.result(timeout=30)
    assert engine._child.ended, "and no other child was started"


def test_an_engine_whose_context_has_ended_answers_nothing(files: dict[str, Path]) -> None:
    with Engine("sqlite") as engine:
        engine.open([Tables(package="tiny", files=files)])
        assert engine.ask([("tiny", COUNT)]) == [EIGHT]
    with pytest.raises(EngineLost, match="sqlite was stopped before it answered"):
        engine.ask([("tiny", COUNT)])


def test_nothing_of_the_working_folder_is_imported_by_the_child(
    files: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit('imported')\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with Engine("sqlite") as engine:
        engine.open([Tables(package="tiny", files=files)])
        assert engine.ask([("tiny", COUNT)]) == [EIGHT]
