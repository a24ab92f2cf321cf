"""How many cases stand behind a number, and the interval that a reader expects beside it: ours, never a verdict."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from tieout.audit.parts import Key, Part, contributions, quoted
from tieout.audit.shape import shape
from tieout.audit.subject import Room, Subject, name_of
from tieout.exact import Rows, Scalar
from tieout.package import Table
from tieout.planning import QueryStep

Z = 1.959963984540054  # the 0.975 quantile of the standard normal distribution
RESAMPLES = 1_000
SEED = 1934  # any number would do; it is fixed so that every machine gives the same interval
LABEL = "computed by Tieout, not by the document; about sampling of cases alone, and no part of any verdict"


@dataclass(frozen=True, kw_only=True, slots=True)
class Interval95:
    """A 95 % interval as binary64 numbers, and how it was made."""

    method: str
    low: float
    high: float

    def to_json(self) -> dict[str, Any]:
        """The interval's part of the audit's JSON; numbers are the shortest texts that read back to them."""
        return {"method": self.method, "low": repr(self.low), "high": repr(self.high), "label": LABEL}


@dataclass(frozen=True, kw_only=True, slots=True)
class Cases:
    """The rows and the distinct cases behind a claim's denominator.

    `groups` counts distinct cells of columns that are the same for all rows of a case ("4 albums"). `rows_a_case` is
    the fewest and the most rows of one case. `interval` is None where `because` says why.
    """

    table: str
    column: str
    rows: int
    cases: int
    rows_a_case: tuple[int, int]
    groups: Mapping[str, int]
    interval: Interval95 | None
    because: str | None

    def to_json(self) -> dict[str, Any]:
        """The guard's part of the audit's JSON."""
        return {
            "table": self.table,
            "column": self.column,
            "rows": self.rows,
            "cases": self.cases,
            "rows_a_case": list(self.rows_a_case),
            "groups": dict(self.groups),
            "interval": self.interval.to_json() if self.interval else None,
            "because": self.because,
        }


def cases(room: Room, subject: Subject) -> Cases | None:
    """The cases behind a claim's one query; None where no table that it reads names cases, and for a formula."""
    step = subject.step
    if not isinstance(step, QueryStep):
        return None
    table = next((each for each in step.tables if each.with_role("case")), None)
    if table is None:
        return None
    return room.keep(("cases", *name_of(step)), lambda: _cases(room, step, table))


def _cases(room: Room, step: QueryStep, table: Table) -> Cases | None:
    column = table.with_role("case")[0]
    counted = _rows(room, step, table, column)
    if not counted:
        return None
    rows, groups = counted
    interval, because = _interval(room, step, table, column, rows)
    return Cases(
        table=table.name,
        column=column,
        rows=sum(rows.values()),
        cases=len(rows),
        rows_a_case=(min(rows.values()), max(rows.values())),
        groups=groups,
        interval=interval,
        because=because,
    )


def _rows(
    room: Room, step: QueryStep, table: Table, column: str
) -> tuple[dict[Scalar, int], dict[str, int]] | None:
    """Rows by case, and the distinct cells of columns that say something of the case itself."""
    roles = {
        *table.key,
        *(name for role in ("condition", "outcome", "repeat", "case") for name in table.with_role(role)),
    }
    enums = [
        name
        for name, form in table.schema["properties"].items()
        if name not in roles and any(isinstance(each, str) for each in form.get("enum", []))
    ]
    known = shape(step.own)
    own = [each.sql(dialect="duckdb") for each in known.conjuncts] if known.base == table.name else []
    where = f" WHERE {' AND '.join(f'({each})' for each in own)}" if own else ""
    names = [f"count(DISTINCT {quoted(each)}), min({quoted(each)})" for each in enums]
    columns = ", ".join([quoted(column), "count(*)", *names])
    answer = room.rows(
        step.asked.package,
        f"SELECT {columns} FROM ({step.filters[table.name]}){where} GROUP BY {quoted(column)}",
    )
    if not isinstance(answer, Rows) or not answer.rows:
        return None
    groups: dict[str, int] = {}
    for index, name in enumerate(enums):
        place = 2 + 2 * index
        if all(row[place] == 1 for row in answer.rows):
            groups[name] = len({row[place + 1] for row in answer.rows})
    return {row[0]: int(str(row[1])) for row in answer.rows}, groups


