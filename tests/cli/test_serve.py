"""`tieout serve`: a port that cannot be had is told with the way to another."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from tests.conftest import Run


@pytest.mark.parametrize("port", ["99999", "-1"])
def test_what_is_no_port_is_wrong_usage(tmp_path: Path, tieout: Run, port: str) -> None:
    run = tieout("serve", "--port", port, cwd=tmp_path)
    assert run.returncode == 2
    assert f"Invalid value for '--port': {port} is not in the range 0<=x<=65535." in run.stderr


def test_a_busy_port_is_named(tmp_path: Path, tieout: Run) -> None:
    (tmp_path / "index.html").touch()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        run = tieout("serve", "--site", ".", "--port", str(port), cwd=tmp_path)
    assert (run.returncode, run.stderr) == (
        2,
        f"tieout: port {port}: Address already in use; --port takes another\n",
    )
