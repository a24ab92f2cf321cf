"""Two versions of ledgers by meaning: what was added, dropped or redefined, which values moved, and what now ties.

First of all comes a claim whose definition changed and whose verdict went from `differs` to `ties`. Both versions are
recomputed with this version's catalogue of metrics; where a ledger's lock holds another hash of one, that is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tieout.definition import definition, one_line
from tieout.ledger import Ledger, Printing, Recipe
from tieout.locks import metrics_of
from tieout.report import ClaimResult, LedgerResult, Report, number
from tieout.review_packages import PackageChange, package_changes
from tieout.verify import Options, verify

HIDING = frozenset({"quoted", "not-recomputable", "not-collected"})


@dataclass(frozen=True, kw_only=True, slots=True)
class State:
    """A claim in one version: its id, verdict, value, printed texts, and its calculation in words."""

    claim: str
    verdict: str | None
    value: str | None
    texts: tuple[str, ...]
    calculation: str

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "claim": self.claim,
            "verdict": self.verdict,
            "value": self.value,
            "texts": list(self.texts),
            "calculation": self.calculation,
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """A claim that is not as it was; `old` or `new` is None where that version lacks it.

    `what` names the parts of its definition that changed: calculation, judge or instrument, printings, of, tolerance,
    reading, erratum, and the words that don't bear on a verdict: name, says, timing, caveats.
    """

    document: str
    old: State | None
    new: State | None
    what: tuple[str, ...]

    @property
    def redefined(self) -> bool:
        """Whether something changed that a verdict depends on."""
        return bool(set(self.what) & BEARING)

    @property
    def turned(self) -> bool:
        """Redefined, and from `differs` to `ties`."""
        return self.redefined and self._verdicts() == ("differs", "ties")

    @property
    def hidden(self) -> bool:
        """A difference that the new version no longer shows: its claim was dropped, or is no longer recomputed."""
        old, new = self._verdicts()
        return old == "differs" and (self.new is None or new is None or new in HIDING)

    @property
    def moved(self) -> bool:
        """The same definition gives another value or verdict."""
        if self.old is None or self.new is None or self.redefined:
            return False
        return (self.old.value, self.old.verdict) != (self.new.value, self.new.verdict)

    def _verdicts(self) -> tuple[str | None, str | None]:
        return (self.old.verdict if self.old else None, self.new.verdict if self.new else None)

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "document": self.document,
            "old": self.old.to_json() if self.old else None,
            "new": self.new.to_json() if self.new else None,
            "what": list(self.what),
            "turned": self.turned,
            "hidden": self.hidden,
            "moved": self.moved,
        }


BEARING = frozenset({"calculation", "judge or instrument", "kind", "printings", "of", "tolerance", "reading"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Review:
    """All that differs between two versions; `heads` says what changed of ledgers beside their claims."""

    changes: tuple[Change, ...]
    heads: tuple[str, ...]
    packages: tuple[PackageChange, ...]

    @property
    def exit_code(self) -> int:
        """1 where a redefined claim, or a redefined check, went from `differs` to `ties`; else 0."""
        return int(any(change.turned for change in self.changes) or any(one.turned for one in self.packages))

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "claims": [change.to_json() for change in self.changes],
            "ledgers": list(self.heads),
            "packages": [change.to_json() for change in self.packages],
        }


def review(old: Path, new: Path) -> Review:
    """What differs between the ledgers and packages in two folders; they need be neither frozen nor locked.

    Raises CannotOpen or Invalid where one of them cannot be opened.
    """
    options = Options(frozen=False, locked=False)
    return compare(verify([old], options), verify([new], options))


def compare(old: Report, new: Report) -> Review:
    """What differs between two verified versions: ledgers are matched by document, packages by name."""
    was = {book.ledger.id: book for book in old.ledgers}
    now = {book.ledger.id: book for book in new.ledgers}
    changes: list[Change] = []
    heads: list[str] = []
    for document in dict.fromkeys([*was, *now]):
        before, after = was.get(document), now.get(document)
        changes += _claims(document, before.claims if before else (), after.claims if after else ())
        heads += _heads(document, before, after)
    return Review(
        changes=tuple(changes),
        heads=tuple(heads),
        packages=tuple(package_changes(old.packages, new.packages)),
    )


def _claims(document: str, old: Iterable[ClaimResult], new: Iterable[ClaimResult]) -> Iterator[Change]:
    for before, after in _matched(old, new):
        what = tuple(_what(before, after)) if before and after else ()
        change = Change(
            document=document,
            old=_state(before) if before else None,
            new=_state(after) if after else None,
            what=what,
        )
        if before is None or after is None or what or change.moved:
            yield change


def _matched(
    old: Iterable[ClaimResult], new: Iterable[ClaimResult]
) -> Iterator[tuple[ClaimResult | None, ClaimResult | None]]:
    """Claims of one id; then, since a new name is no new claim, those printed at one place; then the rest alone."""
    was = {claim.claim.id: claim for claim in old}
    now = {claim.claim.id: claim for claim in new}
    added = [claim for name, claim in now.items() if name not in was]
    for name, before in was.items():
        after = now.get(name)
        if after is None:
            after = next((claim for claim in added if _places(claim) & _places(before)), None)
            added = [claim for claim in added if claim is not after]
        yield before, after
    for after in added:
        yield None, after


def _places(claim: ClaimResult) -> set[tuple[object, ...]]:
    return {_place(place.printing) for place in claim.printings}


def _what(old: ClaimResult, new: ClaimResult) -> Iterator[str]:
    before, after = old.claim, new.claim
    if before.id != after.id:
        yield "name"
    if before.kind != after.kind:
        yield "kind"
    elif (was := _definition(old)) != (now := _definition(new)):
        same = _shape(was) == _shape(now)
        yield "judge or instrument" if same else "calculation"
    if [_place(place.printing) for place in old.printings] != [
        _place(place.printing) for place in new.printings
    ]:
        yield "printings"
    for name in ("of", "tolerance", "erratum"):
        if _by_text(old, new, name) != _by_text(new, old, name):
            yield name
    if before.reading != after.reading:
        yield "reading"
    for name in ("says", "timing", "caveats"):
        if getattr(before, name) != getattr(after, name):
            yield name


def _place(printing: Printing) -> tuple[object, ...]:
    return (printing.text, printing.section, printing.near)


def _by_text(result: ClaimResult, other: ClaimResult, name: str) -> list[tuple[str, str]]:
    """A part of each printing whose text the other version prints too; what is printed anew is told as that."""
    texts = {place.printing.text for place in other.printings}
    printings = [place.printing for place in result.printings if place.printing.text in texts]
    return sorted({(printing.text, repr(getattr(printing, name))) for printing in printings})


def _definition(result: ClaimResult) -> object:
    if result.recomputed is None:
        return _calculation(result.claim.recipe)
    return _normal(definition(result.recomputed))


def _normal(found: Mapping[str, Any]) -> dict[str, Any]:
    """A definition whose queries are written in one way, so that only their meaning counts."""
    return {
        key: _normal(value) if isinstance(value, Mapping) else _canonical(value) if key == "sql" else value
        for key, value in found.items()
    }


def _canonical(sql: str) -> str:
    from sqlglot import parse_one
    from sqlglot.errors import SqlglotError

    try:
        return parse_one(sql, read="duckdb").sql(dialect="duckdb")
    except (SqlglotError, RecursionError):
        return sql


def _shape(found: object) -> object:
    """A definition without who judged and how derived tables were made."""
    if not isinstance(found, Mapping):
        return found
    return {key: _shape(value) for key, value in found.items() if key not in {"evaluators", "derived"}}


def _state(result: ClaimResult) -> State:
    value = result.recomputed.value if result.recomputed else None
    text = number(value.value, exact=value.exact) if value else None
    if value and value.value is None and value.columns:
        text = ", ".join(f"{name} {number(cell, exact=value.exact)}" for name, cell in value.columns.items())
    return State(
        claim=result.claim.id,
        verdict=result.verdict,
        value=text,
        texts=tuple(place.printing.text for place in result.printings),
        calculation=result.claim.kind or _calculation(result.claim.recipe),
    )


def _calculation(recipe: Recipe | None) -> str:
    """A recipe in one line."""
    if recipe is None:
        return ""
    parts = [recipe.metric or one_line(recipe.sql or recipe.formula or recipe.asserts or "")]
    for word, given in (
        ("params", recipe.params),
        ("member", recipe.member),
        ("where", recipe.where),
        ("from", recipe.inputs),
    ):
        if given:
            parts.append(f"{word} {_mapping(given)}")
    if recipe.combine:
        parts.append(f"combine {recipe.combine if isinstance(recipe.combine, str) else list(recipe.combine)}")
    return "; ".join(parts)


def _mapping(given: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{key} ({_mapping(value)})" if isinstance(value, Mapping) else f"{key} {value}"
        for key, value in given.items()
    )


def _heads(document: str, old: LedgerResult | None, new: LedgerResult | None) -> Iterator[str]:
    if old is None or new is None:
        yield f"{document}: the ledger is {'new' if old is None else 'gone'}"
        return
    before, after = old.ledger, new.ledger
    yield from _listed(f"{document}: headline", before.headline, after.headline)
    yield from _listed(
        f"{document}: ignored", *([one.text for one in side.ignored] for side in (before, after))
    )
    if before.document.get("version") != after.document.get("version"):
        yield f"{document}: version {before.document.get('version')} is now {after.document.get('version')}"
    if before.packages != after.packages:
        yield f"{document}: packages {_mapping(before.packages)} are now {_mapping(after.packages)}"
    for name, was, now in _metrics(before, after):
        yield f"{document}: catalogue metric {name} was {was[:12]} when locked, and is now {now[:12]}"


def _listed(name: str, old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    added = [one for one in new if one not in old]
    dropped = [one for one in old if one not in new]
    if added:
        yield f"{name}: added {', '.join(added)}"
    if dropped:
        yield f"{name}: dropped {', '.join(dropped)}"


def _metrics(old: Ledger, new: Ledger) -> Iterator[tuple[str, str, str]]:
    """Catalogue metrics that both versions use and that were others when the old one was locked."""
    locked: Mapping[str, str] = (old.lock or {}).get("metrics", {})
    for name, digest in metrics_of(new).items():
        if name in locked and locked[name] != digest:
            yield name, locked[name], digest
