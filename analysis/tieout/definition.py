"""How a value is defined, down to the queries, as plain data that can be compared: names of claims play no part."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from tieout.package import Table
from tieout.planning import QueryStep
from tieout.recompute import Recomputed

_PIECE = re.compile(r"('(?:[^']|'')*')|\s+")


def one_line(sql: str) -> str:
    """A query on one line: white space outside its texts becomes one space."""
    return _PIECE.sub(lambda piece: piece[1] or " ", sql).strip()


def definition(recomputed: Recomputed) -> dict[str, Any]:
    """What is computed: a query and how its rows combine, or a formula with the definitions of its inputs.

    Holds the evaluators whose outcomes are read and how derived tables are made, since another judge or another
    parameter makes another quantity of the same query.
    """
    step = recomputed.step
    if isinstance(step, QueryStep):
        return {
            "package": step.asked.package,
            "sql": one_line(step.asked.sql),
            "combine": step.combine if isinstance(step.combine, str) else list(step.combine),
            "member": dict(step.member),
            "value": step.value_column,
            "evaluators": list(step.evaluators),
            "derived": _derived(step.tables),
        }
    formula = getattr(step, "formula", None)
    return {
        "formula": formula.text if formula else None,
        "from": {
            name: {"part": _part(recomputed, name), **definition(below)}
            for name, below in recomputed.inputs.items()
        },
    }


def same_key(recomputed: Recomputed) -> str:
    """A text that two values share exactly where they have one definition."""
    return json.dumps(definition(recomputed), sort_keys=True, default=str)


def leaf_values(recomputed: Recomputed) -> Iterable[Recomputed]:
    """The values behind a value that one query each gives, those of other claims included."""
    if isinstance(recomputed.step, QueryStep):
        yield recomputed
    for below in recomputed.inputs.values():
        yield from leaf_values(below)


def _part(recomputed: Recomputed, name: str) -> str:
    inputs = getattr(recomputed.step, "inputs", {})
    return str(inputs[name][1]) if name in inputs else "value"


def _derived(tables: Iterable[Table]) -> dict[str, Any]:
    return {
        table.name: {
            "instrument": made.instrument,
            "inputs": dict(made.inputs),
            "parameters": dict(made.parameters),
            "seed": made.seed,
        }
        for table in tables
        if (made := table.derivation)
    }
