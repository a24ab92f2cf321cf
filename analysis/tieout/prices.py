"""A table of model prices that a user gives: dollars for a million tokens, with the date and the source of each price.

    date: "2026-09-11"
    source: the provider's price page
    models:
      gpt-4o-mini-2024-07-18: {input: "0.15", cached_input: "0.075", output: "0.60"}

No price is known to Tieout itself: without a table there are no dollars, and a model that the table lacks has none.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tieout.engines import PRICES
from tieout.errors import Invalid

if TYPE_CHECKING:
    from tieout.package import Table

KINDS = ("input", "cached_input", "output")
PER_DOLLAR = 10**12  # the unit of a price for one token: a dollar for a million tokens is 10**6 of them
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"model": {"type": "string"}, **{kind: {"type": "integer"} for kind in KINDS}},
    "tieout": {"key": ["model"]},
}


@contextmanager
def price_table(file: Path | None) -> Iterator[Table | None]:
    """The price table as a table of receipts called `prices`, gone when the context ends; None without a file.

    Prices are integers of 1e-12 dollar for a token.
    Raises Invalid where the file is not of the form above, or a price is finer than that unit.
    """
    if file is None:
        yield None
        return
    from tieout.schema.documents import check_document
    from tieout.strict import read_yaml

    document = read_yaml(file, file.name)
    if faults := check_document(document.value, "prices", file.name, lines=document.lines):
        raise Invalid(faults)
    from pyarrow import int64, parquet, schema, string, table

    from tieout.package import Table

    models: dict[str, dict[str, str]] = document.value["models"]
    columns: dict[str, list[Any]] = {"model": list(models)}
    for kind in KINDS:
        columns[kind] = [int(Decimal(prices[kind]).scaleb(6)) for prices in models.values()]
    with tempfile.TemporaryDirectory(prefix="tieout-") as folder:
        path = Path(folder) / "prices.parquet"
        form = schema([("model", string()), *((kind, int64()) for kind in KINDS)])
        parquet.write_table(table(columns, schema=form), path)
        yield Table(
            name=PRICES,
            file=str(path),
            path=path,
            schema=SCHEMA,
            schema_file=f"{document.value['source']}, {document.value['date']}",
            basis="design",
            derivation=None,
        )
