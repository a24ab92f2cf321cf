"""Records of an album study made into the rows of its tables: one builder a study."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from tieout.importers import album_design as design
from tieout.importers.album_records import Allocation, Answer, Call, Pilot, Round, Trajectory, Usage, Verified

Row = dict[str, object]
Tables = dict[str, list[Row]]

_TRACK = re.compile(r"T[0-9]{2}")
_TRACK_ADDRESS = re.compile(r"(T[0-9]{2}):C[0-9]+")


def pilot_tables(pilot: Pilot) -> Tables:
    """The receipts of album-memory-1."""
    return {
        "answers": [_answer(answer) for answer in pilot.answers],
        "answer_targets": [
            row for answer in pilot.answers for row in _tracks({"case_id": answer.case_id}, answer.targets)
        ],
        "answer_selected": [
            row for answer in pilot.answers for row in _tracks({"case_id": answer.case_id}, answer.selected)
        ],
        "answer_evidence": [
            {
                "case_id": answer.case_id,
                "position": position,
                "evidence_id": evidence,
                "track_id": evidence if _TRACK.fullmatch(evidence) else None,
            }
            for answer in pilot.answers
            for position, evidence in enumerate(answer.evidence, start=1)
        ],
        "calls": [
            {
                "case_id": answer.case_id,
                "kind": call.kind,
                "model": call.model,
                "input_tokens": call.input_tokens,
                "output_tokens": call.output_tokens,
                "cached_input_tokens": call.cached_input_tokens,
            }
            for answer in pilot.answers
            for call in (answer.generation, answer.judge)
        ],
        "albums": design.albums(),
        "theme_ratings": [
            {
                "album": ratings.album,
                "track_id": ratings.track_id,
                "position": ratings.position,
                **ratings.themes,
                "tension": ratings.tension,
            }
            for ratings in pilot.ratings
        ],
        "stage_usage": _usage("stage", pilot.stages),
        "plan": design.pilot_plan(),
        "design": design.pilot_design(),
    }


def allocation_tables(study: Allocation) -> Tables:
    """The receipts of album-memory-2."""
    cases = [({"case_id": each.case_id}, each) for each in study.trajectories]
    turns = [({"session_id": each.session_id, "turn": each.turn}, each) for each in study.turns]
    return {
        "trajectories": [_trajectory(each) for each in study.trajectories],
        "trajectory_targets": [row for case, each in cases for row in _tracks(case, each.targets)],
        "trajectory_selected": [row for case, each in cases for row in _tracks(case, each.selected)],
        "calls": [row for case, each in cases for row in _calls(case, each.verified.calls)],
        "rounds": [row for case, each in cases for row in _rounds(case, each.verified.rounds)],
        "cited_sources": [
            {
                **case,
                "claim": claim,
                "position": position,
                "address": address,
                "track_id": match[1] if (match := _TRACK_ADDRESS.fullmatch(address)) else None,
            }
            for case, each in cases
            for claim, addresses in enumerate(each.verified.sources, start=1)
            for position, address in enumerate(addresses, start=1)
        ],
        "claim_verdicts": [
            {**case, "claim": claim, "supported": supported}
            for case, each in cases
            for claim, supported in enumerate(each.verified.verdicts, start=1)
        ],
        "turns": [
            {
                **turn,
                **_verified(each.verified),
                "history_tokens": each.verified.counts["history_tokens"],
                "history_items": each.verified.counts["history_items"],
                "rounds": each.verified.counts["rounds"],
            }
            for turn, each in turns
        ],
        "turn_calls": [row for turn, each in turns for row in _calls(turn, each.verified.calls)],
        "turn_rounds": [row for turn, each in turns for row in _rounds(turn, each.verified.rounds)],
        "relations": [
            {
                "album": relation.album,
                "edge_id": relation.edge_id,
                "type": relation.type,
                "first_address": relation.addresses[0],
                "second_address": relation.addresses[1],
            }
            for relation in study.relations
        ],
        "usage_by_scope": _usage("scope", study.scopes),
        "usage_by_kind": _usage("kind", study.kinds),
        "embedding_usage": [
            {
                "position": position,
                "model": embedding.model,
                "input_tokens": embedding.input_tokens,
                "items": embedding.items,
            }
            for position, embedding in enumerate(study.embeddings, start=1)
        ],
        "plan": design.allocation_plan(),
        "design": design.allocation_design(),
    }


def _answer(answer: Answer) -> Row:
    targets = set(answer.targets)
    return {
        "case_id": answer.case_id,
        "question_id": f"{answer.album}-{answer.probe}",
        "album": answer.album,
        "policy": answer.policy,
        "probe": answer.probe,
        "repetition": answer.repetition,
        "valid_ids": answer.valid_ids,
        "within_90_words": answer.within_90_words,
        "input_tokens": answer.input_tokens,
        "output_tokens": answer.output_tokens,
        "cached_input_tokens": answer.generation.cached_input_tokens,
        "context_tokens_estimate": answer.context_tokens_estimate,
        "selected_tracks": answer.selected_tracks,
        "target_count": len(answer.targets),
        "available_targets": len(targets.intersection(answer.selected)),
        "cited_targets": len(targets.intersection(answer.evidence)),
        "support": answer.support,
        "coverage": answer.coverage,
        "overclaim": answer.overclaim,
        "abstained": answer.abstained,
    }


def _trajectory(trajectory: Trajectory) -> Row:
    counts = trajectory.verified.counts
    return {
        "case_id": trajectory.case_id,
        **_verified(trajectory.verified),
        "cap": trajectory.cap,
        "threshold": trajectory.threshold,
        "answerable": trajectory.answerable,
        "id_aligned": trajectory.id_aligned,
        "correct_abstention": trajectory.correct_abstention,
        "context_tokens": counts["final_context_tokens"],
        "rounds": counts["retrieval_rounds"],
        "target_count": counts["target_count"],
        "available_count": counts["available_count"],
        "used_when_available_count": counts["used_when_available_count"],
        "cited_target_count": counts["cited_target_count"],
        "claims_count": counts["claims_count"],
        "supported_claims": counts["supported_claims"],
        "latency_ms": trajectory.latency_ms,
    }


def _verified(verified: Verified) -> Row:
    return {
        "album": verified.album,
        "policy": verified.policy,
        "task": verified.task,
        "question_id": f"{verified.album}-{verified.task}",
        "abstained": verified.abstained,
        "format_error": verified.format_error,
        "all_assertions_listed": verified.all_assertions_listed,
        "addresses_question": verified.addresses_question,
        "accepted": verified.accepted,
        "input_tokens": verified.counts["input_tokens"],
        "output_tokens": verified.counts["output_tokens"],
    }


def _tracks(key: Mapping[str, object], tracks: Sequence[str]) -> Iterable[Row]:
    for position, track in enumerate(tracks, start=1):
        yield {**key, "position": position, "track_id": track}


def _calls(key: Mapping[str, object], calls: Sequence[Call]) -> Iterable[Row]:
    for position, call in enumerate(calls, start=1):
        yield {
            **key,
            "position": position,
            "kind": call.kind,
            "call_key": call.key,
            "model": call.model,
            "input_tokens": call.input_tokens,
            "output_tokens": call.output_tokens,
            "cached_input_tokens": call.cached_input_tokens,
        }


def _rounds(key: Mapping[str, object], rounds: Sequence[Round]) -> Iterable[Row]:
    for number, each in enumerate(rounds, start=1):
        yield {
            **key,
            "round": number,
            "cap": each.cap,
            "context_tokens": each.context_tokens,
            "selected_count": each.selected_count,
        }


def _usage(by: str, usages: Sequence[Usage]) -> list[Row]:
    return [
        {
            by: usage.name,
            "calls": usage.calls,
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
        }
        for usage in usages
    ]
