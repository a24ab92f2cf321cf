"""Every page, over http in a wide window and from disk in a narrow one: it is quiet, alone, and fits."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

import pytest

from tests.site.browser.conftest import NARROW, WIDE
from tests.site.browser.kinds import CLAIMS
from tests.site.browser.walk import Visit

HEAVIEST = 300_000  # bytes of a page without the files that pages share

Walked = dict[str, Visit]


def test_there_are_pages_of_every_kind(pages: list[str]) -> None:
    folders = {str(PurePosixPath(page).parent).partition("/")[0] for page in pages}
    assert folders == {".", "claims", "packages"}
    assert len(pages) > 500


def test_the_claims_that_stand_for_all_have_every_part_that_one_has(over_http: Walked) -> None:
    parts = {name: set(visit.holds["ids"]) for name, visit in over_http.items() if name.startswith("claims/")}
    assert set().union(*(parts[name] for name in CLAIMS)) == set().union(*parts.values())


@pytest.mark.parametrize("walked", ["over_http", "from_disk"])
def test_no_page_says_anything_on_its_console(walked: str, request: pytest.FixtureRequest) -> None:
    visits: Walked = request.getfixturevalue(walked)
    assert {name: visit.said for name, visit in visits.items() if visit.said} == {}


@pytest.mark.parametrize("walked", ["over_http", "from_disk"])
def test_no_page_asks_for_what_it_does_not_get(walked: str, request: pytest.FixtureRequest) -> None:
    visits: Walked = request.getfixturevalue(walked)
    assert {name: visit.failed for name, visit in visits.items() if visit.failed} == {}


def test_no_page_asks_another_host(over_http: Walked, address: str) -> None:
    asked = {url for visit in over_http.values() for url in visit.asked}
    assert asked
    assert {url for url in asked if not url.startswith(address)} == set()


def test_from_disk_a_page_asks_for_files_of_the_site_alone(from_disk: Walked, built: Path) -> None:
    asked = {url for visit in from_disk.values() for url in visit.asked}
    assert asked
    assert {url for url in asked if not url.startswith(f"{built.as_uri()}/")} == set()


def test_every_page_has_a_title_of_its_own_or_shares_it_with_a_claim_of_the_same_words(
    over_http: Walked,
) -> None:
    titles = [visit.holds["title"] for name, visit in over_http.items() if not name.startswith("claims/")]
    assert all(titles)
    assert len(set(titles)) == len(titles)


def test_every_internal_link_and_anchor_exists(over_http: Walked, built: Path) -> None:
    ids = {name: set(visit.holds["ids"]) for name, visit in over_http.items()}
    dead = []
    followed = 0
    for name, visit in over_http.items():
        for link in visit.holds["links"]:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            followed += 1
            target = (built / name).parent / unquote(parts.path) if parts.path else built / name
            inside = target.resolve().relative_to(built.resolve()).as_posix()
            if not target.is_file() or (parts.fragment and unquote(parts.fragment) not in ids[inside]):
                dead.append((name, link))
    assert dead == []
    assert followed > 1000


def test_no_id_stands_twice_on_a_page(over_http: Walked) -> None:
    twice = {
        name: sorted({each for each in visit.holds["ids"] if visit.holds["ids"].count(each) > 1})
        for name, visit in over_http.items()
        if len(set(visit.holds["ids"])) < len(visit.holds["ids"])
    }
    assert twice == {}


@pytest.mark.parametrize(("walked", "width"), [("over_http", WIDE[0]), ("from_disk", NARROW[0])])
def test_nothing_reaches_beyond_the_window(walked: str, width: int, request: pytest.FixtureRequest) -> None:
    visits: Walked = request.getfixturevalue(walked)
    beyond = {
        name: (visit.holds["wide"], visit.holds["outside"])
        for name, visit in visits.items()
        if visit.holds["wide"] > width or visit.holds["outside"]
    }
    assert beyond == {}


def test_every_page_is_light(built: Path, pages: list[str]) -> None:
    weights = {name: (built / name).stat().st_size for name in pages}
    assert {name: size for name, size in weights.items() if size >= HEAVIEST} == {}
