"""An album study as its author publishes it: the `results` folder, whose prose is passed over."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tieout.errors import Fault
from tieout.importers.album_entries import Entry, json_entries, json_entry
from tieout.importers.album_files import Study
from tieout.importers.album_readers import Reader, ratings_of, usage_of
from tieout.importers.album_records import Call, Embedding, Ratings, Relation, Usage

_USAGE_FILES = {
    "stage": "usage_by_stage.json",
    "scope": "unique_usage_by_scope.json",
    "kind": "unique_provider_usage.json",
}
_ALIGNMENT = "posthoc_track_alignment.json"


class PublishedReader(Reader):
    """Reads `runs.json` and the other results files.

    The author tells provider calls apart by the hash of the request. The receipts keep no hash and go by kind, key and
    token numbers instead, so the reader checks that both name the same calls.
    """

    def __init__(self, study: Study) -> None:
        super().__init__(study)
        self._aligned: dict[str, bool] | None = None
        self._requests: dict[str, tuple[object, ...]] = {}
        self._hashes: dict[tuple[object, ...], str] = {}

    def _answers(self) -> Sequence[Entry]:
        return self._read("runs.json", json_entries)

    def _trajectories(self) -> Sequence[Entry]:
        return self._read("runs.json", json_entries)

    def _turns(self) -> Sequence[Entry]:
        return self._read("sessions.json", json_entries)

    def _ratings(self) -> Sequence[Ratings]:
        return [
            ratings_of(entry, entry.entry("themes"), album, entry.text("id"))
            for album, entry in self._by_album("cards")
        ]

    def _relations(self) -> Sequence[Relation]:
        relations = []
        for album, entry in self._by_album("relations"):
            evidence = entry.texts("evidence")
            if len(evidence) != 2:
                entry.complain("evidence", "import-type", "two addresses", str(len(evidence)))
                continue
            relations.append(
                Relation(
                    album=album,
                    edge_id=entry.text("id"),
                    type=entry.text("type"),
                    addresses=(evidence[0], evidence[1]),
                )
            )
        return relations

    def _usages(self, by: str) -> Sequence[Usage]:
        name = _USAGE_FILES[by]
        totals = json_entry(self._study.read(name), self._study.path(name), self._faults)
        return [usage_of(totals.entry(key), key) for key in totals.fields()]

    def _embeddings(self) -> Sequence[Embedding]:
        return [
            Embedding(
                model=entry.text("model"),
                input_tokens=entry.entry("usage").count("prompt_tokens"),
                items=entry.count("items"),
            )
            for entry in self._read("embedding_usage.json", json_entries)
        ]

    def _probe(self, entry: Entry) -> str:
        return entry.text("probe_kind")

    def _said(self, entry: Entry) -> Entry:
        return entry.entry("answer")

    def _within_90_words(self, entry: Entry) -> bool:
        return len(entry.entry("answer").prose("answer").split()) <= 90

    def _pilot_call(self, entry: Entry, kind: str) -> Call:
        if kind == "judge":
            # the judge's usage is published without the model that it is of
            return self._call(entry.entry("judge_usage"), kind, None, None)
        receipt = entry.entry(kind)
        return self._call(receipt.entry("usage"), kind, None, receipt.text("model"))

    def _task(self, entry: Entry) -> str:
        return entry.entry("question").text("kind")

    def _question(self, entry: Entry) -> Entry:
        return entry.entry("question")

    def _format_error(self, entry: Entry) -> bool | None:
        holders = [entry.entry("answer"), entry.entry("metrics")]
        recorded = [holder.flag_or_null("format_error") for holder in holders if holder.has("format_error")]
        if len(recorded) == 2:
            holders[1].same("format_error", recorded[1], recorded[0])
        return recorded[0] if recorded else None

    def _sources(self, entry: Entry) -> tuple[tuple[str, ...], ...]:
        return tuple(claim.texts("sources") for claim in entry.entry("answer").entries("claims"))

    def _verdicts(self, entry: Entry) -> tuple[bool, ...]:
        claims = entry.entry("verification").entries("claims")
        for place, claim in enumerate(claims, start=claims[0].count("index") if claims else 0):
            # a verdict is matched to its claim by its place in the list
            if (found := claim.count("index")) != place:
                claim.complain("index", "import-order", f"{place}, one more than before", str(found))
        return tuple(claim.flag("supported") for claim in claims)

    def _verification(self, entry: Entry) -> Entry:
        return entry.entry("verification")

    def _selected_count(self, entry: Entry) -> int:
        return len(entry.texts("selected_ids"))

    def _calls(self, entry: Entry) -> Sequence[Call]:
        calls = []
        for receipt in entry.entries("receipts"):
            call = self._call(
                receipt.entry("usage"), receipt.text("kind"), receipt.text("key"), receipt.text("model")
            )
            request = receipt.text("request_sha256")
            identity = (call.kind, call.key, call.input_tokens, call.output_tokens)
            known = (self._requests.setdefault(request, identity), self._hashes.setdefault(identity, request))
            if known != (identity, request):
                receipt.complain(
                    "request_sha256",
                    "import-call-identity",
                    "one hash for each kind, key and token numbers",
                    "the same hash for others, or another hash for the same",
                )
            calls.append(call)
        return calls

    def _id_aligned(self, entry: Entry) -> bool:
        if self._aligned is None:
            self._aligned = {
                each.text("case_id"): each.flag("passes") for each in self._read(_ALIGNMENT, json_entries)
            }
        case_id = entry.text("case_id")
        if case_id and case_id not in self._aligned:
            entry.complain("case_id", "import-field-missing", f"an entry of {_ALIGNMENT}", "none")
        return self._aligned.get(case_id, False)

    def _latency(self, entry: Entry) -> Entry:
        return entry.entry("metrics")

    def _by_album(self, kind: str) -> Iterator[tuple[str, Entry]]:
        found = False
        for name in self._study.names():
            if match := re.fullmatch(rf"{kind}-([a-z0-9_]+)\.json", name):
                found = True
                for entry in self._read(name, json_entries):
                    yield match[1], entry
        if not found:
            self._faults.append(
                Fault(
                    code="import-file-missing",
                    message=f"expected {kind}-ALBUM.json for each album, found none",
                    file=self._study.path(f"{kind}-ALBUM.json"),
                )
            )

    def _call(self, usage: Entry, kind: str, key: str | None, model: str | None) -> Call:
        return Call(
            kind=kind,
            key=key,
            model=model,
            input_tokens=usage.count("prompt_tokens"),
            output_tokens=usage.count("completion_tokens"),
            cached_input_tokens=usage.entry("prompt_tokens_details").count("cached_tokens"),
        )
