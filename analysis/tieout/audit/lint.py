"""Remarks on how a ledger's claims are written: each names a form that can make a number tie, and accuses nobody."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tieout import formula as formulas
from tieout import metrics, sqltext
from tieout.audit.catalogue import quoted
from tieout.audit.workbench import Workbench
from tieout.definition import one_line
from tieout.errors import TieoutError
from tieout.exact import Rows
from tieout.ledger import Recipe
from tieout.package import Package
from tieout.printed import Pair
from tieout.recompute import Recomputed
from tieout.report import ClaimResult, LedgerResult, number

if TYPE_CHECKING:
    from sqlglot import exp

RULES = ("half-up", "half-even", "binary-half")
MANY = 12  # a key column with more different texts names single rows; with fewer it names groups


@dataclass(frozen=True, kw_only=True, slots=True)
class Remark:
    """One form that was found; `claim` is None for what concerns the document as a whole."""

    code: str
    claim: str | None
    says: str

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {"code": self.code, "claim": self.claim, "says": self.says}


def lint(book: LedgerResult, bench: Workbench) -> tuple[Remark, ...]:
    """The remarks on a ledger, claim by claim, then those on the whole document."""
    ids = {package.name: _ids(package, bench) for package in book.packages.values()}
    remarks: list[Remark] = []
    for result in book.claims:
        package = _package(book, result)
        for code, says in _claim(result, package, ids, bench):
            remarks.append(Remark(code=code, claim=result.claim.id, says=says))
    remarks += _rounding(book)
    return tuple(dict.fromkeys(remarks))


def _package(book: LedgerResult, result: ClaimResult) -> Package | None:
    recipe = result.claim.recipe
    if recipe is None or (recipe.metric is None and recipe.sql is None):
        return None
    if recipe.package is not None:
        return book.packages[recipe.package]
    return next(iter(book.packages.values())) if len(book.packages) == 1 else None


def _claim(
    result: ClaimResult, package: Package | None, ids: Mapping[str, Ids], bench: Workbench
) -> Iterator[tuple[str, str]]:
    recipe = result.claim.recipe
    if recipe is None:
        return
    if recipe.sql is not None and package is not None:
        yield from _sql(recipe.sql, result, package, ids[package.name])
        yield from _same_name(result, recipe, package, bench)
    if (text := recipe.formula or recipe.asserts) is not None:
        yield from _formula(text, result)
    if package is not None:
        yield from _where(recipe.where, result, ids[package.name])
    if result.printings:
        yield from _judges(result, bench)
    if result.claim.timing == "planned" and not result.claim.registration:
        yield "planned-unregistered", "the timing is `planned` and no dated registration is named"


Ids = Mapping[str, frozenset[str]]  # table -> columns that name a single case, a repeat or a row


def _ids(package: Package, bench: Workbench) -> Ids:
    found: dict[str, frozenset[str]] = {}
    for name, table in package.tables.items():
        columns = table.schema["properties"]
        keys = [column for column in table.with_role("key") if columns[column].get("type") == "string"]
        named = {*table.with_role("case"), *table.with_role("repeat")}
        if keys:
            counted = ", ".join(f"count(DISTINCT {quoted(column)})" for column in keys)
            [answer] = bench.rows(package.name, [f"SELECT {counted} FROM receipts.{name}"])
            if isinstance(answer, Rows):
                cells = zip(keys, answer.rows[0], strict=True)
                named |= {column for column, many in cells if isinstance(many, int) and many > MANY}
        found[name] = frozenset(named)
    return found


def _sql(sql: str, result: ClaimResult, package: Package, ids: Ids) -> Iterator[tuple[str, str]]:
    from sqlglot import exp, parse_one
    from sqlglot.errors import SqlglotError

    try:
        tree = parse_one(sql, read="duckdb")
    except (SqlglotError, RecursionError):
        return  # its verdict is `error`, which says why
    read = {table.name for table in tree.find_all(exp.Table)} & set(package.tables)
    if not read:
        yield "reads-no-table", "the query reads no table of the package"
    for kind, code, says in (
        (exp.Values, "values", "the query holds rows of its own (VALUES)"),
        (exp.Case, "case", "the query decides by CASE"),
        (exp.Limit, "limit", "the query keeps some rows only (LIMIT)"),
        (exp.Round, "round", "the query rounds"),
    ):
        if found := tree.find(kind):
            yield code, f"{says}: {_short(found.sql(dialect='duckdb'))}"
    literals = [
        int(literal.this)
        for literal in tree.find_all(exp.Literal)
        if not literal.is_string and literal.this.isdigit() and not isinstance(literal.parent, exp.Limit)
    ]
    factors = [
        int(side.this)
        for product in tree.find_all(exp.Mul)
        for side in (product.this, product.expression)
        if isinstance(side, exp.Literal) and not side.is_string and side.this.isdigit()
    ]
    yield from _literals([Fraction(one) for one in literals], [Fraction(one) for one in factors], result)
    named = {column for table in read for column in ids[table]}
    for predicate in tree.find_all(
        exp.EQ, exp.NEQ, exp.In, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between, exp.Like
    ):
        column = next((one for one in _columns(predicate) if one.name in named), None)
        if column is not None and predicate.find(exp.Literal):
            yield (
                "id-in-predicate",
                f"the query picks rows by their name: {_short(predicate.sql(dialect='duckdb'))}",
            )


def _columns(predicate: exp.Condition) -> Iterable[exp.Column]:
    from sqlglot import exp

    sides = (predicate.this, predicate.args.get("expression"))
    return [side for side in sides if isinstance(side, exp.Column)]


def _formula(text: str, result: ClaimResult) -> Iterator[tuple[str, str]]:
    try:
        parsed = formulas.parse(text)
    except TieoutError:
        return  # its verdict is `error`, which says why
    if not parsed.names:
        yield "reads-no-table", f"`{text}` holds literals only"
    numbers = [node for node in ast.walk(parsed.tree) if isinstance(node, ast.Constant)]
    factors = [
        side
        for node in ast.walk(parsed.tree)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult)
        for side in (node.left, node.right)
        if isinstance(side, ast.Constant)
    ]
    yield from _literals(_numbers(numbers), _numbers(factors), result)


def _numbers(nodes: Iterable[ast.Constant]) -> list[Fraction]:
    return [Fraction(str(node.value)) for node in nodes]


def _literals(
    literals: list[Fraction], factors: list[Fraction], result: ClaimResult
) -> Iterator[tuple[str, str]]:
    """Literals that are what is printed, make it together, or are a factor of it; 0 and 1 stand in too many queries."""
    telling = list(dict.fromkeys(literal for literal in literals if literal not in (0, 1)))
    products = {a * b: (a, b) for a in telling for b in telling}
    for text, printed in _printed_numbers(result):
        if equal := [literal for literal in telling if literal == printed]:
            yield "literal-is-printing", f"the literal {equal[0]} is the printed “{text}”"
        elif printed in products:
            pair = products[printed]
            yield "literals-make-printing", f"the literals {pair[0]} and {pair[1]} make the printed “{text}”"
        elif divides := [one for one in factors if one > 1 and printed and printed % one == 0]:
            yield (
                "literal-is-factor",
                f"the query multiplies by {divides[0]}, a factor of the printed “{text}”",
            )


def _printed_numbers(result: ClaimResult) -> Iterator[tuple[str, Fraction]]:
    """The numbers that a literal could repeat: as printed, in percent, the parts of a pair, the digits alone."""
    for place in result.printings:
        found: dict[Fraction, None] = {}
        for part in place.printed:
            if isinstance(part.stands_for, Pair):
                found[Fraction(part.stands_for.numerator)] = None
                found[Fraction(part.stands_for.denominator)] = None
                continue
            found[part.face] = None
            if part.scale != 1:
                found[part.face / part.scale] = None
            if part.unit and part.significant > 1:
                found[part.face / part.unit] = None
        for printed in found:
            yield place.printing.text, printed


def _is_pair(result: ClaimResult, text: str) -> bool:
    return any(
        isinstance(part.stands_for, Pair)
        for place in result.printings
        for part in place.printed
        if part.text == text
    )


def _where(where: Mapping[str, Any], result: ClaimResult, ids: Ids) -> Iterator[tuple[str, str]]:
    # The parts of a pair are small counts, which filters hold for many reasons.
    printed = {value: text for text, value in _printed_numbers(result) if not _is_pair(result, text)}
    for table, filtered in where.items():
        for terms in filtered if isinstance(filtered, list) else [filtered]:
            for column, term in terms.items() if isinstance(terms, Mapping) else ():
                if column in ids.get(table, ()):
                    yield "id-in-predicate", f"the filter picks rows by their name: {table}.{column} {term}"
                if type(term) is int and term > 1 and term in printed:
                    text = printed[Fraction(term)]
                    yield "filter-is-printing", f"the filter {table}.{column} {term} is the printed “{text}”"


def _same_name(
    result: ClaimResult, recipe: Recipe, package: Package, bench: Workbench
) -> Iterator[tuple[str, str]]:
    name = _metric_named(result.claim.id)
    if name is None or recipe.sql is None or result.recomputed is None:
        return
    metric = metrics.load(name)
    if not isinstance(metric, metrics.SQLMetric) or one_line(metric.sql) == one_line(recipe.sql):
        return
    try:
        tables = sqltext.check(metric.sql, package.tables).tables
    except TieoutError:
        return
    params = {key: value for key, value in recipe.params.items() if key in metric.params}
    where = {table: recipe.where.get(table, "all") for table in tables}
    [theirs] = bench.values(
        package.name, [Recipe(metric=name, where=where, params=params, member=recipe.member)]
    )
    ours = result.recomputed.value
    if isinstance(theirs, Recomputed) and theirs.value.value is not None and theirs.value.value != ours.value:
        own, other = (
            number(ours.value, exact=ours.exact),
            number(theirs.value.value, exact=theirs.value.exact),
        )
        yield (
            "other-metric-of-name",
            f"the claim's own query gives {own}, the catalogue's {name} on the same rows {other}",
        )


def _metric_named(claim: str) -> str | None:
    """The catalogue metric whose name's words stand in a claim's id, the longest one."""
    words = f"-{claim.replace('.', '-')}-"
    found = [name for name in metrics.names() if f"-{name.replace('_', '-')}-" in words]
    return max(found, key=len, default=None)


def _judges(result: ClaimResult, bench: Workbench) -> Iterator[tuple[str, str]]:
    recomputed = result.recomputed
    if recomputed is None or not recomputed.evaluators:
        return
    says = _plain(result.claim.says)
    known = {
        evaluator.id: evaluator
        for name in dict.fromkeys(package for package, _ in recomputed.tables)
        for evaluator in bench.packages[name].evaluators.values()
    }
    for name in recomputed.evaluators:
        short = name.rpartition("-")[2]
        version = _plain(known[name].version)
        if f" {short} " not in says and not (version.strip() and version in says):
            yield "evaluator-unnamed", f"the value rests on outcomes of {name}, which `says` does not name"
    for name in known.keys() - recomputed.evaluators.keys():
        if _plain(name) in says:
            yield "evaluator-not-read", f"`says` names {name}, whose outcomes the value does not read"


def _plain(text: str) -> str:
    return f" {' '.join(re.findall(r'[a-z0-9]+', text.lower()))} "


def _rounding(book: LedgerResult) -> Iterator[Remark]:
    needs: dict[str, list[str]] = {}
    for result in book.claims:
        for place in result.printings:
            for rule in RULES:
                if rule in place.marks:
                    needs.setdefault(rule, []).append(f"{result.claim.id} “{place.printing.text}”")
    if len(needs) > 1:
        listed = "; ".join(f"{rule}: {', '.join(places)}" for rule, places in needs.items())
        yield Remark(
            code="rounding-rules",
            claim=None,
            says=f"printings of exact halves need different rules of rounding ({listed})",
        )


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:79] + "…"
