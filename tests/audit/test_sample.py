"""The draw: what its module promises, made here a second time, and lines that the duckdb shell runs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from tests import build
from tests.audit.opened import DRAFT, opened
from tests.build import claim
from tests.conftest import ROOT
from tieout.audit.sample import Drawn, ledger_digest, rows_of, sample
from tieout.audit.workbench import Workbench
from tieout.report import Report
from tieout.verify import verify

LEDGERS = ROOT / "artifacts" / "ledgers"


@pytest.fixture(scope="module")
def part() -> Iterator[tuple[Report, Workbench]]:
    with opened(LEDGERS / "part-ii-tables") as pair:
        yield pair


def test_the_draw_is_the_one_that_its_module_describes(tmp_path: Path) -> None:
    build.artifacts(
        tmp_path, [claim("one", "75%"), claim("two", "3/4"), claim("three", "75%"), claim("silent")]
    )
    report = verify([tmp_path / "ledgers" / "doc"], DRAFT)

    def sha(data: bytes) -> str:
        return hashlib.sha256(data).hexdigest()

    def sums(root: Path, names: list[str]) -> str:
        return sha("".join(f"{sha((root / name).read_bytes())}  {name}\n" for name in sorted(names)).encode())

    ledger = sums(tmp_path / "ledgers" / "doc", ["ledger.yaml", "sections/01-all.yaml"])
    root = tmp_path / "packages" / "tiny"
    package = sums(root, [path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()])
    seed = sha(f"tieout sample 1\nledger doc {ledger}\npackage tiny {package}\nword swordfish\n".encode())
    lots = sorted((sha(f"{seed}\ndoc/{name}".encode()), name) for name in ("one", "two", "three"))
    assert [(one.lot, one.claim.claim.id) for one in sample(report, 2, "swordfish")] == lots[:2]
    # the claim that is printed nowhere is never drawn
    assert {one.claim.claim.id for one in sample(report, 9, "swordfish")} == {"one", "two", "three"}


def names(drawn: list[Drawn]) -> list[str]:
    return [one.claim.claim.id for one in drawn]


def test_another_word_and_another_ledger_draw_other_claims(
    part: tuple[Report, Workbench], tmp_path: Path
) -> None:
    report, _ = part
    draws = {tuple(names(sample(report, 5, word))) for word in ("one", "two", "three", "four")}
    assert len(draws) == 4
    assert names(sample(report, 5, "one")) == names(sample(report, 5, "one"))
    before, after = tmp_path / "a", tmp_path / "b"
    for root, says in ((before, "What it says"), (after, "What it says now")):
        build.ledger(root, [{**claim("one", "75%"), "says": says}])
    assert ledger_digest(before) != ledger_digest(after)


def test_the_three_lines_give_the_claim_s_value_in_a_shell(
    part: tuple[Report, Workbench], monkeypatch: pytest.MonkeyPatch
) -> None:
    import duckdb

    report, _ = part
    checked = 0
    for drawn in sample(report, 12, "word"):
        recomputed = drawn.claim.recomputed
        assert recomputed is not None
        if recomputed.value.denominator is None:
            continue
        [paste] = drawn.pastes
        monkeypatch.chdir(ROOT / "artifacts" / "packages" / paste.package)
        assert all("\n" not in line and line.endswith(";") for line in paste.lines)
        connection = duckdb.connect()
        for line in paste.lines[:2]:
            connection.execute(line)
        rows = connection.execute(paste.lines[2]).fetchall()
        connection.close()
        top, bottom = (sum(row[index] for row in rows) for index in (-2, -1))
        assert Fraction(top, bottom) == recomputed.value.value
        checked += 1
    assert checked > 0


def test_a_drawn_claim_comes_with_the_rows_that_its_filters_keep(part: tuple[Report, Workbench]) -> None:
    report, bench = part
    everything = {one.claim.claim.id: one for one in sample(report, 99, "word")}
    [read] = rows_of(everything["glance.embedding-1600.accepted"], bench, 3)
    # 24 questions under one setting
    assert (read.package, read.table, read.count) == ("album-memory-2", "trajectories", 24)
    assert read.rows is not None
    assert len(read.rows.rows) == 3


def test_a_formula_s_claim_has_lines_for_each_query_behind_it(tmp_path: Path) -> None:
    retry = {"trials": {"policy": "retry"}}
    build.artifacts(
        tmp_path,
        [
            claim("plain"),
            claim("retry", where=retry),
            claim("gain", "25%", formula="b - a", from_={"a": "plain", "b": "retry"}),
        ],
    )
    with opened(tmp_path / "ledgers" / "doc") as (report, bench):
        [drawn] = sample(report, 5, "word")
        assert len(drawn.pastes) == 2
        assert [read.count for read in rows_of(drawn, bench)] == [4, 4]
