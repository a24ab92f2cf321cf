"""The guards on one claim, side by side: what it means, its siblings, its filters, its rows and its cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from tieout.audit import changes
from tieout.audit.ablation import Ablation, ablations
from tieout.audit.fragility import Fragility, fragility
from tieout.audit.intervals import Cases, cases
from tieout.audit.meaning import meaning
from tieout.audit.movement import same_when_shuffled
from tieout.audit.siblings import Settings, Strip, siblings
from tieout.audit.subject import Room, Subject
from tieout.errors import TieoutError
from tieout.planning import FormulaStep, QueryStep

Found = TypeVar("Found")

NO_VALUE = "nothing was recomputed"
OF_INPUTS = "a formula over other claims; look at those it stands on"
OF_QUERIES = "a formula over several queries; cases are counted behind one"
NO_CONDITION = "it filters by no condition of which the table holds another value"
NO_FILTER = "it filters nothing"
NO_ROWS = "it reads no rows: its numbers stand in the formula itself"
NO_CASES = "no table that it reads names cases"


@dataclass(frozen=True, kw_only=True, slots=True)
class ClaimAudit:
    """What the guards found on a claim. A guard without a finding has its reason in `because`, by its name.

    `stands_on` names the claims that a formula takes its numbers from, whose own audits say what this one cannot.
    """

    claim: str
    meaning: str | None
    siblings: tuple[Strip, ...]
    ablation: tuple[Ablation, ...]
    fragility: Fragility | None
    cases: Cases | None
    stands_on: tuple[str, ...]
    because: Mapping[str, str]

    def to_json(self) -> dict[str, Any]:
        """The value of `audit` beside the claim in the JSON; rationals are strings, as everywhere in it."""
        return {
            "meaning": self.meaning,
            "siblings": [strip.to_json() for strip in self.siblings],
            "ablation": [each.to_json() for each in self.ablation],
            "fragility": self.fragility.to_json() if self.fragility else None,
            "cases": self.cases.to_json() if self.cases else None,
            "stands_on": list(self.stands_on),
            "because": dict(self.because),
        }


def not_recomputed(claim: str) -> ClaimAudit:
    """The audit of a claim that has no value."""
    names = ("meaning", "siblings", "ablation", "fragility", "cases")
    return ClaimAudit(
        claim=claim,
        meaning=None,
        siblings=(),
        ablation=(),
        fragility=None,
        cases=None,
        stands_on=(),
        because=dict.fromkeys(names, NO_VALUE),
    )


def look_ahead(room: Room, settings: Settings, subject: Subject) -> None:
    """Asks for what the guards need to begin with; to be called within `noting`, and with no use for what they say."""
    guards: tuple[Callable[[], object], ...] = (
        lambda: meaning(room, subject),
        lambda: siblings(room, settings, subject),
        lambda: ablations(room, subject),
        lambda: cases(room, subject),
        lambda: same_when_shuffled(room, subject),
        lambda: changes.look_ahead(room, subject),
    )
    for guard in guards:
        with suppress(TieoutError):  # it is told where the guard is asked in earnest
            guard()


def audit_claim(room: Room, settings: Settings, subject: Subject) -> ClaimAudit:
    """All guards on one claim; what stops a guard becomes its reason, and stops no other."""
    because: dict[str, str] = {}

    def guard(name: str, look: Callable[[], Found], nothing: Found) -> Found:
        try:
            return look()
        except TieoutError as error:
            because[name] = str(error)
            return nothing

    step = subject.step
    over_claims = isinstance(step, FormulaStep) and subject.recipe.metric is None
    strips: Sequence[Strip] = guard("siblings", lambda: siblings(room, settings, subject), [])
    filters: Sequence[Ablation] = guard("ablation", lambda: ablations(room, subject), [])
    found = guard("fragility", lambda: fragility(room, subject), None) if subject.queries() else None
    counted = guard("cases", lambda: cases(room, subject), None)
    if not strips:
        because.setdefault("siblings", OF_INPUTS if over_claims else NO_CONDITION)
    if not filters:
        because.setdefault("ablation", OF_INPUTS if over_claims else NO_FILTER)
    if found is None:
        because.setdefault("fragility", NO_ROWS)
    if counted is None:
        of_formula = OF_INPUTS if over_claims else OF_QUERIES
        because.setdefault("cases", NO_CASES if isinstance(step, QueryStep) else of_formula)
    return ClaimAudit(
        claim=subject.result.claim.id,
        meaning=guard("meaning", lambda: meaning(room, subject), None),
        siblings=tuple(strips),
        ablation=tuple(filters),
        fragility=found,
        cases=counted,
        stands_on=tuple(dict.fromkeys(name.partition("#")[0] for name in subject.recipe.inputs.values())),
        because=because,
    )
