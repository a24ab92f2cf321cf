"""Broken packages, ledgers and archives: each function breaks a sound one, and is named for what it breaks."""

from __future__ import annotations

import io
import json
import os
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import yaml

from tests import build
from tieout.freeze import freeze_ledger, freeze_package

PACKAGE, LEDGER, TRIALS = "packages/tiny", "ledgers/doc", "packages/tiny/receipts/trials.parquet"


def sound(root: Path) -> Path:
    """A frozen package and a locked ledger about it, with nothing wrong."""
    build.package(root / PACKAGE)
    (root / PACKAGE / "README.md").write_text("# A tiny package\n\nEight trials.\n", encoding="utf-8")
    build.ledger(root / LEDGER, [build.claim("rate", "75%")])
    freeze_package(root / PACKAGE)
    freeze_ledger(root / LEDGER)
    return root


def edit(path: Path, change: Callable[[Any], Any]) -> None:
    """A document changed in place."""
    document = yaml.safe_load(path.read_text("utf-8"))
    change(document)
    build.write(path, document)


def table(root: Path, change: Callable[[dict[str, list[Any]]], Any], types: dict[str, pa.DataType]) -> None:
    """The trials with changed columns; `types` are those that the change would leave open."""
    columns = pq.read_table(root / TRIALS).to_pydict()
    change(columns)
    made = {name: pa.array(cells, types.get(name)) for name, cells in columns.items()}
    pq.write_table(pa.table(made), root / TRIALS)


# -- files that are not what was frozen


def missing_table(root: Path) -> None:
    (root / TRIALS).unlink()


def missing_schema(root: Path) -> None:
    (root / PACKAGE / "schemas/trials.json").unlink()


def missing_checks(root: Path) -> None:
    (root / PACKAGE / "checks.yaml").unlink()


def missing_sums(root: Path) -> None:
    (root / PACKAGE / "SHA256SUMS").unlink()


def missing_descriptor(root: Path) -> None:
    (root / PACKAGE / "package.yaml").unlink()


def missing_readme(root: Path) -> None:
    (root / PACKAGE / "README.md").unlink()


def missing_datapackage(root: Path) -> None:
    (root / PACKAGE / "datapackage.json").unlink()


def extra_file(root: Path) -> None:
    (root / PACKAGE / "notes.txt").write_text("mine", encoding="utf-8")


def extra_hidden_file(root: Path) -> None:
    (root / PACKAGE / "receipts/.trials.parquet").write_bytes(b"PAR1")


def extra_link_to_a_folder(root: Path) -> None:
    (root / PACKAGE / "more").symlink_to(root / PACKAGE / "receipts")


def extra_pipe(root: Path) -> None:
    os.mkfifo(root / PACKAGE / "pipe")


def extra_file_with_a_name_that_hides(root: Path) -> None:
    (root / PACKAGE / "a\x1b[2Jb\u202e").write_text("", encoding="utf-8")


def extra_file_with_a_name_that_is_not_utf8(root: Path) -> None:
    Path(os.fsdecode(os.fsencode(root / PACKAGE) + b"/\xff\xfe")).write_bytes(b"")


def empty_table(root: Path) -> None:
    (root / TRIALS).write_bytes(b"")


def truncated_table(root: Path) -> None:
    (root / TRIALS).write_bytes((root / TRIALS).read_bytes()[:-100])


def crlf_checks(root: Path) -> None:
    path = root / PACKAGE / "checks.yaml"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))


def crlf_sums(root: Path) -> None:
    path = root / PACKAGE / "SHA256SUMS"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))


def lfs_pointer(root: Path) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 4711\n"
    (root / TRIALS).write_text(pointer, encoding="utf-8")


def html_page(root: Path) -> None:
    (root / TRIALS).write_text("<!DOCTYPE html>\n<title>Sign in</title>\n", encoding="utf-8")


def text_in_place_of_parquet(root: Path) -> None:
    (root / TRIALS).write_text("task_id,policy\na,plain\n", encoding="utf-8")


def folder_in_place_of_a_table(root: Path) -> None:
    (root / TRIALS).unlink()
    (root / TRIALS).mkdir()


def pipe_in_place_of_a_table(root: Path) -> None:
    (root / TRIALS).unlink()
    os.mkfifo(root / TRIALS)


