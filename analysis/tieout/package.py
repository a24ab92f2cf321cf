"""Opening a package: its descriptor, its schemas, and its hashes; nothing of what it holds is run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from tieout import in_loop, instruments
from tieout.errors import CannotOpen, Fault, Invalid
from tieout.folder import alike, check_hashes, inside, look_at
from tieout.schema.documents import check_document
from tieout.schema.row_schema import check_row_schema
from tieout.strict import MAX_DEPTH, read_json, read_yaml

BASES = ("observation", "recorded-total", "fixture", "fixture-made-to-match", "design", "arithmetic")


@dataclass(frozen=True, kw_only=True, slots=True)
class Evaluator:
    """Who judged an outcome. `in_loop`: the controller retried against it always, never, or where these cells stand."""

    id: str
    kinds: tuple[str, ...]
    version: str
    in_loop: bool | Mapping[str, Sequence[object]]
    blinded: bool | None
    note: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Derivation:
    """How a derived table is made: an instrument over tables of the package, and the weakest basis of these."""

    instrument: str
    inputs: Mapping[str, str]
    parameters: Mapping[str, object]
    seed: int | None
    basis: str


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table of the package. `basis` is what its rows rest on.

    A derived table's is the weakest of its inputs', and no stronger than `recorded-total` where the instrument that
    makes it, or one behind it, is not installed: nobody makes it of its inputs here.
    """

    name: str
    file: str
    path: Path
    schema: Mapping[str, Any]
    schema_file: str
    basis: str
    derivation: Derivation | None

    @property
    def frozen_basis(self) -> str:
        """The basis as it is frozen, whichever instruments are installed."""
        return self.derivation.basis if self.derivation else self.basis

    @property
    def key(self) -> tuple[str, ...]:
        """The columns that name a row."""
        return tuple(self.schema.get("tieout", {}).get("key", ()))

    @cached_property
    def nullable(self) -> Mapping[str, bool]:
        """Every column, and whether it may be null."""
        return {name: _may_be_null(column) for name, column in self.schema["properties"].items()}

    def with_role(self, role: str) -> tuple[str, ...]:
        """The columns of a role: case, repeat, condition, outcome, usage, cost, key."""
        columns: Mapping[str, Any] = self.schema["properties"]
        return tuple(name for name, column in columns.items() if column.get("tieout", {}).get("role") == role)

    def evaluator_of(self, column: str) -> str | None:
        """The id of the evaluator whose outcome a column holds, or None."""
        found = self.schema["properties"].get(column, {}).get("tieout", {}).get("evaluator")
        return None if found is None else str(found)


def _may_be_null(column: Mapping[str, Any]) -> bool:
    kind = column.get("type")
    if kind is None:
        return None in column.get("enum", [None])
    return "null" in ([kind] if isinstance(kind, str) else kind)


@dataclass(frozen=True, kw_only=True, slots=True)
class Check:
    """A rule of the package: `sql` returns the rows that break it, `examined` how many things were looked at."""

    id: str
    says: str
    examined: str
    sql: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Package:
    """An opened package. `digest` is the SHA-256 of its SHA256SUMS, None before it is frozen."""

    name: str
    title: str
    version: str
    root: Path
    tables: Mapping[str, Table]
    evaluators: Mapping[str, Evaluator]
    checks: tuple[Check, ...]
    plan: tuple[str, str] | None
    digest: str | None
    descriptor: Mapping[str, Any]
    faults: tuple[Fault, ...] = field(default=())


def open_package(root: Path, *, frozen: bool = True, missing_derived: bool = False) -> Package:
    """The package in a folder, with every fault found in its files' form and hashes.

    With `frozen`, each file must be the one that was frozen, and no other may be there. With `missing_derived` the
    files of derived tables need not be there, since they are about to be made.
    Raises CannotOpen where the folder is no package, Invalid where its descriptor breaks its schema, so that nothing
    after it could be trusted.
    """
    if not (root / "package.yaml").is_file():
        raise CannotOpen(f"{root}: no package here (package.yaml is missing)")
    file = inside(root, "package.yaml")
    document = read_yaml(file, "package.yaml")
    if faults := check_document(document.value, "package", "package.yaml", lines=document.lines):
        raise Invalid(faults)
    given: dict[str, Any] = document.value
    evaluators = {entry["id"]: _evaluator(entry) for entry in given.get("evaluators", [])}
    found = list(_named_twice(given))
    tables = _tables(root, given["tables"], frozenset(evaluators), found, missing_derived)
    if len(tables) == len(given["tables"]):
        found += in_loop.schema_faults(given.get("evaluators", []), tables)
    digest = None
    if frozen:
        digest = check_hashes(root, found)
    plan = given.get("plan")
    return Package(
        name=given["name"],
        title=given["title"],
        version=given["version"],
        root=root,
        tables=tables,
        evaluators=evaluators,
        checks=_checks(root, found),
        plan=(plan["table"], plan["of"]) if plan else None,
        digest=digest,
        descriptor=given,
        faults=tuple(dict.fromkeys(found)),
    )


def _named_twice(given: Mapping[str, Any]) -> Iterator[Fault]:
    ids = [entry["id"] for entry in given.get("evaluators", [])]
    for index, name in enumerate(ids):
        if name in ids[:index]:
            message = f"two evaluators have the id {name}"
            pointer = f"/evaluators/{index}/id"
            yield Fault(code="duplicate-id", message=message, file="package.yaml", pointer=pointer)
    for first, second in alike(given["tables"]):
        message = f"SQL cannot tell the tables `{first}` and `{second}` apart"
        yield Fault(code="duplicate-id", message=message, file="package.yaml", pointer=f"/tables/{second}")


