"""The suite runs again to the package's bytes, its retrievers rank by their formulas, bad sources are refused."""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tieout.errors import Invalid
from tieout.importers.parquet import read
from tieout.importers.retrieval_source import KINDS, read_source
from tieout.importers.retrieval_suite import import_retrieval_suite

pytest.importorskip("mistral_common", reason="the pinned tokenizer has no release for this Python")

from tieout.importers.retrieval_rankers import Ranker, bm25, tfidf, words
from tieout.importers.retrieval_tokens import encode

SOURCE = ROOT / "artifacts" / "sources" / "retrieval-recall" / "suite"
PACKAGE = ROOT / "artifacts" / "packages" / "retrieval-suite"
RECORDS = {
    "a": "The drill has two packs and a case. The drill is green.",
    "b": "A saw is lent to members who took the safety hour.",
    "c": "Deposits for a drill and for a saw are paid by card.",
}


def test_the_package_holds_what_a_new_run_gives(tmp_path: Path) -> None:
    assert import_retrieval_suite(SOURCE, tmp_path) == 32
    names = [path.relative_to(tmp_path) for path in sorted(tmp_path.rglob("*")) if path.is_file()]
    assert len(names) == 16
    for name in names:
        assert (tmp_path / name).read_bytes() == (PACKAGE / name).read_bytes(), name


def test_another_hash_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    script = "import sys; from pathlib import Path; from tieout.importers.retrieval_suite import import_retrieval_suite"
    script += "; import_retrieval_suite(Path(sys.argv[1]), Path(sys.argv[2]))"
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, "-c", script, SOURCE, tmp_path / seed], check=True, env=environment)
    for table in ("selections", "runs"):
        one, other = (tmp_path / seed / "receipts" / f"{table}.parquet" for seed in ("1", "2"))
        assert one.read_bytes() == other.read_bytes()


def test_tfidf_is_the_cosine_of_smoothed_weights() -> None:
    question = "Is the drill in a green case?"
    counts = {name: Counter(words(text)) for name, text in RECORDS.items()}
    weight = {
        word: math.log((1 + len(counts)) / (1 + sum(word in other for other in counts.values()))) + 1
        for other in counts.values()
        for word in other
    }
    asked = {word: weight[word] for word in words(question) if word in weight}

    def cosine(count: Counter[str]) -> float:
        vector = {word: times * weight[word] for word, times in count.items()}
        dot = sum(vector.get(word, 0) * value for word, value in asked.items())
        return dot / math.hypot(*vector.values()) / math.hypot(*asked.values())

    expected = {name: round(cosine(count) * 10**6) for name, count in counts.items()}
    found = {one.record: one.score for one in tfidf(RECORDS)(question)}
    assert found == {name: score for name, score in expected.items() if score}


def test_bm25_is_the_formula_of_lucene() -> None:
    question = "Which saw needs the safety hour?"
    counts = {name: Counter(words(text)) for name, text in RECORDS.items()}
    mean = sum(count.total() for count in counts.values()) / len(counts)

    def score(count: Counter[str]) -> float:
        total = 0.0
        for word in words(question):
            holders = sum(word in other for other in counts.values())
            idf = math.log(1 + (len(counts) - holders + 0.5) / (holders + 0.5))
            total += idf * count[word] / (count[word] + 1.5 * (1 - 0.75 + 0.75 * count.total() / mean))
        return total

    expected = {name: round(score(count) * 10**6) for name, count in counts.items()}
    found = {one.record: one.score for one in bm25(RECORDS)(question)}
    assert found == {name: value for name, value in expected.items() if value}


@pytest.mark.parametrize("ranker", [bm25, tfidf])
def test_equal_scores_rank_by_name_and_no_shared_word_ranks_not_at_all(
    ranker: Callable[[Mapping[str, str]], Ranker],
) -> None:
    rank = ranker({"z": "one drill", "y": "one drill", "x": "other words"})
    assert [one.record for one in rank("drill")] == ["y", "z"]
    assert rank("kayak") == []
    assert rank("the of and") == []


def test_a_token_belongs_to_every_character_it_holds() -> None:
    text = "Crème brûlée costs 12 crowns.\n"
    encoded = encode(text)
    assert encoded.ends[-1] == len(text.encode())
    start = text.encode().index(b"12")
    first, after = encoded.covering(start, start + 2)
    ends = (0, *encoded.ends)
    held = text.encode()[ends[first] : ends[after]]
    assert b"12" in held
    assert ends[first] <= start < ends[first + 1]
    assert ends[after - 1] < start + 2 <= ends[after]
    assert encoded.boundary(0) == 0
    assert encoded.boundary(len(text.encode())) == len(encoded.ids)


def test_a_record_is_rendered_with_its_months_in_the_heading() -> None:
    items = {row["item_id"]: row for row in read(PACKAGE / "receipts" / "items.parquet")}
    heading = "[R05 | Membership fee | expired, 2024-01 to 2025-12]\n"
    assert items["R05"]["heading_tokens"] == len(encode(heading).ids)
    assert items["R05"]["text_tokens"] == len(encode(f"{items['R05']['text']}\n").ids)


def test_what_is_wrong_with_a_source_is_listed(tmp_path: Path) -> None:
    (tmp_path / "records.yaml").write_text(
        "records:\n"
        '  - {id: A, title: One, from: "2025-01", text: "Twice here, twice here."}\n'
        '  - {id: A, title: "", from: "2025-01", text: Other.}\n',
        encoding="utf-8",
    )
    (tmp_path / "queries.yaml").write_text(
        "queries:\n"
        "  - id: q\n"
        "    kind: odd\n"
        "    text: What?\n"
        "    facts:\n"
        '      - {id: f, record: A, quotes: ["here"], reason: Because.}\n'
        "      - {id: f, record: B, quotes: [], reason: Because.}\n"
        "  - {id: r, kind: single-item, text: Who?, facts: []}\n"
        "  - 7\n",
        encoding="utf-8",
    )
    with pytest.raises(Invalid) as caught:
        read_source(tmp_path)
    assert [str(fault) for fault in caught.value.faults] == [
        "records.yaml, /records/1/title: expected text, found ''",
        "records.yaml, /records/1/id: expected a name of its own, found 'A' again",
        "queries.yaml, /queries/2: expected an object, found int",
        "queries.yaml, /queries/0/facts/0/quotes/0: expected words that stand once in A, found 0 times",
        "queries.yaml, /queries/0/facts/1/quotes: expected a list of quotes, found []",
        "queries.yaml, /queries/0/facts/1/id: expected a name of its own, found 'f' again",
        f"queries.yaml, /queries/0/kind: expected one of {', '.join(KINDS)}, found 'odd'",
        "queries.yaml, /queries/1/facts: expected facts exactly where there is evidence, found 0 facts",
    ]


def test_a_quote_that_stands_twice_is_refused(tmp_path: Path) -> None:
    shutil.copytree(SOURCE, tmp_path / "suite")
    file = tmp_path / "suite" / "queries.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('"carries 150 kilograms"', '"r"'), encoding="utf-8")
    with pytest.raises(Invalid, match=r"/queries/1/facts/0/quotes/0: expected words that stand once in R23"):
        import_retrieval_suite(tmp_path / "suite", tmp_path / "package")
    assert not (tmp_path / "package").exists()