def linked_table(root: Path) -> None:
    (root / TRIALS).rename(root / "elsewhere.parquet")
    (root / TRIALS).symlink_to(root / "elsewhere.parquet")


def linked_descriptor(root: Path) -> None:
    path = root / PACKAGE / "package.yaml"
    path.rename(root / "elsewhere.yaml")
    path.symlink_to(root / "elsewhere.yaml")


def linked_checks(root: Path) -> None:
    path = root / PACKAGE / "checks.yaml"
    path.rename(root / "elsewhere.yaml")
    path.symlink_to(root / "elsewhere.yaml")


def _sums(root: Path, change: Callable[[list[str]], Any]) -> None:
    path = root / PACKAGE / "SHA256SUMS"
    lines = path.read_text("utf-8").splitlines()
    change(lines)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def wrong_hash(root: Path) -> None:
    _sums(root, lambda lines: lines.__setitem__(0, "0" * 64 + lines[0][64:]))


def malformed_sums(root: Path) -> None:
    _sums(root, lambda lines: lines.append("not a line of sums"))


def sums_that_name_an_absolute_path(root: Path) -> None:
    _sums(root, lambda lines: lines.append(f"{'0' * 64}  /etc/passwd"))


def sums_that_climb_out(root: Path) -> None:
    _sums(root, lambda lines: lines.append(f"{'0' * 64}  ../../ledgers/doc/ledger.yaml"))


def sums_that_name_a_file_twice(root: Path) -> None:
    _sums(root, lambda lines: lines.append(lines[0]))


def names_that_differ_by_case(root: Path) -> None:
    (root / PACKAGE / "readme.MD").write_text("", encoding="utf-8")


def _datapackage(root: Path, change: Callable[[Any], Any]) -> None:
    import hashlib

    path = root / PACKAGE / "datapackage.json"
    edit(path, change)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    _sums(
        root,
        lambda lines: lines.__setitem__(
            slice(None),
            [
                f"{digest}  datapackage.json" if line.endswith("  datapackage.json") else line
                for line in lines
            ],
        ),
    )


def wrong_bytes_in_datapackage(root: Path) -> None:
    _datapackage(root, lambda given: given["resources"][0].update(bytes=1))


def wrong_hash_in_datapackage(root: Path) -> None:
    _datapackage(root, lambda given: given["resources"][1].update(hash=f"sha256:{'0' * 64}"))


def wrong_rows_in_datapackage(root: Path) -> None:
    _datapackage(root, lambda given: given["resources"][0]["tieout"].update(rows=9))


def datapackage_without_resources(root: Path) -> None:
    _datapackage(root, lambda given: given.pop("resources"))


# -- paths in the descriptor


def _path(root: Path, name: str) -> None:
    edit(root / PACKAGE / "package.yaml", lambda given: given["tables"]["trials"].update(file=name))


def absolute_path(root: Path) -> None:
    _path(root, "/etc/passwd")


def climbing_path(root: Path) -> None:
    _path(root, "receipts/../../../elsewhere.parquet")


def path_with_a_backslash(root: Path) -> None:
    _path(root, "receipts\\trials.parquet")


def path_with_a_drive(root: Path) -> None:
    _path(root, "C:/trials.parquet")


def device_path(root: Path) -> None:
    _path(root, "receipts/nul.parquet")


def path_not_in_normal_form(root: Path) -> None:
    _path(root, "receipts/tria\u0308ls.parquet")


def path_that_turns(root: Path) -> None:
    _path(root, "receipts/\u202eteuqrap.slairt")


def path_in_two_scripts(root: Path) -> None:
    _path(root, "receipts/tri\u0430ls.parquet")


def path_too_long(root: Path) -> None:
    _path(root, f"receipts/{'a' * 300}.parquet")


# -- documents that cannot be read, or are of another form


def _text(root: Path, text: str | bytes, name: str = f"{PACKAGE}/package.yaml") -> None:
    (root / name).write_bytes(text.encode() if isinstance(text, str) else text)


def _prefixed(root: Path, line: str) -> None:
    path = root / PACKAGE / "package.yaml"
    lines = [f"{key}: {json.dumps(value)}" for key, value in yaml.safe_load(path.read_text("utf-8")).items()]
    path.write_text("\n".join([line, *lines]) + "\n", encoding="utf-8")