def _interval(
    room: Room, step: QueryStep, table: Table, column: str, rows: Mapping[Scalar, int]
) -> tuple[Interval95 | None, str | None]:
    known = shape(step.own)
    if known.projection("denominator") is None:
        return None, "a count of these rows is no estimate"
    if len(rows) < 2:
        return None, "one case has no spread"
    strata = [each.alias_or_name for each in known.strata()]
    if step.combine == "mean" or (isinstance(step.combine, tuple) and set(step.combine) == {"mean"}):
        if column not in strata:
            return None, "the strata are no cases"
        answer = room.rows(step.asked.package, step.asked.sql)
        means = None if answer is None else _means(answer, strata.index(column))
        if means is None:
            return None, "a stratum has no value"
        return _percentiles(
            [_nested([means[each] for each in pick]) for pick in picks(len(means))], len(means)
        )
    if step.combine not in {"ratio", "sum"} and strata:
        return None, "the value is no share, ratio or mean"
    given = contributions(room, step, table, (column,))
    by_row = contributions(room, step, table, table.key)
    if given is None or by_row is None:
        return None, "the query's integers are no sums over rows of cases"
    if _is_share(by_row) and len(by_row) == len(given):
        numerator = sum(part.numerator for parts in given.values() for part in parts)
        low, high = wilson(numerator, len(given))
        return Interval95(method=f"Wilson, {len(given)} cases of one row each", low=low, high=high), None
    sums = [
        (sum(part.numerator for part in parts), sum(part.denominator for part in parts))
        for _, parts in sorted(given.items(), key=repr)
    ]
    values = []
    for pick in picks(len(sums)):
        numerator, denominator = (sum(sums[each][side] for each in pick) for side in (0, 1))
        values.append(numerator / denominator if denominator else None)
    return _percentiles(values, len(sums))


def _is_share(rows: Mapping[Key, tuple[Part, ...]]) -> bool:
    return all(
        part.denominator == 1 and part.numerator in {0, 1} for parts in rows.values() for part in parts
    )


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """The score interval of a binomial proportion at 95 %, without continuity correction.

    With p = successes / trials: (p + z²/2n ± z √(p(1 - p)/n + z²/4n²)) / (1 + z²/n). Source: E. B. Wilson, Probable
    inference, the law of succession, and statistical inference, JASA 22 (1927) 209-212.
    """
    share, square = successes / trials, Z * Z / trials
    centre = share + square / 2
    reach = Z * math.sqrt(share * (1 - share) / trials + square / (4 * trials))
    low = 0.0 if successes == 0 else (centre - reach) / (1 + square)
    high = 1.0 if successes == trials else (centre + reach) / (1 + square)
    return low, high


@cache
def picks(cases: int) -> tuple[tuple[int, ...], ...]:
    """The resamples of so many cases, drawn with replacement.

    They come from `random.Random.random`, whose stream Python promises to keep for a seed, so that they are the same
    on every machine; claims over as many cases share them.
    """
    source = random.Random(SEED * 1_000_003 + cases)  # a sum of integers, since a seed of text is hashed
    return tuple(tuple(int(source.random() * cases) for _ in range(cases)) for _ in range(RESAMPLES))


def _percentiles(values: Sequence[float | None], number: int) -> tuple[Interval95, None] | tuple[None, str]:
    """The 2.5 and 97.5 percentiles as values that occurred (the inverted distribution function).

    Source: B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap (1993), section 13.3.
    """
    known = sorted(value for value in values if value is not None)
    if len(known) != len(values):
        return None, f"undefined in {len(values) - len(known)} of {len(values)} resamples of the cases"
    low, high = (known[math.ceil(share * len(known)) - 1] for share in (0.025, 0.975))
    method = f"percentile bootstrap over {number} cases, {RESAMPLES} resamples, seed {SEED}"
    return Interval95(method=method, low=low, high=high), None


def _means(answer: Rows, index: int) -> list[tuple[tuple[Scalar, ...], float]] | None:
    """For each case the strata above it and the mean over its own."""
    below: dict[tuple[Scalar, ...], list[tuple[Scalar, ...]]] = {}
    for row in answer.rows:
        below.setdefault(row[: index + 1], []).append(row)
    if len({above[-1] for above in below}) != len(below) or not answer.rows:
        return None
    if any(not row[-1] or row[-2] is None for row in answer.rows):
        return None
    width = len(answer.columns) - 2
    return [
        (
            above[:-1],
            _nested([(row[index + 1 : width], int(str(row[-2])) / int(str(row[-1]))) for row in rows]),
        )
        for above, rows in sorted(below.items(), key=repr)
    ]


def _nested(values: Sequence[tuple[tuple[Scalar, ...], float]]) -> float:
    """The mean over strata of means over what is in them; what has no stratum left is averaged as it is."""
    if not values[0][0]:
        return math.fsum(value for _, value in values) / len(values)
    groups: dict[Scalar, list[tuple[tuple[Scalar, ...], float]]] = {}
    for stratum, value in values:
        groups.setdefault(stratum[0], []).append((stratum[1:], value))
    return math.fsum(_nested(each) for each in groups.values()) / len(groups)


def spread(found: Cases) -> str:
    """The cases in words: "20 rows: 20 question_id, 4 album; one row each"."""
    groups = "".join(f", {count} {name}" for name, count in found.groups.items())
    low, high = found.rows_a_case
    each = {(1, 1): "one row each"}.get(
        (low, high), f"{low} rows each" if low == high else f"{low} to {high} rows each"
    )
    return f"{found.rows:,} rows of {found.table}: {found.cases:,} {found.column}{groups}; {each}"
