"""Row validation of two million receipts beside what others do it with, from the Parquet file to the verdict.

Each validator reads the file itself and holds every row against the same rules: types, lists of values, bounds, a
pattern, no nulls, no other column. What works row by row in Python gets a sample, and its seconds are scaled up.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import measure, scale

ROWS = 2_000_000
PATTERN = "^case-[0-9]{12}$"
KEY, COLUMNS = scale.SCHEMAS["trajectories"]
SCHEMA = scale.schema("trajectories", KEY, COLUMNS)
PLAIN = {
    "type": "object",
    "additionalProperties": False,
    "required": list(COLUMNS),
    "properties": {
        name: {key: value for key, value in column.items() if key != "tieout"}
        for name, column in COLUMNS.items()
    },
}
LISTS = {name: column["enum"] for name, column in COLUMNS.items() if "enum" in column}
LEAST = {name: column["minimum"] for name, column in COLUMNS.items() if "minimum" in column}


def ours(path: Path, rows: int) -> str:
    """`tieout.schema.check_table`, in a DuckDB with its own defaults."""
    import duckdb

    from tieout.schema.table import check_table

    connection = duckdb.connect()
    report = check_table(lambda sql: connection.execute(sql).fetchall(), path, SCHEMA, path.name)
    assert report.checked == rows
    return str(report.faults[0]) + f" ({report})" if report.faults else ""


def scan(path: Path, rows: int) -> str:
    """A bare scan of the engine with the same conditions, which tells only how many rows break one."""
    import duckdb

    terms = [f"regexp_matches(case_id, '{PATTERN}')", "length(question_id) >= 1", "rounds <= 4"]
    terms += [f"{name} IN ({', '.join(map(repr, values))})" for name, values in LISTS.items()]
    terms += [f"{name} >= {least}" for name, least in LEAST.items()]
    terms += [f"{name} IS NOT NULL" for name in COLUMNS]
    # As a check must, it reads every row: no condition stands where the file's own statistics could answer it.
    sql = f"SELECT count(*) FILTER (WHERE NOT ({' AND '.join(terms)})), count(*) FROM '{path}'"
    [(broken, read)] = duckdb.execute(sql).fetchall()
    assert read == rows
    return f"{broken} rows" if broken else ""


def _rows(path: Path, rows: int) -> Iterator[dict[str, Any]]:
    from pyarrow.parquet import ParquetFile

    left = rows
    with ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=min(rows, 50_000)):
            yield from batch.to_pylist()[:left]
            left -= batch.num_rows
            if left <= 0:
                return


def by_jsonschema(path: Path, rows: int) -> str:
    """`jsonschema`, all errors of each row."""
    from jsonschema import Draft202012Validator

    validator = Draft202012Validator(PLAIN)
    said = ""
    for number, row in enumerate(_rows(path, rows)):
        for error in validator.iter_errors(row):
            said = said or f"row {number}, {error.json_path}: {error.message}"
    return said


def by_fastjsonschema(path: Path, rows: int) -> str:
    """`fastjsonschema`, whose compiled function stops at a row's first error."""
    import fastjsonschema

    validate = fastjsonschema.compile({"$schema": "http://json-schema.org/draft-07/schema#", **PLAIN})
    said = ""
    for number, row in enumerate(_rows(path, rows)):
        try:
            validate(row)
        except fastjsonschema.JsonSchemaException as error:
            said = said or f"row {number}, {error}"
    return said


def by_jsonschema_rs(path: Path, rows: int) -> str:
    """`jsonschema-rs`, all errors of each row that is not valid."""
    import jsonschema_rs

    validator = jsonschema_rs.Draft202012Validator(PLAIN)
    said = ""
    for number, row in enumerate(_rows(path, rows)):
        if not validator.is_valid(row):
            for error in validator.iter_errors(row):
                said = said or f"row {number}, {'.'.join(map(str, error.instance_path))}: {error.message}"
    return said


def by_pandera(path: Path, rows: int) -> str:
    """pandera over polars, all faults gathered."""
    import pandera.polars as pa
    import polars as pl
    from pandera.errors import SchemaErrors

    kinds = {"string": pl.String, "integer": pl.Int64, "boolean": pl.Boolean}

    def column(name: str, rules: dict[str, Any]) -> Any:
        checks = []
        if "enum" in rules:
            checks.append(pa.Check.isin(rules["enum"]))
        if "pattern" in rules:
            checks.append(pa.Check.str_matches(rules["pattern"]))
        if "minLength" in rules:
            checks.append(pa.Check.str_length(min_value=rules["minLength"]))
        if "minimum" in rules:
            checks.append(pa.Check.ge(rules["minimum"]))
        if "maximum" in rules:
            checks.append(pa.Check.le(rules["maximum"]))
        kind = kinds[rules["type"]] if "type" in rules else pl.Int64 if name == "cap" else pl.String
        return pa.Column(kind, checks, nullable=False)

    schema = pa.DataFrameSchema({name: column(name, rules) for name, rules in COLUMNS.items()}, strict=True)
    frame = pl.read_parquet(path)
    assert frame.height == rows
    try:
        schema.validate(frame, lazy=True)
    except SchemaErrors as errors:
        return " ".join(str(errors.failure_cases.to_dicts()[0]).split())
    return ""


