"""`tieout audit` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

from tests import build
from tests.build import claim
from tests.conftest import Run

PICKED = claim("picked", "100%", metric="success_rate", where={"trials": {"policy": "retry"}})


def test_a_claim_is_shown_with_what_else_the_receipts_say(tmp_path: Path, tieout: Run) -> None:
    build.artifacts(tmp_path / "artifacts", [PICKED])
    run = tieout("audit", "doc", "picked", "--draft", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    lines = [" ".join(line.split()) for line in run.stdout.splitlines()]
    assert lines[:4] == [
        "✓ doc picked ties",
        "says What picked says",
        "computes share of `success`, judged by judge in the loop, over 4 of 8 trials, where policy is",
        "retry",
    ]
    assert "plain: 0.75° [retry: 1]" in lines
    assert lines[-1].startswith("1 tie (1 observation), 0 differ")


def test_a_ledger_is_shown_with_its_headline_in_full(tmp_path: Path, tieout: Run) -> None:
    build.artifacts(tmp_path / "artifacts", [PICKED, claim("rest", "75%")], headline=["picked"])
    run = tieout("audit", "doc", "--draft", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert "✓ doc picked  ties" in run.stdout
    assert "✓ rest  “75%”" in run.stdout


def test_the_json_is_verifys_with_findings_beside_it(tmp_path: Path, tieout: Run) -> None:
    build.artifacts(tmp_path / "artifacts", [PICKED])
    found = json.loads(tieout("audit", "--json", "--draft", cwd=tmp_path).stdout)
    [book] = found["ledgers"]
    [each] = book["claims"]
    assert book.pop("audit")["document"] == "doc"
    assert each.pop("audit")["meaning"].startswith("share of `success`")
    assert found == json.loads(tieout("verify", "--json", "--draft", cwd=tmp_path).stdout)


def test_the_exit_code_is_that_of_the_verdicts(tmp_path: Path, tieout: Run) -> None:
    build.artifacts(tmp_path / "artifacts", [claim("off", "50%")])
    assert tieout("audit", "doc", "off", "--draft", cwd=tmp_path).returncode == 1


def test_a_sample_is_drawn_with_a_word_and_shown_with_its_rows(tmp_path: Path, tieout: Run) -> None:
    build.artifacts(tmp_path / "artifacts", [PICKED, claim("rest", "75%")])
    run = tieout("audit", "--sample", "1", "--seed", "heron", "--draft", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert "CREATE SCHEMA IF NOT EXISTS receipts;" in run.stdout
    assert "4 rows of trials, 4 shown" in run.stdout
    again = tieout("audit", "--sample", "1", "--seed", "heron", "--draft", cwd=tmp_path)
    assert again.stdout == run.stdout


def test_a_sample_needs_a_word(tmp_path: Path, tieout: Run) -> None:
    run = tieout("audit", "--sample", "1", cwd=tmp_path)
    assert run.returncode == 2
    assert "Error: --sample and --seed go together: the word is what makes the draw yours" in run.stderr
