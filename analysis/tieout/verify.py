"""Packages and ledgers in, verdicts out.

1 open: each package and ledger; what cannot be opened ends the run.
2 ask: every query of every claim, once, of both engines; and meanwhile
3 validate: each package against its schemas, keys, plan and checks; its derived tables are made anew.
4 judge: each claim's value against what was printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tieout.engines import PRICES, Limits, Tables
from tieout.engines.process import Engine
from tieout.errors import CannotOpen
from tieout.find import find

if TYPE_CHECKING:
    from tieout.package import Package, Table
    from tieout.report import Report

Progress = Callable[[str, int, int], None]  # what is being done, how many of it are done, of how many


@dataclass(frozen=True, kw_only=True, slots=True)
class Options:
    """How to verify.

    `frozen` and `locked` ask for hashes of packages and locks of ledgers; without them a draft can be verified.
    `prices` is a table of model prices for metrics of cost in dollars.
    """

    frozen: bool = True
    locked: bool = True
    prices: Table | None = None
    limits: Limits = field(default_factory=Limits)


def verify(
    paths: Sequence[Path], options: Options | None = None, progress: Progress = lambda *_: None
) -> Report:
    """Verifies packages, ledgers, and folders or ZIP archives that hold them.

    A ledger's packages are looked for among the given ones, then in `packages/` beside the folder that it stands in.
    Raises CannotOpen or Invalid where something cannot be opened, and EngineLost where an engine cannot be started.
    """
    options = options or Options()
    with ExitStack() as stack:
        if any(path.is_file() for path in paths):
            from tieout.archive import unpacked

            paths = stack.enter_context(unpacked(paths))
        packages, ledgers = find(paths)
        # The pool is left last: its thread ends when the engines that it may be waiting for are gone.
        pool = stack.enter_context(ThreadPoolExecutor(max_workers=1))
        engines = stack.enter_context(started(options))
        # While they load their libraries, this process loads its own.
        from tieout.verdicts import verdicts

        return verdicts(packages, ledgers, options, engines, pool, progress)


@contextmanager
def started(options: Options) -> Iterator[tuple[Engine, Engine]]:
    """DuckDB and SQLite, started side by side and ended with the context; `open_in` gives them packages."""
    with Engine("duckdb", options.limits) as duckdb, Engine("sqlite", options.limits) as sqlite:
        yield duckdb, sqlite


def open_in(engines: Iterable[Engine], packages: Iterable[Package], options: Options) -> None:
    """Opens packages, and the price table where there is one beside each, in engines.

    Raises CannotOpen where a package has a table of the price table's name.
    """
    extra = {PRICES: options.prices.path} if options.prices else {}
    packages = list(packages)
    for package in packages:
        if extra and PRICES in package.tables:
            raise CannotOpen(f"package {package.name} has a table `{PRICES}` of its own; leave --prices out")
    tables = [
        Tables(
            package=package.name,
            files={**{name: table.path.resolve() for name, table in package.tables.items()}, **extra},
            keys={name: table.key for name, table in package.tables.items()},
        )
        for package in packages
    ]
    for engine in engines:
        engine.open(tables)
