"""The overview: totals, what differs before what ties, the headline claims, a bar by basis, how to check it all."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tieout.package import BASES
from tieout.site.auditpage import audit_line
from tieout.site.honesty import differences, row, tally
from tieout.site.model import Site
from tieout.site.templating import Html, fill

SAMPLED = 5
NONE = "none"
# What a value of each basis rests on, as the README says it.
RESTS_ON = {
    "observation": "a run’s own rows",
    "recorded-total": "totals exported without the rows behind them",
    "fixture": "a declared example",
    "fixture-made-to-match": "an example made so that the printed number comes out",
    "design": "declared parameters of the study",
    "arithmetic": "a formula over literals only",
    NONE: "without recomputation: quoted, not recomputable, not collected",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Share:
    """A basis's part of the bar: where it begins and how wide it is, in thousandths, and its printings by verdict."""

    basis: str
    rests_on: str
    start: int
    width: int
    count: int
    verdicts: tuple[tuple[str, int], ...]


def first_screen(site: Site) -> Html:
    """What differs, printed beside recomputed; the bar by basis; what a tick does not mean; faults before all of it."""
    return fill(
        "overview.html.j2",
        faults=list(faults(site)),
        differences=differences(site),
        shares=shares(site),
        cautions=cautions(site),
        audit=audit_line(site),
        printings=sum(len(claim["printings"]) for _, claim in site.claims()),
        counts=totals(site),
        differing=sum(claim["verdict"] == "differs" for _, claim in site.claims()),
        claims=sum(bool(claim["printings"]) for _, claim in site.claims()),
        documents=len(site.ledgers),
    )


def totals(site: Site) -> dict[str, int]:
    """How many printings differ, tie, are in error, and are none of these."""
    counted = {verdict: sum(bases.values()) for verdict, bases in tally(site).items()}
    judged = {verdict: counted.get(verdict, 0) for verdict in ("differs", "ties", "error")}
    return {**judged, "rest": sum(counted.values()) - sum(judged.values())}


def cautions(site: Site) -> list[tuple[int, str]]:
    """What weakens ties, each with the number of printed numbers that it touches; what touches none is left out."""
    ties = [
        (claim, place)
        for _, claim in site.claims()
        for place in claim["printings"]
        if place["verdict"] == "ties"
    ]
    counted = [
        (
            sum("one-reading" in place["marks"] for _, place in ties),
            "hold under some readings of the document’s words only",
        ),
        (
            sum(any(judge["in_loop"] for judge in claim["evaluators"]) for claim, _ in ties),
            "rest on a judge against which the system under study retried",
        ),
        (
            sum(claim["timing"] == "post-hoc" for claim, _ in ties),
            "compare what was chosen, or asked, after the results were seen",
        ),
        (sum("bound" in place["marks"] for _, place in ties), "are limits, and any value on their side ties"),
        (
            sum("tolerance" in place["marks"] for _, place in ties),
            "tie by a tolerance that the ledger allows",
        ),
    ]
    return [entry for entry in counted if entry[0]]


def faults(site: Site) -> Iterator[str]:
    """What makes packages or ledgers invalid: faults, violated checks."""
    for package in site.report["packages"]:
        for fault in package["faults"]:
            yield f"{package['name']}: {fault['file'] or ''}: {fault['message']}"
        for check in package["checks"]:
            if check["violations"] is None:
                yield f"{package['name']}: the check {check['id']} could not run"
            elif check["violations"]:
                yield f"{package['name']}: {check['violations']} of {check['examined']} break the check {check['id']}"
    for book in site.report["ledgers"]:
        for fault in book["faults"]:
            yield f"{book['document']}: {fault['message']}"


def shares(site: Site, ledgers: Sequence[str] | None = None) -> list[Share]:
    """The printings by basis, in the order of strength, each basis's part of one bar of a thousand."""
    counted = tally(site, ledgers)
    by_basis: dict[str, list[tuple[str, int]]] = {}
    for verdict, bases in counted.items():
        for basis, count in bases.items():
            by_basis.setdefault(basis, []).append((verdict, count))
    total = sum(count for pairs in by_basis.values() for _, count in pairs)
    found: list[Share] = []
    before = 0
    for basis in (*BASES, NONE):
        count = sum(each for _, each in by_basis.get(basis, []))
        start, end = (before * 1000 // total, (before + count) * 1000 // total) if total else (0, 0)
        before += count
        found.append(
            Share(
                basis=basis,
                rests_on=RESTS_ON[basis],
                start=start,
                width=end - start,
                count=count,
                verdicts=tuple(by_basis.get(basis, [])),
            )
        )
    return found


def headlines(site: Site, ledgers: Sequence[str] | None = None) -> Html:
    """The headline claims of ledgers in this order, or of all: printed, recomputed, judge, distinct cases, verdict."""
    studies = [
        {
            "document": name,
            "title": site.document(name)["title"],
            "rows": [row(site, name, claim) for _, claim in site.claims([name]) if claim["headline"]],
        }
        for name in (site.ledgers if ledgers is None else ledgers)
    ]
    return fill("headlines.html.j2", studies=[study for study in studies if study["rows"]], bases=BASES)


def digests(site: Site) -> Html:
    """The packages with their versions, digests and checks."""
    return fill("digests.html.j2", packages=site.report["packages"], stamp=site.stamp)


def sample(site: Site) -> Html:
    """Five printed and recomputed claims, picked by the site's own digest, so that nobody chose them."""
    return fill("sample.html.j2", rows=[row(site, ledger, claim) for ledger, claim in sampled(site)])


def sampled(site: Site, count: int = SAMPLED) -> list[tuple[str, Any]]:
    """So many printed claims with a query of their own, in the order of a hash of the stamp and their names."""

    def drawn(entry: tuple[str, Any]) -> str:
        ledger, claim = entry
        return hashlib.sha256(f"{site.stamp}\0{ledger}\0{claim['id']}".encode()).hexdigest()

    known = [entry for entry in site.claims() if entry[1]["printings"] and entry[1]["sql"]]
    return sorted(known, key=drawn)[:count]
