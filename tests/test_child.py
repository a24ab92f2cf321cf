"""A process of our own: answers in lines, silence in time, an end that is told."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tieout.child import Child

PATTERN = b'["^a+$", "aaa"]\n'  # a request of `schema.matching`, the smallest of the modules that run so


@pytest.fixture
def child() -> Iterator[Child]:
    child = Child("tieout.schema.matching")
    yield child
    child.stop()


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Child]:
    """A child that runs some lines of shell in the place of Python."""

    def started(lines: str) -> Child:
        program = tmp_path / "program"
        program.write_text(f"#!/bin/sh\n{lines}", encoding="utf-8")
        program.chmod(0o700)
        monkeypatch.setattr(sys, "executable", str(program))
        return Child("tieout.schema.matching")

    return started


def test_requests_are_answered_line_by_line(child: Child) -> None:
    child.send(PATTERN + b'["^a+$", "b"]\n')
    assert [child.line(10), child.line(10)] == [b"true\n", b"false\n"]


def test_more_than_a_pipe_holds_is_sent_while_answers_are_read(child: Child) -> None:
    child.send(PATTERN * 20_000)
    child.send(b'["^a+$", "b"]\n')
    assert {child.line(30) for _ in range(20_000)} == {b"true\n"}
    assert child.line(10) == b"false\n"


def test_a_line_longer_than_what_is_read_at_a_time_is_whole(script: Callable[[str], Child]) -> None:
    child = script("head -c 3000000 /dev/zero | tr '\\0' x\necho\necho end\n")
    assert [child.line(10), child.line(10), child.line(10)] == [b"x" * 3_000_000 + b"\n", b"end\n", b""]
    child.stop()


def test_a_stopped_one_says_and_reads_nothing(child: Child) -> None:
    child.stop()
    child.send(PATTERN)
    assert child.line(60) == b""


def test_one_that_is_waited_for_elsewhere_can_be_stopped(child: Child) -> None:
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(child.line, 60)
        child.stop()
        assert waiting.result() == b""


def test_one_that_has_nothing_to_say_is_not_waited_for(child: Child) -> None:
    assert child.line(0.05) == b""
    assert not child.ended
    child.send(PATTERN)
    assert child.line(10) == b"true\n"


def test_one_that_was_killed_has_ended(child: Child) -> None:
    child.send(PATTERN)
    assert child.line(10) == b"true\n"
    os.kill(child.pid, signal.SIGKILL)
    assert child.line(10) == b""
    assert child.ended
    child.send(PATTERN)
    assert child.line(60) == b"", "nobody is there, nothing is raised, and nobody waits"


def test_a_line_that_was_cut_is_no_line(script: Callable[[str], Child]) -> None:
    child = script("printf 'true\\nfal'\n")
    assert [child.line(10), child.line(10)] == [b"true\n", b""]
    child.stop()


def test_what_it_said_last_is_kept() -> None:
    child = Child("tieout.no_such_module")
    assert child.line(10) == b""
    assert child.last_words.endswith("No module named tieout.no_such_module")
    child.stop()


def test_the_end_of_much_that_it_said_is_kept(script: Callable[[str], Child]) -> None:
    child = script("seq 20000 >&2\n")
    assert child.line(10) == b""
    child.stop()
    assert child.last_words == "20000"


def test_one_that_closes_its_output_and_lives_is_not_waited_for(script: Callable[[str], Child]) -> None:
    child = script("exec 1>&-\nexec sleep 600\n")
    assert child.line(60) == b""
    assert not child.ended
    child.stop()


def test_one_that_hangs_is_stopped_whatever_it_was_still_to_read(child: Child) -> None:
    os.kill(child.pid, signal.SIGSTOP)
    child.send(PATTERN * 1_000_000)
    child.stop()
    assert child.ended
