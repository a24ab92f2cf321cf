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


def told(folder: Path, package: Path, content: str | bytes, name: str = "many.csv") -> list[str]:
    """What is wrong with a table's file, and nothing is written."""
    with pytest.raises(Invalid) as caught:
        import_tables(source(folder, content, name), package)
    assert not (package / "receipts" / "many.parquet").exists()
    return [str(fault) for fault in caught.value.faults]


HEADER = "id,text,flag,share\n"
FLOATING = "the column has become floating-point: in pandas an empty cell does so, and type Int64 does not"


@pytest.mark.parametrize(
    ("cells", "column", "said"),
    [
        ("x,a,true,1", "id", 'expected integer, found "x"'),
        ("1.5,a,true,1", "id", 'expected integer, found "1.5"'),
        ("3003.0,a,true,1", "id", f'expected integer, found "3003.0"; {FLOATING}'),
        ("1_0,a,true,1", "id", 'expected integer, found "1_0"'),
        (" 1,a,true,1", "id", 'expected integer, found " 1"'),
        ("٣,a,true,1", "id", 'expected integer, found "٣"'),
        ("9999999999999999999,a,true,1", "id", "expected an integer of 64 bits, found 9999999999999999999"),
        (",a,true,1", "id", "expected integer, found null"),
        ("1,a,yes,1", "flag", 'expected boolean or null, found "yes"'),
        ("1,a,True,1", "flag", 'expected boolean or null, found "True"; write true or false'),
        ("1,a,true,half", "share", 'expected number or null, found "half"'),
        ('1,a,true,"0,5"', "share", 'expected number or null, found "0,5"'),
        ("1,a,true,nan", "share", 'expected number or null, found "nan"'),
    ],
)
def test_a_cell_that_its_column_cannot_hold_is_told_with_its_place(
    tmp_path: Path, package: Path, cells: str, column: str, said: str
) -> None:
    assert told(tmp_path, package, f"{HEADER}{cells}\n") == [f"many.csv, line 2, column {column}: {said}"]


def test_a_row_is_told_by_the_line_on_which_it_begins(tmp_path: Path, package: Path) -> None:
    content = HEADER + '1,"a\nb",true,1\n2,"c\nd",yes,1\n1,e,true,1\n'
    assert told(tmp_path, package, content) == [
        'many.csv, line 4, column flag: expected boolean or null, found "yes"'
    ]
    assert told(tmp_path, package, content.replace("yes", "true")) == [
        "many.csv, line 6, column id: the key id 1 is already that of line 2"
    ]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("1,a,true\n", "line 2: expected 4 cells, found 3"),
        ("1,a,true,1\n2,b,true,1,x\n", "line 3: expected 4 cells, found 5"),
        ('1,a,true,1\n2,"b"c,true,1\n', "line 3: expected a line of CSV, found ',' expected after '\"'"),
    ],
)
def test_a_line_of_another_form_is_told(tmp_path: Path, package: Path, content: str, said: str) -> None:
    assert told(tmp_path, package, HEADER + content) == [f"many.csv, {said}"]


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("id,text,flag", 'the header lacks "share"'),
        ("id,text,flag,share,x", 'the header has "x", which the schema does not declare'),
        ("id,txt,flag", 'the header lacks "text", "share" and has "txt", which the schema does not declare'),
        ("id,text,flag,share,id", 'the header has "id" twice'),
        ("id;text;flag;share", 'the header is one cell; write commas between cells, not ";"'),
        ("id\ttext\tflag\tshare", 'the header is one cell; write commas between cells, not "\\t"'),
    ],
)
def test_another_header_is_one_fault(tmp_path: Path, package: Path, header: str, said: str) -> None:
    assert told(tmp_path, package, header + "\n" + "1,a,true,1\n" * 30) == [f"many.csv, line 1: {said}"]


def test_of_many_lines_with_one_fault_twenty_are_listed(tmp_path: Path, package: Path) -> None:
    found = told(tmp_path, package, HEADER + "".join(f"{index},a,no,1\n" for index in range(25)))
    assert len(found) == 21
    assert found[-1] == "many.csv, column flag: 25 of these faults in all; the first 20 are listed"


