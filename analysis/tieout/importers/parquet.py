"""Rows to Parquet: types from the JSON row schema, rows sorted by its key, the same bytes for the same rows."""

from __future__ import annotations

import io
import math
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from tieout.errors import Fault, Invalid
from tieout.schema.found import LISTED
from tieout.schema.words import asked, shown
from tieout.strict import escape

INT64 = range(-(2**63), 2**63)
_TYPES: Mapping[str, type] = {"integer": int, "number": float, "boolean": bool, "string": str}
_KINDS: Mapping[type, str] = {kind: name for name, kind in _TYPES.items()} | {
    Decimal: "number",
    list: "array",
    dict: "object",
}
_WHOLE = re.compile(r"-?[0-9]+\.0+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Column:
    """One column as the row schema declares it; `kind` is its JSON type, `allowed` None where it has no `enum`."""

    name: str
    kind: str
    nullable: bool
    allowed: tuple[object, ...] | None = None

    def problem(self, value: object) -> tuple[str, str] | None:
        """What is expected and what was found, when `value` can't stand in this column."""
        wanted = f"{self.kind} or null" if self.nullable else self.kind
        if value is None:
            return None if self.nullable else (wanted, "null")
        # type() and not isinstance(): a bool is an int to Python, and never a count
        if type(value) is not _TYPES[self.kind]:
            return wanted, _told(value)
        if self.allowed is not None and value not in self.allowed:
            return asked("enum", self.allowed), shown(value)
        if isinstance(value, float) and not math.isfinite(value):
            return "a finite number", shown(value)
        if type(value) is int and value not in INT64:
            return "an integer of 64 bits", str(value)
        return None

    def hint(self, value: object) -> str:
        """What most likely made a value unfit for the column; empty where nothing is likely."""
        if self.kind == "boolean" and isinstance(value, str) and value.lower() in {"true", "false"}:
            return "; write true or false"
        if self.kind == "integer" and _WHOLE.fullmatch(str(value)):
            return "; the column has become floating-point: in pandas an empty cell does so, and type Int64 does not"
        return ""


def _told(value: object) -> str:
    if type(value) is int:
        return f"integer {value}"
    return shown(value) if type(value) in _KINDS else type(value).__name__


def columns_of(schema: Mapping[str, Any], file: str) -> tuple[Column, ...]:
    """The columns of a row schema that `check_row_schema` has nothing against, in its order; `file` is its name.

    Raises Invalid for columns that are not of one scalar type, with or without null.
    """
    columns: list[Column] = []
    faults: list[Fault] = []
    for name, declared in schema["properties"].items():
        found = _column(name, declared, file)
        columns += [found] if isinstance(found, Column) else []
        faults += [found] if isinstance(found, Fault) else []
    if faults:
        raise Invalid(faults)
    return tuple(columns)


def write(path: Path, rows: Sequence[Mapping[str, object]], schema: Mapping[str, object]) -> None:
    """Write `rows` to `path`, which is replaced in one step or left as it was; see `encode` for what it refuses."""
    replace(path, encode(path.name, rows, schema))


def replace(path: Path, content: bytes) -> None:
    """Put a file in place whole or not at all: written beside under a name of this process, then renamed over it.

    Raises OSError with the name of the file itself where that fails.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        beside.write_bytes(content)
        beside.replace(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        beside.unlink(missing_ok=True)


def encode(
    file: str,
    rows: Sequence[Mapping[str, object]],
    schema: Mapping[str, Any],
    *,
    schema_file: str | None = None,
    lines: Sequence[int] | None = None,
) -> bytes:
    """The bytes of a Parquet file with `rows`, sorted by the schema's key; without one they keep their order.

    `file` and `schema_file` are the names that faults give; `lines` are those of the rows in a text file.
    Raises Invalid with what is wrong: a column missing or not declared, a value of another type than the schema's (a
    float in an integer column, a truth value as a count) or outside its `enum`, a null or a NaN where none may be, a
    key twice; or columns of the schema that Parquet has no one type for. Ranges and patterns are left to the
    validation of the package.
    """
    columns = columns_of(schema, schema_file or file)
    key = _key(schema, columns, schema_file or file)
    if faults := row_faults(file, rows, columns, lines) or _key_faults(file, rows, key, lines):
        raise Invalid(faults)
    return _encode(sorted(rows, key=lambda row: _place(row, key)), columns)


def row_faults(
    file: str,
    rows: Sequence[Mapping[str, object]],
    columns: Sequence[Column],
    lines: Sequence[int] | None = None,
) -> list[Fault]:
    """What the columns cannot hold of some rows; see `encode`."""
    places = lines or range(len(rows))
    return few(
        fault
        for place, row in zip(places, rows, strict=True)
        for fault in _row_faults(file, place, row, columns)
    )


def few(faults: Iterable[Fault]) -> list[Fault]:
    """The first 20 faults of each code and column, and how many there are of it."""
    kinds: dict[tuple[str, str | None], list[Fault]] = {}
    for fault in faults:
        kinds.setdefault((fault.code, fault.column), []).append(fault)
    listed: list[Fault] = []
    for (code, column), alike in kinds.items():
        listed += alike[:LISTED]
        if len(alike) > LISTED:
            message = f"{len(alike):,} of these faults in all; the first {LISTED} are listed"
            listed.append(Fault(code=code, message=message, file=alike[0].file, column=column))
    return listed


def read(path: Path) -> list[dict[str, object]]:
    """The rows of a Parquet file as plain Python scalars, in file order."""
    import pyarrow.parquet as pq

    rows: list[dict[str, object]] = pq.read_table(path).to_pylist()
    return rows


def _column(name: str, declared: Mapping[str, Any], file: str) -> Column | Fault:
    stated, values = declared.get("type"), declared.get("enum")
    listed = [stated] if isinstance(stated, str) else stated
    named = listed or ["null" if value is None else _KINDS[type(value)] for value in values or ()]
    kinds = set(named) - {"null"}
    if kinds == {"integer", "number"}:
        kinds = {"number"}
    if len(kinds) != 1 or not kinds <= set(_TYPES):
        keyword = "/type" if listed else "/enum" if values else ""
        expected = f"{asked('type', list(_TYPES))}, with or without null"
        found = " and ".join(dict.fromkeys(named)) or "none"
        return Fault(
            code="row-schema",
            message=f"a column of receipts has one type, {expected}; found {found}",
            file=file,
            pointer=f"/properties/{escape(name)}{keyword}",
            expected=expected,
            found=found,
        )
    [kind] = kinds
    allowed = None
    if values is not None:
        known = [value for value in values if value is not None]
        allowed = tuple(float(value) for value in known) if kind == "number" else tuple(known)
    nullable = "null" in named and (values is None or None in values)
    return Column(name=name, kind=kind, nullable=nullable, allowed=allowed)


def _key(schema: Mapping[str, Any], columns: Sequence[Column], file: str) -> tuple[str, ...]:
    key = schema.get("tieout", {}).get("key", ())
    never_null = [column.name for column in columns if not column.nullable]
    faults = [
        Fault(
            code="row-schema",
            message=f"the column {shown(name)} may be null, and a key has no null",
            file=file,
            pointer=f"/tieout/key/{index}",
            expected="a column that is never null",
            found=name,
        )
        for index, name in enumerate(key)
        if name not in never_null
    ]
    if faults:
        raise Invalid(faults)
    return tuple(key)


def _row_faults(file: str, place: int, row: Mapping[str, object], columns: Sequence[Column]) -> list[Fault]:
    faults = []
    for column in columns:
        if column.name not in row:
            faults.append(
                Fault(
                    code="row-column-missing",
                    message=f"the row has no column {column.name}, which its schema requires",
                    file=file,
                    row=place,
                    column=column.name,
                    expected=column.kind,
                    found="nothing",
                )
            )
        elif problem := column.problem(row[column.name]):
            expected, found = problem
            faults.append(
                Fault(
                    code="row-type",
                    message=f"expected {expected}, found {found}{column.hint(row[column.name])}",
                    file=file,
                    row=place,
                    column=column.name,
                    expected=expected,
                    found=found,
                )
            )
    known = {column.name for column in columns}
    faults.extend(
        Fault(
            code="row-column-unknown",
            message=f"the row has a column {name}, which its schema does not declare",
            file=file,
            row=place,
            column=name,
            expected="only declared columns",
            found=name,
        )
        for name in row
        if name not in known
    )
    return faults


def _key_faults(
    file: str, rows: Sequence[Mapping[str, object]], key: Sequence[str], lines: Sequence[int] | None
) -> list[Fault]:
    if not key:
        return []
    first: dict[tuple[object, ...], int] = {}
    faults = []
    word = "line" if lines else "row"
    for place, row in zip(lines or range(len(rows)), rows, strict=True):
        values = tuple(row[name] for name in key)
        if first.setdefault(values, place) != place:
            cells = ", ".join(f"{name} {shown(value)}" for name, value in zip(key, values, strict=True))
            faults.append(
                Fault(
                    code="row-key-twice",
                    message=f"the key {cells} is already that of {word} {first[values]}",
                    file=file,
                    row=place,
                    column=key[0],
                    expected="a key of its own",
                    found=cells,
                )
            )
    return few(faults)


def _place(row: Mapping[str, object], key: Sequence[str]) -> Any:
    # keys are never null and of one type a column, so they compare; the checker can't know that
    return tuple(row[name] for name in key)


def _encode(rows: Sequence[Mapping[str, object]], columns: Sequence[Column]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {"integer": pa.int64(), "number": pa.float64(), "boolean": pa.bool_(), "string": pa.string()}
    fields = [pa.field(column.name, types[column.kind], nullable=column.nullable) for column in columns]
    arrays = [pa.array([row[field.name] for row in rows], type=field.type) for field in fields]
    table = pa.Table.from_arrays(arrays, schema=pa.schema(fields))
    sink = io.BytesIO()
    pq.write_table(table, sink, compression="zstd", version="2.6", write_statistics=True, store_schema=False)
    return sink.getvalue()