def ten_megabytes_in_one_value(root: Path) -> None:
    edit(root / PACKAGE / "package.yaml", lambda given: given.update(description="a" * 10_000_000))


def a_descriptor_of_twenty_megabytes(root: Path) -> None:
    _prefixed(root, "# " + "a" * 20_000_000)


def deep_nesting(root: Path) -> None:
    _text(root, "title: " + "[" * 100_000)


def deep_nesting_in_a_schema(root: Path) -> None:
    _text(root, '{"a":' * 100_000, f"{PACKAGE}/schemas/trials.json")


def aliases_that_explode(root: Path) -> None:
    _text(root, "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n")


def doubled_key(root: Path) -> None:
    _prefixed(root, 'name: "other"')


def tag_of_a_python_object(root: Path) -> None:
    _text(root, "name: !!python/object/apply:os.system ['true']\n")


def not_a_number(root: Path) -> None:
    _text(root, '{"minimum": NaN}', f"{PACKAGE}/schemas/trials.json")


def utf16_descriptor(root: Path) -> None:
    _text(root, "name: tiny".encode("utf-16"))


def latin1_descriptor(root: Path) -> None:
    _text(root, "title: \xe4".encode("latin-1"))


def empty_descriptor(root: Path) -> None:
    _text(root, "")


def two_documents(root: Path) -> None:
    _text(root, "a: 1\n---\nb: 2\n")


def misspelt_key(root: Path) -> None:
    edit(root / PACKAGE / "package.yaml", lambda given: given.update(titel="x"))


def list_in_place_of_a_name(root: Path) -> None:
    edit(root / PACKAGE / "package.yaml", lambda given: given.update(name=["tiny"]))


# -- texts that hide or imitate


def title_that_turns(root: Path) -> None:
    edit(root / PACKAGE / "package.yaml", lambda given: given.update(title="A \u202eegakcap\u202c"))


def title_that_clears_the_screen(root: Path) -> None:
    edit(root / PACKAGE / "package.yaml", lambda given: given.update(title="\x1b[2J\x1b[1;1H630 tie"))


def key_with_no_width(root: Path) -> None:
    edit(root / PACKAGE / "package.yaml", lambda given: given.update({"ti\u200btle": "x"}))


def evaluator_in_two_scripts(root: Path) -> None:
    edit(root / PACKAGE / "package.yaml", lambda given: given["evaluators"][0].update(note="a hum\u0430n"))


def enum_in_two_scripts(root: Path) -> None:
    path = root / PACKAGE / "schemas/trials.json"
    edit(path, lambda given: given["properties"]["policy"].update(enum=["plain", "retry", "pl\u0430in"]))


def accented_names_and_signs(root: Path) -> None:
    """Nothing is wrong with these."""
    title = "José’s Łódź study – 3.8× “quoted”, μs, Δt, χ², ½ ≥ ⅓, 測試, тест"
    edit(root / PACKAGE / "package.yaml", lambda given: given.update(title=title))


# -- what the descriptor says of its parts


def _entry(root: Path, name: str, **entry: Any) -> None:
    made = {"file": "receipts/limits.parquet", "schema": "schemas/limits.json", **entry}
    edit(root / PACKAGE / "package.yaml", lambda given: given["tables"].update({name: made}))


def unknown_basis(root: Path) -> None:
    _entry(root, "limits", basis="hearsay")


def unknown_schema(root: Path) -> None:
    _entry(root, "limits", schema="schemas/none.json", basis="design")


def unknown_input(root: Path) -> None:
    _entry(root, "made", instrument="nobody-has-it", inputs={"runs": "rnus"})


def unknown_evaluator(root: Path) -> None:
    edit(root / PACKAGE / "package.yaml", lambda given: given.update(evaluators=[]))


def unknown_plan_table(root: Path) -> None:
    edit(root / PACKAGE / "package.yaml", lambda given: given.update(plan={"table": "none", "of": "trials"}))


def two_evaluators_with_one_id(root: Path) -> None:
    edit(root / PACKAGE / "package.yaml", lambda given: given.update(evaluators=[build.JUDGE, build.JUDGE]))


def tables_that_differ_by_case(root: Path) -> None:
    _entry(root, "Limits", basis="design")


def derivations_in_a_circle(root: Path) -> None:
    _entry(root, "one", instrument="x", inputs={"a": "two"})
    _entry(root, "two", instrument="x", inputs={"a": "one"})