def _evaluator(entry: Mapping[str, Any]) -> Evaluator:
    return Evaluator(
        id=entry["id"],
        kinds=tuple(entry["kinds"]),
        version=str(entry.get("version", "")),
        in_loop=entry["in_loop"],
        blinded=entry.get("blinded"),
        note=entry.get("note", ""),
    )


def _tables(
    root: Path,
    given: Mapping[str, Mapping[str, Any]],
    evaluators: frozenset[str],
    faults: list[Fault],
    missing_derived: bool,
) -> dict[str, Table]:
    tables: dict[str, Table] = {}
    known: dict[str, frozenset[str]] = {}
    for name, entry in given.items():
        pointer = f"/tables/{name}"
        try:
            path = inside(root, entry["file"])
            schema_path = inside(root, entry["schema"])
        except Invalid as error:
            faults += error.faults
            continue
        if not (missing_derived and "instrument" in entry) and (fault := look_at(path, entry["file"])):
            faults.append(fault)
            continue
        try:
            schema = read_json(schema_path, entry["schema"])
        except Invalid as error:
            faults += error.faults
            continue
        except CannotOpen as error:
            faults.append(Fault(code="missing-file", message=str(error), file=entry["schema"]))
            continue
        if broken := check_row_schema(schema.value, entry["schema"], evaluators):
            faults += broken
            continue
        basis, derivation = entry.get("basis"), None
        if "instrument" in entry:
            unknown = [table for table in entry["inputs"].values() if table not in given]
            if unknown:
                faults.append(
                    Fault(
                        code="unknown-table",
                        message=f"input `{unknown[0]}` is no table of the package",
                        file="package.yaml",
                        pointer=f"{pointer}/inputs",
                        expected=", ".join(given),
                        found=unknown[0],
                    )
                )
                continue
            behind = _behind(name, given, (), known)
            derivation = Derivation(
                instrument=entry["instrument"],
                inputs=entry["inputs"],
                parameters=entry.get("parameters", {}),
                seed=entry.get("seed"),
                basis=_weakest_declared(behind, given),
            )
            basis = derivation.basis
            if not all(map(_installed, _instruments(behind, given))):
                basis = weakest((basis, "recorded-total"))
        tables[name] = Table(
            name=name,
            file=entry["file"],
            path=path,
            schema=schema.value,
            schema_file=entry["schema"],
            basis=str(basis),
            derivation=derivation,
        )
    return tables


def _behind(
    name: str,
    given: Mapping[str, Mapping[str, Any]],
    above: tuple[str, ...],
    known: dict[str, frozenset[str]],
) -> frozenset[str]:
    """A table and all that it is made of; `known` keeps what was found, since tables may share their inputs."""

    def refuse(code: str, message: str) -> Invalid:
        return Invalid(
            [Fault(code=code, message=message, file="package.yaml", pointer=f"/tables/{name}/inputs")]
        )

    if name in above:
        path = " -> ".join((*above, name))
        raise refuse("derivation-circle", f"derived tables depend on each other in a circle: {path}")
    if len(above) > MAX_DEPTH:
        raise refuse("too-deep", f"more than {MAX_DEPTH} derived tables stand on one another")
    if name not in known:
        inputs = [table for table in given[name].get("inputs", {}).values() if table in given]
        below = [_behind(table, given, (*above, name), known) for table in inputs]
        known[name] = frozenset({name}).union(*below)
    return known[name]


def _weakest_declared(tables: Iterable[str], given: Mapping[str, Mapping[str, Any]]) -> str:
    declared = (given[table]["basis"] for table in tables if "basis" in given[table])
    return weakest(declared) or "arithmetic"


def _instruments(tables: Iterable[str], given: Mapping[str, Mapping[str, Any]]) -> set[str]:
    return {given[table]["instrument"] for table in tables if "instrument" in given[table]}


def _installed(instrument: str) -> bool:
    """By its name alone, since Tieout's own are known without looking further."""
    return instrument in instruments.INSTRUMENTS or instrument in instruments.names()


def weakest(bases: Iterable[str]) -> str | None:
    """The weakest of some bases, in the order of BASES; None where there is none."""
    return max(bases, key=BASES.index, default=None)


def _checks(root: Path, faults: list[Fault]) -> tuple[Check, ...]:
    if not (root / "checks.yaml").exists():
        faults.append(
            Fault(code="missing-file", message="the package has no checks.yaml", file="checks.yaml")
        )
        return ()
    try:
        file = inside(root, "checks.yaml")
        document = read_yaml(file, "checks.yaml")
        broken = check_document(document.value, "checks", "checks.yaml", lines=document.lines)
    except Invalid as error:
        faults += error.faults
        return ()
    except CannotOpen as error:
        faults.append(Fault(code="missing-file", message=str(error), file="checks.yaml"))
        return ()
    if broken:
        faults += broken
        return ()
    checks = tuple(
        Check(id=entry["id"], says=entry["says"], examined=entry["examined"], sql=entry["sql"])
        for entry in document.value["checks"]
    )
    seen: set[str] = set()
    for index, check in enumerate(checks):
        if check.id in seen:
            faults.append(
                Fault(
                    code="duplicate-id",
                    message=f"two checks have the id {check.id}",
                    file="checks.yaml",
                    pointer=f"/checks/{index}/id",
                )
            )
        seen.add(check.id)
    return checks
