"""A package against its own rules: schemas, keys, checks, and derived tables made anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests import build
from tieout.errors import Fault
from tieout.results import PackageResult
from tieout.verify import Options, verify

Rows = Sequence[Mapping[str, Any]]


def validated(root: Path) -> PackageResult:
    return verify([root], Options(frozen=False)).packages[0]


def rewrite(root: Path, table: pa.Table, name: str = "limits") -> Path:
    pq.write_table(table, root / "receipts" / f"{name}.parquet")
    return root


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return build.package(tmp_path / "tiny")


def test_a_sound_package_says_how_much_was_checked(tiny: Path) -> None:
    result = validated(tiny)
    assert (result.valid, {table.name: (table.rows, table.checked) for table in result.tables}) == (
        True,
        {"trials": (8, 8), "limits": (1, 1)},
    )


def limits(**columns: Any) -> pa.Table:
    given = {"name": ["a", "b"], "most": [1, 2], "share": [0.5, 0.25], **columns}
    return pa.table({name: cells for name, cells in given.items() if cells is not None})


@pytest.mark.parametrize(
    ("table", "code", "row", "column"),
    [
        (limits(name=["a", "a"]), "key-duplicate", 1, None),
        (limits(name=["a", None]), "type", 1, "name"),
        (limits(share=[0.5, float("nan")]), "not-finite", 1, "share"),
        (limits(most=[1.0, 2.5]), "column-type", None, "most"),
        (limits(most=None), "column-missing", None, "most"),
    ],
)
def test_a_table_that_breaks_its_schema_is_told_where(
    tiny: Path, table: pa.Table, code: str, row: int | None, column: str | None
) -> None:
    result = validated(rewrite(tiny, table))
    assert not result.valid
    found = {(fault.file, fault.column) for fault in result.faults}
    assert ("receipts/limits.parquet", column) in found or column is None
    assert all(fault.file == "receipts/limits.parquet" for fault in result.faults)


def check(sql: str, examined: str = "SELECT count(*) FROM trials") -> dict[str, Any]:
    return {"id": "rule", "says": "It holds", "examined": examined, "sql": sql}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (check("SELECT * FROM nothing"), "no table `nothing`; the package has limits, trials"),
        (check("SELECT * FROM trials", "SELECT task_id FROM trials"), "`examined` must return one integer"),
        (check("SELECT * FROM trials", "SELECT 'a' AS b FROM limits"), "`examined` must return one integer"),
    ],
)
def test_a_check_that_cannot_run_is_no_check_that_holds(
    tmp_path: Path, given: dict[str, Any], message: str
) -> None:
    result = validated(build.package(tmp_path / "tiny", checks=[given]))
    [found] = result.checks
    assert (result.valid, found.violations, found.rows) == (False, None, ({"error": message},))


def test_a_check_on_a_broken_table_is_not_run(tiny: Path) -> None:
    result = validated(rewrite(tiny, pa.table({"task_id": ["a"]}), "trials"))
    [found] = result.checks
    assert (result.valid, found.violations, found.waits) == (False, None, True)
    assert found.error == "table `trials` has faults of its own"


def test_all_rows_that_break_a_rule_are_counted_and_twenty_shown(tmp_path: Path) -> None:
    many = [{"name": f"{index:03}", "most": index, "share": 0.5} for index in range(60)]
    tables = {**build.TABLES, "limits": (build.LIMITS, many, {"basis": "design"})}
    rule = check("SELECT * FROM limits WHERE most >= 10", "SELECT count(*) FROM limits")
    [found] = validated(build.package(tmp_path / "tiny", tables, checks=[rule])).checks
    assert (found.examined, found.violations, len(found.rows)) == (60, 50, 20)


RUNS = build.schema(
    "trajectories",
    ["album", "threshold"],
    {
        "album": build.TEXT,
        "policy": build.TEXT,
        "threshold": build.COUNT,
        "answerable": build.FLAG,
        "accepted": build.FLAG,
        "input_tokens": build.COUNT,
        "output_tokens": build.COUNT,
    },
)
FIGURES = ("threshold", "accepted_elsewhere", "tokens_elsewhere", "tied", "lowest_tied", "highest_tied")
SELECTION = build.schema(
    "selection", ["held_out_album"], {"held_out_album": build.TEXT, **dict.fromkeys(FIGURES, build.COUNT)}
)
# On album b threshold 2 is the one accepted, on album a threshold 1: each is what the other album is given.
ACCEPTED = {("a", 1): 100, ("b", 2): 70}
SELECTED = [
    {"held_out_album": album, **dict(zip(FIGURES, (chosen, 1, tokens, 1, chosen, chosen), strict=True))}
    for album, chosen, tokens in [("a", 2, 70), ("b", 1, 100)]
]


def derived(root: Path, rows: Rows, instrument: str = "threshold-selection") -> PackageResult:
    runs = [
        {
            "album": album,
            "policy": "adaptive",
            "threshold": threshold,
            "answerable": True,
            "accepted": (album, threshold) in ACCEPTED,
            "input_tokens": ACCEPTED.get((album, threshold), 50),
            "output_tokens": 0,
        }
        for album in "ab"
        for threshold in (1, 2)
    ]
    entry = {
        "instrument": instrument,
        "inputs": {"trajectories": "trajectories"},
        "parameters": {"policy": "adaptive"},
    }
    tables = {"trajectories": (RUNS, runs, {"basis": "observation"}), "selection": (SELECTION, rows, entry)}
    return validated(build.package(root / "tiny", tables, checks=[]))


def test_a_derived_table_is_made_anew_and_compared(tmp_path: Path) -> None:
    result = derived(tmp_path, SELECTED)
    assert (result.valid, [found.status for found in result.derived]) == (True, ["same"])


def test_a_derived_table_that_is_another_says_where(tmp_path: Path) -> None:
    result = derived(tmp_path, [SELECTED[0], {**SELECTED[1], "tokens_elsewhere": 101}])
    message = "the derived table is another; the instrument gives 100, the file holds 101"
    assert result.faults == (
        Fault(
            code="derived-differs",
            message=message,
            file="derived/selection.parquet",
            row=1,
            column="tokens_elsewhere",
            expected="100",
            found="101",
        ),
    )
    assert (result.valid, [found.status for found in result.derived]) == (False, ["differs"])


def test_a_derived_table_of_another_length_differs(tmp_path: Path) -> None:
    message = "the derived table has another number of rows; the instrument gives 2, the file holds 1"
    assert [fault.message for fault in derived(tmp_path, SELECTED[:1]).faults] == [message]


def test_a_derived_table_without_its_instrument_is_as_published(tmp_path: Path) -> None:
    result = derived(tmp_path, SELECTED[:1], "nobody-has-it")
    assert (result.valid, [found.status for found in result.derived]) == (True, ["as published"])


@pytest.mark.parametrize(
    ("in_loop", "found"),
    [
        ({"task_id": ["a"]}, []),
        (
            {"task_id": ["a", "A"]},
            [
                "package.yaml, /evaluators/0/in_loop/task_id/1: `trials.task_id` is never 'A'; its values are a, b"
            ],
        ),
        (
            {"trial": [2]},
            ["package.yaml, /evaluators/0/in_loop/trial/0: `trials.trial` is never 2; its values are 0, 1"],
        ),
    ],
)
def test_rows_in_the_loop_that_nobody_recorded_are_a_fault(
    tmp_path: Path, in_loop: dict[str, Any], found: list[str]
) -> None:
    root = build.package(tmp_path / "tiny", evaluators=[{**build.JUDGE, "in_loop": in_loop}])
    assert [str(fault) for fault in validated(root).faults] == found


def test_a_value_that_a_schema_lists_may_stand_in_no_row_yet(tmp_path: Path) -> None:
    plain = [row for row in build.ROWS if row["policy"] == "plain"]
    tables = {**build.TABLES, "trials": (build.TRIALS, plain, {"basis": "observation"})}
    assert validated(build.package(tmp_path / "tiny", tables)).faults == ()


ABSENT = {"task_id": "b", "trial": 1, "because": "The provider was down."}


def test_a_run_that_is_declared_missing_is_not_asked_for(tmp_path: Path) -> None:
    result = validated(build.planned(tmp_path / "tiny", ("b", 1), [ABSENT]))
    check = result.checks[0]
    assert (result.faults, check.examined, check.violations) == ((), 3, 0)
    assert check.says == "Every planned run of `plan` is in `trials`, but for 1 declared missing"


def test_another_run_that_is_missing_is_still_told(tmp_path: Path) -> None:
    result = validated(build.planned(tmp_path / "tiny", ("a", 0), [ABSENT]))
    assert (result.checks[0].violations, result.checks[0].shown(1)) == (1, ['task_id "a", trial 0'])


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"task_id": "a", "trial": 1}, "the run is in `trials`"),
        ({"task_id": "c", "trial": 1}, "`plan` has no such run"),
        ({"task_id": "b"}, "a run is told in the columns of `plan`: task_id, trial"),
        ({"task_id": "b", "trail": 1}, "a run is told in the columns of `plan`: task_id, trial"),
    ],
)
def test_a_declaration_of_no_missing_run_is_a_fault(
    tmp_path: Path, entry: dict[str, Any], message: str
) -> None:
    declared = [ABSENT, {**entry, "because": "Lost."}]
    result = validated(build.planned(tmp_path / "tiny", ("b", 1), declared))
    assert [str(fault) for fault in result.faults] == [f"package.yaml, /plan/missing/1: {message}"]
