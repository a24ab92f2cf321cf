"""Every broken package, ledger and archive through the command: what is said, how it ends, what it leaves behind."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from tests.hostile import build as broken
from tests.hostile.command import Ran, run, snapshot, verify
from tieout.errors import Fault

Case = Callable[[Path], None]

EXPECTED = yaml.safe_load((Path(__file__).parent / "expected.yaml").read_text("utf-8"))
GROUPS = ("frozen", "draft", "ledgers", "archives")
SECRETS = (broken.KEY, broken.TOKEN, broken.HOME, "hunter2")


@pytest.fixture(scope="session")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return broken.sound(tmp_path_factory.mktemp("sound") / "artifacts")


@pytest.fixture
def desk(sound: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of what is sound, and a folder of its own for whatever is temporary."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    return shutil.copytree(sound, tmp_path / "artifacts")


def said(ran: Ran, lines: list[str], root: Path) -> None:
    """Every line is the expected one, up to an ellipsis; nobody is shown a traceback or a secret."""
    expected = [line.replace("{root}", str(root)) for line in lines]
    found = [
        found[: len(line) - 1] + "…" if line.endswith("…") else found
        for found, line in zip(ran.lines, expected, strict=False)
    ]
    assert [*found, *ran.lines[len(found) :]] == expected
    assert "Traceback" not in ran.said
    assert "a defect of Tieout" not in ran.said
    assert not any(secret in ran.out + ran.said for secret in SECRETS)


def parameters(*groups: str) -> pytest.MarkDecorator:
    listed = {name: expected for group in groups for name, expected in EXPECTED[group].items()}
    cases = [
        (getattr(broken, name), expected["code"], expected["lines"]) for name, expected in listed.items()
    ]
    return pytest.mark.parametrize(("case", "code", "lines"), cases, ids=list(listed))


@parameters("frozen", "ledgers")
def test_what_is_frozen_and_broken(desk: Path, case: Case, code: int, lines: list[str]) -> None:
    case(desk)
    before = snapshot(desk.parent)
    ran = verify(desk)
    said(ran, lines, desk)
    assert ran.code == code
    assert snapshot(desk.parent) == before


@parameters("draft")
def test_what_is_broken_before_it_is_frozen(desk: Path, case: Case, code: int, lines: list[str]) -> None:
    case(desk)
    before = snapshot(desk.parent)
    ran = verify("--draft", desk)
    said(ran, lines, desk)
    assert ran.code == code
    assert snapshot(desk.parent) == before
    if code:
        refused = run("freeze", desk / broken.PACKAGE)
        assert refused.code == code
        assert "a defect of Tieout" not in refused.said
        assert not any(secret in refused.out + refused.said for secret in SECRETS)
        assert snapshot(desk.parent) == before, "a freeze that is refused writes nothing"


@parameters("archives")
def test_an_archive_is_looked_at_before_it_is_unpacked(
    desk: Path, case: Case, code: int, lines: list[str]
) -> None:
    case(desk)
    before = snapshot(desk.parent)
    ran = verify(desk / "tiny.zip")
    said(ran, lines, desk)
    assert ran.code == code
    assert snapshot(desk.parent) == before, "nothing is left, inside the folder or beside it"


def test_an_archive_and_its_folder_have_one_report(desk: Path) -> None:
    broken.zip_without_fault(desk)
    assert verify(desk / "tiny.zip").report == verify(desk / broken.PACKAGE).report


def test_what_is_sound_has_no_fault(desk: Path) -> None:
    ran = verify(desk)
    assert (ran.code, ran.lines) == (0, [])


def test_nothing_that_a_package_brings_is_run(desk: Path) -> None:
    broken.foreign_instrument(desk)
    ran = verify("--draft", desk)
    assert ran.code == 0
    assert [made["status"] for made in ran.report["packages"][0]["derived"]] == ["as published"]
    assert not (desk / "ran").exists()


def test_a_flipped_byte_in_any_file_is_found(desk: Path) -> None:
    from tieout.folder import check_hashes, files_of

    root = desk / broken.PACKAGE
    for name in [*files_of(root), "datapackage.json"]:
        sound = (root / name).read_bytes()
        data = bytearray(sound)
        data[len(data) // 2] ^= 1
        (root / name).write_bytes(data)
        faults: list[Fault] = []
        check_hashes(root, faults)
        assert [(fault.code, fault.file) for fault in faults] == [("hash-mismatch", name)]
        (root / name).write_bytes(sound)


def test_every_function_that_breaks_something_is_a_case() -> None:
    functions = {
        name
        for name, value in vars(broken).items()
        if callable(value)
        and getattr(value, "__module__", "") == broken.__name__
        and not name.startswith("_")
    }
    cases = [name for group in GROUPS for name in EXPECTED[group]]
    assert sorted(functions - {"sound", "edit", "table"}) == sorted(cases)
    assert len(cases) >= 60
