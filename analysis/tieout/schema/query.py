"""How the checks of a table ask the engine: the reader of one Parquet file, with its row numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tieout.schema.columns import literal

# Runs SQL in a DuckDB that may read the file; raises what its owner wants raised when a query fails. Cells of answers
# are numbers, texts, truth values and None, so that they can come from another process.
Query = Callable[[str], list[tuple[Any, ...]]]

ROW_NUMBER = "file_row_number"  # from 0, in file order


def source(path: str) -> str:
    """The table function that reads the file at an escaped path, and no column from the names of its folders."""
    return f"read_parquet({literal(path)}, {ROW_NUMBER} = true, hive_partitioning = false)"


def escaped(path: str) -> str:
    """A path whose wildcards stand for themselves."""
    return "".join(f"[{c}]" if c in "*?[" else c for c in path)


def first_rows(number: str, how_many: int, where: str = "true") -> str:
    """SQL for the least row numbers of a group as one text; `row_numbers` reads it."""
    return f"array_to_string(min({number}, {how_many}) FILTER (WHERE {where}), ',')"


def row_numbers(text: str | None) -> list[int]:
    """The row numbers that `first_rows` gave, least first."""
    return [int(number) for number in text.split(",")] if text else []
