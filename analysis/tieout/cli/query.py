"""`tieout query`: a SELECT over a package's receipts."""

from __future__ import annotations

from pathlib import Path

import click


@click.command(
    "query",
    epilog="""\b
Examples:
  tieout query album-memory-2 "SELECT policy, count(*) AS n FROM trajectories GROUP BY policy"
  tieout query tau-bench-airline "SELECT task_id, trial FROM trials WHERE success" --format csv
""",
)
@click.argument("package")
@click.argument("sql")
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "csv", "json"]),
    default="table",
    show_default=True,
    help="How to print the rows.",
)
@click.option(
    "--engine",
    type=click.Choice(["duckdb", "sqlite"]),
    default="duckdb",
    show_default=True,
    help="Which engine answers.",
)
@click.option(
    "--limit", default=1000, show_default=True, help="More rows than this are an error, not a cut list."
)
@click.option(
    "--prices",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="A table of model prices, read as table `prices`.",
)
@click.pass_context
def command(
    ctx: click.Context, package: str, sql: str, form: str, engine: str, limit: int, prices: Path | None
) -> None:
    """Run one SELECT over a package and print its rows.

    PACKAGE is a folder, or a name in artifacts/packages. The query may use what metrics may use: SELECT over the
    package's tables, in the subset that DuckDB and SQLite run alike. What is wrong with the package itself is told on
    standard error, and ends the command with 1.
    """
    from tieout import sqltext
    from tieout.cli.places import package as package_at
    from tieout.cli.tables import as_csv, as_json, table_lines
    from tieout.cli.text import told
    from tieout.engines import PRICES, Failure, Limits
    from tieout.engines.process import Engine
    from tieout.errors import CannotOpen
    from tieout.prices import price_table
    from tieout.verify import Options, open_in

    opened = told(package_at(package))
    with price_table(prices) as table, Engine(engine, Limits(rows=limit)) as asked:
        names = [*opened.tables, *([PRICES] if table else [])]
        read = sqltext.check(sql, names)
        composed = sqltext.compose(sql, {name: sqltext.selected(name) for name in read.tables})
        open_in([asked], [opened], Options(prices=table))
        answer = asked.ask([(opened.name, composed)])[0]
    if isinstance(answer, Failure):
        raise CannotOpen(f"{engine}: {answer.message}")
    if form == "table":
        for line in table_lines(answer):
            click.echo(line)
    else:
        click.echo(as_csv(answer) if form == "csv" else as_json(answer), nl=False)
    ctx.exit(int(bool(opened.faults)))
