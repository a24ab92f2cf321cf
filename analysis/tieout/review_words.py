"""What changed in a part of a package or a ledger, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeGuard


def changes(name: str, old: object, new: object) -> Iterator[str]:
    """A sentence for each part that is another: mappings go key by key, lists by what they gained and lost."""
    if old == new:
        return
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in dict.fromkeys([*old, *new]):
            yield from changes(f"{name} {key}", old.get(key), new.get(key))
    elif _is_list(old) and _is_list(new):
        gained = [one for one in new if one not in old]
        lost = [one for one in old if one not in new]
        yield from (f"{name} gained {words(one)}" for one in gained)
        yield from (f"{name} lost {words(one)}" for one in lost)
        if not gained and not lost:
            yield f"{name} changed from {words(old)} to {words(new)}"
    else:
        yield f"{name} changed from {words(old)} to {words(new)}"


def words(given: object) -> str:
    """A part as a sentence holds it; what is absent is "nothing"."""
    if given is None or given == "":
        return "nothing"
    if isinstance(given, bool):
        return "true" if given else "false"
    if isinstance(given, str):
        return f"“{given}”"
    if isinstance(given, Mapping):
        return ", ".join(f"{key} {words(value)}" for key, value in given.items()) or "nothing"
    if _is_list(given):
        return ", ".join(words(one) for one in given) or "nothing"
    return str(given)


def counted(count: int, noun: str) -> str:
    """So many of what a noun names: "1 row", "2,000 rows"."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _is_list(given: object) -> TypeGuard[Sequence[object]]:
    return isinstance(given, Sequence) and not isinstance(given, str)
