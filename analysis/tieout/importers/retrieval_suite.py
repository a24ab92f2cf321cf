"""The retrieval suite, run: two retrievers select records for its questions, and a tokenizer counts them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tieout.errors import CannotOpen, Fault, Invalid
from tieout.importers import parquet
from tieout.importers.retrieval_rankers import RANKERS, Ranked
from tieout.importers.retrieval_source import Question, Record, read_source
from tieout.importers.retrieval_tokens import Encoded, encode, joined
from tieout.strict import load_json

SCHEMAS = "retrieval-recall"
TABLES = (
    "items",
    "queries",
    "required_items",
    "required_facts",
    "required_spans",
    "plan",
    "runs",
    "selections",
)
DEPTH = 10
"""How many records a retriever may hand over; declared before the first run, like the budgets in the package."""

Row = dict[str, object]


@dataclass(frozen=True, kw_only=True, slots=True)
class Counted:
    """A record as it is rendered, in tokens."""

    record: Record
    heading: str
    tokens: Encoded
    heading_tokens: int

    @property
    def text(self) -> str:
        """Heading and text, each with the end of its line."""
        return f"{self.heading}{self.record.text}\n"


def import_retrieval_suite(source: Path, output: Path) -> int:
    """Run the suite of `source` and write a package's `receipts` and `schemas` below `output`; returns the runs made.

    The same files give the same bytes: scores are rounded before they rank, and no time is taken. Raises CannotOpen
    where the libraries of the extra `retrieval` are not installed, and Invalid with every fault of the source, or where
    tokens of a record depend on what stands beside it.
    """
    records, questions = read_source(source)
    try:
        counted = {record.id: _counted(record) for record in records}
        rankers = {name: make(_indexed(records)) for name, make in RANKERS.items()}
        found = {
            (question.id, name): rank(question.text)
            for question in questions
            for name, rank in rankers.items()
        }
        runs = [_run(pair, ranked, counted) for pair, ranked in found.items()]
    except ImportError as error:
        raise CannotOpen(
            f"the suite needs {error.name}, of the extra `retrieval`: python -m pip install 'tieout[retrieval]'"
        ) from error
    tables: Mapping[str, Sequence[Row]] = {
        "items": [_item(one) for one in counted.values()],
        "queries": [_query(question) for question in questions],
        "required_items": [
            {"query_id": question.id, "item_id": item}
            for question in questions
            for item in sorted({fact.record for fact in question.facts})
        ],
        "required_facts": [
            {"query_id": question.id, "fact_id": fact.id, "reason": fact.reason}
            for question in questions
            for fact in question.facts
        ],
        "required_spans": [row for question in questions for row in _spans(question, counted)],
        "plan": [{"query_id": query, "retriever": name} for query, name in found],
        "runs": runs,
        "selections": [row for pair, ranked in found.items() for row in _selections(pair, ranked)],
    }
    _write(tables, output)
    return len(runs)


def _indexed(records: Sequence[Record]) -> dict[str, str]:
    # what is searched is title and text: the label and the months are formatting
    return {record.id: f"{record.title}\n{record.text}" for record in records}


def _counted(record: Record) -> Counted:
    force = (
        f"in force since {record.since}"
        if record.until is None
        else f"expired, {record.since} to {record.until}"
    )
    heading = f"[{record.id} | {record.title} | {force}]\n"
    tokens = encode(f"{heading}{record.text}\n")
    heading_tokens = tokens.boundary(len(heading.encode()))
    if heading_tokens is None:
        raise Invalid([_fault(record.id, "the heading ends within a token")])
    return Counted(record=record, heading=heading, tokens=tokens, heading_tokens=heading_tokens)


def _run(pair: tuple[str, str], ranked: Sequence[Ranked], counted: Mapping[str, Counted]) -> Row:
    chosen = [counted[one.record] for one in ranked[:DEPTH]]
    rendered = encode("".join(one.text for one in chosen))
    # so that a record has the same tokens wherever it stands, and a budget cuts where the counts say
    if rendered.ids != joined([one.tokens for one in chosen]):
        raise Invalid(
            [_fault(" ".join(pair), "rendered in one piece the records have other tokens than one by one")]
        )
    return {
        "query_id": pair[0],
        "retriever": pair[1],
        "matched_items": len(ranked),
        "selected_items": len(chosen),
        "rendered_tokens": len(rendered.ids),
        "model_calls": 0,
        "model_tokens": 0,
        "model_cost": 0,
    }


def _item(one: Counted) -> Row:
    return {
        "item_id": one.record.id,
        "title": one.record.title,
        "since": one.record.since,
        "until": one.record.until,
        "expired": one.record.until is not None,
        "text": one.record.text,
        "heading_tokens": one.heading_tokens,
        "text_tokens": len(one.tokens.ids) - one.heading_tokens,
    }


def _query(question: Question) -> Row:
    return {
        "query_id": question.id,
        "kind": question.kind,
        "text": question.text,
        "answerable": bool(question.facts),
    }


def _spans(question: Question, counted: Mapping[str, Counted]) -> list[Row]:
    rows: list[Row] = []
    for fact in question.facts:
        one = counted[fact.record]
        for number, quote in enumerate(fact.quotes, 1):
            start = one.record.text.index(quote)
            before = len(f"{one.heading}{one.record.text[:start]}".encode())
            first, after = one.tokens.covering(before, before + len(quote.encode()))
            rows.append(
                {
                    "query_id": question.id,
                    "fact_id": fact.id,
                    "span": number,
                    "item_id": fact.record,
                    "quote": quote,
                    "start_character": start,
                    "end_character": start + len(quote),
                    "start_token": first - one.heading_tokens,
                    "end_token": after - one.heading_tokens,
                }
            )
    return rows


def _selections(pair: tuple[str, str], ranked: Sequence[Ranked]) -> list[Row]:
    return [
        {"query_id": pair[0], "retriever": pair[1], "rank": rank, "item_id": one.record, "score": one.score}
        for rank, one in enumerate(ranked[:DEPTH], 1)
    ]


def _fault(where: str, message: str) -> Fault:
    return Fault(code="tokens", message=f"{where}: {message}", file="records.yaml")


def _write(tables: Mapping[str, Sequence[Row]], output: Path) -> None:
    for folder in ("receipts", "schemas"):
        (output / folder).mkdir(parents=True, exist_ok=True)
    for name in TABLES:
        text = _schema_text(name)
        parquet.write(output / "receipts" / f"{name}.parquet", tables[name], load_json(text, f"{name}.json"))
        (output / "schemas" / f"{name}.json").write_bytes(text)


def _schema_text(name: str) -> bytes:
    package = Path(__file__).resolve().parents[1]
    shipped = package / "_schemas"
    folder = shipped if shipped.is_dir() else package.parents[1] / "schemas"
    return (folder / "tables" / SCHEMAS / f"{name}.json").read_bytes()
