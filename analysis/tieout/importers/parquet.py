"""Rows to Parquet: types from the JSON row schema, rows sorted by its key, the same bytes for the same rows."""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tieout.errors import Fault, Invalid

INT64 = range(-(2**63), 2**63)
_TYPES: Mapping[str, type] = {"integer": int, "number": float, "boolean": bool, "string": str}


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
            return wanted, f"{type(value).__name__} {value!r}"
        if self.allowed is not None and value not in self.allowed:
            return f"one of {', '.join(map(str, self.allowed))}", repr(value)
        if isinstance(value, float) and not math.isfinite(value):
            return "a finite number", repr(value)
        if type(value) is int and value not in INT64:
            return "an integer of 64 bits", str(value)
        return None


def columns_of(schema: Mapping[str, object]) -> tuple[Column, ...]:
    """The columns of a row schema, in its order.

    Raises ValueError for a property whose type is not one scalar type, with or without null: such a schema is a
    mistake of ours, not of the data.
    """
    properties = schema["properties"]
    if not isinstance(properties, Mapping):
        raise ValueError("a row schema needs `properties`")
    return tuple(_column(name, declared) for name, declared in properties.items())


def write(path: Path, rows: Sequence[Mapping[str, object]], schema: Mapping[str, object]) -> None:
    """Write `rows` to `path`, which is replaced in one step or left as it was; see `encode` for what it refuses."""
    replace(path, encode(path.name, rows, schema))


def replace(path: Path, content: bytes) -> None:
    """Put a file in place whole: written beside, then renamed."""
    beside = path.with_name(path.name + ".part")
    try:
        beside.write_bytes(content)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def encode(file: str, rows: Sequence[Mapping[str, object]], schema: Mapping[str, object]) -> bytes:
    """The bytes of a Parquet file with `rows`, sorted by the schema's key; `file` is the name that faults give.

    Raises Invalid with every fault found: a column missing or not declared, a value of another type than the schema's
    (a float in an integer column, a truth value as a count) or outside its `enum`, a null or a NaN where none may be, a
    key twice. Ranges and patterns are left to the validation of the package.
    """
    columns = columns_of(schema)
    key = _key(schema, columns)
    faults = [fault for index, row in enumerate(rows) for fault in _row_faults(file, index, row, columns)]
    faults = faults or _key_faults(file, rows, key)
    if faults:
        raise Invalid(faults)
    return _encode(sorted(rows, key=lambda row: _place(row, key)), columns)


def read(path: Path) -> list[dict[str, object]]:
    """The rows of a Parquet file as plain Python scalars, in file order."""
    import pyarrow.parquet as pq

    rows: list[dict[str, object]] = pq.read_table(path).to_pylist()
    return rows


def _column(name: str, declared: Any) -> Column:
    allowed = None
    if "enum" in declared:
        allowed = tuple(value for value in declared["enum"] if value is not None)
        names = {type(value) for value in declared["enum"]}
        kinds = sorted(kind for kind, python in _TYPES.items() if python in names)
        nullable = None in declared["enum"]
    else:
        stated = declared.get("type")
        listed = [stated] if isinstance(stated, str) else list(stated or [])
        kinds = [kind for kind in listed if kind != "null"]
        nullable = "null" in listed
    if len(kinds) != 1 or kinds[0] not in _TYPES:
        raise ValueError(f"column {name}: a row schema gives each column one scalar type, not {kinds}")
    return Column(name=name, kind=kinds[0], nullable=nullable, allowed=allowed)


def _key(schema: Mapping[str, object], columns: Sequence[Column]) -> tuple[str, ...]:
    annotation = schema.get("tieout")
    key = annotation.get("key") if isinstance(annotation, Mapping) else None
    nullable = {column.name: column.nullable for column in columns}
    if not isinstance(key, list) or not key or any(nullable.get(name, True) for name in key):
        raise ValueError("a row schema needs `tieout: {key: […]}`, columns that are never null")
    return tuple(key)


def _row_faults(file: str, index: int, row: Mapping[str, object], columns: Sequence[Column]) -> list[Fault]:
    faults = []
    for column in columns:
        if column.name not in row:
            faults.append(
                Fault(
                    code="row-column-missing",
                    message=f"the row has no column {column.name}, which its schema requires",
                    file=file,
                    row=index,
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
                    message=f"expected {expected}, found {found}",
                    file=file,
                    row=index,
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
            row=index,
            column=name,
            expected="only declared columns",
            found=name,
        )
        for name in row
        if name not in known
    )
    return faults


def _key_faults(file: str, rows: Sequence[Mapping[str, object]], key: Sequence[str]) -> list[Fault]:
    first: dict[tuple[object, ...], int] = {}
    faults = []
    for index, row in enumerate(rows):
        values = tuple(row[name] for name in key)
        if values in first:
            shown = ", ".join(f"{name} {value!r}" for name, value in zip(key, values, strict=True))
            faults.append(
                Fault(
                    code="row-key-twice",
                    message=f"the key {shown} is already that of row {first[values]}",
                    file=file,
                    row=index,
                    column=key[0],
                    expected="a key of its own",
                    found=shown,
                )
            )
        first.setdefault(values, index)
    return faults


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
