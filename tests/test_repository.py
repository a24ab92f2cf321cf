"""What holds for the repository as a whole: errors with one base, documented raises, headers, copies, locks."""

from __future__ import annotations

import ast
import importlib
import json
import pkgutil
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement

import tieout
from tests.conftest import ROOT
from tieout.errors import TieoutError

SOURCE = ROOT / "analysis" / "tieout"
METRICS = sorted(path for path in (SOURCE / "metrics").iterdir() if path.suffix in {".sql", ".yaml"})
PACKAGES = sorted(path.parent for path in ROOT.glob("artifacts/packages/*/package.yaml"))
COPIES = [path for package in PACKAGES for path in sorted(package.glob("schemas/*.json"))]
LOCKS = ("requirements.lock", "requirements-site.lock", "requirements-dev.lock")


def short(path: Path) -> str:
    return str(path.relative_to(ROOT))


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def test_no_tracked_file_names_a_registry_host_or_a_path_of_a_machine() -> None:
    # the brackets keep this file from finding itself
    hosts = rb"pyp[i]\.org|pythonhoste[d]|npmj[s]\.(org|com)|deb\.debia[n]\."
    paths = rb"/wor[k]/|/hom[e]/\w|/User[s]/\w|/roo[t]/\w|/tm[p]/\w"
    pattern = re.compile(hosts + b"|" + paths)
    found = {short(path): match[0] for path in tracked() if (match := pattern.search(path.read_bytes()))}
    assert found == {}


def modules() -> Iterator[Any]:
    for module in pkgutil.walk_packages(tieout.__path__, "tieout."):
        if not module.name.endswith("__main__"):
            yield importlib.import_module(module.name)


def test_every_error_class_is_a_tieout_error() -> None:
    # A private one steers a single module and is caught there; what leaves a module has a public name.
    outside = [
        f"{module.__name__}.{name}"
        for module in modules()
        for name, value in vars(module).items()
        if isinstance(value, type)
        and not name.startswith("_")
        and issubclass(value, BaseException)
        and value.__module__ == module.__name__
        and not issubclass(value, TieoutError)
    ]
    assert outside == []


def raised(function: ast.FunctionDef) -> set[str]:
    """Names of the errors that a function's own statements raise, those of functions inside it left out."""
    names: set[str] = set()
    queue: list[ast.AST] = list(function.body)
    while queue:
        node = queue.pop()
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Lambda):
            continue
        if isinstance(node, ast.Raise) and node.exc is not None:
            error = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            names.add(ast.unparse(error).rpartition(".")[2])
        queue += ast.iter_child_nodes(node)
    return names


def public(body: list[ast.stmt]) -> Iterator[ast.FunctionDef]:
    """The public functions of a module, and the public methods of its public classes; not those inside functions."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            if isinstance(node, ast.FunctionDef):
                yield node
            else:
                yield from public(node.body)


def test_every_public_function_that_raises_says_so() -> None:
    silent = []
    for path in sorted(SOURCE.rglob("*.py")):
        if path.is_relative_to(SOURCE / "cli"):
            continue  # a command's docstring is its help page; exit codes stand there
        for node in public(ast.parse(path.read_text(encoding="utf-8")).body):
            says = ast.get_docstring(node) or ""
            silent += [
                f"{short(path)}:{node.lineno} {node.name} raises {error}"
                for error in sorted(raised(node))
                if error not in says and not re.search(r"\brais", says, re.IGNORECASE)
            ]
    assert silent == []


@pytest.mark.parametrize("path", METRICS, ids=lambda path: path.name)
def test_a_metric_says_what_it_is(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    required = {"title", "says", "unit", "source"}
    if path.suffix == ".yaml":
        header = yaml.safe_load(text)
        required |= {"inputs", "formula"}
    else:
        lines = text.splitlines()
        comment = [line[3:] for line in lines if line.startswith("-- ")]
        assert lines[: len(comment)] == [f"-- {line}" for line in comment], (
            "the header comes first, in one piece"
        )
        header = yaml.safe_load("\n".join(comment))
        query = "\n".join(lines[len(comment) :])
        if header.get("exact", True):
            required.add("combine")
        if re.search(r"\bAS denominator\b", query, re.IGNORECASE):
            required.add("denominator")
    assert required - set(header) == set()


def test_there_are_packages_to_look_at() -> None:
    assert PACKAGES
    assert COPIES
    assert METRICS


@pytest.mark.parametrize("path", COPIES, ids=short)
def test_a_package_carries_our_schema_unchanged(path: Path) -> None:
    originals = {
        json.loads(original.read_bytes())["$id"]: original
        for original in (ROOT / "schemas/tables").rglob("*.json")
    }
    assert path.read_bytes() == originals[json.loads(path.read_bytes())["$id"]].read_bytes()


def pins(name: str) -> dict[str, str]:
    """Requirement lines of a lock by package name; each must pin one version."""
    lines = [
        line.removesuffix(" \\")
        for line in (ROOT / name).read_text("utf-8").splitlines()
        if line[:1].isalnum()
    ]
    found = {Requirement(line).name.lower(): line for line in lines}
    assert len(found) == len(lines), f"{name} names a package twice"
    return found


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_pins_and_hashes_every_package_and_names_no_index(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    entries = re.split(r"\n(?=\S)", text.strip())
    shape = re.compile(r"[a-z0-9-]+==\S+( ; [^\n]+?)?( \\\n    --hash=sha256:[0-9a-f]{64})+")
    assert [entry for entry in entries if not shape.fullmatch(entry)] == []


def versions(name: str) -> dict[str, str]:
    return {package: line.partition(" ")[0] for package, line in pins(name).items()}


def test_the_lock_for_development_pins_what_the_others_pin() -> None:
    every, least, site = (
        versions(name) for name in ("requirements-dev.lock", "requirements.lock", "requirements-site.lock")
    )
    assert {name: every.get(name) for name in least | site} == least | site
    assert {name: least[name] for name in least if name in site} == {
        name: site[name] for name in site if name in least
    }


def test_the_lock_holds_what_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    locked = pins("requirements.lock")
    for requirement in map(Requirement, project["dependencies"]):
        version = next(iter(Requirement(locked[requirement.name.lower()]).specifier)).version
        assert requirement.specifier.contains(version), requirement


def test_the_version_is_one() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert citation["version"] == tieout.__version__
    assert re.findall(r"^## \[(\d\S*)\]", changes, re.MULTILINE)[:1] in ([], [tieout.__version__])
