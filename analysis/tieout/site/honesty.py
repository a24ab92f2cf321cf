"""Honesty tables: every printed claim of a study beside what the receipts give, worst first and nothing left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tieout.package import BASES
from tieout.site.model import Site, claim_address
from tieout.site.numbers import cell, parts_asked, told
from tieout.site.templating import Html, fill

FIRST = ("error", "differs")  # they come before everything else, which keeps the printed order
HOW = {"quoted": "another source's", "not-collected": "nobody recorded it", "not-recomputable": "no receipts"}

UNKNOWN_JUDGE: Mapping[str, Any] = {"kinds": (), "version": None, "blinded": None, "note": ""}


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """A claim as an honesty table has it; `basis` is the kind where nothing was recomputed."""

    ledger: str
    id: str
    href: str
    says: str
    printings: tuple[Mapping[str, Any], ...]
    recomputed: str
    sort: str
    basis: str
    judges: tuple[tuple[str, str], ...]
    denominator: str
    verdict: str
    marks: tuple[str, ...]
    how: str


def rows(site: Site, ledgers: Sequence[str], *, printed: bool = True) -> list[Row]:
    """The claims of ledgers, those in error and those that differ first; with `printed`, only what is printed."""
    found = [
        row(site, ledger, claim)
        for ledger, claim in site.claims(ledgers)
        if claim["printings"] or not printed
    ]
    return [
        *(each for each in found if each.verdict in FIRST),
        *(each for each in found if each.verdict not in FIRST),
    ]


def row(site: Site, ledger: str, claim: Mapping[str, Any]) -> Row:
    """A claim's row."""
    return Row(
        ledger=ledger,
        id=claim["id"],
        href=claim_address(ledger, claim["id"]),
        says=claim["says"],
        printings=tuple(_once(claim["printings"])),
        recomputed=told(claim),
        sort=_sort(claim),
        basis=claim["basis"] or claim["kind"] or "none",
        judges=tuple((judge["id"], loop_words(judge["in_loop"])) for judge in claim["evaluators"]),
        denominator=denominator(site, ledger, claim),
        verdict=claim["verdict"] or "unprinted",
        marks=tuple(dict.fromkeys(mark for place in claim["printings"] for mark in place["marks"])),
        how=how(site, ledger, claim),
    )


