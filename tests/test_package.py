"""Opening a package: what it is, what is wrong with its files, and names that may not leave its folder."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests import build
from tieout.datapackage import descriptor_faults
from tieout.errors import CannotOpen, Fault, Invalid
from tieout.freeze import freeze_package
from tieout.package import open_package, weakest

Edit = Callable[[dict[str, Any]], None]


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return build.package(tmp_path / "tiny")


def edit(root: Path, change: Edit, name: str = "package.yaml") -> None:
    document = yaml.safe_load((root / name).read_text("utf-8"))
    change(document)
    build.write(root / name, document)


def faults(root: Path) -> list[tuple[str, str]]:
    return [(fault.code, str(fault)) for fault in open_package(root, frozen=False).faults]


def test_a_package_brings_its_tables_evaluators_and_checks(tiny: Path) -> None:
    package = open_package(tiny, frozen=False)
    trials = package.tables["trials"]
    assert (package.name, package.version, package.digest, package.faults) == ("tiny", "1.0.0", None, ())
    assert (trials.key, trials.basis) == (("task_id", "policy", "trial"), "observation")
    assert trials.with_role("case") == ("task_id",)
    assert trials.evaluator_of("success") == "judge"
    assert trials.evaluator_of("trial") is None
    assert [name for name, nullable in trials.nullable.items() if nullable] == ["user_cost"]
    assert package.evaluators["judge"].in_loop == {"policy": ["retry"]}
    assert [check.id for check in package.checks] == ["cached-inside"]


def test_a_folder_without_a_descriptor_is_no_package(tmp_path: Path) -> None:
    with pytest.raises(CannotOpen) as caught:
        open_package(tmp_path)
    assert str(caught.value) == f"{tmp_path}: no package here (package.yaml is missing)"


def test_a_descriptor_that_breaks_its_schema_ends_the_opening(tiny: Path) -> None:
    edit(tiny, lambda given: given.pop("title"))
    with pytest.raises(Invalid) as caught:
        open_package(tiny, frozen=False)
    assert [fault.file for fault in caught.value.faults] == ["package.yaml"]
    assert "title" in str(caught.value)


def test_all_faults_of_a_package_are_gathered(tiny: Path) -> None:
    (tiny / "receipts" / "trials.parquet").write_bytes(b"")
    (tiny / "schemas" / "limits.json").write_text("{", encoding="utf-8")
    (tiny / "checks.yaml").unlink()
    assert {code for code, _ in faults(tiny)} >= {"empty-file", "missing-file"}
    assert len({place.partition(":")[0] for _, place in faults(tiny)}) == 3


@pytest.mark.parametrize(
    ("content", "code", "message"),
    [
        (b"", "empty-file", "the file is empty; Parquet was expected"),
        (
            b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
            "lfs-pointer",
            "this is a Git LFS pointer, not the file; run `git lfs pull`",
        ),
        (
            b"\n<!DOCTYPE html><html>",
            "html-page",
            "this is an HTML page, not Parquet; the download was redirected or refused",
        ),
        (b"a,b\n1,2\n", "not-parquet", "this is not Parquet: it begins with b'a,b\\n', not b'PAR1'"),
        (b"PAR1 and then", "truncated-file", "the Parquet file is cut short: its closing mark is missing"),
        (b"PAR1PAR1", "truncated-file", "the Parquet file is cut short: its closing mark is missing"),
    ],
)
def test_a_file_that_is_no_parquet_is_named_for_what_it_is(
    tiny: Path, content: bytes, code: str, message: str
) -> None:
    (tiny / "receipts" / "trials.parquet").write_bytes(content)
    assert faults(tiny) == [(code, f"receipts/trials.parquet: {message}")]


def made(tmp_path: Path, instrument: str, *inputs: str) -> dict[str, str]:
    """The bases of a package's tables: `once` is made of these inputs, `twice` of `once` by an installed instrument."""
    entries = {
        "once": {"instrument": instrument, "inputs": {name: name for name in inputs}},
        "twice": {"instrument": "buffer-lab", "inputs": {"first": "once", "runs": "trials"}},
    }
    derived = {name: (build.LIMITS, build.LIMIT_ROWS, entry) for name, entry in entries.items()}
    opened = open_package(build.package(tmp_path / "tiny", {**build.TABLES, **derived}), frozen=False)
    return {name: opened.tables[name].basis for name in entries}


def test_a_derived_table_rests_on_the_weakest_of_its_inputs(tmp_path: Path) -> None:
    assert made(tmp_path / "a", "buffer-lab", "trials") == {"once": "observation", "twice": "observation"}
    assert made(tmp_path / "b", "buffer-lab", "trials", "limits") == {"once": "design", "twice": "design"}


def test_a_derived_table_that_nobody_can_make_anew_is_a_recorded_total_at_best(tmp_path: Path) -> None:
    total = {"once": "recorded-total", "twice": "recorded-total"}
    assert made(tmp_path / "a", "nobody-has-it", "trials") == total
    assert made(tmp_path / "b", "nobody-has-it", "trials", "limits") == {"once": "design", "twice": "design"}


