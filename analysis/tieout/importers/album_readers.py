"""What the readers of both shapes of an album study share: from entries to records."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from tieout.errors import Fault
from tieout.importers.album_entries import Entry, finish
from tieout.importers.album_files import Study
from tieout.importers.album_records import (
    Allocation,
    Answer,
    Call,
    Embedding,
    Pilot,
    Ratings,
    Relation,
    Round,
    Trajectory,
    Turn,
    Usage,
    Verified,
)

THEMES = (
    "attachment",
    "rupture",
    "agency",
    "escape",
    "identity",
    "social_critique",
    "mortality",
    "renewal",
)
_TRAJECTORY_COUNTS = (
    "input_tokens",
    "output_tokens",
    "final_context_tokens",
    "retrieval_rounds",
    "target_count",
    "available_count",
    "used_when_available_count",
    "cited_target_count",
    "claims_count",
    "supported_claims",
)
_TURN_COUNTS = ("input_tokens", "output_tokens", "history_tokens", "history_items", "rounds")


class Reader(ABC):
    """Reads one study. Where the shapes differ it asks its subclass; an entry is a record of the file at hand."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._faults: list[Fault] = []

    def pilot(self) -> Pilot:
        """All of album-memory-1; raises Invalid with every fault found."""
        pilot = Pilot(
            answers=tuple(self._answer(entry) for entry in self._once(self._answers(), "case_id")),
            ratings=tuple(self._ratings()),
            stages=tuple(self._usages("stage")),
        )
        finish(self._faults)
        return pilot

    def allocation(self) -> Allocation:
        """All of album-memory-2; raises Invalid with every fault found."""
        allocation = Allocation(
            trajectories=tuple(
                self._trajectory(each) for each in self._once(self._trajectories(), "case_id")
            ),
            turns=tuple(self._turn(each) for each in self._once(self._turns(), "session_id", "turn")),
            relations=tuple(self._relations()),
            scopes=tuple(self._usages("scope")),
            kinds=tuple(self._usages("kind")),
            embeddings=tuple(self._embeddings()),
        )
        finish(self._faults)
        return allocation

    @abstractmethod
    def _answers(self) -> Sequence[Entry]: ...

    @abstractmethod
    def _trajectories(self) -> Sequence[Entry]: ...

    @abstractmethod
    def _turns(self) -> Sequence[Entry]: ...

    @abstractmethod
    def _ratings(self) -> Sequence[Ratings]: ...

    @abstractmethod
    def _relations(self) -> Sequence[Relation]: ...

    @abstractmethod
    def _usages(self, by: str) -> Sequence[Usage]:
        """The author's totals by `stage`, `scope` or `kind`."""

    @abstractmethod
    def _embeddings(self) -> Sequence[Embedding]: ...

    # where a record keeps what both shapes hold

    @abstractmethod
    def _probe(self, entry: Entry) -> str: ...

    @abstractmethod
    def _said(self, entry: Entry) -> Entry:
        """What holds `abstained` and, in the pilot, `evidence_ids`."""

    @abstractmethod
    def _within_90_words(self, entry: Entry) -> bool: ...

    @abstractmethod
    def _pilot_call(self, entry: Entry, kind: str) -> Call: ...

    @abstractmethod
    def _task(self, entry: Entry) -> str: ...

    @abstractmethod
    def _question(self, entry: Entry) -> Entry:
        """What holds `answerable` and `target_ids`."""

    @abstractmethod
    def _format_error(self, entry: Entry) -> bool | None: ...

    @abstractmethod
    def _sources(self, entry: Entry) -> tuple[tuple[str, ...], ...]: ...

    @abstractmethod
    def _verdicts(self, entry: Entry) -> tuple[bool, ...]: ...

    @abstractmethod
    def _verification(self, entry: Entry) -> Entry:
        """What holds `all_assertions_listed` and `addresses_question`."""

    @abstractmethod
    def _selected_count(self, entry: Entry) -> int:
        """Of a round."""

    @abstractmethod
    def _calls(self, entry: Entry) -> Sequence[Call]: ...

    @abstractmethod
    def _id_aligned(self, entry: Entry) -> bool: ...

    @abstractmethod
    def _latency(self, entry: Entry) -> Entry:
        """What holds `receipt_latency_s`."""

    def _read(self, name: str, parse: Callable[[bytes, str, list[Fault]], list[Entry]]) -> list[Entry]:
        return parse(self._study.read(name), self._study.path(name), self._faults)

    def _once(self, entries: Sequence[Entry], *names: str) -> Sequence[Entry]:
        seen: set[str] = set()
        for entry in entries:
            key = " ".join(str(entry.raw(name)) for name in names)
            if key in seen:
                entry.complain(names[0], "import-twice", "a record of its own", f"{key} again")
            seen.add(key)
        return entries

    def _answer(self, entry: Entry) -> Answer:
        metrics, said, judge = entry.entry("metrics"), self._said(entry), entry.entry("judge")
        targets, selected, evidence = (
            entry.texts("target_ids"),
            entry.texts("selected_ids"),
            said.texts("evidence_ids"),
        )
        # the author's rates are kept as the integers they are made of
        metrics.share_of("evidence_recall", len(set(targets) & set(evidence)), len(targets))
        metrics.share_of("target_availability", len(set(targets) & set(selected)), len(targets))
        for name in ("support", "coverage", "overclaim"):
            if judge.has(name):
                metrics.same(name, metrics.raw(name), judge.raw(name))
        return Answer(
            case_id=entry.text("case_id"),
            album=entry.text("album"),
            policy=entry.text("policy"),
            probe=self._probe(entry),
            repetition=entry.count("repetition"),
            targets=targets,
            selected=selected,
            evidence=evidence,
            valid_ids=metrics.flag("valid_ids"),
            abstained=metrics.flag("abstained"),
            within_90_words=self._within_90_words(entry),
            input_tokens=metrics.count("input_tokens"),
            output_tokens=metrics.count("output_tokens"),
            context_tokens_estimate=metrics.count("context_tokens_estimate"),
            selected_tracks=metrics.count("selected_tracks"),
            support=judge.count("support"),
            coverage=judge.count("coverage"),
            overclaim=judge.flag("overclaim"),
            generation=self._pilot_call(entry, "generation"),
            judge=self._pilot_call(entry, "judge"),
        )

    def _trajectory(self, entry: Entry) -> Trajectory:
        metrics, question = entry.entry("metrics"), self._question(entry)
        verified = self._verified(entry, "model_verified_supported", _TRAJECTORY_COUNTS)
        metrics.same("abstained", metrics.bit("abstained"), verified.abstained)
        return Trajectory(
            case_id=entry.text("case_id"),
            cap=entry.count("cap"),
            threshold=entry.count("threshold"),
            answerable=question.flag("answerable"),
            id_aligned=self._id_aligned(entry),
            targets=question.texts("target_ids"),
            selected=entry.texts("selected_ids"),
            correct_abstention=metrics.bit("correct_negative_abstention"),
            latency_ms=self._latency(entry).milliseconds("receipt_latency_s"),
            verified=verified,
        )

    def _turn(self, entry: Entry) -> Turn:
        return Turn(
            session_id=entry.text("session_id"),
            turn=entry.count("turn"),
            verified=self._verified(entry, "supported", _TURN_COUNTS),
        )

    def _verified(self, entry: Entry, accepted: str, counts: Sequence[str]) -> Verified:
        metrics, verification = entry.entry("metrics"), self._verification(entry)
        return Verified(
            album=entry.text("album"),
            task=self._task(entry),
            policy=entry.text("policy"),
            abstained=self._said(entry).flag("abstained"),
            format_error=self._format_error(entry),
            sources=self._sources(entry),
            verdicts=self._verdicts(entry),
            all_assertions_listed=verification.flag("all_assertions_listed"),
            addresses_question=verification.flag("addresses_question"),
            rounds=tuple(self._round(each) for each in entry.entries("rounds")),
            calls=tuple(self._calls(entry)),
            accepted=metrics.bit(accepted),
            counts={name: metrics.count(name) for name in counts},
        )

    def _round(self, entry: Entry) -> Round:
        return Round(
            cap=entry.count("cap"),
            context_tokens=entry.count("context_tokens"),
            selected_count=self._selected_count(entry),
        )


def usage_of(entry: Entry, name: str) -> Usage:
    """The author's total called `name`."""
    return Usage(
        name=name,
        calls=entry.count("calls"),
        input_tokens=entry.count("input_tokens"),
        output_tokens=entry.count("output_tokens"),
    )


def ratings_of(entry: Entry, themes: Entry, album: str, track_id: str) -> Ratings:
    """A track's ratings, its themes held by `themes`."""
    return Ratings(
        album=album,
        track_id=track_id,
        position=entry.count("position"),
        themes={theme: themes.count(theme) for theme in THEMES},
        tension=entry.count("tension"),
    )
