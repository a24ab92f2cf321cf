"""An album study's JSON Lines turned back into the shape its author publishes, with every prose left blank."""

from __future__ import annotations

import csv
import hashlib
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDERS = {
    "album-memory-1": "research/album-memory/results",
    "album-memory-2": "research/album-memory-v2/results",
}
THEMES = ["attachment", "rupture", "agency", "escape", "identity", "social_critique", "mortality", "renewal"]


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def table(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return [
            {name: int(cell) if cell.isdigit() else cell for name, cell in row.items()}
            for row in csv.DictReader(stream)
        ]


def usage(call: dict[str, Any]) -> dict[str, Any]:
    return {
        "prompt_tokens": call["input_tokens"],
        "completion_tokens": call["output_tokens"],
        "total_tokens": call["input_tokens"] + call["output_tokens"],
        "prompt_tokens_details": {"cached_tokens": call["cached_input_tokens"], "audio_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 0},
    }


def receipt(call: dict[str, Any]) -> dict[str, Any]:
    identity = f"{call['kind']} {call['key']} {call['input_tokens']} {call['output_tokens']}"
    return {
        "kind": call["kind"],
        "key": call["key"],
        "request_sha256": hashlib.sha256(identity.encode()).hexdigest(),
        "model": call["model"],
        "request_id": "",
        "usage": usage(call),
        "latency_s": 1.2345678,
    }


def verified(record: dict[str, Any]) -> dict[str, Any]:
    answer = {
        "answer": "",
        "claims": [{"text": "", "sources": sources} for sources in record["claim_sources"]],
        "abstained": record["abstained"],
        "limitation": "",
    }
    if record["format_error"] is not None:
        answer["format_error"] = record["format_error"]
    return {
        "answer": answer,
        "verification": {
            "claims": [
                {"index": index, "supported": supported, "reason": ""}
                for index, supported in enumerate(record["claim_supported"])
            ],
            "all_assertions_listed": record["all_assertions_listed"],
            "addresses_question": record["addresses_question"],
            "reason": "",
        },
        "rounds": [
            {
                "cap": each["cap"],
                "context_tokens": each["context_tokens"],
                "selected_ids": [f"T{number:02}" for number in range(1, each["selected_count"] + 1)],
            }
            for each in record["rounds"]
        ],
        "receipts": [receipt(call) for call in record["calls"]],
        "mlflow_run_id": "",
    }


def run(record: dict[str, Any]) -> dict[str, Any]:
    metrics = dict(record["metrics"])
    # more digits than a millisecond has, as the author exports
    metrics |= {"latency_s": 0.5, "receipt_latency_s": record["receipt_latency_s"] + 0.00012345678}
    if record["format_error"] is not None:
        metrics["format_error"] = record["format_error"]
    return {
        **{name: record[name] for name in ("case_id", "album", "task", "policy", "cap", "threshold")},
        "prompt_fingerprint": "",
        "prompt_uris": {},
        "question": {
            "kind": record["task"],
            "question": "",
            "target_ids": record["target_ids"],
            "expected": "",
            "answerable": record["answerable"],
        },
        "selected_ids": record["selected_ids"],
        "selected_addresses": [],
        "metrics": metrics,
        "stages": {},
        **verified(record),
    }


def session(record: dict[str, Any]) -> dict[str, Any]:
    return {
        **{name: record[name] for name in ("session_id", "turn", "album", "policy", "metrics")},
        "question": {"kind": record["task"], "question": ""},
        "exposed_history": [],
        **verified(record),
    }


def answer(record: dict[str, Any]) -> dict[str, Any]:
    # the only thing taken from the text is whether it has more than 90 words: blanks where it has not
    prose = "" if record["within_90_words"] else "x " * 91
    judge = record["judge"]
    return {
        **{name: record[name] for name in ("case_id", "album", "policy", "repetition", "metrics")},
        "probe_kind": record["probe"],
        "question": "",
        "target_ids": record["target_ids"],
        "selected_ids": record["selected_ids"],
        "answer": {
            "answer": prose,
            "evidence_ids": record["evidence_ids"],
            "abstained": record["metrics"]["abstained"],
            "uncertainty": "",
        },
        "judge": {**{name: judge[name] for name in ("support", "coverage", "overclaim")}, "rationale": ""},
        "mlflow_run_id": "",
        "generation": {
            **receipt({"kind": "generation", "key": record["case_id"], **record["generation"]}),
        },
        "judge_usage": usage(judge),
    }


def totals(path: Path, by: str) -> dict[str, Any]:
    return {row.pop(by): row for row in table(path)}


def by_album(rows: list[dict[str, Any]]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    for album in dict.fromkeys(row["album"] for row in rows):
        yield album, [row for row in rows if row["album"] == album]


def published(source: Path) -> dict[str, Any]:
    """File name -> content of the author's results folder, from the study's folder of JSON Lines."""
    if source.name == "album-memory-1":
        cards = by_album(table(source / "theme_ratings.csv"))
        return {
            "runs.json": [answer(record) for record in lines(source / "answers.jsonl")],
            "usage_by_stage.json": totals(source / "usage_by_stage.csv", "stage"),
            **{
                f"cards-{album}.json": [
                    {
                        "id": row["track_id"],
                        "position": row["position"],
                        "themes": {theme: row[theme] for theme in THEMES},
                        "tension": row["tension"],
                        "claims": [],
                    }
                    for row in rows
                ]
                for album, rows in cards
            },
        }
    runs = lines(source / "trajectories.jsonl")
    return {
        "runs.json": [run(record) for record in runs],
        "sessions.json": [session(record) for record in lines(source / "turns.jsonl")],
        "posthoc_track_alignment.json": [
            {"case_id": record["case_id"], "passes": record["id_aligned"], "note": ""} for record in runs
        ],
        "unique_usage_by_scope.json": totals(source / "usage_by_scope.csv", "scope"),
        "unique_provider_usage.json": totals(source / "usage_by_kind.csv", "kind"),
        "embedding_usage.json": [
            {
                "model": row["model"],
                "usage": {"prompt_tokens": row["input_tokens"], "total_tokens": row["input_tokens"]},
                "items": row["items"],
            }
            for row in table(source / "embedding_usage.csv")
        ],
        **{
            f"relations-{album}.json": [
                {
                    "id": row["edge_id"],
                    "type": row["type"],
                    "evidence": [row["source_address"], row["target_address"]],
                    "description": "",
                }
                for row in rows
            ]
            for album, rows in by_album(table(source / "relations.csv"))
        },
    }


def write_folder(files: dict[str, Any], folder: Path) -> Path:
    folder.mkdir(parents=True)
    for name, content in files.items():
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    return folder


def write_zip(files: dict[str, Any], path: Path, folder: str) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("site-main/README.md", "")
        for name, content in files.items():
            archive.writestr(f"site-main/{folder}/{name}", json.dumps(content))
    return path
