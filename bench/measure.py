"""How the benchmarks measure: medians of runs in turn, each in a process of its own, and the memory that it took."""

from __future__ import annotations

import multiprocessing
import os
import platform
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TIEOUT = str(Path(sysconfig.get_path("scripts")) / "tieout")
ROUNDS = 5

Timed = Callable[[], float]  # does its work and returns the seconds that it took


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """A command's wall-clock seconds, and the most memory that one of its processes held, in bytes."""

    seconds: float
    memory: int


def in_turn(*timed: Timed, rounds: int = ROUNDS) -> list[float]:
    """The median seconds of each; they run in turn, so that what else the machine does meets all alike.

    The first round warms the disk's cache and counts for nothing.
    """
    for each in timed:
        each()
    measured = [[each() for each in timed] for _ in range(rounds)]
    return [median(column) for column in zip(*measured, strict=True)]


def call(function: Callable[..., Any], *arguments: Any) -> Timed:
    """A function in a fresh process, so that nothing is warm but the disk's cache; imports count."""

    def timed() -> float:
        context = multiprocessing.get_context("spawn")
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(target=_timed, args=(sender, function, arguments))
        process.start()
        sender.close()
        seconds: float = receiver.recv()
        process.join()
        return seconds

    return timed


def _timed(sender: Any, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    began = perf_counter()
    function(*arguments)
    sender.send(perf_counter() - began)


def command(*arguments: str, expect: str = "", cwd: Path = ROOT) -> Run:
    """`tieout` with these arguments, once; ends the benchmark where it could not do its work.

    `expect` begins the last line of what it prints.
    """
    began = perf_counter()
    process = subprocess.Popen(
        [TIEOUT, *arguments], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    with ThreadPoolExecutor() as pool:  # both pipes are read while it runs, and it is waited for below
        streams = [pool.submit(stream.read) for stream in (process.stdout, process.stderr) if stream]
        _, status, used = os.wait4(process.pid, 0)
        out, error = (stream.result() for stream in streams)
    seconds = perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    last = out.strip().rpartition("\n")[2]
    if process.returncode not in (0, 1) or not last.startswith(expect):
        sys.exit(f"tieout {' '.join(arguments)} ended with {process.returncode}: {last}\n{error}")
    # The most of the process and of those that it waited for: kibibytes on Linux, bytes on macOS.
    memory = used.ru_maxrss if sys.platform == "darwin" else used.ru_maxrss * 1024
    return Run(seconds=seconds, memory=memory)


def machine(*packages: str) -> str:
    """What the seconds were measured on, without naming anybody's machine."""
    return (
        f"{platform.system()} on {platform.machine()}, {os.cpu_count()} processors, "
        f"{platform.python_implementation()} {platform.python_version()}; "
        f"{', '.join(f'{name} {_version(name)}' for name in packages)}."
    )


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "absent"