def derivations_without_end(root: Path) -> None:
    made: dict[str, Any] = {}
    for number in range(100):
        below = f"d{number + 1}" if number < 99 else "trials"
        entry = {"instrument": "x", "inputs": {"a": below, "b": below}}
        made[f"d{number}"] = {"file": "receipts/limits.parquet", "schema": "schemas/limits.json", **entry}
    edit(root / PACKAGE / "package.yaml", lambda given: given["tables"].update(made))


def foreign_instrument(root: Path) -> None:
    """A package that names code of its own, which nobody runs; the table stays as published."""
    code = f"from pathlib import Path\nPath({str(root / 'ran')!r}).touch()\n"
    for name in ("instrument.py", "nobody_has_it.py", "sitecustomize.py", "conftest.py"):
        (root / PACKAGE / name).write_text(code, encoding="utf-8")
    _entry(root, "made", instrument="nobody-has-it", inputs={"runs": "trials"})


def two_checks_with_one_id(root: Path) -> None:
    edit(root / PACKAGE / "checks.yaml", lambda given: given["checks"].append(given["checks"][0]))


def _check(root: Path, sql: str, examined: str = "SELECT count(*) FROM trials") -> None:
    check = {"id": "cached-inside", "says": "A rule", "examined": examined, "sql": sql}
    build.write(root / PACKAGE / "checks.yaml", {"checks": [check]})


def check_that_drops_a_table(root: Path) -> None:
    _check(root, "DROP TABLE trials")


def check_of_an_unknown_column(root: Path) -> None:
    _check(root, "SELECT nothing FROM trials")


def check_that_examines_a_text(root: Path) -> None:
    _check(root, "SELECT * FROM trials WHERE success IS NULL", "SELECT min(task_id) FROM trials")


def check_without_end(root: Path) -> None:
    _check(root, ENDLESS)


def broken_check(root: Path) -> None:
    _check(root, "SELECT task_id, trial FROM trials WHERE input_tokens = 301")


# -- row schemas


def _column(root: Path, **more: Any) -> None:
    path = root / PACKAGE / "schemas/trials.json"
    edit(path, lambda given: given["properties"]["task_id"].update(more))


def misspelt_keyword(root: Path) -> None:
    _column(root, minLenght=1)


def schema_that_unfolds_without_end(root: Path) -> None:
    def change(given: Any) -> None:
        given["$defs"] = {"d0": {"type": "string"}}
        for number in range(1, 40):
            given["$defs"][f"d{number}"] = {"allOf": [{"$ref": f"#/$defs/d{number - 1}"}] * 2}
        given["properties"]["task_id"] = {"$ref": "#/$defs/d39", "tieout": {"role": "case"}}

    edit(root / PACKAGE / "schemas/trials.json", change)


def references_in_a_circle(root: Path) -> None:
    def change(given: Any) -> None:
        given["$defs"] = {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}
        given["properties"]["task_id"] = {"$ref": "#/$defs/a", "tieout": {"role": "case"}}

    edit(root / PACKAGE / "schemas/trials.json", change)


def reference_to_another_host(root: Path) -> None:
    def change(given: Any) -> None:
        given["properties"]["task_id"] = {"$ref": "https://tieout.invalid/schema.json"}

    edit(root / PACKAGE / "schemas/trials.json", change)


def pattern_of_names_without_end(root: Path) -> None:
    path = root / PACKAGE / "schemas/trials.json"
    edit(path, lambda given: given.update(patternProperties={"^(a+)+$": True}))


def pattern_without_end(root: Path) -> None:
    table(root, lambda columns: columns.update(task_id=["a" * 60 + "!"] * 8), {})
    _column(root, pattern="^(?=a)(a+)+$")


# -- rows


def text_where_a_count_belongs(root: Path) -> None:
    table(root, lambda columns: columns.update(input_tokens=["10"] * 8), {})


def floats_where_counts_belong(root: Path) -> None:
    table(root, lambda columns: columns.update(input_tokens=[10.0] * 8), {})


def not_a_number_among_costs(root: Path) -> None:
    table(root, lambda columns: columns.update(user_cost=[float("nan")] * 8), {})


def lists_in_cells(root: Path) -> None:
    table(root, lambda columns: columns.update(user_cost=[[1]] * 8), {})


