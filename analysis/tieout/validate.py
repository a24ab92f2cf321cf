"""A package against its own rules: row schemas, keys, the plan, its checks, and its derived tables made anew."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tieout import instruments, sqltext
from tieout.engines import Answer, Failure
from tieout.engines.process import Engine
from tieout.errors import Fault, TieoutError
from tieout.exact import Rows
from tieout.package import Check, Package, Table
from tieout.report import CheckResult, DerivedResult, PackageResult, TableResult
from tieout.schema import check_table, key_faults
from tieout.sqltext import RefusedSQL

SHOWN = 20  # rows that break a check, as many as are listed; all are counted


class _QueryFailed(TieoutError):
    pass


def validate(package: Package, duckdb: Engine) -> PackageResult:
    """Validates an opened package with an engine in which it is opened; nothing may be pending there."""
    faults = list(package.faults)
    tables: list[TableResult] = []
    opened = duckdb.opened[package.name]

    def query(sql: str) -> list[tuple[object, ...]]:
        answer = duckdb.ask([(package.name, sql)])[0]
        if isinstance(answer, Failure):
            raise _QueryFailed(answer.message)
        return list(answer.rows)

    sound: dict[str, Table] = {}
    for table in package.tables.values():
        if table.name in opened.failed:
            message = f"the engine cannot read the table: {opened.failed[table.name]}"
            faults.append(Fault(code="unreadable-table", message=message, file=table.file))
            continue
        try:
            report = check_table(query, table.path, table.schema, table.file)
            found = list(report.faults)
            if not any(fault.code in {"column-missing", "column-type"} for fault in found):
                found += key_faults(query, f"receipts.{table.name}", table.key, table.file)
        except _QueryFailed as error:
            faults.append(
                Fault(
                    code="unreadable-table", message=f"the table cannot be checked: {error}", file=table.file
                )
            )
            continue
        faults += found
        tables.append(
            TableResult(
                name=table.name,
                rows=report.rows,
                checked=report.checked,
                by_column=report.by_column,
                by_row=report.by_row,
            )
        )
        if not found:
            sound[table.name] = table
    checks = _checks(package, sound, duckdb)
    derived = _derived(package, sound, duckdb, faults)
    return PackageResult(
        package=package, faults=tuple(faults), checks=checks, tables=tuple(tables), derived=derived
    )


def _checks(package: Package, sound: Mapping[str, Table], duckdb: Engine) -> tuple[CheckResult, ...]:
    wanted = [*([_planned_runs(package)] if package.plan else []), *package.checks]
    results: list[CheckResult] = []
    for check in wanted:
        try:
            queries = [_composed(sql, sound) for sql in (check.examined, check.sql)]
        except RefusedSQL as refused:
            results.append(_not_run(check, str(refused)))
            continue
        examined, broken = queries
        counting = f"SELECT count(*) FROM (\n{broken}\n)"
        answers = duckdb.ask([(package.name, examined), (package.name, counting)])
        results.append(_result(check, answers, broken, package.name, duckdb))
    return tuple(results)


def _composed(sql: str, tables: Mapping[str, Table]) -> str:
    query = sqltext.check(sql, tables, sqltext.CHECK_NODES)
    return sqltext.compose(sql, dict.fromkeys(query.tables))


def _planned_runs(package: Package) -> Check:
    assert package.plan
    plan, runs = package.plan
    columns = tuple(package.tables[plan].nullable) if plan in package.tables else ()
    same = " AND ".join(f"r.{column} IS NOT DISTINCT FROM p.{column}" for column in columns) or "TRUE"
    return Check(
        id="planned-runs-present",
        says=f"Every planned run of `{plan}` is in `{runs}`",
        examined=f"SELECT count(*) FROM {plan}",
        sql=f"SELECT * FROM {plan} AS p WHERE NOT EXISTS (SELECT 1 FROM {runs} AS r WHERE {same})",
    )


def _not_run(check: Check, message: str) -> CheckResult:
    return CheckResult(
        id=check.id, says=check.says, examined=None, violations=None, rows=({"error": message},)
    )


def _result(check: Check, answers: list[Answer], broken: str, package: str, duckdb: Engine) -> CheckResult:
    counts: list[int] = []
    for answer in answers:
        if isinstance(answer, Failure):
            return _not_run(check, answer.message)
        cell = answer.rows[0][0] if len(answer.rows) == 1 and len(answer.rows[0]) == 1 else None
        if not isinstance(cell, int):
            return _not_run(check, "`examined` must return one integer")
        counts.append(cell)
    rows: tuple[Mapping[str, object], ...] = ()
    if counts[1]:
        shown = duckdb.ask([(package, f"SELECT * FROM (\n{broken}\n) LIMIT {SHOWN}")])[0]
        if isinstance(shown, Rows):
            rows = tuple(dict(zip(shown.columns, row, strict=True)) for row in shown.rows)
    return CheckResult(id=check.id, says=check.says, examined=counts[0], violations=counts[1], rows=rows)


def _derived(
    package: Package, sound: Mapping[str, Table], duckdb: Engine, faults: list[Fault]
) -> tuple[DerivedResult, ...]:
    results: list[DerivedResult] = []
    for table in package.tables.values():
        if table.derivation is None or table.name not in sound:
            continue
        made = table.derivation
        if not set(made.inputs.values()) <= set(sound):
            continue  # the inputs' own faults say why
        try:
            run = instruments.load(made.instrument)
        except instruments.UnknownInstrument:
            results.append(DerivedResult(table=table.name, instrument=made.instrument, status="as published"))
            continue
        try:
            inputs = {name: read_rows(package, sound[source], duckdb) for name, source in made.inputs.items()}
            anew = run(inputs, made.parameters, made.seed)
            difference = _difference(table, read_rows(package, table, duckdb), anew)
        except TieoutError as error:
            faults.append(Fault(code="instrument-failed", message=str(error), file=table.file))
            continue
        if difference:
            faults.append(difference)
        status = "differs" if difference else "same"
        results.append(DerivedResult(table=table.name, instrument=made.instrument, status=status))
    return tuple(results)


def read_rows(package: Package, table: Table, duckdb: Engine) -> list[dict[str, Any]]:
    """The rows of a table in file order.

    Raises TieoutError where the engine cannot give them.
    """
    answer = duckdb.ask([(package.name, f"SELECT * FROM receipts.{table.name}")])[0]
    if isinstance(answer, Failure):
        raise _QueryFailed(f"{table.file}: {answer.message}")
    return [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]


def _difference(
    table: Table, published: list[dict[str, Any]], anew: Iterable[Mapping[str, Any]]
) -> Fault | None:
    def by_key(rows: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
        return sorted(rows, key=lambda row: tuple(str(row.get(column)) for column in table.key))

    ours, theirs = by_key(anew), by_key(published)

    def fault(message: str, row: int | None, column: str | None, expected: object, found: object) -> Fault:
        return Fault(
            code="derived-differs",
            message=f"{message}; the instrument gives {expected!r}, the file holds {found!r}",
            file=table.file,
            row=row,
            column=column,
            expected=repr(expected),
            found=repr(found),
        )

    if len(ours) != len(theirs):
        return fault("the derived table has another number of rows", None, None, len(ours), len(theirs))
    for mine, other in zip(ours, theirs, strict=True):
        for column in table.nullable:
            if mine.get(column) != other.get(column) or type(mine.get(column)) is not type(other.get(column)):
                return fault(
                    "the derived table is another",
                    published.index(dict(other)),
                    column,
                    mine.get(column),
                    other.get(column),
                )
    return None
