"""Texts that look like what they are: characters that hide, turn or imitate others are named, with their place."""

from __future__ import annotations

import re
import unicodedata

# Control and format characters (bidirectional ones among them), halves of surrogate pairs, private use, unassigned,
# and the two separators that end a line in some programs and not in others.
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Letters and marks that nobody sees: the joiner, fillers, vowel signs without a shape, the blank Braille cell, and the
# selectors of variants, but for those of text and picture, which emoji need.
_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufe00-\ufe0d\U000e0100-\U000e01ef]")
_WORD = re.compile(r"[^\W\d_]+")
# Scripts with letters that a reader takes for Latin ones. Greek stands in ordinary words (Δt, μs, χ²), so of its
# letters only those count that have a Latin twin.
_IMITATING = frozenset({"CYRILLIC", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU", "DESERET"})
_GREEK_TWINS = frozenset("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγινορυ")


def problem(text: str) -> tuple[str, str] | None:
    """The first character of a text that hides or imitates: code and message, or None.

    Line feeds and tabs are fine, as are all letters, marks, signs and spaces that a reader sees for what they are; a
    word may not mix Latin letters with others that look like them.
    """
    if text.isprintable() and text.isascii():
        return None
    for position, character in enumerate(text):
        hidden = unicodedata.category(character) in _HIDDEN and character not in "\n\t"
        if hidden or _BLANK.match(character):
            return "hidden-character", f"{_named(character, position)} cannot be seen"
    if text.isascii():
        return None
    for word in _WORD.finditer(text):
        if (found := _imitating(word[0])) is not None:
            position = word.start() + found
            message = f"{_named(text[position], position)} stands among Latin letters and looks like one"
            return "mixed-script", message
    return None


def visible(text: str) -> str:
    """The text with every character that cannot be seen spelled out, so that it is safe to print."""
    if text.isprintable():
        return text
    return "".join(
        character.encode("unicode_escape").decode()
        if unicodedata.category(character) in _HIDDEN or _BLANK.match(character)
        else character
        for character in text
    )


def _named(character: str, position: int) -> str:
    name = unicodedata.name(character, "a character without a name")
    return f"U+{ord(character):04X} ({name}), character {position + 1}"


def _imitating(word: str) -> int | None:
    """Where in a word with Latin letters a letter of another script stands that looks like one; None for nowhere."""
    if word.isascii():
        return None
    scripts = [unicodedata.name(letter, "").partition(" ")[0] for letter in word]
    if "LATIN" not in scripts:
        return None
    return next(
        (
            position
            for position, (letter, script) in enumerate(zip(word, scripts, strict=True))
            if script in _IMITATING or letter in _GREEK_TWINS
        ),
        None,
    )
