"""`tieout derive`: a package's derived tables made anew."""

from __future__ import annotations

import click


@click.command(
    "derive",
    epilog="""\b
Example:
  tieout derive album-memory-2
""",
)
@click.argument("package")
def command(package: str) -> None:
    """Make a package's derived tables anew from its receipts, by the instruments that its descriptor names.

    PACKAGE is a folder, or a name in artifacts/packages. The same receipts give the same bytes.
    """
    from tieout.cli.places import package as package_at
    from tieout.derive import derive_package

    for file in derive_package(package_at(package)):
        click.echo(f"wrote {file}", err=True)
