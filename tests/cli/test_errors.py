"""Where an error ends: one sentence, an exit code, and no traceback."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import sysconfig
import time
import zipfile
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from tests import build
from tests.conftest import ROOT, Run
from tieout.cli import COMMANDS, main
from tieout.errors import CannotOpen, Fault, Invalid

TIEOUT = Path(sysconfig.get_path("scripts")) / "tieout"
DEFECT = "  Please report it; TIEOUT_DEBUG=1 shows where it happened.\n"
NEITHER = "neither a package (package.yaml) nor a ledger (ledger.yaml) is here"
FAULT = Fault(code="x", message="it is wrong", file="a.yaml", pointer="/b")


def raising(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command("metrics")
    def command() -> None:
        raise error

    monkeypatch.setattr("tieout.cli.metrics.command", command)


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (CannotOpen("nothing is here"), 2, "tieout: nothing is here\n"),
        (Invalid([FAULT]), 1, "tieout: a.yaml, /b: it is wrong\n"),
        (
            PermissionError(errno.EACCES, "Permission denied", "a.yaml"),
            2,
            "tieout: a.yaml: Permission denied\n",
        ),
        (
            KeyError("policy"),
            2,
            f"tieout: a defect of Tieout itself: KeyError: 'policy'\n{DEFECT}",
        ),
    ],
)
def test_an_error_becomes_one_sentence_and_a_code(
    error: Exception, code: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TIEOUT_DEBUG", raising=False)
    raising(error, monkeypatch)
    result = CliRunner().invoke(main, ["metrics"])
    assert (result.exit_code, result.stderr, result.stdout) == (code, said, "")


def test_where_a_defect_happened_is_shown_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIEOUT_DEBUG", "1")
    raising(KeyError("policy"), monkeypatch)
    result = CliRunner().invoke(main, ["metrics"])
    assert result.exit_code == 2
    assert "Traceback" in result.stderr


def test_a_command_that_is_not_there_is_wrong_usage(tieout: Run) -> None:
    run = tieout("verfy")
    assert (run.returncode, run.stdout) == (2, "")
    assert "No such command 'verfy'." in run.stderr
    assert "'verify'?" in run.stderr


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["verify", "--help"]])
def test_a_full_disk_is_one_sentence_whatever_is_printed(arguments: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        run = subprocess.run(
            [TIEOUT, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (run.returncode, run.stderr) == (2, "tieout: No space left on device\n")


@pytest.mark.parametrize("arguments", [["--help"], ["metrics"]])
def test_a_reader_that_leaves_early_ends_it_as_the_signal_would(arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    run = subprocess.run([TIEOUT, *arguments], stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)
    assert (run.returncode, run.stderr) == (128 + signal.SIGPIPE, "")


def test_an_interrupt_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    raising(KeyboardInterrupt(), monkeypatch)
    result = CliRunner().invoke(main, ["metrics"])
    assert (result.exit_code, result.stderr, result.stdout) == (128 + signal.SIGINT, "\nAborted!\n", "")


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="children are told by /proc")
def test_a_termination_is_no_verdict_and_leaves_nothing_behind(tmp_path: Path) -> None:
    archive = tmp_path / "one.zip"
    with zipfile.ZipFile(archive, "w") as written:
        for path in sorted((ROOT / "artifacts" / "packages" / "tau-bench-airline").rglob("*")):
            written.write(path, path.relative_to(ROOT / "artifacts" / "packages"))
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    running = subprocess.Popen(
        [TIEOUT, "verify", archive],
        env={**os.environ, "TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    children: list[int] = []
    while len(children) < 2 and running.poll() is None:
        children = _children(running.pid)
    running.terminate()
    out, error = running.communicate()
    assert (running.returncode, out, error) == (128 + signal.SIGTERM, "", "")
    assert list(temporary.iterdir()) == []
    assert len(children) == 2
    deadline = time.monotonic() + 30  # one that was only just started ends by itself
    while any(Path(f"/proc/{child}").exists() for child in children):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def _children(process: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def test_the_module_is_the_command() -> None:
    module = [sys.executable, "-m", "tieout", "--version"]
    assert subprocess.check_output(module) == subprocess.check_output([TIEOUT, "--version"])


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name: str) -> None:
    result = CliRunner().invoke(main, [name, "--help"])
    assert result.exit_code == 0
    assert f"tieout {name} " in result.stdout
    assert "Example" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "nobody", "x"], "tieout: no ledger at nobody; in artifacts/ledgers are doc\n"),
        (["query", "nobody", "SELECT 1"], "tieout: no package at nobody; in artifacts/packages are tiny\n"),
        (["claims", "nobody"], "tieout: no ledger at nobody; in artifacts/ledgers are doc\n"),
        (["freeze", "artifacts"], f"tieout: artifacts: {NEITHER}\n"),
    ],
)
def test_what_is_not_there_is_told_with_what_is(
    tmp_path: Path, tieout: Run, arguments: list[str], message: str
) -> None:
    build.artifacts(tmp_path / "artifacts", [build.claim("rate", "75%")])
    run = tieout(*arguments, cwd=tmp_path)
    assert (run.returncode, run.stdout, run.stderr) == (2, "", message)
