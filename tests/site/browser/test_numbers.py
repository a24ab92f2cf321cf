"""Every number that a page shows of a claim is the number of `tieout verify --json`, by a calculation of our own."""

from __future__ import annotations

import csv
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.site.browser.walk import Visit

SIGNS = {
    "ties": "✓",
    "differs": "✗",
    "error": "!",
    "quoted": "”",
    "not-recomputable": "–",
    "not-collected": "∅",
}
NAME = re.compile(r"(?:(?:\.\./)*claims/)?([^/]+)/([^/]+)\.html")

Claims = Mapping[tuple[str, str], Mapping[str, Any]]
Walked = dict[str, Visit]


@pytest.fixture(scope="module")
def claims(verified: dict[str, Any]) -> Claims:
    return {(book["document"], each["id"]): each for book in verified["ledgers"] for each in book["claims"]}


def named(page: str, href: str | None) -> tuple[str, str] | None:
    """The ledger and claim that a link of a page leads to; None where it leads elsewhere."""
    if href is None:
        return None
    parts: list[str] = []
    for part in (PurePosixPath(page).parent / href.partition("#")[0]).parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    if len(parts) != 3 or parts[0] != "claims":
        return None
    return parts[1], parts[2].removesuffix(".html")


def number(claim: Mapping[str, Any], text: str) -> Fraction:
    """A value of the report, exact, or the binary64 number that it spells."""
    return Fraction(text) if claim["exact"] else Fraction(float(text))


def near(text: str, value: Fraction) -> bool:
    """Whether a decimal is the value at the decimals that it shows; all of it, where no ellipsis follows."""
    cut = text.endswith("…")
    plain = text.removesuffix("…").replace(",", "")
    if not re.fullmatch(r"-?\d+(\.\d+)?", plain):
        return False
    places = len(plain.partition(".")[2])
    shown = Fraction(plain)
    return abs(shown - value) <= Fraction(1, 2 * 10**places) if cut else shown == value


def rounded(text: str, value: Fraction) -> bool:
    """Whether a decimal or a percentage in prose is the value, rounded to the decimals that it shows."""
    share = text.endswith("%")
    return near(f"{text.removesuffix('%')}…", value * 100 if share else value)


def counts(text: str, claim: Mapping[str, Any]) -> bool:
    """Whether counts are a claim's own: `of` where the first is a part of the second, `over` where it is none."""
    first, between, second = text.replace(",", "").split()
    part = 0 <= int(first) <= int(second)
    return (first, second) == (claim["numerator"], claim["denominator"]) and between == (
        "of" if part else "over"
    )


def columns_of(claim: Mapping[str, Any]) -> list[str]:
    """The columns that a claim's printings name."""
    named = [place["of"] for place in claim["printings"]]
    flat = [name for of in named for name in ([of] if isinstance(of, str) else of)]
    return [name for name in dict.fromkeys(flat) if name in claim["columns"]]


def tells(text: str, claim: Mapping[str, Any]) -> bool:
    """Whether a table's cell tells a claim's value."""
    value, columns = claim["value"], claim["columns"]
    if named := columns_of(claim):
        texts = text.split(" to ")
        return len(texts) == len(named) and all(
            near(cell, number(claim, columns[name])) for cell, name in zip(texts, named, strict=True)
        )
    if value is None:
        if columns:
            pairs = [part.rpartition(" ")[::2] for part in text.split(", ")]
            return len(pairs) == len(columns) and all(
                name in columns and near(cell, number(claim, columns[name])) for name, cell in pairs
            )
        return text == (f"no value: {claim['reason']}" if claim["reason"] else "–")
    if value in {"true", "false"}:
        return text == ("holds" if value == "true" else "does not hold")
    return counts(text, claim) if " of " in text else near(text, number(claim, value))


def stands_in_prose(text: str, claim: Mapping[str, Any]) -> bool:
    """Whether a number in prose is a claim's value, or a part of it, in one of the forms that prose takes."""
    if " of " in text:
        return counts(text, claim)
    if claim["value"] in {"true", "false"}:
        return text == ("yes" if claim["value"] == "true" else "no")
    if text in {place["text"] for place in claim["printings"] if place["verdict"] == "ties"}:
        return True
    parts = [claim["value"], claim["numerator"], claim["denominator"], *claim["columns"].values()]
    return any(rounded(text, number(claim, part)) for part in parts if part is not None)


