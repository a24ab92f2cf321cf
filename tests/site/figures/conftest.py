"""The figures of this repository's artifacts, made once for all tests."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

pytest.importorskip("altair", reason="figures need the extra `site`")
pytest.importorskip("vl_convert", reason="figures need the extra `site`")

from tests.conftest import ROOT
from tieout.site.figures import make, names
from tieout.site.figures.figure import Figure, render
from tieout.site.figures.source import Folder
from tieout.verify import Options, verify


@pytest.fixture(scope="session")
def source() -> Folder:
    """The artifacts, with what a verification says of them; whether they are frozen is another test's matter."""
    report = verify([ROOT / "artifacts"], Options(frozen=False, locked=False))
    return Folder(packages=ROOT / "artifacts" / "packages", report=report.to_json())


@pytest.fixture(scope="session")
def figures(source: Folder) -> Mapping[str, Figure]:
    """Every figure by name."""
    return {name: make(name, source) for name in names()}


@pytest.fixture(scope="session")
def pages(figures: Mapping[str, Figure]) -> Mapping[str, str]:
    """The HTML of every figure by name."""
    return {name: render(figure) for name, figure in figures.items()}
