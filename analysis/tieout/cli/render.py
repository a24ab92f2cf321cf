"""`tieout render`: the site."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click


@click.command(
    "render",
    epilog="""\b
Example:
  tieout render artifacts/ledgers/tau-bench-readme --output tau-bench-site
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
@click.option(
    "--audit",
    "audited",
    is_flag=True,
    help="Audit claims and ledgers too, and show on the pages what that finds.",
)
@click.pass_context
def command(
    ctx: click.Context, ledgers: tuple[Path, ...], engine: str, output: Path | None, audited: bool
) -> None:
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
            made = render_ledgers(ledgers, output, engine=engine, audited=audited, progress=bar)
    else:
        with Bar() as bar:
            made = render(
                Path.cwd(), [ARTIFACTS], engine=engine, output=output, audited=audited, progress=bar
            )
    for line in _summary(made.report):
        click.echo(line)
    state = f"made by the engine {made.engine}" if made.made else "unchanged"
    click.echo(f"The site is {state}; open {made.index}", err=True)
    ctx.exit(made.exit_code)


def _summary(report: Mapping[str, Any]) -> Iterator[str]:
    """What makes the verification fail, and the line that every verification ends with."""
    from tieout.cli.text import summed_up

    faults = [fault for part in (*report["packages"], *report["ledgers"]) for fault in part["faults"]]
    broken = [
        check for package in report["packages"] for check in package["checks"] if check["violations"] != 0
    ]
    if faults or broken:
        yield f"{len(faults)} faults, {len(broken)} broken checks; `tieout verify` names them"
    yield summed_up(report)