def spoken(verdict: str | None) -> str:
    return f"{SIGNS[verdict]} {verdict.replace('-', ' ')}" if verdict else "not printed"


def rows(visits: Walked, kind: str) -> Iterator[tuple[str, dict[str, str], dict[str, Any]]]:
    """The rows of every table of a kind: its page, its cells by the column's name, and the row as it was seen."""
    for page, visit in visits.items():
        for table in visit.holds["tables"]:
            if kind in table["names"]:
                for row in table["rows"]:
                    yield page, dict(zip(table["head"], row["cells"], strict=True)), row


def test_the_report_on_the_site_is_what_verify_prints(built: Path, verified: dict[str, Any]) -> None:
    assert json.loads((built / "data/verify.json").read_text(encoding="utf-8")) == verified


def test_every_tick_in_prose_stands_for_its_claim(over_http: Walked, claims: Claims) -> None:
    wrong = []
    seen = 0
    for page, visit in over_http.items():
        for tick in visit.holds["ticks"]:
            name = named(page, tick["href"])
            assert name is not None
            claim = claims[name]
            seen += 1
            if not stands_in_prose(tick["text"], claim) or tick["sign"] != SIGNS.get(claim["verdict"], "○"):
                wrong.append((page, name, tick["text"], tick["sign"]))
    assert wrong == []
    assert seen > 50


@pytest.mark.parametrize("kind", ["honesty-table", "headline-table", "differs-table", "claims-table"])
def test_every_row_of_a_table_tells_its_claim(kind: str, over_http: Walked, claims: Claims) -> None:
    wrong: list[tuple[Any, ...]] = []
    seen = 0
    for page, cells, row in rows(over_http, kind):
        name = named(page, row["href"])
        assert name is not None
        claim = claims[name]
        seen += 1
        listed = [
            place for place in claim["printings"] if kind != "differs-table" or place["verdict"] == "differs"
        ]
        printed = list(dict.fromkeys(place["text"] for place in listed))
        if not tells(cells["Recomputed"], claim) or row["printed"] != printed:
            wrong.append((page, name, cells["Recomputed"], row["printed"]))
        if kind != "differs-table" and not cells["Verdict"].replace("-", " ").removeprefix("○ ").startswith(
            spoken(claim["verdict"])
        ):
            wrong.append((page, name, cells["Verdict"]))
    assert wrong == []
    assert seen


def test_the_honesty_tables_hold_every_printed_claim_once(over_http: Walked, claims: Claims) -> None:
    listed = Counter(named(page, row["href"]) for page, _, row in rows(over_http, "honesty-table"))
    assert listed == Counter(name for name, claim in claims.items() if claim["printings"])


def test_the_first_screen_lists_every_difference(over_http: Walked, claims: Claims) -> None:
    listed = [named(page, row["href"]) for page, _, row in rows(over_http, "differs-table")]
    assert sorted(filter(None, listed)) == sorted(
        name
        for name, claim in claims.items()
        if any(place["verdict"] in {"differs", "error"} for place in claim["printings"])
    )


def test_the_bar_counts_every_printing_by_its_basis(over_http: Walked, verified: dict[str, Any]) -> None:
    counted: Counter[str] = Counter()
    for bases in verified["summary"]["printings"].values():
        counted.update({basis.replace("none", "no basis"): count for basis, count in bases.items()})
    shown = {cells["Basis"]: int(cells["Printed numbers"]) for _, cells, _ in rows(over_http, "basis-table")}
    for basis, count in counted.items():
        (found,) = [value for words, value in shown.items() if words.startswith(f"{basis} ")]
        shown = {words: value for words, value in shown.items() if not words.startswith(f"{basis} ")}
        assert found == count
    assert set(shown.values()) <= {0}


def test_the_ledger_lists_every_claim_with_its_value(over_http: Walked, claims: Claims) -> None:
    entries = {
        named("ledger.html", entry["href"]): entry for entry in over_http["ledger.html"].holds["entries"]
    }
    assert set(entries) == set(claims)
    wrong = [
        (name, entry["value"], entry["printed"])
        for name, entry in entries.items()
        if name
        and (
            not tells(entry["value"], claims[name])
            or entry["printed"] != list(dict.fromkeys(place["text"] for place in claims[name]["printings"]))
            or entry["names"] != [f"v-{claims[name]['verdict'] or 'unprinted'}"]
        )
    ]
    assert wrong == []


