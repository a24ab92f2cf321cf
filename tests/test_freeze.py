"""Freezing: the same bytes twice, what other tools read, and nothing written where something is wrong."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from tests import build
from tieout.errors import Invalid
from tieout.freeze import freeze_ledger, freeze_package, write_beside

GENERATED = ("SHA256SUMS", "datapackage.json")
FIRST = (
    'task_id "a", policy "plain", trial 0, success true, input_tokens 100, cached_input_tokens 10, '
    "user_cost 10000000"
)


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return build.package(tmp_path / "packages" / "tiny")


def contents(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()
    }


def test_freezing_twice_gives_the_same_bytes(tiny: Path, tmp_path: Path) -> None:
    first = freeze_package(tiny)
    once = contents(tiny)
    assert freeze_package(tiny) == first
    assert contents(tiny) == once
    other = build.package(tmp_path / "elsewhere")
    assert freeze_package(other) == first


def test_freezing_never_touches_what_it_freezes(tiny: Path) -> None:
    before = contents(tiny)
    freeze_package(tiny)
    after = contents(tiny)
    assert {name: after[name] for name in before} == before
    assert set(after) - set(before) == set(GENERATED)


def test_the_descriptor_says_of_each_table_what_other_tools_ask(tiny: Path) -> None:
    freeze_package(tiny)
    document = json.loads((tiny / "datapackage.json").read_text("utf-8"))
    trials = next(
        resource for resource in document["resources"] if resource["path"] == "receipts/trials.parquet"
    )
    data = (tiny / trials["path"]).read_bytes()
    assert document["created"] == "2026-09-11T00:00:00Z"
    assert (trials["bytes"], trials["hash"]) == (len(data), f"sha256:{hashlib.sha256(data).hexdigest()}")
    assert (trials["format"], trials["mediatype"]) == ("parquet", "application/vnd.apache.parquet")
    assert trials["schema"]["primaryKey"] == ["task_id", "policy", "trial"]
    fields = {field["name"]: field for field in trials["schema"]["fields"]}
    assert fields["policy"]["type"] == "string"
    assert fields["policy"]["constraints"] == {"required": True, "enum": ["plain", "retry"]}
    assert "constraints" not in fields["user_cost"]
    assert trials["tieout"] == {
        "table": "trials",
        "rows": 8,
        "basis": "observation",
        "rowSchema": "schemas/trials.json",
    }


@pytest.mark.parametrize(
    ("defect", "message"),
    [
        ("check", f"checks.yaml: check rule is broken by 8 rows: It holds; the first is {FIRST}"),
        (
            "check-not-run",
            "checks.yaml: check rule could not run: no table `nothing`; the package has limits, trials",
        ),
        ("link", "note: `note` leads through a symbolic link"),
        ("table", "receipts/trials.parquet: the file is empty; Parquet was expected"),
    ],
)
def test_what_does_not_validate_is_refused_and_nothing_written(
    tmp_path: Path, defect: str, message: str
) -> None:
    sql = {"check": "SELECT * FROM trials", "check-not-run": "SELECT * FROM nothing"}.get(defect)
    rule = {"id": "rule", "says": "It holds", "examined": "SELECT count(*) FROM trials", "sql": sql}
    root = build.package(tmp_path / "tiny", checks=[rule] if sql else [])
    if defect == "link":
        (root / "note").symlink_to(root / "package.yaml")
    if defect == "table":
        (root / "receipts" / "trials.parquet").write_bytes(b"")
    with pytest.raises(Invalid) as caught:
        freeze_package(root)
    assert message in str(caught.value).splitlines()
    assert not any((root / name).exists() for name in GENERATED)


def refused(root: Path) -> list[str]:
    with pytest.raises(Invalid) as caught:
        freeze_package(root)
    return [str(fault) for fault in caught.value.faults]


def test_a_check_on_a_table_with_faults_is_left_out(tmp_path: Path) -> None:
    rows = [*build.ROWS, {**build.ROWS[0], "trial": -1}]
    trials = {**build.TRIALS["properties"], "trial": {**build.TRIALS["properties"]["trial"], "minimum": 0}}
    form = {**build.TRIALS, "properties": trials}
    root = build.package(
        tmp_path / "tiny", {**build.TABLES, "trials": (form, rows, {"basis": "observation"})}
    )
    assert refused(root) == ["receipts/trials.parquet, row 0, column trial: expected at least 0, found -1"]


def test_a_planned_run_that_is_not_there_is_told_of_the_descriptor(tmp_path: Path) -> None:
    [found] = refused(build.planned(tmp_path / "tiny", absent=("b", 1)))
    assert found.startswith("package.yaml, /plan: check planned-runs-present is broken by 1 row: ")
    assert found.endswith('; the first is task_id "b", trial 1')


def test_a_lock_names_packages_and_every_metric_behind_the_claims(tiny: Path, tmp_path: Path) -> None:
    digest = freeze_package(tiny)
    reading = {"taken": "so", "others": [{"says": "or so", "metric": "known_costs"}]}
    claims = [
        build.claim("a", "75%", reading=reading),
        build.claim("b", "1", metric="trial_count", where={"trials": "all"}),
    ]
    root = build.ledger(tmp_path / "ledgers" / "doc", claims)
    lock = json.loads(freeze_ledger(root).read_text("utf-8"))
    assert (lock["document"], lock["packages"], lock["text"]) == ("doc", {"tiny": digest}, None)
    assert list(lock["metrics"]) == ["known_costs", "success_rate", "trial_count"]


def test_a_lock_keeps_the_hash_of_the_text_until_it_is_given_another(tiny: Path, tmp_path: Path) -> None:
    freeze_package(tiny)
    root = build.ledger(tmp_path / "ledgers" / "doc", [build.claim("a", "75%")])
    text = tmp_path / "text.txt"
    text.write_text("75%\n", encoding="utf-8")
    first = freeze_ledger(root, text).read_bytes()
    assert json.loads(first)["text"] == hashlib.sha256(b"75%\n").hexdigest()
    assert freeze_ledger(root).read_bytes() == first


def test_a_ledger_of_a_package_that_is_not_frozen_is_not_locked(tiny: Path, tmp_path: Path) -> None:
    root = build.ledger(tmp_path / "ledgers" / "doc", [build.claim("a", "75%")])
    with pytest.raises(
        Invalid, match="SHA256SUMS: the package is not frozen; its author runs `tieout freeze`"
    ):
        freeze_ledger(root)
    assert not (root / "ledger.lock.json").exists()


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "it"
    path.write_text("before", encoding="utf-8")
    with pytest.raises(UnicodeEncodeError):
        write_beside(path, "\ud800")
    assert (path.read_text("utf-8"), [entry.name for entry in tmp_path.iterdir()]) == ("before", ["it"])
