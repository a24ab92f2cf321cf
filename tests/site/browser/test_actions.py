"""What a reader does on a page: search, copy, download, change the colours, walk by key."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.conftest import ROOT
from tests.site.browser.conftest import NARROW, Open

CLAIM = "claims/part-ii/adaptive-accepted.html"
PACKAGES = ROOT / "artifacts" / "packages"


def test_the_site_is_searched_over_http(open_page: Open) -> None:
    page = open_page(CLAIM).page
    page.get_by_label("Search the site").fill("accepted conversations")
    found = page.locator(".site-found a")
    found.first.wait_for()
    assert page.locator(".site-found").is_visible()
    title = found.first.inner_text().partition("\n")[0]
    found.first.click()
    page.wait_for_load_state()
    assert page.title().startswith(title)


@pytest.mark.parametrize(
    ("query", "claim"),
    [
        ("22,735", "part-ii/extra-tokens-per-extra-turn"),
        ("0.832", "part-i-tables/order.infest.shuffled"),
        ("three quarters", "buffer-lab/tool-share-at-eleven"),
        ("order.infest.range", "part-i-tables/order.infest.range"),
    ],
)
def test_what_is_printed_and_what_a_ledger_calls_it_lead_to_the_claim(
    query: str, claim: str, open_page: Open
) -> None:
    page = open_page("index.html").page
    page.get_by_label("Search the site").fill(query)
    found = page.locator(".site-found a")
    found.first.wait_for()
    assert f"/claims/{claim}.html" in [link.get_attribute("href") for link in found.all()]


def test_results_are_walked_by_key_and_more_of_them_come_on_request(open_page: Open) -> None:
    page = open_page("index.html").page
    page.get_by_label("Search the site").fill("tokens")
    found = page.locator(".site-found a")
    page.locator(".site-found button").wait_for()
    assert found.count() == 8
    assert found.first.locator("small").inner_text().startswith("Memory Is Not Context")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert found.nth(1).evaluate("link => link === document.activeElement")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.locator(".site-found button").click()
    found.nth(8).wait_for()
    assert found.count() == 16
    page.get_by_label("Search the site").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/claims/**")


def test_on_a_telephone_results_stay_on_the_screen(open_page: Open) -> None:
    page = open_page("index.html", NARROW).page
    page.get_by_label("Search the site").fill("tokens")
    page.locator(".site-found a").first.wait_for()
    box = page.locator(".site-found").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= NARROW[0]


def test_a_search_that_finds_nothing_says_so(open_page: Open) -> None:
    page = open_page("index.html").page
    page.get_by_label("Search the site").fill("zzyzx")
    page.get_by_text("Nothing found.").wait_for()
    page.keyboard.press("Escape")
    assert page.locator(".site-found").is_hidden()


def test_from_disk_the_search_of_the_site_is_hidden(open_page: Open, built: Path) -> None:
    assert open_page("index.html", root=f"{built.as_uri()}/").page.locator(".site-search").is_hidden()


def test_a_query_is_copied_whole(open_page: Open) -> None:
    page = open_page(CLAIM, permissions=["clipboard-read", "clipboard-write"]).page
    block = page.locator("pre.sql").first
    assert "SELECT" in block.inner_text()
    button = page.locator(".copy-frame button").first
    button.click()
    page.get_by_text("Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == block.evaluate("block => block.textContent")


def test_a_query_is_copied_from_disk_too(open_page: Open, built: Path) -> None:
    page = open_page(CLAIM, root=f"{built.as_uri()}/", permissions=["clipboard-read", "clipboard-write"]).page
    page.locator(".copy-frame button").first.click()
    page.get_by_text("Copied").wait_for()


def test_a_downloaded_table_has_the_packages_bytes(open_page: Open) -> None:
    page = open_page("packages/tau-bench-airline.html").page
    with page.expect_download() as download:
        page.locator(".files-table a", has_text="trials.parquet").click()
    assert download.value.suggested_filename == "trials.parquet"
    original = PACKAGES / "tau-bench-airline" / "receipts" / "trials.parquet"
    assert download.value.path().read_bytes() == original.read_bytes()


def test_a_downloaded_zip_holds_the_packages_bytes_and_has_the_hash_that_is_shown(open_page: Open) -> None:
    page = open_page("artifacts.html").page
    with page.expect_download() as download:
        page.locator("a", has_text="buffer-lab.zip").first.click()
    content = download.value.path().read_bytes()
    with ZipFile(io.BytesIO(content)) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    assert held == {
        path.relative_to(PACKAGES).as_posix(): path.read_bytes()
        for path in (PACKAGES / "buffer-lab").rglob("*")
        if path.is_file()
    }
    assert hashlib.sha256(content).hexdigest() in page.locator("main").inner_text()


def test_every_file_for_download_is_on_the_site_as_it_is_in_the_package(built: Path) -> None:
    names = [path.relative_to(PACKAGES) for path in sorted(PACKAGES.rglob("*")) if path.is_file()]
    assert names
    different = [
        name.as_posix()
        for name in names
        if (built / "packages" / name).read_bytes() != (PACKAGES / name).read_bytes()
    ]
    assert different == []


@pytest.mark.parametrize(("system", "other"), [("light", "dark"), ("dark", "light")])
def test_colours_follow_the_system_until_the_reader_chooses(
    system: str, other: str, open_page: Open, address: str
) -> None:
    page = open_page("index.html", color_scheme=system).page
    scheme = "document.documentElement.getAttribute('data-bs-theme')"
    paper = "getComputedStyle(document.body).backgroundColor"
    before = page.evaluate(paper)
    assert page.evaluate(scheme) == system
    page.get_by_label("Switch between light and dark").click()
    assert page.evaluate(scheme) == other
    assert page.evaluate(paper) != before
    page.goto(f"{address}{CLAIM}")
    assert page.evaluate(scheme) == other


def test_the_first_key_leads_past_the_navigation(open_page: Open) -> None:
    page = open_page("part-i.html").page
    link = page.locator(".skip-link")
    assert link.evaluate("link => link.getBoundingClientRect().bottom") <= 0
    page.keyboard.press("Tab")
    assert link.evaluate("link => link === document.activeElement")
    assert link.evaluate("link => link.getBoundingClientRect().top") >= 0
    page.keyboard.press("Enter")
    assert page.url.endswith("#main")


def test_every_stop_of_the_key_shows_where_it_is(open_page: Open) -> None:
    page = open_page(CLAIM).page
    stops = []
    for _ in range(30):
        page.keyboard.press("Tab")
        stops.append(
            page.evaluate(
                """() => {
                  const node = document.activeElement, style = getComputedStyle(node);
                  const shown = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
                  return [node.outerHTML.slice(0, 90), shown || style.boxShadow !== "none"];
                }"""
            )
        )
    assert [html for html, shown in stops if not shown] == []


def test_on_a_telephone_the_menu_opens_and_leads_on(open_page: Open) -> None:
    page = open_page("index.html", NARROW).page
    button = page.locator(".nav-toggle")
    link = page.locator(".site-pages a", has_text="Method")
    assert link.is_hidden()
    button.click()
    assert button.get_attribute("aria-expanded") == "true"
    link.click()
    page.wait_for_url("**/method.html")


def test_on_a_telephone_a_row_is_a_card_that_names_its_columns(open_page: Open) -> None:
    page = open_page("tau-bench.html", NARROW).page
    head = page.locator(".honesty-table thead th").all_text_contents()
    row = page.locator(".honesty-table tbody tr").first
    assert row.evaluate("row => getComputedStyle(row).display") == "block"
    named = row.locator("td").evaluate_all(
        "cells => cells.filter(cell => cell.textContent.trim()).map("
        "cell => [cell.cellIndex, getComputedStyle(cell, '::before').content.replace(/\"/g, '')])"
    )
    assert len(named) > 4
    for column, name in named:
        assert head[column].startswith(name.partition(",")[0])
