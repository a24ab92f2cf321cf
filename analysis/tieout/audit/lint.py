"""Remarks on how a ledger's claims are written: each names a form that can make a number tie, and accuses nobody."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tieout import formula as formulas
from tieout import metrics, sqltext
from tieout.audit.algebra import settled
from tieout.audit.catalogue import quoted
from tieout.audit.workbench import Workbench
from tieout.definition import one_line
from tieout.errors import TieoutError
from tieout.exact import Rows
from tieout.ledger import Recipe
from tieout.package import Package, Table
from tieout.planning import Step, formula_step, leaves
from tieout.printed import Pair, Printed, compare
from tieout.recompute import Recomputed
from tieout.report import ClaimResult, LedgerResult, number

if TYPE_CHECKING:
    from sqlglot import exp

RULES = ("half-up", "half-even", "binary-half")
LONGEST = 400  # digits of a literal; none that is printed has more
DOLLARS = re.compile(r"\$[-+−]?[\d.](?!.*\$)")  # dollars, and no formula of TeX
MONEY = re.compile(r"dollar|usd|\$|\bcents?\b", re.IGNORECASE)
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
    steps = {each.claim.id: each.recomputed.step for each in book.claims if each.recomputed}
    remarks: list[Remark] = []
    for result in book.claims:
        package = _package(book, result)
        for code, says in (*_claim(result, package, ids, bench), *_settled(result, steps)):
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
        yield from _sql(recipe, result, package, ids[package.name])
        yield from _same_name(result, recipe, package, bench)
    if (text := recipe.formula or recipe.asserts) is not None:
        yield from _formula(text, result)
    if package is not None:
        yield from _where(recipe.where, result, ids[package.name])
        yield from _nothing(result, bench)
    if result.printings:
        yield from _judges(result, bench)
        yield from _dollars(result)
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


def _sql(recipe: Recipe, result: ClaimResult, package: Package, ids: Ids) -> Iterator[tuple[str, str]]:
    from sqlglot import exp, parse_one
    from sqlglot.errors import SqlglotError

    try:
        tree = parse_one(sqltext.bind(recipe.sql or "", recipe.params), read="duckdb")
    except (SqlglotError, TieoutError, RecursionError):
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
    reckoned = _folded(tree)
    literals = [
        reckoned[id(literal)]
        for literal in tree.find_all(exp.Literal)
        if id(literal) in reckoned and not isinstance(literal.parent, exp.Limit)
    ]
    factors = [
        reckoned[id(side)]
        for multiplied in tree.find_all(exp.Mul)
        for side in (multiplied.this, multiplied.expression)
        if isinstance(side, exp.Literal) and id(side) in reckoned
    ]
    yield from _literals(literals, factors, _constants(tree, reckoned), result)
    yield from _added(tree, reckoned)
    yield from _predicates(tree, [package.tables[table] for table in read], ids)


def _folded(tree: exp.Expr) -> dict[int, Fraction]:
    """The parts of a query that are numbers by its literals alone, by their identity."""
    found: dict[int, Fraction] = {}
    for node in reversed(list(tree.walk())):  # what a part is made of comes after it
        value = _number(node, found)
        if value is not None:
            found[id(node)] = value
    return found


def _number(node: exp.Expr, known: Mapping[int, Fraction]) -> Fraction | None:
    from sqlglot import exp

    if isinstance(node, exp.Literal):
        written = not node.is_string and len(node.this) <= LONGEST and formulas.NUMBER.fullmatch(node.this)
        return Fraction(node.this) if written else None
    if not isinstance(node, exp.Paren | exp.Cast | exp.Neg | exp.Add | exp.Sub | exp.Mul | exp.Div):
        return None
    a, b = known.get(id(node.this)), known.get(id(node.args.get("expression")))
    if a is None or isinstance(node, exp.Unary | exp.Cast):
        return -a if a is not None and isinstance(node, exp.Neg) else a
    if b is None or (isinstance(node, exp.Div) and not b):
        return None
    if isinstance(node, exp.Add | exp.Sub):
        return a + b if isinstance(node, exp.Add) else a - b
    return a * b if isinstance(node, exp.Mul) else a / b


def _constants(tree: exp.Expr, reckoned: Mapping[int, Fraction]) -> dict[str, Fraction]:
    """What a query reckons of its literals, each part as large as it can be, by how it stands there."""
    from sqlglot import exp

    return {
        node.sql(dialect="duckdb"): reckoned[id(node)]
        for node in tree.walk()
        if id(node) in reckoned and id(node.parent) not in reckoned and not isinstance(node, exp.Literal)
    }


def _added(tree: exp.Expr, reckoned: Mapping[int, Fraction]) -> Iterator[tuple[str, str]]:
    """Constants added to what a query selects, the last of each column.

    No 0, and no 1 that numbers rows, or makes of a share what it leaves, or of a quotient its growth.
    """
    from sqlglot import exp

    for column in (each for select in tree.find_all(exp.Select) for each in select.selects):
        counts = column.find(exp.AggFunc) and not column.find(exp.Div)
        for node in column.find_all(exp.Add, exp.Sub):
            taken = isinstance(node, exp.Sub)
            first, second = reckoned.get(id(node.this)), reckoned.get(id(node.expression))
            constant = first or second
            if not constant or (first is not None and second is not None):
                continue
            if abs(constant) != 1 or (counts and not (taken and first)):
                text = _short(node.sql(dialect="duckdb"))
                yield "literal-added", f"the query {_adds(constant, taken=taken, first=bool(first))}: {text}"
                break


def _adds(constant: Fraction, *, taken: bool, first: bool) -> str:
    if taken:
        return f"takes from {_written(constant)}" if first else f"takes {_written(constant)} away"
    return f"adds {_written(constant)}"


def _written(value: Fraction) -> str:
    """A number as a query or a formula has it, in decimals."""
    if value.denominator == 1 and abs(value) < 10**15:
        return str(value)
    return f"{Decimal(value.numerator) / Decimal(value.denominator):.12g}"


def _predicates(tree: exp.Expr, tables: Sequence[Table], ids: Ids) -> Iterator[tuple[str, str]]:
    """Conditions that compare with a literal what names a single row, or what a row cost."""
    from sqlglot import exp

    named = {column for table in tables for column in ids[table.name]}
    spent = {column for table in tables for role in ("usage", "cost") for column in table.with_role(role)}
    for predicate in tree.find_all(
        exp.EQ, exp.NEQ, exp.In, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between, exp.Like
    ):
        columns = _columns(predicate)
        if not predicate.find(exp.Literal):
            continue
        text = _short(predicate.sql(dialect="duckdb"))
        if columns & named:
            yield "id-in-predicate", f"the query picks rows by their name: {text}"
        elif columns & spent:
            yield "spent-in-predicate", f"the query picks rows by what they used or cost: {text}"


def _columns(predicate: exp.Expr) -> set[str]:
    """The columns of a condition that stand on one side of it alone, aggregates and inner queries left out."""
    from sqlglot import exp

    def inside(node: exp.Expr) -> set[str]:
        walked = node.walk(prune=lambda each: isinstance(each, exp.AggFunc | exp.Query))
        return {each.name for each in walked if isinstance(each, exp.Column)}

    named = [predicate.args.get(side) for side in ("this", "expression", "low", "high")]
    sides = [inside(side) for side in (*named, *predicate.expressions) if side is not None]
    found = [columns for columns in sides if columns]
    return found[0] if len(found) == 1 else set()


def _formula(text: str, result: ClaimResult) -> Iterator[tuple[str, str]]:
    try:
        parsed = formulas.parse(text)
    except TieoutError:
        return  # its verdict is `error`, which says why
    if not parsed.names:
        yield "reads-no-table", f"`{text}` holds literals only"
    nodes = list(ast.walk(parsed.tree))
    literals = [_literal(node, parsed) for node in nodes if isinstance(node, ast.Constant)]
    factors = [
        _literal(side, parsed)
        for node in nodes
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult)
        for side in (node.left, node.right)
        if isinstance(side, ast.Constant)
    ]
    reckoned = _reckoned(parsed)
    constants = {_source(node, parsed): value for node, value in reckoned.items()}
    yield from _literals(literals, factors, constants, result)
    if result.claim.recipe and result.claim.recipe.formula is not None:
        yield from _added_to(parsed, reckoned)


def _source(node: ast.expr, parsed: formulas.Formula) -> str:
    return ast.get_source_segment(parsed.text, node) or ""


def _literal(node: ast.Constant, parsed: formulas.Formula) -> Fraction:
    return Fraction(_source(node, parsed))


def _reckoned(parsed: formulas.Formula) -> dict[ast.expr, Fraction]:
    """The parts of a formula that are numbers without any name, each as large as it can be, with their values."""
    found: dict[ast.expr, Fraction] = {}
    waiting = [parsed.tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name):
            continue
        names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        value = _value(node, parsed) if names.isdisjoint(parsed.names) else None
        if value is None:
            waiting += [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr)]
        else:
            found[node] = value
    return found


def _value(node: ast.expr, parsed: formulas.Formula) -> Fraction | None:
    try:
        value = formulas.evaluate(replace(parsed, tree=node, names=()), {}).value
    except TieoutError:
        return None
    return value if isinstance(value, Fraction) else None


def _added_to(parsed: formulas.Formula, reckoned: Mapping[ast.expr, Fraction]) -> Iterator[tuple[str, str]]:
    """Constants added to what a formula stands on; no 0, and no 1 before a minus or beside a quotient."""
    for node in ast.walk(parsed.tree):
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add | ast.Sub):
            continue
        taken = isinstance(node.op, ast.Sub)
        for side, other in ((node.left, node.right), (node.right, node.left)):
            constant = reckoned.get(side)
            if not constant:
                continue
            leaves = taken and side is node.left
            quotient = any(isinstance(each, ast.Div) for each in ast.walk(other))
            if abs(constant) != 1 or not (leaves or quotient):
                does = _adds(constant, taken=taken, first=leaves)
                yield "literal-added", f"the formula {does}: `{_source(node, parsed)}`"


def _literals(
    literals: list[Fraction], factors: list[Fraction], constants: Mapping[str, Fraction], result: ClaimResult
) -> Iterator[tuple[str, str]]:
    """Literals that are what is printed, make it together, or are a factor of it; 0 and 1 stand in too many queries."""
    telling = list(dict.fromkeys(literal for literal in literals if literal not in (0, 1)))
    for text, face, printed in _printed_numbers(result):
        if equal := [literal for literal in telling if _prints(literal, face, printed)]:
            how = "is" if equal[0] == face else "rounds to"
            yield "literal-is-printing", f"the literal {_written(equal[0])} {how} the printed “{text}”"
        elif together := _making(face, telling):
            a, b = together
            both = f"{_written(a)} and {_written(b)}"
            yield "literals-make-printing", f"the literals {both} make the printed “{text}”"
        elif reckoned := [each for each, value in constants.items() if _prints(value, face, printed)]:
            yield "literals-make-printing", f"`{reckoned[0]}` makes the printed “{text}”"
        elif divides := [one for one in factors if one > 1 and face and face % one == 0]:
            yield (
                "literal-is-factor",
                f"the query multiplies by {_written(divides[0])}, a factor of the printed “{text}”",
            )


def _making(face: Fraction, literals: list[Fraction]) -> tuple[Fraction, Fraction] | None:
    """Two literals whose product or quotient a printed number is."""
    known = set(literals)
    for each in literals:
        if face / each in known:
            return each, face / each
        if face != 1 and face * each in known:
            return face * each, each
    return None


def _printed_numbers(result: ClaimResult) -> Iterator[tuple[str, Fraction, Printed]]:
    """The numbers that stand in printings, with what was read: 90% is 9/10 and no 90, a pair is its two counts."""
    for place in result.printings:
        for part in place.printed:
            pair = part.stands_for
            counts = (pair.numerator, pair.denominator) if isinstance(pair, Pair) else (part.face,)
            for face in counts:
                yield place.printing.text, Fraction(face), part


def _prints(value: Fraction, face: Fraction, printed: Printed) -> bool:
    """Whether a number stands in the printing, or rounds to it."""
    return value == face or (printed.unit is not None and compare(printed, value).verdict == "ties")


def _where(where: Mapping[str, Any], result: ClaimResult, ids: Ids) -> Iterator[tuple[str, str]]:
    # The parts of a pair are small counts, which filters hold for many reasons.
    printed = {
        face: text
        for text, face, part in _printed_numbers(result)
        if not part.percent and not isinstance(part.stands_for, Pair)
    }
    for table, filtered in where.items():
        for terms in filtered if isinstance(filtered, list) else [filtered]:
            for column, term in terms.items() if isinstance(terms, Mapping) else ():
                if column in ids.get(table, ()):
                    yield "id-in-predicate", f"the filter picks rows by their name: {table}.{column} {term}"
                if type(term) is int and term > 1 and term in printed:
                    text = printed[Fraction(term)]
                    yield "filter-is-printing", f"the filter {table}.{column} {term} is the printed “{text}”"


def _settled(result: ClaimResult, steps: Mapping[str, Step]) -> Iterator[tuple[str, str]]:
    """Formulas and assertions, those of corrections too, whose outcome no number behind them can change."""
    recipe = result.claim.recipe
    if recipe is None or (recipe.formula is None and recipe.asserts is None):
        return
    corrections = {
        place.printing.erratum.corrected: None for place in result.printings if place.printing.erratum
    }
    texts = [recipe] + [replace(recipe, asserts=text) for text in corrections if recipe.asserts is not None]
    for each in texts:
        try:
            step = formula_step(each)
        except TieoutError:
            continue  # its verdict is `error`, or the erratum does not tie
        outcome = settled(step, steps)
        if isinstance(outcome, bool):
            yield "always-same", f"`{step.formula.text}` is {str(outcome).lower()} whatever the numbers are"
        elif outcome is not None and step.formula.names:
            yield "always-same", f"`{step.formula.text}` is {_written(outcome)} whatever the numbers are"


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


def _dollars(result: ClaimResult) -> Iterator[tuple[str, str]]:
    unit = result.recomputed.unit if result.recomputed else ""
    if not unit or MONEY.search(unit):
        return
    for place in result.printings:
        if place.printed and DOLLARS.search(place.printing.text):
            yield (
                "dollars-of-other-unit",
                f"“{place.printing.text}” is in dollars, and the value’s unit is {unit}",
            )


def _nothing(result: ClaimResult, bench: Workbench) -> Iterator[tuple[str, str]]:
    """Filters that keep no row: what is counted over nothing is 0, whatever the study found."""
    if result.recomputed is None:
        return
    for step in leaves(result.recomputed.step):
        for table, select in step.filters.items():
            _, filtered, condition = select.partition(" WHERE ")
            if not filtered:
                continue
            [answer] = bench.rows(step.asked.package, [f"SELECT count(*) FROM ({select})"])
            if isinstance(answer, Rows) and answer.rows == ((0,),):
                yield "keeps-no-row", f"no row of `{table}` meets the filter: {_short(condition)}"


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
