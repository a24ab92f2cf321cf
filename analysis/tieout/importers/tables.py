"""An author's own tables, CSV or JSON Lines, into receipts: each by the row schema that the package gives it."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from tieout.errors import CannotOpen, Fault, Invalid
from tieout.folder import inside
from tieout.importers.parquet import Column, columns_of, encode, replace
from tieout.schema import check_document, check_row_schema
from tieout.strict import load_json, read_json, read_yaml
from tieout.strict.text import decode, read_bytes

SUFFIXES = (".csv", ".jsonl")
INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,18})")  # of 64 bits has at most 19 digits
NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]{1,3})?")  # as JSON spells them
FLAGS = {"true": True, "false": False}


def import_tables(source: Path, package: Path) -> list[str]:
    """Writes the receipts of a package from a folder that holds TABLE.csv or TABLE.jsonl for each of its tables.

    Derived tables are left to `tieout derive`. Returns the files written. In CSV an empty cell is null, `true` and
    `false` are flags, and what a column's type cannot hold is a fault.
    Raises Invalid with every fault, and then writes nothing; CannotOpen where the package or a table's file is missing.
    """
    document = read_yaml(package / "package.yaml", "package.yaml")
    if faults := check_document(document.value, "package", "package.yaml", lines=document.lines):
        raise Invalid(faults)
    evaluators = frozenset(entry["id"] for entry in document.value.get("evaluators", []))
    written: dict[Path, bytes] = {}
    found: list[Fault] = []
    for name, entry in document.value["tables"].items():
        if "instrument" in entry:
            continue
        schema = read_json(inside(package, entry["schema"]), entry["schema"]).value
        found += check_row_schema(schema, entry["schema"], evaluators)
        file = _file(source, name)
        try:
            rows = list(_rows(file, columns_of(schema)))
            written[inside(package, entry["file"])] = encode(file.name, rows, schema)
        except Invalid as error:
            found += error.faults
    if found:
        raise Invalid(found)
    for path, content in written.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        replace(path, content)
    return [path.relative_to(package).as_posix() for path in written]


def _file(source: Path, name: str) -> Path:
    there = [path for suffix in SUFFIXES if (path := source / f"{name}{suffix}").is_file()]
    if len(there) != 1:
        raise CannotOpen(
            f"{source}: needs {name}.csv or {name}.jsonl for table {name}; it has {len(there)} of them"
        )
    return there[0]


def read_table(file: Path, schema: Mapping[str, Any]) -> list[dict[str, object]]:
    """The rows of a CSV or JSON Lines file as its row schema types them.

    Raises Invalid with the line and column of what the schema cannot hold.
    """
    return list(_rows(file, columns_of(schema)))


def _rows(file: Path, columns: tuple[Column, ...]) -> Iterator[dict[str, object]]:
    text = decode(read_bytes(file, file.name), file.name)
    kinds = {column.name: column.kind for column in columns}
    if file.suffix == ".jsonl":
        for number, line in enumerate(text.splitlines(), 1):
            value = load_json(line, f"{file.name} line {number}")
            if not isinstance(value, dict):
                raise Invalid([_fault(file, number, None, "an object", json.dumps(value)[:40])])
            yield {name: _number(kinds.get(name), cell) for name, cell in value.items()}
        return
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    header = next(reader, [])
    if twice := [name for name in dict.fromkeys(header) if header.count(name) > 1]:
        raise Invalid([_fault(file, 1, twice[0], "a column of its own", f"{twice[0]} twice")])
    for cells in reader:
        if len(cells) != len(header):
            raise Invalid([_fault(file, reader.line_num, None, f"{len(header)} cells", str(len(cells)))])
        yield {
            name: _cell(file, reader.line_num, name, kinds.get(name), cell)
            for name, cell in zip(header, cells, strict=True)
        }


def _number(kind: str | None, cell: object) -> object:
    """A cell of JSON, whose numbers are read exactly, as the binary64 that a column of numbers holds."""
    return float(cell) if kind == "number" and type(cell) in {int, Decimal} else cell  # type: ignore[arg-type]


def _cell(file: Path, line: int, name: str, kind: str | None, cell: str) -> object:
    if cell == "":
        return None
    match kind:
        case "integer" | None if INTEGER.fullmatch(cell):  # None: a column that no schema declares
            return int(cell)
        case "number" if NUMBER.fullmatch(cell):
            return float(cell)
        case "boolean" if cell in FLAGS:
            return FLAGS[cell]
        case "string" | None:
            return cell
    raise Invalid([_fault(file, line, name, f"{kind}", cell)])


def _fault(file: Path, line: int, column: str | None, expected: str, found: str) -> Fault:
    message = f"expected {expected}, found {found[:60]!r}; correct the line, or the table's schema"
    return Fault(
        code="cell", message=message, file=file.name, row=line, column=column, expected=expected, found=found
    )
