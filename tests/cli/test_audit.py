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


def said(lines: str) -> str:
    """The output as one line, however it was folded."""
    return " ".join(lines.split())


def test_rows_picked_by_usage_are_told(tmp_path: Path, tieout: Run) -> None:
    where = {"trials": {"policy": "plain", "input_tokens": {"not": 101}}}
    build.artifacts(tmp_path / "artifacts", [claim("best", "100%", metric="success_rate", where=where)])
    run = tieout("audit", "doc", "--draft", cwd=tmp_path)
    assert "without input_tokens NOT IN (101) [on usage]: 0.75; 3 rows kept, 1 dropped" in said(run.stdout)


def test_a_derived_table_that_is_as_published_is_told_with_the_claims_on_it(
    tmp_path: Path, tieout: Run
) -> None:
    form = build.schema("best", ["task_id"], {"task_id": build.role(build.TEXT, "key"), "most": build.COUNT})
    made = (form, [{"task_id": "a", "most": 9}], {"instrument": "not-here", "inputs": {"trials": "trials"}})
    sql = {
        "sql": "SELECT max(most) AS count FROM best",
        "where": {"best": "all"},
        "unit": "x",
        "combine": "sum",
    }
    build.package(tmp_path / "artifacts" / "packages" / "tiny", {**build.TABLES, "best": made})
    build.ledger(tmp_path / "artifacts" / "ledgers" / "doc", [claim("most", "9", **sql)])
    run = tieout("audit", "doc", "--draft", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    told = "derived tiny best: as published, since its instrument not-here is not installed; on it rest most"
    assert told in said(run.stdout)


def test_what_is_impossible_is_told_with_what_is_supposed(tmp_path: Path, tieout: Run) -> None:
    lost = {"kind": "not-recomputable", "because": "lost"}
    claims = [
        {**claim(name, text, **lost), "says": "Share of 20"} for name, text in (("a", "34%"), ("b", "0.33"))
    ]
    use = {
        "id": "use",
        "says": "Use",
        "rows": {"a": {}, "b": {}, "total": {}},
        "columns": {"calls": {}},
        "printed": "row | calls\na | 10\nb | 20\ntotal | 41",
        **lost,
    }
    build.artifacts(tmp_path / "artifacts", claims, [use])
    out = said(tieout("audit", "doc", "--draft", cwd=tmp_path).stdout)
    assert "feasible if it is a share of 20, no multiple of 1/20 prints so: a “34%”, b “0.33”" in out
    assert "if row total of use is the sum of the others, these do not follow: use.total.calls" in out


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
