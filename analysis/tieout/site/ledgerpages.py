"""A page for every claim, made of data alone after either engine; the index of all claims; the data as files."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tieout.engines import Limits, Tables
from tieout.engines.process import Engine
from tieout.exact import Rows
from tieout.site.findings import KINDS, Finding, by_claim, listed
from tieout.site.honesty import FIRST, UNKNOWN_JUDGE, Row, loop_words, readings, row
from tieout.site.model import Site, claim_address
from tieout.site.numbers import VALUE, cell, is_share, parts_asked, shortened, told
from tieout.site.shell import Shell
from tieout.site.templating import Html, fill

WHOLE = 60  # rows of a table of which a claim's page shows all
SHOWN = 8  # rows that it shows of a longer one
SIBLINGS = 24
TITLES = {kind.name: kind.title for kind in KINDS}
MARK = re.compile(r"^#+\s+")  # what makes a line of Markdown a heading
DEPTH = 2  # folders between the site's root and a claim's page


@dataclass(frozen=True, kw_only=True, slots=True)
class Behind:
    """The rows of one table behind a query: how many, the columns that name or feed the value, rows."""

    table: str
    file: str
    select: str
    count: int
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


def write_ledger_pages(shell: Shell, site: Site, output: Path) -> None:
    """Writes `claims/LEDGER/CLAIM.html` for every claim, and `data/` with the report and each ledger's claims."""
    samples = sample_rows(site)
    used = _used_by(site)
    noted = by_claim(site)
    for ledger, claim in site.claims():
        shell.page(
            "claim.html.j2",
            output / claim_address(ledger, claim["id"]),
            depth=DEPTH,
            title=claim["says"],
            description=f"{site.document(ledger)['title']}: {claim['says']}",
            study=shell.studies.get(ledger),
            **claim_context(site, ledger, claim, samples, used, noted),
        )
    _write_data(site, output / "data")


def claim_context(
    site: Site,
    ledger: str,
    claim: Mapping[str, Any],
    samples: Mapping[tuple[str, str], Rows | None],
    used: Mapping[tuple[str, str], Sequence[str]],
    noted: Mapping[tuple[str, str], Sequence[Finding]],
) -> dict[str, Any]:
    """All that a claim's page shows."""
    behind = site.behind(ledger, claim["id"])
    document = site.document(ledger)
    headings = {section["name"]: MARK.sub("", section["heading"] or "") for section in document["sections"]}
    return {
        "ledger": ledger,
        "claim": claim,
        "document": document,
        "packages": list(dict.fromkeys(document["packages"].values())),
        "section": headings.get(claim["section"]) or claim["section"],
        "row": row(site, ledger, claim),
        "behind": behind,
        "told": told(claim),
        "decimal": None
        if claim["value"] in {None, "true", "false"} or parts_asked(claim) != (VALUE,)
        else shortened(claim["value"], exact=claim["exact"], digits=16),
        "counts": counts_words(claim),
        "where": list(where_lines(claim["where"] or {})),
        "judges": _judges(site, claim),
        "caveats": [(name, document["caveats"][name]) for name in claim["caveats"]],
        "readings": readings(site, ledger, claim),
        "queries": [
            {**query, "shell": shell_lines(query), "behind": list(_behind(query, samples))}
            for query in behind["queries"]
        ],
        "inputs": [{"name": name, **given} for name, given in claim["from"].items()],
        "used": [site_row(site, ledger, name) for name in used.get((ledger, claim["id"]), ())],
        "siblings": _siblings(site, ledger, claim),
        "audited": site.audited,
        "audit": _told_once(site.audit(ledger, claim["id"])),
        "noted": [
            {"title": TITLES[finding.kind], "says": finding.says}
            for finding in noted.get((ledger, claim["id"]), ())
        ],
        "and_": listed,
    }


