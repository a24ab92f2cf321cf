"""A grid, a printed table as one entry of a ledger, as the single claims of its cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tieout.errors import Fault
from tieout.layers import merge

NOTHING_PRINTED = frozenset({"", "—", "??"})
MOST_CELLS = 100_000  # of one grid; a printed table has some hundreds
OF_PRINTING = ("near", "of", "tolerance", "erratum", "section")
OF_GRID = frozenset({"id", "rows", "columns", "cells", "printed", "says"})


def unfold(
    grid: Mapping[str, Any], pointer: str, file: str, faults: list[Fault]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The claim of each cell that is printed or described, as an entry of a ledger, with its JSON pointer.

    `pointer` is the grid's own. What does not fit together is added to `faults`.
    """

    def fault(code: str, message: str, place: str = "") -> None:
        faults.append(Fault(code=code, message=message, file=file, pointer=f"{pointer}{place}"))

    if (size := len(grid["rows"]) * len(grid["columns"])) > MOST_CELLS:
        fault("too-large", f"the grid has {size:,} cells; at most {MOST_CELLS:,} are read")
        return
    outer = {key: value for key, value in grid.items() if key not in OF_GRID}
    printed = _printed_cells(grid["printed"], lambda message: fault("grid-shape", message, "/printed"))
    described: Mapping[str, Any] = grid.get("cells", {})
    for row, row_keys in grid["rows"].items():
        for column, column_keys in grid["columns"].items():
            name = f"{row}.{column}"
            texts = printed.pop((row, column), None)
            if texts is None and name not in described:
                continue
            own = described.get(name) or {}
            entry = merge(outer, row_keys or {}, column_keys or {}, own)
            labels = [(keys or {}).get("says", key) for key, keys in ((row, row_keys), (column, column_keys))]
            entry["id"] = f"{grid['id']}.{name}"
            entry["says"] = own.get("says") or f"{grid['says']}: {labels[0]}, {labels[1]}"
            place = {key: entry[key] for key in OF_PRINTING if key in entry}
            entry["printings"] = [{**place, "text": text} for text in texts or ()]
            yield f"{pointer}/cells/{name}", entry
    for row, column in printed:
        fault("grid-cell", f"printed row `{row}`, column `{column}` has no such row or column", "/printed")
    for name in described:
        row, _, column = name.partition(".")
        if row not in grid["rows"] or column not in grid["columns"]:
            fault("grid-cell", f"`{name}` is no row.column of the grid", "/cells")


def _printed_cells(printed: str, fault: Callable[[str], None]) -> dict[tuple[str, str], list[str]]:
    """The texts of each cell by row and column; a cell that prints nothing is left out."""
    lines = [[cell.strip() for cell in line.split("|")] for line in printed.splitlines() if line.strip()]
    if not lines:
        return {}
    header, *body = lines
    cells: dict[tuple[str, str], list[str]] = {}
    for line in body:
        if len(line) != len(header):
            fault(f"the line `{line[0]}` has {len(line)} cells, the header {len(header)}")
            continue
        for column, cell in zip(header[1:], line[1:], strict=True):
            if cell in NOTHING_PRINTED:
                continue
            if (line[0], column) in cells:
                fault(f"the cell {line[0]}, {column} is printed twice")
            cells[line[0], column] = [text.strip() for text in cell.split(" · ")]
    return cells
