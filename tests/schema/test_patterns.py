"""The common subset of regular expressions means the same to the engine and to Python."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.schema.conftest import Query
from tieout.schema.patterns import common, searcher

TEXTS = [
    "",
    "a",
    "ab",
    "abab",
    "a\n",
    "\n",
    "A",
    "_",
    "9",
    "٣",
    "é",
    "e\u0301",
    "\u00a0",
    "\ufeff",
    " ",
    "\v",
    "💩",
    "a.b",
]
TEXTS += ["a-b", "]", "^", "$", "\\", "a\u2028", "\x85", "\x1f", "{2}"]


def engine(query: Query, pattern: str, text: str) -> bool:
    def quoted(value: str) -> str:
        return "'" + value.replace("'", "''") + "'"

    found = common(pattern)
    assert found is not None
    [[answer]] = query(f"SELECT regexp_matches({quoted(text)}, {quoted(found.re2)})")
    return bool(answer)


ATOMS = st.one_of(
    st.sampled_from(["a", "b", "é", "💩", ".", r"\.", r"\d", r"\D", r"\w", r"\W", r"\s", r"\S", r"\n"]),
    st.sampled_from([r"\x41", r"\u00e9"]),
    st.sampled_from(["[ab]", "[^a]", "[a-c9]", r"[\d_]", r"[^\s]", r"[\]\-^]", r"[\W]", "[-a]", "[a-]", "[.$]"]),
)  # fmt: skip


def joined(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    repeated = st.tuples(parts, st.sampled_from(["", "", "*", "+", "?", "{2}", "{1,}", "{0,2}", "*?", "+?"]))
    several = st.lists(repeated.map("".join), min_size=1, max_size=3).map("".join)
    grouped = several.map(lambda inner: f"({inner})") | several.map(lambda inner: f"(?:{inner})")
    either = st.tuples(several, several).map(lambda both: f"({both[0]}|{both[1]})")
    return grouped | either


PATTERNS = st.tuples(
    st.sampled_from(["", "^"]), st.recursive(ATOMS, joined, max_leaves=6), st.sampled_from(["", "$"])
)


@given(PATTERNS.map("".join), st.sampled_from(TEXTS) | st.text("ab9.é💩\n _-", max_size=6))
@settings(max_examples=400)
def test_engine_and_python_agree(query: Query, pattern: str, text: str) -> None:
    found = common(pattern)
    assert found is not None
    assert engine(query, pattern, text) == bool(found.python.search(text))


@given(PATTERNS.map("".join), st.text("ab9.é_-", max_size=6))
def test_on_plain_texts_the_meaning_is_that_of_python(pattern: str, text: str) -> None:
    found = common(pattern)
    assert found is not None
    assert bool(found.python.search(text)) == bool(re.compile(pattern, re.ASCII).search(text))


# What ECMA 262 says, on which engines differ: pattern, text, whether it matches.
@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        ("^a$", "a\n", False),
        ("a.b", "a\nb", False),
        ("a.b", "a\u2028b", False),
        ("a.b", "a💩b", True),
        ("[^x]", "\n", True),
        (r"^\d$", "٣", False),
        (r"^\w$", "é", False),
        (r"^\s$", "\u00a0", True),
        (r"^\s$", "\ufeff", True),
        (r"^\s$", "\x85", False),
        (r"^\S$", "\x1f", True),
        ("b", "abc", True),
        (r"^\x41\u00e9$", "Aé", True),
        ("", "x", True),
    ],
)
def test_what_engines_read_differently_has_the_meaning_of_ecma(
    query: Query, pattern: str, text: str, matches: bool
) -> None:
    found = common(pattern)
    assert found is not None
    assert (bool(found.python.search(text)), engine(query, pattern, text)) == (matches, matches)


@pytest.mark.parametrize(
    "pattern",
    ["(?=a)", "(?<!a)b", r"(a)\1", "(?P<n>a)", "(?i)a", r"\bA", r"\p{L}", r"\cA", r"\0", "a++", "a**", "a{,2}", "a{",
     "a{2}{3}", "^*", "[]a]", "[^]", "[[:alpha:]]", "[z-a]", r"[\d-z]", "(", ")", "a|*", "(a{1000}){2}", "a{1001}",
     "[a", "a\\", r"\x4", "\x00", "a{3,2}", "(" * 50 + ")" * 50, "a" * 20000, r"\ud800"],
)  # fmt: skip
def test_what_is_outside_the_subset_is_left_to_python_or_refused(pattern: str) -> None:
    assert common(pattern) is None


def test_a_pattern_that_nobody_reads_has_no_searcher() -> None:
    assert searcher("(") is None
    assert searcher(r"\p{L}") is None
    exotic = searcher(r"^(a)\1$")
    assert exotic is not None
    assert exotic.search("aa")


@pytest.mark.parametrize("pattern", ["(?:a{1000}|b)+", "(a|b|c){500}", "[a-z]{1,1000}", "a{1000}b{1000}"])
def test_the_largest_repetitions_are_read_by_the_engine(query: Query, pattern: str) -> None:
    assert engine(query, pattern, "a" * 1000 + "b" * 1000) is True
