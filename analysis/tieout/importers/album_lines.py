"""An album study as one JSON object a line, with CSV tables beside: identifiers, numbers and flags only."""

from __future__ import annotations

from collections.abc import Sequence

from tieout.importers.album_entries import Entry, line_entries, table_entries
from tieout.importers.album_readers import Reader, ratings_of, usage_of
from tieout.importers.album_records import Call, Embedding, Ratings, Relation, Usage


class LinesReader(Reader):
    """Reads `answers.jsonl` or `trajectories.jsonl`, and what lies beside it."""

    def _answers(self) -> Sequence[Entry]:
        return self._read("answers.jsonl", line_entries)

    def _trajectories(self) -> Sequence[Entry]:
        return self._read("trajectories.jsonl", line_entries)

    def _turns(self) -> Sequence[Entry]:
        return self._read("turns.jsonl", line_entries)

    def _ratings(self) -> Sequence[Ratings]:
        entries = self._read("theme_ratings.csv", table_entries)
        return [ratings_of(entry, entry, entry.text("album"), entry.text("track_id")) for entry in entries]

    def _relations(self) -> Sequence[Relation]:
        return [
            Relation(
                album=entry.text("album"),
                edge_id=entry.text("edge_id"),
                type=entry.text("type"),
                addresses=(entry.text("source_address"), entry.text("target_address")),
            )
            for entry in self._read("relations.csv", table_entries)
        ]

    def _usages(self, by: str) -> Sequence[Usage]:
        entries = self._read(f"usage_by_{by}.csv", table_entries)
        return [usage_of(entry, entry.text(by)) for entry in entries]

    def _embeddings(self) -> Sequence[Embedding]:
        return [
            Embedding(
                model=entry.text("model"),
                input_tokens=entry.count("input_tokens"),
                items=entry.count("items"),
            )
            for entry in self._read("embedding_usage.csv", table_entries)
        ]

    def _probe(self, entry: Entry) -> str:
        return entry.text("probe")

    def _said(self, entry: Entry) -> Entry:
        return entry

    def _within_90_words(self, entry: Entry) -> bool:
        return entry.flag("within_90_words")

    def _pilot_call(self, entry: Entry, kind: str) -> Call:
        call = entry.entry(kind)
        return self._call(call, kind, None, call.text("model") if kind == "generation" else None)

    def _task(self, entry: Entry) -> str:
        return entry.text("task")

    def _question(self, entry: Entry) -> Entry:
        return entry

    def _format_error(self, entry: Entry) -> bool | None:
        return entry.flag_or_null("format_error")

    def _sources(self, entry: Entry) -> tuple[tuple[str, ...], ...]:
        return entry.text_lists("claim_sources")

    def _verdicts(self, entry: Entry) -> tuple[bool, ...]:
        return entry.flags("claim_supported")

    def _verification(self, entry: Entry) -> Entry:
        return entry

    def _selected_count(self, entry: Entry) -> int:
        return entry.count("selected_count")

    def _calls(self, entry: Entry) -> Sequence[Call]:
        return [
            self._call(call, call.text("kind"), call.text("key"), call.text("model"))
            for call in entry.entries("calls")
        ]

    def _id_aligned(self, entry: Entry) -> bool:
        return entry.flag("id_aligned")

    def _latency(self, entry: Entry) -> Entry:
        return entry

    def _call(self, entry: Entry, kind: str, key: str | None, model: str | None) -> Call:
        return Call(
            kind=kind,
            key=key,
            model=model,
            input_tokens=entry.count("input_tokens"),
            output_tokens=entry.count("output_tokens"),
            cached_input_tokens=entry.count("cached_input_tokens"),
        )
