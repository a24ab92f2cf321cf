"""An author's own tables, CSV or JSON Lines, into receipts: each by the row schema that the package gives it."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

from tieout.errors import CannotOpen, Fault, Invalid
from tieout.folder import inside
from tieout.importers.parquet import Column, columns_of, encode, few, replace, row_faults
from tieout.schema.documents import check_document
from tieout.schema.row_schema import check_row_schema
from tieout.schema.words import shown
from tieout.strict import load_json, read_json, read_yaml
from tieout.strict.text import decode, read_bytes

SUFFIXES = (".csv", ".jsonl")
SEPARATORS = (";", "\t", "|")  # that other tools write between cells, and CSV does not
INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,18})")  # of 64 bits has at most 19 digits
NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]{1,3})?")  # as JSON spells them
FLAGS = {"true": True, "false": False}


class Read(NamedTuple):
    """The rows of a text file, and the line that each begins on, as an editor counts them."""

    rows: list[dict[str, object]]
    lines: list[int]


def import_tables(source: Path, package: Path) -> list[str]:
    """Writes the receipts of a package from a folder that holds TABLE.csv or TABLE.jsonl for each of its tables.

    Derived tables are left to `tieout derive`. Returns the files written. In CSV an empty cell is null, `true` and
    `false` are flags, and what a column's type cannot hold is a fault.
    Raises Invalid with the faults of every table, and then writes nothing; CannotOpen where the package or a table's
    file is missing.
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
        file = _file(source, name)
        try:
            path = inside(package, entry["file"])
            written[path] = _receipts(file, inside(package, entry["schema"]), entry["schema"], evaluators)
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


def _receipts(file: Path, schema_path: Path, schema_file: str, evaluators: AbstractSet[str]) -> bytes:
    schema = read_json(schema_path, schema_file).value
    if faults := check_row_schema(schema, schema_file, evaluators):
        raise Invalid(faults)
    read = _read(file, columns_of(schema, schema_file))
    return encode(file.name, read.rows, schema, schema_file=schema_file, lines=read.lines)


def read_table(file: Path, schema: Mapping[str, Any]) -> list[dict[str, object]]:
    """The rows of a CSV or JSON Lines file as its row schema types them.

    Raises Invalid with the line and column of what the schema cannot hold.
    """
    columns = columns_of(schema, file.name)
    read = _read(file, columns)
    if faults := row_faults(file.name, read.rows, columns, read.lines):
        raise Invalid(faults)
    return read.rows


def _read(file: Path, columns: Sequence[Column]) -> Read:
    """A file's rows, their cells as the columns type them; a cell that a column cannot hold is left as it was written.

    Raises Invalid where the text has not the form of its kind, or a CSV another header.
    """
    text = decode(read_bytes(file, file.name), file.name)
    if not text.strip():
        message = "the file is empty; of a table without rows, write a CSV with the header alone"
        raise Invalid([Fault(code="empty-file", message=message, file=file.name)])
    kinds = {column.name: column.kind for column in columns}
    return _json_lines(text, file.name, kinds) if file.suffix == ".jsonl" else _csv(text, file.name, kinds)


def _json_lines(text: str, file: str, kinds: Mapping[str, str]) -> Read:
    read = Read([], [])
    faults: list[Fault] = []
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        try:
            value = load_json(line, file)
        except Invalid:
            load_json("\n" * (number - 1) + line, file)  # told again, with the line's own number
            raise
        if isinstance(value, dict):
            read.rows.append({name: _number(kinds.get(name), cell) for name, cell in value.items()})
            read.lines.append(number)
        else:
            faults.append(_fault(file, number, "an object", shown(value)))
    if faults:
        raise Invalid(few(faults))
    return read


def _csv(text: str, file: str, kinds: Mapping[str, str]) -> Read:
    read = Read([], [])
    faults: list[Fault] = []
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = next(reader)
        if fault := _header_fault(file, header, kinds):
            raise Invalid([fault])
        begins = reader.line_num + 1
        for cells in reader:
            if len(cells) == len(header):
                read.rows.append(
                    {name: _cell(kinds[name], cell) for name, cell in zip(header, cells, strict=True)}
                )
                read.lines.append(begins)
            else:
                faults.append(_fault(file, begins, f"{len(header)} cells", str(len(cells))))
            begins = reader.line_num + 1
    except csv.Error as error:
        faults.append(_fault(file, reader.line_num, "a line of CSV", str(error)))
    if faults:
        raise Invalid(few(faults))
    return read


def _header_fault(file: str, header: Sequence[str], kinds: Mapping[str, str]) -> Fault | None:
    """The header against the columns of the schema: all of them and no other, in any order."""
    missing = [name for name in kinds if name not in header]
    unknown = [name for name in dict.fromkeys(header) if name not in kinds]
    twice = [name for name in dict.fromkeys(header) if header.count(name) > 1]
    other = next((mark for mark in SEPARATORS if len(header) == 1 and mark in header[0]), None)
    if other and missing:
        message = f"the header is one cell; write commas between cells, not {shown(other)}"
    elif missing or unknown or twice:
        parts = [f"lacks {_names(missing)}"] if missing else []
        parts += [f"has {_names(unknown)}, which the schema does not declare"] if unknown else []
        parts += [f"has {_names(twice)} twice"] if twice else []
        message = f"the header {' and '.join(parts)}"
    else:
        return None
    return Fault(
        code="header", message=message, file=file, row=1, expected=_names(list(kinds)), found=_names(header)
    )


def _names(names: Sequence[str]) -> str:
    return ", ".join(map(shown, names))


def _number(kind: str | None, cell: object) -> object:
    """A cell of JSON, whose numbers are read exactly, as the binary64 that a column of numbers holds."""
    return float(cell) if kind == "number" and type(cell) in {int, Decimal} else cell  # type: ignore[arg-type]


def _cell(kind: str, cell: str) -> object:
    if cell == "":
        return None
    match kind:
        case "integer" if INTEGER.fullmatch(cell):
            return int(cell)
        case "number" if NUMBER.fullmatch(cell):
            return float(cell)
        case "boolean" if cell in FLAGS:
            return FLAGS[cell]
    return cell


def _fault(file: str, line: int, expected: str, found: str) -> Fault:
    message = f"expected {expected}, found {found}"
    return Fault(code="line", message=message, file=file, row=line, expected=expected, found=found)
