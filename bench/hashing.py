"""How fast a package's hashes are checked beside coreutils, and beside Python's own loop over the same file."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from bench import measure

BYTES = 512 * 2**20


def table() -> Iterator[str]:
    """The measurement as a Markdown table: one file of random bytes, each in a fresh process."""
    with tempfile.TemporaryDirectory(prefix="tieout-hashing-") as folder:
        path = Path(folder) / "bytes"
        with path.open("wb") as file:
            for _ in range(BYTES // 2**20):
                file.write(os.urandom(2**20))

        def coreutils() -> float:
            began = perf_counter()
            subprocess.run(["sha256sum", path], check=True, capture_output=True)
            return perf_counter() - began

        ours, theirs = measure.in_turn(measure.call(_ours, path), coreutils)
    yield "| hashing 512 MiB | median | GiB/s | over `sha256sum` |"
    yield "| --- | ---: | ---: | ---: |"
    for name, seconds in (("`tieout.folder.sha256`", ours), ("`sha256sum`", theirs)):
        yield f"| {name} | {seconds:.2f} s | {BYTES / 2**30 / seconds:.2f} | {seconds / theirs:.2f} |"


def _ours(path: Path) -> None:
    from tieout.folder import sha256

    sha256(path)
