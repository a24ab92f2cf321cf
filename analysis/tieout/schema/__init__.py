"""JSON Schema (draft 2020-12) on our own documents and on the rows of Parquet tables."""
