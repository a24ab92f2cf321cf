"""JSON Schema (draft 2020-12) on our own documents and on the rows of Parquet tables."""

from __future__ import annotations

from tieout.schema.documents import check_document, document_schema, schemas_root
from tieout.schema.keys import key_faults
from tieout.schema.row_schema import check_row_schema
from tieout.schema.table import TableReport, check_table

__all__ = [
    "TableReport",
    "check_document",
    "check_row_schema",
    "check_table",
    "document_schema",
    "key_faults",
    "schemas_root",
]
