"""`tieout run`: an instrument on tables of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tieout.cli.params import by_name


@click.command(
    "run",
    epilog="""\b
Example:
  tieout run threshold-selection -p policy=adaptive -i artifacts/packages/album-memory-2/receipts -o chosen.csv
""",
)
@click.argument("instrument")
@click.option(
    "--input",
    "-i",
    "source",
    required=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="A folder with TABLE.parquet, TABLE.csv or TABLE.jsonl for each input.",
)
@click.option(
    "--output",
    "-o",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where the result goes: .parquet, .csv or .json.",
)
@click.option(
    "--param",
    "-p",
    "params",
    multiple=True,
    callback=by_name,
    metavar="NAME=VALUE",
    help="A parameter of the instrument.",
)
@click.option("--seed", type=int, help="The seed of an instrument that takes one.")
def command(instrument: str, source: Path, output: Path, params: dict[str, Any], seed: int | None) -> None:
    """Run an instrument on tables of your own.

    `tieout instruments INSTRUMENT` says which tables and columns it needs.
    """
    from tieout.cli.tables import as_csv, as_json
    from tieout.derive import run_instrument, schema_of
    from tieout.errors import CannotOpen
    from tieout.exact import Rows
    from tieout.importers.parquet import encode, replace
    from tieout.instruments import describe

    if output.suffix not in {".parquet", ".csv", ".json"}:
        raise CannotOpen(f"{output}: the output is .parquet, .csv or .json")
    rows = run_instrument(instrument, source, params, seed)
    columns = describe(instrument).output
    if output.suffix == ".parquet":
        replace(output, encode(output.name, rows, schema_of(columns)))
    else:
        cells = tuple(tuple(row.get(name) for name in columns) for row in rows)
        listed = Rows(columns=tuple(columns), rows=cells)
        replace(output, (as_csv(listed) if output.suffix == ".csv" else as_json(listed)).encode())
    click.echo(f"{len(rows):,} rows to {output}", err=True)
