"""What an audit found on whole ledgers, claims and packages, as facts by kind, in words that accuse nobody."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tieout.site.model import Site, claim_address
from tieout.site.numbers import plain

FEW_ROWS = 3  # at most so many rows are few, as in `tieout audit`
FEWEST_SETTINGS = 3  # of two values one is always the highest and the other the lowest
UNEVEN = 0.05  # last digits that are less likely than this under an even spread are named
NAMED = 6  # of a list, named one by one


@dataclass(frozen=True, kw_only=True, slots=True)
class Kind:
    """A kind of finding: its heading, how a count of it reads in a sentence, and how it is to be taken."""

    name: str
    title: str
    counted: str
    says: str


KINDS = (
    Kind(
        name="impossible",
        title="Figures that no whole count gives",
        counted="figures that no whole count gives",
        says="Numbers that nothing recomputes here, and that no whole number of cases gives if they were counted as a "
        "recomputed neighbour was. Other numbers of cases or trials explain them as well as a slip does.",
    ),
    Kind(
        name="coincides",
        title="Left out, though a query gives the number",
        counted="left out though a query gives the number",
        says="Numbers that the ledger does not recompute, while some query of the catalogue over the same packages "
        "gives them. Many queries give a small number by chance, so each is told with how many were tried.",
    ),
    Kind(
        name="leeway",
        title="Hangs on a reading or a tolerance",
        counted="that hang on a reading or a tolerance",
        says="The document’s words leave the calculation open and not every plausible reading ties, or the ledger "
        "allows more than the digits do.",
    ),
    Kind(
        name="extreme",
        title="Highest or lowest of its settings",
        counted="highest or lowest of their settings",
        says="Over all settings that the tables hold, no other value of the metric is higher, or none is lower. A "
        "number that was picked looks so, and so does a best one that is reported as the best.",
    ),
    Kind(
        name="fragile",
        title="A few rows decide it",
        counted="that a few rows decide",
        says="The printed number stops tying when very few rows come out the other way. That is a small sample more "
        "often than a fault.",
    ),
    Kind(
        name="selected",
        title="Filtered by how it came out",
        counted="filtered by how it came out",
        says="A filter is on a column with an outcome, usage or a cost, or on one with gaps, and drops rows by it.",
    ),
    Kind(
        name="unmoved",
        title="Moved by no row",
        counted="that no row moves",
        says="The value stays as it is whichever rows are changed, so what is read does not decide it; or it is "
        "another one when the same rows stand in another order.",
    ),
    Kind(
        name="form",
        title="How the claim is written",
        counted="remarks on how claims are written",
        says="The claim holds its own printed number, adds one of its own to what it counts, picks rows by name or by "
        "what they used, reads no table, comes out the same whatever the numbers are, or does not name its judge. "
        "Some of that cannot be otherwise; all of it deserves a look.",
    ),
    Kind(
        name="receipts",
        title="What the receipts look like",
        counted="on the receipts",
        says="Rows that repeat others, gaps, calls that are counted more than once, last digits that are spread "
        "unevenly, derived tables that were not made anew.",
    ),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One fact: on a claim of a ledger, or on a table of a package where `claim` is None."""

    kind: str
    of: str
    claim: str | None
    href: str | None
    subject: str
    text: str | None
    says: str


def findings(site: Site) -> list[Finding]:
    """Every finding of the audit, by kind in the order of `KINDS`, then in printed order; none where none was run."""
    if not site.audited:
        return []
    found = [finding for ledger in site.ledgers for finding in _of_ledger(site, ledger)]
    found += [finding for package in receipts(site) for finding in package["findings"]]
    order = {kind.name: place for place, kind in enumerate(KINDS)}
    return sorted(dict.fromkeys(found), key=lambda finding: order[finding.kind])


def by_claim(site: Site) -> dict[tuple[str, str], list[Finding]]:
    """The findings on each claim, by its ledger and id."""
    found: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings(site):
        if finding.claim is not None:
            found.setdefault((finding.of, finding.claim), []).append(finding)
    return found


def counts(site: Site, ledgers: Sequence[str] | None = None) -> list[dict[str, Any]]:
    """Each kind with its number of findings, and by ledger or package; of these ledgers and their packages, or all."""
    names = None if ledgers is None else {*ledgers, *_packages(site, ledgers)}
    counted: dict[str, dict[str, int]] = {kind.name: {} for kind in KINDS}
    for finding in findings(site):
        if names is None or finding.of in names:
            counted[finding.kind][finding.of] = counted[finding.kind].get(finding.of, 0) + 1
    return [
        {"kind": kind, "count": sum(counted[kind.name].values()), "of": counted[kind.name]} for kind in KINDS
    ]


