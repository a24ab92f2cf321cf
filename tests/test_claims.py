"""A ledger covers its document: every numeral claimed once or ignored, every entry in one place."""

from __future__ import annotations

import pytest

from tieout.claims import Coverage, Ignored, PrintingPlace, cover
from tieout.digits import NumberFormat

TEXT = """An opening with thirteen calls.

I. Results

Full accepts 15/20 (75%) at 2,890 tokens; embedding accepts 18/20 (90%) at 2,713 tokens.
Adaptive matched it, also 90%, in the range 0.756–0.835.

II. Turns

One turn in three: 11 of 16.
"""
SECTIONS = [("opening", None), ("I", "I. Results"), ("II", "II. Turns")]


def place(text: str, section: str = "I", near: str | None = None, claim: str = "a-claim") -> PrintingPlace:
    return PrintingPlace(claim=claim, text=text, section=section, near=near)


def covered(*printings: PrintingPlace, ignored: tuple[Ignored, ...] = (), text: str = TEXT) -> Coverage:
    return cover(text, printings, SECTIONS, ignored)


def reasons(coverage: Coverage) -> list[str]:
    return [unplaced.reason for unplaced in (*coverage.not_found, *coverage.ambiguous)]


def test_what_is_neither_claimed_nor_ignored_is_uncovered() -> None:
    coverage = covered(
        place("15/20"),
        place("18/20"),
        place("11 of 16", "II"),
        ignored=(Ignored(text="thirteen", why="a test"),),
    )
    assert [(numeral.text, numeral.line) for numeral in coverage.uncovered] == [
        ("75%", 5),
        ("2,890", 5),
        ("90%", 5),
        ("2,713", 5),
        ("90%", 6),
        ("0.756", 6),
        ("0.835", 6),
        ("One", 10),
        ("three", 10),
    ]
    assert not coverage.complete


def test_a_ledger_that_claims_or_ignores_everything_is_complete() -> None:
    coverage = covered(
        place("thirteen", "opening"),
        place("15/20"),
        place("75%"),
        place("2,890"),
        place("18/20"),
        place("90%", near="embedding accepts"),
        place("2,713"),
        place("matched"),
        place("90%", near="also"),
        place("0.756–0.835"),
        place("11 of 16", "II"),
        ignored=(
            Ignored(text="One", section="II", why="a pronoun"),
            Ignored(text="three", section="II", why="a figure of speech"),
        ),
    )
    assert coverage.complete
    assert len(coverage.numerals) == 14
    assert [placed.line for placed in coverage.placed] == [1, 5, 5, 5, 5, 5, 5, 6, 6, 6, 10]


def test_a_printing_longer_than_a_numeral_covers_all_inside() -> None:
    assert covered(place("15/20 (75%) at 2,890 tokens")).uncovered[1].text == "18/20"


def uncovered(text: str, formula: str, numbers: NumberFormat | None = None) -> list[str]:
    coverage = cover(
        text,
        [place(text, "s")],
        [("s", None)],
        [],
        asserted={"a-claim": formula},
        numbers=numbers or NumberFormat(),
    )
    return [numeral.text for numeral in coverage.uncovered]


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("48 48 48", "pool == 48 and fifo == 48"),
        ("exactly one entry", "fewest == 1"),
        ("n(n+1)/2", "pairs == tokens * (tokens + 1) / 2"),
        ("90% or more", "share >= 0.9"),
        ("at most 18/20", "share <= 18/20"),
        ("fell by minus 5", "change == -5"),
        ("a fifth of the rest, which a third had", "rest == 1/5 and some == 1/3"),
        ("doubled, then halved", "first == 2 and then == 1/2"),
    ],
)
def test_an_assertions_printing_covers_the_numbers_of_its_formula(text: str, formula: str) -> None:
    assert uncovered(text, formula) == []


@pytest.mark.parametrize(
    ("text", "formula", "numerals"),
    [
        ("rose from 3,617 to 9,999 tokens (176%)", "1 == 1", ["3,617", "9,999", "176%"]),
        ("rose from 3,617 to 9,999", "before == 3617 and after > before", ["9,999"]),
        ("by 5", "change == -6 or 1 == 0", ["5"]),
        ("last quarter's", "share == 1/4", ["quarter"]),
        ("none", "none == some", ["none"]),
    ],
)
def test_a_number_that_an_assertion_does_not_state_is_uncovered(
    text: str, formula: str, numerals: list[str]
) -> None:
    assert uncovered(text, formula) == numerals


def test_an_assertions_numbers_are_read_in_the_documents_format() -> None:
    assert uncovered("1.600", "cap == 1600", NumberFormat(decimal=",", group=".")) == []
    assert uncovered("1.600", "cap == 1600") == ["1.600"]


def test_a_number_inside_an_assertion_may_be_claimed_by_a_printing_of_its_own() -> None:
    coverage = cover(
        "rose from 3,617",
        [place("rose from 3,617", "s", claim="rose"), place("3,617", "s", claim="before")],
        [("s", None)],
        [],
        asserted={"rose": "after > before"},
    )
    assert coverage.complete


