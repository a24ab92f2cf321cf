"""YAML and JSON are read strictly: what two readers could take differently is a fault with line and column."""

from __future__ import annotations

import json
import os
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tieout import strict
from tieout.errors import CannotOpen, Fault, Invalid
from tieout.strict.text import MAX_BYTES, MAX_DEPTH, MAX_SCALAR


def yaml_faults(text: str | bytes) -> list[str]:
    with pytest.raises(Invalid) as caught:
        strict.load_yaml(text, "f.yaml")
    return [f"{fault.code}: {fault}" for fault in caught.value.faults]


def json_fault(text: str | bytes) -> str:
    with pytest.raises(Invalid) as caught:
        strict.load_json(text, "f.json")
    [fault] = caught.value.faults
    return f"{fault.code}: {fault}"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: 1", {"a": 1}),
        ("a: -0", {"a": 0}),
        ("a: 0.10", {"a": Decimal("0.10")}),
        ("a: -1.5e+3", {"a": Decimal("-1.5E+3")}),
        ("a: 0.0e-999999999", {"a": Decimal("0.0")}),
        ("a: 9007199254740993", {"a": 2**53 + 1}),
        ("a: [true, false, null, ~]\nb:", {"a": [True, False, None, None], "b": None}),
        ("a: 1.0.0", {"a": "1.0.0"}),
        ("a: 18/20", {"a": "18/20"}),
        ("a: 1,000", {"a": "1,000"}),
        ("a: 3-way", {"a": "3-way"}),
        ("a: n\ny: ...x", {"a": "n", "y": "...x"}),
        ("a: 'yes'\n'1': \"2026-09-11\"", {"a": "yes", "1": "2026-09-11"}),
        ("a: |\n  x\n  y\n", {"a": "x\ny\n"}),
        ("a: >-\n  x\n  y\n", {"a": "x y"}),
        ("text: '5'\ncorrected: \"a\"", {"text": "5", "corrected": "a"}),
        ('a: "\\u2028"', {"a": "\u2028"}),
        ("--- [a]\n...\n", ["a"]),
        ("a: 3.8×\r\nb: c\r\n", {"a": "3.8×", "b": "c"}),
        (b"a: \xc3\xa9", {"a": "é"}),
    ],
)
def test_yaml_that_both_versions_read_alike_is_read(text: str | bytes, value: object) -> None:
    found = strict.load_yaml(text, "f.yaml")
    assert found == value
    assert str(found) == str(value)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "empty-document: f.yaml: line 1, column 1: the file holds no value"),
        ("# a\n", "empty-document: f.yaml: line 1, column 1: the file holds no value"),
        (
            "a: 1\nb: 2\na: 3",
            'duplicate-key: f.yaml, /a: line 3, column 1: the key "a" stands twice; first on line 1',
        ),
        (
            "a: yes",
            ("ambiguous: f.yaml, /a: line 1, column 4: yes is read in two ways; "
            "write true, false or null, or put it in quotes"),
        ),
        (
            "a: 2026-09-11",

             ('ambiguous: f.yaml, /a: line 1, column 4: '
             '"2026-09-11" is read as a date or as text; put it in quotes'),
        ),
        (
            "a: 007",
            ("ambiguous: f.yaml, /a: line 1, column 4: 007 is read in two ways; "
            "write a number like 1234 or 0.5, or put it in quotes"),
        ),
        ("a: .nan", "not-finite: f.yaml, /a: line 1, column 4: .nan is no number that can be used here"),
        (
            "a: 1.0e+999",
            'number: f.yaml, /a: line 1, column 4: "1.0e+999" is beyond the range of a binary64 number',
        ),
        (
            "a: 1.0e-999",
            'number: f.yaml, /a: line 1, column 4: "1.0e-999" is nearer to 0 than a binary64 number can be',
        ),
        ("a: " + "9" * 401, "number: f.yaml, /a: line 1, column 4: the number has more than 400 characters"),
        ("- text: 90%", "unquoted-text: f.yaml, /0/text: line 1, column 9: the value of text must be in quotes"),
        ("text: |\n  5", "unquoted-text: f.yaml, /text: line 1, column 7: the value of text must be in quotes"),
        (
            "corrected: 5",
            "unquoted-text: f.yaml, /corrected: line 1, column 12: the value of corrected must be in quotes",
        ),
        ("a: !!str 1",
         ('tag: f.yaml, /a: line 1, column 4: the tag '
         '"tag:yaml.org,2002:str" stands here; remove it')),
        (
            "a: !!python/object:os.system {}",

             ('tag: f.yaml, /a: line 1, column 4: the tag '
             '"tag:yaml.org,2002:python/object:os.syst…" stands here; remove it'),
        ),
        ("a: 1\n---\nb: 2",
         ("second-document: f.yaml: line 2, column 1: a second "
         "document begins here; a file holds one")),
        ("%YAML 1.2\n---\na: 1",
         ("yaml-directive: f.yaml: line 1, column 1: a "
         "directive (%…) stands here; remove it")),
        ("1: a", "key: f.yaml: line 1, column 1: the key 1 is not a text; put it in quotes"),
        ("null: a", "key: f.yaml: line 1, column 1: the key null is not a text; put it in quotes"),
        ("? [a]\n: b", "key: f.yaml: line 1, column 3: a key must be a text"),
        ("a: b\n  c: d", "yaml: f.yaml: line 2, column 4: mapping values are not allowed in this context"),
        ("a: [1",
         ("yaml: f.yaml: line 2, column 1: while parsing a flow "
         "sequence: did not find expected ',' or ']'")),
        ("a: b\nc: \x07", "yaml: f.yaml: line 2, column 4: the character U+0007 may not stand in YAML"),
        ("a: b\u2028c",
         ("line-separator: f.yaml: line 1, column 5: the line "
         "separator U+2028 stands here; write \\u2028 in double quotes")),
        (b"a: \xe9", "encoding: f.yaml: line 1, column 4: byte 0xe9 is not UTF-8"),
        (b"a: b\n\xff", "encoding: f.yaml: line 2, column 1: byte 0xff is not UTF-8"),
        ("a: 1".encode("utf-16"), "encoding: f.yaml: line 1, column 1: the file is UTF-16; save it as UTF-8"),
        (b"\xef\xbb\xbfa: 1",
         ("byte-order-mark: f.yaml: line 1, column 1: the file "
         "begins with a byte order mark; save it as UTF-8 without")),
        ("\ufeffa: 1", "byte-order-mark: f.yaml: line 1, column 1: the text begins with a byte order mark"),
        ("a: '\ud800'", "encoding: f.yaml: line 1, column 1: the text holds half of a surrogate pair"),
        ("a: '" + "x" * (MAX_SCALAR + 1) + "'",
         ("too-large: f.yaml, /a: line 1, column 4: the value "
         "has more than 1048576 characters")),
        (b"x" * (MAX_BYTES + 1), "too-large: f.yaml: line 1, column 1: the file has more than 16777216 bytes"),
    ],
    ids=lambda value: repr(value)[:30],
)  # fmt: skip
def test_a_fault_of_yaml_names_line_column_and_cause(text: str | bytes, line: str) -> None:
    assert yaml_faults(text) == [line]