def _of_ledger(site: Site, ledger: str) -> Iterator[Finding]:
    whole = site.ledger_audit(ledger)
    if whole is None:
        return

    for kind, claim, text, says in (*_of_guards(whole), *_of_claims(site, ledger)):
        yield Finding(
            kind=kind,
            of=ledger,
            claim=claim,
            href=None if claim is None else claim_address(ledger, claim),
            subject="the document" if claim is None else site.claim(ledger, claim)["says"],
            text=text,
            says=says,
        )


Fact = tuple[str, str | None, str | None, str]  # kind, claim, printed text, words


def _of_guards(whole: Mapping[str, Any]) -> Iterator[Fact]:
    """What the guards on a whole ledger found."""
    for granular in whole["feasibility"]["granular"]:
        if not granular["possible"]:
            yield "impossible", granular["claim"], granular["text"], _granular(granular)
    for follows in (*whole["feasibility"]["totals"], *whole["feasibility"]["ratios"]):
        for claim in follows["do_not"]:
            yield "impossible", claim, None, f"does not follow: {follows['says']}"
    for excuse in whole["excuses"]["listed"]:
        if excuse["yields"]:
            yield "coincides", excuse["claim"], excuse["text"], _excuse(excuse)
    for remark in whole["lint"]:
        yield "form", remark["claim"], None, remark["says"]


def _of_claims(site: Site, ledger: str) -> Iterator[Fact]:
    """What stands out among a ledger's claims, where a reading decides included."""
    whole = site.ledger_audit(ledger)
    assert whole, "only audited ledgers have findings"
    for leeway in whole["excuses"]["leeway"]:
        marks = {
            mark for place in site.claim(ledger, leeway["claim"])["printings"] for mark in place["marks"]
        }
        if leeway["kind"] == "tolerance" or (leeway["kind"] == "reading" and "one-reading" in marks):
            yield "leeway", leeway["claim"], leeway["text"], f"{leeway['effect']}: {leeway['says']}"
    for claim in site.ledger(ledger)["claims"]:
        audit = site.audit(ledger, claim["id"])
        if audit and claim["printings"]:
            text = ", ".join(dict.fromkeys(place["text"] for place in claim["printings"]))
            for kind, says in _of_claim(claim, audit):
                yield kind, claim["id"], text, says