def test_every_claim_has_a_page_that_tells_it(over_http: Walked, claims: Claims) -> None:
    wrong = []
    for (ledger, identifier), claim in claims.items():
        page = f"claims/{ledger}/{identifier}.html"
        holds = over_http[page].holds
        facts = dict(holds["facts"])
        said = claim["verdict"].replace("-", " ") if claim["verdict"] else "not printed"
        verdict = f"{SIGNS[claim['verdict']] if claim['verdict'] else '○'} {said}"
        if holds["verdict"] != verdict:
            wrong.append((page, "verdict", holds["verdict"]))
        if claim["kind"] or claim["error"]:
            if "Value" in facts:
                wrong.append((page, "a value where there is none", facts["Value"]))
            continue
        told = facts["Value"].removesuffix(f" {claim['unit']}") if claim["unit"] else facts["Value"]
        if not tells(told, claim):
            wrong.append((page, "value", told))
        if claim["value"] not in {None, "true", "false"} and not columns_of(claim):
            fraction = claim["value"] if claim["exact"] else f"binary64 {claim['value']}"
            if facts["As a fraction"] != fraction:
                wrong.append((page, "fraction", facts["As a fraction"]))
            if not near(facts["As a decimal"], number(claim, claim["value"])):
                wrong.append((page, "decimal", facts["As a decimal"]))
        if claim["numerator"] is None or claim["denominator"] in {None, "1"}:
            if "Counts" in facts:
                wrong.append((page, "counts of nothing", facts["Counts"]))
        elif not counts(facts["Counts"], claim):
            wrong.append((page, "counts", facts["Counts"]))
        wrong += [
            (page, key, facts[key]) for key, cell in claim["columns"].items() if facts[key] != str(cell)
        ]
        if claim["n_cases"] is not None and facts["Distinct cases"].replace(",", "") != str(claim["n_cases"]):
            wrong.append((page, "cases", facts["Distinct cases"]))
    assert wrong == []


def test_every_printing_stands_on_its_claims_page(over_http: Walked, claims: Claims) -> None:
    shown: dict[str, list[tuple[str, str, str]]] = {}
    for page, cells, row in rows(over_http, "printings-table"):
        verdict = cells["Verdict"].split()[1]
        exact = re.search(
            r"(?:[\[(]\S+, \S+[\])](?: to )?)+$", cells["Stands for"]
        )  # after the same in decimals
        said = exact[0] if exact else cells["Stands for"]
        shown.setdefault(page, []).append((row["printed"][0], said, verdict))
    expected = {
        f"claims/{ledger}/{identifier}.html": [
            (place["text"], place["interval"] or "not read as a number", place["verdict"].split("-")[0])
            for place in claim["printings"]
        ]
        for (ledger, identifier), claim in claims.items()
        if claim["printings"]
    }
    assert {
        page: [(text, said, verdict.split("-")[0]) for text, said, verdict in found]
        for page, found in shown.items()
    } == expected


def test_the_data_of_a_ledger_hold_every_claim(built: Path, claims: Claims) -> None:
    read = {
        (path.stem, row["id"]): row
        for path in sorted((built / "data").glob("*.csv"))
        for row in csv.DictReader(path.read_text(encoding="utf-8").splitlines())
    }
    assert {name: (row["value"], row["verdict"]) for name, row in read.items()} == {
        name: (
            " | ".join(claim["columns"][part] for part in columns_of(claim)) or claim["value"] or "",
            claim["verdict"] or "",
        )
        for name, claim in claims.items()
    }


def test_every_file_of_a_package_is_listed_as_it_is(over_http: Walked, verified: dict[str, Any]) -> None:
    rows_of = {
        (package["name"], table["name"]): table["rows"]
        for package in verified["packages"]
        for table in package["tables"]
    }
    seen: Counter[str] = Counter()
    for page, cells, _ in rows(over_http, "files-table"):
        package = PurePosixPath(page).stem
        content = (ROOT / "artifacts/packages" / package / cells["File"]).read_bytes()
        assert cells["SHA-256"] == hashlib.sha256(content).hexdigest()
        if cells["File"].endswith(".parquet"):
            rows_shown = int(cells["Rows"].replace(",", ""))
            assert rows_shown == rows_of.pop((package, PurePosixPath(cells["File"]).stem))
        seen[package] += 1
    assert rows_of == {}
    assert set(seen) == {package["name"] for package in verified["packages"]}