def test_what_is_installed_changes_no_byte_of_what_is_frozen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = {"instrument": "nobody-has-it", "inputs": {"runs": "trials"}}
    root = build.package(tmp_path / "tiny", {**build.TABLES, "made": (build.LIMITS, build.LIMIT_ROWS, entry)})
    digest = freeze_package(root)
    monkeypatch.setattr("tieout.package.instruments.names", lambda: ("nobody-has-it",))
    opened = open_package(root)
    assert (opened.tables["made"].basis, opened.tables["made"].frozen_basis) == ("observation", "observation")
    assert descriptor_faults(opened, {}) == []
    monkeypatch.undo()
    opened = open_package(root)
    assert (opened.tables["made"].basis, opened.digest) == ("recorded-total", digest)
    assert descriptor_faults(opened, {}) == []


def test_derived_tables_in_a_circle_are_refused(tmp_path: Path) -> None:
    tables = {
        name: (build.LIMITS, build.LIMIT_ROWS, {"instrument": "x", "inputs": {"a": other}})
        for name, other in (("one", "two"), ("two", "one"))
    }
    root = build.package(tmp_path / "tiny", tables, checks=[])
    with pytest.raises(Invalid, match="derived tables depend on each other in a circle: one -> two -> one"):
        open_package(root, frozen=False)


def test_the_weakest_basis_is_the_last_in_order() -> None:
    assert weakest(["design", "observation", "fixture"]) == "design"
    assert weakest(["observation", "recorded-total"]) == "recorded-total"
    assert weakest([]) is None


def test_two_checks_with_one_id_are_a_fault(tmp_path: Path) -> None:
    root = build.package(tmp_path / "tiny", checks=[*build.CHECKS, *build.CHECKS])
    assert faults(root) == [
        ("duplicate-id", "checks.yaml, /checks/1/id: two checks have the id cached-inside")
    ]


def test_a_package_that_nobody_froze_says_so(tiny: Path) -> None:
    found = open_package(tiny)
    message = "the package is not frozen; its author runs `tieout freeze`"
    assert found.faults == (Fault(code="not-frozen", message=message, file="SHA256SUMS"),)


def test_the_digest_of_a_frozen_package_is_that_of_its_sums(tiny: Path) -> None:
    digest = freeze_package(tiny)
    package = open_package(tiny)
    assert (package.digest, package.faults) == (digest, ())
    assert digest == hashlib.sha256((tiny / "SHA256SUMS").read_bytes()).hexdigest()


def test_an_unknown_input_of_a_derived_table_is_a_fault(tmp_path: Path) -> None:
    entry = {"instrument": "x", "inputs": {"a": "nothing"}}
    tables = {**build.TABLES, "made": (build.LIMITS, build.LIMIT_ROWS, entry)}
    root = build.package(tmp_path / "tiny", tables)
    assert faults(root) == [
        ("unknown-table", "package.yaml, /tables/made/inputs: input `nothing` is no table of the package")
    ]


def test_an_outcome_names_an_evaluator_that_the_package_has(tmp_path: Path) -> None:
    root = build.package(tmp_path / "tiny", evaluators=[])
    wanted = 'expected none, as the package has no evaluators, found "judge"'
    assert faults(root) == [
        ("row-schema", f"schemas/trials.json, /properties/success/tieout/evaluator: {wanted}")
    ]


IN_LOOP = "package.yaml, /evaluators/0/in_loop"


@pytest.mark.parametrize(
    ("in_loop", "found"),
    [
        (
            {"policy": ["retry", "Retry"]},
            [f"{IN_LOOP}/policy/1: `trials.policy` is never 'Retry'; its values are plain, retry"],
        ),
        ({"trial": ["1"]}, [f"{IN_LOOP}/trial/0: `trials.trial` is never '1'; its type is integer"]),
        ({"success": [1]}, [f"{IN_LOOP}/success/0: `trials.success` is never 1; its type is boolean"]),
        ({"polcy": ["retry"]}, [f"{IN_LOOP}/polcy: no table has a column `polcy`; did you mean `policy`?"]),
        ({"agent": ["owl"]}, [f"{IN_LOOP}/agent: no table has a column `agent`"]),
        ({"policy": ["retry"], "most": [1]}, [f"{IN_LOOP}: no table has `policy` and `most`"]),
        ({"name": ["steps"]}, []),
        ({"policy": ["retry"], "trial": [7]}, []),
    ],
)
def test_rows_in_the_loop_that_no_table_can_have_are_a_fault(
    tmp_path: Path, in_loop: dict[str, object], found: list[str]
) -> None:
    root = build.package(tmp_path / "tiny", evaluators=[{**build.JUDGE, "in_loop": in_loop}])
    assert faults(root) == [("in-loop", message) for message in found]


def test_where_an_evaluator_stood_is_not_asked_where_it_judged_nothing(tmp_path: Path) -> None:
    other = {**build.JUDGE, "id": "reader", "in_loop": {"agent": ["owl"]}}
    assert faults(build.package(tmp_path / "tiny", evaluators=[build.JUDGE, other])) == []


def test_any_table_of_the_evaluator_may_have_the_rows_in_the_loop(tmp_path: Path) -> None:
    columns = {**build.TRIALS["properties"], "policy": {"enum": ["search"]}}
    more = {**build.TRIALS, "properties": columns}
    tables = {**build.TABLES, "more": (more, [], {"basis": "observation"})}
    judge = {**build.JUDGE, "in_loop": {"policy": ["retry", "search"]}}
    assert faults(build.package(tmp_path / "tiny", tables, evaluators=[judge])) == []
