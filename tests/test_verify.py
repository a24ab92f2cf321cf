"""Verification as a whole: what it finds, how it ends, and that a report is the same however it is asked for."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from tests import build
from tieout.engines import Answer
from tieout.engines.process import Engine, EngineLost
from tieout.errors import CannotOpen, Invalid
from tieout.find import SITE_KEY, find
from tieout.freeze import freeze_ledger, freeze_package
from tieout.report import Report
from tieout.verify import Options, verify

claim = build.claim
ADMITTED = {"corrected": "75%", "says": "A slip"}
NEAR = {"value": 0.1, "because": "read off a chart"}
RATES = [claim("rate", "75%"), claim("again", "75%")]
TWO: dict[str, Any] = {"from_": {"a": "rate", "b": "again"}}


def frozen(root: Path, claims: list[dict[str, Any]] | None = None) -> Path:
    build.artifacts(root, claims if claims is not None else [claim("rate", "75%")])
    freeze_package(root / "packages" / "tiny")
    freeze_ledger(root / "ledgers" / "doc")
    return root


def codes(report: Report) -> list[str]:
    faults = [fault for package in report.packages for fault in package.faults]
    return [fault.code for fault in (*faults, *(fault for book in report.ledgers for fault in book.faults))]


def test_what_holds_ends_with_zero(tmp_path: Path) -> None:
    report = verify([frozen(tmp_path)])
    assert (report.exit_code(), report.exit_code(strict=True), codes(report)) == (0, 0, [])


@pytest.mark.parametrize(
    ("claims", "plain", "strict"),
    [
        ([claim("rate", "80%")], 1, 1),
        ([claim("rate", "80%", erratum=ADMITTED)], 0, 1),
        ([claim("rate", "80%", erratum={**ADMITTED, "corrected": "76%"})], 1, 1),
        ([claim("rate", "75%", erratum={**ADMITTED, "corrected": "76%"})], 1, 1),
        ([claim("rate", "75%", erratum={**ADMITTED, "corrected": "75.0%"})], 1, 1),
        ([claim("rate", "80%", erratum={**ADMITTED, "corrected": "at least 0"})], 1, 1),
        ([claim("rate", "at least 80%", erratum={**ADMITTED, "corrected": "at least 70%"})], 0, 1),
        ([claim("rate", "60%", erratum={**ADMITTED, "corrected": "70%"}, tolerance=NEAR)], 1, 1),
        (
            [
                *RATES,
                claim("less", "less", asserts="a < b", **TWO, erratum={**ADMITTED, "corrected": "a <= b"}),
            ],
            0,
            1,
        ),
        (
            [
                *RATES,
                claim("less", "less", asserts="a < b", **TWO, erratum={**ADMITTED, "corrected": "1 == 1"}),
            ],
            1,
            1,
        ),
        ([claim("rate", "75%"), claim("unprinted", formula="a", from_={"a": "nobody"})], 1, 1),
        ([claim("rate", "about a few")], 1, 1),
        ([claim("rate", "9", kind="not-collected")], 0, 0),
    ],
)
def test_a_difference_ends_with_one_unless_its_erratum_ties(
    tmp_path: Path, claims: list[dict[str, Any]], plain: int, strict: int
) -> None:
    report = verify([build.artifacts(tmp_path, claims)], Options(frozen=False, locked=False))
    assert (report.exit_code(), report.exit_code(strict=True)) == (plain, strict)


def test_an_engine_that_is_lost_is_no_claims_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    submit = Engine.submit

    def lost(
        engine: Engine, queries: Sequence[tuple[str, str]], *, urgent: bool = False
    ) -> list[Future[Answer]]:
        answers = submit(engine, queries, urgent=urgent)
        if engine.name == "sqlite":
            answers = [Future() for _ in answers]
            for answer in answers:
                answer.set_exception(EngineLost("sqlite could not open package tiny: no answer"))
        return answers

    monkeypatch.setattr(Engine, "submit", lost)
    with pytest.raises(EngineLost, match="sqlite could not open package tiny"):
        verify([build.artifacts(tmp_path, [claim("rate", "75%")])], Options(frozen=False, locked=False))


def test_a_violated_check_ends_with_one(tmp_path: Path) -> None:
    broken = {**build.CHECKS[0], "sql": "SELECT * FROM trials WHERE trial = 0"}
    root = build.package(tmp_path / "tiny", checks=[broken])
    report = verify([root], Options(frozen=False))
    [check] = report.packages[0].checks
    assert (report.exit_code(), check.examined, check.violations, len(check.rows)) == (1, 8, 4, 4)


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[30] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda root: flip(root / "receipts" / "limits.parquet"), "hash-mismatch"),
        (lambda root: (root / "notes.txt").write_text("mine"), "extra-file"),
        (lambda root: (root / "schemas" / "limits.json").unlink(), "missing-file"),
        (lambda root: (root / "SHA256SUMS").unlink(), "not-frozen"),
    ],
)
def test_a_package_that_is_not_the_frozen_one_is_invalid(
    tmp_path: Path, change: Callable[[Path], object], found: str
) -> None:
    root = build.package(tmp_path / "tiny")
    freeze_package(root)
    change(root)
    report = verify([root])
    assert found in codes(report)
    assert (report.packages[0].valid, report.exit_code()) == (False, 1)


def test_a_package_frozen_anew_is_not_the_one_that_the_ledger_was_locked_with(tmp_path: Path) -> None:
    frozen(tmp_path)
    (tmp_path / "packages" / "tiny" / "README.md").write_text("More.\n", encoding="utf-8")
    freeze_package(tmp_path / "packages" / "tiny")
    [fault] = verify([tmp_path]).ledgers[0].faults
    wanted = "doc/ledger.lock.json: package tiny is not the one that the ledger was locked with"
    assert (fault.code, str(fault)) == ("package-changed", wanted)


def test_a_metric_that_changed_since_the_lock_is_a_fault(tmp_path: Path) -> None:
    lock = frozen(tmp_path) / "ledgers" / "doc" / "ledger.lock.json"
    document = json.loads(lock.read_text("utf-8"))
    document["metrics"]["success_rate"] = "0" * 64
    build.write(lock, document)
    [fault] = verify([tmp_path]).ledgers[0].faults
    wanted = "doc/ledger.lock.json: metric success_rate is not the one that the ledger was locked with"
    assert (fault.code, str(fault)) == ("metric-changed", wanted)


def test_a_lock_of_another_document_is_a_fault(tmp_path: Path) -> None:
    lock = frozen(tmp_path) / "ledgers" / "doc" / "ledger.lock.json"
    build.write(lock, {**json.loads(lock.read_text("utf-8")), "document": "quite-another"})
    assert codes(verify([tmp_path])) == ["document-changed"]


def test_a_package_of_another_name_than_its_ledger_says_is_refused(tmp_path: Path) -> None:
    build.artifacts(tmp_path, [claim("rate", "75%")])
    build.package(tmp_path / "packages" / "tiny", name="small")
    with pytest.raises(
        CannotOpen, match=r"tiny is a package of another name; its package.yaml must say `name: tiny`"
    ):
        verify([tmp_path / "ledgers" / "doc"], Options(frozen=False, locked=False))


def test_faults_of_form_name_the_folder_that_they_are_in(tmp_path: Path) -> None:
    build.artifacts(tmp_path, [claim("rate", "75%")])
    build.package(tmp_path / "packages" / "tiny", created="yesterday")
    with pytest.raises(Invalid) as caught:
        verify([tmp_path], Options(frozen=False, locked=False))
    assert [fault.file for fault in caught.value.faults] == ["tiny/package.yaml"]
    build.package(tmp_path / "packages" / "tiny")
    build.ledger(tmp_path / "ledgers" / "doc", [claim("rate", "75%"), claim("rate", "76%")])
    with pytest.raises(Invalid) as caught:
        verify([tmp_path], Options(frozen=False, locked=False))
    assert [fault.file for fault in caught.value.faults] == ["doc/sections/01-all.yaml"]


def test_a_ledger_that_nobody_locked_says_so(tmp_path: Path) -> None:
    lock = frozen(tmp_path) / "ledgers" / "doc" / "ledger.lock.json"
    lock.unlink()
    assert codes(verify([tmp_path])) == ["not-locked"]
    assert codes(verify([tmp_path], Options(locked=False))) == []


def test_verifying_twice_finds_the_same(tmp_path: Path) -> None:
    frozen(tmp_path, [claim("rate", "75%"), claim("wrong", "80%"), claim("none", "1", metric="nothing")])
    assert verify([tmp_path]).to_json() == verify([tmp_path]).to_json()


def test_packages_and_ledgers_are_found_at_any_depth_and_once(tmp_path: Path) -> None:
    build.artifacts(tmp_path, [claim("rate", "75%")])
    package, ledger = tmp_path / "packages" / "tiny", tmp_path / "ledgers" / "doc"
    assert find([tmp_path]) == ([package], [ledger])
    assert find([package, tmp_path, ledger]) == ([package], [ledger])


@pytest.mark.parametrize("folder", ["site", ".venv", ".git"])
def test_copies_in_rendered_sites_and_hidden_folders_are_not_looked_for(tmp_path: Path, folder: str) -> None:
    frozen(tmp_path)
    kept = tmp_path / folder / "packages" / "tiny"
    build.package(kept)
    if folder == "site":
        (tmp_path / "site" / SITE_KEY).write_text("of the site", encoding="utf-8")
    assert find([tmp_path]) == ([tmp_path / "packages" / "tiny"], [tmp_path / "ledgers" / "doc"])
    assert verify([tmp_path]).exit_code() == 0
    assert find([tmp_path / folder]) == ([kept], [])


def test_a_ledger_alone_finds_its_package_beside_it(tmp_path: Path) -> None:
    report = verify([frozen(tmp_path) / "ledgers" / "doc"])
    assert ([package.package.name for package in report.packages], report.exit_code()) == (["tiny"], 0)


def test_what_cannot_be_found_ends_the_run(tmp_path: Path) -> None:
    build.ledger(tmp_path / "ledgers" / "doc", [claim("rate", "75%")])
    beside = tmp_path / "packages" / "tiny"
    with pytest.raises(CannotOpen) as caught:
        verify([tmp_path])
    wanted = f"ledger doc is about package tiny, which was not given and is not at {beside}"
    assert str(caught.value) == wanted
    with pytest.raises(
        CannotOpen, match="no such folder; give a package, a ledger, or a folder that holds some"
    ):
        verify([tmp_path / "nothing"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(CannotOpen, match="neither a package"):
        verify([tmp_path / "empty"])


def test_two_packages_of_one_name_are_refused(tmp_path: Path) -> None:
    build.package(tmp_path / "one")
    build.package(tmp_path / "two")
    with pytest.raises(CannotOpen, match="are both named tiny"):
        verify([tmp_path], Options(frozen=False))


def test_a_missing_and_a_doubled_receipt_are_seen(tmp_path: Path) -> None:
    plan = build.schema("plan", ["task_id", "trial"], {"task_id": build.TEXT, "trial": build.COUNT})
    planned = [{"task_id": task, "trial": trial} for task in "abc" for trial in (0, 1)]
    tables = {**build.TABLES, "plan": (plan, planned, {"basis": "design"})}
    root = build.package(tmp_path / "tiny", tables, plan={"table": "plan", "of": "trials"})
    [check, _] = verify([root], Options(frozen=False)).packages[0].checks
    assert (check.id, check.examined, check.violations) == ("planned-runs-present", 6, 2)
    assert [row["task_id"] for row in check.rows] == ["c", "c"]


def test_a_folder_that_cannot_be_looked_into_ends_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build.artifacts(tmp_path, [claim("rate", "75%")])
    scandir = os.scandir

    def forbidden(path: Any) -> Any:
        if Path(path).name == "doc":
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", forbidden)
    with pytest.raises(CannotOpen, match="doc: Permission denied; what it holds would be left out"):
        find([tmp_path])


def test_a_ledger_behind_a_broken_link_is_no_ledger_left_out(tmp_path: Path) -> None:
    root = build.artifacts(tmp_path, [claim("rate", "75%")])
    (root / "ledgers" / "doc" / "ledger.yaml").rename(root / "elsewhere")
    (root / "ledgers" / "doc" / "ledger.yaml").symlink_to("nowhere")
    with pytest.raises(CannotOpen, match=r"doc: no ledger here"):
        verify([root], Options(frozen=False, locked=False))


def test_one_folder_by_two_names_counts_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = build.artifacts(tmp_path, [claim("rate", "75%")])
    monkeypatch.chdir(root)
    assert find([Path("ledgers/doc"), root / "ledgers" / "doc"]) == ([], [Path("ledgers/doc")])


def test_two_ledgers_of_one_document_are_refused(tmp_path: Path) -> None:
    root = build.artifacts(tmp_path, [claim("rate", "75%")])
    shutil.copytree(root / "ledgers" / "doc", root / "ledgers" / "copy")
    with pytest.raises(CannotOpen, match="are both of document doc"):
        verify([root], Options(frozen=False, locked=False))
