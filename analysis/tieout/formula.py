"""The small language of formulas and assertions: `+ - * /`, comparisons, `and or not`, `min max abs`, in Fractions."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tieout.errors import TieoutError
from tieout.exact import UNDEFINED, Value, bounded, no_value

LONGEST = 2_000  # characters; a formula over printed quantities is a line, not a program
UNDECIDABLE = Fraction(1, 10**9)  # relative; nearer than this a binary64 input does not settle a comparison
NUMBER = re.compile(r"\d+(\.\d+)?")
UNSEEN = re.compile(r"[#\\]")  # what Python's parser takes for a comment or a joint of lines, and passes over

_ARITHMETIC: Mapping[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
COMPARISONS: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_FUNCTIONS: Mapping[str, Callable[[Sequence[Fraction]], Fraction]] = {
    "min": min,
    "max": max,
    "abs": lambda values: abs(values[0]),
}


class BadFormula(TieoutError):
    """A formula that is not of the language, or that names what its claim does not bring."""

    exit_code = 1


class Undecidable(TieoutError):
    """A comparison that a binary64 input leaves open: the two sides are nearer than 1e-9 of their size."""

    exit_code = 1


class _NoValue(Exception):  # not an error: it carries the reason of an absent value to `evaluate`
    def __init__(self, reason: str) -> None:
        self.reason = reason


@dataclass(frozen=True, kw_only=True, slots=True)
class Formula:
    """A parsed formula: its text, its tree, and the names it uses, each once, in reading order."""

    text: str
    tree: ast.expr
    names: tuple[str, ...]


def parse(text: str) -> Formula:
    """The formula of a text.

    Raises BadFormula, naming what stands outside the language and where.
    """
    if len(text) > LONGEST:
        raise BadFormula(f"formula of {len(text):,} characters; at most {LONGEST:,} are read")
    if found := UNSEEN.search(text):
        raise BadFormula(f"`{found[0]}` at character {found.start() + 1} of `{text}` is not of the language")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise BadFormula(f"`{text}` is not a formula: {getattr(error, 'msg', error)}") from error
    names: dict[str, None] = {}
    try:
        _check(tree, text.strip(), names)
    except RecursionError as error:
        raise BadFormula(f"`{text}` nests too deeply") from error
    return Formula(text=text.strip(), tree=tree, names=tuple(names))


def _check(node: ast.expr, text: str, names: dict[str, None]) -> None:
    match node:
        case ast.Constant() if NUMBER.fullmatch(ast.get_source_segment(text, node) or ""):
            return
        case ast.Name(id=name):
            names[name] = None
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
            _check(left, text, names)
            _check(right, text, names)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Not(), operand=operand):
            _check(operand, text, names)
        case ast.BoolOp(values=values):
            for value in values:
                _check(value, text, names)
        case ast.Compare(left=left, ops=ops, comparators=comparators) if all(
            type(op) in COMPARISONS for op in ops
        ):
            for value in (left, *comparators):
                _check(value, text, names)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _FUNCTIONS and args:
            if name == "abs" and len(args) != 1:
                raise BadFormula(f"abs takes one argument, it has {len(args)} in `{text}`")
            for value in args:
                _check(value, text, names)
        case _:
            piece = ast.get_source_segment(text, node) or type(node).__name__
            raise BadFormula(
                f"`{piece}` at character {node.col_offset + 1} of `{text}` is not of the language: "
                "numbers, names, + - * /, parentheses, comparisons, and, or, not, min, max, abs"
            )


def evaluate(formula: Formula, inputs: Mapping[str, Value | Fraction]) -> Value:
    """The formula's value over its inputs.

    A missing input value or a division by zero gives no value, with the reason; the result is exact when every input
    used is. An assertion's value is a bool.

    Raises BadFormula when a name has no input or a truth value stands where a number belongs, Undecidable when a
    binary64 input leaves a comparison open, and CannotCombine for a number of too many digits.
    """
    used = {name: _input(name, inputs, formula) for name in formula.names}
    exact = all(value.exact for value in used.values())
    try:
        result = _eval(formula.tree, formula.text, used, exact)
    except _NoValue as missing:
        return no_value(missing.reason)
    except RecursionError as error:
        raise BadFormula(f"`{formula.text}` nests too deeply") from error
    return Value(value=result, exact=exact)


def _input(name: str, inputs: Mapping[str, Value | Fraction], formula: Formula) -> Value:
    if name not in inputs:
        known = ", ".join(sorted(inputs)) or "none"
        raise BadFormula(f"`{name}` in `{formula.text}` is not among its inputs ({known})")
    value = inputs[name]
    return value if isinstance(value, Value) else Value(value=value)


def _eval(node: ast.expr, text: str, inputs: Mapping[str, Value], exact: bool) -> Fraction | bool:
    match node:
        case ast.Constant():
            return Fraction(ast.get_source_segment(text, node) or "0")
        case ast.Name(id=name):
            value = inputs[name].value
            if value is None:
                raise _NoValue(f"{inputs[name].reason or 'no value'}, in `{name}`")
            return value
        case ast.BinOp(left=left, op=op, right=right):
            a, b = _number(left, text, inputs, exact), _number(right, text, inputs, exact)
            if isinstance(op, ast.Div) and b == 0:
                raise _NoValue(f"{UNDEFINED} (division by zero)")
            return bounded(_ARITHMETIC[type(op)](a, b))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return not _truth(operand, text, inputs, exact)
        case ast.UnaryOp(op=op, operand=operand):
            number = _number(operand, text, inputs, exact)
            return -number if isinstance(op, ast.USub) else number
        case ast.BoolOp(op=op, values=values):
            truths = [_truth(value, text, inputs, exact) for value in values]
            return all(truths) if isinstance(op, ast.And) else any(truths)
        case ast.Compare(left=left, ops=ops, comparators=comparators):
            sides = [_number(side, text, inputs, exact) for side in (left, *comparators)]
            return all(_compare(op, a, b, exact) for op, a, b in zip(ops, sides, sides[1:], strict=False))
        case ast.Call(func=ast.Name(id=name), args=args):
            numbers = [_number(argument, text, inputs, exact) for argument in args]
            return _FUNCTIONS[name](numbers)
    raise AssertionError(f"unchecked node {node!r}")


def _compare(op: ast.cmpop, a: Fraction, b: Fraction, exact: bool) -> bool:
    if not exact and abs(a - b) <= UNDECIDABLE * max(abs(a), abs(b)):
        raise Undecidable(f"{float(a)} and {float(b)} are too near to compare as binary64 numbers")
    return COMPARISONS[type(op)](a, b)


def _number(node: ast.expr, text: str, inputs: Mapping[str, Value], exact: bool) -> Fraction:
    value = _eval(node, text, inputs, exact)
    if isinstance(value, bool):
        raise BadFormula(f"a truth value stands where `{text}` needs a number")
    return value


def _truth(node: ast.expr, text: str, inputs: Mapping[str, Value], exact: bool) -> bool:
    value = _eval(node, text, inputs, exact)
    if not isinstance(value, bool):
        raise BadFormula(f"a number stands where `{text}` needs a comparison")
    return value
