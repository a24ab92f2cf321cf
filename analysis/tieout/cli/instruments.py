"""`tieout instruments`: what can be run, with inputs and outputs."""

from __future__ import annotations

import click


@click.command(
    "instruments",
    epilog="""\b
Examples:
  tieout instruments
  tieout instruments order-permutation
""",
)
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """List the instruments, or show one: its inputs, its parameters and its output, column by column.

    An instrument is a pure function from tables to a table. Other packages bring theirs as entry points of the group
    tieout.instruments.
    """
    from tieout.cli.text import wrapped
    from tieout.instruments import describe, names

    if name is None:
        for known in names():
            click.echo(f"{known:28} {describe(known).title}")
        return
    described = describe(name)
    click.echo(f"{click.style(name, bold=True)}  {described.title}")
    click.echo(wrapped(described.says, "  "))
    click.echo(f"  source: {described.source}")
    parts = [*((f"input {table}", columns) for table, columns in described.inputs.items())]
    parts += [("parameters", described.parameters), ("output", described.output)]
    for title, columns in parts:
        if columns:
            click.echo(f"  {title}")
            for column, says in columns.items():
                click.echo(f"    {column:24} {says}")
    if described.seeded:
        click.echo("  takes a seed")
