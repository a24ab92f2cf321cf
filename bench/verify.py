"""How long the command takes beside its peers: ratios of medians, all measured in one run, in turn."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from statistics import median
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent
TIEOUT = str(Path(sysconfig.get_path("scripts")) / "tieout")
ROUNDS = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Race:
    """A command of ours beside a peer; `goal` is the most that the ratio of the two medians may be."""

    ours: tuple[str, ...]
    peer: tuple[str, ...]
    goal: int


RACES = (
    Race(ours=("tieout", "verify"), peer=("python", "-c", "import pandas"), goal=4),
    Race(ours=("tieout", "--help"), peer=("python", "-c", "import click"), goal=2),
)


def seconds(command: tuple[str, ...]) -> float:
    """Wall-clock seconds of one run, from start to exit; a run that could not do its work ends the benchmark."""
    program = {"tieout": TIEOUT, "python": sys.executable}[command[0]]
    began = perf_counter()
    done = subprocess.run([program, *command[1:]], cwd=ROOT, capture_output=True, check=False)
    took = perf_counter() - began
    if done.returncode not in (0, 1):  # 1: something differs, and everything was verified all the same
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr.decode()}")
    return took


def table() -> str:
    """The races as a Markdown table; peers run in turn, so that what else the machine does meets both alike."""
    lines = [
        "| command | median | peer | median | ratio | goal |",
        "| --- | ---: | --- | ---: | ---: | ---: |",
    ]
    for race in RACES:
        seconds(race.ours), seconds(race.peer)  # the first run warms the disk's cache and counts for nothing
        rounds = [(seconds(race.ours), seconds(race.peer)) for _ in range(ROUNDS)]
        ours, peer = (median(column) for column in zip(*rounds, strict=True))
        lines.append(
            f'| `{" ".join(race.ours)}` | {ours:.2f} s | `{race.peer[0]} -c "{race.peer[-1]}"` | {peer:.2f} s '
            f"| {ours / peer:.1f} | at most {race.goal} |"
        )
    return "\n".join(lines)


def machine() -> str:
    """What the seconds were measured on, without naming anybody's machine."""
    packages = ", ".join(
        f"{name} {version(name)}" for name in ("duckdb", "pyarrow", "numpy", "pandas", "click")
    )
    return (
        f"{platform.system()} on {platform.machine()}, {os.cpu_count()} processors, "
        f"{platform.python_implementation()} {platform.python_version()}; {packages}."
    )


def main() -> None:
    """Run the races, print the table and write it to bench/README.md."""
    text = f"""# Benchmarks

Written by `make bench`. Medians of {ROUNDS} runs of each command, start-up included, a command and its peer in turn.
The goals are ratios, because seconds say as much about a machine as about a program. `tieout verify` verifies all
of `artifacts/` and makes every derived table anew.

{table()}

{machine()}
"""
    (ROOT / "bench" / "README.md").write_text(text, encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
