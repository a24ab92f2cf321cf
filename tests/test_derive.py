"""Derived tables are made from receipts, inputs first, and an instrument runs on tables of one's own."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests import build
from tieout import instruments
from tieout.derive import check_derived, derive_package, run_instrument, schema_of
from tieout.errors import CannotOpen
from tieout.importers.parquet import read
from tieout.instruments import UnknownInstrument
from tieout.package import open_package

Rows = Sequence[Mapping[str, Any]]
MADE = build.schema("made", ["name"], {"name": build.TEXT, "most": build.COUNT})


def plus(inputs: Mapping[str, Rows], parameters: Mapping[str, Any], seed: int | None) -> Rows:
    return [{"name": row["name"], "most": row["most"] + parameters["more"]} for row in inputs["rows"]]


def package(root: Path) -> Path:
    def entry(source: str) -> dict[str, Any]:
        return {"instrument": "plus", "inputs": {"rows": source}, "parameters": {"more": 1}}

    # the second is named before the first that it is made of
    tables = {**build.TABLES, "second": (MADE, [], entry("first")), "first": (MADE, [], entry("limits"))}
    made = build.package(root / "tiny", tables)
    for name in ("first", "second"):
        (made / "derived" / f"{name}.parquet").unlink()
    return made


def test_inputs_are_made_before_what_is_made_of_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instruments, "load", lambda name: plus)
    root = package(tmp_path)
    assert derive_package(root) == ["derived/first.parquet", "derived/second.parquet"]
    assert read(root / "derived" / "second.parquet") == [{"name": "steps", "most": 32}]


def test_deriving_twice_gives_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instruments, "load", lambda name: plus)
    root = package(tmp_path)
    derive_package(root)
    first = (root / "derived" / "second.parquet").read_bytes()
    derive_package(root)
    assert (root / "derived" / "second.parquet").read_bytes() == first


def test_an_instrument_that_nobody_has_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnknownInstrument, match="no instrument is called 'plus'"):
        derive_package(package(tmp_path))


TRAJECTORIES = instruments.describe("threshold-selection").inputs["trajectories"]


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_tables_of_three_forms_give_the_derived_table(tmp_path: Path, form: str, root: Path) -> None:
    package = root / "artifacts" / "packages" / "album-memory-2"
    rows = [
        {name: row[name] for name in TRAJECTORIES}
        for row in read(package / "receipts" / "trajectories.parquet")
    ]
    _write(tmp_path / f"trajectories.{form}", rows)
    found = run_instrument("threshold-selection", tmp_path, {"policy": "adaptive"}, None)
    assert found == read(package / "derived" / "threshold_selection.parquet")


def _write(path: Path, rows: list[dict[str, object]]) -> None:
    if path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    else:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(TRAJECTORIES))
            writer.writeheader()
            writer.writerows(
                {name: str(cell).lower() if isinstance(cell, bool) else cell for name, cell in row.items()}
                for row in rows
            )


def test_a_missing_input_is_told_with_the_names_it_may_have(tmp_path: Path) -> None:
    with pytest.raises(CannotOpen) as caught:
        run_instrument("threshold-selection", tmp_path, {"policy": "adaptive"}, None)
    files = "trajectories.parquet, trajectories.csv, trajectories.jsonl"
    assert str(caught.value) == f"{tmp_path}: needs one of {files} for threshold-selection"


def test_a_description_is_a_row_schema() -> None:
    assert schema_of({"album": "string, its name", "low": "number or null, the end"}) == {
        "type": "object",
        "properties": {
            "album": {"type": "string", "description": "its name"},
            "low": {"type": ["number", "null"], "description": "the end"},
        },
        "required": ["album", "low"],
        "additionalProperties": False,
    }


def test_an_instrument_that_raises_is_a_fault_of_its_own_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it raises: the tables made before it keep their results."""
    monkeypatch.setattr(instruments, "load", lambda _: plus)
    root = package(tmp_path / "tiny")
    derive_package(root)
    opened = open_package(root, frozen=False)

    def load(_: str) -> Any:
        done.append(_)
        return plus if len(done) == 1 else lambda *_: 1 // 0

    done: list[str] = []
    monkeypatch.setattr(instruments, "load", load)
    results, faults = check_derived(opened, opened.tables)
    derived = [table for table in opened.tables.values() if table.derivation]
    assert [(result.table, result.status) for result in results] == [(derived[0].name, "same")]
    assert [(fault.code, fault.file) for fault in faults] == [
        ("instrument-failed", table.file) for table in derived[1:]
    ]
    assert "ZeroDivisionError" in str(faults[0])