def _told_once(audit: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """What an audit found beside a claim, with printings of one text of which it says the same told once."""
    if audit is None or not audit["fragility"]:
        return audit
    places = audit["fragility"]["printings"]
    once = [place for index, place in enumerate(places) if place not in places[:index]]
    return {**audit, "fragility": {**audit["fragility"], "printings": once}}


def counts_words(claim: Mapping[str, Any]) -> str | None:
    """The counts behind a value: "18 of 20" where they make a share, else "248,067 over 24"; None where over one."""
    if claim["numerator"] is None or claim["denominator"] in {None, "1"}:
        return None
    between = "of" if is_share(claim) else "over"
    return f"{int(claim['numerator']):,} {between} {int(claim['denominator']):,}"


def site_row(site: Site, ledger: str, claim: str) -> Row:
    """A claim's row by its name."""
    return row(site, ledger, site.claim(ledger, claim))


def _judges(site: Site, claim: Mapping[str, Any]) -> list[dict[str, Any]]:
    known = {
        evaluator["id"]: evaluator
        for name in (claim["package"] or "").split(", ")
        if name in site.packages
        for evaluator in site.packages[name].get("evaluators", [])
    }
    return [
        {
            **UNKNOWN_JUDGE,
            **known.get(judge["id"], {}),
            "id": judge["id"],
            "loop": loop_words(judge["in_loop"]),
        }
        for judge in claim["evaluators"]
    ]


def where_lines(where: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Each table of a filter with its terms in words."""
    for table, terms in where.items():
        yield table, "all rows" if terms == "all" else _terms(terms)


def _terms(terms: Any) -> str:
    if isinstance(terms, list):
        return ", or ".join(_terms(each) for each in terms)
    return " and ".join(f"{column} {_term(term)}" for column, term in terms.items()) or "all rows"


def _term(term: Any) -> str:
    if isinstance(term, list):
        return f"one of {', '.join(map(_scalar, term))}"
    if isinstance(term, Mapping):
        return " and ".join(
            f"{name.replace('_', ' ')} {', '.join(map(_scalar, value)) if isinstance(value, list) else _scalar(value)}"
            for name, value in term.items()
        )
    return f"is {_scalar(term)}"


def _scalar(value: Any) -> str:
    return json.dumps(value) if isinstance(value, bool) or value is None else str(value)


def shell_lines(query: Mapping[str, Any]) -> str:
    """The lines that run a query in the duckdb shell, in its package's folder."""
    views = [
        f"CREATE OR REPLACE VIEW receipts.{name} AS SELECT * FROM read_parquet('{file}');"
        for name, file in query["tables"].items()
    ]
    return "\n".join(["CREATE SCHEMA IF NOT EXISTS receipts;", *views, f"{query['sql']};"])


def sample_rows(site: Site) -> dict[tuple[str, str], Rows | None]:
    """The rows of every filter behind a claim up to WHOLE, and their number, by package and SELECT; each asked once."""
    asked: dict[tuple[str, str], None] = {}
    for ledger, claim in site.claims():
        for query in site.behind(ledger, claim["id"])["queries"]:
            for select in query["filters"].values():
                asked[query["package"], f"SELECT count(*) AS count FROM ({select})"] = None
                asked[query["package"], f"{select} LIMIT {WHOLE}"] = None
    if not asked:
        return {}
    limits = Limits(rows=WHOLE)
    with Engine("duckdb", limits) as engine:
        engine.open(
            [
                Tables(
                    package=name,
                    files={
                        table: Path(package["folder"]) / described["file"]
                        for table, described in package["tables"].items()
                    },
                )
                for name, package in site.packages.items()
            ]
        )
        answers = engine.ask(list(asked))
    return {
        key: answer if isinstance(answer, Rows) else None for key, answer in zip(asked, answers, strict=True)
    }


def _behind(query: Mapping[str, Any], samples: Mapping[tuple[str, str], Rows | None]) -> Iterator[Behind]:
    for table, select in query["filters"].items():
        counted = samples.get((query["package"], f"SELECT count(*) AS count FROM ({select})"))
        listed = samples.get((query["package"], f"{select} LIMIT {WHOLE}"))
        if counted is None or listed is None:
            continue
        count = int(str(counted.rows[0][0]))
        # The columns that name a row, and those that the query mentions; the download has all of them.
        keys = query["keys"][table]
        words = set(_words(query["sql"]))
        picked = [index for index, name in enumerate(listed.columns) if name in keys or name in words]
        yield Behind(
            table=table,
            file=query["tables"][table],
            select=select,
            count=count,
            columns=tuple(listed.columns[index] for index in picked),
            rows=tuple(
                tuple(line[index] for index in picked)
                for line in listed.rows[: WHOLE if count <= WHOLE else SHOWN]
            ),
        )


def _words(sql: str) -> Iterator[str]:
    word = ""
    for character in f"{sql} ":
        if character.isalnum() or character == "_":
            word += character
        elif word:
            yield word
            word = ""


def _used_by(site: Site) -> dict[tuple[str, str], list[str]]:
    """For each claim the claims of its ledger that take it."""
    found: dict[tuple[str, str], list[str]] = {}
    for ledger, claim in site.claims():
        for given in claim["from"].values():
            if given["claim"]:
                found.setdefault((ledger, given["claim"].partition("#")[0]), []).append(claim["id"])
    return found


def _siblings(site: Site, ledger: str, claim: Mapping[str, Any]) -> list[Row]:
    """Other claims of the same metric over the same package, of this ledger first."""
    if not claim["metric"]:
        return []
    same = [
        (name, other)
        for name, other in site.claims()
        if other["metric"] == claim["metric"]
        and other["package"] == claim["package"]
        and (name, other["id"]) != (ledger, claim["id"])
    ]
    same.sort(key=lambda entry: entry[0] != ledger)
    return [row(site, name, other) for name, other in same[:SIBLINGS]]


def ledger_index(site: Site) -> Html:
    """Every claim of every ledger with its printings and its value, by document; what differs is first in both."""
    documents: list[dict[str, Any]] = [
        {
            "name": name,
            "document": site.document(name),
            "printed": sum(bool(claim["printings"]) for claim in book["claims"]),
            "printings": sum(len(claim["printings"]) for claim in book["claims"]),
            "claims": [
                {
                    "id": claim["id"],
                    "href": claim_address(name, claim["id"]),
                    "says": claim["says"],
                    "texts": list(dict.fromkeys(place["text"] for place in claim["printings"])),
                    "value": told(claim),
                    "verdict": claim["verdict"] or "unprinted",
                }
                for claim in sorted(book["claims"], key=_after_differences)
            ],
        }
        for name, book in site.ledgers.items()
    ]
    documents.sort(key=lambda book: min(map(_after_differences, book["claims"]), default=True))
    return fill("ledger.html.j2", documents=documents)


def _after_differences(claim: Mapping[str, Any]) -> bool:
    return claim["verdict"] not in FIRST


COLUMNS = (
    "section",
    "id",
    "says",
    "printed",
    "verdict",
    "value",
    "numerator",
    "denominator",
    "unit",
    "basis",
    "kind",
    "metric",
    "formula",
    "n_cases",
)


def claims_csv(site: Site, ledger: str) -> str:
    """A ledger's claims as CSV, one row a claim.

    Texts of several printings are joined by ` | `, and so are several parts of a value, where printings ask for them.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for claim in site.ledger(ledger)["claims"]:
        given = {
            **claim,
            "printed": " | ".join(place["text"] for place in claim["printings"]),
            "value": " | ".join(cell(claim, part) or "" for part in parts_asked(claim)),
        }
        writer.writerow(["" if given[name] is None else given[name] for name in COLUMNS])
    return out.getvalue()


def _write_data(site: Site, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    report = json.dumps(site.report, indent=1, ensure_ascii=False, allow_nan=False)
    (folder / "verify.json").write_text(f"{report}\n", encoding="utf-8")
    for ledger in site.ledgers:
        (folder / f"{ledger}.csv").write_text(claims_csv(site, ledger), encoding="utf-8")