@pytest.mark.parametrize("word", ["True", "NO", "on", "Off", "Null", "<<", "="])
@pytest.mark.parametrize("form", ["a: {}", "- {}", "{}: a"])
def test_words_that_versions_read_differently_are_refused(word: str, form: str) -> None:
    assert [line.partition(":")[0] for line in yaml_faults(form.format(word))] == ["ambiguous"]


@pytest.mark.parametrize(
    "number",
    [
        "+5",
        "1_000",
        ".5",
        "5.",
        "0x1F",
        "0o17",
        "0b1",
        "12:30",
        "1:2:3.5",
        "017",
        "-.5e3",
        "1e5",
        "1.5e5",
        "-0x1",
    ],
)
def test_numbers_that_versions_read_differently_are_refused(number: str) -> None:
    assert [line.partition(":")[0] for line in yaml_faults(f"a: {number}")] == ["ambiguous"]


def test_all_faults_are_told_in_their_order() -> None:
    lines = yaml_faults("a: yes\ntext: no\nb: [007, .inf]\na: 1")
    assert [line.split(": ")[0] for line in lines] == [
        "ambiguous",
        "unquoted-text",
        "ambiguous",
        "not-finite",
        "duplicate-key",
    ]


def test_aliases_that_would_explode_are_refused_at_once() -> None:
    bomb = "a: &a [x]\n" + "".join(
        f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )
    codes = {line.partition(":")[0] for line in yaml_faults(bomb)}
    assert codes == {"anchor", "alias"}


@pytest.mark.parametrize("text", ["[" * 200 + "]" * 200, "{a: " * 200 + "1" + "}" * 200])
def test_deep_nesting_is_refused_in_both_languages(text: str) -> None:
    assert [line.partition(":")[0] for line in yaml_faults(text)] == ["too-deep"]
    assert json_fault(text.replace("a", '"a"')).startswith("too-deep: ")


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "[" * 5_000_000])
def test_nesting_without_an_end_is_refused(text: str) -> None:
    assert json_fault(text).startswith("too-deep: ")
    assert len(yaml_faults(text)) == 1


