"""`tieout render`: the site."""

from __future__ import annotations

from pathlib import Path

import click


@click.command(
    "render",
    epilog="""\b
Examples:
  tieout render --engine builtin
  tieout render artifacts/ledgers/part-i --output part-i-site
""",
)
@click.argument("ledgers", nargs=-1, type=click.Path(path_type=Path), metavar="[LEDGER]...")
@click.option(
    "--engine",
    type=click.Choice(["auto", "quarto", "builtin"]),
    default="auto",
    show_default=True,
    help="What renders the pages; auto takes Quarto where it is at hand.",
)
@click.option(
    "--output", type=click.Path(path_type=Path), metavar="DIR", help="Where the site goes; by default _site."
)
@click.pass_context
def command(ctx: click.Context, ledgers: tuple[Path, ...], engine: str, output: Path | None) -> None:
    """Verify, and render the site.

    Without LEDGER the project in this folder is rendered: the pages that _quarto.yml lists, over ./artifacts. With
    ledgers of your own a site is made of them from pages that Tieout brings. A site is put in place only when all of
    it is made and every link in it leads somewhere; until then the last good one stays.
    """
    from tieout.cli.places import ARTIFACTS
    from tieout.cli.progress import Bar
    from tieout.errors import CannotOpen
    from tieout.site.render import render

    if ledgers:
        from tieout.site.generic import render_ledgers

        if output is None:
            raise CannotOpen("name where the site of these ledgers goes: --output DIR")
        with Bar() as bar:
            made = render_ledgers(ledgers, output, engine=engine, progress=bar)
    else:
        with Bar() as bar:
            made = render(Path.cwd(), [ARTIFACTS], engine=engine, output=output, progress=bar)
    state = f"made by the engine {made.engine}" if made.made else "unchanged"
    click.echo(f"The site is {state}; open {made.index}", err=True)
    ctx.exit(made.exit_code)
