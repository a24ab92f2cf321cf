"""The benchmark's own file becomes the table that was taken down from it, and nothing else passes."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tieout.errors import CannotOpen, Invalid
from tieout.importers.parquet import read
from tieout.importers.tau_bench import Imported, import_tau_bench


def message(role: str, **more: object) -> dict[str, object]:
    return {"role": role, "content": "words that nobody keeps", **more}


def trial(task: int = 0, number: int = 0) -> dict[str, Any]:
    return {
        "task_id": task,
        "trial": number,
        "reward": 1.0,
        "info": {
            "source": "user",
            "user_cost": 0.0035475000000000003,
            "task": {"actions": [{"name": "cancel"}], "outputs": []},
            "reward_info": {"reward": 1.0, "info": {"r_actions": 1.0, "gt_data_hash": "ab"}, "actions": []},
        },
        "traj": [
            message("system"),
            message("user"),
            message("assistant", tool_calls=[{"id": "c"}]),
            message("tool", name="cancel"),
            message("assistant", tool_calls=None),
            message("user"),
        ],
    }


def imported(tmp_path: Path, trials: object) -> list[dict[str, object]]:
    source = tmp_path / "trials.json"
    source.write_text(trials if isinstance(trials, str) else json.dumps(trials), encoding="utf-8")
    import_tau_bench(source, tmp_path / "package")
    return read(tmp_path / "package" / "receipts" / "trials.parquet")


def faults(tmp_path: Path, trials: object) -> list[str]:
    with pytest.raises(Invalid) as caught:
        imported(tmp_path, trials)
    return [str(fault) for fault in caught.value.faults]


def test_every_column_of_every_trial_is_the_one_taken_down(tmp_path: Path, studies: Path) -> None:
    result = import_tau_bench(studies / "tau-bench-airline" / "gpt-4o-airline.json", tmp_path)
    assert result == Imported(tasks=50, trials=200, known_costs=195)
    rows = read(tmp_path / "receipts" / "trials.parquet")
    with (studies / "tau-bench-airline" / "trials.csv").open(encoding="utf-8", newline="") as file:
        expected = list(csv.DictReader(file))
    assert len(rows) == len(expected) == 200
    flags = {"": None, "0.0": False, "1.0": True}
    for row, printed in zip(rows, expected, strict=True):
        cost = printed.pop("user_cost_usd")
        assert row.pop("user_cost") == (round(Decimal(cost) * 10**7) if cost else None)
        assert row.pop("success") is (printed["reward"] == "1.0")
        assert row.pop("reward") == int(Decimal(printed.pop("reward")))
        assert row.pop("ended_by") == printed.pop("ended_by")
        for part in ("r_actions", "r_outputs"):
            assert row.pop(part) is flags[printed.pop(part)]
        assert row == {name: int(count) for name, count in printed.items()}


def test_the_package_holds_what_the_importer_writes(tmp_path: Path, studies: Path, root: Path) -> None:
    import_tau_bench(studies / "tau-bench-airline" / "gpt-4o-airline.json", tmp_path)
    package = root / "artifacts" / "packages" / "tau-bench-airline"
    names = [path.relative_to(tmp_path) for path in sorted(tmp_path.rglob("*")) if path.is_file()]
    assert len(names) == 4
    for name in names:
        assert (package / name).read_bytes() == (tmp_path / name).read_bytes()


def test_a_trial_is_counted_and_its_words_are_left_behind(tmp_path: Path) -> None:
    assert imported(tmp_path, [trial()]) == [
        {
            "task_id": 0,
            "trial": 0,
            "success": True,
            "reward": 1,
            "ended_by": "user",
            "user_cost": 35475,
            "messages": 6,
            "system_messages": 1,
            "user_messages": 2,
            "assistant_messages": 2,
            "tool_messages": 1,
            "tool_calls": 1,
            "expected_actions": 1,
            "r_actions": True,
            "r_outputs": None,
        }
    ]
    receipts = (tmp_path / "package" / "receipts" / "trials.parquet").read_bytes()
    assert b"nobody keeps" not in receipts


def test_the_plan_is_every_task_with_every_number_of_a_trial(tmp_path: Path) -> None:
    imported(tmp_path, [trial(7, 0), trial(3, 1), trial(3, 0)])
    plan = read(tmp_path / "package" / "receipts" / "plan.parquet")
    assert [(row["task_id"], row["trial"]) for row in plan] == [(3, 0), (3, 1), (7, 0), (7, 1)]


def test_an_unknown_cost_is_null_and_an_unscored_trial_has_no_parts(tmp_path: Path) -> None:
    unscored = trial()
    unscored["reward"] = 0.0
    unscored["info"] |= {"user_cost": None, "reward_info": None}
    row = imported(tmp_path, [unscored])[0]
    assert [row[name] for name in ("success", "user_cost", "r_actions", "r_outputs")] == [
        False,
        None,
        None,
        None,
    ]


def test_a_cost_of_zero_stays_zero(tmp_path: Path) -> None:
    free = trial()
    free["info"]["user_cost"] = 0
    assert imported(tmp_path, [free])[0]["user_cost"] == 0


def test_the_same_file_gives_the_same_bytes_in_any_order_of_its_trials(tmp_path: Path) -> None:
    trials = [trial(0, 0), trial(0, 1), trial(1, 0), trial(1, 1)]
    written = []
    for order in (trials, trials[::-1]):
        imported(tmp_path, order)
        written.append((tmp_path / "package" / "receipts" / "trials.parquet").read_bytes())
    assert written[0] == written[1]


def info(name: str, value: object) -> Callable[[dict[str, Any]], None]:
    return lambda broken: broken["info"].update({name: value})


def top(name: str, value: object) -> Callable[[dict[str, Any]], None]:
    return lambda broken: broken.update({name: value})


@pytest.mark.parametrize(
    ("breaks", "expected"),
    [
        (top("reward", 0.5), "/1/reward, line 1: expected 0 or 1, found 0.5"),
        (top("reward", True), "/1/reward, line 1: expected 0 or 1, found true"),
        (top("reward", None), "/1/reward, line 1: expected 0 or 1, found null"),
        (
            top("reward", 0.0),
            "/1/info/reward_info/reward, line 1: expected the trial's own reward 0, found 1",
        ),
        (top("task_id", "1"), "/1/task_id, line 1: expected an integer from 0, found 1"),
        (top("trial", -1), "/1/trial, line 1: expected an integer from 0, found -1"),
        (
            top("trial", 0),
            "/1, line 1: expected a trial of its own, found task 0, trial 0 again, which is /0",
        ),
        (top("info", []), "/1/info, line 1: expected an object, found a list"),
        (top("traj", {}), "/1/traj, line 1: expected a list of messages, found an object"),
        (
            top("traj", [message("judge")]),
            "/1/traj/0/role, line 1: expected one of system, user, assistant, tool, found judge",
        ),
        (
            top("traj", [message("user", tool_calls=1)]),
            "/1/traj/0/tool_calls, line 1: expected a list or null, found 1",
        ),
        (
            info("user_cost", 0.00354755),
            "/1/info/user_cost, line 1: expected a multiple of 1e-7 dollar, found 0.00354755",
        ),
        (info("user_cost", -0.1), "/1/info/user_cost, line 1: expected dollars from 0, or null, found -0.1"),
        (
            info("user_cost", "x" * 61),
            "/1/info/user_cost, line 1: expected dollars from 0, or null, found a text of 61 characters",
        ),
        (info("source", None), "/1/info/source, line 1: expected a text, found null"),
        (
            info("reward_info", {"reward": 1.0, "info": {"r_outputs": 0.5}}),
            "/1/info/reward_info/info/r_outputs, line 1: expected 0 or 1, found 0.5",
        ),
    ],
)
def test_what_cannot_be_counted_is_refused_with_its_place(
    tmp_path: Path, breaks: Callable[[dict[str, Any]], None], expected: str
) -> None:
    broken = trial(0, 1)
    breaks(broken)
    assert faults(tmp_path, [trial(), broken]) == [f"trials.json, {expected}"]
    assert not (tmp_path / "package").exists()


def test_a_cost_that_is_missing_is_not_a_cost_that_is_unknown(tmp_path: Path) -> None:
    broken = trial()
    del broken["info"]["user_cost"]
    assert faults(tmp_path, [broken]) == [
        "trials.json, /0/info/user_cost, line 1: expected dollars from 0, or null, found nothing"
    ]


def test_all_faults_are_gathered(tmp_path: Path) -> None:
    broken = [trial() | {"reward": 0.5, "task_id": None}, trial() | {"traj": None}]
    assert [fault.split(",")[1].strip() for fault in faults(tmp_path, broken)] == [
        "/0/reward",
        "/0/task_id",
        "/1/traj",
    ]


def test_a_trial_that_is_no_object_is_refused(tmp_path: Path) -> None:
    assert faults(tmp_path, [trial(), "trial"]) == [
        "trials.json, /1, line 1: expected an object, found trial"
    ]


@pytest.mark.parametrize("text", ["{}", "[]", "null"])
def test_a_file_without_trials_is_refused(tmp_path: Path, text: str) -> None:
    assert "expected a list of trials" in faults(tmp_path, text)[0]


@pytest.mark.parametrize(
    ("text", "code"), [('[{"reward": NaN}]', "not-finite"), ('[{"a": 1, "a": 2}]', "duplicate-key")]
)
def test_json_that_can_be_read_in_two_ways_is_refused(tmp_path: Path, text: str, code: str) -> None:
    with pytest.raises(Invalid) as caught:
        imported(tmp_path, text)
    assert [fault.code for fault in caught.value.faults] == [code]


def test_a_file_that_is_not_there_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(CannotOpen):
        import_tau_bench(tmp_path / "none.json", tmp_path)