def all_null(root: Path) -> None:
    table(root, lambda columns: columns.update(success=[None] * 8), {"success": pa.bool_()})


def null_in_the_key(root: Path) -> None:
    table(root, lambda columns: columns["trial"].__setitem__(3, None), {})


def key_that_stands_twice(root: Path) -> None:
    table(root, lambda columns: columns["trial"].__setitem__(1, 0), {})


def missing_column(root: Path) -> None:
    table(root, lambda columns: columns.pop("success"), {})


def extra_column(root: Path) -> None:
    table(root, lambda columns: columns.update(secret_sauce=[1] * 8), {})


def value_outside_its_list(root: Path) -> None:
    table(root, lambda columns: columns["policy"].__setitem__(0, "pl\x1b[2Jin"), {})


def two_columns_that_differ_by_case(root: Path) -> None:
    table(root, lambda columns: columns.update(Success=[True] * 8), {})


def forged_row_count(root: Path) -> None:
    """The footer's count of rows, a varint after the marks of its field, becomes 7."""
    path = root / TRIALS
    data = path.read_bytes()
    assert data.count(b"\x16\x10\x19\x1c") == 1
    path.write_bytes(data.replace(b"\x16\x10\x19\x1c", b"\x16\x0e\x19\x1c"))


def garbage_in_the_pages(root: Path) -> None:
    data = bytearray((root / TRIALS).read_bytes())
    data[4:400] = bytes(396)
    (root / TRIALS).write_bytes(data)


def garbage_in_the_footer(root: Path) -> None:
    data = bytearray((root / TRIALS).read_bytes())
    (length,) = struct.unpack("<I", data[-8:-4])
    data[-8 - length : -8] = b"\xff" * length
    (root / TRIALS).write_bytes(data)


def footer_longer_than_its_file(root: Path) -> None:
    data = bytearray((root / TRIALS).read_bytes())
    data[-8:-4] = struct.pack("<I", 2**31 - 1)
    (root / TRIALS).write_bytes(data)


# -- secrets; put together here, so that nobody takes the script for a leak

HOME = "/" + "home/someone/study/run.json"
KEY = "sk-" + "Zz19" * 8
TOKEN = "ghp_" + "Ab3d" * 9


def secret_in_a_text(root: Path) -> None:
    (root / PACKAGE / "README.md").write_text(f"# Tiny\n\nexport API_KEY={KEY}\n", encoding="utf-8")


def secret_in_a_table(root: Path) -> None:
    table(root, lambda columns: columns["task_id"].__setitem__(5, f"see {TOKEN}"), {})


def home_in_a_table(root: Path) -> None:
    table(root, lambda columns: columns["task_id"].__setitem__(2, HOME), {})


def home_in_the_descriptor(root: Path) -> None:
    edit(root / PACKAGE / "package.yaml", lambda given: given["sources"][0].update(path=HOME))


def password_in_the_descriptor(root: Path) -> None:
    url = "https://someone:" + "hunter2" + "@example.org/data"
    edit(root / PACKAGE / "package.yaml", lambda given: given["sources"][0].update(path=url))


# -- ledgers


def secret_in_a_ledger(root: Path) -> None:
    path = root / LEDGER / "sections/01-all.yaml"
    path.write_text(f"{path.read_text('utf-8')}# {KEY}\n", encoding="utf-8")


def _section(root: Path, change: Callable[[Any], Any]) -> None:
    edit(root / LEDGER / "sections/01-all.yaml", change)


def _claims(root: Path, *claims: dict[str, Any]) -> None:
    _section(root, lambda given: given.update(claims=list(claims)))


def missing_sections(root: Path) -> None:
    (root / LEDGER / "sections/01-all.yaml").unlink()


def linked_section(root: Path) -> None:
    path = root / LEDGER / "sections/01-all.yaml"
    path.rename(root / "elsewhere.yaml")
    path.symlink_to(root / "elsewhere.yaml")


def two_claims_with_one_id(root: Path) -> None:
    _claims(root, build.claim("rate", "75%"), build.claim("rate", "75%"))


def claim_computed_in_two_ways(root: Path) -> None:
    _claims(root, build.claim("rate", "75%", metric="success_rate", formula="1"))


def unknown_package(root: Path) -> None:
    edit(root / LEDGER / "ledger.yaml", lambda given: given.update(packages={"t": "nowhere"}))