def test_a_printing_without_a_numeral_must_be_found_too() -> None:
    assert reasons(covered(place("dominates"))) == ["“dominates” does not occur in section I"]


def test_a_printing_is_sought_in_its_own_section_only() -> None:
    assert reasons(covered(place("thirteen"))) == ["“thirteen” does not occur in section I"]


def test_a_text_that_occurs_twice_needs_near() -> None:
    coverage = covered(place("90%"))
    assert [unplaced.reason for unplaced in coverage.ambiguous] == [
        "“90%” occurs 2 times in section I and has no near"
    ]


def test_near_chooses_the_nearest_occurrence() -> None:
    after, before, around = (
        covered(place("90%", near=near)).placed[0].start
        for near in ("also", "Adaptive matched", "18/20 (90%)")
    )
    assert (after, before, around) == (TEXT.rindex("90%"), TEXT.rindex("90%"), TEXT.index("90%"))


def test_near_may_run_over_the_end_of_a_line() -> None:
    assert covered(place("2,713", near="tokens. Adaptive")).placed[0].start == TEXT.index("2,713")


def test_near_must_occur_once() -> None:
    assert reasons(covered(place("90%", near="embeddings"), place("15/20", near="accepts"))) == [
        "near “embeddings” does not occur in section I",
        "near “accepts” occurs 2 times in section I",
    ]


def test_two_occurrences_equally_near_are_ambiguous() -> None:
    coverage = covered(place("5", near="and"), text="I. Results\n5 and 5\nII. Turns\n")
    assert [unplaced.reason for unplaced in coverage.ambiguous] == ["2 places of “5” are as near to “and”"]


def test_near_reaches_two_hundred_characters() -> None:
    within, beyond = (f"I. Results\nhere{' ' * gap}5\nII. Turns\n" for gap in (200, 201))
    assert len(covered(place("5", near="here"), text=within).placed) == 1
    assert reasons(covered(place("5", near="here"), text=beyond)) == [
        "“5” is 201 characters from near “here”, more than 200"
    ]


def test_two_printings_of_one_numeral_are_reported() -> None:
    coverage = covered(place("75%", claim="a"), place("15/20 (75%)", claim="b"))
    assert [(pair.first.printing.claim, pair.second.printing.claim) for pair in coverage.twice_claimed] == [
        ("b", "a")
    ]


def test_two_claims_may_name_the_same_printing() -> None:
    assert not covered(place("75%", claim="counted"), place("75%", claim="asserted")).twice_claimed


def test_one_claim_may_not_name_a_printing_twice() -> None:
    assert len(covered(place("75%"), place("75%")).twice_claimed) == 1


def test_the_same_words_under_different_near_are_reported() -> None:
    one, other = place("matched", claim="a"), place("matched", claim="b", near="Adaptive")
    assert len(covered(one, other).twice_claimed) == 1


def test_ignored_for_all_places_may_overlap_a_printing_and_one_for_a_place() -> None:
    coverage = cover(
        "one, one of two, one",
        [place("one of two", "s")],
        [("s", None)],
        [Ignored(text="one", why="a pronoun", all=True), Ignored(text="one", near="one, one", why="x")],
    )
    assert not coverage.uncovered
    assert [unused.reason for unused in coverage.ignored_unused] == [
        "2 places of “one” are as near to “one, one”"
    ]


def test_an_entry_that_ignores_nothing_is_reported() -> None:
    ignored = (
        Ignored(text="fourteen", why="w"),
        Ignored(text="15/20", why="w"),
        Ignored(text="matched", why="w"),
        Ignored(text="thirteen", why="w"),
        Ignored(text="thirteen", section="opening", why="w"),
        Ignored(text="One", section="III", why="w"),
        Ignored(text="fifty", all=True, why="w"),
        Ignored(text="90%", why="w"),
    )
    coverage = covered(place("15/20"), ignored=ignored)
    assert [unused.reason for unused in coverage.ignored_unused] == [
        "“fourteen” does not occur in the document",
        "a printing claims it",
        "“matched” holds no numeral",
        "another entry ignores it",
        "section III is not in the text",
        "“90%” occurs 2 times in the document and has no near",
        "“fifty” does not occur in the document",
    ]


def test_a_heading_that_is_no_line_of_the_text_is_reported() -> None:
    coverage = cover(TEXT, [place("15/20")], [("opening", None), ("I", "I. Result")], [])
    assert coverage.headings_not_found == ("I. Result",)
    assert reasons(coverage) == ["section I is not in the text"]


def test_a_section_ends_at_the_next_listed_heading() -> None:
    coverage = cover(TEXT, [place("11 of 16", "I")], [("I", "I. Results")], [])
    assert coverage.complete is False
    assert coverage.placed[0].line == 10
