"""`tieout compute`: a metric of the catalogue over a package, claim or no claim."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tieout.cli.params import by_name


@click.command(
    "compute",
    epilog="""\b
Examples:
  tieout compute album-memory-2 acceptance --where "{trajectories: {policy: embedding, cap: 1600}}"
  tieout compute tau-bench-airline pass_hat_k --param k=2
""",
)
@click.argument("package")
@click.argument("metric")
@click.option(
    "--where",
    default="{}",
    metavar="YAML",
    help="Filters by table, as in a ledger; other tables are read whole.",
)
@click.option(
    "--param",
    "params",
    multiple=True,
    callback=by_name,
    metavar="NAME=VALUE",
    help="A parameter of the metric.",
)
@click.option(
    "--prices",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="A table of model prices, for costs in dollars.",
)
@click.pass_context
def command(
    ctx: click.Context, package: str, metric: str, where: str, params: dict[str, Any], prices: Path | None
) -> None:
    """Recompute one metric of the catalogue over a package, on both engines.

    PACKAGE is a folder, or a name in artifacts/packages; `tieout metrics` lists METRIC. What is wrong with the package
    itself is told on standard error, and ends the command with 1.
    """
    from tieout.cli.places import package as package_at
    from tieout.cli.text import judges, told, value_line
    from tieout.compute import compute
    from tieout.errors import CannotOpen
    from tieout.prices import price_table
    from tieout.report import number
    from tieout.strict import load_yaml

    filters = load_yaml(where, "--where")
    if not isinstance(filters, dict):
        raise CannotOpen("--where takes a mapping of tables, such as {trajectories: {policy: full}}")
    opened = told(package_at(package))
    with price_table(prices) as table:
        found = compute(opened.root, metric, where=filters, params=params, prices=table)
    click.echo(value_line(found.value, found.unit))
    if found.value.value is not None and found.value.exact:
        click.echo(f"  exactly     {number(found.value.value)}")
    click.echo(f"  basis       {found.basis}")
    if said := judges(found):
        click.echo(f"  evaluator   {said}")
    if found.n_cases is not None:
        click.echo(f"  cases       {found.n_cases:,} distinct")
    ctx.exit(int(bool(opened.faults)))
