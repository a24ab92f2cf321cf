"""A process of our own: answers in lines, silence in time, an end that is told."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tieout.child import Child

PATTERN = b'["^a+$", "aaa"]\n'  # a request of `schema.matching`, the smallest of the modules that run so


@pytest.fixture
def child() -> Iterator[Child]:
    child = Child("tieout.schema.matching")
    yield child
    child.stop()


def test_requests_are_answered_line_by_line(child: Child) -> None:
    child.send(PATTERN + b'["^a+$", "b"]\n')
    assert [child.line(10), child.line(10)] == [b"true\n", b"false\n"]


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


def test_a_line_that_was_cut_is_no_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "cut"
    program.write_text("#!/bin/sh\nprintf 'true\\nfal'\n", encoding="utf-8")
    program.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(program))
    child = Child("tieout.schema.matching")
    assert [child.line(10), child.line(10)] == [b"true\n", b""]
    child.stop()


def test_what_it_said_last_is_kept() -> None:
    child = Child("tieout.no_such_module")
    assert child.line(10) == b""
    assert child.last_words.endswith("No module named tieout.no_such_module")
    child.stop()


def test_one_that_hangs_is_stopped_whatever_it_was_still_to_read(child: Child) -> None:
    os.kill(child.pid, signal.SIGSTOP)
    child.send(PATTERN * 1_000_000)
    child.stop()
    assert child.ended
