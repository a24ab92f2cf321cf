"""Two versions of ledgers by meaning: what was added, dropped or redefined, which values moved, and what now ties.

First of all comes a claim whose definition changed and whose verdict went from `differs` to `ties`. Both versions are
recomputed with this version's catalogue of metrics; where a ledger's lock holds another hash of one, that is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from tieout.claims import Ignored
from tieout.definition import definition, one_line
from tieout.ledger import Claim, Ledger, Printing, Recipe
from tieout.locks import metrics_of
from tieout.report import ClaimResult, LedgerResult, PrintingResult, Report, number, stands_for
from tieout.review_packages import PackageChange, package_changes
from tieout.review_words import changes
from tieout.verify import Options, verify

HIDING = frozenset({"quoted", "not-recomputable", "not-collected"})


@dataclass(frozen=True, kw_only=True, slots=True)
class State:
    """A claim in one version: its id, verdict, value, printed texts, its calculation in words, and what it says.

    `words` holds the parts that no verdict depends on, None where the claim lacks one.
    """

    claim: str
    verdict: str | None
    value: str | None
    texts: tuple[str, ...]
    calculation: str
    words: Mapping[str, str | None]

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "claim": self.claim,
            "verdict": self.verdict,
            "value": self.value,
            "texts": list(self.texts),
            "calculation": self.calculation,
            "words": dict(self.words),
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """A claim that is not as it was; `old` or `new` is None where that version lacks it.

    `what` names the parts of it that changed: calculation, judge or instrument, printings or corrected, of, tolerance,
    erratum, numbers, reading, and what no verdict depends on: its name and those of its words that are others.
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
    def corrected(self) -> bool:
        """Whether all that bears on the verdict is that the document now prints what an erratum said."""
        return "corrected" in self.what and not self.redefined

    @property
    def moved(self) -> bool:
        """The same definition gives another value or verdict; a correction's verdict is another by its text alone."""
        if self.old is None or self.new is None or self.redefined:
            return False
        if self.old.value != self.new.value:
            return True
        return self.old.verdict != self.new.verdict and not self.corrected

    @property
    def restated(self) -> bool:
        """Whether it is now a number of another unit, from another source, or missing for another reason."""
        return bool(set(self.what) & STATED)

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
            "corrected": self.corrected,
        }


BEARING = frozenset(
    {"calculation", "judge or instrument", "kind", "printings", "of", "tolerance", "numbers", "reading"}
)
STATED = frozenset({"unit", "locator", "because"})


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
        yield "corrected" if _corrected(old.printings, new.printings) else "printings"
    for name in ("of", "tolerance", "erratum"):
        if _by_text(old, new, name) != _by_text(new, old, name):
            yield name
    if _read_otherwise(old, new):
        yield "numbers"
    if before.reading != after.reading:
        yield "reading"
    was_said, now_said = _words(before), _words(after)
    yield from (name for name in was_said if was_said[name] != now_said[name])


def _words(claim: Claim) -> dict[str, str | None]:
    """What a claim says that no verdict depends on."""
    return {
        "says": claim.says,
        "unit": claim.recipe.unit if claim.recipe else None,
        "locator": claim.locator,
        "because": claim.because,
        "timing": claim.timing,
        "registration": claim.registration,
        "caveats": ", ".join(claim.caveats) or None,
    }


def _corrected(old: Sequence[PrintingResult], new: Sequence[PrintingResult]) -> bool:
    """Whether each printing stands as it was, or with the text that an erratum which tied gave for it."""
    return len(old) == len(new) and all(
        _place(before.printing) == _place(after.printing) or _mended(before, after.printing)
        for before, after in zip(old, new, strict=True)
    )


def _mended(old: PrintingResult, new: Printing) -> bool:
    """Whether a printing is another with its erratum carried out; the words beside it may be others then."""
    was, erratum = old.printing, old.printing.erratum
    if erratum is None or not old.erratum_ties:
        return False
    return new == replace(was, text=erratum.corrected, near=new.near, erratum=None)


def _place(printing: Printing) -> tuple[object, ...]:
    return (printing.text, printing.section, printing.near)


def _by_text(result: ClaimResult, other: ClaimResult, name: str) -> list[tuple[str, str]]:
    """A part of each printing whose text the other version prints too; what is printed anew is told as that."""
    texts = {place.printing.text for place in other.printings}
    printings = [place.printing for place in result.printings if place.printing.text in texts]
    return sorted({(printing.text, repr(getattr(printing, name))) for printing in printings})


def _read_otherwise(old: ClaimResult, new: ClaimResult) -> bool:
    """Whether a text that both versions print, and read as a number, stands for other values."""
    was, now = (
        {place.printing.text: stands_for(place.printed) for place in side.printings if place.printed}
        for side in (old, new)
    )
    return any(was[text] != now[text] for text in was.keys() & now.keys())


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
        words=_words(result.claim),
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
    yield from changes(f"{document}: headline", before.headline, after.headline)
    yield from changes(f"{document}: the document’s", before.document, after.document)
    yield from changes(f"{document}: numbers", asdict(before.numbers), asdict(after.numbers))
    yield from changes(f"{document}: package", before.packages, after.packages)
    yield from changes(f"{document}: caveat", before.caveats, after.caveats)
    ignored = [{_numeral(one): one.why for one in side.ignored} for side in (before, after)]
    yield from changes(f"{document}: ignored", *ignored)
    for name, was, now in _metrics(before, after):
        yield f"{document}: catalogue metric {name} was {was[:12]} when locked, and is now {now[:12]}"


def _numeral(one: Ignored) -> str:
    """A numeral that is no claim by its text and where it stands."""
    section = f" in {one.section}" if one.section else ""
    near = f" near “{one.near}”" if one.near else ""
    return f"“{one.text}”{section}{near}{' everywhere' if one.all else ''}"


def _metrics(old: Ledger, new: Ledger) -> Iterator[tuple[str, str, str]]:
    """Catalogue metrics that both versions use and that were others when the old one was locked."""
    locked: Mapping[str, str] = (old.lock or {}).get("metrics", {})
    for name, digest in metrics_of(new).items():
        if name in locked and locked[name] != digest:
            yield name, locked[name], digest
