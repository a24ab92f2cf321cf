"""`tieout verify`: packages and ledgers in, tick marks out."""

from __future__ import annotations

import math
from pathlib import Path

import click

DAY = 86_400.0  # seconds; what is longer than a day is a slip, and not every system can wait for it


def _number(_ctx: click.Context, _param: click.Parameter, value: float) -> float:
    if math.isnan(value):  # which no range refuses
        raise click.BadParameter("nan is no number of seconds.")
    return value


def _target(_ctx: click.Context, _param: click.Parameter, value: Path | None) -> Path | None:
    """The file to write; what cannot be one is refused before anything has run."""
    if value is not None and (value.is_dir() or not value.parent.is_dir()):
        raise click.BadParameter("give a file in a folder that is there.")
    return value


@click.command(
    "verify",
    epilog="""\b
Examples:
  tieout verify
  tieout verify artifacts/packages/tau-bench-airline
  tieout verify artifacts/ledgers/part-ii --claim adaptive-to-embedding-tokens
  tieout verify --json
""",
)
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PACKAGE|LEDGER]...")
@click.option(
    "--all", "everything", is_flag=True, help="List every claim with its tick mark, not only the differences."
)
@click.option(
    "--claim", "claims", multiple=True, metavar="ID", help="Show this claim; may be given several times."
)
@click.option("--json", "as_json", is_flag=True, help="Print the whole result as JSON.")
@click.option(
    "--junit",
    type=click.Path(path_type=Path, dir_okay=False),
    callback=_target,
    metavar="FILE",
    help="Write the verdicts as JUnit XML too.",
)
@click.option("--strict", is_flag=True, help="End with 1 on any difference, an admitted one too.")
@click.option(
    "--draft",
    is_flag=True,
    help="Verify what is not frozen or locked yet: hashes and locks are not asked for.",
)
@click.option(
    "--prices",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="A table of model prices, for costs in dollars.",
)
@click.option(
    "--sqlite",
    is_flag=True,
    help="Ask SQLite too about packages of more than a million rows, which it has to hold in memory.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True, max=DAY),
    callback=_number,
    default=30.0,
    show_default=True,
    help="How long one query may take.",
)
@click.pass_context
def command(
    ctx: click.Context,
    paths: tuple[Path, ...],
    everything: bool,
    claims: tuple[str, ...],
    as_json: bool,
    junit: Path | None,
    strict: bool,
    draft: bool,
    prices: Path | None,
    sqlite: bool,
    seconds: float,
) -> None:
    """Recompute every printed number and say which tie.

    PACKAGE and LEDGER are folders, or folders or ZIP archives that hold some; without any it is ./artifacts. Each
    package is checked against its hashes, schemas and checks, each claim against its receipts on DuckDB and on SQLite.
    Differences are shown first. A tick (✓) means that a number ties to the receipts, and never that it is true of the
    world.
    """
    import json

    from tieout.cli.places import ARTIFACTS
    from tieout.cli.progress import Bar
    from tieout.engines import MANY_ROWS, Limits
    from tieout.errors import CannotOpen
    from tieout.prices import price_table
    from tieout.verify import Options, verify

    with Bar() as bar, price_table(prices) as table:
        loaded_rows = None if sqlite else MANY_ROWS
        limits = Limits(seconds=seconds, total=20 * seconds, loaded_rows=loaded_rows)
        options = Options(frozen=not draft, locked=not draft, prices=table, limits=limits)
        report = verify(paths or (ARTIFACTS,), options, bar)
    # Loaded last, so that the engines start first.
    from tieout.cli import junit as junit_form
    from tieout.cli.text import report_lines

    known = {claim.claim.id for book in report.ledgers for claim in book.claims}
    if unknown := [claim for claim in claims if claim not in known]:
        raise CannotOpen(
            f"no claim {unknown[0]} in {', '.join(book.ledger.id for book in report.ledgers) or 'no ledger'}"
        )
    try:
        if junit is not None:
            junit_form.write(junit, report, strict=strict)
    finally:  # a full disk takes no verdict from whoever reads them here
        if as_json:
            click.echo(json.dumps(report.to_json(), indent=2, ensure_ascii=False, allow_nan=False))
        else:
            for line in report_lines(report, everything=everything, claims=frozenset(claims)):
                click.echo(line)
    ctx.exit(report.exit_code(strict=strict))
