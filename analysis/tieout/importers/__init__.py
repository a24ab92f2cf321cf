"""Records of other tools made into receipts: one module a source, and the Parquet that all of them write."""
