"""The album studies made into receipts, from either shape in which they are published."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tieout import instruments, strict
from tieout.importers import parquet
from tieout.importers.album_design import DERIVED, Derived
from tieout.importers.album_files import Shape, locate
from tieout.importers.album_lines import LinesReader
from tieout.importers.album_published import PublishedReader
from tieout.importers.album_readers import Reader
from tieout.importers.album_tables import Tables, allocation_tables, pilot_tables
from tieout.schema.documents import schemas_root

_READERS: Mapping[Shape, type[Reader]] = {Shape.LINES: LinesReader, Shape.PUBLISHED: PublishedReader}


@dataclass(frozen=True, kw_only=True, slots=True)
class Imported:
    """What was imported: the study's name, and the number of rows of each table that was written."""

    study: str
    rows: Mapping[str, int]


def import_album_study(source: Path, output: Path, study: str | None = None) -> Imported:
    """Write the receipts, the derived tables and their schemas into the package folder `output`.

    `source` is a folder or a zip, in one of two shapes: JSON Lines with CSV tables, or the author's own results; which
    of the two studies it holds is found out, `study` says which where it holds both. Both shapes give the same bytes.
    Only numbers, identifiers and flags are taken. The descriptor, the checks and the README beside them are a person's
    and are left alone.

    Raises CannotOpen where `source` can't be read, Invalid with every fault found in it; nothing is written then.
    """
    found = locate(source, study)
    reader = _READERS[found.shape](found)
    pilot = found.study == "album-memory-1"
    tables = pilot_tables(reader.pilot()) if pilot else allocation_tables(reader.allocation())
    derived = {each.table: _derive(each, tables) for each in DERIVED[found.study]}
    schemas = {name: name for name in tables} | {each.table: each.schema for each in DERIVED[found.study]}
    texts = {name: _schema_text(found.study, name) for name in sorted(set(schemas.values()))}
    parsed = {name: strict.load_json(text, f"{name}.json") for name, text in texts.items()}
    contents = {f"schemas/{name}.json": text for name, text in texts.items()}
    for folder, made in (("receipts", tables), ("derived", derived)):
        for name, rows in made.items():
            file = f"{folder}/{name}.parquet"
            contents[file] = parquet.encode(file, rows, parsed[schemas[name]])
    # everything is made before anything is written
    for file, content in contents.items():
        (output / file).parent.mkdir(parents=True, exist_ok=True)
        parquet.replace(output / file, content)
    return Imported(study=found.study, rows={name: len(rows) for name, rows in (tables | derived).items()})


def _derive(derived: Derived, tables: Tables) -> list[dict[str, object]]:
    run = instruments.load(derived.instrument)
    return run(
        {name: tables[table] for name, table in derived.inputs.items()}, derived.parameters, derived.seed
    )


def _schema_text(study: str, table: str) -> bytes:
    return (schemas_root() / "tables" / study / f"{table}.json").read_bytes()
