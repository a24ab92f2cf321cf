"""Descriptor, checks and ledger against their published schemas, with faults that name line, pointer and cause."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.conftest import ROOT
from tieout.exact import COMBINES
from tieout.schema.documents import NAMES, check_document, document_schema, schemas_root
from tieout.strict import load_yaml, read_yaml, yaml_document

PACKAGE = """\
name: album-memory-2
title: Album memory, part two
version: "1.0.0"
created: "2026-09-11"
description: Receipts of a study
licenses: [{name: notspecified, title: no licence is stated}]
sources: [{title: the study}]
contributors: [{title: An author, roles: [author]}]
evaluators:
  - {id: verifier, kinds: [model, code], in_loop: {policy: [adaptive]}, blinded: false}
tables:
  runs: {file: receipts/runs.parquet, schema: schemas/runs.json, basis: observation}
  summary:
    file: derived/summary.parquet
    schema: schemas/summary.json
    instrument: order-permutation
    inputs: {ratings: runs}
    seed: 41
plan: {table: plan, of: runs}
"""
SECTION = """\
section: I
heading: "I. Results"
package: m2
grids:
  - id: glance
    says: The overview
    rows:
      full: {where: {runs: {policy: full, cap: {at_most: 1600}}}}
    columns:
      accepted: {metric: acceptance, of: [low, high]}
      tokens:
    cells:
      full.tokens: {metric: tokens, erratum: {corrected: "1,234", says: a slip, published: null}}
    printed: |
      row  | accepted | tokens
      full | 90%      | 2,713
claims:
  - id: ratio
    says: Tokens over tokens
    formula: a / b
    from: {a: glance.full.tokens, b: "glance.full.accepted#numerator"}
    printings:
      - {text: "3.8×", near: "about", tolerance: {value: 0.05, because: the text says about}}
  - id: half
    says: How many of them
    metric: halves
    where: {runs: [{policy: full}, {policy: [a, b], cap: {not: [1, 2]}}], plan: all}
    reading:
      taken: the middle belongs to the first half
      others: [{says: to the second, params: {middle: 2}}]
  - {id: rated, says: Ratings, kind: not-collected, printings: [{text: "No"}]}