@pytest.mark.parametrize("name", ["many.csv", "many.jsonl"])
def test_an_empty_file_is_refused(tmp_path: Path, package: Path, name: str) -> None:
    message = "the file is empty; of a table without rows, write a CSV with the header alone"
    assert told(tmp_path, package, "", name) == [f"{name}: {message}"]
    assert told(tmp_path, package, "\n", name) == [f"{name}: {message}"]


def test_a_header_alone_is_a_table_without_rows(tmp_path: Path, package: Path) -> None:
    assert imported(tmp_path, package, HEADER) == []


def test_a_json_line_is_told_in_words_of_json(tmp_path: Path, package: Path) -> None:
    lines = [
        '{"id": 3.0, "text": 7, "flag": "true", "share": "3"}',
        '{"id": true, "text": [], "flag": 1, "shar": 0.5}',
    ]
    place = "many.jsonl, line"
    assert sorted(told(tmp_path, package, "\n".join(lines), "many.jsonl")) == [
        f'{place} 1, column flag: expected boolean or null, found "true"; write true or false',
        f"{place} 1, column id: expected integer, found 3.0; {FLOATING}",
        f'{place} 1, column share: expected number or null, found "3"',
        f"{place} 1, column text: expected string or null, found integer 7",
        f"{place} 2, column flag: expected boolean or null, found integer 1",
        f"{place} 2, column id: expected integer, found true",
        f"{place} 2, column shar: the row has a column shar, which its schema does not declare",
        f"{place} 2, column share: the row has no column share, which its schema requires",
        f"{place} 2, column text: expected string or null, found an array",
    ]


def test_json_that_breaks_is_told_with_its_own_line(tmp_path: Path, package: Path) -> None:
    sound = json.dumps(ROWS[0])
    [found] = told(tmp_path, package, f'{sound}\n{{"id": 1,}}\n', "many.jsonl")
    assert found.startswith("many.jsonl: line 2, column 10: ")
    assert told(tmp_path, package, f"{sound}\n[1]\n", "many.jsonl") == [
        "many.jsonl, line 2: expected an object, found an array"
    ]


def test_a_line_of_json_ends_where_an_editor_ends_it(tmp_path: Path, package: Path) -> None:
    row = {**ROWS[0], "text": "a\u2028b\x85c"}
    assert imported(tmp_path, package, json.dumps(row, ensure_ascii=False) + "\r\n", "many.jsonl") == [row]


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"type": "str"}, "/properties/flag/type"),
        ({"type": ["integer", "string"]}, "/properties/flag/type"),
        ({}, "/properties/flag"),
        ({"type": "array"}, "/properties/flag/type"),
        ({"anyOf": [{"type": "boolean"}, {"type": "null"}]}, "/properties/flag"),
        ({"enum": [1, "a"]}, "/properties/flag/enum"),
    ],
)
def test_a_column_that_no_cell_could_be_read_by_is_a_fault_of_the_schema(
    tmp_path: Path, package: Path, change: dict[str, object], place: str
) -> None:
    build.write(package / "schemas/many.json", {**MANY, "properties": {**MANY["properties"], "flag": change}})
    [found] = told(tmp_path, package, CSV)
    assert found.startswith(f"schemas/many.json, {place}: ")


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ([], "schemas/many.json: expected an object, found an array"),
        (
            {key: value for key, value in MANY.items() if key != "tieout"},
            "schemas/many.json, /tieout/key: expected the columns that name a row, found null",
        ),
        ({**MANY, "tieout": {"key": ["di"]}}, 'schemas/many.json, /tieout/key/0: "di" is no column'),
        (
            {**MANY, "tieout": {"key": ["text"]}},
            'schemas/many.json, /tieout/key/0: the column "text" may be null, and a key has no null',
        ),
        (
            {**MANY, "properties": None, "required": []},
            "schemas/many.json, /properties: expected an object with the columns, found null",
        ),
    ],
)
def test_a_schema_that_is_none_is_told_before_its_table_is_read(
    tmp_path: Path, package: Path, schema: object, said: str
) -> None:
    build.write(package / "schemas/many.json", schema)
    assert told(tmp_path, package, CSV) == [said]


def test_a_table_has_one_file(tmp_path: Path, package: Path) -> None:
    folder = source(tmp_path, CSV)
    source(tmp_path, "", "many.jsonl")
    with pytest.raises(CannotOpen) as caught:
        import_tables(folder, package)
    assert str(caught.value) == f"{folder}: needs many.csv or many.jsonl for table many; it has 2 of them"