def unknown_alias(root: Path) -> None:
    _claims(root, build.claim("rate", "75%", package="u"))


def unknown_caveat(root: Path) -> None:
    _claims(root, build.claim("rate", "75%", caveats=["none"]))


def unknown_headline(root: Path) -> None:
    edit(root / LEDGER / "ledger.yaml", lambda given: given.update(headline=["none"]))


def unquoted_printing(root: Path) -> None:
    text = "section: I\nclaims:\n- {id: a, says: A, kind: not-collected, printings: [{text: 1234}]}\n"
    _text(root, text, f"{LEDGER}/sections/01-all.yaml")


def grid_without_end(root: Path) -> None:
    many: dict[str, Any] = {f"r{number}": {} for number in range(1000)}
    grid = {"id": "g", "says": "A grid", "rows": many, "columns": many, "printed": "row\n"}
    _section(root, lambda given: given.update(grids=[grid]))


def grid_of_another_shape(root: Path) -> None:
    grid = {"id": "g", "says": "A grid", "rows": {"a": {}}, "columns": {"b": {"kind": "not-collected"}}}
    _section(root, lambda given: given.update(grids=[{**grid, "printed": "row | b\na | 1 | 2\n"}]))


def says_that_turns(root: Path) -> None:
    _section(root, lambda given: given["claims"][0].update(says="Share of \u202esliated"))


def id_in_two_scripts(root: Path) -> None:
    _section(root, lambda given: given["claims"][0].update(id="r\u0430te"))


def printing_without_width(root: Path) -> None:
    _section(root, lambda given: given["claims"][0]["printings"][0].update(text="7\u200b5%"))


def printing_in_two_scripts(root: Path) -> None:
    _section(root, lambda given: given["claims"][0]["printings"][0].update(text="\u0430bout 75%"))


def lock_of_another_form(root: Path) -> None:
    _text(root, '{"packages": [1], "metrics": null}', f"{LEDGER}/ledger.lock.json")


def lock_that_is_no_json(root: Path) -> None:
    _text(root, "{'packages'", f"{LEDGER}/ledger.lock.json")


def missing_lock(root: Path) -> None:
    (root / LEDGER / "ledger.lock.json").unlink()


def locked_with_another_package(root: Path) -> None:
    edit(root / LEDGER / "ledger.lock.json", lambda given: given["packages"].update(tiny="0" * 64))


def locked_with_another_metric(root: Path) -> None:
    edit(root / LEDGER / "ledger.lock.json", lambda given: given["metrics"].update(success_rate="0" * 64))


def name_that_two_packages_have(root: Path) -> None:
    build.package(root / "packages/other")
    freeze_package(root / "packages/other")


# -- archives


