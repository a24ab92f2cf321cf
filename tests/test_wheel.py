"""What is installed is what was tested: the wheel alone, with the checkout and the tests' own packages out of reach."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
from importlib.metadata import Distribution, PathDistribution, distribution
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement

from tests.conftest import ROOT, Run


def needs(dist: Distribution) -> dict[str, Distribution]:
    """Every distribution that this one asks for, with what those ask for, extras left out."""
    found: dict[str, Distribution] = {}
    queue = list(dist.requires or [])
    while queue:
        requirement = Requirement(queue.pop())
        if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
            continue
        if requirement.name not in found:
            found[requirement.name] = distribution(requirement.name)
            queue += found[requirement.name].requires or []
    return found


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built without a network by the backend that the lock names."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment that holds the wheel and exactly what its metadata asks for."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=True)
    (site,) = folder.glob("lib/python*/site-packages")
    ZipFile(wheel).extractall(folder / "wheel")
    (metadata,) = (folder / "wheel").glob("*.dist-info")
    for dist in needs(PathDistribution(metadata)).values():
        for top in {file.parts[0] for file in dist.files or []} - {"..", "__pycache__"}:
            if not (site / top).exists():
                (site / top).symlink_to(Path(str(dist.locate_file(top))))
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(folder / "bin" / "python"),
        "--disable-pip-version-check",
    ]
    subprocess.run(
        [*pip, "install", "--quiet", "--no-index", "--no-deps", wheel], check=True, capture_output=True
    )
    subprocess.run([*pip, "check"], check=True, capture_output=True)
    return folder


def run(installed: Path, cwd: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    program, *arguments = command
    return subprocess.run(
        [installed / "bin" / program, *arguments],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_schemas_metrics_and_type_marker_are_inside(wheel: Path) -> None:
    inside = set(ZipFile(wheel).namelist())
    schemas = {f"tieout/_{path.relative_to(ROOT)}" for path in (ROOT / "schemas").rglob("*.json")}
    metrics = {
        str(path.relative_to(ROOT / "analysis"))
        for path in (ROOT / "analysis/tieout/metrics").iterdir()
        if path.suffix in {".sql", ".yaml"}
    }
    assert schemas
    assert metrics
    assert (schemas | metrics | {"tieout/py.typed"}) - inside == set()
    assert {name.partition("/")[0].partition("-")[0] for name in inside} == {"tieout"}


def test_the_checkout_is_out_of_reach(installed: Path, tmp_path: Path) -> None:
    where = run(
        installed,
        tmp_path,
        "python",
        "-c",
        "import sys, tieout; print(tieout.__file__, *sys.path, sep='\\n')",
    )
    assert Path(where.stdout.splitlines()[0]).is_relative_to(installed)
    assert str(ROOT / "analysis") not in where.stdout.splitlines()


def test_help_runs_where_the_tests_own_packages_are_absent(installed: Path, tmp_path: Path) -> None:
    absent = run(installed, tmp_path, "python", "-c", "import pytest")
    assert "No module named 'pytest'" in absent.stderr
    assert run(installed, tmp_path, "tieout", "--help").returncode == 0


def test_a_copied_package_and_ledger_get_the_same_verdicts(
    installed: Path, tmp_path: Path, tieout: Run
) -> None:
    package, ledger = "packages/tau-bench-airline", "ledgers/tau-bench-readme"
    for name in (package, ledger):
        shutil.copytree(ROOT / "artifacts" / name, tmp_path / "artifacts" / name)
    arguments = ("verify", f"artifacts/{package}", f"artifacts/{ledger}", "--json")
    here = tieout(*arguments)
    there = run(installed, tmp_path, "tieout", *arguments)
    assert (there.returncode, there.stdout) == (here.returncode, here.stdout)
    (verdicts,) = json.loads(there.stdout)["ledgers"]
    assert {claim["verdict"] for claim in verdicts["claims"]} & {"ties"}
