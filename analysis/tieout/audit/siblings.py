"""What the same metric gives in the settings that a claim did not print, and which of those are printed elsewhere."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from tieout.audit.parts import grouped
from tieout.audit.subject import Room, Subject, number, subjects
from tieout.exact import Rows, Scalar, Value
from tieout.ledger import Recipe
from tieout.package import Package, Table
from tieout.planning import QueryStep
from tieout.report import number as text_of
from tieout.sqltext import COMPARISONS

Setting = tuple[Scalar, ...]
_HOLDS = {
    "below": lambda cell, end: cell < end,
    "above": lambda cell, end: cell > end,
    "at_least": lambda cell, end: cell >= end,
    "at_most": lambda cell, end: cell <= end,
}
assert set(_HOLDS) == set(COMPARISONS), "a filter's comparisons are told here and in sqltext"


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """A printing of a value, or of none: a claim that computes it and prints it nowhere has no text."""

    ledger: str
    claim: str
    text: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Sibling:
    """The metric in one setting. `value` is None where there is none; `this` marks the claim's own setting."""

    setting: Mapping[str, Scalar]
    value: Fraction | bool | None
    exact: bool
    reason: str | None
    this: bool
    places: tuple[Place, ...]

    @property
    def printed(self) -> bool:
        """Whether any of the given ledgers prints it."""
        return any(place.text is not None for place in self.places)

    def to_json(self) -> dict[str, Any]:
        """The sibling's part of the audit's JSON."""
        return {
            "setting": dict(self.setting),
            "value": text_of(self.value, exact=self.exact),
            "reason": self.reason,
            "this": self.this,
            "printed": [
                {"ledger": place.ledger, "claim": place.claim, "text": place.text} for place in self.places
            ],
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Strip:
    """A metric's values over one condition, over whole settings, or over the members of a set.

    `over` names the columns that vary. `rank` counts from the highest value, which is 1, and `rank_from_lowest` from
    the lowest; both are None where the claim's value is no number. `pools` is how many of the settings the claim's own
    filter puts together, 1 where it is one of them.
    """

    table: str
    over: tuple[str, ...]
    siblings: tuple[Sibling, ...]
    rank: int | None
    rank_from_lowest: int | None
    tied: int
    pools: int

    @property
    def unprinted(self) -> int:
        """How many settings no given ledger prints."""
        return sum(not each.printed for each in self.siblings)

    def to_json(self) -> dict[str, Any]:
        """The strip's part of the audit's JSON."""
        return {
            "table": self.table,
            "over": list(self.over),
            "rank": self.rank,
            "rank_from_lowest": self.rank_from_lowest,
            "tied": self.tied,
            "of": len(self.siblings),
            "pools": self.pools,
            "not_printed": self.unprinted,
            "values": [each.to_json() for each in self.siblings],
        }


class Settings:
    """The settings that tables hold, and who computes or prints what in which of them."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._settings: dict[tuple[str, str], tuple[tuple[str, ...], list[Setting]]] = {}
        self._places: dict[str, dict[Place, None]] = {}
        for subject in subjects(room.report):
            if (package := subject.package) is not None and subject.recipe.formula is None:
                name = self._name(package, subject.recipe)
                texts: list[str | None] = [place.printing.text for place in subject.result.printings]
                for text in texts or [None]:
                    place = Place(ledger=subject.book.ledger.id, claim=subject.result.claim.id, text=text)
                    self._places.setdefault(name, {})[place] = None

    def of(self, package: Package, table: Table) -> tuple[tuple[str, ...], list[Setting]]:
        """A table's condition columns, and every combination of their values that it holds, sorted."""
        name = (package.name, table.name)
        if name not in self._settings:
            columns = table.with_role("condition")
            listed: list[Setting] = []
            if columns:
                names = ", ".join(f'"{column}"' for column in columns)
                rows = self._room.rows(package.name, f"SELECT DISTINCT {names} FROM receipts.{table.name}")
                listed = sorted(rows.rows if isinstance(rows, Rows) else (), key=_order)
            self._settings[name] = (columns, listed)
        return self._settings[name]

    def places(self, package: Package, recipe: Recipe) -> tuple[Place, ...]:
        """Where the given ledgers compute and print what this recipe does, told by the rows it selects."""
        found = self._places.get(self._name(package, recipe), {})
        texts = tuple(place for place in found if place.text is not None)
        return texts or tuple(found)

    def _name(self, package: Package, recipe: Recipe) -> str:
        selected: dict[str, object] = {}
        for name, where in recipe.where.items():
            table = package.tables.get(name)
            terms = {} if where == "all" else where
            if table is None or not isinstance(terms, Mapping):
                selected[name] = where
                continue
            columns, listed = self.of(package, table)
            rest = {column: term for column, term in terms.items() if column not in columns}
            selected[name] = [[repr(each) for each in listed if _selects(columns, each, terms)], rest]
        what = [
            package.name,
            recipe.metric,
            recipe.sql,
            recipe.combine,
            selected,
            recipe.params,
            recipe.member,
        ]
        return json.dumps(what, sort_keys=True, default=str)


def siblings(room: Room, settings: Settings, subject: Subject) -> list[Strip]:
    """The claim's strips: one for each condition that it filters by, one over whole settings, one over a set's members.

    Empty where the claim filters by no condition.
    """
    if (package := subject.package) is None:
        return []
    if isinstance(subject.step, QueryStep) and subject.step.combine == "member":
        return _members(room, subject, subject.step)
    strips: list[Strip] = []
    for name, where in subject.recipe.where.items():
        table = package.tables.get(name)
        if table is None or not isinstance(where, Mapping):
            continue
        columns, listed = settings.of(package, table)
        named = [column for column in columns if column in where]
        for column in named:
            others = {key: term for key, term in where.items() if key != column}
            index = columns.index(column)
            kept = [each for each in listed if _selects(columns, each, others)]
            values = sorted({(each[index],) for each in kept}, key=_order)
            own: set[Setting] = {(each[index],) for each in listed if _selects(columns, each, where)}
            strips.append(_strip(room, settings, subject, package, table, (column,), values, own))
        if named and len(columns) > 1:
            own = {each for each in listed if _selects(columns, each, where)}
            strips.append(_strip(room, settings, subject, package, table, columns, listed, own))
    return [strip for strip in strips if len(strip.siblings) > 1]


def _strip(
    room: Room,
    settings: Settings,
    subject: Subject,
    package: Package,
    table: Table,
    over: tuple[str, ...],
    values: Sequence[Setting],
    own: set[Setting],
) -> Strip:
    where = subject.recipe.where[table.name]
    filters = [{**where, **dict(zip(over, each, strict=True))} for each in values]
    recipes = [replace(subject.recipe, where={**subject.recipe.where, table.name: each}) for each in filters]
    found = _by_sums(room, settings, subject, package, table, filters)
    if found is None:
        found = room.values(package.name, recipes)
    listed = tuple(
        Sibling(
            setting=dict(zip(over, setting, strict=True)),
            value=value.value,
            exact=value.exact,
            reason=value.reason,
            this=own == {setting},
            places=settings.places(package, recipe),
        )
        for setting, value, recipe in zip(values, found, recipes, strict=True)
    )
    return _ranked(table.name, over, listed, subject.recomputed.value, len(own))


def _by_sums(
    room: Room,
    settings: Settings,
    subject: Subject,
    package: Package,
    table: Table,
    filters: Sequence[Mapping[str, object]],
) -> list[Value] | None:
    """The values under filters that differ in conditions alone, by one query; None where it is no sum over rows."""
    columns, listed = settings.of(package, table)
    rest = {column: term for column, term in filters[0].items() if column not in columns}
    recipe = replace(subject.recipe, where={**subject.recipe.where, table.name: rest or "all"})
    step = room.workbench.plan(package.name, recipe)
    sums = grouped(room, step, table, columns) if isinstance(step, QueryStep) else None
    if sums is None:
        return None
    return [sums.value([each for each in listed if _selects(columns, each, where)]) for where in filters]


def _ranked(
    table: str, over: tuple[str, ...], listed: tuple[Sibling, ...], value: Value, pools: int
) -> Strip:
    own = number(value.value)
    numbers = [found for each in listed if not each.this and (found := number(each.value)) is not None]
    return Strip(
        table=table,
        over=over,
        siblings=listed,
        rank=None if own is None else 1 + sum(each > own for each in numbers),
        rank_from_lowest=None if own is None else 1 + sum(each < own for each in numbers),
        tied=0 if own is None else sum(each == own for each in numbers),
        pools=pools,
    )


def _members(room: Room, subject: Subject, step: QueryStep) -> list[Strip]:
    answer = room.rows(step.asked.package, step.asked.sql)
    if answer is None or len(answer.rows) < 2:
        return []
    keys = answer.columns[:-1]
    fixed = dict(step.member)
    listed = []
    for row in sorted(answer.rows, key=_order):
        setting = dict(zip(keys, row, strict=False))
        this = all(setting.get(name) == wanted for name, wanted in fixed.items())
        cell = row[-1]
        value = Fraction(cell) if isinstance(cell, int) else None
        listed.append(Sibling(setting=setting, value=value, exact=True, reason=None, this=this, places=()))
    tables = ", ".join(sorted(step.filters))
    return [_ranked(tables, tuple(keys), tuple(listed), subject.recomputed.value, 1)]


def _selects(columns: Sequence[str], setting: Setting, where: Mapping[str, object]) -> bool:
    return all(
        matches(cell, where[column]) for column, cell in zip(columns, setting, strict=True) if column in where
    )


def matches(cell: Scalar, term: object) -> bool:
    """Whether a cell meets a filter's term, as the SQL of `sqltext.condition` would say of it."""
    if isinstance(term, Mapping):
        return all(_meets(cell, name, value) for name, value in term.items())
    if isinstance(term, list | tuple):
        return any(_same(cell, value) for value in term)
    return _same(cell, term)


def _meets(cell: Scalar, name: str, value: object) -> bool:
    if name == "not":
        return not any(_same(cell, each) for each in (value if isinstance(value, list | tuple) else [value]))
    return isinstance(cell, int) and isinstance(value, int) and _HOLDS[name](cell, value)


def _same(cell: Scalar, value: object) -> bool:
    return cell == value and isinstance(cell, bool) == isinstance(value, bool)


def _order(row: Sequence[Scalar]) -> tuple[tuple[str, Any], ...]:
    return tuple((type(cell).__name__, "" if cell is None else cell) for cell in row)


def unprinted(strips: Sequence[Strip]) -> Iterator[Sibling]:
    """Of the widest strip the siblings that tie with the claim's value and are printed nowhere."""
    for strip in strips[-1:]:
        own = [each.value for each in strip.siblings if each.this]
        yield from (
            each
            for each in strip.siblings
            if own and each.value == own[0] and not each.this and not each.printed
        )
