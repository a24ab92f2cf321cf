"""`tieout import`: records of other tools into receipts."""

from __future__ import annotations

from pathlib import Path

import click


@click.group(
    "import",
    epilog="""\b
Examples:
  tieout import album-study album-memory-2 --output imported
  tieout import tau-bench tau-bench-airline/gpt-4o-airline.json --output imported
  tieout import retrieval-suite artifacts/sources/retrieval-recall/suite --output imported
  tieout import tables artifacts/sources/buffer-lab --output artifacts/packages/buffer-lab
""",
)
def command() -> None:
    """Make a package's receipts from records of other tools.

    Figures, identifiers and flags are kept, never prose. The same input gives the same bytes.
    """


@command.command(
    "album-study",
    epilog="""\b
Example:
  tieout import album-study album-memory-1 --output imported
""",
)
@click.argument("source", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The package's folder; its descriptor, if there, is left alone.",
)
def album_study(source: Path, output: Path) -> None:
    """Import a study of agent memory on albums, either part.

    SOURCE is a folder of JSON Lines, or the author's own results folder or zip; which study it is, is seen from it.
    """
    from tieout.importers.album_study import import_album_study

    import_album_study(source, output)
    click.echo(f"wrote receipts to {output}", err=True)


@command.command(
    "tau-bench",
    epilog="""\b
Example:
  tieout import tau-bench tau-bench-airline/gpt-4o-airline.json --output imported
""",
)
@click.argument("source", type=click.Path(exists=True, path_type=Path, dir_okay=False))
@click.option(
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The package's folder; its descriptor, if there, is left alone.",
)
def tau_bench(source: Path, output: Path) -> None:
    """Import trials of tau-bench from one of its own trajectory files."""
    from tieout.importers.tau_bench import import_tau_bench

    import_tau_bench(source, output)
    click.echo(f"wrote receipts to {output}", err=True)


@command.command(
    "retrieval-suite",
    epilog="""\b
Example:
  tieout import retrieval-suite artifacts/sources/retrieval-recall/suite --output imported
""",
)
@click.argument("source", type=click.Path(exists=True, path_type=Path, file_okay=False))
@click.option(
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The package's folder; its descriptor, if there, is left alone.",
)
def retrieval_suite(source: Path, output: Path) -> None:
    """Run two retrievers and a tokenizer on a suite of questions, and record what they give.

    SOURCE holds records.yaml and queries.yaml. Needs the libraries of the extra `retrieval`; nothing is fetched.
    """
    from tieout.importers.retrieval_suite import import_retrieval_suite

    runs = import_retrieval_suite(source, output)
    click.echo(f"wrote receipts of {runs} runs to {output}", err=True)


@command.command(
    "tables",
    epilog="""\b
Example:
  tieout import tables artifacts/sources/buffer-lab --output artifacts/packages/buffer-lab
""",
)
@click.argument("source", type=click.Path(exists=True, path_type=Path, file_okay=False))
@click.option(
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The package's folder, with its package.yaml and schemas.",
)
def tables(source: Path, output: Path) -> None:
    """Import tables of your own: SOURCE holds TABLE.csv or TABLE.jsonl for each table that package.yaml names.

    Each cell is read by the type that the table's row schema gives it; nothing is guessed.
    """
    from tieout.importers.tables import import_tables

    for name in import_tables(source, output):
        click.echo(f"wrote {name}", err=True)
