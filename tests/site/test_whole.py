"""The site of this repository as a whole: made twice, from nothing, in other folders, it has the same bytes."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from tests.conftest import Run


def content(site: Path) -> dict[str, bytes]:
    return {
        path.relative_to(site).as_posix(): path.read_bytes()
        for path in sorted(site.rglob("*"))
        if path.is_file()
    }


def test_two_builds_give_the_same_bytes(
    built: Path, own_cache: Callable[[], Path], tieout: Run, tmp_path: Path
) -> None:
    again = tmp_path / "again"
    environment = {
        **os.environ,
        "TIEOUT_CACHE": str(own_cache()),
        "TZ": "Pacific/Auckland",
        "LC_ALL": "C.UTF-8",
    }
    ran = tieout("render", "--engine", "builtin", "--output", again, env=environment)
    assert ran.returncode == 0, ran.stderr
    first, second = content(built), content(again)
    assert set(first) == set(second)
    assert [name for name in first if first[name] != second[name]] == []
    assert len(first) > 1000
