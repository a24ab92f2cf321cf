"""Derived tables: a package's own made and made anew, or one table from tables of a user's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from operator import itemgetter
from pathlib import Path
from typing import Any

from tieout import instruments
from tieout.errors import CannotOpen, Fault, TieoutError
from tieout.importers.parquet import encode, replace
from tieout.package import Package, Table, open_package
from tieout.results import DerivedResult

FORMATS = (".parquet", ".csv", ".jsonl")


def derive_package(root: Path) -> list[str]:
    """Writes every derived table of a package anew, inputs before what is made of them; returns the files written.

    Raises UnknownInstrument or InstrumentRefused, and Invalid where a table is not of its schema; a table that cannot
    be made leaves its old file.
    """
    package = open_package(root, frozen=False, missing_derived=True)
    rows: dict[str, list[dict[str, Any]]] = {}
    written = []
    for table in _in_order(package):
        made = table.derivation
        if made is None:
            rows[table.name] = read_parquet(table.path)
            continue
        inputs = {name: rows[source] for name, source in made.inputs.items()}
        result = instruments.load(made.instrument)(inputs, made.parameters, made.seed)
        table.path.parent.mkdir(parents=True, exist_ok=True)
        replace(table.path, encode(table.file, result, table.schema))
        rows[table.name] = read_parquet(table.path)
        written.append(table.file)
    return written


def _in_order(package: Package) -> list[Table]:
    ordered: list[Table] = [table for table in package.tables.values() if table.derivation is None]
    waiting = [table for table in package.tables.values() if table.derivation is not None]
    while waiting:
        known = {table.name for table in ordered}
        ready = [
            table for table in waiting if table.derivation and set(table.derivation.inputs.values()) <= known
        ]
        if not ready:
            stuck = ", ".join(table.name for table in waiting)
            raise CannotOpen(
                f"{package.root}: no order makes {stuck}; an input is missing or they need each other"
            )
        ordered += ready
        waiting = [table for table in waiting if table not in ready]
    return ordered


def check_derived(
    package: Package, sound: Mapping[str, Table]
) -> tuple[tuple[DerivedResult, ...], list[Fault]]:
    """Makes each derived table anew and compares it with the published one, cell by cell.

    Only tables that are `sound`, and made of sound ones, are looked at: the others' own faults say why. A table whose
    instrument is not installed stays as published.
    """
    results: list[DerivedResult] = []
    faults: list[Fault] = []
    rows: dict[str, list[dict[str, Any]]] = {}

    def read(name: str) -> list[dict[str, Any]]:
        if name not in rows:
            rows[name] = read_parquet(sound[name].path)
        return rows[name]

    for table in package.tables.values():
        made = table.derivation
        if made is None or table.name not in sound or not set(made.inputs.values()) <= set(sound):
            continue
        try:
            run = instruments.load(made.instrument)
        except instruments.UnknownInstrument:
            results.append(DerivedResult(table=table.name, instrument=made.instrument, status="as published"))
            continue
        try:
            anew = run(
                {name: read(source) for name, source in made.inputs.items()}, made.parameters, made.seed
            )
            difference = _difference(table, anew)
        except TieoutError as error:
            faults.append(Fault(code="instrument-failed", message=str(error), file=table.file))
            continue
        except Exception as error:  # noqa: BLE001 - an instrument may come from anybody, and raise anything
            message = f"making the derived table anew failed: {type(error).__name__}: {error}"
            faults.append(Fault(code="instrument-failed", message=message, file=table.file))
            continue
        faults += [difference] if difference else []
        status = "differs" if difference else "same"
        results.append(DerivedResult(table=table.name, instrument=made.instrument, status=status))
    return tuple(results), faults


def _difference(table: Table, anew: Sequence[Mapping[str, object]]) -> Fault | None:
    """The first cell in which the published table is another, in the order of its key; None where it is the same."""
    from pyarrow.parquet import ParquetFile

    with ParquetFile(table.path) as file:
        columns = {
            name: column.to_pylist()
            for name, column in zip(file.schema_arrow.names, file.read().columns, strict=True)
        }
    order = _order([columns[name] for name in table.key])
    ours = sorted(anew, key=itemgetter(*table.key))
    if len(ours) != len(order):
        return _differs(
            table, "the derived table has another number of rows", None, None, len(ours), len(order)
        )
    for name in table.nullable:
        made = [row[name] for row in ours]
        published = [columns[name][place] for place in order]
        if made == published and [*map(type, made)] == [*map(type, published)]:
            continue
        for place, expected, found in zip(order, made, published, strict=True):
            if expected != found or type(expected) is not type(found):
                return _differs(table, "the derived table is another", place, name, expected, found)
    return None


def _order(keys: Sequence[Sequence[Any]]) -> list[int]:
    """The places of a table's rows, in the order of its key."""
    cells = list(zip(*keys, strict=True))
    places = list(range(len(cells)))
    return places if all(a <= b for a, b in pairwise(cells)) else sorted(places, key=cells.__getitem__)


def _differs(
    table: Table, message: str, row: int | None, column: str | None, expected: object, found: object
) -> Fault:
    return Fault(
        code="derived-differs",
        message=f"{message}; the instrument gives {expected!r}, the file holds {found!r}",
        file=table.file,
        row=row,
        column=column,
        expected=repr(expected),
        found=repr(found),
    )


def read_parquet(path: Path) -> list[dict[str, Any]]:
    """The rows of a Parquet file in file order, as plain Python scalars."""
    from pyarrow.parquet import ParquetFile

    with ParquetFile(path) as file:
        rows: list[dict[str, Any]] = file.read().to_pylist()
    return rows


def run_instrument(
    name: str, source: Path, parameters: Mapping[str, object], seed: int | None
) -> list[dict[str, Any]]:
    """An instrument's result over a folder of tables, each TABLE.parquet, TABLE.csv or TABLE.jsonl.

    Raises CannotOpen where an input is missing, UnknownInstrument and InstrumentRefused as the instrument does.
    """
    described = instruments.describe(name)
    inputs: dict[str, Any] = {}
    for table, columns in described.inputs.items():
        there = [path for suffix in FORMATS if (path := source / f"{table}{suffix}").is_file()]
        if len(there) != 1:
            raise CannotOpen(
                f"{source}: needs one of {', '.join(table + suffix for suffix in FORMATS)} for {name}"
            )
        inputs[table] = read_parquet(there[0]) if there[0].suffix == ".parquet" else _typed(there[0], columns)
    return instruments.load(name)(inputs, parameters, seed)


def _typed(file: Path, columns: Mapping[str, str]) -> list[dict[str, object]]:
    from tieout.importers.tables import read_table

    return read_table(file, schema_of(columns))


def schema_of(columns: Mapping[str, str]) -> dict[str, Any]:
    """The row schema that a description's columns amount to: each begins with its type, "integer or null, …" too."""
    properties: dict[str, Any] = {}
    for column, says in columns.items():
        kind, _, meaning = says.partition(", ")
        kind, null, _ = kind.partition(" or null")
        properties[column] = {"type": [kind, "null"] if null else kind, "description": meaning}
    return {
        "type": "object",
        "properties": properties,
        "required": list(columns),
        "additionalProperties": False,
    }