def _zip(root: Path, change: Callable[[zipfile.ZipFile], Any] = lambda archive: None) -> None:
    """The sound package as an archive, with what `change` adds."""
    with zipfile.ZipFile(root / "tiny.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted((root / PACKAGE).rglob("*")):
            archive.write(path, f"tiny/{path.relative_to(root / PACKAGE).as_posix()}")
        change(archive)


def _member(name: str, mode: int = 0o100644) -> zipfile.ZipInfo:
    member = zipfile.ZipInfo(name)
    member.external_attr = mode << 16
    return member


def _added(root: Path, name: str, mode: int = 0o100644, data: bytes = b"x") -> None:
    _zip(root, lambda archive: archive.writestr(_member(name, mode), data))


def zip_without_fault(root: Path) -> None:
    _zip(root)


def zip_slip(root: Path) -> None:
    _added(root, "tiny/../../slipped")


def zip_absolute(root: Path) -> None:
    _added(root, "/slipped")


def zip_backslash(root: Path) -> None:
    _added(root, "..\\slipped")


def zip_link(root: Path) -> None:
    _added(root, "tiny/link", 0o120777, b"/etc/passwd")


def zip_device(root: Path) -> None:
    _added(root, "tiny/device", 0o020666)


def zip_not_in_normal_form(root: Path) -> None:
    _added(root, "tiny/a\u0308")


def zip_that_turns(root: Path) -> None:
    _added(root, "tiny/\u202etxt")


def zip_with_a_control_character(root: Path) -> None:
    _added(root, "tiny/\x1b[2J")


def zip_names_that_differ_by_case(root: Path) -> None:
    _added(root, "tiny/PACKAGE.yaml")


def zip_doubled_name(root: Path) -> None:
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # zipfile warns of what is wanted here
        _added(root, "tiny/package.yaml")


def zip_file_that_is_a_folder(root: Path) -> None:
    _added(root, "tiny/package.yaml/inner")


def zip_bomb(root: Path) -> None:
    _zip(root, lambda archive: archive.writestr("tiny/bomb", bytes(32 * 2**20)))


def zip_bomb_of_many(root: Path) -> None:
    def add(archive: zipfile.ZipFile) -> None:
        for number in range(80):
            archive.writestr(f"tiny/{number}", bytes(2**19))

    _zip(root, add)


def _declared(root: Path, size: int) -> None:
    """The list at the archive's end says another size of README.md than its bytes have."""
    _zip(root)
    data = bytearray((root / "tiny.zip").read_bytes())
    at = data.rindex(b"tiny/README.md") - 46
    assert data[at : at + 4] == b"PK\x01\x02"
    data[at + 24 : at + 28] = struct.pack("<I", size)
    (root / "tiny.zip").write_bytes(data)


def zip_larger_than_it_says(root: Path) -> None:
    _declared(root, 3)


def zip_smaller_than_it_says(root: Path) -> None:
    _declared(root, 4000)


def zip_that_says_terabytes(root: Path) -> None:
    _declared(root, 2**32 - 2)


def zip_with_shared_bytes(root: Path) -> None:
    """Two entries of the list lead to one member's bytes, as in archives that are made of themselves."""
    _zip(root, lambda archive: archive.writestr("tiny/zz", b"x" * 50))
    data = bytearray((root / "tiny.zip").read_bytes())
    at = data.rindex(b"tiny/zz") - 46
    other = data.rindex(b"tiny/README.md") - 46
    data[at + 42 : at + 46] = data[other + 42 : other + 46]
    (root / "tiny.zip").write_bytes(data)


def zip_in_a_zip(root: Path) -> None:
    _zip(root)
    inner = (root / "tiny.zip").read_bytes()
    with zipfile.ZipFile(root / "tiny.zip", "w") as archive:
        archive.writestr("tiny.zip", inner)


def zip_encrypted(root: Path) -> None:
    _zip(root)
    data = bytearray((root / "tiny.zip").read_bytes())
    at = data.rindex(b"tiny/README.md") - 46
    data[at + 8] |= 1
    (root / "tiny.zip").write_bytes(data)


def zip_of_another_method(root: Path) -> None:
    _zip(root, lambda archive: archive.writestr("tiny/lzma", b"x" * 50, zipfile.ZIP_LZMA))


def zip_of_too_many(root: Path) -> None:
    def add(archive: zipfile.ZipFile) -> None:
        for number in range(10_001):
            archive.writestr(zipfile.ZipInfo(f"tiny/{number}"), b"")

    _zip(root, add)


def zip_truncated(root: Path) -> None:
    _zip(root)
    (root / "tiny.zip").write_bytes((root / "tiny.zip").read_bytes()[:-40])


def zip_without_its_beginning(root: Path) -> None:
    _zip(root)
    (root / "tiny.zip").write_bytes((root / "tiny.zip").read_bytes()[60:])


def zip_with_flipped_bytes(root: Path) -> None:
    _zip(root)
    data = bytearray((root / "tiny.zip").read_bytes())
    for at in range(60, 200):
        data[at] ^= 0x55
    (root / "tiny.zip").write_bytes(data)


def zip64(root: Path) -> None:
    _zip(root)
    data = (root / "tiny.zip").read_bytes()
    end = data.rindex(b"PK\x05\x06")
    locator = b"PK\x06\x07" + struct.pack("<IQI", 0, end, 1)
    (root / "tiny.zip").write_bytes(data[:end] + locator + data[end:])


def not_a_zip(root: Path) -> None:
    _text(root, "tar, perhaps", "tiny.zip")


def zip_of_nothing(root: Path) -> None:
    zipfile.ZipFile(io.BytesIO(), "w").close()
    with zipfile.ZipFile(root / "tiny.zip", "w"):
        pass


ENDLESS = (
    "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i > 0) "
    "SELECT count(*) AS count FROM n, trials"
)
