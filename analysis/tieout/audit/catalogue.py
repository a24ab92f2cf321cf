"""Values of catalogue metrics over a package's filters, whether anybody printed them or not."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from typing import Any
from weakref import WeakKeyDictionary

from tieout import metrics, sqltext
from tieout.audit.workbench import Workbench
from tieout.errors import TieoutError
from tieout.exact import Rows, Scalar, Value
from tieout.ledger import Recipe
from tieout.package import Package
from tieout.printed import Pair, Printed, compare
from tieout.recompute import Recomputed

MOST = 1_800  # recipes tried a package; those left out are counted
VALUES = 24  # a column with more different values is not filtered by
REACH = 4  # values tried of an integer parameter, from its least on

Terms = Mapping[str, Scalar]


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """A catalogue metric on a filter, and the part of its value that was looked at."""

    package: str
    metric: str
    where: Mapping[str, Any]
    params: Mapping[str, Any]
    of: str
    value: Fraction

    def to_json(self) -> dict[str, Any]:
        """As the report's JSON has it: rationals are strings."""
        return {
            "package": self.package,
            "metric": self.metric,
            "where": dict(self.where),
            "params": dict(self.params),
            "of": self.of,
            "value": str(self.value),
        }


@dataclass(frozen=True, kw_only=True)
class Catalogue:
    """Every value that was tried of one package; `left_out` counts recipes beyond the limit, which were not."""

    package: str
    tried: int
    left_out: int
    values: tuple[tuple[Recipe, Value], ...]

    def yielding(self, printed: Printed) -> Iterator[Found]:
        """The recipes whose value, numerator or denominator prints so, in the order in which they were tried."""
        stands_for = printed.stands_for
        if isinstance(stands_for, Pair):
            for recipe, value in self.values:
                if (value.numerator, value.denominator) == (stands_for.numerator, stands_for.denominator):
                    yield self._found(recipe, "value", Fraction(stands_for.numerator, stands_for.denominator))
            return
        if stands_for.low is None or stands_for.high is None:
            return
        first = bisect_left(self._numbers, stands_for.low)
        last = bisect_right(self._numbers, stands_for.high)
        near = {place for number in self._numbers[first:last] for place in self._places[number]}
        for index, of in sorted(near):
            recipe, value = self.values[index]
            number = _part(value, of)
            if number is not None and compare(printed, number, exact=value.exact).verdict == "ties":
                yield self._found(recipe, of, number)

    def _found(self, recipe: Recipe, of: str, value: Fraction) -> Found:
        return Found(
            package=self.package,
            metric=str(recipe.metric),
            where=recipe.where,
            params=recipe.params,
            of=of,
            value=value,
        )

    @cached_property
    def _places(self) -> Mapping[Fraction, list[tuple[int, str]]]:
        places: dict[Fraction, list[tuple[int, str]]] = {}
        for index, (_, value) in enumerate(self.values):
            parts = ("value", "numerator", "denominator", *value.columns)
            for of in parts:
                if (number := _part(value, of)) is not None:
                    places.setdefault(number, []).append((index, of))
        return places

    @cached_property
    def _numbers(self) -> list[Fraction]:
        return sorted(self._places)


def _part(value: Value, of: str) -> Fraction | None:
    number = value.part(of)
    return None if isinstance(number, bool) else number


_surveys: WeakKeyDictionary[Workbench, dict[str, Catalogue]] = WeakKeyDictionary()


def survey(package: Package, bench: Workbench) -> Catalogue:
    """What the catalogue yields over one package: each metric whole, then under single values, then under pairs.

    A filter is put on one table at a time. Pairs are those that occur, and one of their columns is a condition of the
    study; values of other columns that name a few groups are tried too. Ledgers that share a package share its survey.
    """
    known = _surveys.setdefault(bench, {})
    if package.name not in known:
        known[package.name] = _survey(package, bench)
    return known[package.name]


