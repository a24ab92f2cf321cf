"""`tieout freeze`: the hashes of a package, the lock of a ledger."""

from __future__ import annotations

from pathlib import Path

import click


@click.command(
    "freeze",
    epilog="""\b
Examples:
  tieout freeze artifacts/packages/album-memory-2
  tieout freeze artifacts/ledgers/part-ii --text part-ii.txt
""",
)
@click.argument(
    "paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PACKAGE|LEDGER..."
)
@click.option(
    "--text",
    type=click.Path(exists=True, path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The document's text, whose hash the ledger's lock keeps.",
)
def command(paths: tuple[Path, ...], text: Path | None) -> None:
    """Freeze packages and lock ledgers.

    A package that validates gets datapackage.json and SHA256SUMS, whose own SHA-256 is its digest. A ledger gets
    ledger.lock.json with the digests of its packages and the hashes of the metrics it uses. What does not validate is
    refused and nothing of it is written; where a path or the text cannot be read, nothing at all. The same input gives
    the same bytes. A text that the ledger does not cover is locked, and told so.
    """
    from tieout.document import coverage
    from tieout.errors import CannotOpen
    from tieout.freeze import freeze_ledger, freeze_package
    from tieout.ledger import open_ledger

    packages = [path for path in paths if (path / "package.yaml").is_file()]
    ledgers = [path for path in paths if path not in packages and (path / "ledger.yaml").is_file()]
    for path in paths:
        if path not in packages and path not in ledgers:
            raise CannotOpen(f"{path}: neither a package (package.yaml) nor a ledger (ledger.yaml) is here")
    if text is not None and not ledgers:
        raise click.UsageError("--text is the document of a ledger, and no ledger is given.")
    # Before anything is written: a text that cannot be read ends here.
    uncovered = [
        path for path in ledgers if text is not None and not coverage(open_ledger(path), text).complete
    ]
    for path in paths:
        if path in packages:
            click.echo(f"{freeze_package(path)}  {path}")
        else:
            click.echo(f"locked  {freeze_ledger(path, text)}")
        if path in uncovered:
            said = f"{path} leaves something of {text} out; `tieout claims {path} --text {text}` lists it"
            click.echo(said, err=True)
