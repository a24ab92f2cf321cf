"""Downloads: zips that depend on their files alone, a data dictionary in the schema's words, citations that parse."""

from __future__ import annotations

import copy
import hashlib
import io
import os
from html import unescape
from pathlib import Path
from zipfile import ZipFile

import yaml

from tests.site.tiny import HOSTILE, gathered
from tieout.site import downloads
from tieout.site.model import Site


def folder(root: Path, names: list[str]) -> Path:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"this is {name}\n", encoding="utf-8")
    return root


def test_a_zip_depends_on_names_and_bytes_alone(tmp_path: Path) -> None:
    names = ["b.txt", "a/c.txt", "a/b.txt"]
    one, two = folder(tmp_path / "one", names), folder(tmp_path / "two", names[::-1])
    os.utime(two / "b.txt", (0, 0))
    (two / "b.txt").chmod(0o600)
    assert downloads.zipped(one, "p") == downloads.zipped(two, "p")


def test_a_zip_holds_the_files_as_they_are_and_no_hidden_one(tmp_path: Path) -> None:
    root = folder(tmp_path / "p", ["a.txt", ".hidden", "x/.git/config"])
    (root / "link").symlink_to("a.txt")
    with ZipFile(io.BytesIO(downloads.zipped(root, "p"))) as archive:
        assert archive.namelist() == ["p/a.txt"]
        assert archive.read("p/a.txt") == b"this is a.txt\n"


def test_files_are_listed_with_size_rows_and_hash() -> None:
    found = {file.path: file for file in downloads.listed(gathered(), "tiny")}
    path = Path(gathered().package("tiny")["folder"]) / "receipts" / "answers.parquet"
    answers = found["receipts/answers.parquet"]
    assert (answers.rows, answers.size) == (3, path.stat().st_size)
    assert answers.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert found["package.yaml"].rows is None


def test_the_dictionary_speaks_the_schema_and_shows_first_rows() -> None:
    table = downloads.described(gathered(), "tiny", "answers")
    assert [(column.name, column.type, column.role) for column in table.columns] == [
        ("answer_id", "string", "what is sampled"),
        ("model", "string", "condition"),
        ("right", "boolean", "outcome of judge"),
    ]
    assert table.head[0] == ("a", HOSTILE, True)
    assert table.basis == "fixture"


def test_ranges_and_lists_of_values_are_told() -> None:
    assert downloads.column("c", {"enum": ["a", None]}).type == "one of a, null"
    assert (
        downloads.column("c", {"type": ["integer", "null"], "minimum": 0}).type == "integer or null, 0 to …"
    )


def test_the_lines_for_the_shell_name_a_table_that_is_there() -> None:
    html = unescape(downloads.shell_example(gathered()).text)
    assert "cd tiny\nsha256sum -c SHA256SUMS\nduckdb -c \"FROM 'receipts/trials.parquet' LIMIT 5\"" in html


def test_citations_say_what_the_descriptor_says() -> None:
    package = {**gathered().package("tiny"), "title": 'A "tiny" package', "digest": "ab" * 32}
    cited = yaml.safe_load(downloads.cff(package))
    assert cited["title"] == 'A "tiny" package'
    assert cited["authors"] == [{"name": "The tests"}]
    assert downloads.bibtex(package).splitlines() == [
        "@misc{tiny,",
        '  title = {{A "tiny" package}},',
        "  author = {{The tests}},",
        "  year = {2026},",
        "  version = {1.0.0},",
        f"  note = {{SHA-256 {'ab' * 32}}}",
        "}",
    ]


def test_what_a_description_marks_as_code_is_shown_as_code() -> None:
    data = copy.deepcopy(dict(gathered().data))
    data["packages"]["tiny"]["description"] = "Made again by `make tiny`; no <b>."
    html = downloads.packages(Site(data)).text
    assert "<p>Made again by <code>make tiny</code>; no &lt;b&gt;.</p>" in html
