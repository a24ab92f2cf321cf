"""After set-up nothing needs a network: verify says the same with none at hand."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

from tests.conftest import Run, namespace

# Where the system offers no network namespace: Python's own sockets refuse, in the command and in what it starts.
REFUSE = """
import socket

def refuse(*arguments, **options):
    raise OSError("no network here")

socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = socket.create_connection = refuse
"""

PROBE = """
import socket
try:
    socket.create_connection(("192.0.2.1", 9), timeout=5)
except TimeoutError:
    print("reached")
except OSError:
    print("cut off")
else:
    print("reached")
"""


def offline(folder: Path, *command: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command with no network at hand; how it was cut off stands in the report's header."""
    environment = dict(os.environ)
    prefix = namespace()
    if prefix is None:
        (folder / "sitecustomize.py").write_text(REFUSE, encoding="utf-8")
        environment["PYTHONPATH"] = str(folder)
    return subprocess.run(
        [*(prefix or []), *command],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        env=environment,
        cwd=Path(__file__).parent.parent,
    )


def test_the_network_is_really_cut_off(tmp_path: Path) -> None:
    assert offline(tmp_path, sys.executable, "-c", PROBE).stdout == "cut off\n"


def test_verify_says_the_same_without_a_network(tmp_path: Path, tieout: Run) -> None:
    with_network = tieout("verify", "--json")
    without = offline(tmp_path, Path(sysconfig.get_path("scripts")) / "tieout", "verify", "--json")
    assert (without.returncode, without.stdout) == (with_network.returncode, with_network.stdout)
    assert json.loads(without.stdout)["packages"], without.stderr
