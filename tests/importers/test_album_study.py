"""Both shapes of an album study give the package's own bytes, and records that can't be trusted give none."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.importers.published_album import FOLDERS, published, write_folder, write_zip
from tieout.errors import CannotOpen, Invalid
from tieout.importers.album_study import import_album_study
from tieout.importers.parquet import read

STUDIES = sorted(FOLDERS)
ADVICE = "; correct it where the file was made, then import again"


def contents(package: Path) -> dict[str, bytes]:
    return {
        f"{folder}/{path.name}": path.read_bytes()
        for folder in ("receipts", "derived", "schemas")
        for path in (package / folder).iterdir()
    }


def imported(source: Path, output: Path) -> dict[str, bytes]:
    import_album_study(source, output)
    return contents(output)


def messages(source: Path, output: Path, study: str | None = None) -> list[str]:
    with pytest.raises(Invalid) as caught:
        import_album_study(source, output, study)
    assert not output.exists(), "nothing is written when something is wrong"
    return [str(fault) for fault in caught.value.faults]


@pytest.fixture
def broken(tmp_path: Path, studies: Path) -> Callable[..., list[str]]:
    """Import a copy of a study in which one record of a JSON Lines file was changed; what is said of it."""

    def change(study: str, file: str, line: int, edit: Callable[[dict[str, Any]], object]) -> list[str]:
        source = tmp_path / study
        shutil.copytree(studies / study, source)
        (source / file).chmod(0o644)
        records = (source / file).read_text(encoding="utf-8").splitlines()
        record = json.loads(records[line - 1])
        edit(record)
        records[line - 1] = json.dumps(record)
        source.chmod(0o755)
        (source / file).write_text("\n".join(records) + "\n", encoding="utf-8")
        return messages(source, tmp_path / "out")

    return change


@pytest.mark.parametrize("study", STUDIES)
def test_json_lines_give_the_bytes_of_the_package(study: str, studies: Path, tmp_path: Path) -> None:
    assert imported(studies / study, tmp_path / "out") == contents(ROOT / "artifacts" / "packages" / study)


@pytest.mark.parametrize("study", STUDIES)
def test_the_author_s_folder_gives_the_same_bytes(study: str, studies: Path, tmp_path: Path) -> None:
    source = write_folder(published(studies / study), tmp_path / "results")
    assert imported(source, tmp_path / "out") == contents(ROOT / "artifacts" / "packages" / study)


@pytest.mark.parametrize("study", STUDIES)
def test_the_author_s_zip_gives_the_same_bytes(study: str, studies: Path, tmp_path: Path) -> None:
    source = write_zip(published(studies / study), tmp_path / "study.zip", FOLDERS[study])
    assert imported(source, tmp_path / "out") == contents(ROOT / "artifacts" / "packages" / study)


@pytest.mark.parametrize("study", STUDIES)
def test_the_author_s_repository_gives_the_same_bytes(study: str, studies: Path, tmp_path: Path) -> None:
    write_folder(published(studies / study), tmp_path / "site" / FOLDERS[study])
    assert imported(tmp_path / "site", tmp_path / "out") == contents(ROOT / "artifacts" / "packages" / study)


def test_importing_twice_replaces_the_tables_and_leaves_what_a_person_wrote(
    studies: Path, tmp_path: Path
) -> None:
    (tmp_path / "README.md").write_text("mine", encoding="utf-8")
    first = import_album_study(studies / "album-memory-1", tmp_path)
    before = contents(tmp_path)
    assert import_album_study(studies / "album-memory-1", tmp_path) == first
    assert contents(tmp_path) == before
    assert (tmp_path / "README.md").read_text(encoding="utf-8") == "mine"
    assert not list(tmp_path.rglob("*.part"))


def test_row_counts_are_those_of_the_study(studies: Path, tmp_path: Path) -> None:
    pilot = import_album_study(studies / "album-memory-1", tmp_path / "1")
    allocation = import_album_study(studies / "album-memory-2", tmp_path / "2")
    assert (pilot.study, allocation.study) == ("album-memory-1", "album-memory-2")
    assert [pilot.rows[name] for name in ("answers", "calls", "theme_ratings", "albums", "plan")] == [
        144,
        288,
        56,
        4,
        144,
    ]
    assert {name: allocation.rows[name] for name in ("trajectories", "calls", "turns", "turn_calls")} == {
        "trajectories": 504,
        "calls": 1360,
        "turns": 32,
        "turn_calls": 142,
    }
    assert (allocation.rows["relations"], allocation.rows["plan"]) == (48, 4 * 6 * 21)


def test_malformed_addresses_stay_as_printed_and_name_no_track(studies: Path, tmp_path: Path) -> None:
    import_album_study(studies / "album-memory-2", tmp_path)
    rows = read(tmp_path / "receipts" / "cited_sources.parquet")
    tracks = {row["address"]: row["track_id"] for row in rows}
    assert (tracks["T04:C2"], tracks["E05"], tracks["T3:C1"], tracks["T15:tension"]) == (
        "T04",
        None,
        None,
        None,
    )


def test_latency_is_rounded_half_up_to_milliseconds(studies: Path, tmp_path: Path) -> None:
    files = published(studies / "album-memory-2")
    case = files["runs.json"][0]["case_id"]
    files["runs.json"][0]["metrics"]["receipt_latency_s"] = 2.0005
    import_album_study(write_folder(files, tmp_path / "results"), tmp_path / "out")
    rows = read(tmp_path / "out" / "receipts" / "trajectories.parquet")
    assert [row["latency_ms"] for row in rows if row["case_id"] == case] == [2001]


def test_no_text_of_the_author_reaches_a_receipt(studies: Path, tmp_path: Path) -> None:
    def mark(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: mark(item) for key, item in value.items()}
        if isinstance(value, list):
            return [mark(item) for item in value]
        return "prose-of-the-author" if value == "" else value

    files = mark(published(studies / "album-memory-2"))
    made = imported(write_folder(files, tmp_path / "results"), tmp_path / "out")
    assert made == contents(ROOT / "artifacts" / "packages" / "album-memory-2")


def test_a_missing_field_is_named_with_its_line(broken: Callable[..., list[str]]) -> None:
    found = broken(
        "album-memory-2", "trajectories.jsonl", 3, lambda record: record["metrics"].pop("input_tokens")
    )
    assert found == [
        "trajectories.jsonl, /metrics/input_tokens, line 3: expected a whole number from 0, found nothing"
        + ADVICE
    ]


@pytest.mark.parametrize(
    ("value", "expected", "found"),
    [
        (1.5, "a whole number from 0", "1.5"),
        (7.0, "a whole number from 0", "7.0"),
        (True, "a whole number from 0", "true"),
        (-1, "a whole number from 0", "-1"),
        ("12", "a whole number from 0", "'12'"),
        (None, "a whole number from 0", "null"),
    ],
)
def test_what_is_no_count_is_refused(
    broken: Callable[..., list[str]], value: object, expected: str, found: str
) -> None:
    def edit(record: dict[str, Any]) -> None:
        record["calls"][0]["output_tokens"] = value

    assert broken("album-memory-2", "turns.jsonl", 1, edit) == [
        f"turns.jsonl, /calls/0/output_tokens, line 1: expected {expected}, found {found}{ADVICE}"
    ]


def test_every_fault_of_a_study_is_listed_once(broken: Callable[..., list[str]]) -> None:
    def edit(record: dict[str, Any]) -> None:
        record["policy"] = 3
        record["metrics"]["support"] = 0
        del record["judge"]

    assert broken("album-memory-1", "answers.jsonl", 1, edit) == [
        "answers.jsonl, /judge, line 1: expected an object, found nothing" + ADVICE,
        "answers.jsonl, /policy, line 1: expected text, found 3" + ADVICE,
    ]


def test_a_rate_that_its_identifiers_do_not_give_is_refused(broken: Callable[..., list[str]]) -> None:
    def edit(record: dict[str, Any]) -> None:
        record["metrics"]["evidence_recall"] = 0.25

    assert broken("album-memory-1", "answers.jsonl", 1, edit) == [
        "answers.jsonl, /metrics/evidence_recall, line 1: expected 0/2, by the identifiers listed, found 0.25"
        + ADVICE
    ]


def test_a_record_twice_is_refused(broken: Callable[..., list[str]], studies: Path) -> None:
    first = (studies / "album-memory-1" / "answers.jsonl").read_text(encoding="utf-8").splitlines()[0]
    name = json.loads(first)["case_id"]

    def edit(record: dict[str, Any]) -> None:
        record.clear()
        record.update(json.loads(first))

    assert broken("album-memory-1", "answers.jsonl", 2, edit) == [
        f"answers.jsonl, /case_id, line 2: expected a record of its own, found {name} again{ADVICE}"
    ]


def test_a_policy_that_no_schema_knows_is_refused(broken: Callable[..., list[str]]) -> None:
    found = broken("album-memory-1", "answers.jsonl", 5, lambda record: record.update(policy="recent4"))
    known = '"full", "recent3", "selective6" or "summary"'
    assert found == [f'receipts/answers.parquet, row 4, column policy: expected {known}, found "recent4"']


@pytest.mark.parametrize(
    "text", ['{"case_id": "a", "case_id": "b"}', '{"case_id": NaN}', "{", '{"a": 1e999}']
)
def test_lines_that_are_no_strict_json_are_refused_by_line(text: str, studies: Path, tmp_path: Path) -> None:
    source = tmp_path / "study"
    source.mkdir()
    for path in (studies / "album-memory-1").iterdir():
        (source / path.name).write_bytes(path.read_bytes())
    with (source / "answers.jsonl").open("a", encoding="utf-8") as stream:
        stream.write(text + "\n")
    with pytest.raises(Invalid) as caught:
        import_album_study(source, tmp_path / "out")
    assert {(fault.file, fault.row) for fault in caught.value.faults} == {("answers.jsonl", 145)}


def test_a_table_with_a_missing_column_is_refused_by_line(studies: Path, tmp_path: Path) -> None:
    source = tmp_path / "study"
    source.mkdir()
    for path in (studies / "album-memory-2").iterdir():
        (source / path.name).write_bytes(path.read_bytes())
    (source / "usage_by_scope.csv").write_text(
        "scope,calls,input_tokens\npreparation,13,x\n", encoding="utf-8"
    )
    assert messages(source, tmp_path / "out") == [
        "usage_by_scope.csv, line 2, column input_tokens: expected a whole number from 0, found 'x'" + ADVICE,
        "usage_by_scope.csv, line 2, column output_tokens: expected a whole number from 0, found nothing"
        + ADVICE,
    ]


def test_a_fault_of_the_author_s_files_is_named_by_pointer(studies: Path, tmp_path: Path) -> None:
    files = published(studies / "album-memory-2")
    del files["runs.json"][2]["receipts"][0]["usage"]["prompt_tokens_details"]
    files["posthoc_track_alignment.json"].pop(4)
    case = files["runs.json"][4]["case_id"]
    found = messages(write_folder(files, tmp_path / "results"), tmp_path / "out")
    assert found == [
        "runs.json, /2/receipts/0/usage/prompt_tokens_details, line 1: expected an object, found nothing"
        + ADVICE,
        "runs.json, /4/case_id, line 1: expected an entry of posthoc_track_alignment.json, found none"
        + ADVICE,
    ], case


def test_a_request_hash_must_name_the_calls_that_kind_key_and_tokens_name(
    studies: Path, tmp_path: Path
) -> None:
    files = published(studies / "album-memory-2")
    files["runs.json"][1]["receipts"][0]["request_sha256"] = files["runs.json"][0]["receipts"][0][
        "request_sha256"
    ]
    found = messages(write_folder(files, tmp_path / "results"), tmp_path / "out")
    assert found[0] == (
        "runs.json, /1/receipts/0/request_sha256, line 1: expected one hash for each kind, key and token numbers, "
        "found the same hash for others, or another hash for the same" + ADVICE
    )


def test_verdicts_out_of_order_are_refused(studies: Path, tmp_path: Path) -> None:
    files = published(studies / "album-memory-2")
    files["runs.json"][0]["verification"]["claims"].reverse()
    found = messages(write_folder(files, tmp_path / "results"), tmp_path / "out")
    assert found == [
        "runs.json, /0/verification/claims/1/index, line 1: expected 2, one more than before, found 0"
        + ADVICE
    ]


@pytest.mark.parametrize(
    "name",
    ["../runs.json", "/etc/runs.json", "a/../../runs.json", "C:/runs.json", "a\\runs.json", "a//runs.json"],
)
def test_a_zip_with_a_name_outside_its_folder_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / "study.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(name, "[]")
    assert messages(path, tmp_path / "out") == [
        f"study.zip: holds {name!r}, whose name is not a plain relative path"
    ]


def test_a_zip_with_a_link_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "study.zip"
    with zipfile.ZipFile(path, "w") as archive:
        link = zipfile.ZipInfo("runs.json")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "elsewhere")
    assert messages(path, tmp_path / "out") == [
        "study.zip: holds 'runs.json', which is a link or a special file"
    ]


def test_a_member_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "study.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("runs.json", b"[" + b" " * (16 * 1024 * 1024) + b"]")
        archive.writestr("sessions.json", "[]")
    assert messages(path, tmp_path / "out") == ["runs.json: has more than 16777216 bytes"]


def test_a_folder_without_a_study_says_what_it_looked_for(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (message,) = messages(tmp_path / "empty", tmp_path / "out")
    assert message == (
        "empty: holds no album-memory-1 or album-memory-2: expected answers.jsonl, trajectories.jsonl, or the author's "
        "runs.json beside usage_by_stage.json or sessions.json"
    )


def test_where_both_studies_lie_one_must_be_named(studies: Path, tmp_path: Path) -> None:
    for study, folder in FOLDERS.items():
        write_folder(published(studies / study), tmp_path / "site" / folder)
    (message,) = messages(tmp_path / "site", tmp_path / "out")
    assert message == (
        "site: holds more than one study (album-memory-2 in research/album-memory-v2/results, album-memory-1 in "
        "research/album-memory/results): name the one to import"
    )
    assert import_album_study(tmp_path / "site", tmp_path / "out", "album-memory-1").study == "album-memory-1"


def test_what_is_neither_folder_nor_zip_can_not_be_opened(tmp_path: Path) -> None:
    (tmp_path / "study.zip").write_text("no zip", encoding="utf-8")
    with pytest.raises(CannotOpen, match=r"^study\.zip: is neither a folder nor a zip that can be read$"):
        import_album_study(tmp_path / "study.zip", tmp_path / "out")
