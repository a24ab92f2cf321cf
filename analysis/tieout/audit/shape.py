"""The form of a metric's query: what it selects from which table, its own filters, and whether its rows add up."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from tieout import sqltext
from tieout.planning import QueryStep

if TYPE_CHECKING:
    from sqlglot import exp

NUMERATOR, DENOMINATOR, COUNT = "numerator", "denominator", "count"


@dataclass(frozen=True, kw_only=True, slots=True)
class Linear:
    """An integer plus whole multiples of aggregates, each of which is a sum over rows."""

    constant: int
    terms: tuple[tuple[int, exp.Expr], ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Shape:
    """A parsed query. `select` is None where it is no single SELECT, so that nothing more is known of it.

    `tables` are those at the top, by their names in the query, with whether a row there without a partner counts as
    one. `times` counts how often each name is read anywhere in the query.
    """

    select: exp.Select | None
    tables: dict[str, str]
    joined: frozenset[str]
    times: dict[str, int]
    conjuncts: tuple[exp.Expr, ...]
    columns: frozenset[str]

    @property
    def base(self) -> str | None:
        """The one table that the query reads from, None where it reads several or a query inside itself."""
        return next(iter(self.tables.values())) if len(self.tables) == 1 and not self.nested else None

    @property
    def nested(self) -> bool:
        """Whether a query stands inside the query, or a table at the top is no table but such a query."""
        return self.select is None or sum(self.times.values()) != len(self.tables)

    def projection(self, name: str) -> exp.Expr | None:
        """What is selected under a name, None where nothing is."""
        found = [each for each in self.select.selects if each.alias_or_name == name] if self.select else []
        return found[0].unalias() if found else None

    def strata(self) -> tuple[exp.Expr, ...]:
        """The columns before the integers."""
        measures = {NUMERATOR, DENOMINATOR, COUNT}
        return tuple(
            each
            for each in (self.select.selects if self.select else ())
            if each.alias_or_name not in measures
        )

    def adds_over(self, table: str) -> bool:
        """Whether the query's integers are sums over the rows of a table, so that dropping a row subtracts its part.

        So it is where the table is read once, at the top and not as the optional side of a join, where nothing is
        distinct, limited or filtered after grouping, and each integer is a sum of sums and counts.
        """
        if self.select is None or self.times.get(table) != 1 or table not in self.tables.values():
            return False
        name = next(alias for alias, found in self.tables.items() if found == table)
        if name not in self.joined or any(self.select.args.get(each) for each in _NOT_SUMS):
            return False
        group = self.select.args.get("group")
        grouped = {each.sql() for each in group.expressions} if group else set()
        if {each.unalias().sql() for each in self.strata()} != grouped:
            return False
        measures = [self.projection(name) for name in (NUMERATOR, DENOMINATOR, COUNT)]
        sums = [linear(each) for each in measures if each is not None]
        # Without an aggregate the query gives a row for each row, which is another thing than a sum.
        return all(each is not None for each in sums) and any(each.terms for each in sums if each is not None)


_NOT_SUMS = ("distinct", "having", "limit", "offset", "qualify", "windows", "order")


def compose(step: QueryStep, selects: dict[str, str], sql: str | None = None) -> str:
    """A step's query over other rows: `selects` takes the place of the filters of the tables it names."""
    return sqltext.compose(step.own if sql is None else sql, {**step.filters, **selects})


@lru_cache(maxsize=4096)
def shape(sql: str) -> Shape:
    """The form of a query that was checked already."""
    from sqlglot import exp, parse_one

    tree = parse_one(sql, read="duckdb")
    inside = {cte.alias for cte in tree.find_all(exp.CTE)}
    times = Counter(node.name for node in tree.find_all(exp.Table) if node.name not in inside)
    columns = frozenset(node.name for node in tree.find_all(exp.Column))
    nothing: frozenset[str] = frozenset()
    if not isinstance(tree, exp.Select):
        return Shape(select=None, tables={}, joined=nothing, times=dict(times), conjuncts=(), columns=columns)
    tables, joined = _tables(tree, inside)
    where = tree.args.get("where")
    return Shape(
        select=tree,
        tables=tables,
        joined=joined,
        times=dict(times),
        conjuncts=tuple(where.this.flatten())
        if where and isinstance(where.this, exp.And)
        else (where.this.unnest(),)
        if where
        else (),
        columns=columns,
    )


def _tables(tree: exp.Select, inside: set[str]) -> tuple[dict[str, str], frozenset[str]]:
    from sqlglot import exp

    tables: dict[str, str] = {}
    joined: set[str] = set()
    source = tree.args.get("from_")
    joins = tree.args.get("joins") or []
    one_sided = any(join.side in {"RIGHT", "FULL"} for join in joins)
    for place, node in [("", source.this if source else None), *((join.side, join.this) for join in joins)]:
        if isinstance(node, exp.Table) and node.name not in inside:
            tables[node.alias_or_name] = node.name
            if place != "LEFT" and not one_sided:
                joined.add(node.alias_or_name)
    return tables, frozenset(joined)


def without(sql: str, index: int) -> str:
    """The query without one of its own filters, by the filter's index in `conjuncts`."""
    from sqlglot import exp

    known = shape(sql)
    assert known.select is not None, "only a single SELECT has filters of its own"
    tree = known.select.copy()
    kept = [each.copy() for place, each in enumerate(known.conjuncts) if place != index]
    tree.set("where", exp.Where(this=exp.and_(*kept)) if kept else None)
    return tree.sql(dialect="duckdb")


def linear(node: exp.Expr | None) -> Linear | None:
    """The node as a sum of aggregates, None where it is something else."""
    from sqlglot import exp

    match node:
        case exp.Paren() | exp.Alias():
            return linear(node.this)
        case exp.Literal() if not node.is_string:
            return Linear(constant=int(node.this), terms=())
        case exp.Neg():
            return _scaled(linear(node.this), -1)
        case exp.Add() | exp.Sub():
            left, right = (
                linear(node.left),
                _scaled(linear(node.right), -1 if isinstance(node, exp.Sub) else 1),
            )
            if left is None or right is None:
                return None
            return Linear(constant=left.constant + right.constant, terms=left.terms + right.terms)
        case exp.Mul():
            left, right = linear(node.left), linear(node.right)
            if left is None or right is None or (left.terms and right.terms):
                return None
            return _scaled(left, right.constant) if left.terms else _scaled(right, left.constant)
        case exp.Filter():
            return Linear(constant=0, terms=((1, node),)) if _sums(node.this) else None
        case _:
            return Linear(constant=0, terms=((1, node),)) if node is not None and _sums(node) else None


def _scaled(found: Linear | None, factor: int) -> Linear | None:
    if found is None:
        return None
    terms = tuple((factor * weight, node) for weight, node in found.terms)
    return Linear(constant=factor * found.constant, terms=terms)


def _sums(node: exp.Expr) -> bool:
    from sqlglot import exp

    if not isinstance(node, exp.Sum | exp.Count) or isinstance(node.this, exp.Distinct):
        return False
    return not any(isinstance(each, exp.AggFunc | exp.Window | exp.Subquery) for each in node.this.walk())
