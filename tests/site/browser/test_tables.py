"""Honesty tables are sorted and filtered, the ledger is searched; what is left over is what the report says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from tests.site.browser.conftest import Open

if TYPE_CHECKING:
    from playwright.sync_api import Page

STUDY, LEDGERS = "part-i.html", ("part-i", "part-i-tables")
WORST = ("error", "differs")
ROWS = ".honesty-table tbody tr:not([hidden])"
FOUND = ".ledger li:not([hidden])"


@pytest.fixture(scope="module")
def printed(verified: dict[str, Any]) -> list[Mapping[str, Any]]:
    """The printed claims of a study in the order of its table: differences first, then as they are printed."""
    claims = [
        each
        for book in verified["ledgers"]
        if book["document"] in LEDGERS
        for each in book["claims"]
        if each["printings"]
    ]
    return [
        *(each for each in claims if each["verdict"] in WORST),
        *(each for each in claims if each["verdict"] not in WORST),
    ]


def ids(page: Page, rows: str = ROWS) -> list[str]:
    """The claims that a table shows, in its order."""
    hrefs: list[str] = page.eval_on_selector_all(
        f"{rows} a[href]", "links => links.map(link => link.getAttribute('href'))"
    )
    return [href.rpartition("/")[2].removesuffix(".html") for href in hrefs]


def value(claim: Mapping[str, Any]) -> Fraction | None:
    """What a claim's first printing asks for; None where that is no number."""
    of = claim["printings"][0]["of"]
    found = claim["columns"].get(of if isinstance(of, str) else of[0], claim["value"])
    if found in {None, "true", "false"}:
        return None
    return Fraction(found) if claim["exact"] else Fraction(float(found))


def in_order(values: Sequence[Fraction], descending: bool) -> bool:
    # Two fractions that binary64 cannot tell apart may stand either way.
    numbers = [float(each) for each in values]
    return numbers == sorted(numbers, reverse=descending)


def test_a_table_starts_in_the_order_of_print_with_differences_first(
    open_page: Open, printed: list[Mapping[str, Any]]
) -> None:
    assert ids(open_page(STUDY).page) == [claim["id"] for claim in printed]


def test_a_column_sorts_up_then_down_then_as_printed(
    open_page: Open, printed: list[Mapping[str, Any]]
) -> None:
    page = open_page(STUDY).page
    by_id = {claim["id"]: claim for claim in printed}
    head = page.locator(".honesty-table thead th", has_text="Recomputed")
    for state, descending in (("ascending", False), ("descending", True)):
        head.locator("button").click()
        assert head.get_attribute("aria-sort") == state
        shown = ids(page)
        assert sorted(shown) == sorted(by_id)
        values = [found for name in shown if (found := value(by_id[name])) is not None]
        assert len(values) > 50
        assert in_order(values, descending)
    head.locator("button").click()
    assert head.get_attribute("aria-sort") is None
    assert ids(page) == [claim["id"] for claim in printed]


def test_a_table_is_sorted_by_key_alone(open_page: Open) -> None:
    page = open_page(STUDY).page
    page.locator(".honesty-table thead button").first.focus()
    page.keyboard.press("Enter")
    items: list[str] = page.eval_on_selector_all(
        f"{ROWS} th", "heads => heads.map(head => head.textContent.trim())"
    )
    expected = page.evaluate(
        "items => items.slice().sort((a, b) => a.localeCompare(b, 'en', {numeric: true}))", items
    )
    assert [item for item in items if not any(map(str.isdigit, item))] == [
        item for item in expected if not any(map(str.isdigit, item))
    ]


FILTERS: list[tuple[str, str, Callable[[Mapping[str, Any]], bool]]] = [
    ("verdict", "ties", lambda claim: claim["verdict"] == "ties"),
    ("verdict", "not recomputable", lambda claim: claim["verdict"] == "not-recomputable"),
    ("basis", "recorded-total", lambda claim: claim["basis"] == "recorded-total"),
    ("evaluator", "pilot-judge", lambda claim: "pilot-judge" in {j["id"] for j in claim["evaluators"]}),
    ("evaluator", "none", lambda claim: not claim["evaluators"]),
]


@pytest.mark.parametrize(("column", "choice", "kept"), FILTERS, ids=[f"{f[0]}-{f[1]}" for f in FILTERS])
def test_a_filter_leaves_what_it_names(
    column: str,
    choice: str,
    kept: Callable[[Mapping[str, Any]], bool],
    open_page: Open,
    printed: list[Mapping[str, Any]],
) -> None:
    page = open_page(STUDY).page
    expected = [claim["id"] for claim in printed if kept(claim)]
    assert 0 < len(expected) < len(printed)
    select = page.get_by_label(column, exact=True)
    option = next(text for text in select.locator("option").all_inner_texts() if text.endswith(choice))
    select.select_option(option)
    assert ids(page) == expected
    assert page.locator(".filter-said").inner_text() == f"{len(expected)} of {len(printed)} printed claims"
    select.select_option("all")
    assert len(ids(page)) == len(printed)


def test_filters_of_two_columns_hold_together(open_page: Open, printed: list[Mapping[str, Any]]) -> None:
    page = open_page(STUDY).page
    verdict = page.get_by_label("verdict", exact=True)
    verdict.select_option(next(o for o in verdict.locator("option").all_inner_texts() if o.endswith("ties")))
    page.get_by_label("basis", exact=True).select_option("design")
    assert ids(page) == [c["id"] for c in printed if (c["verdict"], c["basis"]) == ("ties", "design")]


def test_the_ledger_is_searched_by_words_and_verdict(open_page: Open, verified: dict[str, Any]) -> None:
    page = open_page("ledger.html").page
    claims = [
        (f"{each['says']} claims/{book['document']}/{each['id']}.html".lower(), each)
        for book in verified["ledgers"]
        for each in sorted(book["claims"], key=lambda claim: claim["verdict"] not in WORST)
    ]
    assert len(ids(page, FOUND)) == len(claims)
    page.get_by_label("Search", exact=True).fill("tokens PART-II/")
    expected = [each["id"] for text, each in claims if "tokens" in text and "part-ii/" in text]
    assert 0 < len(expected) < len(claims)
    assert ids(page, FOUND) == expected
    page.get_by_label("verdict", exact=True).select_option("differs")
    assert ids(page, FOUND) == []
    page.get_by_label("Search", exact=True).fill("")
    assert ids(page, FOUND) == [each["id"] for _, each in claims if each["verdict"] == "differs"]
    assert page.locator(".ledger li:visible").count() == len(ids(page, FOUND))
    assert page.locator(".ledger-book:not([hidden])").count() == 1


def test_the_ledger_is_searched_from_disk_too(open_page: Open, built: Any) -> None:
    page = open_page("ledger.html", root=f"{built.as_uri()}/").page
    page.get_by_label("Search", exact=True).fill("part-ii/adaptive-accepted.html")
    assert ids(page, FOUND) == ["adaptive-accepted"]


def test_the_verdicts_of_a_filter_begin_with_what_differs(open_page: Open) -> None:
    page = open_page("buffer-lab.html").page
    options = page.get_by_label("verdict", exact=True).locator("option").all_inner_texts()
    assert [text.split()[0] for text in options] == ["all", "✗", "✓", "”", "–", "∅"]
