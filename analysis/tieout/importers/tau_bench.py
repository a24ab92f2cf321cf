"""Trajectory files of the benchmark tau-bench to receipts: figures and names of tools, no word of a message."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from tieout.errors import Fault, Invalid
from tieout.importers import parquet
from tieout.strict import Document, load_json, read_json

PACKAGE = "tau-bench-airline"
TABLES = ("trials", "plan")

UNITS_PER_DOLLAR = 10**7
"""`user_cost` counts whole ten-millionths of a dollar, which every cost of the benchmark is a multiple of."""

NOISE = Decimal("1e-6")
"""How far, in those units, binary floating point may have moved a sum of costs off its multiple."""

ROLES = ("system", "user", "assistant", "tool")


@dataclass(frozen=True, kw_only=True, slots=True)
class Imported:
    """What was written: `known_costs` of the `trials` say what the simulated user cost."""

    tasks: int
    trials: int
    known_costs: int


def import_tau_bench(source: Path, output: Path) -> Imported:
    """Read one of the benchmark's trajectory files and write a package's `receipts` and `schemas` below `output`.

    The same file gives the same bytes. Raises CannotOpen, and Invalid with every fault found: a field that is missing
    or of another type, a reward other than 0 and 1, a cost that is no multiple of 1e-7 dollar, a trial twice.
    """
    document = read_json(source, source.name)
    reader = _Reader(document)
    rows = reader.rows()
    if reader.faults:
        raise Invalid(reader.faults)
    tables: Mapping[str, Sequence[Mapping[str, object]]] = {"trials": rows, "plan": _plan(rows)}
    receipts, schemas = output / "receipts", output / "schemas"
    receipts.mkdir(parents=True, exist_ok=True)
    schemas.mkdir(parents=True, exist_ok=True)
    for name in TABLES:
        text = _schema_text(name)
        parquet.write(receipts / f"{name}.parquet", tables[name], load_json(text, f"{name}.json"))
        (schemas / f"{name}.json").write_bytes(text)
    return Imported(
        tasks=len({row["task_id"] for row in rows}),
        trials=len(rows),
        known_costs=sum(row["user_cost"] is not None for row in rows),
    )


def _plan(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, object]]:
    """Every task with every number of a trial, so that a lost trial shows as a planned one that is not there."""
    tasks, trials = (sorted({row[name] for row in rows}) for name in ("task_id", "trial"))
    return [{"task_id": task, "trial": trial} for task in tasks for trial in trials]


def _schema_text(name: str) -> bytes:
    package = Path(__file__).resolve().parents[1]
    shipped = package / "_schemas"
    folder = shipped if shipped.is_dir() else package.parents[1] / "schemas"
    return (folder / "tables" / PACKAGE / f"{name}.json").read_bytes()


class _Reader:
    """Reads trials one by one and gathers what is wrong, each fault with its JSON pointer."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.faults: list[Fault] = []

    def rows(self) -> list[dict[str, Any]]:
        trials = self.document.value
        if not isinstance(trials, list) or not trials:
            self._fault("", "a list of trials", trials)
            return []
        for index, trial in enumerate(trials):
            if not isinstance(trial, dict):
                self._fault(f"/{index}", "an object", trial)
        if self.faults:
            return []
        rows = [self._trial(trial, f"/{index}") for index, trial in enumerate(trials)]
        first: dict[tuple[object, object], int] = {}
        for index, row in enumerate(rows):
            key = (row["task_id"], row["trial"])
            if None not in key and key in first:
                self._fault(
                    f"/{index}",
                    "a trial of its own",
                    f"task {key[0]}, trial {key[1]} again, which is /{first[key]}",
                    code="trial-twice",
                )
            first.setdefault(key, index)
        return rows

    def _trial(self, trial: object, at: str) -> dict[str, Any]:
        info = self._get(trial, at, "info", dict, "an object")
        at_info = f"{at}/info"
        task = self._get(info, at_info, "task", dict, "an object")
        scored = self._get(info, at_info, "reward_info", (dict, type(None)), "an object or null")
        parts = self._get(scored, f"{at_info}/reward_info", "info", dict, "an object") if scored else {}
        actions = self._get(task, f"{at_info}/task", "actions", list, "a list")
        reward = self._flag(trial, at, "reward")
        again = self._flag(scored, f"{at_info}/reward_info", "reward") if scored else reward
        if None not in (reward, again) and reward != again:
            self._fault(f"{at_info}/reward_info/reward", f"the trial's own reward {reward}", again)
        return {
            "task_id": self._count(trial, at, "task_id"),
            "trial": self._count(trial, at, "trial"),
            "success": reward == 1,
            "reward": reward,
            "ended_by": self._get(info, at_info, "source", str, "a text"),
            "user_cost": self._cost(info, f"{at_info}"),
            **self._messages(trial, at),
            "expected_actions": None if actions is None else len(actions),
            "r_actions": self._part(parts, f"{at_info}/reward_info/info", "r_actions"),
            "r_outputs": self._part(parts, f"{at_info}/reward_info/info", "r_outputs"),
        }

    def _messages(self, trial: object, at: str) -> dict[str, int]:
        messages = self._get(trial, at, "traj", list, "a list of messages") or []
        roles: Counter[str] = Counter()
        calls = 0
        for index, message in enumerate(messages):
            place = f"{at}/traj/{index}"
            role = self._get(message, place, "role", str, "a text")
            if role is not None and role not in ROLES:
                self._fault(f"{place}/role", f"one of {', '.join(ROLES)}", role)
            elif role is not None:
                roles[role] += 1
            if isinstance(message, dict) and message.get("tool_calls") is not None:
                calls += len(self._get(message, place, "tool_calls", list, "a list or null") or [])
        counts = {f"{role}_messages": roles[role] for role in ROLES}
        return {"messages": len(messages), **counts, "tool_calls": calls}

    def _get(self, parent: object, at: str, name: str, wanted: type | tuple[type, ...], expected: str) -> Any:
        """A member of an object, or None with a fault; what is missing is not null."""
        if parent is None:
            return None  # its own fault stands already
        if not isinstance(parent, dict):
            self._fault(at, "an object", parent)
            return None
        if name not in parent:
            self._fault(f"{at}/{name}", expected, "nothing", code="field-missing")
            return None
        value = parent[name]
        if not isinstance(value, wanted):
            self._fault(f"{at}/{name}", expected, value)
            return None
        return value

    def _number(self, parent: object, at: str, name: str, expected: str, may: Callable[[Any], bool]) -> Any:
        """A number that `may` be there, or None with a fault; a truth value is no number."""
        value = self._get(parent, at, name, object, expected)
        if isinstance(parent, dict) and name in parent:
            if not isinstance(value, bool) and isinstance(value, int | Decimal) and may(value):
                return value
            self._fault(f"{at}/{name}", expected, value)
        return None

    def _count(self, parent: object, at: str, name: str) -> int | None:
        value = self._number(parent, at, name, "an integer from 0", lambda n: isinstance(n, int) and n >= 0)
        return None if value is None else int(value)

    def _flag(self, parent: object, at: str, name: str) -> int | None:
        """Exactly 0 or 1: a part of a reward is neither success nor failure, and two halves are no success."""
        value = self._number(parent, at, name, "0 or 1", lambda n: n in (0, 1))
        return None if value is None else int(value)

    def _part(self, parts: object, at: str, name: str) -> bool | None:
        """A part of the reward as a flag; None where the benchmark does not show it."""
        if not isinstance(parts, dict) or name not in parts:
            return None
        if isinstance(parts[name], bool):
            return bool(parts[name])
        flag = self._flag(parts, at, name)
        return None if flag is None else flag == 1

    def _cost(self, info: object, at: str) -> int | None:
        """Dollars as whole 1e-7 dollars; None where the file says null, which is unknown and not 0."""
        if isinstance(info, dict) and "user_cost" in info and info["user_cost"] is None:
            return None
        dollars = self._number(info, at, "user_cost", "dollars from 0, or null", lambda n: n >= 0)
        if dollars is None:
            return None
        units = Decimal(dollars) * UNITS_PER_DOLLAR
        whole = units.to_integral_value()
        if abs(units - whole) > NOISE:
            self._fault(f"{at}/user_cost", "a multiple of 1e-7 dollar", dollars)
            return None
        return int(whole)

    def _fault(self, pointer: str, expected: str, found: object, code: str = "field") -> None:
        shown = _shown(found)
        self.faults.append(
            Fault(
                code=code,
                message=f"expected {expected}, found {shown}",
                file=self.document.file,
                row=self.document.line(pointer),
                pointer=pointer or None,
                expected=expected,
                found=shown,
            )
        )


def _shown(value: object) -> str:
    """What a fault may show of a value: numbers and short names, of the rest only what it is."""
    kinds = {dict: "an object", list: "a list", bool: str(value).lower(), type(None): "null"}
    if isinstance(value, str) and (len(value) > 60 or "\n" in value):
        return f"a text of {len(value)} characters"
    return kinds.get(type(value), str(value))
