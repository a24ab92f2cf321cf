"""The engines that run one query text over a package's receipts, each in a child process of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from tieout.exact import Rows

ENGINES = ("duckdb", "sqlite")
LANES = {"duckdb": 2, "sqlite": 1}  # how many queries an engine answers side by side
PRICES = "prices"  # the table of a user's own that stands beside those of every package, where there is one
MANY_ROWS = 1_000_000  # above it SQLite, which has to hold every row, is asked only on request


@dataclass(frozen=True, kw_only=True, slots=True)
class Failure:
    """A query that gave no rows: a stable code, and the engine's message in one line."""

    code: str
    message: str


Answer = Rows | Failure


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """What one query may use: seconds, rows of its result, and bytes of the child's address space.

    `total` is how many seconds the queries of one package may take together, in one engine: what comes after them is
    not asked. `loaded_rows` is how many rows an engine that must hold them all will take; None for any number.
    """

    seconds: float = 30.0
    total: float = 600.0
    rows: int = 100_000
    memory: int = 2 * 2**30
    loaded_rows: int | None = MANY_ROWS


@dataclass(frozen=True, kw_only=True, slots=True)
class Opened:
    """What opening a package's tables found: rows of each table that could be read, a message for each other.

    `skipped` says that the package has more rows than the engine was allowed to hold, and that nothing was loaded.
    """

    rows: Mapping[str, int]
    failed: Mapping[str, str]
    skipped: bool = False


class Session(Protocol):
    """One package opened in one engine, inside the child process.

    `alone` says that no query of another lane is begun while one of this package is answered.
    """

    opened: Opened
    alone: bool

    def query(self, sql: str, limits: Limits) -> Answer:
        """The answer to one query; never raises for what the query does."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Tables:
    """The tables of a package as an engine needs them: name -> Parquet file, and name -> key columns where known.

    What a key is for is speed: an engine finds rows by it, and takes nobody's word that it names each row once.
    """

    package: str
    files: Mapping[str, Path]
    keys: Mapping[str, Sequence[str]] = field(default_factory=dict)
