"""What takes all the time or memory there is ends, and leaves no process behind."""

from __future__ import annotations

import io
import os
import pickle
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Event
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from tests import build
from tieout import anew
from tieout.anew import Anew
from tieout.engines import Answer, Failure, Limits, Tables
from tieout.engines.process import Engine, EngineLost
from tieout.errors import Fault
from tieout.exact import Rows
from tieout.package import open_package
from tieout.schema.matching import Matcher, PatternTooSlow
from tieout.verify import Options, verify

EIGHT = Rows(columns=("count",), rows=((8,),))


@pytest.fixture
def deaf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In place of a child comes one that hears nothing: no request, no wish that it end."""
    script = tmp_path / "deaf"
    code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{code}"\n', encoding="utf-8")
    script.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(script))


@pytest.mark.usefixtures("deaf")
def test_an_engine_that_does_not_hear_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tieout.engines.process.OPENING", 0.3)
    with Engine("duckdb") as engine:
        engine.open([Tables(package="tiny", files={})])
        with pytest.raises(EngineLost) as caught:
            _ = engine.opened
    assert str(caught.value) == "duckdb could not open package tiny: no answer"
    assert engine._child.ended


@pytest.mark.usefixtures("deaf")
def test_a_matcher_that_does_not_hear_is_killed() -> None:
    with Matcher(seconds=0.3) as matcher, pytest.raises(PatternTooSlow):
        matcher.matches("a", "a")


def test_a_pattern_that_takes_for_ever_is_given_up_and_others_go_on() -> None:
    with Matcher(seconds=3) as matcher:
        assert matcher.matches("^(?=a)a", "ab")
        with pytest.raises(PatternTooSlow) as caught:
            matcher.matches("^(?=a)(a+)+$", "a" * 60 + "!")
        assert not matcher.matches("^(?=a)a", "b")
    said = "the pattern ^(?=a)(a+)+$ was not done with a text of 61 characters in 3 s"
    assert str(caught.value) == said


def test_a_pattern_whose_process_ends_is_told_so() -> None:
    with Matcher() as matcher:
        assert matcher.matches("^(?=a)a", "ab")
        assert matcher._child
        os.kill(matcher._child.pid, signal.SIGKILL)
        while not matcher._child.ended:
            time.sleep(0.01)
        with pytest.raises(PatternTooSlow) as caught:
            matcher.matches("^(?=a)a", "b")
        assert not matcher.matches("^(?=a)a", "b"), "and others go on"
    assert str(caught.value) == "the pattern ^(?=a)a ended its process over a text of 1 characters"


def derived(root: Path, rows: Sequence[Mapping[str, Any]], **parameters: Any) -> Path:
    """A package with a table that is made by shuffling ratings."""
    ratings = build.schema(
        "ratings",
        ["album", "position"],
        {"album": build.TEXT, "position": build.COUNT, "tension": build.COUNT},
    )
    made = {
        "instrument": "order-permutation",
        "inputs": {"ratings": "ratings"},
        "seed": 1,
        "parameters": parameters,
    }
    tables = {
        "ratings": (ratings, rows, {"basis": "observation"}),
        "made": (build.LIMITS, build.LIMIT_ROWS, made),
    }
    return build.package(root, tables, checks=[])


def checked(root: Path, **limits: Any) -> list[Fault]:
    package = open_package(root, frozen=False)
    with Anew(Limits(), **limits) as remade:
        results, faults = remade.check(package, package.tables).result()
        assert results == ()
        assert remade.check(package, {}).result() == ((), []), "it is of use after that"
    return faults


def test_an_instrument_that_is_refused_its_parameters_is_a_fault(tmp_path: Path) -> None:
    [fault] = checked(
        derived(tmp_path / "tiny", [{"album": "a", "position": 1, "tension": 1}], shuffles="many")
    )
    assert (fault.code, fault.file) == ("instrument-failed", "derived/made.parquet")


def shuffled(root: Path, shuffles: int) -> Path:
    rows = [{"album": "a", "position": position, "tension": 1 + position % 2} for position in range(9)]
    return derived(root, rows, themes=["tension"], shuffles=shuffles, central_percent=95, quantile="linear")


def given_up(root: Path, seconds: float) -> None:
    message = f"making the derived tables anew was not done after {seconds:g} s"
    assert checked(root, seconds=seconds) == [
        Fault(code="instrument-failed", message=message, file="derived/made.parquet")
    ]


def test_an_instrument_that_is_never_done_is_given_up(tmp_path: Path) -> None:
    given_up(shuffled(tmp_path / "tiny", 10**7), seconds=1.5)


def test_an_instrument_that_wants_more_memory_than_there_is_is_a_fault(tmp_path: Path) -> None:
    [fault] = checked(shuffled(tmp_path / "tiny", 10**9))
    assert (fault.code, fault.file) == ("instrument-failed", "derived/made.parquet")
    assert fault.message.startswith("making the derived table anew failed: MemoryError: ")


def test_what_an_instrument_prints_is_no_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    def prints(*_: object) -> tuple[tuple[()], list[Fault]]:
        sys.stdout.write("working on it\n")
        return (), []

    said, replies = io.StringIO(), io.TextIOWrapper(io.BytesIO())
    request = pickle.dumps((None, {}))
    monkeypatch.setattr("tieout.derive.check_derived", prints)
    monkeypatch.setattr("tieout.anew.limit_memory", lambda _: None)
    monkeypatch.setattr(sys, "argv", ["anew", "0"])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(len(request).to_bytes(8, "big") + request)))
    monkeypatch.setattr(sys, "stdout", replies)
    monkeypatch.setattr(sys, "stderr", said)
    anew.main()
    assert replies.buffer.getvalue() == b'{"results": [], "faults": []}\n'
    assert said.getvalue() == "working on it\n"


def test_what_goes_wrong_beside_a_validation_ends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A check that would take its minute is not waited for: its engine is stopped first."""
    endless = "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
    check = {"id": "endless", "says": "Never done", "examined": "SELECT count(*) FROM trials", "sql": endless}
    root = build.artifacts(tmp_path / "artifacts", [build.claim("a", "75%")])
    build.package(root / "packages" / "tiny", checks=[check])
    begun = Event()
    lost: list[str] = []
    asked = Engine.ask

    def ask(engine: Engine, queries: Sequence[tuple[str, str]], *, urgent: bool = False) -> list[Answer]:
        if any(endless in sql for _, sql in queries):
            begun.set()
        try:
            return asked(engine, queries, urgent=urgent)
        except EngineLost as error:
            lost.append(str(error))
            raise

    def interrupted(_: Path) -> None:
        begun.wait(60)
        raise KeyboardInterrupt

    monkeypatch.setattr(Engine, "ask", ask)
    monkeypatch.setattr("tieout.verdicts.open_ledger", interrupted)
    with pytest.raises(KeyboardInterrupt):
        verify([root], Options(frozen=False, locked=False, limits=Limits(seconds=60)))
    assert lost == ["duckdb was stopped before it answered"]


