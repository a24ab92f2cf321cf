"""Whether a value depends on the rows it is said to be made from, and on nothing but them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

from tieout.audit.changes import BySums, ByVariants, face, quantities
from tieout.audit.shape import compose, shape
from tieout.audit.subject import Room, Subject
from tieout.audit.variants import disturbances, read_columns, readers, shuffled
from tieout.exact import Value
from tieout.formula import Formula
from tieout.planning import QueryStep
from tieout.recompute import agree


@dataclass(frozen=True, kw_only=True, slots=True)
class Moved:
    """How many of the rows (or sets of rows) that were changed one after the other moved what is printed."""

    change: str
    table: str
    moved: int
    tried: int
    of: int

    def to_json(self) -> dict[str, Any]:
        """The finding's part of the audit's JSON."""
        return {
            "change": self.change,
            "table": self.table,
            "moved": self.moved,
            "tried": self.tried,
            "of": self.of,
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Movement:
    """What moves a value. `shuffled` says that another order of rows gives the same; None where nothing is read.

    `cells` names the first column found whose change moves it, looked for where no change of rows did. `hollow`
    says that nothing tried moves it: the query answers the same whatever the receipts hold.
    """

    rows: tuple[Moved, ...]
    shuffled: bool | None
    cells: tuple[str, ...]
    hollow: bool

    def to_json(self) -> dict[str, Any]:
        """The finding's part of the audit's JSON."""
        return {
            "moves": [each.to_json() for each in self.rows],
            "same_when_shuffled": self.shuffled,
            "cells": list(self.cells),
            "hollow": self.hollow,
        }


def movement(room: Room, subject: Subject, changes: Sequence[BySums | ByVariants]) -> Movement:
    """What moves a claim's value: of a formula its own value, of an assertion the sides of its comparisons.

    A change that leaves no value at all does not count: a constant over no rows has none either.
    """
    faces = _Faces(room, subject)
    rows = tuple(_moved(faces, change) for change in changes)
    moved = any(each.moved for each in rows)
    cells = () if moved else tuple(islice(_cells(faces), 1))
    return Movement(
        rows=rows, shuffled=same_when_shuffled(room, subject), cells=cells, hollow=not moved and not cells
    )


class _Faces:
    """What of a claim can be seen to move, as it stands and under other values of its queries."""

    def __init__(self, room: Room, subject: Subject) -> None:
        self.room, self.subject = room, subject
        self._asked = quantities(subject)
        self._before = [face(subject, subject.value(room.unchanged, each)) for each in self._asked]

    def moved(self, value: Callable[[Formula | None], Value]) -> bool:
        for asked, before in zip(self._asked, self._before, strict=True):
            after = face(self.subject, value(asked))
            if any(new != old and new is not None for new, old in zip(after, before, strict=True)):
                return True
        return False


def _moved(faces: _Faces, change: BySums | ByVariants) -> Moved:
    if isinstance(change, BySums):
        moved = sum(len(keys) for keys in change.classes if faces.moved(partial(change.value, keys[:1])))
        tried = change.of
    else:
        moved = sum(faces.moved(partial(change.value, variant)) for variant in change.variants)
        tried = len(change.variants)
    return Moved(change=change.kind, table=change.table, moved=moved, tried=tried, of=change.of)


def same_when_shuffled(room: Room, subject: Subject) -> bool | None:
    """Whether another order of rows gives the same answers; None where nothing is read."""
    same: list[bool] = []
    for step in subject.queries():
        selects = {
            table.name: shuffled(step.filters[table.name], table)
            for table in step.tables
            if table.name in step.filters
        }
        before = room.rows(step.asked.package, step.asked.sql)
        after = room.rows(step.asked.package, compose(step, selects))
        if before is not None and selects:
            same.append(after is not None and agree(before, after))
    return all(same) if same else None


def _cells(faces: _Faces) -> Iterator[str]:
    """The columns read, derived tables' too, whose cells move the value when they are changed."""
    for package, table in faces.subject.recomputed.tables:
        queries = readers(faces.subject, package, table)
        # What the query itself names moves a value sooner than what only its filter names.
        own = {column for query in queries for column in shape(query.own).columns}
        for column in sorted(read_columns(queries, table), key=lambda name: name not in own):
            listed = [disturbances(query.filters[table.name], table, column) for query in queries]
            if any(_moves(faces, table.name, queries, selects) for selects in zip(*listed, strict=True)):
                yield f"{table.name}.{column}"
        if table.derivation is not None:
            one = [f"SELECT * FROM ({query.filters[table.name]}) LIMIT 1" for query in queries]
            if _moves(faces, table.name, queries, one):
                yield f"{table.name}: its number of rows"


def _moves(faces: _Faces, table: str, queries: Sequence[QueryStep], selects: Sequence[str]) -> bool:
    by_query = {query.asked: select for query, select in zip(queries, selects, strict=True)}

    def valuation(step: QueryStep) -> Value:
        select = by_query.get(step.asked)
        return faces.room.over(step, {table: select}) if select else faces.room.unchanged(step)

    return faces.moved(lambda asked: faces.subject.value(valuation, asked))