def _survey(package: Package, bench: Workbench) -> Catalogue:
    whole = [recipe for name in metrics.names() for recipe in _whole(name, package)]
    results = bench.values(package.name, whole)
    working = [
        recipe for recipe, result in zip(whole, results, strict=True) if isinstance(result, Recomputed)
    ]
    filters = {table: _filters(package, table, bench) for table in package.tables}
    filtered = [
        Recipe(metric=recipe.metric, where={**recipe.where, table: dict(terms)}, params=recipe.params)
        for rank in range(3)
        for recipe in working
        for table in recipe.where
        for terms in filters[table][rank]
    ]
    room = max(MOST - len(whole), 0)
    results += bench.values(package.name, filtered[:room])
    values = [
        (recipe, result.value)
        for recipe, result in zip([*whole, *filtered[:room]], results, strict=True)
        if isinstance(result, Recomputed)
    ]
    return Catalogue(
        package=package.name,
        tried=len(values),
        left_out=len(filtered[room:]),
        values=tuple(values),
    )


def _whole(name: str, package: Package) -> Iterator[Recipe]:
    """A metric on unfiltered tables, once for each choice of its parameters; none where a table is lacking."""
    metric = metrics.load(name)
    try:
        tables = _tables(metric, package)
    except TieoutError:
        return
    if isinstance(metric, metrics.SQLMetric) and metric.combine == "member":
        return
    choices = [_choices(declared) for declared in metric.params.values()]
    for chosen in product(*choices):
        params = dict(zip(metric.params, chosen, strict=True))
        yield Recipe(metric=name, where=dict.fromkeys(sorted(tables), "all"), params=params)


def _tables(metric: metrics.Metric, package: Package) -> frozenset[str]:
    if isinstance(metric, metrics.SQLMetric):
        return sqltext.check(metric.sql, package.tables).tables
    inner = (metrics.load(given.metric) for given in metric.inputs.values())
    return frozenset().union(*(_tables(below, package) for below in inner))


def _choices(declared: Mapping[str, object]) -> list[Scalar]:
    allowed = declared.get("enum")
    if isinstance(allowed, list):
        return list(allowed)
    if declared["type"] == "boolean":
        return [False, True]
    least = declared.get("minimum", 1)
    if declared["type"] == "integer" and isinstance(least, int):
        return list(range(least, least + REACH))
    return []


def _filters(package: Package, table: str, bench: Workbench) -> tuple[list[Terms], list[Terms], list[Terms]]:
    """Single values, pairs of two conditions, and pairs of a condition with another column."""
    conditions = set(package.tables[table].with_role("condition"))
    columns = [*package.tables[table].with_role("condition"), *_groups(package, table)]
    pairs = [pair for pair in combinations(columns, 2) if conditions & set(pair)]
    asked: list[tuple[str, ...]] = [(column,) for column in columns]
    asked += pairs
    answers = bench.rows(
        package.name,
        [
            f"SELECT DISTINCT {', '.join(map(quoted, names))} FROM receipts.{table} ORDER BY ALL"
            for names in asked
        ],
    )
    known = {
        names: answer.rows for names, answer in zip(asked, answers, strict=True) if isinstance(answer, Rows)
    }
    many = {column for column in columns if len(known.get((column,), ())) > VALUES}
    ranked: tuple[list[Terms], list[Terms], list[Terms]] = ([], [], [])
    for names, rows in known.items():
        if not many & set(names):
            rank = 0 if len(names) == 1 else 1 if conditions >= set(names) else 2
            ranked[rank].extend(dict(zip(names, row, strict=True)) for row in rows if None not in row)
    return ranked


def _groups(package: Package, table: str) -> Iterable[str]:
    """Columns that name a few groups of rows by their schema, and are neither a condition nor an outcome."""
    for name, column in package.tables[table].schema["properties"].items():
        role = column.get("tieout", {}).get("role", "none")
        if role in {"none", "key"} and ("enum" in column or column.get("type") == "boolean"):
            yield name


def quoted(column: str) -> str:
    """A column's name as SQL; a schema may give it any."""
    return '"' + column.replace('"', '""') + '"'
