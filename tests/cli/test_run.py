"""`tieout run`: how its parameters are given."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Run


@pytest.mark.parametrize(
    ("params", "message"),
    [
        (["policy"], "'policy' is no parameter; give NAME=VALUE."),
        (["=adaptive"], "'=adaptive' is no parameter; give NAME=VALUE."),
        (["policy=adaptive", "policy=fixed"], "policy is given twice."),
    ],
)
def test_a_parameter_that_cannot_be_read_is_wrong_usage(
    tmp_path: Path, tieout: Run, params: list[str], message: str
) -> None:
    options = [part for param in params for part in ("-p", param)]
    run = tieout("run", "threshold-selection", *options, "-i", ".", "-o", "chosen.csv", cwd=tmp_path)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.endswith(f"Error: Invalid value for '--param' / '-p': {message}\n")
