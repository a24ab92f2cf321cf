"""A table's key: the cells that name a row are never null and never the same twice."""

from __future__ import annotations

from collections.abc import Sequence

from tieout.errors import Fault
from tieout.schema.columns import quoted, unused
from tieout.schema.found import LISTED
from tieout.schema.query import Query, first_rows, row_numbers
from tieout.schema.words import shown


def key_faults(query: Query, relation: str, key: Sequence[str], file: str) -> list[Fault]:
    """Nulls in the key and keys that stand twice; `relation` is the table in SQL, its rows numbered in its own order.

    The first 20 of either are listed, all are counted.
    """
    if not key:
        message = "the schema names no key"
        return [Fault(code="key-missing", message=message, file=file)]
    names = ", ".join(quoted(name) for name in key)
    null = " OR ".join(f"{quoted(name)} IS NULL" for name in key)
    distinct = f"SELECT count(*) FROM (SELECT DISTINCT {names} FROM {relation})"
    [[nulls, rows, different]] = query(
        f"SELECT count(*) FILTER (WHERE {null}), count(*), ({distinct}) FROM {relation}"
    )
    faults: list[Fault] = []
    number = unused(key)
    least = first_rows(number, LISTED)
    numbered = f"(SELECT row_number() OVER () - 1 AS {number}, {names} FROM {relation})"
    if nulls:
        found = query(f"SELECT {number} FROM {numbered} WHERE {null} ORDER BY 1 LIMIT {LISTED}")
        faults += [
            Fault(code="key-null", message=f"the key {', '.join(key)} holds a null", file=file, row=int(row))
            for (row,) in found
        ]
        faults += _rest("key-null", int(nulls), len(found), "rows have a null in their key", file)
    if rows != different:
        doubled = query(
            f"SELECT count(*), {least}, {names} FROM {numbered} "
            f"GROUP BY {names} HAVING count(*) > 1 ORDER BY min({number}) LIMIT {LISTED}"
        )
        for count, text, *values in doubled:
            first = row_numbers(text)
            cells = ", ".join(f"{name} {_cell(value)}" for name, value in zip(key, values, strict=True))
            where = ", ".join(map(str, first)) + (" and more" if count > len(first) else "")
            message = f"the key {cells} stands {count} times: rows {where}"
            faults.append(Fault(code="key-doubled", message=message, file=file, row=first[0], found=cells))
        [[total]] = query(
            f"SELECT count(*) FROM (SELECT {names} FROM {relation} GROUP BY {names} HAVING count(*) > 1)"
        )
        faults += _rest("key-doubled", int(total), len(doubled), "keys stand more than once", file)
    return faults


def _cell(value: object) -> str:
    return shown(value) if value is None or isinstance(value, (str, int, float, bool)) else str(value)


def _rest(code: str, total: int, listed: int, what: str, file: str) -> list[Fault]:
    if total <= listed:
        return []
    return [Fault(code=code, message=f"{total:,} {what}; the first {listed} are listed", file=file)]
