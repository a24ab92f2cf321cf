"""Instruments by name: pure functions from tables to a table, where SQL is the wrong language.

An instrument is a function `run(inputs, parameters, seed)`: `inputs` are tables under the names that the instrument
gives them, as lists of rows of plain Python scalars; `parameters` come from the package's descriptor; the same
arguments give the same rows, to the last digit, on every machine. Others are found through the entry points group
`tieout.instruments`. Code in a package is never run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias, cast

from tieout.errors import TieoutError
from tieout.instruments.description import Description

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Rows: TypeAlias = Sequence[Mapping[str, object]]
Run: TypeAlias = Callable[
    [Mapping[str, Rows], Mapping[str, object], int | None],
    list[dict[str, object]],
]

GROUP = "tieout.instruments"

INSTRUMENTS: Mapping[str, str] = {
    "buffer-lab": "tieout.instruments.buffer_lab:run",
    "buffer-lab-evicted": "tieout.instruments.buffer_evicted:run",
    "buffer-lab-held": "tieout.instruments.buffer_held:run",
    "buffer-lab-listing": "tieout.instruments.buffer_listing:run",
    "order-permutation": "tieout.instruments.order_permutation:run",
    "retrieval-fact-cost": "tieout.instruments.retrieval_fact_cost:run",
    "retrieval-recall": "tieout.instruments.retrieval_recall:run",
    "threshold-selection": "tieout.instruments.threshold_selection:run",
    "tiered-memory-differences": "tieout.instruments.tiered_differences:run",
    "tiered-memory-episodes": "tieout.instruments.tiered_episodes:run",
    "tiered-memory-evictions": "tieout.instruments.tiered_evictions:run",
    "tiered-memory-preservation": "tieout.instruments.tiered_preservation:run",
    "tiered-memory-prompts": "tieout.instruments.tiered_prompts:run",
    "tiered-memory-recall": "tieout.instruments.tiered_recall:run",
    "tiered-memory-requests": "tieout.instruments.tiered_requests:run",
    "tiered-memory-retrievals": "tieout.instruments.tiered_retrievals:run",
}


class UnknownInstrument(TieoutError):
    """No instrument of that name is installed; a derived table that needs it is shown as published."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(
            f"no instrument is called {name!r}: Tieout has {', '.join(sorted(INSTRUMENTS))}, "
            f"and others are found through the entry points group {GROUP!r}"
        )


class InstrumentRefused(TieoutError):
    """An instrument was given inputs or parameters that it can't work with."""


def load(name: str) -> Run:
    """The instrument called `name`.

    Tieout's own come first, so that no installed distribution can take their place.

    Raises UnknownInstrument where nothing of that name is installed.
    """
    return cast("Run", _entry(name).load())


def names() -> tuple[str, ...]:
    """The instruments that are installed: Tieout's own, then those of other distributions, each sorted."""
    from importlib.metadata import entry_points

    others = {entry.name for entry in entry_points(group=GROUP)} - set(INSTRUMENTS)
    return (*sorted(INSTRUMENTS), *sorted(others))


def describe(name: str) -> Description:
    """What the instrument called `name` says of itself: `DESCRIPTION` of the module that holds it.

    Raises UnknownInstrument where nothing of that name is installed, and InstrumentRefused where it brings none.
    """
    found = getattr(import_module(_entry(name).module), "DESCRIPTION", None)
    if not isinstance(found, Description):
        raise InstrumentRefused(f"{name} brings no description of its inputs and output")
    return found


def _entry(name: str) -> EntryPoint:
    from importlib.metadata import EntryPoint, entry_points

    if name in INSTRUMENTS:
        return EntryPoint(name, INSTRUMENTS[name], GROUP)
    for entry in entry_points(group=GROUP, name=name):
        return entry
    raise UnknownInstrument(name)


def table(inputs: Mapping[str, Rows], name: str) -> Rows:
    """The input called `name`; raises InstrumentRefused where it was not given."""
    if name not in inputs:
        raise InstrumentRefused(f"needs the input {name!r}, was given: {', '.join(sorted(inputs)) or 'none'}")
    return inputs[name]


def refuse_unknown(parameters: Mapping[str, object], known: Sequence[str]) -> None:
    """Raise InstrumentRefused for a parameter that nothing would read: a typing error must not become a default."""
    if unknown := sorted(set(parameters) - set(known)):
        raise InstrumentRefused(f"no parameter {unknown[0]!r}: the parameters are {', '.join(known)}")


def integer(row: Mapping[str, object], name: str) -> int:
    """The integer under `name` in a row or in the parameters; raises InstrumentRefused for anything else."""
    value = row.get(name)
    if type(value) is not int:
        raise InstrumentRefused(f"{name}: expected an integer, found {value!r}")
    return value


def text(row: Mapping[str, object], name: str) -> str:
    """The text under `name` in a row or in the parameters; raises InstrumentRefused for anything else."""
    value = row.get(name)
    if not isinstance(value, str):
        raise InstrumentRefused(f"{name}: expected text, found {value!r}")
    return value


def flag(row: Mapping[str, object], name: str) -> bool:
    """The truth value under `name` in a row; raises InstrumentRefused for anything else, null included."""
    value = row.get(name)
    if not isinstance(value, bool):
        raise InstrumentRefused(f"{name}: expected true or false, found {value!r}")
    return value
