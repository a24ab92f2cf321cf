"""`tieout show`: one claim in full, down to its receipts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from tieout.engines.process import Engine
    from tieout.planning import QueryStep
    from tieout.recompute import Recomputed
    from tieout.report import ClaimResult

ROWS = 12


@click.command(
    "show",
    epilog="""\b
Examples:
  tieout show part-ii adaptive-to-embedding-tokens
  tieout show tau-bench-readme results.airline-gpt-4o.pass1 --rows 40
""",
)
@click.argument("ledger")
@click.argument("claim")
@click.option(
    "--rows",
    type=click.IntRange(0, 100_000),
    default=ROWS,
    show_default=True,
    help="How many rows of each table to show.",
)
@click.option("--draft", is_flag=True, help="Show from packages that are not frozen yet.")
@click.pass_context
def command(ctx: click.Context, ledger: str, claim: str, rows: int, draft: bool) -> None:
    """Show one claim of a ledger: what it says, where it is printed, its value, its SQL, the rows behind it.

    LEDGER is a folder, or a document's id in artifacts/ledgers. The SQL can be pasted into the duckdb shell, in the
    folder that is named above it. Ends with 1 where `verify` would for this claim and its packages.
    """
    from dataclasses import replace

    from tieout.cli.places import ledger as ledger_at
    from tieout.cli.text import fault_lines
    from tieout.engines import Limits
    from tieout.engines.process import Engine
    from tieout.errors import CannotOpen
    from tieout.report import Report
    from tieout.verify import Options, open_in, verify

    options = Options(frozen=not draft, locked=False)
    report = verify([ledger_at(ledger)], options)
    book = report.ledgers[0]
    found = next((result for result in book.claims if result.claim.id == claim), None)
    if found is None:
        import difflib

        near = difflib.get_close_matches(claim, book.ledger.claims, 3, cutoff=0.4)
        hint = f"; near it: {', '.join(near)}" if near else ""
        raise CannotOpen(f"no claim {claim} in {book.ledger.id}{hint} (`tieout claims {ledger}` lists them)")
    for line in _claim_lines(found, book.ledger.caveats):
        click.echo(line)
    if found.recomputed:
        limits = Limits(rows=max(rows, 1))
        with Engine("duckdb", limits) as duckdb:
            open_in([duckdb], book.packages.values(), Options(limits=limits))
            for line in _source_lines(found.recomputed, duckdb, rows):
                click.echo(line)
    shown = Report(packages=report.packages, ledgers=(replace(book, claims=(found,)),))
    for line in fault_lines(shown):
        click.echo(line, err=True)
    ctx.exit(shown.exit_code())


def _claim_lines(result: ClaimResult, caveats: object) -> Iterator[str]:
    from tieout.cli.text import mark, value_line, wrapped

    claim = result.claim
    yield f"{mark(result.verdict)} {click.style(claim.id, bold=True)}  {result.verdict or 'not printed'}"
    yield wrapped(claim.says, "  ")
    yield from _printing_lines(result)
    if result.error:
        yield f"  error       {result.error}"
    if claim.because or claim.locator:
        yield wrapped(f"because     {claim.because or claim.locator}", "  ")
    if result.recomputed:
        yield from _value_lines(result.recomputed)
    if claim.timing:
        yield f"  timing      {claim.timing}"
    for reading in result.readings:
        yield f"  reading     {mark(reading.verdict)} {reading.says}: {value_line(reading.value, '')}"
    if isinstance(caveats, dict):
        for name in claim.caveats:
            yield wrapped(f"caveat      {caveats[name]}", "  ")


def _printing_lines(result: ClaimResult) -> Iterator[str]:
    from tieout.cli.text import mark
    from tieout.report import stands_for

    for place in result.printings:
        near = f", near “{place.printing.near}”" if place.printing.near else ""
        yield f"  printed     {mark(place.verdict)} “{place.printing.text}” in {place.printing.section}{near}"
        if place.printed:
            of = "" if place.printing.of == ("value",) else f" ({', '.join(place.printing.of)})"
            yield f"              stands for {stands_for(place.printed)}{of}"
        if place.marks:
            yield f"              marks: {', '.join(place.marks)}"
        if place.diagnosis:
            yield f"              {place.diagnosis}"
        if erratum := place.printing.erratum:
            state = place.erratum_fault or place.admission
            yield f"              erratum “{erratum.corrected}” ({state}): {erratum.says}"


def _value_lines(recomputed: Recomputed) -> Iterator[str]:
    from tieout.cli.text import decimal, judges, value_line
    from tieout.report import number

    value = recomputed.value
    yield f"  value       {value_line(value, recomputed.unit)}"
    full = number(value.value, exact=value.exact)
    if full and full != decimal(value.value).replace(",", ""):
        yield f"              {full}{'' if value.exact else ' (binary64)'}"
    for name, cell in value.columns.items():
        yield f"              {name} = {number(cell, exact=value.exact)}"
    yield f"  basis       {recomputed.basis}"
    if said := judges(recomputed):
        yield f"  evaluator   {said}"
    if recomputed.n_cases is not None:
        yield f"  cases       {recomputed.n_cases:,} distinct"
    said_by = ", ".join(f"{engine} {said or 'not asked'}" for engine, said in recomputed.engines.items())
    yield f"  engines     {said_by}"


def _source_lines(recomputed: Recomputed, duckdb: Engine, rows: int) -> Iterator[str]:
    from tieout.planning import ClaimStep, FormulaStep, leaves
    from tieout.report import number

    step = recomputed.step
    if isinstance(step, FormulaStep):
        yield f"  formula     {step.formula.text}"
        for name, (inner, part) in step.inputs.items():
            below = recomputed.inputs[name]
            source = (
                f"claim {inner.claim}"
                if isinstance(inner, ClaimStep)
                else f"metric {getattr(inner, 'metric', '')}"
            )
            taken = "" if part == "value" else f" #{part}"
            value = number(below.value.part(part), exact=below.value.exact)
            yield f"              {name} = {value}  from {source}{taken}"
    for leaf in leaves(step):
        yield from _query_lines(leaf, duckdb, rows)


def _query_lines(step: QueryStep, duckdb: Engine, rows: int) -> Iterator[str]:
    from tieout.cli.tables import table_lines
    from tieout.exact import Rows

    yield ""
    yield f"  In the folder of package {step.asked.package}, in the duckdb shell:"
    yield ""
    yield "CREATE SCHEMA IF NOT EXISTS receipts;"
    for table in step.tables:
        yield f"CREATE OR REPLACE VIEW receipts.{table.name} AS SELECT * FROM read_parquet('{table.file}');"
    yield f"{step.asked.sql};"
    for name, sql in step.filters.items():
        answers = duckdb.ask(
            [
                (step.asked.package, f"SELECT count(*) FROM ({sql})"),
                (step.asked.package, f"{sql} LIMIT {rows}"),
            ]
        )
        counted, listed = answers
        if isinstance(counted, Rows) and isinstance(listed, Rows) and rows:
            yield ""
            yield f"  {counted.rows[0][0]:,} rows of {name}, {len(listed.rows)} shown"
            yield from table_lines(listed)
