"""`tieout claims`: what a ledger claims, and what of its document it leaves out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from tieout.claims import Coverage


@click.command(
    "claims",
    epilog="""\b
Examples:
  tieout claims part-ii
  tieout claims part-ii --text part-ii.txt
""",
)
@click.argument("ledger")
@click.option(
    "--text",
    type=click.Path(exists=True, path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The document's text, to check the ledger against.",
)
@click.pass_context
def command(ctx: click.Context, ledger: str, text: Path | None) -> None:
    """List a ledger's claims, or with --text what of a document it leaves out.

    LEDGER is a folder, or a document's id in artifacts/ledgers. With --text every numeral and every number in words
    of the text must be covered by a printing or named in ignored.yaml, and every printing must be found exactly once.
    The printing of an assertion covers the numbers that its formula holds, in words or in digits, and no others.
    What is not so is listed, with its line, and the command ends with 1; nothing on standard output means complete.
    Not looked for are words that mostly count nothing: “a”, “no”, “once”, “both”, “double”, and ordinals.
    """
    from tieout.cli.places import ledger as ledger_at
    from tieout.document import coverage as coverage_of
    from tieout.document import is_locked
    from tieout.ledger import open_ledger

    book = open_ledger(ledger_at(ledger))
    if text is None:
        for claim in book.claims.values():
            texts = " · ".join(place.text for place in claim.printings)
            click.echo(f"{claim.section}\t{claim.id}\t{texts}\t{claim.says}")
        return
    coverage = coverage_of(book, text)
    if is_locked(book, text) is False:
        click.echo(f"{book.id}: this is not the text that the ledger was locked with", err=True)
    for line in _lines(coverage):
        click.echo(line)
    if coverage.complete:
        printings = sum(len(claim.printings) for claim in book.claims.values())
        click.echo(
            f"{book.id}: complete, {printings} printings and {len(book.ignored)} entries that are no claims",
            err=True,
        )
    ctx.exit(0 if coverage.complete else 1)


def _lines(coverage: Coverage) -> Iterator[str]:
    for heading in coverage.headings_not_found:
        yield f"heading not found exactly once: “{heading}”"
    for numeral in coverage.uncovered:
        yield f"line {numeral.line}, column {numeral.column}: “{numeral.text}” is neither claimed nor ignored"
    for unplaced in (*coverage.not_found, *coverage.ambiguous):
        yield f"{unplaced.printing.claim}: {unplaced.reason}"
    for twice in coverage.twice_claimed:
        first, second = twice.first, twice.second
        one, other = first.printing, second.printing
        yield f"line {first.line}: “{one.text}” of {one.claim} is claimed by {other.claim} too"
    for unused in coverage.ignored_unused:
        yield f"ignored.yaml, “{unused.ignored.text}”: {unused.reason}"
