"""How an audit reads in a terminal: facts beside numbers, in words that accuse nobody."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from tieout.audit.ablation import Ablation
from tieout.audit.claims import ClaimAudit
from tieout.audit.fragility import Fragility
from tieout.audit.intervals import spread
from tieout.audit.siblings import Sibling, Strip
from tieout.cli.text import WIDTH, decimal, mark, value_line
from tieout.report import NO_BASIS, ClaimResult

if TYPE_CHECKING:
    from tieout.audit.feasibility import Feasibility
    from tieout.audit.forensics import Forensics
    from tieout.audit.ledgers import LedgerAudit
    from tieout.audit.run import Audit

LABEL = 14
FEW = 6  # of a list, named one by one
VERBS = {"ties": "tie", "differs": "differ"}
MARKS = {"outcome": "an outcome", "usage": "usage", "cost": "a cost", "nullable": "a column with gaps"}
NARROW = 3  # fewest rows at or below which a claim is listed with the ledger


def _line(label: str, text: str) -> str:
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=f"  {label:<{LABEL}}",
        subsequent_indent=" " * (LABEL + 2),
        break_on_hyphens=False,
    )


def claim_lines(ledger: str, result: ClaimResult, found: ClaimAudit) -> Iterator[str]:
    """One claim in full."""
    claim = result.claim
    verdict = result.verdict or "not printed"
    yield f"{mark(result.verdict)} {click.style(f'{ledger} {claim.id}', bold=True)}  {verdict}"
    yield _line("says", claim.says)
    if found.meaning:
        yield _line("computes", found.meaning)
    if claim.printings:
        yield _line("printed", " · ".join(f"“{place.printing.text}”" for place in result.printings))
    if result.recomputed:
        yield _line("value", value_line(result.recomputed.value, result.recomputed.unit))
    for strip in found.siblings:
        yield from _strip_lines(strip)
    for each in found.ablation:
        yield _line("filter", _ablation(each))
    if found.fragility:
        yield from _fragility_lines(found.fragility)
    if found.cases:
        yield _line("cases", spread(found.cases))
        interval = found.cases.interval
        if interval:
            yield _line("interval", f"{interval.low:.4g} to {interval.high:.4g}, 95 % ({interval.method})")
            yield _line("", "ours, about sampling of cases alone; no part of the verdict")
        elif found.cases.because:
            yield _line("interval", f"none: {found.cases.because}")
    if found.stands_on:
        yield _line("stands on", ", ".join(found.stands_on))
    for name, reason in found.because.items():
        yield _line("no " + name, reason)


def _strip_lines(strip: Strip) -> Iterator[str]:
    over = " × ".join(strip.over)
    values = "  ".join(_sibling(each) for each in strip.siblings)
    yield _line("siblings", f"over {over}: {rank_words(strip)}")
    yield _line("", values)


def rank_words(strip: Strip) -> str:
    """The rank of the claim's value among its siblings, those it is tied with, and how many are printed nowhere."""
    count = len(strip.siblings)
    parts = []
    if strip.pools != 1:
        parts.append(f"the claim pools {strip.pools} of {count} settings")
    if strip.rank is not None:
        parts.append(
            f"rank {strip.rank} of {count} from the highest, {strip.rank_from_lowest} from the lowest"
        )
    own = next((each for each in strip.siblings if each.this), None)
    tied = [each for each in strip.siblings if own and each is not own and each.value == own.value]
    if tied and strip.tied:
        parts.append(f"tied with {_some([f'{_setting(each)} ({_printed(each)})' for each in tied])}")
    parts.append(f"{strip.unprinted} of {count} are printed in no ledger given")
    return ", ".join(parts)


def _setting(each: Sibling) -> str:
    return " ".join(f"{cell:,}" if type(cell) is int else str(cell) for cell in each.setting.values())


def _printed(each: Sibling) -> str:
    return "printed" if each.printed else "not printed"


def _sibling(each: Sibling) -> str:
    value = decimal(each.value, exact=each.exact)
    text = f"{_setting(each)}: {value}{'' if each.printed else '°'}"
    return f"[{text}]" if each.this else text


