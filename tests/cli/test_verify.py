"""`tieout verify`: what it prints, in what order, and how it ends."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sysconfig
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests import build
from tests.conftest import Run
from tieout.freeze import freeze_ledger, freeze_package
from tieout.verify import verify

claim = build.claim
SLIP = {"corrected": "75%", "says": "A slip"}
MOST = "SELECT max(most) AS count FROM limits"
CLAIMS = [
    claim("rate", "75%"),
    claim("wrong", "80%"),
    claim("admitted", "70%", erratum=SLIP),
    claim("corrected", "71%", erratum={**SLIP, "published": "https://example.org/e"}),
    claim("designed", "30", sql=MOST, where={"limits": "all"}, combine="sum", unit="x"),
    claim("quoted", "many", kind="quoted", locator="p. 3"),
    claim("absent", "none", kind="not-collected"),
    claim("lost", "some", kind="not-recomputable", because="no receipt says so"),
    claim("unknown", "1", metric="nothing", where={"trials": "all"}),
]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("desk")
    root = build.artifacts(folder / "artifacts", CLAIMS)
    build.ledger(root / "ledgers" / "good", [claim("rate", "75%"), claim("admitted", "70%", erratum=SLIP)])
    freeze_package(root / "packages" / "tiny")
    freeze_ledger(root / "ledgers" / "doc")
    freeze_ledger(root / "ledgers" / "good")
    return folder


@pytest.fixture(scope="module")
def said(desk: Path, tieout: Run) -> str:
    """What the command says of the ledger in which everything happens."""
    run = tieout("verify", "artifacts/ledgers/doc", cwd=desk)
    assert (run.returncode, run.stderr) == (1, "")
    return run.stdout


def test_the_json_of_the_command_is_the_report_of_the_library(desk: Path, tieout: Run) -> None:
    run = tieout("verify", "--json", cwd=desk)
    assert (run.returncode, run.stderr) == (1, "")
    assert json.loads(run.stdout) == json.loads(json.dumps(verify([desk / "artifacts"]).to_json()))


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["artifacts/ledgers/good"], 0),
        (["artifacts/ledgers/good", "--strict"], 1),
        (["artifacts/packages/tiny"], 0),
        ([], 1),
        (["artifacts/nothing"], 2),
        (["--no-such-option"], 2),
        (["artifacts/ledgers/good", "--claim", "nobody"], 2),
    ],
)
def test_it_ends_with_zero_one_or_two(desk: Path, tieout: Run, arguments: list[str], code: int) -> None:
    run = tieout("verify", *arguments, cwd=desk)
    assert run.returncode == code, run.stderr
    assert "Traceback" not in run.stderr
    assert bool(run.stderr) == (code == 2)


def test_what_is_wrong_comes_before_what_ties(said: str) -> None:
    lines = said.splitlines()
    place = {
        name: next(i for i, line in enumerate(lines) if name in line)
        for name in ("doc unknown", "doc wrong", "tiny 1.0.0")
    }
    assert place["doc unknown"] < place["doc wrong"] < place["tiny 1.0.0"]
    assert not any("doc rate" in line for line in lines)


def test_a_difference_shows_what_was_printed_and_what_was_found(said: str) -> None:
    assert "  ✗ doc wrong  [observation]\n" in said
    assert "      printed     “80%” in I\n" in said
    assert "      stands for  [159/200, 161/200]\n" in said
    assert "      recomputed  0.75 = 3 / 4 trials\n" in said
    assert "      evaluator   judge (outside the loop)\n" in said


def test_the_last_line_counts_by_basis_and_admission(said: str) -> None:
    last = said.splitlines()[-1]
    wanted = (
        "2 tie (1 observation, 1 design), 3 differ (1 admitted, 1 corrected in print), 1 quoted, "
        "1 not recomputable, 1 not collected, 1 in error"
    )
    assert last.startswith(wanted)


def test_all_lists_every_claim_with_its_mark_and_no_colour(desk: Path, tieout: Run) -> None:
    text = tieout("verify", "artifacts/ledgers/doc", "--all", cwd=desk).stdout
    for sign, name in [
        ("✓", "rate"),
        ("✗", "wrong"),
        ("”", "quoted"),
        ("∅", "absent"),
        ("–", "lost"),
        ("!", "unknown"),
    ]:
        assert re.search(rf"^    {sign} {name}  “", text, re.MULTILINE), name
    assert "\x1b" not in text


def test_claim_shows_one_claim_alone(desk: Path, tieout: Run) -> None:
    text = tieout("verify", "artifacts/ledgers/doc", "--claim", "rate", cwd=desk).stdout
    assert "✓ rate  “75%”" in text
    assert "doc wrong" not in text


def test_junit_counts_every_printing(desk: Path, tieout: Run, tmp_path: Path) -> None:
    file = tmp_path / "junit.xml"
    tieout("verify", "artifacts/ledgers/doc", "--junit", file, cwd=desk)
    suite = next(suite for suite in ET.parse(file).getroot() if suite.get("name") == "ledger doc")
    counts = {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "9", "failures": "1", "errors": "1", "skipped": "5"}
    assert len(suite.findall("testcase")) == 9
    [failure] = suite.iter("failure")
    assert failure.get("message") == "recomputed 0.75 = 3 / 4 trials"


def test_in_junit_an_admitted_difference_is_a_failure_where_every_difference_is(
    desk: Path, tieout: Run, tmp_path: Path
) -> None:
    file = tmp_path / "junit.xml"
    for options, code, found in (([], 0, "0"), (["--strict"], 1, "1")):
        run = tieout("verify", "artifacts/ledgers/good", "--junit", file, *options, cwd=desk)
        suites = {suite.get("name"): suite.get("failures") for suite in ET.parse(file).getroot()}
        assert (run.returncode, suites["ledger good"]) == (code, found)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--junit", "nowhere/junit.xml"),
        ("--junit", ""),
        ("--seconds", "nan"),
        ("--seconds", "inf"),
        ("--seconds", "1e300"),
    ],
)
def test_an_option_that_cannot_be_met_is_wrong_usage_before_anything_runs(
    desk: Path, tieout: Run, option: str, value: str
) -> None:
    run = tieout("verify", "artifacts/ledgers/good", option, value, cwd=desk)
    assert (run.returncode, run.stdout) == (2, "")
    assert f"Invalid value for '{option}'" in run.stderr


def test_the_verdicts_are_printed_where_junit_cannot_be_written(desk: Path, tieout: Run) -> None:
    run = tieout("verify", "artifacts/ledgers/good", "--junit", "/dev/full", cwd=desk)
    assert (run.returncode, run.stderr) == (2, "tieout: /dev/full: No space left on device\n")
    assert run.stdout == tieout("verify", "artifacts/ledgers/good", cwd=desk).stdout


def test_junit_is_written_through_a_link(desk: Path, tieout: Run, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "file")
    tieout("verify", "artifacts/ledgers/good", "--junit", link, cwd=desk)
    assert link.is_symlink()
    assert (tmp_path / "file").read_text("utf-8").startswith("<?xml")


def test_without_standard_error_the_verdicts_are_the_same(desk: Path, tieout: Run) -> None:
    command = f"{Path(sysconfig.get_path('scripts')) / 'tieout'} verify artifacts/ledgers/good 2>&-"
    run = subprocess.run(
        ["sh", "-c", command], cwd=desk, stdout=subprocess.PIPE, encoding="utf-8", check=False
    )
    usual = tieout("verify", "artifacts/ledgers/good", cwd=desk)
    assert (run.returncode, run.stdout) == (0, usual.stdout)


def test_a_draft_is_verified_without_hashes_and_locks(tmp_path: Path, tieout: Run) -> None:
    build.artifacts(tmp_path / "artifacts", [claim("rate", "75%")])
    assert tieout("verify", cwd=tmp_path).returncode == 1
    assert tieout("verify", "--draft", cwd=tmp_path).returncode == 0


def on_a_terminal(cwd: Path, **environment: str) -> str:
    """What the command writes to a terminal of its own."""
    command = [str(Path(sysconfig.get_path("scripts")) / "tieout"), "verify", "--all"]
    clean = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        command, cwd=cwd, stdout=theirs, stderr=theirs, env={**clean, "TERM": "xterm", **environment}
    ) as child:
        os.close(theirs)
        pieces = []
        try:
            while piece := os.read(ours, 65536):
                pieces.append(piece)
        except OSError:  # how Linux says that the other side of a terminal is closed
            pass
        child.wait()
    os.close(ours)
    return b"".join(pieces).decode()


def test_a_terminal_is_coloured_unless_no_color_is_set(desk: Path) -> None:
    assert "\x1b[32m✓" in on_a_terminal(desk)
    assert "\x1b[3" not in on_a_terminal(desk, NO_COLOR="1")


def test_a_reader_that_leaves_early_gets_no_traceback(desk: Path) -> None:
    command = Path(sysconfig.get_path("scripts")) / "tieout"
    child = subprocess.Popen(
        [command, "verify", "--json"], cwd=desk, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert child.stdout
    assert child.stderr
    child.stdout.close()
    said = child.stderr.read().decode()
    child.stderr.close()
    child.wait()
    assert "Traceback" not in said
    assert "defect" not in said
