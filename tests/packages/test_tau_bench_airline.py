"""Each check of the package looks at something, finds the frozen rows in order, and finds a planted fault."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conftest import ROOT
from tieout.strict import read_yaml

PACKAGE = ROOT / "artifacts" / "packages" / "tau-bench-airline"
CHECKS = {check["id"]: check for check in read_yaml(PACKAGE / "checks.yaml", "checks.yaml").value["checks"]}
FAULTS = {
    "messages-are-the-sum-of-roles": "UPDATE trials SET messages = messages - 1 WHERE task_id = 0 AND trial = 0",
    "each-call-answered": "UPDATE trials SET tool_calls = tool_calls + 1 WHERE task_id = 0 AND trial = 0",
    "agent-and-world-take-turns": "UPDATE trials SET user_messages = user_messages + 1 WHERE task_id = 0 AND trial = 0",
    "success-is-reward-one": "UPDATE trials SET reward = 1 WHERE task_id = 0 AND trial = 0",
    "success-needs-its-parts": "UPDATE trials SET r_actions = true WHERE task_id = 0 AND trial = 0",
    "one-part-shown": "UPDATE trials SET r_outputs = false WHERE task_id = 0 AND trial = 0",
    "unscored-is-no-success": "UPDATE trials SET success = true WHERE user_cost IS NULL",
    "unscored-is-cost-unknown": "UPDATE trials SET user_cost = 1 WHERE task_id = 33 AND trial = 0",
    "unscored-ran-to-the-limit": "UPDATE trials SET messages = 60 WHERE task_id = 33 AND trial = 0",
    "five-costs-unknown": "UPDATE trials SET user_cost = 0 WHERE task_id = 33 AND trial = 0",
    "no-known-cost-is-zero": "UPDATE trials SET user_cost = 0 WHERE task_id = 33 AND trial = 0",
    "four-trials-a-task": "DELETE FROM trials WHERE task_id = 49 AND trial = 3",
    "tasks-without-a-gap": "DELETE FROM trials WHERE task_id = 7",
    "one-task-one-solution": "UPDATE trials SET expected_actions = 9 WHERE task_id = 0 AND trial = 0",
    "outcomes-add-up": "DELETE FROM trials WHERE task_id = 7",
}


@pytest.fixture
def tables() -> Any:
    import duckdb

    connection = duckdb.connect()
    for name in ("trials", "plan"):
        file = PACKAGE / "receipts" / f"{name}.parquet"
        connection.execute(f"CREATE TABLE {name} AS SELECT * FROM read_parquet('{file}')")
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
