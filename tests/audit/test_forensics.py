"""What receipts show of how they came to be, on the real studies and on made-up rows."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests import build
from tests.audit.opened import opened
from tests.build import COUNT, TEXT, claim, role, schema
from tests.conftest import ROOT
from tieout.audit.forensics import Derived, Forensics, Gap, Repeats, chance_beyond, forensics

ARTIFACTS = ROOT / "artifacts"
CALLS = schema(
    "calls",
    ["case_id", "position"],
    {
        "case_id": role(TEXT, "key"),
        "position": role(COUNT, "key"),
        "call_key": role(TEXT, "none"),
        "input_tokens": role(COUNT, "usage"),
        "output_tokens": role(COUNT, "usage"),
    },
)


def rows_of(package: str, table: str) -> list[dict[str, Any]]:
    import pyarrow.parquet as pq

    path = ARTIFACTS / "packages" / package / "receipts" / f"{table}.parquet"
    return list(pq.read_table(path).to_pylist())


def of(document: str, package: str) -> Forensics:
    with opened(ARTIFACTS / "ledgers" / document) as (report, bench):
        [result] = [one for one in report.packages if one.package.name == package]
        return forensics(report.ledgers[0], result, bench)


def made(
    root: Path, tables: Mapping[str, Any], claims: Sequence[Mapping[str, Any]], **package: Any
) -> Forensics:
    build.package(root / "packages" / "tiny", tables, **package)
    build.ledger(root / "ledgers" / "doc", claims)
    with opened(root / "ledgers" / "doc") as (report, bench):
        return forensics(report.ledgers[0], report.packages[0], bench)


@pytest.fixture(scope="module")
def second() -> Forensics:
    return of("part-ii", "album-memory-2")


def test_reused_calls_are_counted_as_references_and_as_calls(second: Forensics) -> None:
    calls = [
        tuple(row[name] for name in row if name not in {"case_id", "position"})
        for row in rows_of("album-memory-2", "calls")
    ]
    assert (len(calls), len(set(calls))) == (1360, 1063)
    [reuse] = second.reuse
    assert (reuse.table, reuse.by, reuse.references, reuse.calls) == ("calls", "call_key", 1360, 1063)
    # the claim of reuse itself counts both, by a query that knows the key
    assert "calls-reused" in reuse.read_by
    assert "calls-reused" not in reuse.counted_each
    assert "tokens-include-all-calls" in reuse.counted_each


def test_token_tuples_that_recur_are_counted(second: Forensics) -> None:
    tuples = Counter(
        (row["input_tokens"], row["output_tokens"], row["cached_input_tokens"])
        for row in rows_of("album-memory-2", "calls")
    )
    [calls] = [found for found in second.repeats if found.table == "calls"]
    assert (calls.tuples, calls.tuples_alike) == (len(tuples), sum(n for n in tuples.values() if n > 1))
    assert calls.most_often == max(tuples.values())
    assert tuples[calls.most] == calls.most_often  # type: ignore[index]
    [trajectories] = [found for found in second.repeats if found.table == "trajectories"]
    assert (trajectories.rows, trajectories.distinct, trajectories.alike) == (504, 504, 0)


def test_last_digits_are_those_of_the_distinct_values_and_only_where_there_are_many(
    second: Forensics,
) -> None:
    found = {(one.table, one.column): one for one in second.digits}
    values = {row["input_tokens"] for row in rows_of("album-memory-2", "trajectories")}
    counts = Counter(value % 10 for value in values if value >= 100)
    one = found["trajectories", "input_tokens"]
    assert one.counts == tuple(counts[digit] for digit in range(10))
    n = sum(one.counts)
    assert one.chi_square == f"{sum((count - n / 10) ** 2 / (n / 10) for count in one.counts):.3g}"
    # 32 turns are too few, and calls' outputs are values side by side
    assert ("turns", "input_tokens") not in found
    assert ("calls", "output_tokens") not in found


@pytest.mark.parametrize(("chi_square", "p"), [(16.919, 0.05), (21.666, 0.01), (4.168, 0.9), (0.0, 1.0)])
def test_the_tail_of_chi_square_is_that_of_the_printed_tables(chi_square: float, p: float) -> None:
    assert chance_beyond(chi_square) == pytest.approx(p, abs=5e-5)


def test_no_setting_lacks_a_question_and_no_call_is_left_out(second: Forensics) -> None:
    assert second.gaps == ()
    assert of("tau-bench-readme", "tau-bench-airline").gaps == ()


def test_origins_are_ranked_and_say_what_shows_them(second: Forensics) -> None:
    assert [(one.rank, one.kind) for one in second.sources] == [(0, "typed"), (1, "author's export")]
    assert set(second.sources[0].tables) == {"plan", "design"}
    [typed, log] = of("tau-bench-readme", "tau-bench-airline").sources
    assert (typed.kind, typed.tables) == ("typed", ("plan",))
    assert (log.rank, log.kind, log.tables) == (2, "harness log with hash", ("trials",))
    assert log.because == "a source is the file gpt-4o-airline.json at 59a200c"
    assert log.to_json()["note"] == (
        "derived from sources, contributors and bases: the descriptor has no field that states it"
    )


def test_receipts_of_another_party_and_receipts_from_nowhere_are_ranked(tmp_path: Path) -> None:
    source = {"title": "the runs", "path": "https://example.org/runs"}
    for name, author, sources, expected in (
        ("a", "Somebody Else", [source], (3, "third party")),
        ("b", "The tests", [source], (1, "author's export")),
        ("c", "The tests", [{"title": "made for the tests"}], (0, "typed")),
    ):
        root = tmp_path / name
        build.package(root / "packages" / "tiny", sources=sources)
        document = {"id": "doc", "version": "1", "title": "A document", "author": author}
        build.ledger(root / "ledgers" / "doc", [claim("rate", "75%")], document=document)
        with opened(root / "ledgers" / "doc") as (report, bench):
            found = forensics(report.ledgers[0], report.packages[0], bench)
        trials = next(one for one in found.sources if "trials" in one.tables)
        assert (trials.rank, trials.kind) == expected


def test_duplicate_rows_and_gaps_in_trials_and_settings_are_found(tmp_path: Path) -> None:
    # trial 1 of task b under `plain` was dropped, task b never ran under `retry`, and two trials of a are equal
    kept = [
        row for row in build.ROWS if row["task_id"] == "a" or (row["policy"], row["trial"]) == ("plain", 0)
    ]
    tables = {"trials": (build.TRIALS, kept, {"basis": "observation"})}
    found = made(tmp_path, tables, [claim("rate", "67%")])
    [repeats] = found.repeats
    assert repeats == Repeats(
        table="trials",
        rows=5,
        distinct=4,
        alike=2,
        usage=("input_tokens", "cached_input_tokens", "user_cost"),
        tuples=4,
        tuples_alike=2,
        most=(300, 0, 1),
        most_often=2,
    )
    assert found.gaps == (
        Gap(
            table="trials",
            says="trial that others have and these lack",
            count=1,
            examples=("task_id b, policy plain, trial 1",),
        ),
        Gap(
            table="trials",
            says="cases that other settings have and these lack",
            count=1,
            examples=("task_id b, policy retry",),
        ),
    )


def test_a_number_left_out_of_a_row_of_calls_is_found(tmp_path: Path) -> None:
    rows = [
        {"case_id": case, "position": position, "call_key": key, "input_tokens": 100, "output_tokens": 7}
        for case, position, key in [("a", 1, "k"), ("a", 3, "l"), ("b", 1, "k"), ("b", 2, "m")]
    ]
    tables = {"calls": (CALLS, rows, {"basis": "observation"})}
    count = {
        "sql": "SELECT count(*) AS count FROM calls",
        "where": {"calls": "all"},
        "unit": "calls",
        "combine": "sum",
    }
    found = made(tmp_path, tables, [claim("calls", "4", **count)], checks=[], evaluators=[])
    assert found.gaps == (
        Gap(
            table="calls",
            says="groups whose position leaves numbers out",
            count=1,
            examples=("case_id a, left out 1",),
        ),
    )
    [reuse] = found.reuse
    assert (reuse.references, reuse.calls, reuse.counted_each) == (4, 3, ("calls",))


def test_a_column_with_an_awkward_name_is_asked_for_as_it_is(tmp_path: Path) -> None:
    odd = 'order"; DROP TABLE receipts.trials; --'
    form = {**build.TRIALS, "properties": {**build.TRIALS["properties"], odd: role(COUNT, "usage")}}
    form["required"] = list(form["properties"])
    tables = {"trials": (form, [{**row, odd: 5} for row in build.ROWS], {"basis": "observation"})}
    [repeats] = made(tmp_path, tables, [claim("rate", "75%")]).repeats
    assert (repeats.rows, repeats.most) == (8, (300, 0, 5, 1))


def test_a_forged_derived_table_is_told_with_the_claims_that_rest_on_it(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    shutil.copytree(ARTIFACTS / "packages" / "album-memory-1", tmp_path / "packages" / "album-memory-1")
    shutil.copytree(ARTIFACTS / "ledgers" / "part-i-tables", tmp_path / "ledgers" / "part-i-tables")
    file = tmp_path / "packages" / "album-memory-1" / "derived" / "order_permutation.parquet"
    table = pq.read_table(file)
    rows = table.to_pylist()
    rows[0]["low"] -= 0.01
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), file)
    with opened(tmp_path / "ledgers" / "part-i-tables") as (report, bench):
        found = forensics(report.ledgers[0], report.packages[0], bench)
    by_name = {one.table: one for one in found.derived}
    assert by_name["order_permutation"].status == "differs"
    assert "order.californication.range" in by_name["order_permutation"].read_by
    assert by_name["order_permutation_inverted_cdf"].status == "same"


def test_a_derived_table_whose_instrument_nobody_has_is_as_published(tmp_path: Path) -> None:
    form = schema("rates", ["task_id"], {"task_id": role(TEXT, "key"), "rate": COUNT})
    derived = (
        form,
        [{"task_id": "a", "rate": 9}],
        {"instrument": "not-here", "inputs": {"trials": "trials"}},
    )
    sql = {
        "sql": "SELECT max(rate) AS count FROM rates",
        "where": {"rates": "all"},
        "unit": "x",
        "combine": "sum",
    }
    found = made(tmp_path, {**build.TABLES, "rates": derived}, [claim("best", "9", **sql)])
    assert found.derived == (
        Derived(table="rates", instrument="not-here", status="as published", read_by=("best",)),
    )


def test_what_is_made_of_a_derived_table_rests_on_it_too(tmp_path: Path) -> None:
    form = schema("rates", ["task_id"], {"task_id": role(TEXT, "key"), "rate": COUNT})
    rows = [{"task_id": "a", "rate": 9}]
    tables = {
        **build.TABLES,
        "rates": (form, rows, {"instrument": "not-here", "inputs": {"trials": "trials"}}),
        "best": (
            {**form, "$id": "urn:tieout:table:best"},
            rows,
            {"instrument": "nor", "inputs": {"rates": "rates"}},
        ),
    }
    sql = {
        "sql": "SELECT max(rate) AS count FROM best",
        "where": {"best": "all"},
        "unit": "x",
        "combine": "sum",
    }
    found = made(tmp_path, tables, [claim("most", "9", **sql), claim("rate", "75%")])
    assert {one.table: one.read_by for one in found.derived} == {"rates": ("most",), "best": ("most",)}
