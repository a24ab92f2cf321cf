"""The runs that were meant to happen: a built-in check that all are there, but for those declared missing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from tieout import sqltext
from tieout.errors import Fault
from tieout.package import Check, Package

PLANNED = "planned-runs-present"  # the id of the check

Ask = Callable[[str], Sequence[Sequence[object]] | None]  # the rows of a query, None where the engine failed


def declared_missing(package: Package) -> Sequence[Mapping[str, Any]]:
    """Planned runs of which the package says that they did not happen: a value for each column, and `because`."""
    missing: Sequence[Mapping[str, Any]] = package.descriptor.get("plan", {}).get("missing", [])
    return missing


def check_of(package: Package) -> Check:
    """The check of a package with a plan; runs declared missing are not among what it examines."""
    assert package.plan
    plan, runs = package.plan
    conditions = [_condition(entry, package) for entry in declared_missing(package)]
    taken_out = " OR ".join(f"({condition})" for condition in conditions if condition)
    wanted = f"NOT coalesce({taken_out}, FALSE)" if taken_out else "TRUE"
    says = f"Every planned run of `{plan}` is in `{runs}`"
    return Check(
        id=PLANNED,
        says=f"{says}, but for {len(conditions)} declared missing" if conditions else says,
        examined=f"SELECT count(*) FROM {plan} WHERE {wanted}",
        sql=f"SELECT * FROM {plan} AS p WHERE NOT {_there(package)} AND {wanted}",
    )


def missing_faults(package: Package, sound: Collection[str], ask: Ask) -> Iterator[Fault]:
    """Runs declared missing that are not told in the plan's columns, that nobody planned, or that are there."""
    if not package.plan or not set(package.plan) <= set(sound):
        return
    plan, runs = package.plan
    selects = {name: sqltext.selected(name) for name in package.plan}
    for index, entry in enumerate(declared_missing(package)):
        condition = _condition(entry, package)
        if condition is None:
            columns = ", ".join(package.tables[plan].nullable)
            yield _fault(index, f"a run is told in the columns of `{plan}`: {columns}")
            continue
        where = (
            f"SELECT count(*), count(*) FILTER (WHERE {_there(package)}) FROM {plan} AS p WHERE {condition}"
        )
        # Where the engine cannot say, the check, which asks the same, says why.
        for planned, there in ask(sqltext.compose(where, selects)) or ():
            if not planned:
                yield _fault(index, f"`{plan}` has no such run")
            elif there:
                yield _fault(index, f"the run is in `{runs}`")


def _there(package: Package) -> str:
    """Whether a planned run, a row `p`, is among the runs."""
    assert package.plan
    plan, runs = package.plan
    columns = tuple(package.tables[plan].nullable) if plan in package.tables else ()
    same = " AND ".join(f"r.{column} IS NOT DISTINCT FROM p.{column}" for column in columns) or "TRUE"
    return f"EXISTS (SELECT 1 FROM {runs} AS r WHERE {same})"


def _condition(entry: Mapping[str, Any], package: Package) -> str | None:
    """The planned run that an entry names; None where it does not name each column of the plan."""
    assert package.plan
    plan = package.tables.get(package.plan[0])
    cells = {column: value for column, value in entry.items() if column != "because"}
    if plan is None or set(cells) != set(plan.nullable):
        return None
    return sqltext.condition(cells, plan.nullable)


def _fault(index: int, message: str) -> Fault:
    return Fault(code="missing-run", message=message, file="package.yaml", pointer=f"/plan/missing/{index}")