def _of_claim(claim: Mapping[str, Any], audit: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What of a printed claim's own audit stands out, as kind and words."""
    if audit["siblings"]:
        widest = audit["siblings"][-1]
        if (
            widest["pools"] == 1
            and widest["of"] >= FEWEST_SETTINGS
            and [widest["rank"], widest["rank_from_lowest"]].count(1) == 1
        ):
            yield "extreme", _extreme(widest)
    for filtered in audit["ablation"]:
        if filtered["marks"] and filtered["dropped"]:
            kinds = " and ".join(filtered["marks"])
            without = plain(filtered["value"])
            keeps = f"keeps {filtered['kept']:,} rows and drops {filtered['dropped']:,}"
            yield "selected", f"`{filtered['term']}` ({kinds}) {keeps}; without it the value is {without}"
    fragility = audit["fragility"]
    if fragility:
        if fragility["hollow"]:
            yield "unmoved", "the same whichever rows are changed"
        if fragility["same_when_shuffled"] is False:
            yield "unmoved", "another value in another order of rows"
        if claim["denominator"] and (least := _least(fragility)) is not None:
            rows = f"{least['rows']} of {least['of']:,} rows of {least['table']}"
            yield "fragile", f"stops tying with {rows} changed ({least['change']})"


def _least(fragility: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The fewest rows that, with other cells, change a printing's verdict; None where they are more than few."""
    counted = [
        each
        for place in fragility["printings"]
        for each in place["fewest"]
        if each["rows"] and each["change"] != "deleted"
    ]
    least: Mapping[str, Any] | None = min(counted, key=lambda each: each["rows"], default=None)
    return least if least is not None and least["rows"] <= FEW_ROWS else None


def _extreme(strip: Mapping[str, Any]) -> str:
    end = "highest" if strip["rank"] == 1 else "lowest"
    level = f", level with {strip['tied']}" if strip["tied"] else ""
    unprinted = f"{strip['not_printed']} of them are" if strip["not_printed"] else "none of them is"
    return f"{end} of {strip['of']} values over {listed(strip['over'])}{level}; {unprinted} printed in no ledger here"


def _granular(found: Mapping[str, Any]) -> str:
    below, above = (plain(found[end], 6) for end in ("below", "above"))
    return (
        f"no multiple of {found['step']} prints so, the nearest are {below} and {above}; {found['because']}"
    )


def _excuse(excuse: Mapping[str, Any]) -> str:
    said = f"{excuse['yields']:,} of {excuse['tried']:,} values tried print so"
    if not excuse["found"]:
        return said
    first = excuse["found"][0]
    where = listed([f"{table} {_terms(terms)}" for table, terms in first["where"].items()])
    part = "" if first["of"] == "value" else f"the {first['of']} of "
    return f"{said}, such as {part}{first['metric']} over {where}"


def _terms(terms: Any) -> str:
    if terms == "all":
        return "(all rows)"
    return f"({', '.join(f'{column} {value}' for column, value in terms.items())})"


def receipts(site: Site) -> list[dict[str, Any]]:
    """Each package that a ledger reads: the findings on its tables, what else was looked at, where it comes from."""
    found: dict[str, dict[str, Any]] = {}
    counted_each: dict[tuple[str, str], list[str]] = {}
    audits = [audit for ledger in site.ledgers if (audit := site.ledger_audit(ledger))]
    for audit in audits:
        for forensics in audit["forensics"]:
            found.setdefault(forensics["package"], forensics)
            for reuse in forensics["reuse"]:
                claims = counted_each.setdefault((forensics["package"], reuse["table"]), [])
                claims += [claim for claim in reuse["counted_each"] if claim not in claims]
    return [
        {
            "name": name,
            "title": site.package(name)["title"],
            "findings": [
                Finding(
                    kind="receipts",
                    of=name,
                    claim=None,
                    href=f"packages/{name}.html#table-{table}",
                    subject=table,
                    text=None,
                    says=says,
                )
                for table, says in _of_package(forensics, name, counted_each)
            ],
            "looked": list(_looked(forensics)),
            "sources": [
                {"kind": source["kind"], "tables": source["tables"], "because": source["because"]}
                for source in forensics["sources"]
            ],
        }
        for name, forensics in sorted(found.items())
    ]


def _of_package(
    forensics: Mapping[str, Any], name: str, counted_each: Mapping[tuple[str, str], Sequence[str]]
) -> Iterator[tuple[str, str]]:
    """What stands out in a package's tables, as table and words."""
    for gap in forensics["gaps"]:
        yield gap["table"], f"{gap['count']:,} {gap['says']}"
    for reuse in forensics["reuse"]:
        counted = counted_each[name, reuse["table"]]
        each = f"; each time counts for {_some(counted)}" if counted else ""
        yield reuse["table"], f"{reuse['references']:,} references to {reuse['calls']:,} calls{each}"
    for alike in forensics["repeats"]:
        if alike["alike"]:
            rows = f"{alike['alike']:,} of {alike['rows']:,} rows equal another in all but their key"
            yield alike["table"], f"{rows}; {alike['distinct']:,} are different"
    for digits in forensics["digits"]:
        if float(digits["p"]) < UNEVEN:
            spread = f"the last digits of {digits['column']} are spread unevenly"
            yield digits["table"], f"{spread}, with a chance of {digits['p']} if all ten were as likely"
    for derived in forensics["derived"]:
        if derived["status"] != "same":
            yield derived["table"], f"derived by {derived['instrument']}, and {derived['status']}"


def _looked(forensics: Mapping[str, Any]) -> Iterator[str]:
    """What was looked at in a package and is as one would have it."""
    apart = [each["table"] for each in forensics["repeats"] if not each["alike"]]
    if apart:
        yield f"no row equals another in {listed(apart)}"
    even = [each for each in forensics["digits"] if float(each["p"]) >= UNEVEN]
    if even:
        named = listed([f"{each['table']}.{each['column']} (chance {each['p']})" for each in even])
        yield f"the last digits of {named} are as an even spread has them"
    anew = [each["table"] for each in forensics["derived"] if each["status"] == "same"]
    if anew:
        yield f"made anew, the same came out for {listed(anew)}"


def _packages(site: Site, ledgers: Sequence[str]) -> set[str]:
    return {
        package["package"]
        for ledger in ledgers
        for package in (site.ledger_audit(ledger) or {"forensics": ()})["forensics"]
    }


def listed(parts: Sequence[str]) -> str:
    """Parts as a sentence lists them: "policy, cap and threshold"."""
    return " and ".join(parts) if len(parts) < 3 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _some(parts: Sequence[str]) -> str:
    if len(parts) <= NAMED:
        return listed(parts)
    return f"{', '.join(parts[:NAMED])} and {len(parts) - NAMED} more"
