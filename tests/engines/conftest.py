"""What the tests of engines share: Parquet files of a tiny package."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import build


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The tables of the tiny package: eight trials, one limit."""
    root = build.package(tmp_path_factory.mktemp("package") / "tiny")
    return {path.stem: path for path in sorted((root / "receipts").glob("*.parquet"))}
