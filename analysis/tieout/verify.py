"""Packages and ledgers in, verdicts out.

1 open: each package and ledger; what cannot be opened ends the run.
2 ask: every query of every claim, once, of both engines; and meanwhile
3 validate: each package against its schemas, keys, plan and checks; its derived tables are made anew.
4 judge: each claim's value against what was printed.
"""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NoReturn

from tieout import secrets
from tieout.anew import Anew
from tieout.engines import Limits, Tables
from tieout.engines.process import Engine
from tieout.errors import CannotOpen, Invalid
from tieout.hints import EngineHints
from tieout.judge import Book, Judge, plan
from tieout.ledger import Ledger, open_ledger, read_head
from tieout.locks import lock_faults
from tieout.package import Package, Table, open_package
from tieout.planning import PRICES, Planner
from tieout.questions import Questions
from tieout.recompute import Answers
from tieout.report import LedgerResult, Report
from tieout.validate import Begun, begin

SITE_KEY = ".tieout-key"  # the file that marks a rendered site
TURN = 0.0005  # seconds that a thread keeps the interpreter while another wants it

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


def find(paths: Iterable[Path]) -> tuple[list[Path], list[Path]]:
    """The packages and the ledgers in some folders, each of which may be one, or hold some at any depth.

    Nothing is looked for in hidden folders, nor in rendered sites, which hold copies of packages, except where such a
    folder is itself among the paths.
    Raises CannotOpen where a path does not exist or holds neither, and where a folder cannot be looked into.
    """
    found: dict[str, dict[Path, Path]] = {"package.yaml": {}, "ledger.yaml": {}}
    for path in paths:
        if not path.is_dir():
            raise CannotOpen(f"{path}: no such folder; give a package, a ledger, or a folder that holds some")
        here = [
            (mark, folder) for folder, files in sorted(_looked_in(path)) for mark in found if mark in files
        ]
        if not here:
            raise CannotOpen(f"{path}: neither a package (package.yaml) nor a ledger (ledger.yaml) is here")
        for mark, folder in here:
            found[mark].setdefault(folder.resolve(), folder)  # one folder may be given by several names
    packages, ledgers = (list(folders.values()) for folders in found.values())
    return packages, ledgers


def _looked_in(path: Path) -> Iterator[tuple[Path, list[str]]]:
    """The folder and those in it that are neither hidden nor rendered sites, each with its files."""

    def unreadable(error: OSError) -> NoReturn:
        raise CannotOpen(f"{error.filename}: {error.strerror}; what it holds would be left out") from error

    for folder, inner, files in os.walk(path, onerror=unreadable):
        if SITE_KEY in files and Path(folder) != path:
            inner.clear()
            continue
        inner[:] = [name for name in inner if not name.startswith(".")]
        yield Path(folder), files


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
        return _verify(*find(paths), options, progress)


def _verify(
    package_paths: Sequence[Path], ledger_paths: Sequence[Path], options: Options, progress: Progress
) -> Report:
    # The pool is left last: its thread ends when the engines that it may be waiting for are gone.
    with (
        _prompt_threads(),
        ThreadPoolExecutor(max_workers=1) as pool,
        Engine("duckdb", options.limits) as files,
        started(options) as (duckdb, sqlite),
        Anew(options.limits) as anew,
    ):

        def opened(package: Package) -> None:
            open_in([files], [package], options, queried=False)
            open_in([duckdb, sqlite], [package], options)

        packages = open_packages(
            package_paths,
            ledger_paths,
            frozen=options.frozen,
            opened=opened,
        )
        # Another thread validates, while this one reads ledgers and has the engines answer what it plans.
        validated = pool.submit(_validated, packages, files, duckdb, anew, progress)
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
    packages: Mapping[str, Package], files: Engine, duckdb: Engine, anew: Anew, progress: Progress
) -> list[Begun]:
    tables = sum(len(package.tables) for package in packages.values())
    begun = itertools.count()

    def step(package: str, table: str) -> None:
        progress(f"validating {package} {table}", next(begun), tables)

    return [begin(package, files, duckdb, anew, step) for package in packages.values()]


def open_packages(
    paths: Iterable[Path],
    ledgers: Iterable[Path],
    *,
    frozen: bool = True,
    opened: Callable[[Package], None] = lambda _: None,
) -> dict[str, Package]:
    """The packages at these paths and those that the ledgers at theirs need, by name; `opened` is called with each.

    Raises CannotOpen where a ledger's package is nowhere, two packages have one name, or two ledgers one document.
    """
    packages: dict[str, Package] = {}
    documents: dict[str, Path] = {}

    def add(path: Path) -> None:
        with faults_in(path):
            package = open_package(path, frozen=frozen)
        known = packages.setdefault(package.name, package)
        if known is not package and known.root.resolve() != package.root.resolve():
            raise CannotOpen(f"{known.root} and {package.root} are both named {package.name}")
        if known is package:
            opened(package)

    for path in paths:
        add(path)
    for ledger in ledgers:
        with faults_in(ledger):
            head = read_head(ledger)
        other = documents.setdefault(head["document"]["id"], ledger)
        if other is not ledger:
            raise CannotOpen(f"{other} and {ledger} are both of document {head['document']['id']}")
        for name in head.get("packages", {}).values():
            if name not in packages:
                beside = ledger.resolve().parent.parent / "packages" / name
                if not beside.is_dir():
                    document = head["document"]["id"]
                    raise CannotOpen(
                        f"ledger {document} is about package {name}, which was not given and is not at {beside}"
                    )
                add(beside)
                if name not in packages:
                    raise CannotOpen(
                        f"{beside} is a package of another name; its package.yaml must say `name: {name}`"
                    )
    return packages


@contextmanager
def faults_in(folder: Path) -> Iterator[None]:
    """Has faults that forbid to open a package or a ledger name its folder before the file.

    Raises Invalid, as what is done in it does.
    """
    try:
        yield
    except Invalid as invalid:
        raise Invalid(
            [replace(fault, file=f"{folder.name}/{fault.file}") for fault in invalid.faults]
        ) from invalid


def bound(ledger: Ledger, packages: Mapping[str, Package]) -> dict[str, Package]:
    """The ledger's packages by their aliases in it."""
    return {alias: packages[name] for alias, name in ledger.packages.items()}


@contextmanager
def started(options: Options) -> Iterator[tuple[Engine, Engine]]:
    """DuckDB and SQLite, started side by side and ended with the context; `open_in` gives them packages."""
    with Engine("duckdb", options.limits) as duckdb, Engine("sqlite", options.limits) as sqlite:
        yield duckdb, sqlite


def open_in(
    engines: Iterable[Engine], packages: Iterable[Package], options: Options, *, queried: bool = True
) -> None:
    """Opens packages, and the price table where there is one beside each, in engines; `queried` as in `Tables`.

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
            queried=queried,
        )
        for package in packages
    ]
    for engine in engines:
        engine.open(tables)


def _judged(book: Book, judge: Judge, options: Options) -> LedgerResult:
    ledger = book.ledger
    faults = [replace(fault, file=f"{ledger.id}/{fault.file}") for fault in secrets.in_folder(ledger.root)]
    faults += lock_faults(ledger, book.packages) if options.locked else []
    return LedgerResult(
        ledger=ledger, packages=book.packages, faults=tuple(faults), claims=judge.claims(book)
    )
