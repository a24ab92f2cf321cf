"""Receipts are the declared inputs; each check looks at something, finds the rows in order, and a planted fault."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tieout.derive import derive_package, read_parquet
from tieout.importers.tables import import_tables
from tieout.strict import read_yaml

PACKAGE = ROOT / "artifacts" / "packages" / "buffer-lab"
SOURCES = ROOT / "artifacts" / "sources" / "buffer-lab"
CHECKS = {check["id"]: check for check in read_yaml(PACKAGE / "checks.yaml", "checks.yaml").value["checks"]}
TABLES = read_yaml(PACKAGE / "package.yaml", "package.yaml").value["tables"]

WINDOW = "run = 'home' AND rule = 'priority' AND tie_break = 'most-re-read' AND budget = 800"
FAULTS = {
    "fifty-and-twenty": "DELETE FROM stream WHERE run = 'home' AND step = 17",
    "instruction-comes-first": "UPDATE stream SET kind = 'instruction' WHERE run = 'exercise' AND step = 2",
    "one-size-a-kind": "UPDATE stream SET tokens = 95 WHERE run = 'home' AND step = 3",
    "re-reads-are-of-earlier-results": "UPDATE rereads SET step = 51 WHERE entry = 41 AND step = 50",
    "every-kind-has-a-rank": "UPDATE ranks SET rank = 2 WHERE kind = 'tool-result'",
    "never-over-budget": "UPDATE buffer_steps SET tokens_held = 801 WHERE " + WINDOW + " AND step = 50",
    "no-eviction-holds-all": (
        "UPDATE buffer_steps SET tokens_held = 4071 WHERE rule = 'no-eviction' AND run = 'home' AND step = 50"
    ),
    "written-is-held-or-evicted": "UPDATE buffer_steps SET evicted_tokens = 0 WHERE "
    + WINDOW
    + " AND step = 11",
    "nothing-leaves-without-need": (
        "UPDATE buffer_steps SET tokens_held = tokens_held - 96 WHERE " + WINDOW + " AND step = 11"
    ),
    "sent-is-the-sum-of-held": "UPDATE buffer_steps SET resent_tokens = 33821 WHERE "
    + WINDOW
    + " AND step = 50",
    "pairs-of-what-is-held": "UPDATE buffer_steps SET attention_pairs = 712 * 712 WHERE "
    + WINDOW
    + " AND step = 50",
    "fifo-holds-the-newest": (
        "UPDATE buffer_held SET entry = 1 WHERE rule = 'fifo' AND run = 'home' AND budget = 800 "
        "AND step = 50 AND entry = 45"
    ),
    "no-more-important-entry-leaves-first": (
        "UPDATE buffer_evicted SET kind = 'instruction' WHERE " + WINDOW + " AND entry = 3"
    ),
    "ties-go-to-the-most-re-read": "UPDATE rereads SET entry = 3 WHERE entry = 9",
    "ties-go-to-the-most-recent": (
        "UPDATE buffer_held SET entry = 3 WHERE tie_break = 'most-recent' AND run = 'home' AND budget = 800 "
        "AND step = 50 AND entry = 46"
    ),
    "what-left-stays-away": "UPDATE buffer_held SET entry = 3 WHERE "
    + WINDOW
    + " AND step = 50 AND entry = 9",
    "lists-and-totals-agree": "DELETE FROM buffer_held WHERE " + WINDOW + " AND step = 50 AND entry = 9",
    "instruction-held-as-listed": (
        "UPDATE buffer_steps SET instruction_held = false WHERE " + WINDOW + " AND step = 50"
    ),
    "more-budget-never-holds-less-under-fifo": (
        "UPDATE buffer_steps SET entries_held = 1 WHERE rule = 'fifo' AND run = 'home' AND budget = 800 AND step = 50"
    ),
    # what the lesson prints as the program's output
    "both-implementations-agree": "UPDATE listing SET numerator = 33820 WHERE line = 6 AND place = 1",
    "declared-budgets-were-run": "UPDATE design SET value = 801 WHERE parameter = 'budget'",
}


@pytest.fixture
def tables() -> Any:
    import duckdb

    connection = duckdb.connect()
    for name, entry in TABLES.items():
        connection.execute(f"CREATE TABLE {name} AS SELECT * FROM read_parquet('{PACKAGE / entry['file']}')")
    yield connection
    connection.close()


def test_every_check_has_its_planted_fault() -> None:
    assert FAULTS.keys() == CHECKS.keys()


@pytest.mark.parametrize("name", CHECKS)
def test_a_check_examines_rows_and_finds_a_planted_fault_only(name: str, tables: Any) -> None:
    check = CHECKS[name]
    [[examined]] = tables.execute(check["examined"]).fetchall()
    assert examined > 0
    assert tables.execute(check["sql"]).fetchall() == []
    tables.execute(FAULTS[name])
    assert tables.execute(check["sql"]).fetchall() != []


def test_the_receipts_are_the_declared_inputs_line_by_line() -> None:
    for file in sorted(SOURCES.glob("*.csv")):
        with file.open(encoding="utf-8", newline="") as lines:
            declared = sorted(tuple(row.items()) for row in csv.DictReader(lines))
        stored = read_parquet(PACKAGE / "receipts" / f"{file.stem}.parquet")
        assert sorted(tuple((name, str(cell)) for name, cell in row.items()) for row in stored) == declared


def test_importing_and_deriving_again_gives_the_same_bytes(tmp_path: Path) -> None:
    for part in (
        "package.yaml",
        "checks.yaml",
        *(f"schemas/{path.name}" for path in (PACKAGE / "schemas").iterdir()),
    ):
        (tmp_path / part).parent.mkdir(exist_ok=True)
        (tmp_path / part).write_bytes((PACKAGE / part).read_bytes())
    import_tables(SOURCES, tmp_path)
    derive_package(tmp_path)
    for entry in TABLES.values():
        assert (tmp_path / entry["file"]).read_bytes() == (PACKAGE / entry["file"]).read_bytes()


def test_the_slider_has_every_sixteenth_budget(tables: Any) -> None:
    found = tables.execute("SELECT DISTINCT budget FROM buffer_steps ORDER BY budget").fetchall()
    assert [budget for (budget,) in found] == list(range(256, 4097, 16))
