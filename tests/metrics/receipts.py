"""Random receipts for tables by their row schemas, with few names so that rows meet each other."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from tieout.importers import parquet
from tieout.package import Table

Rows = list[dict[str, Any]]
NAMES = 5  # of each kind: a question, a track, a call key
MANY = 40  # the most that a count comes to, so that equal counts happen


def _cell(random: Random, name: str, column: Mapping[str, Any]) -> object:
    if "enum" in column:
        return random.choice(column["enum"])
    kinds = [column["type"]] if isinstance(column["type"], str) else column["type"]
    if "null" in kinds and random.random() < 0.25:
        return None
    if "boolean" in kinds:
        return random.random() < 0.5
    if "integer" in kinds:
        least = column.get("minimum", 0)
        return random.randint(least, min(column.get("maximum", MANY), least + MANY))
    if "number" in kinds:
        return random.uniform(column.get("minimum", -1), column.get("maximum", 1))
    return f"{name}-{random.randrange(NAMES)}"


def rows(random: Random, schema: Mapping[str, Any], most: int) -> Rows:
    """Up to `most` rows of a row schema, each with a key of its own."""
    drawn: dict[tuple[object, ...], dict[str, Any]] = {}
    for _ in range(random.randint(0, most)):
        row = {name: _cell(random, name, column) for name, column in schema["properties"].items()}
        drawn[tuple(row[name] for name in schema["tieout"]["key"])] = row
    return list(drawn.values())


def write(
    random: Random, tables: Mapping[str, Table], folder: Path, most: int
) -> tuple[dict[str, Rows], dict[str, str]]:
    """Random rows for these tables, and the Parquet files that hold them."""
    drawn = {name: rows(random, table.schema, most) for name, table in tables.items()}
    files = {name: folder / f"{name}.parquet" for name in drawn}
    for name, path in files.items():
        parquet.write(path, drawn[name], tables[name].schema)
    return drawn, {name: str(path) for name, path in files.items()}
