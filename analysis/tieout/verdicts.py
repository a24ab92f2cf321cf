"""From packages and ledgers to verdicts, with engines that have been started."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from tieout import secrets
from tieout.anew import Anew
from tieout.engines.process import Engine
from tieout.hints import EngineHints
from tieout.judge import Book, Judge, plan
from tieout.ledger import open_ledger
from tieout.locks import lock_faults
from tieout.opening import bound, faults_in, open_packages
from tieout.package import Package
from tieout.planning import Planner
from tieout.questions import Questions
from tieout.recompute import Answers
from tieout.report import LedgerResult, Report
from tieout.validate import Begun, begin
from tieout.verify import Options, Progress, open_in

TURN = 0.0005  # seconds that a thread keeps the interpreter while another wants it


def verdicts(
    package_paths: Sequence[Path],
    ledger_paths: Sequence[Path],
    options: Options,
    engines: tuple[Engine, Engine],
    pool: Executor,
    progress: Progress,
) -> Report:
    """The verdicts on packages and ledgers, by DuckDB and SQLite; a thread of `pool` validates beside this one.

    Raises as `verify` does.
    """
    duckdb, sqlite = engines
    with _prompt_threads(), Anew(options.limits) as anew:

        def opened(package: Package) -> None:
            open_in(engines, [package], options)

        packages = open_packages(
            package_paths,
            ledger_paths,
            frozen=options.frozen,
            opened=opened,
        )
        # Another thread validates, while this one reads ledgers and has the engines answer what it plans.
        validated = pool.submit(_validated, packages, duckdb, anew, progress)
        planners = {name: Planner(package, options.prices) for name, package in packages.items()}
        questions = Questions(duckdb, sqlite)
        books: list[Book] = []
        for path in ledger_paths:
            with faults_in(path):
                ledger = open_ledger(path)
            books.append(plan(ledger, bound(ledger, packages), planners, questions.ask))
        judge = Judge(Answers(packages, questions.answered(progress)), EngineHints(duckdb))
        judged = [_judged(book, judge, options) for book in books]
        results = [begun.done() for begun in validated.result()]
    return Report(packages=tuple(results), ledgers=tuple(judged))


@contextmanager
def _prompt_threads() -> Iterator[None]:
    """Threads take turns often: the one that feeds DuckDB else waits for its turn longer than for an answer."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(TURN)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


def _validated(
    packages: Mapping[str, Package], duckdb: Engine, anew: Anew, progress: Progress
) -> list[Begun]:
    tables = sum(len(package.tables) for package in packages.values())
    begun = itertools.count()

    def step(package: str, table: str) -> None:
        progress(f"validating {package} {table}", next(begun), tables)

    return [begin(package, duckdb, anew, step) for package in packages.values()]


def _judged(book: Book, judge: Judge, options: Options) -> LedgerResult:
    ledger = book.ledger
    faults = [replace(fault, file=f"{ledger.id}/{fault.file}") for fault in secrets.in_folder(ledger.root)]
    faults += lock_faults(ledger, book.packages) if options.locked else []
    return LedgerResult(
        ledger=ledger, packages=book.packages, faults=tuple(faults), claims=judge.claims(book)
    )
