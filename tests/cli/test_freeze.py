"""`tieout freeze`: what cannot be frozen is found before anything is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import build
from tests.conftest import Run

PACKAGE, LEDGER = "artifacts/packages/tiny", "artifacts/ledgers/doc"


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    build.artifacts(tmp_path / "artifacts", [build.claim("rate", "75%")])
    (tmp_path / "latin.txt").write_bytes("75 % für alle\n".encode("latin-1"))
    (tmp_path / "text.txt").write_text("75%\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            [PACKAGE, "nowhere"],
            "tieout: nowhere: neither a package (package.yaml) nor a ledger (ledger.yaml) is here",
        ),
        (
            [PACKAGE, LEDGER, "--text", "latin.txt"],
            "tieout: latin.txt, line 1: expected UTF-8, found the byte 0xFC; save the text as UTF-8",
        ),
        (
            [PACKAGE, "--text", "text.txt"],
            "Error: --text is the document of a ledger, and no ledger is given.",
        ),
    ],
)
def test_what_cannot_be_frozen_is_found_before_anything_is_written(
    desk: Path, tieout: Run, arguments: list[str], message: str
) -> None:
    before = sorted(desk.rglob("*"))
    run = tieout("freeze", *arguments, cwd=desk)
    assert (run.returncode, run.stdout, run.stderr.splitlines()[-1]) == (2, "", message)
    assert sorted(desk.rglob("*")) == before
