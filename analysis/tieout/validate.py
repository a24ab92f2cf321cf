"""A package against its own rules: row schemas, keys, the plan, its checks, and its derived tables made anew."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import NamedTuple

from tieout import in_loop, planned, secrets, sqltext
from tieout.anew import Anew, Derived
from tieout.datapackage import descriptor_faults
from tieout.engines import Answer, Failure
from tieout.engines.duckdb import held, numbered
from tieout.engines.process import Engine
from tieout.errors import Fault, TieoutError
from tieout.exact import Rows
from tieout.package import Check, Package, Table
from tieout.results import CheckResult, PackageResult, TableResult
from tieout.schema.keys import key_faults
from tieout.schema.matching import PatternTooSlow
from tieout.schema.query import Query
from tieout.schema.table import check_table
from tieout.sqltext import RefusedSQL

UNSOUND = "table-has-faults"  # why a check is not run: what it would say, the table's faults say
AT_ONCE = 4  # tables of a package that are validated side by side
SHOWN = 20  # rows that break a check, as many as are listed; all are counted


class _QueryFailed(TieoutError):
    pass


@dataclass(frozen=True, kw_only=True, slots=True)
class Begun:
    """A package that is validated but for its derived tables, which are still being made anew."""

    result: PackageResult
    derived: Future[Derived]

    def done(self) -> PackageResult:
        """The whole result; waits for the derived tables."""
        derived, differences = self.derived.result()
        return replace(self.result, faults=(*self.result.faults, *differences), derived=derived)


def validate(package: Package, duckdb: Engine, anew: Anew) -> PackageResult:
    """Validates an opened package as `begin` does, and waits for all of it."""
    return begin(package, duckdb, anew).done()


def begin(
    package: Package,
    duckdb: Engine,
    anew: Anew,
    step: Callable[[str, str], None] = lambda *_: None,
) -> Begun:
    """Validates a package by its tables in DuckDB, before anything else that it is asked.

    Derived tables are made anew by `anew`, in its child process, meanwhile and afterwards. `step` is called with the
    names of the package and of each of its tables, before the table is validated.
    """
    opened = duckdb.opened[package.name]

    def query(sql: str) -> list[tuple[object, ...]]:
        [answer] = duckdb.ask([(package.name, sql)], urgent=True)
        if isinstance(answer, Failure):
            raise _QueryFailed(answer.message)
        return list(answer.rows)

    def checked(table: Table) -> _Table:
        step(package.name, table.name)
        if table.name in opened.failed:
            return _unreadable(table, f"the engine cannot read the table: {opened.failed[table.name]}")
        return _checked(table, opened.rows[table.name], query)

    # Several at a time, so that the engine need not wait for what is asked next.
    with ThreadPoolExecutor(max_workers=AT_ONCE) as pool:
        found = dict(zip(package.tables, pool.map(checked, package.tables.values()), strict=True))
    faults = [*package.faults, *(fault for each in found.values() for fault in each.faults)]
    tables = tuple(each.result for each in found.values() if each.result)
    sound = {name: package.tables[name] for name, each in found.items() if each.sound}
    derived = anew.check(package, sound)
    evaluators = package.descriptor.get("evaluators", [])
    ask = _asks(package, duckdb)
    faults += in_loop.cell_faults(evaluators, package.tables, sound, ask)
    faults += planned.missing_faults(package, sound, ask)
    faults += secrets.in_folder(package.root, {table.file for table in package.tables.values()})
    if package.digest is not None and not package.faults:
        faults += descriptor_faults(package, {table.name: table.rows for table in tables})
    checks = _checks(package, sound, duckdb)
    result = PackageResult(package=package, faults=tuple(faults), checks=checks, tables=tables)
    return Begun(result=result, derived=derived)


class _Table(NamedTuple):
    """What was found of a table: no result where it could not be checked; what reads tables reads `sound` ones."""

    faults: Sequence[Fault]
    result: TableResult | None = None
    sound: bool = False


def _checked(table: Table, claimed: int, query: Query) -> _Table:
    """A table against its row schema and its key; `claimed` is how many rows its file says that it has."""
    rows = numbered(table.name, table.path, claimed)
    others: list[Fault] = []
    try:
        report = check_table(query, table.path, table.schema, table.file, rows if held(claimed) else None)
        found = list(report.faults)
        if not any(fault.code in {"column-missing", "column-type"} for fault in found):
            found += key_faults(query, rows, report.rows, table.key, table.file)
            others += [] if report.rows == claimed else [_other_count(table, claimed, report.rows)]
            others += secrets.in_table(query, rows, report.columns, table.schema, table.file)
    except (_QueryFailed, PatternTooSlow) as error:
        return _unreadable(table, f"the table cannot be checked: {error}")
    result = TableResult(
        name=table.name,
        rows=report.rows,
        checked=report.checked,
        by_column=report.by_column,
        by_row=report.by_row,
    )
    return _Table(faults=(*others, *found), result=result, sound=not found)


def _unreadable(table: Table, message: str) -> _Table:
    return _Table(faults=(Fault(code="unreadable-table", message=message, file=table.file),))


def _asks(package: Package, duckdb: Engine) -> in_loop.Ask:
    def ask(sql: str) -> Sequence[Sequence[object]] | None:
        [answer] = duckdb.ask([(package.name, sql)], urgent=True)
        return None if isinstance(answer, Failure) else answer.rows

    return ask


def _other_count(table: Table, claimed: int, counted: int) -> Fault:
    return Fault(
        code="row-count",
        message=f"the file says that it has {claimed:,} rows and has {counted:,}",
        file=table.file,
        expected=str(claimed),
        found=str(counted),
    )


def _checks(package: Package, sound: Mapping[str, Table], duckdb: Engine) -> tuple[CheckResult, ...]:
    wanted = [*([planned.check_of(package)] if package.plan else []), *package.checks]
    texts = {sql for check in wanted for sql in (check.examined, check.sql)}
    composed = _composed(texts, package.descriptor["tables"], sound)
    prepared = [(check, _queries(check, composed)) for check in wanted]
    # Many checks of a package examine the same rows: each count of them is asked for once.
    asked = dict.fromkeys(
        sql
        for _, queries in prepared
        if not isinstance(queries, RefusedSQL)
        for sql in (queries.examined, queries.counted)
    )
    answers = dict(zip(asked, duckdb.ask([(package.name, sql) for sql in asked], urgent=True), strict=True))
    return tuple(
        _not_run(check, str(queries), waits=queries.code == UNSOUND)
        if isinstance(queries, RefusedSQL)
        else _result(check, queries, answers, package.name, duckdb)
        for check, queries in prepared
    )


class _Queries(NamedTuple):
    examined: str
    broken: str

    @property
    def counted(self) -> str:
        return f"SELECT count(*) FROM (\n{self.broken}\n)"


def _queries(check: Check, composed: Mapping[str, str | RefusedSQL]) -> _Queries | RefusedSQL:
    examined, broken = composed[check.examined], composed[check.sql]
    if isinstance(examined, RefusedSQL):
        return examined
    return broken if isinstance(broken, RefusedSQL) else _Queries(examined, broken)


def _composed(
    texts: Iterable[str], tables: Iterable[str], sound: Mapping[str, Table]
) -> dict[str, str | RefusedSQL]:
    """What is run for each text of a check, or why it is not."""
    found: dict[str, str | RefusedSQL] = {}
    for sql in texts:
        try:
            query = sqltext.check(sql, tables, sqltext.CHECK_NODES)
            if unsound := sorted(query.tables - set(sound)):
                raise RefusedSQL(UNSOUND, f"table `{unsound[0]}` has faults of its own")
            found[sql] = sqltext.compose(sql, {name: sqltext.selected(name) for name in query.tables})
        except RefusedSQL as refused:
            found[sql] = refused
    return found


def _not_run(check: Check, message: str, *, waits: bool = False) -> CheckResult:
    return CheckResult(
        id=check.id,
        says=check.says,
        examined=None,
        violations=None,
        rows=({"error": message},),
        waits=waits,
    )


def _result(
    check: Check, queries: _Queries, answers: Mapping[str, Answer], package: str, duckdb: Engine
) -> CheckResult:
    counts: list[int] = []
    for answer in (answers[queries.examined], answers[queries.counted]):
        if isinstance(answer, Failure):
            return _not_run(check, answer.message)
        cell = answer.rows[0][0] if len(answer.rows) == 1 and len(answer.rows[0]) == 1 else None
        if not isinstance(cell, int):
            return _not_run(check, "`examined` must return one integer")
        counts.append(cell)
    rows: tuple[Mapping[str, object], ...] = ()
    if counts[1]:
        shown = duckdb.ask([(package, f"SELECT * FROM (\n{queries.broken}\n) LIMIT {SHOWN}")], urgent=True)[0]
        if isinstance(shown, Rows):
            rows = tuple(dict(zip(shown.columns, row, strict=True)) for row in shown.rows)
    return CheckResult(id=check.id, says=check.says, examined=counts[0], violations=counts[1], rows=rows)