@pytest.mark.usefixtures("deaf")
def test_a_child_for_instruments_that_does_not_hear_is_killed(tmp_path: Path) -> None:
    given_up(shuffled(tmp_path / "tiny", 10), seconds=0.3)


@pytest.mark.parametrize("name", ["duckdb", "sqlite"])
def test_an_answer_of_a_gigabyte_is_refused(name: str, tmp_path: Path) -> None:
    """A thousand cells of a megabyte, a file of some kilobytes."""
    cells = pa.DictionaryArray.from_arrays(pa.array([0] * 1000), pa.array(["a" * 2**20]))
    pq.write_table(pa.table({"cell": cells}), tmp_path / "t.parquet", compression="zstd")
    assert (tmp_path / "t.parquet").stat().st_size < 2**20
    with Engine(name) as engine:
        engine.open([Tables(package="tiny", files={"t": tmp_path / "t.parquet"})])
        big, small = engine.ask([("tiny", "SELECT * FROM receipts.t"), ("tiny", "SELECT 8 AS count")])
    assert isinstance(big, Failure)
    assert big.code in {
        "too-large",
        "engine",
        "engine-died",
        "timeout",
    }  # a slow machine is stopped by the clock
    assert small == EIGHT


@pytest.mark.parametrize("name", ["duckdb", "sqlite"])
def test_millions_of_rows_in_some_kilobytes_are_neither_held_nor_waited_for(
    name: str, tmp_path: Path
) -> None:
    """Runs of one value: the file is tiny, and so is what the engines keep of it."""
    rows = 40_000_000
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([rows], pa.int32()), pa.array([7], pa.int64()))
    table = pa.table({"n": pc.run_end_decode(runs)})
    pq.write_table(table, tmp_path / "t.parquet", compression="zstd", row_group_size=rows)
    assert (tmp_path / "t.parquet").stat().st_size < 2**20
    with Engine(name, Limits(memory=2**30, seconds=20)) as engine:
        engine.open([Tables(package="tiny", files={"t": tmp_path / "t.parquet"})])
        opened = engine.opened["tiny"]
        [answer] = engine.ask([("tiny", "SELECT count(*) AS count FROM receipts.t WHERE n = 7")])
    assert opened.rows == {"t": rows}
    if name == "sqlite":
        assert opened.skipped
    else:
        assert answer == Rows(columns=("count",), rows=((rows,),))
