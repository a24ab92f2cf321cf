"""`tieout audit`: how a number could have been made to look true, laid beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from tieout.audit.sample import Drawn
    from tieout.audit.workbench import Workbench
    from tieout.verify import Options, Progress


@click.command(
    "audit",
    epilog="""\b
Examples:
  tieout audit part-ii
  tieout audit part-ii embedding-1600-accepted
  tieout audit tau-bench-readme --json
  tieout audit --sample 5 --seed heron
""",
)
@click.argument("ledger", required=False)
@click.argument("claim", required=False)
@click.option(
    "--json", "as_json", is_flag=True, help="Print verify's JSON with what was found beside each claim."
)
@click.option(
    "--sample",
    type=click.IntRange(min=1),
    metavar="N",
    help="Draw N claims, with their rows and lines to paste.",
)
@click.option(
    "--seed", metavar="WORD", help="Your own word for the draw, so that nobody could have aimed it."
)
@click.option("--draft", is_flag=True, help="Audit what is not frozen or locked yet.")
@click.option(
    "--prices",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="A table of model prices, for costs in dollars.",
)
@click.pass_context
def command(
    ctx: click.Context,
    ledger: str | None,
    claim: str | None,
    as_json: bool,
    sample: int | None,
    seed: str | None,
    draft: bool,
    prices: Path | None,
) -> None:
    """Show what else the receipts say about each printed number.

    LEDGER is a folder, or a document's id in artifacts/ledgers; without it all of ./artifacts is audited. For each
    claim: what its query computes, the same metric in every other setting, what each filter does, how few rows decide
    it, and the cases behind it; for each ledger what is not recomputed and where the receipts come from. The verdicts,
    and the exit code, are those of `tieout verify`: the audit changes none.
    """
    import json

    from tieout.cli.auditing import claim_lines, ledger_lines
    from tieout.cli.places import ARTIFACTS
    from tieout.cli.places import ledger as ledger_at
    from tieout.cli.progress import Bar
    from tieout.cli.text import fault_lines, last_line
    from tieout.prices import price_table
    from tieout.verify import Options

    if (sample is None) != (seed is None):
        raise click.UsageError("--sample and --seed go together: the word is what makes the draw yours")
    if sample is not None and claim is not None:
        raise click.UsageError("--sample draws claims; name a ledger at most")
    paths = [ledger_at(ledger) if ledger else ARTIFACTS]
    with Bar() as bar, price_table(prices) as table:
        options = Options(frozen=not draft, locked=not draft, prices=table)
        if sample is not None and seed is not None:
            _sample(ctx, paths, options, bar, sample, seed, as_json)
            return
        from tieout.audit.run import audit

        found = audit(paths, claim, options, bar)
    if as_json:
        click.echo(json.dumps(found.to_json(), indent=2, ensure_ascii=False, allow_nan=False))
    else:
        results = {
            (book.ledger.id, each.claim.id): each for book in found.report.ledgers for each in book.claims
        }
        if claim is not None:
            for name, each in found.claims.items():
                for line in claim_lines(name[0], results[name], each):
                    click.echo(line)
        else:
            for line in ledger_lines(found):
                click.echo(line)
        click.echo("")
        click.echo(last_line(found.report))
    for line in fault_lines(found.report):
        click.echo(line, err=True)
    ctx.exit(found.report.exit_code())


def _sample(
    ctx: click.Context,
    paths: Sequence[Path],
    options: Options,
    bar: Progress,
    count: int,
    word: str,
    as_json: bool,
) -> None:
    import json

    from tieout.audit.sample import sample
    from tieout.audit.sample import seed as seed_of
    from tieout.audit.workbench import Workbench
    from tieout.cli.text import fault_lines
    from tieout.engines.process import Engine
    from tieout.verify import open_in, verify

    report = verify(paths, options, bar)
    drawn = sample(report, count, word)
    if as_json:
        document = {"seed": seed_of(report, word), "drawn": [each.to_json() for each in drawn]}
        click.echo(json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False))
    else:
        packages = {result.package.name: result.package for result in report.packages}
        with Engine("duckdb", options.limits) as duckdb:
            open_in([duckdb], packages.values(), options)
            for line in _sample_lines(drawn, Workbench(packages, duckdb)):
                click.echo(line)
        click.echo(f"seed {seed_of(report, word)}")
    for line in fault_lines(report):
        click.echo(line, err=True)
    ctx.exit(report.exit_code())


def _sample_lines(drawn: Sequence[Drawn], bench: Workbench) -> Iterator[str]:
    from tieout.audit.sample import rows_of
    from tieout.cli.tables import table_lines
    from tieout.cli.text import mark, value_line, wrapped

    for each in drawn:
        claim = each.claim
        title = click.style(f"{each.book.ledger.id} {claim.claim.id}", bold=True)
        yield f"{mark(claim.verdict)} {title}  {claim.verdict}"
        yield wrapped(claim.claim.says, "  ")
        yield f"  printed  {' · '.join(f'“{place.printing.text}”' for place in claim.printings)}"
        if claim.recomputed:
            yield f"  value    {value_line(claim.recomputed.value, claim.recomputed.unit)}"
        for paste in each.pastes:
            yield f"  In the folder of package {paste.package}, in the duckdb shell:"
            yield from ("", *paste.lines, "")
        for read in rows_of(each, bench):
            if read.rows is not None and read.count is not None:
                yield f"  {read.count:,} rows of {read.table}, {len(read.rows.rows)} shown"
                yield from table_lines(read.rows)
        yield ""
