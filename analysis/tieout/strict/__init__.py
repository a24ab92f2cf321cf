"""Reading YAML and JSON strictly: what could be read in two ways is a fault, with line and column."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tieout.strict.json_reader import json_document
from tieout.strict.text import MAX_DEPTH, Document, Place, escape, nearest_line, read_bytes
from tieout.strict.yaml_reader import QUOTED_KEYS, yaml_document

__all__ = [
    "MAX_DEPTH",
    "Document",
    "Place",
    "escape",
    "json_document",
    "load_json",
    "load_yaml",
    "nearest_line",
    "read_bytes",
    "read_json",
    "read_yaml",
    "yaml_document",
]


def load_yaml(data: str | bytes, file: str, quoted: frozenset[str] = QUOTED_KEYS) -> Any:
    """The value of a YAML text; `Invalid` lists what is wrong with it. See `Document` for the types.

    Values under the keys `quoted` must stand in quotes: texts of a document, as it prints them.
    """
    return yaml_document(data, file, quoted).value


def load_json(data: str | bytes, file: str) -> Any:
    """The value of a JSON text; `Invalid` lists what is wrong with it. See `Document` for the types."""
    return json_document(data, file).value


def read_yaml(path: Path, file: str, quoted: frozenset[str] = QUOTED_KEYS) -> Document:
    """Read a YAML file; `file` is the name that faults give. Raises `CannotOpen` and `Invalid`."""
    return yaml_document(read_bytes(path, file), file, quoted)


def read_json(path: Path, file: str) -> Document:
    """Read a JSON file; `file` is the name that faults give. Raises `CannotOpen` and `Invalid`."""
    return json_document(read_bytes(path, file), file)
