"""An author's own CSV and JSON Lines become receipts by the row schema, and nothing is guessed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests import build
from tieout.errors import CannotOpen, Invalid
from tieout.importers.parquet import read
from tieout.importers.tables import import_tables

MANY = build.schema(
    "many",
    ["id"],
    {
        "id": build.COUNT,
        "text": {"type": ["string", "null"]},
        "flag": {"type": ["boolean", "null"]},
        "share": {"type": ["number", "null"]},
    },
)
CSV = 'id,text,flag,share\n2,"a, ""b""",false,0.5\n1,007,true,\n'
ROWS = [
    {"id": 1, "text": "007", "flag": True, "share": None},
    {"id": 2, "text": 'a, "b"', "flag": False, "share": 0.5},
]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    root = build.package(tmp_path / "tiny", {"many": (MANY, [], {"basis": "observation"})}, checks=[])
    (root / "receipts" / "many.parquet").unlink()
    return root


def source(folder: Path, content: str | bytes, name: str = "many.csv") -> Path:
    (folder / "source").mkdir(exist_ok=True)
    data = content if isinstance(content, bytes) else content.encode()
    (folder / "source" / name).write_bytes(data)
    return folder / "source"


def imported(
    folder: Path, package: Path, content: str | bytes, name: str = "many.csv"
) -> list[dict[str, object]]:
    assert import_tables(source(folder, content, name), package) == ["receipts/many.parquet"]
    return read(package / "receipts" / "many.parquet")


def test_csv_cells_are_read_by_the_type_of_their_column(tmp_path: Path, package: Path) -> None:
    assert imported(tmp_path, package, CSV) == ROWS


def test_windows_line_ends_change_nothing(tmp_path: Path, package: Path) -> None:
    assert imported(tmp_path, package, CSV.replace("\n", "\r\n")) == ROWS


def test_json_lines_are_read_strictly(tmp_path: Path, package: Path) -> None:
    lines = "".join(json.dumps(row) + "\n" for row in reversed(ROWS))
    assert imported(tmp_path, package, lines, "many.jsonl") == ROWS


@pytest.mark.parametrize(
    ("content", "row", "column", "expected", "found"),
    [
        ("id,text,flag,share\nx,a,true,1\n", 2, "id", "integer", "x"),
        ("id,text,flag,share\n1.0,a,true,1\n", 2, "id", "integer", "1.0"),
        ("id,text,flag,share\n1_0,a,true,1\n", 2, "id", "integer", "1_0"),
        ("id,text,flag,share\n 1,a,true,1\n", 2, "id", "integer", " 1"),
        ("id,text,flag,share\n٣,a,true,1\n", 2, "id", "integer", "٣"),
        ("id,text,flag,share\n1,a,yes,1\n", 2, "flag", "boolean", "yes"),
        ("id,text,flag,share\n1,a,True,1\n", 2, "flag", "boolean", "True"),
        ("id,text,flag,share\n1,a,true,half\n", 2, "share", "number", "half"),
        ('id,text,flag,share\n1,a,true,"0,5"\n', 2, "share", "number", "0,5"),
        ("id,text,flag,share\n1,a,true,nan\n", 2, "share", "number", "nan"),
        ("id,text,flag,share\n1,a,true\n", 2, None, "4 cells", "3"),
        ("id,text,flag,share\n1,a,true,1\n2,b,true,1,x\n", 3, None, "4 cells", "5"),
    ],
)
def test_a_cell_that_its_column_cannot_hold_is_told_with_its_place(
    tmp_path: Path, package: Path, content: str, row: int, column: str | None, expected: str, found: str
) -> None:
    with pytest.raises(Invalid) as caught:
        import_tables(source(tmp_path, content), package)
    [fault] = caught.value.faults
    assert (fault.file, fault.row, fault.column) == ("many.csv", row, column)
    assert fault.message == f"expected {expected}, found {found!r}; correct the line, or the table's schema"
    assert not (package / "receipts" / "many.parquet").exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("id,text,flag\n1,a,true\n", "the row has no column share, which its schema requires"),
        ("id,text,flag,share,x\n1,a,true,1,2\n", "the row has a column x, which its schema does not declare"),
        ("id,text,flag,share\n,a,true,1\n", "expected integer, found null"),
        ("id,text,flag,share\n1,a,true,1\n1,b,true,1\n", "the key id 1 is already that of row 0"),
    ],
)
def test_rows_of_another_form_are_faults(tmp_path: Path, package: Path, content: str, message: str) -> None:
    with pytest.raises(Invalid) as caught:
        import_tables(source(tmp_path, content), package)
    assert message in [fault.message for fault in caught.value.faults]


def test_a_column_named_twice_is_refused(tmp_path: Path, package: Path) -> None:
    with pytest.raises(Invalid, match="twice"):
        import_tables(source(tmp_path, "id,text,flag,share,id\n1,a,true,1,2\n"), package)


def test_a_table_has_one_file(tmp_path: Path, package: Path) -> None:
    folder = source(tmp_path, CSV)
    source(tmp_path, "", "many.jsonl")
    with pytest.raises(CannotOpen) as caught:
        import_tables(folder, package)
    assert str(caught.value) == f"{folder}: needs many.csv or many.jsonl for table many; it has 2 of them"