def _ablation(each: Ablation) -> str:
    value = each.value
    found = (
        ", ".join(f"{name} {decimal(cell)}" for name, cell in value.columns.items())
        if value.value is None and value.columns
        else decimal(value.value, exact=value.exact)
        if value.value is not None
        else f"no value ({value.reason})"
    )
    source = " in the metric's own query" if each.source == "metric" else ""
    marks = f" [on {' and '.join(MARKS[name] for name in each.marks)}]" if each.marks else ""
    text = f"without {each.term}{source}{marks}: {found}"
    if each.kept is not None:
        text += f"; {each.kept:,} rows kept, {each.dropped:,} dropped"
    for rate in each.rates:
        if each.dropped:
            text += f"; {rate.column} {decimal(rate.kept)} of those kept, {decimal(rate.dropped)} of those dropped"
    return text


def _fragility_lines(found: Fragility) -> Iterator[str]:
    said: dict[str, None] = {}
    for text, fewest in found.printings:
        for each in fewest:
            rows = "no number of rows found" if each.rows is None else f"{each.rows:,} of {each.of:,} rows"
            how = "" if each.rows is None or each.exact else " at most"
            said[f"“{text}” stops tying with {rows} of {each.table} {each.change}{how}"] = None
    for line in said:
        yield _line("fragility", line)
    moves = found.movement
    for moved in moves.rows:
        unit = "rows" if moved.tried == moved.of else "sets of rows"
        yield _line(
            "moves",
            f"with {moved.moved:,} of {moved.tried:,} {unit} of {moved.table}, each {moved.change} alone",
        )
    if moves.cells:
        yield _line("moves", f"with other cells in {', '.join(moves.cells)}")
    if moves.hollow:
        yield _line("moves", "with no change of the rows that was tried")
    if moves.shuffled is not None:
        yield _line(
            "order",
            "the same in another order of rows" if moves.shuffled else "differs in another order of rows",
        )


def ledger_lines(audit: Audit) -> Iterator[str]:
    """Each ledger: its headline claims in full, what stands out among the others, and the guards on the whole."""
    for book in audit.report.ledgers:
        document = book.ledger.id
        yield click.style(document, bold=True)
        yield ""
        for result in book.claims:
            if result.headline and (found := audit.claims.get((document, result.claim.id))):
                yield from claim_lines(document, result, found)
                yield ""
        for result in book.claims:
            if not result.headline and (found := audit.claims.get((document, result.claim.id))):
                facts = list(notable(result, found))
                if facts:
                    texts = " · ".join(f"“{place.printing.text}”" for place in result.printings[:FEW])
                    yield f"{mark(result.verdict)} {result.claim.id}  {texts}"
                    yield from (_line("", fact) for fact in facts)
        yield ""
        if whole := audit.ledgers.get(document):
            yield from _whole_lines(whole)
            yield ""
    yield "° printed in no ledger given. `tieout audit LEDGER CLAIM` shows one claim in full."


def notable(result: ClaimResult, found: ClaimAudit) -> Iterator[str]:
    """What of a printed claim's audit is said where the claim is not shown in full."""
    if not result.printings:
        return
    if found.siblings:
        widest = found.siblings[-1]
        if widest.pools == 1 and widest.rank is not None and 1 in {widest.rank, widest.rank_from_lowest}:
            yield f"over {' × '.join(widest.over)}: {rank_words(widest)}"
    for each in found.ablation:
        if each.marks and each.dropped:
            yield _ablation(each)
    if found.fragility:
        moves = found.fragility.movement
        if moves.hollow:
            yield "moves with no change of the rows that was tried"
        if moves.shuffled is False:
            yield "differs in another order of rows"
        if (
            result.recomputed
            and result.recomputed.value.denominator
            and (least := _least(found.fragility)) is not None
        ):
            yield least


def _least(found: Fragility) -> str | None:
    each = min(
        (each for _, fewest in found.printings for each in fewest if each.rows and each.change != "deleted"),
        key=lambda each: each.rows or 0,
        default=None,
    )
    if each is None or each.rows is None or each.rows > NARROW:
        return None
    return f"stops tying with {each.rows} of {each.of:,} rows of {each.table} {each.change}"


