"""How long the command takes beside its peers: ratios of medians, all measured in one run, in turn."""

from __future__ import annotations

import compileall
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

from bench import measure


@dataclass(frozen=True, kw_only=True, slots=True)
class Race:
    """A command of ours beside a peer; `goal` is the most that the ratio of the two medians may be.

    `of` says what it is given, where that is not in the command's own words.
    """

    ours: tuple[str, ...]
    of: str = ""
    peer: tuple[str, ...]
    goal: int


PANDAS = ("python", "-c", "import pandas")
STUDIES = (
    *("packages/album-memory-1", "packages/album-memory-2", "packages/tau-bench-airline"),
    *("ledgers/part-i", "ledgers/part-i-tables", "ledgers/part-ii", "ledgers/part-ii-tables"),
    "ledgers/tau-bench-readme",
)
RACES = (
    Race(
        ours=("tieout", "verify", *(f"artifacts/{study}" for study in STUDIES)),
        of=" of the three studies of others",
        peer=PANDAS,
        goal=4,
    ),
    Race(ours=("tieout", "verify"), of=" of all seven packages", peer=PANDAS, goal=4),
    Race(ours=("tieout", "--help"), peer=("python", "-c", "import click"), goal=2),
)


def seconds(command: tuple[str, ...]) -> float:
    """Wall-clock seconds of one run, from start to exit; a run that could not do its work ends the benchmark."""
    program = {"tieout": measure.TIEOUT, "python": sys.executable}[command[0]]
    began = perf_counter()
    done = subprocess.run([program, *command[1:]], cwd=measure.ROOT, capture_output=True, check=False)
    took = perf_counter() - began
    if done.returncode not in (0, 1):  # 1: something differs, and everything was verified all the same
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr.decode()}")
    return took


def table() -> Iterator[str]:
    """The races as a Markdown table; peers run in turn, so that what else the machine does meets both alike."""
    # pip compiles what it installs, the peers among it, and leaves out a checkout that stays in its place.
    compileall.compile_dir(measure.ROOT / "analysis" / "tieout", quiet=1)
    yield "| command | median | peer | median | ratio | goal |"
    yield "| --- | ---: | --- | ---: | ---: | ---: |"
    for race in RACES:
        timed = [lambda command=command: seconds(command) for command in (race.ours, race.peer)]
        ours, peer = measure.in_turn(*timed)
        command, beside = f"`{' '.join(race.ours[:2])}`{race.of}", f'`{race.peer[0]} -c "{race.peer[-1]}"`'
        yield (
            f"| {command} | {ours:.2f} s | {beside} | {peer:.2f} s "
            f"| {ours / peer:.1f} | at most {race.goal} |"
        )


def main() -> None:
    """Prints the table."""
    for line in table():
        print(line)


if __name__ == "__main__":
    main()
