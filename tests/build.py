"""A tiny package and ledgers about it, written to a folder, for tests that need some on disk."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from tieout.engines import Answer
from tieout.errors import Invalid
from tieout.importers import parquet
from tieout.ledger import Claim, open_ledger

TEXT: Mapping[str, Any] = {"type": "string"}
COUNT: Mapping[str, Any] = {"type": "integer"}
FLAG: Mapping[str, Any] = {"type": "boolean"}
DOUBLE: Mapping[str, Any] = {"type": "number"}


def answered(answer: Answer) -> Future[Answer]:
    """An engine's answer that is there already."""
    future: Future[Answer] = Future()
    future.set_result(answer)
    return future


def role(column: Mapping[str, Any], name: str, **more: str) -> dict[str, Any]:
    """The column with a role in what a table's schema says it is for."""
    return {**column, "tieout": {"role": name, **more}}


def schema(name: str, key: Sequence[str], columns: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The row schema of a table."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:tieout:table:{name}",
        "title": name,
        "description": f"rows of {name}",
        "type": "object",
        "additionalProperties": False,
        "required": list(columns),
        "tieout": {"key": list(key)},
        "properties": {
            column: {"title": column, "description": f"the {column}", **form}
            for column, form in columns.items()
        },
    }


# Two tasks under two policies, two trials each. Tasks a and b succeed under `plain` in 1 and 2 of 2 trials, under
# `retry`, where the controller saw the judge's verdict, in 2 and 2 of 2.
TRIALS = schema(
    "trials",
    ["task_id", "policy", "trial"],
    {
        "task_id": role(TEXT, "case"),
        "policy": role({"enum": ["plain", "retry"]}, "condition"),
        "trial": role(COUNT, "repeat"),
        "success": role(FLAG, "outcome", evaluator="judge"),
        "input_tokens": role(COUNT, "usage", unit="tokens"),
        "cached_input_tokens": role(COUNT, "usage", unit="tokens"),
        "user_cost": role({"type": ["integer", "null"]}, "cost"),
    },
)
ROWS: Sequence[Mapping[str, Any]] = [
    {
        "task_id": task,
        "policy": policy,
        "trial": trial,
        "success": success,
        "input_tokens": tokens,
        "cached_input_tokens": cached,
        "user_cost": cost,
    }
    for task, policy, trial, success, tokens, cached, cost in [
        ("a", "plain", 0, True, 100, 10, 10_000_000),
        ("a", "plain", 1, False, 101, 0, None),
        ("b", "plain", 0, True, 102, 10, 20_000_000),
        ("b", "plain", 1, True, 104, 0, 5_000_000),
        ("a", "retry", 0, True, 300, 0, 1),
        ("a", "retry", 1, True, 300, 0, 1),
        ("b", "retry", 0, True, 300, 0, 1),
        ("b", "retry", 1, True, 301, 0, 1),
    ]
]
LIMITS = schema("limits", ["name"], {"name": role(TEXT, "key"), "most": COUNT, "share": DOUBLE})
LIMIT_ROWS = [{"name": "steps", "most": 30, "share": 0.1}]
TABLES: Mapping[str, tuple[Mapping[str, Any], Sequence[Mapping[str, Any]], Mapping[str, Any]]] = {
    "trials": (TRIALS, ROWS, {"basis": "observation"}),
    "limits": (LIMITS, LIMIT_ROWS, {"basis": "design"}),
}
CHECKS = [
    {
        "id": "cached-inside",
        "says": "Cached input never exceeds input",
        "examined": "SELECT count(*) FROM trials",
        "sql": "SELECT * FROM trials WHERE cached_input_tokens > input_tokens",
    }
]
JUDGE = {"id": "judge", "kinds": ["model"], "in_loop": {"policy": ["retry"]}, "blinded": False}


