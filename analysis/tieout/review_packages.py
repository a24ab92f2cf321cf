"""Two versions of a package: its tables, rows, evaluators and checks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from tieout.definition import one_line
from tieout.engines import Tables
from tieout.engines.process import Engine
from tieout.exact import Rows
from tieout.folder import sha256
from tieout.package import Package, Table
from tieout.results import PackageResult
from tieout.review_words import changes, counted

TOLD = ("title", "version", "created", "description", "licenses", "sources", "contributors", "plan")


@dataclass(frozen=True, kw_only=True, slots=True)
class RowChange:
    """How the rows of a table changed: by key added, dropped, or changed, and in how many rows each column did."""

    table: str
    added: int
    dropped: int
    changed: int
    columns: Mapping[str, int]

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "table": self.table,
            "added": self.added,
            "dropped": self.dropped,
            "changed": self.changed,
            "columns": dict(self.columns),
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class PackageChange:
    """What differs between two versions of a package, in sentences, and row by row.

    `turned_checks` are checks whose rule changed and that rows broke before and none breaks now.
    """

    name: str
    says: tuple[str, ...]
    rows: tuple[RowChange, ...]
    turned_checks: tuple[str, ...]

    @property
    def turned(self) -> bool:
        """Whether a check was redefined and went from broken to kept."""
        return bool(self.turned_checks)

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "name": self.name,
            "says": list(self.says),
            "rows": [change.to_json() for change in self.rows],
            "turned_checks": list(self.turned_checks),
        }


def package_changes(old: Iterable[PackageResult], new: Iterable[PackageResult]) -> Iterator[PackageChange]:
    """The packages that differ, matched by name."""
    was = {result.package.name: result for result in old}
    now = {result.package.name: result for result in new}
    for name in dict.fromkeys([*was, *now]):
        before, after = was.get(name), now.get(name)
        if before is None or after is None:
            fate = f"the package is {'new' if before is None else 'gone'}"
            yield PackageChange(name=name, says=(fate,), rows=(), turned_checks=())
            continue
        turned: list[str] = []
        says = (*_descriptor(before.package, after.package), *_checks(before, after, turned))
        rows = tuple(_rows(before.package, after.package))
        if says or rows:
            yield PackageChange(name=name, says=says, rows=rows, turned_checks=tuple(turned))


def _descriptor(old: Package, new: Package) -> Iterator[str]:
    for key in TOLD:
        yield from changes(f"its {key}", old.descriptor.get(key), new.descriptor.get(key))
    for name in dict.fromkeys([*old.evaluators, *new.evaluators]):
        before, after = old.evaluators.get(name), new.evaluators.get(name)
        if before is None or after is None:
            yield f"evaluator {name} is {'new' if before is None else 'gone'}"
            continue
        yield from changes(f"evaluator {name}:", asdict(before), asdict(after))
    for name in dict.fromkeys([*old.tables, *new.tables]):
        one, other = old.tables.get(name), new.tables.get(name)
        if one is None or other is None:
            yield f"table {name} is {'new' if one is None else 'gone'}"
        else:
            yield from _table(one, other)


def _table(old: Table, new: Table) -> Iterator[str]:
    yield from changes(f"table {old.name}: basis", old.basis, new.basis)
    yield from changes(f"table {old.name}:", _made(old), _made(new))
    yield from changes(f"table {old.name}:", _about(old), _about(new))
    was, now = old.schema["properties"], new.schema["properties"]
    for column in dict.fromkeys([*was, *now]):
        if column not in was or column not in now:
            yield f"table {old.name}: column {column} is {'new' if column not in was else 'gone'}"
        else:
            yield from changes(f"table {old.name}, column {column}:", was[column], now[column])


def _made(table: Table) -> dict[str, object]:
    """How a table is made; empty where no instrument makes it."""
    made = table.derivation
    if made is None:
        return {}
    return {
        "instrument": made.instrument,
        "inputs": dict(made.inputs),
        "parameters": dict(made.parameters),
        "seed": made.seed,
    }


def _about(table: Table) -> dict[str, object]:
    """What a table's schema says beside its columns."""
    return {key: value for key, value in table.schema.items() if key != "properties"}


