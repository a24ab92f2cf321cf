"""What a short program prints that queues a run's entries under a budget: an implementation apart from the buffer's."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from fractions import Fraction

from tieout.instruments import InstrumentRefused, Rows, integer, refuse_unknown, table, text
from tieout.instruments.buffer_inputs import INPUTS
from tieout.instruments.description import Description

PARAMETERS = ("run", "kind", "budget", "steps", "first")
DESCRIPTION = Description(
    title="Printout of a first-in-first-out queue",
    says="The numbers that a program prints which sums a run's entries, queues them under a budget, and sums what the "
    "queue holds after each of them.",
    source="buffer-lab, the code and its stated output",
    inputs={"stream": INPUTS["stream"]},
    output={
        "line": "integer, the printed line, from 1",
        "place": "integer, the number's place in the line, from 1",
        "says": "string, what is printed",
        "numerator": "integer, the exact number's numerator in lowest terms",
        "denominator": "integer, its denominator",
    },
    parameters={
        "run": "string, the run that is queued",
        "kind": "string, the kind whose shares of the tokens and of the entries are printed",
        "budget": "integer, the most tokens that the queue holds",
        "steps": "list of integers, the places in the run after which the tokens held are printed, from 1",
        "first": "integer, how many of the first sizes of the queue are summed in the last line",
    },
)


def run(
    inputs: Mapping[str, Rows], parameters: Mapping[str, object], seed: int | None
) -> list[dict[str, object]]:
    """One row for each printed number, as an exact fraction.

    Draws nothing at random, so the seed must be None.

    Raises InstrumentRefused for a seed, an unknown parameter, a run without entries, a place that the run does not
    have, and a `first` below 1.
    """
    if seed is not None:
        raise InstrumentRefused("draws nothing at random: takes no seed")
    refuse_unknown(parameters, PARAMETERS)
    wanted, kind = text(parameters, "run"), text(parameters, "kind")
    entries = sorted(
        (integer(row, "step"), text(row, "kind"), integer(row, "tokens"))
        for row in table(inputs, "stream")
        if row.get("run") == wanted
    )
    if not entries:
        raise InstrumentRefused(f"the stream has no run {wanted!r}")
    first = integer(parameters, "first")
    if first < 1:
        raise InstrumentRefused(f"first: expected an integer of at least 1, found {first}")
    places = _places(parameters.get("steps"), len(entries))
    sizes = [tokens for _, _, tokens in entries]
    of_kind = [tokens for _, found, tokens in entries if found == kind]
    held = _queue(sizes, integer(parameters, "budget"))
    printed: list[list[tuple[str, Fraction]]] = [
        [("tokens of the run", Fraction(sum(sizes)))],
        [(f"share of the tokens, {kind}", Fraction(sum(of_kind), sum(sizes)))],
        [(f"share of the entries, {kind}", Fraction(len(of_kind), len(sizes)))],
        [(f"tokens queued after entry {place}", Fraction(held[place - 1])) for place in places],
        [("sizes of the queue", Fraction(len(held))), ("sum of the sizes of the queue", Fraction(sum(held)))],
        [
            (f"sum of the first {first} sizes of the queue", Fraction(sum(held[:first]))),
            ("largest size of the queue", Fraction(max(held))),
        ],
    ]
    return [
        {
            "line": line,
            "place": place,
            "says": says,
            "numerator": number.numerator,
            "denominator": number.denominator,
        }
        for line, numbers in enumerate(printed, 1)
        for place, (says, number) in enumerate(numbers, 1)
    ]


def _places(given: object, entries: int) -> list[int]:
    places = [place for place in given if type(place) is int] if isinstance(given, list) else []
    if not places or not isinstance(given, list) or len(places) != len(given):
        raise InstrumentRefused(f"steps: expected a list of integers, found {given!r}")
    if beyond := [place for place in places if not 1 <= place <= entries]:
        raise InstrumentRefused(f"steps: the run has no entry {beyond[0]}, only {entries}")
    return places


def _queue(sizes: Sequence[int], budget: int) -> list[int]:
    """Tokens in the queue after each entry, the oldest having left until the rest fits."""
    queue: deque[int] = deque()
    held = []
    for size in sizes:
        queue.append(size)
        while queue and sum(queue) > budget:
            queue.popleft()
        held.append(sum(queue))
    return held
