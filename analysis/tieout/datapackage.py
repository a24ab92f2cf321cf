"""What a frozen package's `datapackage.json` says of its tables, against the tables: other tools rely on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tieout.errors import CannotOpen, Fault, Invalid
from tieout.folder import DATAPACKAGE, SUMS, inside, read_sums
from tieout.package import Package
from tieout.strict import read_json


def descriptor_faults(package: Package, rows: Mapping[str, int]) -> list[Fault]:
    """Names, bytes, hashes and rows that the file says and that are not so; `rows` are those found in the tables."""
    try:
        given = read_json(inside(package.root, DATAPACKAGE, DATAPACKAGE), DATAPACKAGE).value
    except Invalid as error:
        return list(error.faults)
    except CannotOpen as error:
        return [Fault(code="missing-file", message=str(error), file=DATAPACKAGE)]
    return list(_differences(given, package, rows))


def _differences(given: Any, package: Package, rows: Mapping[str, int]) -> Iterator[Fault]:
    def fault(pointer: str, expected: object, found: object) -> Fault:
        return Fault(
            code="datapackage-differs",
            message=f"the package has {expected}, the file says {found}; `tieout freeze` writes it",
            file=DATAPACKAGE,
            pointer=pointer,
            expected=str(expected),
            found=str(found),
        )

    document: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
    for key, value in (("name", package.name), ("version", package.version)):
        if document.get(key) != value:
            yield fault(f"/{key}", value, document.get(key))
    listed = document.get("resources")
    resources = [entry for entry in listed if isinstance(entry, Mapping)] if isinstance(listed, list) else []
    paths = [entry.get("path") for entry in resources]
    files = [table.file for table in package.tables.values()]
    if paths != files:
        yield fault("/resources", ", ".join(files), ", ".join(map(str, paths)) or "nothing")
        return
    hashes = read_sums(package.root / SUMS, [])  # against which the files were held already
    for index, (entry, table) in enumerate(zip(resources, package.tables.values(), strict=True)):
        said = entry.get("tieout")
        own: Mapping[str, Any] = said if isinstance(said, Mapping) else {}
        wanted: list[tuple[str, object, object]] = [
            ("bytes", table.path.stat().st_size, entry.get("bytes")),
            ("hash", f"sha256:{hashes.get(table.file)}", entry.get("hash")),
            ("tieout/table", table.name, own.get("table")),
            ("tieout/basis", table.frozen_basis, own.get("basis")),
        ]
        if table.name in rows:
            wanted.append(("tieout/rows", rows[table.name], own.get("rows")))
        for key, expected, found in wanted:
            if expected != found:
                yield fault(f"/resources/{index}/{key}", expected, found)
