"""What all tests share: where things lie, the command, and a network that nobody reaches."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.documents import shared

ROOT = Path(__file__).resolve().parent.parent

# A test never fails for being slow; where a change is judged, the examples are the same each time.
settings.register_profile("tieout", deadline=None, print_blob=True, derandomize="CI" in os.environ)
settings.load_profile("tieout")

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def namespace() -> list[str] | None:
    """The command that runs another without a network, or None where this system has none for us."""
    for command in (["unshare", "-n"], ["unshare", "-r", "-n"]):
        if not shutil.which(command[0]):
            continue
        if subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0:
            return command
    return None


def pytest_report_header() -> str:
    how = namespace()
    cut = (
        f"a network namespace of its own ({' '.join(how)})"
        if how
        else "sockets that refuse, set up in Python"
    )
    return f"offline tests: {cut}"


@pytest.fixture(autouse=True, scope="session")
def _no_network() -> Iterator[None]:
    """Nothing in this process talks to another machine."""
    connect = socket.socket.connect

    def refuse(self: socket.socket, address: Any) -> None:
        if self.family != socket.AF_UNIX and address[0] not in {"127.0.0.1", "::1", "localhost"}:
            raise AssertionError(f"a test reached for the network: {address}")
        connect(self, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", refuse)
        yield


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


def _beside(name: str) -> Path:
    path = shared() / name
    if not path.is_dir():
        reason = f"the {name} are not beside this checkout"
        if "CI" in os.environ:
            pytest.fail(reason)
        pytest.skip(reason)
    return path


@pytest.fixture(scope="session")
def studies() -> Path:
    """The studies' receipts, which lie beside the checkout where the project is made and nowhere else."""
    return _beside("studies")


@pytest.fixture(scope="session")
def seeds() -> Path:
    """The texts of the documents, beside the checkout like the studies."""
    return _beside("seeds")


@pytest.fixture(scope="session")
def tieout() -> Run:
    """Run the installed command, `tieout("verify", "--json", cwd=…)`, and return what it printed and how it ended."""
    command = Path(sysconfig.get_path("scripts")) / "tieout"

    def run(*arguments: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
        options.setdefault("cwd", ROOT)
        return subprocess.run(
            [command, *arguments], capture_output=True, text=True, encoding="utf-8", check=False, **options
        )

    return run
