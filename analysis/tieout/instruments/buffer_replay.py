"""The buffer itself: a run's entries admitted one after the other, and what each admission drives out."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tieout.instruments.buffer_inputs import Entry, Setting


@dataclass(frozen=True, kw_only=True, slots=True)
class Admission:
    """One step: the entry that it wrote, and the entries that left for it, first to leave first."""

    entry: Entry
    evicted: tuple[Entry, ...]


def replay(entries: Iterable[Entry], setting: Setting) -> Iterator[Admission]:
    """The run's steps under a setting.

    An entry is admitted first; then entries leave one by one until the rest fits the budget, and the new one may be
    among them. What has left does not come back.
    """
    held: dict[int, Entry] = {}
    order: list[tuple[tuple[int, ...], int]] = []
    tokens = 0
    for entry in entries:
        held[entry.step] = entry
        tokens += entry.tokens
        evicted: list[Entry] = []
        if setting.rule != "no-eviction":
            heapq.heappush(order, (_place(entry, setting, entry.step), entry.step))
            while tokens > setting.budget:
                then, step = heapq.heappop(order)
                now = _place(held[step], setting, entry.step)
                if now > then:  # re-read since it was put in order
                    heapq.heappush(order, (now, step))
                    continue
                evicted.append(held.pop(step))
                tokens -= evicted[-1].tokens
        yield Admission(entry=entry, evicted=tuple(evicted))


def _place(entry: Entry, setting: Setting, now: int) -> tuple[int, ...]:
    """An entry's place in the order of eviction at a step: the smallest leaves first. It never falls as steps go on."""
    if setting.rule == "fifo":
        return (entry.step,)
    reads = 0
    if setting.tie_break == "most-re-read":  # in the whole run, re-reads still to come included
        reads = len(entry.reread_at)
    elif setting.tie_break == "most-re-read-so-far":  # up to this step, its own included
        reads = sum(step <= now for step in entry.reread_at)
    return (-entry.rank, reads, entry.step)
