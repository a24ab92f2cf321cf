"""Opening a package: what it is, what is wrong with its files, and names that may not leave its folder."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests import build
from tieout.errors import CannotOpen, Fault, Invalid
from tieout.freeze import freeze_package
from tieout.package import check_hashes, files_of, inside, look_at, open_package, weakest

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


def test_a_missing_file_and_a_folder_in_its_place_are_told(tmp_path: Path) -> None:
    missing = look_at(tmp_path / "no.parquet", "no.parquet")
    assert str(missing) == "no.parquet: the file cannot be read: No such file or directory"
    assert str(look_at(tmp_path, "it")) == "it: this is no regular file"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "is not a plain relative path"),
        ("a//b", "is not a plain relative path"),
        ("./a", "is not a plain relative path"),
        ("a/", "is not a plain relative path"),
        ("/etc/passwd", "is not relative to the package"),
        ("C:/a", "is not relative to the package"),
        ("a\\b", "is not relative to the package"),
        ("../a", "climbs out of the package"),
        ("a/../../b", "climbs out of the package"),
        ("a\u0308", "is not in Unicode normal form C"),
        ("a\u200bb", "holds a character that cannot be seen"),
        ("a\nb", "holds a character that cannot be seen"),
    ],
)
def test_a_name_that_could_leave_the_package_or_mislead_is_refused(
    tmp_path: Path, name: str, reason: str
) -> None:
    with pytest.raises(Invalid) as caught:
        inside(tmp_path, name)
    shown = name.encode("unicode_escape").decode()
    assert str(caught.value) == f"package.yaml: `{shown}` {reason}"


def test_a_link_on_the_way_is_refused(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with pytest.raises(Invalid, match="`link/a` leads through a symbolic link"):
        inside(tmp_path, "link/a")
    assert inside(tmp_path, "real/a") == tmp_path / "real" / "a"


def test_a_derived_table_rests_on_the_weakest_of_its_inputs(tmp_path: Path) -> None:
    derived = {"instrument": "nobody-has-it", "inputs": {"runs": "trials", "most": "limits"}}
    again = {"instrument": "nobody-has-it", "inputs": {"first": "once", "runs": "trials"}}
    tables = {
        **build.TABLES,
        "once": (build.LIMITS, build.LIMIT_ROWS, derived),
        "twice": (build.LIMITS, build.LIMIT_ROWS, again),
    }
    package = open_package(build.package(tmp_path / "tiny", tables), frozen=False)
    assert {name: table.basis for name, table in package.tables.items()} == {
        "trials": "observation",
        "limits": "design",
        "once": "design",
        "twice": "design",
    }


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


def hash_faults(root: Path) -> list[tuple[str, str, str]]:
    found: list[Fault] = []
    check_hashes(root, found)
    return [(fault.code, fault.file, fault.message) for fault in found]


def test_a_changed_byte_a_missing_and_an_extra_file_are_told(tiny: Path) -> None:
    freeze_package(tiny)
    data = bytearray((tiny / "receipts" / "limits.parquet").read_bytes())
    data[20] ^= 1
    (tiny / "receipts" / "limits.parquet").write_bytes(data)
    (tiny / "schemas" / "limits.json").unlink()
    (tiny / "notes.txt").write_text("mine", encoding="utf-8")
    assert hash_faults(tiny) == [
        ("extra-file", "notes.txt", "the file is not among the frozen ones"),
        ("hash-mismatch", "receipts/limits.parquet", "the file is not the one that was frozen"),
        ("missing-file", "schemas/limits.json", "the frozen file is missing"),
    ]


def test_line_ends_that_a_checkout_changed_are_recognised(tiny: Path) -> None:
    freeze_package(tiny)
    path = tiny / "checks.yaml"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    message = (
        "the file is not the one that was frozen; with LF line ends it is: "
        "check `git config core.autocrlf` and get the file again"
    )
    assert hash_faults(tiny) == [("hash-mismatch", "checks.yaml", message)]


def test_a_frozen_file_replaced_by_a_link_to_its_like_is_refused(tiny: Path, tmp_path: Path) -> None:
    freeze_package(tiny)
    (tiny / "checks.yaml").rename(tmp_path / "checks.yaml")
    (tiny / "checks.yaml").symlink_to(tmp_path / "checks.yaml")
    assert hash_faults(tiny) == [
        ("unsafe-path", "package.yaml", "`checks.yaml` leads through a symbolic link")
    ]


@pytest.mark.parametrize("line", ["abc  x", f"{'0' * 64} x", f"{'G' * 64}  x", f"{'0' * 64}  "])
def test_a_line_of_the_sums_in_another_form_is_a_fault(tiny: Path, line: str) -> None:
    freeze_package(tiny)
    sums = tiny / "SHA256SUMS"
    sums.write_text(sums.read_text("utf-8") + line + "\n", encoding="utf-8")
    number = len(sums.read_text("utf-8").splitlines())
    found: list[Fault] = []
    check_hashes(tiny, found)
    assert [str(fault) for fault in found] == [
        f"SHA256SUMS, line {number}: the line is not `<sha256>  <name>`, or names a file again"
    ]


def test_the_sums_can_be_checked_by_coreutils(tiny: Path) -> None:
    import subprocess

    freeze_package(tiny)
    run = subprocess.run(
        ["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=tiny, capture_output=True, check=False
    )
    assert run.returncode == 0, run.stderr


def test_every_file_is_covered_but_the_generated_ones(tiny: Path) -> None:
    freeze_package(tiny)
    (tiny / ".hidden").write_text("", encoding="utf-8")
    (tiny / "deep" / "er").mkdir(parents=True)
    (tiny / "deep" / "er" / "x").write_text("", encoding="utf-8")
    listed = files_of(tiny)
    assert {".hidden", "deep/er/x", "package.yaml", "receipts/trials.parquet"} <= set(listed)
    assert {"SHA256SUMS", "datapackage.json"} & set(listed) == set()
    assert listed == sorted(listed)


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
