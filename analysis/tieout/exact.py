"""Rows of integers and formulas over claims, combined without rounding in `fractions.Fraction`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby

from tieout.errors import TieoutError

Scalar = int | float | str | bool | None
Combine = str | tuple[str, ...]

COMBINES = ("ratio", "mean", "sum", "min", "max", "range", "member", "single")

UNDEFINED = "undefined"
MOST_BITS = (
    14_000  # of a numerator or a denominator; Python writes an integer of at most 4,300 digits as text
)
MOST_STRATA = 20  # columns of strata in one result
NO_ROWS = "no rows"
NULL = "null"


class CannotCombine(TieoutError):
    """A query's result does not have the shape that its metric promises."""

    exit_code = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Rows:
    """The result of one query: column names, and rows of scalars in an order that means nothing."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Scalar, ...], ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Value:
    """A recomputed quantity.

    `value` is None where there is none, and `reason` then says why. `exact` is False where a binary64 number took
    part. `numerator` and `denominator` are the integers behind a ratio of sums, before any cancelling. `columns` holds
    the named parts that a printing may ask for (`low`, `high`).
    """

    value: Fraction | bool | None
    exact: bool = True
    numerator: int | None = None
    denominator: int | None = None
    columns: Mapping[str, Fraction] = field(default_factory=dict)
    reason: str | None = None

    def part(self, of: str) -> Fraction | bool | None:
        """The value itself, its numerator or denominator, or a named column; None where it has no such part."""
        if of == "value":
            return self.value
        if of == "numerator":
            return None if self.numerator is None else Fraction(self.numerator)
        if of == "denominator":
            return None if self.denominator is None else Fraction(self.denominator)
        return self.columns.get(of)


def no_value(reason: str) -> Value:
    """No value, and why."""
    return Value(value=None, reason=reason)


def bounded(number: Fraction) -> Fraction:
    """The number itself; raises CannotCombine for one of more digits than can be written down."""
    if max(number.numerator.bit_length(), number.denominator.bit_length()) > MOST_BITS:
        raise CannotCombine("an exact number grows beyond 4,000 digits")
    return number


def _sum(numbers: Sequence[Fraction]) -> Fraction:
    # Each step is looked at: unlike denominators multiply, and a hundred thousand of them would never come to an end.
    total = Fraction(0)
    for number in numbers:
        total = bounded(total + number)
    return total


def combine(
    result: Rows,
    how: Combine,
    *,
    member: Mapping[str, Scalar] | None = None,
    value_column: str | None = None,
    exact: bool = True,
) -> Value:
    """One value from the rows of a metric's query.

    `how` is one of `COMBINES`, or one of them for each stratum column, outermost first. `ratio` divides sums, so it
    weighs each row by its denominator; `mean` weighs the strata of a level equally, from the last column to the first.
    A stratum without a value leaves the whole without one: it never silently drops out of a mean.

    Raises CannotCombine when the result's columns or cell types are not what `how` needs.
    """
    if how == "single":
        return _single(result, value_column, exact)
    if how == "member":
        return _member(result, member or {})
    width = 2 if result.columns[-2:] == ("numerator", "denominator") else 1
    if width == 1 and result.columns[-1:] != ("count",):
        raise CannotCombine(
            f"the query returns {', '.join(result.columns) or 'nothing'}; "
            "its last columns must be numerator and denominator, or count"
        )
    strata = len(result.columns) - width
    if strata > MOST_STRATA:
        raise CannotCombine(f"{strata} stratum columns; at most {MOST_STRATA} are combined")
    if how == "ratio":
        return _ratio(result, width)
    if isinstance(how, str) and strata == 0 and len(result.rows) != 1:
        raise CannotCombine(
            f"{how} combines strata, but the query returns {len(result.rows)} rows and no stratum column"
        )
    if not result.rows:
        return no_value(NO_ROWS)
    levels = (how,) * strata if isinstance(how, str) else how
    if len(levels) != strata:
        raise CannotCombine(f"{len(levels)} ways to combine for {strata} stratum columns")
    ordered = sorted(result.rows, key=lambda row: tuple(_sort_key(cell) for cell in row[:strata]))
    return _levels(ordered, levels, 0, width)


def _sort_key(cell: Scalar) -> tuple[str, Scalar]:
    return (type(cell).__name__, cell if cell is not None else "")


def integer(cell: Scalar, column: str) -> int | None:
    """An engine's cell as an integer; None stays None.

    Raises CannotCombine for text and for floats, whole ones too: SQLite turns an overflowing integer into a float, so
    a float is a sign of lost digits.
    """
    if cell is None or (isinstance(cell, int) and not isinstance(cell, bool)):
        return cell
    if isinstance(cell, bool):
        return int(cell)
    raise CannotCombine(f"column {column} holds {cell!r}; a metric returns integers")


def _own(row: tuple[Scalar, ...], width: int) -> Value:
    if width == 1:
        count = integer(row[-1], "count")
        return no_value(NO_ROWS) if count is None else Value(value=Fraction(count))
    return _divide(integer(row[-2], "numerator"), integer(row[-1], "denominator"))


def _divide(numerator: int | None, denominator: int | None) -> Value:
    if denominator is None or (numerator is None and denominator):
        return Value(value=None, numerator=numerator, denominator=denominator, reason=NULL)
    if not denominator or numerator is None:  # over nothing, whatever the numerator is
        return Value(value=None, numerator=numerator, denominator=denominator, reason=UNDEFINED)
    return Value(value=Fraction(numerator, denominator), numerator=numerator, denominator=denominator)


def _ratio(result: Rows, width: int) -> Value:
    if not result.rows:
        return no_value(NO_ROWS)
    if len(result.rows) == 1:
        return _own(result.rows[0], width)
    columns = [
        [integer(row[index], result.columns[index]) for row in result.rows] for index in range(-width, 0)
    ]
    # A row over nothing adds nothing; any other null is unknown, and so is every sum that it belongs to.
    null = [None in cells and cells[-1] != 0 for cells in zip(*columns, strict=True)]
    if any(null):
        return no_value(f"{NULL} in {sum(null)} of {len(null)} rows")
    sums = [sum(cell or 0 for cell in column) for column in columns]
    return Value(value=Fraction(sums[0])) if width == 1 else _divide(sums[0], sums[1])


def _levels(rows: Sequence[tuple[Scalar, ...]], levels: tuple[str, ...], depth: int, width: int) -> Value:
    if depth == len(levels):
        if len(rows) != 1:
            raise CannotCombine(f"stratum {rows[0][:depth]} has {len(rows)} rows; each stratum is one row")
        return _own(rows[0], width)
    parts = [
        _levels(list(group), levels, depth + 1, width)
        for _, group in groupby(rows, key=lambda row: _sort_key(row[depth]))
    ]
    if any(part.columns for part in parts):
        raise CannotCombine("a range has no single value; it is the way of the first stratum column alone")
    if missing := [part.reason or NULL for part in parts if part.value is None]:
        # What is unknown in one stratum is unknown of the whole; what is undefined in some is undefined.
        reason = next((reason for reason in missing if not reason.startswith(UNDEFINED)), UNDEFINED)
        return no_value(f"{reason} in {len(missing)} of {len(parts)} strata")
    numbers = [Fraction(part.value) for part in parts if part.value is not None]
    match levels[depth]:
        case "mean":
            return Value(value=_sum(numbers) / len(numbers))
        case "sum":
            return Value(value=_sum(numbers))
        case "min":
            return Value(value=min(numbers))
        case "max":
            return Value(value=max(numbers))
        case "range":
            return Value(
                value=None,
                reason="a range has no single value",
                columns={"low": min(numbers), "high": max(numbers)},
            )
        case other:
            raise CannotCombine(f"strata cannot be combined by {other}")


def _single(result: Rows, value_column: str | None, exact: bool) -> Value:
    if len(result.rows) != 1:
        raise CannotCombine(f"exactly one row is needed, the query returns {len(result.rows)}")
    if value_column is not None and value_column not in result.columns:
        listed = ", ".join(result.columns)
        raise CannotCombine(f"the metric's value is its column {value_column}; the query returns {listed}")
    columns: dict[str, Fraction] = {}
    inexact = False
    for name, cell in zip(result.columns, result.rows[0], strict=True):
        if isinstance(cell, float):
            if not math.isfinite(cell):
                raise CannotCombine(f"column {name} holds {cell}, which is no number")
            inexact = True
            columns[name] = Fraction(cell)
        elif isinstance(cell, int):
            columns[name] = Fraction(cell)
    if inexact and exact:
        raise CannotCombine("the query returns a DOUBLE, but its metric does not say `exact: false`")
    value = columns.get(value_column or result.columns[0])
    return Value(value=value, exact=not inexact, columns=columns, reason=None if value is not None else NULL)


def _member(result: Rows, member: Mapping[str, Scalar]) -> Value:
    *keys, last = result.columns
    unknown = [name for name in member if name not in keys]
    if unknown or not member:
        raise CannotCombine(
            f"`member` must name one row by {', '.join(keys)}; it names {', '.join(member) or 'nothing'}"
        )
    positions = [(keys.index(name), wanted) for name, wanted in member.items()]
    found = [row for row in result.rows if all(row[index] == wanted for index, wanted in positions)]
    if len(found) != 1:
        raise CannotCombine(f"`member` must name one row of the set; it fits {len(found)}")
    cell = integer(found[0][-1], last)
    return no_value(NULL) if cell is None else Value(value=Fraction(cell))
