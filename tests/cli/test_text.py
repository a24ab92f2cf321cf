"""How checks of a package read in a terminal."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import click
import pytest

from tests import build
from tieout.cli.text import report_lines, value_line
from tieout.engines import Limits
from tieout.exact import Value
from tieout.verify import Options, verify


def lines(root: Path) -> list[str]:
    """What is said of a package that is not frozen, without its digest and the last line."""
    report = verify([root], Options(frozen=False))
    said = [click.unstyle(line) for line in report_lines(report, everything=False, claims=frozenset())]
    return [line for line in said[:-1] if line and "sha256" not in line]


def check(name: str, sql: str, examined: str = "SELECT count(*) FROM trials") -> dict[str, Any]:
    return {"id": name, "says": f"It holds of {name}", "examined": examined, "sql": sql}


NONE = "SELECT * FROM trials WHERE trial < 0"


def test_a_check_over_nothing_is_counted_apart_and_named(tmp_path: Path) -> None:
    nothing = check("b", NONE, "SELECT count(*) FROM trials WHERE task_id = 'A'")
    assert lines(build.package(tmp_path / "tiny", checks=[check("a", NONE), nothing])) == [
        "✓ tiny 1.0.0: 2 tables, 9 rows checked; 2 of 2 checks hold, 1 of them over nothing",
        "    · b: nothing was there to look at. It holds of b",
    ]


def test_a_check_that_could_not_run_says_why(tmp_path: Path) -> None:
    assert lines(build.package(tmp_path / "tiny", checks=[check("a", "SELECT * FROM nothing")])) == [
        "! tiny 1.0.0: 2 tables, 9 rows checked; 0 of 1 checks hold",
        "    ! a: could not run. It holds of a",
        "        no table `nothing`; the package has limits, trials",
    ]


def test_rows_that_break_a_check_are_shown_cell_by_cell(tmp_path: Path) -> None:
    sql = "SELECT task_id, trial, success, user_cost FROM trials WHERE user_cost IS NULL"
    assert lines(build.package(tmp_path / "tiny", checks=[check("a", sql)])) == [
        "! tiny 1.0.0: 2 tables, 9 rows checked; 0 of 1 checks hold",
        "    ! a: 1 of 8 break it. It holds of a",
        '        task_id "a", trial 1, success false, user_cost null',
    ]


def test_runs_that_are_declared_missing_are_shown_with_the_reason(tmp_path: Path) -> None:
    missing = {"task_id": "b", "trial": 1, "because": "The provider was down."}
    assert lines(build.planned(tmp_path / "tiny", ("b", 1), [missing])) == [
        "✓ tiny 1.0.0: 3 tables, 11 rows checked; 2 of 2 checks hold",
        '    · planned and declared missing: task_id "b", trial 1',
        "        The provider was down.",
    ]


@pytest.mark.parametrize(("loaded_rows", "alone"), [(8, True), (9, False), (None, False)])
def test_a_value_of_one_engine_is_told(tmp_path: Path, loaded_rows: int | None, alone: bool) -> None:
    root = build.artifacts(tmp_path, [build.claim("rate", "75%"), build.claim("again", "0.75")])
    options = Options(frozen=False, locked=False, limits=Limits(loaded_rows=loaded_rows))
    said = list(report_lines(verify([root], options), everything=False, claims=frozenset()))
    line = "    · 2 values on DuckDB alone: SQLite is not asked above 1,000,000 rows but with --sqlite"
    assert (line in map(click.unstyle, said)) is alone


def test_a_value_over_one_is_told_without_its_denominator() -> None:
    assert value_line(Value(value=Fraction(8), numerator=8, denominator=1), "tokens") == "8 tokens"
    assert value_line(Value(value=Fraction(1, 2), numerator=4, denominator=8), "x") == "0.5 = 4 / 8 x"