"""


def faults(name: str, text: str) -> list[str]:
    document = yaml_document(text, f"{name}.yaml")
    return [str(fault) for fault in check_document(document.value, name, f"{name}.yaml", document.lines)]


@pytest.mark.parametrize("name", NAMES)
def test_each_schema_keeps_its_own_dialect_and_says_what_its_keys_are(name: str) -> None:
    schema = document_schema(name)
    Draft202012Validator.check_schema(schema)

    def described(part: Any, place: str) -> None:
        for key, inner in part.get("properties", {}).items():
            if "$ref" not in inner:
                assert "description" in inner, f"{place}/{key}"
                described(inner, f"{place}/{key}")

    described(schema, name)
    for key, part in schema.get("$defs", {}).items():
        assert "description" in part, key
        described(part, key)


@pytest.mark.parametrize(("name", "text"), [("package", PACKAGE), ("section", SECTION)])
def test_a_good_document_has_no_fault(name: str, text: str) -> None:
    assert faults(name, text) == []


def test_every_ledger_and_package_of_the_repository_is_good() -> None:
    names = {
        "package.yaml": "package",
        "checks.yaml": "checks",
        "ledger.yaml": "ledger",
        "ignored.yaml": "ignored",
    }
    paths = [path for part in ("ledgers", "packages") for path in (ROOT / "artifacts" / part).rglob("*.yaml")]
    for path in sorted(paths):
        document = read_yaml(path, str(path.relative_to(ROOT)))
        assert (
            check_document(document.value, names.get(path.name, "section"), document.file, document.lines)
            == []
        )


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("title: Album memory, part two\n", "", "package.yaml, line 1: the key \"title\" is missing"),
        ("version: \"1.0.0\"", "version: 1.5", "package.yaml, /version, line 3: expected string, found 1.5"),
        ("2026-09-11", "11.9.2026",
         'package.yaml, /created, line 4: expected a date like 2026-09-11, found "11.9.2026"'),
        ("sources:", "source:", 'package.yaml, /source, line 7: the key "source" is unknown; did you mean "sources"?'),
        ("album-memory-2", "Album Memory",
         'package.yaml, /name, line 1: expected text that matches ^[a-z0-9]+(-[a-z0-9]+)*$, found "Album Memory"'),
        ("kinds: [model, code]", "kinds: [model, robot]",
         ('package.yaml, /evaluators/0/kinds/1, line 10: '
          'expected "code", "model", "ai-audit" or "human", found "robot"')),
        ("in_loop: {policy: [adaptive]}", "in_loop: some",
         'package.yaml, /evaluators/0/in_loop, line 10: expected boolean or object, found "some"'),
        (", basis: observation", "", 'package.yaml, /tables/runs, line 12: the key "basis" is missing'),
        ("    seed: 41", "    basis: design", 'package.yaml, /tables/summary, line 13: "basis" can\'t stand here'),
        ("    instrument: order-permutation\n", "    basis: design\n",
         'package.yaml, /tables/summary, line 13: "inputs" needs "instrument" beside it'),
        ("file: receipts/runs.parquet", "file: /etc/passwd",
         ("package.yaml, /tables/runs/file, line 12: expected text that matches "
         '^[^/\\\\:]+(/[^/\\\\:]+)*$, found "/etc/passwd"')),
        ("licenses: [{name: notspecified, ", "licenses: [{",
         'package.yaml, /licenses/0, line 6: expected one of the keys "name" or "path", found none of them'),
        ("roles: [author]", "roles: []",
         "package.yaml, /contributors/0/roles, line 8: expected at least 1 item, found 0 items"),
    ],
)  # fmt: skip
def test_a_fault_of_the_descriptor_names_line_pointer_and_cause(old: str, new: str, line: str) -> None:
    assert old in PACKAGE
    assert line in faults("package", PACKAGE.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("    formula: a / b\n", "",
         ('section.yaml, /claims/0, line 18: expected one of the keys "metric", "sql", "formula", "asserts" or "kind", '
         "found none of them")),
        ("    metric: halves\n", "    metric: halves\n    kind: quoted\n",
         ('section.yaml, /claims/1, line 24: expected one of the keys "metric", "sql", "formula", "asserts" or "kind", '
         'found "metric" and "kind"')),
        ("kind: not-collected", "kind: quoted", 'section.yaml, /claims/2, line 31: the key "locator" is missing'),
        ("kind: not-collected", "kind: not-recomputable",
         'section.yaml, /claims/2, line 31: the key "because" is missing'),
        ("kind: not-collected", "kind: lost",
         ("section.yaml, /claims/2/kind, line 31: "
          'expected "quoted", "not-collected" or "not-recomputable", found "lost"')),
        ("    from: {a: glance.full.tokens, b: \"glance.full.accepted#numerator\"}\n", "",
         'section.yaml, /claims/0, line 18: the key "from" is missing'),
        ("plan: all", "plan: every", 'section.yaml, /claims/1/where/plan, line 27: expected "all", found "every"'),
        ("at_most", "atmost",
         ('section.yaml, /grids/0/rows/full/where/runs/cap/atmost, line 8: the key "atmost" is unknown; '
         'did you mean "at_most"?')),
        ("value: 0.05", "value: about",
         'section.yaml, /claims/0/printings/0/tolerance/value, line 23: expected number, found "about"'),
        ("near: \"about\"", "nearby: \"about\"",
         'section.yaml, /claims/0/printings/0/nearby, line 23: the key "nearby" is unknown; did you mean "near"?'),
        ("of: [low, high]", "of: [low]",
         "section.yaml, /grids/0/columns/accepted/of, line 10: expected at least 2 items, found 1 item"),
        ("id: half", "id: The half",
         'section.yaml, /claims/1/id, line 24: expected text that matches ^[a-z0-9]+(-[a-z0-9]+)*$, found "The half"'),
        ("others: [{says: to the second, params: {middle: 2}}]", "others: []",
         "section.yaml, /claims/1/reading/others, line 30: expected at least 1 item, found 0 items"),
    ],
)  # fmt: skip
def test_a_fault_of_a_section_names_line_pointer_and_cause(old: str, new: str, line: str) -> None:
    assert old in SECTION
    assert line in faults("section", SECTION.replace(old, new))


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("checks", "checks:\n- {id: a, says: b, sql: SELECT 1}\n",
         'checks.yaml, /checks/0, line 2: the key "examined" is missing'),
        ("ledger", "document: {id: a, version: '1', title: T, url: nowhere}\npackages: {}\n",
         'ledger.yaml, /document/url, line 1: expected a URI with its scheme, found "nowhere"'),
        ("ledger", "document: {id: a, version: '1', title: T}\npackages: {}\nnumbers: {decimal: ';'}\n",
         'ledger.yaml, /numbers/decimal, line 3: expected "." or ",", found ";"'),
        ("ignored", "ignored:\n- {text: 'one', near: 'one day', why: a pronoun, all: true}\n",
         'ignored.yaml, /ignored/0, line 2: "near" and "all" can\'t stand together'),
        ("ignored", "ignored: {}\n", "ignored.yaml, /ignored, line 1: expected array, found an object"),
        ("ignored", "[]\n", "ignored.yaml, line 1: expected object, found an array"),
    ],
)  # fmt: skip
def test_faults_of_the_other_documents(name: str, text: str, line: str) -> None:
    assert faults(name, text) == [line]


def test_faults_stand_in_the_order_of_the_text() -> None:
    text = (
        PACKAGE.replace('"1.0.0"', "1").replace("seed: 41", "seed: x").replace("kinds: [model", "kinds: [m")
    )
    rows = [int(line.split("line ")[1].split(":")[0]) for line in faults("package", text)]
    assert rows == [3, 10, 18]


def test_the_ways_to_combine_are_those_of_the_calculation() -> None:
    assert tuple(document_schema("section")["$defs"]["rule"]["enum"]) == COMBINES


def test_without_lines_a_fault_has_its_pointer_alone() -> None:
    [fault] = check_document(load_yaml("checks: 1", "c"), "checks", "c")
    assert (fault.row, fault.pointer, fault.expected, fault.found) == (None, "/checks", "array", "1")


def test_an_unknown_kind_of_document_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="no schema of documents is called 'recipe'"):
        document_schema("recipe")


def test_the_schemas_lie_in_the_repository_or_in_the_wheel() -> None:
    assert {path.stem for path in Path(schemas_root()).glob("*.json")} >= set(NAMES)
