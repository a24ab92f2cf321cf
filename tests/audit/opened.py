"""Ledgers verified as drafts, with a workbench over their packages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests import build
from tieout.audit.workbench import Workbench
from tieout.engines.process import Engine
from tieout.report import LedgerResult, Report
from tieout.verify import Options, open_in, verify

DRAFT = Options(frozen=False, locked=False)


@contextmanager
def opened(*paths: Path) -> Iterator[tuple[Report, Workbench]]:
    """The report on some folders, and a workbench."""
    report = verify(paths, DRAFT)
    packages = {result.package.name: result.package for result in report.packages}
    with Engine("duckdb") as duckdb:
        open_in([duckdb], packages.values(), DRAFT)
        yield report, Workbench(packages, duckdb)


@contextmanager
def tiny(
    root: Path, claims: Sequence[Mapping[str, Any]], grids: Sequence[Mapping[str, Any]] = (), **head: Any
) -> Iterator[tuple[LedgerResult, Report, Workbench]]:
    """A ledger of these claims about the package `tiny`, which is written unless it is there."""
    if not (root / "packages" / "tiny").is_dir():
        build.package(root / "packages" / "tiny")
    build.ledger(root / "ledgers" / "doc", claims, grids, **head)
    with opened(root / "ledgers" / "doc") as (report, bench):
        yield report.ledgers[0], report, bench
