"""The suite's own files: records with their texts, and questions with the facts that an answer needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tieout.errors import Fault, Invalid
from tieout.strict import Document, read_yaml

KINDS = ("single-item", "multi-item", "expired-lookalike", "no-evidence")
# a question or a record may begin like a number or hold a colon, but its text is no printing of a document
UNQUOTED: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """A record of the corpus; `until` is None while it is in force, months are YYYY-MM."""

    id: str
    title: str
    since: str
    until: str | None
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Fact:
    """A fact that an answer needs: the record, the words of it that hold the fact, and why it is needed."""

    id: str
    record: str
    quotes: tuple[str, ...]
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """A question of the suite; one without facts has no evidence among the records."""

    id: str
    kind: str
    text: str
    facts: tuple[Fact, ...]


def read_source(folder: Path) -> tuple[list[Record], list[Question]]:
    """The records of `records.yaml` and the questions of `queries.yaml`.

    Raises CannotOpen, and Invalid with every fault found: a field that is missing or of another type, a name twice, a
    quote that does not stand exactly once in the text of its record.
    """
    reader = _Reader()
    records = reader.records(read_yaml(folder / "records.yaml", "records.yaml", UNQUOTED))
    questions = reader.questions(
        read_yaml(folder / "queries.yaml", "queries.yaml", UNQUOTED),
        {record.id: record.text for record in records},
    )
    if reader.faults:
        raise Invalid(reader.faults)
    return records, questions


class _Reader:
    """Reads the two files and gathers what is wrong, each fault with its JSON pointer."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.file = ""

    def records(self, document: Document) -> list[Record]:
        self.file = "records.yaml"
        records = [
            Record(
                id=self._text(entry, at, "id"),
                title=self._text(entry, at, "title"),
                since=self._text(entry, at, "from"),
                until=self._text(entry, at, "until") if "until" in entry else None,
                text=self._text(entry, at, "text"),
            )
            for at, entry in self._entries(document.value, "", "records")
        ]
        self._once("/records", [record.id for record in records])
        return records

    def questions(self, document: Document, texts: Mapping[str, str]) -> list[Question]:
        self.file = "queries.yaml"
        questions = [
            Question(
                id=self._text(entry, at, "id"),
                kind=self._text(entry, at, "kind"),
                text=self._text(entry, at, "text"),
                facts=self._facts(entry, at, texts),
            )
            for at, entry in self._entries(document.value, "", "queries")
        ]
        self._once("/queries", [question.id for question in questions])
        for index, question in enumerate(questions):
            at = f"/queries/{index}"
            if question.kind not in KINDS:
                self._fault(f"{at}/kind", f"one of {', '.join(KINDS)}", repr(question.kind))
            elif (question.kind == "no-evidence") == bool(question.facts):
                self._fault(
                    f"{at}/facts", "facts exactly where there is evidence", f"{len(question.facts)} facts"
                )
        return questions

    def _facts(self, question: Mapping[str, Any], at: str, texts: Mapping[str, str]) -> tuple[Fact, ...]:
        facts = []
        for place, entry in self._entries(question, at, "facts"):
            record = self._text(entry, place, "record")
            quotes = entry.get("quotes")
            if (
                not isinstance(quotes, list)
                or not quotes
                or not all(isinstance(quote, str) for quote in quotes)
            ):
                self._fault(f"{place}/quotes", "a list of quotes", repr(quotes))
                quotes = []
            for index, quote in enumerate(quotes):
                if (times := texts.get(record, "").count(quote)) != 1:
                    self._fault(
                        f"{place}/quotes/{index}", f"words that stand once in {record}", f"{times} times"
                    )
            facts.append(
                Fact(
                    id=self._text(entry, place, "id"),
                    record=record,
                    quotes=tuple(quotes),
                    reason=self._text(entry, place, "reason"),
                )
            )
        self._once(f"{at}/facts", [fact.id for fact in facts])
        return tuple(facts)

    def _entries(self, value: Any, at: str, name: str) -> list[tuple[str, Mapping[str, Any]]]:
        entries = value.get(name) if isinstance(value, dict) else None
        if not isinstance(entries, list):
            self._fault(f"{at}/{name}", "a list", type(entries).__name__)
            return []
        found: list[tuple[str, Mapping[str, Any]]] = []
        for index, entry in enumerate(entries):
            if isinstance(entry, dict):
                found.append((f"{at}/{name}/{index}", entry))
            else:
                self._fault(f"{at}/{name}/{index}", "an object", type(entry).__name__)
        return found

    def _text(self, entry: Mapping[str, Any], at: str, name: str) -> str:
        value = entry.get(name)
        if isinstance(value, str) and value:
            return value
        self._fault(f"{at}/{name}", "text", repr(value))
        return ""

    def _once(self, at: str, names: Sequence[str]) -> None:
        for index, name in enumerate(names):
            if name and name in names[:index]:
                self._fault(f"{at}/{index}/id", "a name of its own", f"{name!r} again")

    def _fault(self, pointer: str, expected: str, found: str) -> None:
        message = f"expected {expected}, found {found}"
        self.faults.append(
            Fault(
                code="suite", message=message, file=self.file, pointer=pointer, expected=expected, found=found
            )
        )
