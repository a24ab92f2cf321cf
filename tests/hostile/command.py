"""The command over a broken thing: how it ends and what it says, and that it leaves nothing behind."""

from __future__ import annotations

import hashlib
import json
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from tieout.cli import main
from tieout.errors import Fault


@dataclass(frozen=True, kw_only=True, slots=True)
class Ran:
    """How a run ended: its exit code, all that it wrote, its faults as lines, and its report."""

    code: int
    out: str
    said: str
    faults: tuple[str, ...]
    report: Mapping[str, Any] = field(default_factory=dict)

    @property
    def lines(self) -> list[str]:
        """Everything that a person is told is wrong."""
        checks = [
            f"check {check['id']}: {check['rows'][0] if check['violations'] is None else check['violations']}"
            for package in self.report.get("packages", ())
            for check in package["checks"]
            if check["violations"] != 0
        ]
        # Where a table is not sound, its checks could not run; the faults say all.
        return [*(self.faults or checks), *(line.removeprefix("tieout: ") for line in self.said.splitlines())]


def run(*arguments: str | Path) -> Ran:
    """The command, in this process."""
    done = CliRunner().invoke(main, [str(argument) for argument in arguments])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    report: Mapping[str, Any] = json.loads(done.stdout) if done.stdout.startswith("{") else {}
    found = [
        (fault, fault["code"])
        for part in (*report.get("packages", ()), *report.get("ledgers", ()))
        for fault in part["faults"]
    ]
    return Ran(
        code=done.exit_code,
        out=done.stdout,
        said=done.stderr,
        faults=tuple(f"{code}: {Fault(**fault)}" for fault, code in found),
        report=report,
    )


def verify(*arguments: str | Path) -> Ran:
    """`tieout verify --json`, with a limit of two seconds for a query."""
    return run("verify", "--json", "--seconds", "2", *arguments)


def snapshot(root: Path) -> dict[str, str]:
    """Every entry of a folder with its kind and, for a file, its hash."""
    found = {}
    for path in sorted(root.rglob("*")):
        mode = path.lstat().st_mode
        name = repr(path.relative_to(root))
        regular = stat.S_ISREG(mode)
        found[name] = hashlib.sha256(path.read_bytes()).hexdigest() if regular else oct(stat.S_IFMT(mode))
    return found
