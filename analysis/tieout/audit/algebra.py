"""What a formula gives whatever the numbers behind its names are: `a == a` is true, `a / a * 0.42` is 0.42.

Both sides of a comparison become quotients of polynomials over the queries behind the names, through the formulas of
other claims. Where they differ by a constant the comparison is settled; what is left depends on the signs of the other
differences, and all of these are tried.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product

from tieout.audit.subject import name_of
from tieout.errors import TieoutError
from tieout.exact import bounded
from tieout.formula import COMPARISONS
from tieout.planning import ClaimStep, FormulaStep, QueryStep, Step

LARGEST = 400  # terms of a product, and factors of a term; what needs more is left open
MOST = 8  # differences whose signs are tried: 3 ** 8 ways

Monomial = tuple[int, ...]
Polynomial = Mapping[Monomial, Fraction]
Quotient = tuple[Polynomial, Polynomial]
Signs = Sequence[int]
Truth = Callable[[Signs], bool]

_ONE: Polynomial = {(): Fraction(1)}


class _Open(Exception):  # not an error: the outcome is left to the numbers
    pass


def settled(step: FormulaStep, steps: Mapping[str, Step]) -> Fraction | bool | None:
    """The formula's outcome where its text alone decides it, None where the numbers do.

    `steps` are those of the ledger's claims. A quotient is taken to have a value.
    """
    algebra = _Algebra(steps)
    tree = step.formula.tree
    try:
        if isinstance(tree, ast.Compare | ast.BoolOp) or _is_not(tree):
            return algebra.outcome(tree, step)
        return _constant(algebra.quotient(tree, step))
    except (_Open, TieoutError, RecursionError):
        return None


def _is_not(tree: ast.expr) -> bool:
    return isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not)


class _Algebra:
    """Numbers what a formula stands on, and the differences that its comparisons are about."""

    def __init__(self, steps: Mapping[str, Step]) -> None:
        self._steps = steps
        self._atoms: dict[object, int] = {}
        self._claims: dict[tuple[str, str], Quotient] = {}
        self._differences: list[Quotient] = []

    def outcome(self, tree: ast.expr, step: FormulaStep) -> bool | None:
        truth = self._truth(tree, step)
        if len(self._differences) > MOST:
            return None
        first: bool | None = None
        for signs in product((-1, 0, 1), repeat=len(self._differences)):
            found = truth(signs)
            if first is not None and found is not first:
                return None
            first = found
        return first

    def _truth(self, node: ast.expr, step: FormulaStep) -> Truth:
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                inner = self._truth(operand, step)
                return lambda signs: not inner(signs)
            case ast.BoolOp(op=op, values=values):
                parts = [self._truth(value, step) for value in values]
                joined = all if isinstance(op, ast.And) else any
                return lambda signs: joined(part(signs) for part in parts)
            case ast.Compare(left=left, ops=ops, comparators=comparators):
                sides = [self.quotient(side, step) for side in (left, *comparators)]
                pairs = zip(ops, pairwise(sides), strict=True)
                compared = [(COMPARISONS[type(op)], self._sign(*pair)) for op, pair in pairs]
                return lambda signs: all(holds(sign(signs), 0) for holds, sign in compared)
        raise _Open

    def _sign(self, left: Quotient, right: Quotient) -> Callable[[Signs], int]:
        """The sign of a difference: its own, or that of one met before of which it is a multiple."""
        difference = _plus(left, right, -1)
        if (constant := _constant(difference)) is not None:
            own = (constant > 0) - (constant < 0)
            return lambda _: own
        for index, known in enumerate(self._differences):
            if factor := _constant(_over(difference, known)):
                way = 1 if factor > 0 else -1
                return lambda signs: way * signs[index]
        self._differences.append(difference)
        place = len(self._differences) - 1
        return lambda signs: signs[place]

    def quotient(self, node: ast.expr, step: FormulaStep) -> Quotient:
        match node:
            case ast.Constant():
                return _number(Fraction(ast.get_source_segment(step.formula.text, node) or "0"))
            case ast.Name(id=name):
                return self._value(step, name)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return _plus(_number(Fraction(0)), self.quotient(operand, step), -1)
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self.quotient(operand, step)
            case ast.BinOp(left=left, op=op, right=right):
                a, b = self.quotient(left, step), self.quotient(right, step)
                if isinstance(op, ast.Add | ast.Sub):
                    return _plus(a, b, 1 if isinstance(op, ast.Add) else -1)
                return _over(a, b) if isinstance(op, ast.Div) else (_times(a[0], b[0]), _times(a[1], b[1]))
            case ast.Call(func=ast.Name(id=name), args=args):
                return self._called(name, [self.quotient(argument, step) for argument in args])
        raise _Open

    def _called(self, name: str, args: Sequence[Quotient]) -> Quotient:
        constants = [constant for arg in args if (constant := _constant(arg)) is not None]
        if len(constants) == len(args):
            return _number(
                abs(constants[0]) if name == "abs" else min(constants) if name == "min" else max(constants)
            )
        forms = {_form(arg) for arg in args}
        if name != "abs" and len(forms) == 1:
            return args[0]
        return self._atom((name, frozenset(forms)))

    def _value(self, step: FormulaStep, name: str) -> Quotient:
        below, part = step.inputs[name]
        if not isinstance(below, ClaimStep):
            return self._of(below, part)
        if (below.claim, part) not in self._claims:
            self._claims[below.claim, part] = self._of(self._steps.get(below.claim), part)
        return self._claims[below.claim, part]

    def _of(self, below: Step | None, part: str) -> Quotient:
        if isinstance(below, FormulaStep):
            return self.quotient(below.formula.tree, below)  # its value, which is all that there is of it
        if isinstance(below, QueryStep):
            return self._atom((name_of(below), part))
        raise _Open

    def _atom(self, what: object) -> Quotient:
        return {(self._atoms.setdefault(what, len(self._atoms)),): Fraction(1)}, _ONE


def _number(value: Fraction) -> Quotient:
    return ({(): value} if value else {}), _ONE


def _plus(a: Quotient, b: Quotient, times: int) -> Quotient:
    if a[1] == b[1]:
        return _sum(a[0], b[0], times), a[1]
    return _sum(_times(a[0], b[1]), _times(b[0], a[1]), times), _times(a[1], b[1])


def _over(a: Quotient, b: Quotient) -> Quotient:
    if not b[0]:
        raise _Open
    return _times(a[0], b[1]), _times(a[1], b[0])


def _sum(a: Polynomial, b: Polynomial, times: int) -> Polynomial:
    found = dict(a)
    for monomial, factor in b.items():
        found[monomial] = found.get(monomial, Fraction(0)) + times * factor
    return {monomial: factor for monomial, factor in found.items() if factor}


def _times(a: Polynomial, b: Polynomial) -> Polynomial:
    if len(a) * len(b) > LARGEST:
        raise _Open
    found: dict[Monomial, Fraction] = {}
    for (left, one), (right, other) in product(a.items(), b.items()):
        monomial = tuple(sorted((*left, *right)))
        if len(monomial) > LARGEST:
            raise _Open
        found[monomial] = bounded(found.get(monomial, Fraction(0)) + one * other)
    return {monomial: factor for monomial, factor in found.items() if factor}


def _constant(quotient: Quotient) -> Fraction | None:
    """The number that a quotient is, None where it is none."""
    above, below = quotient
    if not above:
        return Fraction(0)
    if above.keys() != below.keys():
        return None
    factors = {above[monomial] / below[monomial] for monomial in above}
    return factors.pop() if len(factors) == 1 else None


def _form(quotient: Quotient) -> tuple[frozenset[tuple[Monomial, Fraction]], ...]:
    """A quotient as something to compare, with the first term below brought to 1."""
    first = quotient[1][min(quotient[1])]
    return tuple(frozenset((name, factor / first) for name, factor in side.items()) for side in quotient)
