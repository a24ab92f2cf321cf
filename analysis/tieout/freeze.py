"""Freezing: a package's hashes and Data Package descriptor, a ledger's lock; the same bytes each time."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tieout import secrets
from tieout.anew import Anew
from tieout.engines import Limits
from tieout.engines.process import Engine
from tieout.errors import Fault, Invalid
from tieout.folder import DATAPACKAGE, SUMS, alike, files_of, inside, sha256
from tieout.importers.parquet import replace
from tieout.ledger import LOCK, Ledger, open_ledger
from tieout.locks import metrics_of
from tieout.opening import bound, open_packages
from tieout.package import Package, Table, open_package
from tieout.planned import PLANNED
from tieout.results import CheckResult
from tieout.safetext import visible
from tieout.validate import validate
from tieout.verify import Options, open_in

PROFILE = "https://datapackage.org/profiles/2.0/datapackage.json"
FIELD_TYPES = {"integer": "integer", "number": "number", "string": "string", "boolean": "boolean"}
MEDIATYPES = {".parquet": "application/vnd.apache.parquet"}


def freeze_package(root: Path, limits: Limits | None = None) -> str:
    """Writes `datapackage.json` and `SHA256SUMS`, and returns the package's digest.

    Raises Invalid, and writes nothing, where the package does not validate, holds a secret, a check is broken, or a
    file's name could not be frozen safely.
    """
    package = open_package(root, frozen=False)
    options = Options(limits=limits or Limits())
    with Engine("duckdb", options.limits) as duckdb, Anew(options.limits) as anew:
        open_in([duckdb], [package], options)
        result = validate(package, duckdb, anew)
        rows = duckdb.opened[package.name].rows
    faults = [*result.faults, *_broken(result.checks)]
    names = files_of(root)
    for name in names:
        try:
            if not inside(root, name, name).is_file():
                faults.append(Fault(code="not-a-file", message="this is no regular file", file=name))
        except Invalid as error:
            faults += error.faults
    for first, second in alike(names):
        message = f"some systems cannot tell it from `{visible(first)}`"
        faults.append(Fault(code="name-collision", message=message, file=second))
    if faults:
        raise Invalid(faults)
    descriptor = json.dumps(_datapackage(package, rows), ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    sums = {name: sha256(root / name) for name in names}
    sums[DATAPACKAGE] = hashlib.sha256(descriptor.encode()).hexdigest()
    listed = "".join(f"{sums[name]}  {name}\n" for name in sorted(sums))
    write_beside(root / DATAPACKAGE, descriptor)
    write_beside(root / SUMS, listed)
    return hashlib.sha256(listed.encode()).hexdigest()


def _broken(checks: Sequence[CheckResult]) -> Iterator[Fault]:
    """A fault for each check that does not hold, but where its table's own faults say all."""
    for check in checks:
        if check.violations == 0 or check.waits:
            continue
        if check.violations is None:
            found = f"could not run: {check.error}"
        else:
            rows = "1 row" if check.violations == 1 else f"{check.violations:,} rows"
            found = "; the first is ".join([f"is broken by {rows}: {check.says}", *check.shown(1)])
        planned = check.id == PLANNED
        yield Fault(
            code="check-broken",
            message=f"check {check.id} {found}",
            file="package.yaml" if planned else "checks.yaml",
            pointer="/plan" if planned else None,
            expected="no row that breaks it",
            found=check.error or "".join(check.shown(1)),
        )


def _datapackage(package: Package, rows: Mapping[str, int]) -> dict[str, Any]:
    given = package.descriptor
    kept = {key: given[key] for key in ("description", "licenses", "sources", "contributors") if key in given}
    return {
        "$schema": PROFILE,
        "name": package.name,
        "title": package.title,
        "version": package.version,
        "created": _moment(given["created"]),
        **kept,
        "resources": [_resource(table, rows[table.name]) for table in package.tables.values()],
    }


def _moment(created: str) -> str:
    # Data Package wants a moment; a day written by a person is that day's beginning in UTC.
    return created if "T" in created else f"{created}T00:00:00Z"


def _resource(table: Table, rows: int) -> dict[str, Any]:
    properties: Mapping[str, Mapping[str, Any]] = table.schema["properties"]
    resource: dict[str, Any] = {
        "name": table.name.replace("_", "-"),
        "title": table.schema.get("title", table.name),
        "path": table.file,
        "format": "parquet",
        "mediatype": MEDIATYPES[".parquet"],
        "bytes": table.path.stat().st_size,
        "hash": f"sha256:{sha256(table.path)}",
        "tieout": {
            "table": table.name,
            "rows": rows,
            "basis": table.frozen_basis,
            "rowSchema": table.schema_file,
        },
        "schema": {
            "fields": [_field(name, column) for name, column in properties.items()],
            **({"primaryKey": list(table.key)} if table.key else {}),
        },
    }
    if description := table.schema.get("description"):
        resource["description"] = description
    return resource


def _field(name: str, column: Mapping[str, Any]) -> dict[str, Any]:
    kinds = column.get("type", [])
    names = [kinds] if isinstance(kinds, str) else list(kinds)
    values = column.get("enum")
    if not names and values:
        names = [
            "boolean" if isinstance(v, bool) else "integer" if isinstance(v, int) else "string"
            for v in values
            if v is not None
        ]
    kind = next((FIELD_TYPES[found] for found in names if found in FIELD_TYPES), "any")
    constraints: dict[str, Any] = {}
    if "null" not in names and (values is None or None not in values):
        constraints["required"] = True
    if values is not None:
        constraints["enum"] = [value for value in values if value is not None]
    for ours, theirs in (("minimum", "minimum"), ("maximum", "maximum"), ("pattern", "pattern")):
        if ours in column:
            constraints[theirs] = column[ours]
    field = {"name": name, "type": kind}
    for key in ("title", "description"):
        if key in column:
            field[key] = column[key]
    return {**field, "constraints": constraints} if constraints else field


def freeze_ledger(root: Path, text: Path | None = None) -> Path:
    """Writes the ledger's lock and returns its path.

    The lock holds the digests of the ledger's packages, the hashes of the catalogue metrics it uses, and with `text`
    the hash of the document's text; without it the hash already there is kept.
    Raises Invalid where the ledger does not read, holds a secret, or has a package that is not frozen; then nothing is
    written.
    """
    ledger = open_ledger(root)
    packages = bound(ledger, open_packages([], [root]))
    faults = [fault for package in packages.values() for fault in package.faults]
    faults += secrets.in_folder(root)
    if faults:
        raise Invalid(faults)
    lock = {
        "document": ledger.id,
        "packages": {package.name: package.digest for package in packages.values()},
        "metrics": metrics_of(ledger),
        "text": _text_hash(ledger, text),
    }
    write_beside(root / LOCK, json.dumps(lock, indent=2) + "\n")
    return root / LOCK


def _text_hash(ledger: Ledger, text: Path | None) -> str | None:
    if text is not None:
        return sha256(text)
    kept = (ledger.lock or {}).get("text")
    return None if kept is None else str(kept)


def write_beside(path: Path, text: str) -> None:
    """Writes a text whole or not at all, see `replace`."""
    replace(path, text.encode("utf-8"))