def write(path: Path, document: object) -> None:
    """A document as JSON, which is YAML too."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def package(root: Path, tables: Mapping[str, Any] = TABLES, **descriptor: Any) -> Path:
    """A package, not frozen; each table is its row schema, its rows, and what package.yaml says of it."""
    checks = descriptor.pop("checks", CHECKS)
    listed: dict[str, Any] = {}
    for name, (form, rows, entry) in tables.items():
        folder = "derived" if "instrument" in entry else "receipts"
        listed[name] = {"file": f"{folder}/{name}.parquet", "schema": f"schemas/{name}.json", **entry}
        write(root / "schemas" / f"{name}.json", form)
        (root / folder).mkdir(parents=True, exist_ok=True)
        parquet.write(root / folder / f"{name}.parquet", rows, form)
    write(root / "checks.yaml", {"checks": checks})
    given = {
        "name": "tiny",
        "title": "A tiny package",
        "version": "1.0.0",
        "created": "2026-09-11",
        "description": "Eight trials.",
        "licenses": [{"name": "CC0-1.0"}],
        "sources": [{"title": "made for the tests"}],
        "contributors": [{"title": "The tests", "roles": ["author"]}],
        "evaluators": [JUDGE],
        "tables": listed,
    }
    write(root / "package.yaml", {**given, **descriptor})
    return root


PLAN = schema("plan", ["task_id", "trial"], {"task_id": TEXT, "trial": COUNT})


def planned(root: Path, absent: tuple[str, int], missing: Sequence[Mapping[str, Any]] = ()) -> Path:
    """The package with a plan of its trials, of which one did not happen; `missing` are those it declares."""
    runs = [row for row in ROWS if (row["task_id"], row["trial"]) != absent]
    plan = [{"task_id": task, "trial": trial} for task in "ab" for trial in (0, 1)]
    tables = {
        **TABLES,
        "trials": (TRIALS, runs, {"basis": "observation"}),
        "plan": (PLAN, plan, {"basis": "design"}),
    }
    declared = {"missing": list(missing)} if missing else {}
    return package(root, tables, plan={"table": "plan", "of": "trials", **declared})


def ledger(
    root: Path, claims: Sequence[Mapping[str, Any]], grids: Sequence[Mapping[str, Any]] = (), **head: Any
) -> Path:
    """A ledger of one section, not locked, about the package `tiny`."""
    document = {"id": root.name, "version": "2026-09-11", "title": "A tiny document"}
    write(root / "ledger.yaml", {"document": document, "packages": {"t": "tiny"}, **head})
    write(root / "sections" / "01-all.yaml", {"section": "I", "claims": list(claims), "grids": list(grids)})
    return root


def claims(root: Path, claims: Sequence[Mapping[str, Any]] = (), **more: Any) -> Mapping[str, Claim]:
    """The claims of such a ledger as they are opened; `grids` among what its head takes."""
    return open_ledger(ledger(root / "doc", claims, more.pop("grids", ()), **more)).claims


def refusals(root: Path, written: Sequence[Mapping[str, Any]] = (), **more: Any) -> list[str]:
    """What is wrong with such a ledger, which cannot be opened."""
    with pytest.raises(Invalid) as caught:
        claims(root, written, **more)
    return [str(fault) for fault in caught.value.faults]


def artifacts(
    root: Path, claims: Sequence[Mapping[str, Any]], grids: Sequence[Mapping[str, Any]] = (), **head: Any
) -> Path:
    """A folder with the package `tiny` and the ledger `doc` about it, where the command looks for them."""
    package(root / "packages" / "tiny")
    ledger(root / "ledgers" / "doc", claims, grids, **head)
    return root


def claim(name: str, text: str | None = None, **more: Any) -> dict[str, Any]:
    """A claim, by default the success rate under `plain`, printed as `text` where one is given; `from_` is `from`."""
    if "from_" in more:
        more["from"] = more.pop("from_")
    if not {"metric", "sql", "formula", "asserts", "kind"} & set(more):
        more = {"metric": "success_rate", "where": {"trials": {"policy": "plain"}}, **more}
    printing = {key: more.pop(key) for key in ("of", "near", "tolerance", "erratum") if key in more}
    printings: dict[str, Any] = {} if text is None else {"printings": [{"text": text, **printing}]}
    return {"id": name, "says": f"What {name} says", **more, **printings}