def test_the_deepest_nesting_allowed_is_read() -> None:
    text = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert str(strict.load_json(text, "f")) == str(strict.load_yaml(text, "f")) == text


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "json: f.json: line 1, column 1: expected a value, found the end of the file"),
        ('{"a": 1,\n "a": 2}',
         ('duplicate-key: f.json, /a: line 2, column 2: the key '
         '"a" stands twice; first on line 1')),
        ('{"a": {"b/c": [NaN]}}',
         ("not-finite: f.json, /a/b~1c/0: line 1, column 16: "
         "NaN is no number that can be used here")),
        ("[-Infinity]",
         ("not-finite: f.json, /0: line 1, column 2: -Infinity "
         "is no number that can be used here")),
        ("[1e999]", 'number: f.json, /0: line 1, column 2: "1e999" is beyond the range of a binary64 number'),
        (f"[{'9' * 5000}]", "number: f.json, /0: line 1, column 2: the number has more than 400 characters"),
        ("[01]", 'json: f.json: line 1, column 2: "01]" is not JSON'),
        ("[1,]", 'json: f.json, /1: line 1, column 4: expected a value, found "]"'),
        ('{"a":1,}', 'json: f.json: line 1, column 8: expected a key in double quotes, found "}"'),
        ('{"a" 1}', 'json: f.json, /a: line 1, column 6: expected ":" after the key "a"'),
        ("[1 2]", 'json: f.json: line 1, column 4: expected "," or "]", found "2"'),
        ("[1]\n[2]", 'json: f.json: line 2, column 1: the value has ended, but "[" follows'),
        ("[True]", 'json: f.json, /0: line 1, column 2: "True" is not JSON'),
        ('["\\ud800"]', "encoding: f.json, /0: line 1, column 2: the text holds half of a surrogate pair"),
        ('["a\nb"]', 'json: f.json: line 1, column 2: "\\"a\\nb\\"]" is not JSON'),
        ("// a\n1", 'json: f.json: line 1, column 1: "// a\\n1" is not JSON'),
        (b"[\xff]", "encoding: f.json: line 1, column 2: byte 0xff is not UTF-8"),
        ('"' + "x" * (MAX_SCALAR + 1) + '"',
         ("too-large: f.json: line 1, column 1: the value has "
         "more than 1048576 characters")),
    ],
    ids=lambda value: repr(value)[:30],
)  # fmt: skip
def test_a_fault_of_json_names_line_column_and_cause(text: str | bytes, line: str) -> None:
    assert json_fault(text) == line


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.decimals(-9999, 9999, places=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


class Numbers(json.JSONEncoder):
    """Decimals as the numbers they are."""

    def default(self, o: Any) -> Any:
        return float(o)


@given(VALUES)
def test_what_json_writes_is_read_back(value: Any) -> None:
    text = json.dumps(value, cls=Numbers)
    assert strict.load_json(text, "f") == json.loads(text, parse_float=Decimal)


@given(VALUES, st.integers(0, 200), st.sampled_from(list('{}[]",:0-e.\\ tfn\x00\n')))
@settings(max_examples=300)
def test_broken_json_is_refused_by_both_readers_alike(value: Any, at: int, what: str) -> None:
    text = json.dumps(value, cls=Numbers)
    text = text[:at] + what + text[at + 1 :]
    try:
        found = strict.load_json(text, "f")
    except Invalid:
        return
    assert found == json.loads(text, parse_float=Decimal)


TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"]))
OF_TEXTS = st.recursive(
    TEXTS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("abcyn01", max_size=4), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(OF_TEXTS, st.sampled_from([None, "'", '"']))
def test_texts_that_yaml_writes_are_read_back_or_refused(value: Any, style: str | None) -> None:
    text = yaml.safe_dump(value, allow_unicode=True, default_style=style)
    try:
        found = strict.load_yaml(text, "f", frozenset())
    except Invalid as error:
        codes = {fault.code for fault in error.faults}
    else:
        codes = set()
        assert found == value
    # Unquoted, the writer leaves texts that YAML 1.2 reads as numbers.
    assert codes <= (set() if style else {"ambiguous"})


@given(st.binary(max_size=40) | st.text("ab:-?[]{}&*!|>'\"%@`#, \n\t0.~yesno", max_size=40).map(str.encode))
@settings(max_examples=500)
def test_any_bytes_are_read_or_refused_and_nothing_else(data: bytes) -> None:
    for load in (strict.load_yaml, strict.load_json):
        faults: tuple[Fault, ...] = ()
        try:
            load(data, "f")
        except Invalid as error:
            faults = error.faults
        assert all(fault.row is not None and fault.row >= 1 for fault in faults)


TEXT = '{\n "a": [1,\n  {"b/c": 2}],\n "d": "x"}\n'


@pytest.mark.parametrize("document", [strict.yaml_document(TEXT, "f"), strict.json_document(TEXT, "f")])
def test_lines_are_known_by_pointer_and_else_by_the_nearest_thing_around(document: strict.Document) -> None:
    assert dict(document.lines) == {"": 1, "/a": 2, "/a/0": 2, "/a/1": 3, "/a/1/b~1c": 3, "/d": 4}
    assert document.line("/a/1/x/y") == 3
    assert document.line("/z") == 1


def test_keys_that_must_be_quoted_can_be_others() -> None:
    assert strict.load_yaml("text: plain", "f", frozenset()) == {"text": "plain"}


def test_files_are_read_by_their_path(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("{}")
    assert strict.read_yaml(tmp_path / "a", "a").value == strict.read_json(tmp_path / "a", "a").value == {}


def test_what_is_no_regular_file_cannot_be_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, message in (
        ("none", "x.yaml: No such file or directory"),
        (".", "x.yaml: is not a regular file"),
        ("pipe", "x.yaml: is not a regular file"),
    ):
        with pytest.raises(CannotOpen) as caught:
            strict.read_yaml(tmp_path / name, "x.yaml")
        assert str(caught.value) == message
