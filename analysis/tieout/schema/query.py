"""How the checks of a table ask the engine: the reader of one Parquet file, with its row numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tieout.schema.columns import literal

# Runs SQL in a DuckDB that may read the file; raises what its owner wants raised when a query fails.
Query = Callable[[str], list[tuple[Any, ...]]]

ROW_NUMBER = "file_row_number"  # from 0, in file order


def source(path: str) -> str:
    """The table function that reads the file at an escaped path."""
    return f"read_parquet({literal(path)}, {ROW_NUMBER} = true)"


def escaped(path: str) -> str:
    """A path whose wildcards stand for themselves."""
    return "".join(f"[{c}]" if c in "*?[" else c for c in path)
