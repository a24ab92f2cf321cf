"""Characters that hide or imitate others are named; everything that a reader sees for what it is passes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tieout.errors import Fault
from tieout.safetext import problem, visible


@pytest.mark.parametrize(
    "text",
    [
        "José Müller, naïve Łódź",
        "3.8× – “quoted” ‘so’ ½ ≥ ≈ − …",
        "a line\nand\ta tab",
        "1\u00a0234 and 1\u202f234",
        "Δt of 5 μs, µs, χ² test, α-level",
        "раскрытие чисел",
        "日本語テスト",
        "نص عربي",
        "decomposed e\u0301",
        "\u26a0\ufe0f a sign as a picture",
    ],
)
def test_what_a_reader_sees_for_what_it_is_passes(text: str) -> None:
    assert problem(text) is None


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        (
            "18/20\u202e",
            "hidden-character",
            "U+202E (RIGHT-TO-LEFT OVERRIDE), character 6 cannot be seen",
        ),
        ("a\u2066b", "hidden-character", "U+2066 (LEFT-TO-RIGHT ISOLATE), character 2 cannot be seen"),
        ("1\u200b0", "hidden-character", "U+200B (ZERO WIDTH SPACE), character 2 cannot be seen"),
        ("a\u00adb", "hidden-character", "U+00AD (SOFT HYPHEN), character 2 cannot be seen"),
        ("\ufeffa", "hidden-character", "U+FEFF (ZERO WIDTH NO-BREAK SPACE), character 1 cannot be seen"),
        ("\x1b[2J", "hidden-character", "U+001B (a character without a name), character 1 cannot be seen"),
        ("a\x85b", "hidden-character", "U+0085 (a character without a name), character 2 cannot be seen"),
        ("a\u3164", "hidden-character", "U+3164 (HANGUL FILLER), character 2 cannot be seen"),
        (
            "a\U000e0041",
            "hidden-character",
            "U+E0041 (TAG LATIN CAPITAL LETTER A), character 2 cannot be seen",
        ),
        ("\ue000", "hidden-character", "U+E000 (a character without a name), character 1 cannot be seen"),
        (
            "is \u0430ccepted",
            "mixed-script",
            "U+0430 (CYRILLIC SMALL LETTER A), character 4 stands among Latin letters and looks like one",
        ),
        (
            "\u0391BC",
            "mixed-script",
            "U+0391 (GREEK CAPITAL LETTER ALPHA), character 1 stands among Latin letters and looks like one",
        ),
    ],
)
def test_what_hides_or_imitates_is_named_with_its_place(text: str, code: str, message: str) -> None:
    assert problem(text) == (code, message)


def test_what_cannot_be_seen_is_spelled_out() -> None:
    assert visible("a\x1b[2Jb\u202ec\n") == "a\\x1b[2Jb\\u202ec\\n"
    assert visible("José – ×") == "José – ×"


@given(st.text())
def test_a_text_made_visible_hides_nothing(text: str) -> None:
    assert (problem(visible(text)) or ("",))[0] != "hidden-character"
    assert "\n" not in visible(text)


def test_the_place_of_a_fault_is_safe_to_print() -> None:
    assert Fault(code="x", message="is there", file="a\x1b[2J\n").place() == "a\\x1b[2J\\n"
