"""Receipts of any size with known totals, a ledger of 300 claims over them, and how long verifying them takes.

    python -m bench.scale [TRAJECTORIES]...

Every column of a row follows from its number modulo PERIOD, so that each total is one period's, summed up here in
Python's integers, times the number of periods. All 300 claims must tie.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from bench import measure

POLICIES = ("none", "full", "summary", "embedding", "adaptive")
CAPS = (400, 800, 1200, 1600)
ALBUMS = ("infest", "toxicity", "mezmerize")
KINDS = ("sufficiency", "answer", "verification")
PERIOD = 600
CALLS = len(KINDS)  # of each trajectory
TEXT, COUNT, FLAG = ({"type": kind} for kind in ("string", "integer", "boolean"))


def trajectory(number: int) -> dict[str, Any]:
    """The receipt of a number, as the SQL below makes it."""
    n = number % PERIOD
    return {
        "policy": POLICIES[n % 5],
        "cap": CAPS[n // 5 % 4],
        "album": ALBUMS[n // 20 % 3],
        "answerable": n % 7 != 0,
        "accepted": n % 11 < 6,
        "input_tokens": 2000 + 3 * n,
        "output_tokens": 100 + n % 37,
        "context_tokens": 300 + n,
        "rounds": 1 + n % 4,
    }


TRAJECTORIES = f"""
SELECT format('case-{{:012d}}', i) AS case_id, format('question-{{:03d}}', i % {PERIOD}) AS question_id,
  {list(POLICIES)}[1 + i % {PERIOD} % 5] AS policy, {list(CAPS)}[1 + i % {PERIOD} // 5 % 4]::BIGINT AS cap,
  {list(ALBUMS)}[1 + i % {PERIOD} // 20 % 3] AS album,
  i % {PERIOD} % 7 <> 0 AS answerable, i % {PERIOD} % 11 < 6 AS accepted,
  2000 + 3 * (i % {PERIOD}) AS input_tokens, 100 + i % {PERIOD} % 37 AS output_tokens,
  300 + i % {PERIOD} AS context_tokens, 1 + i % {PERIOD} % 4 AS rounds
FROM range({{rows}}) AS rows(i)"""
CALL = f"""
SELECT format('case-{{:012d}}', i // {CALLS}) AS case_id, 1 + i % {CALLS} AS position,
  {list(KINDS)}[1 + i % {CALLS}] AS kind, 600 + i % {CALLS} * 50 + i // {CALLS} % {PERIOD} AS input_tokens,
  30 + i % {CALLS} AS output_tokens
FROM range({CALLS} * {{rows}}) AS rows(i)"""

SCHEMAS: Mapping[str, tuple[list[str], dict[str, Any]]] = {
    "trajectories": (
        ["case_id"],
        {
            "case_id": {**TEXT, "pattern": "^case-[0-9]{12}$", "tieout": {"role": "key"}},
            "question_id": {**TEXT, "minLength": 1, "tieout": {"role": "case"}},
            "policy": {"enum": list(POLICIES), "tieout": {"role": "condition"}},
            "cap": {"enum": list(CAPS), "tieout": {"role": "condition"}},
            "album": {"enum": list(ALBUMS), "tieout": {"role": "condition"}},
            "answerable": FLAG,
            "accepted": {**FLAG, "tieout": {"role": "outcome", "evaluator": "made"}},
            **{
                name: {**COUNT, "minimum": 0, "tieout": {"role": "usage", "unit": "tokens"}}
                for name in ("input_tokens", "output_tokens", "context_tokens")
            },
            "rounds": {**COUNT, "minimum": 1, "maximum": 4},
        },
    ),
    "calls": (
        ["case_id", "position"],
        {
            "case_id": {**TEXT, "pattern": "^case-[0-9]{12}$", "tieout": {"role": "key"}},
            "position": {**COUNT, "minimum": 1, "tieout": {"role": "key"}},
            "kind": {"enum": list(KINDS)},
            "input_tokens": {**COUNT, "minimum": 0, "tieout": {"role": "usage", "unit": "tokens"}},
            "output_tokens": {**COUNT, "minimum": 0, "tieout": {"role": "usage", "unit": "tokens"}},
        },
    ),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Kind:
    """A kind of claim: a metric of the catalogue, its value over a period, and the SQL that a person would write."""

    metric: str
    value: Callable[[list[dict[str, Any]]], Fraction]
    sql: str


def _mean(rows: list[dict[str, Any]], *columns: str) -> Fraction:
    return Fraction(sum(row[column] for row in rows for column in columns), len(rows))


def _acceptance(rows: list[dict[str, Any]]) -> Fraction:
    answerable = [row for row in rows if row["answerable"]]
    return Fraction(sum(row["accepted"] for row in answerable), len(answerable))


ONE = "FROM trajectories WHERE policy = '{policy}' AND cap = {cap} AND album = '{album}'"
OF_TRAJECTORIES = (
    Kind(
        metric="acceptance",
        value=_acceptance,
        sql=f"SELECT count(*) FILTER (WHERE accepted), count(*) {ONE} AND answerable",
    ),
    Kind(
        metric="mean_trajectory_tokens",
        value=lambda rows: _mean(rows, "input_tokens", "output_tokens"),
        sql=f"SELECT sum(input_tokens + output_tokens), count(*) {ONE}",
    ),
    Kind(
        metric="mean_context_tokens",
        value=lambda rows: _mean(rows, "context_tokens"),
        sql=f"SELECT sum(context_tokens), count(*) {ONE}",
    ),
    Kind(
        metric="mean_rounds",
        value=lambda rows: _mean(rows, "rounds"),
        sql=f"SELECT sum(rounds), count(*) {ONE}",
    ),
)
SETTINGS = [(policy, cap, album) for policy in POLICIES for cap in CAPS for album in ALBUMS]
# What catalogue metrics say of calls joins them to trajectories; these sixty are queries of the ledger's own.
OF_CALLS = "SELECT sum(input_tokens + output_tokens) AS count FROM calls"
TURNS = [(position, kind, least) for position, kind in enumerate(KINDS, 1) for least in range(600, 1200, 30)]


def claims(trajectories: int) -> Iterator[tuple[dict[str, Any], str]]:
    """Every claim with its printing, and the query that a person would write for it."""
    period = [trajectory(number) for number in range(PERIOD)]
    for policy, cap, album in SETTINGS:
        where = {"policy": policy, "cap": cap, "album": album}
        rows = [row for row in period if where.items() <= row.items()]
        for kind in OF_TRAJECTORIES:
            name = f"{kind.metric.replace('_', '-')}-{policy}-{cap}-{album}"
            claim = {"id": name, "metric": kind.metric, "where": {"trajectories": where}}
            value = kind.value(rows)
            yield _printed(claim, value), kind.sql.format(**where)
    for position, kind_of_call, least in TURNS:
        tokens = [600 + 50 * (position - 1) + n for n in range(PERIOD)]
        total = sum(given + 30 + position - 1 for given in tokens if given >= least)
        where = {"kind": kind_of_call, "position": position, "input_tokens": {"at_least": least}}
        claim = {
            "id": f"{kind_of_call}-{least}",
            "sql": OF_CALLS,
            "combine": "sum",
            "unit": "tokens",
            "where": {"calls": where},
        }
        condition = f"kind = '{kind_of_call}' AND position = {position} AND input_tokens >= {least}"
        yield _printed(claim, Fraction(total * (trajectories // PERIOD))), f"{OF_CALLS} WHERE {condition}"


def _printed(claim: dict[str, Any], value: Fraction) -> dict[str, Any]:
    """The value to four decimals, cut from the exact fraction by half away from zero."""
    scaled = int(value * 10**4 + Fraction(1, 2))
    text = f"{scaled // 10**4}.{scaled % 10**4:04d}" if value.denominator > 1 else str(value)
    return {**claim, "says": f"What {claim['id']} says", "printings": [{"text": text}]}


def write(root: Path, trajectories: int) -> Path:
    """A package `made` of so many trajectories, rounded down to whole periods, and the ledger about it."""
    import duckdb

    package = root / "packages" / "made"
    rows = trajectories // PERIOD * PERIOD
    (package / "receipts").mkdir(parents=True)
    tables = {}
    for (name, (key, columns)), sql in zip(SCHEMAS.items(), (TRAJECTORIES, CALL), strict=True):
        path = package / "receipts" / f"{name}.parquet"
        selected = sql.replace("{rows}", str(rows)).replace("{{", "{").replace("}}", "}")
        duckdb.execute(f"COPY ({selected}) TO '{path}' (FORMAT parquet, COMPRESSION zstd)")
        _json(package / "schemas" / f"{name}.json", schema(name, key, columns))
        tables[name] = {
            "file": f"receipts/{name}.parquet",
            "schema": f"schemas/{name}.json",
            "basis": "fixture",
        }
    _json(package / "checks.yaml", {"checks": []})
    _json(package / "package.yaml", {**DESCRIPTOR, "tables": tables})
    ledger = root / "ledgers" / "made"
    document = {"id": "made", "version": "1", "title": "Made for the benchmark"}
    _json(ledger / "ledger.yaml", {"document": document, "packages": {"made": "made"}})
    listed = [claim for claim, _ in claims(rows)]
    _json(ledger / "sections" / "01.yaml", {"section": "I", "package": "made", "claims": listed})
    return root


DESCRIPTOR = {
    "name": "made",
    "title": "Made for the benchmark",
    "version": "1.0.0",
    "created": "2026-09-11",
    "description": "Receipts that follow from their numbers.",
    "licenses": [{"name": "CC0-1.0"}],
    "sources": [{"title": "bench/scale.py"}],
    "contributors": [{"title": "bench/scale.py", "roles": ["author"]}],
    "evaluators": [{"id": "made", "kinds": ["code"], "in_loop": False}],
}


def schema(name: str, key: list[str], columns: Mapping[str, Any]) -> dict[str, Any]:
    """The row schema of a table of the benchmark."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:tieout:bench:{name}",
        "title": name,
        "description": f"{name} of the benchmark",
        "type": "object",
        "additionalProperties": False,
        "required": list(columns),
        "tieout": {"key": key},
        "properties": columns,
    }


def _json(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")


def by_hand(root: Path, trajectories: int) -> None:
    """Every claim's query as a person would write it, one after the other, in one DuckDB with its own defaults."""
    import duckdb

    connection = duckdb.connect()
    for name in SCHEMAS:
        path = root / "packages" / "made" / "receipts" / f"{name}.parquet"
        connection.execute(f"CREATE VIEW {name} AS SELECT * FROM '{path}'")
    for _, sql in claims(trajectories):
        connection.execute(sql).fetchall()


def recomputed(root: Path) -> None:
    """The same claims recomputed by Tieout: everything of `verify` but the validation of the package."""
    from tieout.engines.process import Engine
    from tieout.judge import plan
    from tieout.ledger import open_ledger
    from tieout.opening import open_packages
    from tieout.planning import Planner, QueryStep
    from tieout.verify import Options, open_in

    options = Options(frozen=False, locked=False)
    with Engine("duckdb", options.limits) as duckdb:  # it starts while the ledger is read, as in `verify`
        packages = open_packages([], [root / "ledgers" / "made"], frozen=False)
        open_in([duckdb], packages.values(), options)
        ledger = open_ledger(root / "ledgers" / "made")
        planners = {name: Planner(package) for name, package in packages.items()}
        steps: list[QueryStep] = []
        plan(ledger, packages, planners, steps.extend)
        duckdb.ask(list(dict.fromkeys((step.asked.package, step.asked.sql) for step in steps)))


def main() -> None:
    """Makes receipts and prints the table of what verifying them takes."""
    parser = argparse.ArgumentParser(description="Verify 300 claims over receipts of any size.")
    parser.add_argument("trajectories", nargs="*", type=int, default=[1_000_000])
    for line in table(parser.parse_args().trajectories):
        print(line)


def table(sizes: list[int]) -> Iterator[str]:
    """The measurements as a Markdown table, a line for each size."""
    yield "| trajectories | calls | by hand | recomputed | ratio | goal | `tieout verify --draft` | largest process |"
    yield "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for size in sizes:
        rows = size // PERIOD * PERIOD
        root = Path(tempfile.mkdtemp(prefix="tieout-scale-"))
        try:
            write(root, rows)
            hand, ours = measure.in_turn(
                measure.call(by_hand, root, rows), measure.call(recomputed, root), rounds=measure.ROUNDS
            )
            whole = measure.command("verify", "--draft", "--seconds", "120", str(root), expect="300 tie")
            yield (
                f"| {rows:,} | {CALLS * rows:,} | {hand:.1f} s | {ours:.1f} s | {ours / hand:.2f} | at most 1.5 "
                f"| {whole.seconds:.1f} s | {whole.memory / 2**20:,.0f} MiB |"
            )
        finally:
            shutil.rmtree(root)


if __name__ == "__main__":
    main()
