"""A table's key: the cells that name a row are never null and never the same twice."""

from __future__ import annotations

from collections.abc import Sequence

from tieout.errors import Fault
from tieout.schema.columns import quoted, unused
from tieout.schema.found import LISTED
from tieout.schema.query import ROW_NUMBER, Query, first_rows, row_numbers
from tieout.schema.words import shown

HELD = 2_000_000  # keys that the engine holds at a time, about


def key_faults(query: Query, relation: str, rows: int, key: Sequence[str], file: str) -> list[Fault]:
    """Nulls in the key and keys that stand twice; `relation` is the table in SQL, its rows numbered as `ROW_NUMBER`.

    The first 20 of either are listed, all are counted. The keys of a table with many `rows` are compared in parts, so
    that what is held at a time does not grow with them.
    """
    if not key:
        message = "the schema names no key"
        return [Fault(code="key-missing", message=message, file=file)]
    names = ", ".join(quoted(name) for name in key)
    null = " OR ".join(f"{quoted(name)} IS NULL" for name in key)
    parts = [""]
    if rows > HELD:
        count = rows // HELD + 1
        parts = [f"WHERE hash({names}) % {count} = {part}" for part in range(count)]
    number = unused(key)
    nulls = doubled = 0
    for part in parts:
        keys = f"SELECT {names}, count(*) AS {number} FROM {relation} {part} GROUP BY {names}"
        [[without, more]] = query(
            f"SELECT coalesce(sum({number}) FILTER (WHERE {null}), 0), count(*) FILTER (WHERE {number} > 1) "
            f"FROM ({keys})"
        )
        nulls += int(without)
        doubled += int(more)
    faults: list[Fault] = []
    numbered = f"(SELECT {ROW_NUMBER} AS {number}, {names} FROM {relation})"
    if nulls:
        found = query(f"SELECT {number} FROM {numbered} WHERE {null} ORDER BY 1 LIMIT {LISTED}")
        faults += [
            Fault(code="key-null", message=f"the key {', '.join(key)} holds a null", file=file, row=int(row))
            for (row,) in found
        ]
        faults += _rest("key-null", nulls, len(found), "rows have a null in their key", file)
    if doubled:
        listed = _doubled(query, numbered, number, key, parts, file)
        faults += [*listed, *_rest("key-doubled", doubled, len(listed), "keys stand more than once", file)]
    return faults


def _doubled(
    query: Query, numbered: str, number: str, key: Sequence[str], parts: Sequence[str], file: str
) -> list[Fault]:
    names = ", ".join(quoted(name) for name in key)
    grouped = [f"FROM {numbered} {part} GROUP BY {names} HAVING count(*) > 1" for part in parts]
    doubled = sorted(
        (
            (row_numbers(text), int(count), values)
            for group in grouped
            for count, text, *values in query(
                f"SELECT count(*), {first_rows(number, LISTED)}, {names} {group} "
                f"ORDER BY min({number}) LIMIT {LISTED}"
            )
        ),
        key=lambda found: found[0],
    )[:LISTED]
    faults = []
    for first, count, values in doubled:
        cells = ", ".join(f"{name} {_cell(value)}" for name, value in zip(key, values, strict=True))
        where = ", ".join(map(str, first)) + (" and more" if count > len(first) else "")
        message = f"the key {cells} stands {count} times: rows {where}"
        faults.append(Fault(code="key-doubled", message=message, file=file, row=first[0], found=cells))
    return faults


def _cell(value: object) -> str:
    return shown(value) if value is None or isinstance(value, (str, int, float, bool)) else str(value)


def _rest(code: str, total: int, listed: int, what: str, file: str) -> list[Fault]:
    if total <= listed:
        return []
    return [Fault(code=code, message=f"{total:,} {what}; the first {listed} are listed", file=file)]
