"""Runs every benchmark and writes bench/README.md.

    python -m bench.report [verify | site | hashing | validation | scale]...

Named ones alone are measured and printed, and nothing is written.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable

from bench import hashing, measure, scale, site, validation, verify

PACKAGES = (
    "duckdb",
    "pyarrow",
    "numpy",
    "pandas",
    "altair",
    "vl-convert-python",
    "nbclient",
    "click",
    "jsonschema",
    "jsonschema-rs",
    "fastjsonschema",
    "pandera",
    "pointblank",
    "polars",
)
SIZES = [1_000_000, 10_000_000]
PARTS: dict[str, tuple[str, Callable[[], Iterable[str]]]] = {
    "verify": (
        """## The command

Start-up included. `tieout verify` makes every derived table anew: first of the three studies that others published
(three packages, five ledgers), then all that is in `artifacts/`.""",
        verify.table,
    ),
    "site": (
        """## The site

`tieout render` from nothing: fresh processes, the cache empty of all but what npm brings at set-up; search index and
checks of every link included. The small project holds one ledger with its package, and is measured with the page and
without it: the difference is what the page costs. Where verdicts are at hand a kept report is read instead of verifying
anew, which is what an engine beside ours would be given. Seconds a page are the whole time over the pages with a source
of their own.""",
        site.table,
    ),
    "hashing": ("## Hashing", hashing.table),
    "validation": (
        f"""## Rows against a schema

{validation.ROWS:,} receipts from a Parquet file to the verdict, each validator in a fresh process, its imports
included. Eleven columns: a pattern, lists of values, bounds, no nulls, no other column. Those that go row by row in
Python are measured on a sample and scaled up.""",
        validation.table,
    ),
    "scale": (
        """## Claims over many receipts

300 claims, 240 over trajectories and 60 over three times as many calls. By hand: one query for each claim, in one
DuckDB with its own defaults, which skips rows by the file's own statistics; Tieout does not believe those. Recomputed:
the same claims by Tieout, child process, ledger and plan included. The last two columns are a whole run, which also
holds every row against its schema, looks for keys that stand twice and for secrets, and counts cases.""",
        lambda: scale.table(SIZES),
    ),
}


def main() -> None:
    """Measures what is named, or everything, and then writes it down."""
    named = sys.argv[1:] or list(PARTS)
    text = ""
    for name in named:
        words, table = PARTS[name]
        text += f"\n{words}\n\n"
        for line in table():
            print(line, flush=True)
            text += line + "\n"
    if named != list(PARTS):
        return
    head = f"""# Benchmarks

Written by `make bench`. Medians of {measure.ROUNDS} runs after one that counts for nothing; what is compared runs in
turn, so that what else the machine does meets all alike. The goals are ratios, because seconds say as much about a
machine as about a program.

{measure.machine(*PACKAGES)}
"""
    (measure.ROOT / "bench" / "README.md").write_text(head + text, encoding="utf-8")


if __name__ == "__main__":
    main()