def by_pointblank(path: Path, rows: int) -> str:
    """pointblank over polars, counting the rows that fail each rule."""
    import pointblank as pb
    import polars as pl

    frame = pl.read_parquet(path)
    assert frame.height == rows
    steps = pb.Validate(frame).col_vals_not_null(list(COLUMNS)).col_vals_regex("case_id", PATTERN)
    steps = steps.col_vals_expr(pl.col("question_id").str.len_chars() >= 1).col_vals_le("rounds", 4)
    for name, values in LISTS.items():
        steps = steps.col_vals_in_set(name, values)
    for name, least in LEAST.items():
        steps = steps.col_vals_ge(name, least)
    done = steps.interrogate(collect_extracts=False)
    failed = done.n_failed()
    broken = {index: count for index, count in failed.items() if count}
    return f"rows that fail, by step: {broken}" if broken else ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Validator:
    """One of those measured: `rows` is how many it gets, fewer where it would take minutes; `goal` is ours over it."""

    name: str
    run: Callable[[Path, int], str]
    rows: int = ROWS
    goal: str = ""


VALIDATORS = (
    Validator(name="tieout", run=ours),
    Validator(name="DuckDB, bare scan", run=scan, goal="at most 1.6 times"),
    Validator(name="jsonschema-rs", run=by_jsonschema_rs, rows=100_000, goal="8 times faster"),
    Validator(name="fastjsonschema", run=by_fastjsonschema, rows=50_000),
    Validator(name="jsonschema", run=by_jsonschema, rows=10_000, goal="300 times faster"),
    Validator(name="pandera[polars]", run=by_pandera),
    Validator(name="pointblank", run=by_pointblank),
)


def _file(folder: Path, name: str, rows: int, broken: int | None = None) -> Path:
    """Receipts of the benchmark; in row `broken` the case_id is of another form."""
    import duckdb

    path = folder / f"{name}.parquet"
    sql = scale.TRAJECTORIES.replace("{rows}", str(rows)).replace("{{", "{").replace("}}", "}")
    if broken is not None:
        sql = f"SELECT * REPLACE (if(case_id = 'case-{broken:012d}', 'case 3', case_id) AS case_id) FROM ({sql})"
    duckdb.execute(f"COPY ({sql}) TO '{path}' (FORMAT parquet, COMPRESSION zstd)")
    return path


def table(rows: int = ROWS) -> Iterator[str]:
    """The measurements as a Markdown table, and below it what each says of one broken cell."""
    folder = Path(tempfile.mkdtemp(prefix="tieout-validation-"))
    try:
        path = _file(folder, "receipts", rows)
        samples = [min(rows, validator.rows) for validator in VALIDATORS]
        timed = []
        for validator, sample in zip(VALIDATORS, samples, strict=True):
            whole = validator.rows >= ROWS
            timed.append(measure.call(validator.run, path, rows if whole else sample))
        seconds = measure.in_turn(*timed)
        scaled = [
            taken * (1 if validator.rows >= ROWS else rows / sample)
            for validator, sample, taken in zip(VALIDATORS, samples, seconds, strict=True)
        ]
        yield "| validator | rows measured | seconds for all | over tieout | goal |"
        yield "| --- | ---: | ---: | ---: | --- |"
        for validator, sample, taken in zip(VALIDATORS, samples, scaled, strict=True):
            measured = f"{rows:,}" if validator.rows >= ROWS else f"{sample:,}, scaled"
            yield f"| {validator.name} | {measured} | {taken:,.2f} | {taken / scaled[0]:,.2f} | {validator.goal} |"
        yield ""
        yield "What each says of a table whose row 3 has a `case_id` of another form:"
        yield ""
        broken = _file(folder, "broken", scale.PERIOD, broken=3)
        for validator in VALIDATORS:
            said = " ".join(validator.run(broken, scale.PERIOD).split())
            yield f"- {validator.name}: `{said if len(said) <= 240 else said[:239] + '…'}`"
    finally:
        shutil.rmtree(folder)


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description="Validate receipts with Tieout and with its peers.")
    parser.add_argument("rows", nargs="?", type=int, default=ROWS)
    for line in table(parser.parse_args().rows):
        print(line)


if __name__ == "__main__":
    main()
