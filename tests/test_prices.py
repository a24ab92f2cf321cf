"""A price table that a user gives: exact integers of a stated unit, gone afterwards, refused where it is no table."""

from __future__ import annotations

from pathlib import Path

import pytest

from tieout.errors import CannotOpen, Invalid
from tieout.importers.parquet import read
from tieout.prices import price_table

PRICES = """
date: "2026-09-11"
source: a provider's price page
models:
  small: {input: "0.15", cached_input: "0.075", output: "0.60"}
  free: {input: "0", cached_input: "0", output: "0"}
"""


def written(folder: Path, text: str = PRICES) -> Path:
    path = folder / "prices.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_price_is_a_whole_number_of_picodollars_for_a_token(tmp_path: Path) -> None:
    with price_table(written(tmp_path)) as table:
        assert table is not None
        # 0.15 dollar for a million tokens is 0.15 / 10**6 = 150_000 * 10**-12 dollar for one
        assert read(table.path) == [
            {"model": "small", "input": 150_000, "cached_input": 75_000, "output": 600_000},
            {"model": "free", "input": 0, "cached_input": 0, "output": 0},
        ]


def test_the_table_says_where_the_prices_are_from_and_is_gone_afterwards(tmp_path: Path) -> None:
    with price_table(written(tmp_path)) as table:
        assert table is not None
        assert (table.name, table.basis) == ("prices", "design")
        assert table.schema_file == "a provider's price page, 2026-09-11"
    assert not table.path.exists()


def test_without_a_file_there_is_no_table() -> None:
    with price_table(None) as table:
        assert table is None


@pytest.mark.parametrize(
    ("old", "new", "pointer"),
    [
        ('"0.15"', '"0.1234567"', "/models/small/input"),
        ('"0.15"', '"-1"', "/models/small/input"),
        ('"0.15"', "0.15", "/models/small/input"),
        ('"0.15"', '"1e3"', "/models/small/input"),
        ('date: "2026-09-11"\n', "", ""),
        ('cached_input: "0.075", ', "", "/models/small"),
    ],
)
def test_what_is_no_price_is_refused_with_its_place(tmp_path: Path, old: str, new: str, pointer: str) -> None:
    with pytest.raises(Invalid) as caught, price_table(written(tmp_path, PRICES.replace(old, new))):
        pass
    [fault] = caught.value.faults
    assert (fault.file, fault.pointer or "") == ("prices.yaml", pointer)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(CannotOpen), price_table(tmp_path / "nothing.yaml"):
        pass