def _whole_lines(found: LedgerAudit) -> Iterator[str]:
    yield from _excuse_lines(found)
    yield _line("headline", _counts(found.padding.headline_printings))
    yield _line("the rest", _counts(found.padding.other_printings))
    if found.padding.repeated:
        repeated = sum(each.printings for each in found.padding.repeated)
        yield _line(
            "repeated", f"{found.padding.quantities} quantities; {repeated} printings repeat one of them"
        )
    for remark in found.lint:
        yield _line("form", f"{remark.claim or 'document'}: {remark.says}")
    for package in found.forensics:
        for gap in package.gaps:
            yield _line("receipts", f"{package.package} {gap.table}: {gap.count:,} {gap.says}")
        for reuse in package.reuse:
            counted = (
                f"; counted each time by {_some(list(reuse.counted_each))}" if reuse.counted_each else ""
            )
            yield _line(
                "receipts",
                f"{package.package} {reuse.table}: {reuse.references:,} references, {reuse.calls:,} calls{counted}",
            )
        for alike in package.repeats:
            if alike.alike:
                yield _line(
                    "receipts",
                    f"{package.package} {alike.table}: {alike.alike:,} of {alike.rows:,} rows equal another, key apart",
                )
        yield from _derived_lines(package)
        for source in package.sources:
            yield _line("come from", f"{source.kind}: {_some(list(source.tables))} ({source.because})")
    yield from _feasible_lines(found.feasibility)


def _derived_lines(package: Forensics) -> Iterator[str]:
    """The derived tables that were made anew, and those that were not, with the claims that rest on them."""
    anew = [made.table for made in package.derived if made.status == "same"]
    if anew:
        yield _line("derived", f"{package.package}: made anew, the same came out for {', '.join(anew)}")
    for made in package.derived:
        if made.status == "same":
            continue
        why = (
            f"as published, since its instrument {made.instrument} is not installed"
            if made.status == "as published"
            else f"not what its instrument {made.instrument} makes anew"
        )
        rests = f"on it rest {', '.join(made.read_by)}" if made.read_by else "no printed claim rests on it"
        yield _line("derived", f"{package.package} {made.table}: {why}; {rests}")


def _feasible_lines(found: Feasibility) -> Iterator[str]:
    """Printings that are impossible under a supposition, by what is supposed."""
    supposed: dict[str, list[str]] = {}
    for each in found.granular:
        if not each.possible:
            text = f"{each.because}, no multiple of {each.step} prints so"
            supposed.setdefault(text, []).append(f"{each.claim} “{each.text}”")
    for text, places in supposed.items():
        yield _line("feasible", f"{text}: {', '.join(places)}")
    if supposed:
        yield _line("", "other numbers of cases explain them as well as a slip does")
    for follows in (*found.totals, *found.ratios):
        if follows.do_not:
            yield _line("feasible", f"if {follows.says}, these do not follow: {', '.join(follows.do_not)}")


def _excuse_lines(found: LedgerAudit) -> Iterator[str]:
    excuses = found.excuses
    kinds = ", ".join(f"{share.count} {kind}" for kind, share in excuses.by_kind.items() if share.count)
    yield _line(
        "no value",
        f"{excuses.printings.count} of {excuses.printings.of} printings are not recomputed"
        + (f" ({kinds})" if kinds else "")
        + f"; {excuses.headline.count} of {excuses.headline.of} of headline claims",
    )
    for each in excuses.listed:
        if each.found:
            first = each.found[0]
            yield _line(
                "",
                f"{each.claim} “{each.text}” [{each.kind}]: {each.yields} of {each.tried:,} catalogue values print so, "
                f"such as the {first.of} of {first.metric} over {_rows_of(first.where)}",
            )
    for leeway in excuses.leeway:
        text = f" “{leeway.text}”" if leeway.text else ""
        yield _line(leeway.kind, f"{leeway.claim}{text}: {leeway.effect}")


def _rows_of(where: Mapping[str, Any]) -> str:
    """A filter by table: all of frame, trials where policy is plain."""
    return ", ".join(
        f"all of {table}"
        if terms == "all"
        else f"{table} where {' and '.join(f'{column} is {term}' for column, term in terms.items())}"
        for table, terms in where.items()
    )


def _counts(counts: Mapping[str, Mapping[str, int]]) -> str:
    parts = []
    for verdict, bases in counts.items():
        split = ", ".join(f"{count} {basis}" for basis, count in bases.items() if basis != NO_BASIS)
        words = VERBS.get(verdict, verdict)
        parts.append(f"{sum(bases.values())} {words}" + (f" ({split})" if split else ""))
    return ", ".join(parts) or "none"


def _some(parts: Sequence[str]) -> str:
    if len(parts) <= FEW:
        return ", ".join(parts)
    return f"{', '.join(parts[:FEW])} and {len(parts) - FEW} more"
