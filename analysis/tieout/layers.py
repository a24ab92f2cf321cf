"""Layers of a claim's keys, the more specific over the more general: a grid, its row, column and cell; a reading."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

RECOMPUTED_BY = ("metric", "sql", "formula", "asserts")
HOW = (*RECOMPUTED_BY, "kind")


def merge(*layers: Mapping[str, Any]) -> dict[str, Any]:
    """The layers' keys, a later layer winning; `where` is merged by table, and a new way to recompute ends the old.

    With the old way goes what the new one has no use for in the layers before it: a column with a formula takes no
    filter from its row.
    """
    merged: dict[str, Any] = {}
    way = max((index for index, layer in enumerate(layers) if any(key in layer for key in HOW)), default=0)
    ended = {*HOW, *unread_by(layers[way] if layers else {})}
    for index, layer in enumerate(layers):
        for key, value in layer.items():
            if index < way and key in ended:
                continue
            if key == "where":
                merged["where"] = merge_where(merged.get("where", {}), value)
            elif key in {"params", "member"}:
                merged[key] = {**merged.get(key, {}), **value}
            else:
                merged[key] = value
    return merged


def unread_by(entry: Mapping[str, Any]) -> tuple[str, ...]:
    """The keys that an entry's way to recompute does not read: a formula's inputs and a metric have their own."""
    if "formula" in entry or "asserts" in entry:
        return ("where", "params", "member", "combine")
    return ("combine",) if "metric" in entry else ()


def merge_where(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Two filters as one: by table, and within a table by column, the second winning.

    Where either holds alternatives, each of one is laid over each of the other. `all` and what is no filter replace.
    """
    return {**under, **{table: _laid_over(under.get(table), terms) for table, terms in over.items()}}


def _laid_over(below: Any, terms: Any) -> Any:
    if isinstance(below, Mapping) and isinstance(terms, Mapping):
        return {**below, **terms}
    if not isinstance(below, Mapping | list) or not isinstance(terms, Mapping | list):
        return terms
    alternatives = [each if isinstance(each, list) else [each] for each in (below, terms)]
    return [{**first, **second} for first, second in product(*alternatives)]
