"""Rows of a query as a table for people, or as CSV or JSON for machines."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator

from tieout.exact import Rows

WIDEST = 40  # characters of one cell in a table for people


def table_lines(rows: Rows) -> Iterator[str]:
    """The rows in columns; a longer cell is cut and says so, a null is empty."""
    cells = [[_short(cell) for cell in row] for row in rows.rows]
    widths = [
        max(len(name), *(len(row[index]) for row in cells)) if cells else len(name)
        for index, name in enumerate(rows.columns)
    ]
    numeric = [
        all(isinstance(row[index], int | float | None) for row in rows.rows)
        for index in range(len(rows.columns))
    ]

    def line(texts: list[str]) -> str:
        parts = [
            text.rjust(width) if right else text.ljust(width)
            for text, width, right in zip(texts, widths, numeric, strict=True)
        ]
        return "  ".join(parts).rstrip()

    yield line(list(rows.columns))
    yield "  ".join("-" * width for width in widths)
    yield from (line(row) for row in cells)


def _short(cell: object) -> str:
    if cell is None:
        return ""
    text = str(cell).lower() if isinstance(cell, bool) else str(cell)
    return text if len(text) <= WIDEST else text[: WIDEST - 1] + "…"


def as_csv(rows: Rows) -> str:
    """The rows as CSV with a header; a null is empty."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(rows.columns)
    writer.writerows(
        [
            ["" if cell is None else str(cell).lower() if isinstance(cell, bool) else cell for cell in row]
            for row in rows.rows
        ]
    )
    return text.getvalue()


def as_json(rows: Rows) -> str:
    """The rows as a JSON array of objects; integers are JSON numbers of any size."""
    return (
        json.dumps(
            [dict(zip(rows.columns, row, strict=True)) for row in rows.rows], indent=2, ensure_ascii=False
        )
        + "\n"
    )