def readings(site: Site, ledger: str, claim: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The readings of a claim, each with its SQL, and with its value told in the parts that the printings ask for."""
    behind = site.behind(ledger, claim["id"])["readings"]
    return [
        {
            **reading,
            "sql": more["sql"],
            "told": told(
                {
                    **claim,
                    "value": reading["value"],
                    "exact": more["exact"],
                    "columns": more["columns"],
                    "numerator": None,
                    "denominator": None,
                    "reason": "not one number",
                }
            ),
        }
        for reading, more in zip(claim["readings"], behind, strict=True)
    ]


def _sort(claim: Mapping[str, Any]) -> str:
    """What a table sorts a value by where the cell's own text, a pair or a grouped number, would not do."""
    value = cell(claim, parts_asked(claim)[0])
    return "" if value in {None, "true", "false"} or value == told(claim) else str(value)


def _once(places: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Each text once, with how often it is printed."""
    counted: dict[tuple[str, str], int] = {}
    for place in places:
        key = (place["text"], place["verdict"])
        counted[key] = counted.get(key, 0) + 1
    for (text, verdict), count in counted.items():
        first = next(place for place in places if (place["text"], place["verdict"]) == (text, verdict))
        yield {"text": text, "verdict": verdict, "times": count, "erratum": first["erratum"]}


def loop_words(loop: Any) -> str:
    """Where a judge stood: `in the loop` where the controller retried against it, for some rows, or outside."""
    if isinstance(loop, Mapping):
        terms = "; ".join(
            f"{column} {', '.join(map(str, values)) if isinstance(values, list) else values}"
            for column, values in loop.items()
        )
        return f"in the loop for {terms}"
    return "in the loop" if loop else "outside the loop"


def denominator(site: Site, ledger: str, claim: Mapping[str, Any]) -> str:
    """What a value is out of, in the metric's words, with the number of distinct cases; empty where of nothing."""
    metric = site.behind(ledger, claim["id"])["metric"]
    said = metric["denominator"] if metric else ""
    count = claim["denominator"]
    parts = [f"{int(count):,} {said}".strip()] if count and count != "1" else []
    if claim["n_cases"] is not None:
        cases = "case" if claim["n_cases"] == 1 else "cases"
        parts.append(f"{claim['n_cases']:,} distinct {cases}")
    return "; ".join(parts)


def how(site: Site, ledger: str, claim: Mapping[str, Any]) -> str:
    """In a word or two, how the value was had."""
    if claim["kind"]:
        return HOW[claim["kind"]]
    behind = site.behind(ledger, claim["id"])
    if behind["asserts"]:
        return "a comparison of claims"
    if claim["metric"]:
        return str(claim["metric"])
    return "a formula over claims" if claim["formula"] else "its own SQL"


def honesty(site: Site, ledgers: Sequence[str], *, name: str) -> Html:
    """The honesty table of ledgers; `name` begins its anchors."""
    return fill("honesty.html.j2", rows=rows(site, ledgers), name=name, bases=BASES)


def tally(site: Site, ledgers: Sequence[str] | None = None) -> dict[str, dict[str, int]]:
    """How many printings have each verdict, by basis, the strongest first; `none` where nothing was recomputed."""
    counted: dict[str, dict[str, int]] = {}
    for _, claim in site.claims(ledgers):
        for place in claim["printings"]:
            bases = counted.setdefault(place["verdict"], {})
            basis = claim["basis"] or "none"
            bases[basis] = bases.get(basis, 0) + 1
    return {
        verdict: {basis: bases[basis] for basis in (*BASES, "none") if basis in bases}
        for verdict, bases in counted.items()
    }


def tally_sentence(site: Site, ledgers: Sequence[str]) -> Html:
    """The documents of ledgers, and one line: how many printings differ, tie on which basis, or are neither."""
    return fill(
        "tally.html.j2",
        documents=[site.document(ledger) for ledger in ledgers],
        tally=tally(site, ledgers),
        printings=sum(len(claim["printings"]) for _, claim in site.claims(ledgers)),
        claims=sum(bool(claim["printings"]) for _, claim in site.claims(ledgers)),
    )


def errata(site: Site, ledgers: Sequence[str]) -> Html:
    """Every difference of ledgers, with what the receipts give, the diagnosis and the erratum."""
    return fill(
        "differences.html.j2", differences=differences(site, ledgers), brief=False, several=len(ledgers) > 1
    )


def differences(site: Site, ledgers: Sequence[str] | None = None) -> list[dict[str, Any]]:
    """Claims with a printing that differs or is in error, each with those printings."""
    return [
        {
            "row": row(site, ledger, claim),
            "title": site.document(ledger)["title"],
            "places": places,
            "unit": claim["unit"],
            "error": claim["error"],
            "readings": readings(site, ledger, claim),
        }
        for ledger, claim in site.claims(ledgers)
        if (places := [place for place in claim["printings"] if place["verdict"] in FIRST])
    ]


def caveats(site: Site, ledgers: Sequence[str]) -> Html:
    """The caveats of ledgers, each with how many claims name it; ledgers that say the same say it once."""
    counted = {said: 0 for ledger in ledgers for said in site.document(ledger)["caveats"].items()}
    for ledger, claim in site.claims(ledgers):
        for caveat in claim["caveats"]:
            counted[caveat, site.document(ledger)["caveats"][caveat]] += 1
    listed = [{"id": caveat, "text": text, "claims": count} for (caveat, text), count in counted.items()]
    return fill("caveats.html.j2", caveats=listed)


def judges(site: Site, packages: Sequence[str], only: Sequence[str] | None = None) -> Html:
    """The evaluators of packages: who they are, where they stood, whether they were blinded."""
    found = [
        {**UNKNOWN_JUDGE, **evaluator, "loop": loop_words(evaluator["in_loop"])}
        for package in packages
        for evaluator in site.package(package).get("evaluators", [])
        if only is None or evaluator["id"] in only
    ]
    return fill("judges.html.j2", judges=found)
