"""A package's folder: names that may stand in it, files for what they are, hashes that hold."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests import build
from tieout.errors import Fault, Invalid
from tieout.folder import check_hashes, files_of, inside, look_at
from tieout.freeze import freeze_package


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return build.package(tmp_path / "tiny")


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
    assert hash_faults(tiny) == [("unsafe-path", "SHA256SUMS", "`checks.yaml` leads through a symbolic link")]


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