def _checks(old: PackageResult, new: PackageResult, turned: list[str]) -> Iterator[str]:
    was, now = ({check.id: check for check in side.package.checks} for side in (old, new))
    broken, kept = ({check.id: check.violations for check in side.checks} for side in (old, new))
    for name in dict.fromkeys([*was, *now]):
        before, after = broken.get(name), kept.get(name)
        if name not in was or name not in now:
            found = f", {counted(before, 'row')} broke it" if name not in now and before else ""
            yield f"check {name} is {'new' if name not in was else 'gone'}{found}"
            continue
        yield from changes(f"check {name}: what it says", was[name].says, now[name].says)
        same = all(
            one_line(getattr(was[name], part)) == one_line(getattr(now[name], part))
            for part in ("sql", "examined")
        )
        verdicts = (
            f"{'it could not run' if before is None else counted(before, 'row') + ' broke it'} before, "
            f"{'it cannot run' if after is None else counted(after, 'row')} now"
        )
        if not same:
            yield f"check {name}: its rule is another; {verdicts}"
            if before and after == 0:
                turned.append(name)
        elif before != after:
            yield f"check {name}: {verdicts}"


def _rows(old: Package, new: Package) -> Iterator[RowChange]:
    """Row changes of tables whose files differ and whose columns and key are the same."""
    common = [
        (old.tables[name], new.tables[name])
        for name in old.tables
        if name in new.tables
        and sha256(old.tables[name].path) != sha256(new.tables[name].path)
        and set(old.tables[name].nullable) == set(new.tables[name].nullable)
        and old.tables[name].key == new.tables[name].key
        and old.tables[name].key
    ]
    if not common:
        return
    files = {}
    for before, after in common:
        files[f"old_{before.name}"] = before.path.resolve()
        files[f"new_{after.name}"] = after.path.resolve()
    with Engine("duckdb") as duckdb:
        duckdb.open([Tables(package=new.name, files=files)])
        for table, _ in common:
            [answer] = duckdb.ask([(new.name, _difference(table))])
            if isinstance(answer, Rows):
                added, dropped, changed, *columns = (int(str(cell or 0)) for cell in answer.rows[0])
                counted = dict(zip(_others(table), columns, strict=True))
                if added or dropped or changed:
                    yield RowChange(
                        table=table.name,
                        added=added,
                        dropped=dropped,
                        changed=changed,
                        columns={column: count for column, count in counted.items() if count},
                    )


def _others(table: Table) -> list[str]:
    return [column for column in table.nullable if column not in table.key]


def _difference(table: Table) -> str:
    def name(column: str) -> str:
        return '"' + column.replace('"', '""') + '"'

    same = " AND ".join(f"o.{name(column)} = n.{name(column)}" for column in table.key)
    missing = f"{name(table.key[0])} IS NULL"
    differs = [f"o.{name(column)} IS DISTINCT FROM n.{name(column)}" for column in _others(table)]
    both = f"o.{name(table.key[0])} IS NOT NULL AND n.{name(table.key[0])} IS NOT NULL"
    counted = [
        f"count(*) FILTER (WHERE o.{missing})",
        f"count(*) FILTER (WHERE n.{missing})",
        f"count(*) FILTER (WHERE {both} AND ({' OR '.join(differs) or 'FALSE'}))",
        *(f"count(*) FILTER (WHERE {both} AND {one})" for one in differs),
    ]
    return (
        f"SELECT {', '.join(counted)} FROM receipts.old_{table.name} AS o "
        f"FULL JOIN receipts.new_{table.name} AS n ON {same}"
    )
