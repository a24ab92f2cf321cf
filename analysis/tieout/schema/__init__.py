"""JSON Schema (draft 2020-12) on our own documents and on the rows of Parquet tables."""

from __future__ import annotations

from tieout.schema.documents import check_document, document_schema, schemas_root

__all__ = [
    "check_document",
    "document_schema",
    "schemas_root",
]
