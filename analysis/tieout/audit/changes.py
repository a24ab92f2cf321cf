"""A claim's value after a change of rows of one table: dropped ones, or ones whose outcome is flipped."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise

from tieout import formula as formulas
from tieout.audit.parts import Key, Sums, changing, flipped, turning
from tieout.audit.shape import compose
from tieout.audit.subject import Room, Subject, name_of
from tieout.audit.variants import Variant, dropped, read_columns, readers, rows_where, variants
from tieout.errors import TieoutError
from tieout.exact import Value
from tieout.package import Table
from tieout.planning import FormulaStep, QueryStep
from tieout.printed import Pair

DELETED = "deleted"
WORK = 25_000  # strata to be combined for each row by itself; beyond it sets of rows are tried instead


@dataclass(frozen=True, kw_only=True)
class BySums:
    """A change where every query that reads the table is a sum over its rows, so that any rows can be changed at once.

    `kind` is `deleted` or `flipped COLUMN`; `of` is the number of rows that may be changed.
    """

    room: Room
    subject: Subject
    package: str
    over: Table
    kind: str
    column: str | None
    sums: Mapping[tuple[object, ...], Sums]

    @property
    def table(self) -> str:
        """The table's name."""
        return self.over.name

    @cached_property
    def of(self) -> int:
        """How many rows may be changed."""
        return len(frozenset().union(*(each.rows for each in self.sums.values())))

    def value(self, keys: Sequence[Key], formula: formulas.Formula | None = None) -> Value:
        """The claim's value after the change of these rows."""

        def valuation(step: QueryStep) -> Value:
            sums = self.sums.get(name_of(step))
            return sums.value(keys) if sums else self.room.unchanged(step)

        return self.subject.value(valuation, formula)

    def recomputed(self, keys: Sequence[Key]) -> Value:
        """The same by the engine, over tables in which these rows are changed."""
        where = rows_where(self.over, keys)

        def valuation(step: QueryStep) -> Value:
            if step.asked.package != self.package or self.table not in step.filters:
                return self.room.unchanged(step)
            select = step.filters[self.table]
            changed = (
                dropped(select, where)
                if self.column is None
                else turning(select, self.over, self.column, where)
            )
            return self.room.over(step, {self.table: changed})

        return self.subject.value(valuation)

    @cached_property
    def classes(self) -> list[list[Key]]:
        """The rows that change something, those together that change the same."""
        found: dict[object, list[Key]] = {}
        for key in sorted({key for each in self.sums.values() for key in each.changes}, key=repr):
            found.setdefault(tuple(each.changes.get(key, ()) for each in self.sums.values()), []).append(key)
        return list(found.values())


@dataclass(frozen=True, kw_only=True)
class ByVariants:
    """A change where some query is no sum over the table's rows, so that a few sets of rows are tried."""

    room: Room
    subject: Subject
    package: str
    over: Table
    kind: str
    of: int
    variants: tuple[Variant, ...]

    @property
    def table(self) -> str:
        """The table's name."""
        return self.over.name

    def prepare(self) -> None:
        """Asks for every variant of every query at once."""
        for step in readers(self.subject, self.package, self.over):
            select = step.filters[self.table]
            self.room.prepare(
                self.package,
                [compose(step, {self.table: dropped(select, each.condition)}) for each in self.variants],
            )

    def value(self, variant: Variant, formula: formulas.Formula | None = None) -> Value:
        """The claim's value without the variant's rows."""

        def valuation(step: QueryStep) -> Value:
            if step.asked.package != self.package or self.table not in step.filters:
                return self.room.unchanged(step)
            select = dropped(step.filters[self.table], variant.condition)
            return self.room.over(step, {self.table: select})

        return self.subject.value(valuation, formula)


def changes(room: Room, subject: Subject) -> list[BySums | ByVariants]:
    """Every way to change rows of a table that the claim reads: deletion, and a flip of each outcome that is read."""
    found: list[BySums | ByVariants] = []
    for package, table in subject.tables():
        queries = readers(subject, package, table)
        if not queries or not table.key:
            continue
        deleting = {name_of(step): changing(room, step, table, None) for step in queries}
        found.append(_change(room, subject, package, table, DELETED, None, deleting))
        for column in read_columns(queries, table):
            if column in table.with_role("outcome") and flipped(table, column):
                each = {name_of(step): changing(room, step, table, column) for step in queries}
                if all(each.values()):
                    kind = f"flipped {column}"
                    found.append(_change(room, subject, package, table, kind, column, each))
    return found


def look_ahead(room: Room, subject: Subject) -> None:
    """Asks for what `changes` needs to begin with."""
    for step in subject.queries():
        room.unchanged(step)
    for package, table in subject.tables():
        queries = readers(subject, package, table)
        outcomes = [name for name in read_columns(queries, table) if name in table.with_role("outcome")]
        for step in queries if table.key else ():
            for column in (None, *outcomes):
                changing(room, step, table, column)


def _change(
    room: Room,
    subject: Subject,
    package: str,
    table: Table,
    kind: str,
    column: str | None,
    sums: Mapping[tuple[object, ...], Sums | None],
) -> BySums | ByVariants:
    whole = {sql: each for sql, each in sums.items() if each is not None}
    if len(whole) == len(sums) and all(
        each.value(()) == room.unchanged(each.step) for each in whole.values()
    ):
        by_sums = BySums(
            room=room, subject=subject, package=package, over=table, kind=kind, column=column, sums=whole
        )
        if len(by_sums.classes) * sum(len(each.base) for each in whole.values()) <= WORK:
            return by_sums
    count, listed = variants(room, readers(subject, package, table), package, table)
    tried = ByVariants(
        room=room, subject=subject, package=package, over=table, kind=kind, of=count, variants=tuple(listed)
    )
    tried.prepare()
    return tried


def quantities(subject: Subject) -> list[formulas.Formula | None]:
    """What of a claim can move: its value (None), or what an assertion compares, as differences of sides."""
    step = subject.step
    if subject.recipe.asserts is None or not isinstance(step, FormulaStep):
        return [None]
    return list(_differences(step.formula.text))


@cache
def _differences(text: str) -> tuple[formulas.Formula, ...]:
    found = []
    for node in ast.walk(formulas.parse(text).tree):
        if isinstance(node, ast.Compare):
            sides = [ast.unparse(side) for side in (node.left, *node.comparators)]
            for left, right in pairwise(sides):
                try:
                    found.append(formulas.parse(f"({left}) - ({right})"))
                except (
                    TieoutError
                ):  # a side that the language would not read back; its claim has fewer quantities
                    continue
    return tuple(found)


def face(subject: Subject, value: Value) -> tuple[object, ...]:
    """The parts of a value that the claim's printings print: where none of them differs, nothing printed moves."""
    parts: dict[str, object] = {}
    for place in subject.result.printings:
        for printed, of in zip(place.printed, place.printing.of, strict=False):
            pair = isinstance(printed.stands_for, Pair)
            for name in ("numerator", "denominator") if pair else (of,):
                parts[name] = value.part(name)
    if not parts:
        parts["value"] = value.value if value.value is not None else tuple(sorted(value.columns.items()))
    return tuple(parts.values())
