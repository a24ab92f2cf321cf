"""A ledger's claims planned, recomputed, and compared with what was printed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from tieout import formula as formulas
from tieout.engines.process import EngineLost
from tieout.errors import TieoutError
from tieout.exact import UNDEFINED, Value
from tieout.hints import Hints
from tieout.ledger import Claim, Ledger, Printing, Recipe
from tieout.package import Package
from tieout.planning import (
    CannotRecompute,
    ClaimStep,
    FormulaStep,
    Planner,
    QueryStep,
    Step,
    formula_step,
    leaves,
)
from tieout.printed import (
    Comparison,
    NumberFormat,
    Pair,
    Printed,
    UnreadablePrinting,
    compare,
    read,
    read_range,
)
from tieout.recompute import Answers, Recomputed
from tieout.report import WORST_FIRST, ClaimResult, PrintingResult, ReadingResult, sql_of

Planned = Step | TieoutError


@dataclass(frozen=True, kw_only=True, slots=True)
class Book:
    """A ledger with its packages by alias, and each claim's planned steps: as taken, and for every other reading."""

    ledger: Ledger
    packages: Mapping[str, Package]
    steps: Mapping[str, Planned]
    others: Mapping[str, tuple[Planned, ...]]


def plan(
    ledger: Ledger,
    packages: Mapping[str, Package],
    planners: Mapping[str, Planner],
    ask: Callable[[Iterable[QueryStep]], None],
) -> Book:
    """The ledger's book; a recipe that cannot be planned is kept as its error, for its claim alone.

    `ask` is given the queries of each step as soon as it is planned.
    """

    def planned(recipe: Recipe) -> Planned:
        step = _plan(recipe, ledger, packages, planners)
        if not isinstance(step, TieoutError):
            ask(leaves(step))
        return step

    steps: dict[str, Planned] = {}
    others: dict[str, tuple[Planned, ...]] = {}
    for claim in ledger.claims.values():
        if claim.recipe is not None:
            steps[claim.id] = planned(claim.recipe)
            alternatives = claim.reading.others if claim.reading else ()
            others[claim.id] = tuple(planned(other.recipe) for other in alternatives)
    return Book(ledger=ledger, packages=packages, steps=steps, others=others)


def _plan(
    recipe: Recipe, ledger: Ledger, packages: Mapping[str, Package], planners: Mapping[str, Planner]
) -> Planned:
    try:
        if recipe.metric is None and recipe.sql is None:
            step = formula_step(recipe)
            for name, (inner, _) in step.inputs.items():
                if isinstance(inner, ClaimStep) and inner.claim not in ledger.claims:
                    raise CannotRecompute(
                        f"`{name}` is from claim `{inner.claim}`, which the ledger does not have"
                    )
            return step
        alias = recipe.package or (next(iter(packages)) if len(packages) == 1 else None)
        if alias is None:
            raise CannotRecompute("the claim names no package, and the ledger has several")
        return planners[packages[alias].name].plan(recipe)
    except TieoutError as error:
        return error


class Judge:
    """Turns the engines' answers into claim results, one ledger at a time."""

    def __init__(self, answers: Answers, hints: Hints) -> None:
        self._answers = answers
        self._hints = hints

    def claims(self, book: Book) -> tuple[ClaimResult, ...]:
        """The results of a ledger's claims, in printed order."""
        values = _Values(book, self._answers)
        return tuple(self._claim(claim, book, values) for claim in book.ledger.claims.values())

    def _claim(self, claim: Claim, book: Book, values: _Values) -> ClaimResult:
        headline = claim.id in book.ledger.headline
        if claim.recipe is None:
            places = tuple(_unread(place, str(claim.kind)) for place in claim.printings)
            return ClaimResult(
                claim=claim,
                headline=headline,
                verdict=claim.kind,
                recomputed=None,
                error=None,
                readings=(),
                printings=places,
            )
        recomputed = values.of(claim.id)
        if isinstance(recomputed, TieoutError):
            places = tuple(_unread(place, "error") for place in claim.printings)
            return ClaimResult(
                claim=claim,
                headline=headline,
                verdict="error",
                recomputed=None,
                error=str(recomputed),
                readings=(),
                printings=places,
            )
        numbers = book.ledger.numbers
        others = values.others(claim.id)
        places = tuple(
            self._printing(place, claim, recomputed, others, numbers, values) for place in claim.printings
        )
        verdict = min((place.verdict for place in places), key=WORST_FIRST.index, default=None)
        return ClaimResult(
            claim=claim,
            headline=headline,
            verdict=verdict,
            recomputed=recomputed,
            error=None,
            readings=_readings(claim, recomputed, others, verdict, numbers),
            printings=places,
        )

    def _printing(
        self,
        place: Printing,
        claim: Claim,
        recomputed: Recomputed,
        others: tuple[Recomputed | TieoutError, ...],
        numbers: NumberFormat,
        values: _Values,
    ) -> PrintingResult:
        asserted = claim.recipe is not None and claim.recipe.asserts is not None
        printed: tuple[Printed, ...] = ()
        if not asserted:
            try:
                printed = read_place(place, numbers)
            except UnreadablePrinting as error:
                return _unread(place, "error", str(error))
        compared = _compare(place, printed, recomputed.value)
        marks = set(compared.marks)
        if compared.verdict == "ties" and any(not _ties(place, printed, other) for other in others):
            marks.add("one-reading")
        diagnosis = compared.reason
        if compared.verdict == "differs" and diagnosis is None and printed:
            diagnosis = self._hints.hint(printed, place, recomputed, values.rounded(claim.id))
        return PrintingResult(
            printing=place,
            printed=printed,
            verdict=compared.verdict,
            marks=tuple(sorted(marks)),
            diagnosis=diagnosis,
            erratum_ties=_erratum_ties(place, claim, recomputed, numbers, values),
        )


def _unread(place: Printing, verdict: str, diagnosis: str | None = None) -> PrintingResult:
    ties = None if place.erratum is None else False
    return PrintingResult(
        printing=place, printed=(), verdict=verdict, marks=(), diagnosis=diagnosis, erratum_ties=ties
    )


def read_place(place: Printing, numbers: NumberFormat, text: str | None = None) -> tuple[Printed, ...]:
    """A printing's text read as one number, or as a range where it prints two parts; `text` in place of its own.

    Raises UnreadablePrinting.
    """
    text = place.text if text is None else text
    return read_range(text, numbers) if len(place.of) == 2 else (read(text, numbers),)


def _compare(place: Printing, printed: tuple[Printed, ...], value: Value) -> Comparison:
    """The verdict of one printing; nothing read means an assertion, which ties when it is true."""
    if not printed:
        if value.value is None:
            return Comparison(verdict="error", marks=frozenset(), reason=f"no truth value: {value.reason}")
        return Comparison(verdict="ties" if value.value is True else "differs", marks=frozenset())
    parts = [_compare_part(part, of, place, value) for part, of in zip(printed, place.of, strict=True)]
    worst = min(parts, key=lambda part: WORST_FIRST.index(part.verdict))
    return Comparison(
        verdict=worst.verdict,
        marks=frozenset().union(*(part.marks for part in parts)),
        reason=worst.reason,
    )


def _compare_part(printed: Printed, of: str, place: Printing, value: Value) -> Comparison:
    number = value.part(of)
    if isinstance(number, bool):
        return Comparison(
            verdict="error", marks=printed.marks, reason="a truth value is no number; use `asserts`"
        )
    stands_for = printed.stands_for
    if number is None and not (isinstance(stands_for, Pair) and value.denominator is not None):
        reason = value.reason or f"the value has no part `{of}`"
        if reason.startswith(UNDEFINED):
            # The document prints a number where the recomputation says that there is none: that is a difference.
            return Comparison(verdict="differs", marks=printed.marks, reason=f"there is no value: {reason}")
        return Comparison(verdict="error", marks=printed.marks, reason=f"there is no value: {reason}")
    compared = compare(
        printed, number, numerator=value.numerator, denominator=value.denominator, exact=value.exact
    )
    tolerance = place.tolerance
    if (
        compared.verdict == "differs"
        and tolerance
        and number is not None
        and not isinstance(stands_for, Pair)
    ):
        low, high, reach = stands_for.low, stands_for.high, tolerance.value
        if (low is None or number >= low - reach) and (high is None or number <= high + reach):
            return Comparison(verdict="ties", marks=compared.marks | {"tolerance"})
    return compared


def _ties(place: Printing, printed: tuple[Printed, ...], other: Recomputed | TieoutError) -> bool:
    return not isinstance(other, TieoutError) and _compare(place, printed, other.value).verdict == "ties"


def _readings(
    claim: Claim,
    recomputed: Recomputed,
    others: tuple[Recomputed | TieoutError, ...],
    verdict: str | None,
    numbers: NumberFormat,
) -> tuple[ReadingResult, ...]:
    if claim.reading is None:
        return ()
    results = [
        ReadingResult(
            says=claim.reading.taken,
            value=recomputed.value,
            verdict=verdict or "ties",
            sql=sql_of(recomputed),
        )
    ]
    asserted = claim.recipe is not None and claim.recipe.asserts is not None
    for alternative, other in zip(claim.reading.others, others, strict=True):
        if isinstance(other, TieoutError):
            missing = Value(value=None, reason=str(other))
            results.append(ReadingResult(says=alternative.says, value=missing, verdict="error", sql=None))
            continue
        verdicts = [_verdict(place, asserted, numbers, other.value) for place in claim.printings]
        worst = min(verdicts, key=WORST_FIRST.index, default="ties")
        results.append(
            ReadingResult(says=alternative.says, value=other.value, verdict=worst, sql=sql_of(other))
        )
    return tuple(results)


def _verdict(place: Printing, asserted: bool, numbers: NumberFormat, value: Value) -> str:
    try:
        return _compare(place, () if asserted else read_place(place, numbers), value).verdict
    except UnreadablePrinting:  # said beside the printing itself
        return "error"


def _erratum_ties(
    place: Printing, claim: Claim, recomputed: Recomputed, numbers: NumberFormat, values: _Values
) -> bool | None:
    """Whether the corrected text ties under the same recomputation; None without an erratum.

    A correction ties by itself: no tolerance helps it, it is no bound where a number was printed, and one of an
    assertion names some of its quantities.
    """
    if place.erratum is None:
        return None
    try:
        if claim.recipe is not None and claim.recipe.asserts is not None:
            return values.asserted(claim, place.erratum.corrected) is True
        printed = read_place(place, numbers)
        corrected = read_place(place, numbers, place.erratum.corrected)
    except TieoutError:
        return False
    if any(
        "bound" in new.marks and "bound" not in old.marks for old, new in zip(printed, corrected, strict=True)
    ):
        return False
    return _compare(replace(place, tolerance=None), corrected, recomputed.value).verdict == "ties"


class _Values:
    """The values of one ledger's claims, each computed once, whatever the order in which formulas ask for them."""

    def __init__(self, book: Book, answers: Answers) -> None:
        self._book = book
        self._answers = answers
        self._known: dict[str, Recomputed | TieoutError] = {}

    def of(self, claim: str) -> Recomputed | TieoutError:
        # No recursion: a ledger may have any number of claims stand on one another.
        path = {claim: self._needs(claim)} if claim not in self._known else {}
        while path:
            current, needs = next(reversed(path.items()))
            need = next((need for need in needs if need not in self._known), None)
            if need is None:
                self._known[current] = self._found(current)
            elif need in path:
                names = list(path)
                circle = " -> ".join((*names[names.index(need) :], need))
                self._known[current] = CannotRecompute(f"`from` goes in a circle: {circle}")
            else:
                path[need] = self._needs(need)
                continue
            del path[current]
        return self._known[claim]

    def _needs(self, claim: str) -> list[str]:
        step = self._book.steps.get(claim)
        inputs = step.inputs.values() if isinstance(step, FormulaStep) else ()
        return [inner.claim for inner, _ in inputs if isinstance(inner, ClaimStep)]

    def _found(self, claim: str) -> Recomputed | TieoutError:
        step = self._book.steps.get(claim)
        if step is None:
            kind = self._book.ledger.claims[claim].kind
            return CannotRecompute(f"claim `{claim}` is {kind}: it has no value")
        return self._step(step)

    def _step(self, step: Planned) -> Recomputed | TieoutError:
        if isinstance(step, TieoutError):
            return step
        try:
            return self._compute(step)
        except EngineLost:  # no claim's fault, and nothing is known of any
            raise
        except TieoutError as error:
            return error

    def _compute(self, step: Step) -> Recomputed:
        if isinstance(step, QueryStep):
            return self._answers.query(step)
        if isinstance(step, ClaimStep):
            found = self.of(step.claim)
            if isinstance(found, TieoutError):
                raise found
            return found
        return self._answers.formula(
            step, {name: (self._compute(inner), part) for name, (inner, part) in step.inputs.items()}
        )

    def others(self, claim: str) -> tuple[Recomputed | TieoutError, ...]:
        return tuple(self._step(step) for step in self._book.others.get(claim, ()))

    def asserted(self, claim: Claim, text: str) -> Fraction | bool | None:
        assert claim.recipe is not None
        step = formula_step(Recipe(asserts=text, inputs=claim.recipe.inputs))
        asserted = formulas.parse(claim.recipe.asserts or "").names
        if asserted and not set(asserted) & set(step.formula.names):
            raise CannotRecompute(f"the correction says nothing of {', '.join(asserted)}")
        found = self._step(step)
        if isinstance(found, TieoutError):
            raise found
        return found.value.value

    def rounded(self, claim: str) -> Fraction | None:
        """A formula's value from its inputs as they were printed; None where one of them was not printed alone."""
        step = self._book.steps.get(claim)
        if not isinstance(step, FormulaStep):
            return None
        inputs: dict[str, Value | Fraction] = {}
        for name, (inner, part) in step.inputs.items():
            printed = self._face(inner, part)
            if printed is None:
                return None
            inputs[name] = printed
        try:
            value = formulas.evaluate(step.formula, inputs).value
        except TieoutError:
            return None
        return None if isinstance(value, bool) else value

    def _face(self, inner: Step, part: str) -> Fraction | None:
        if not isinstance(inner, ClaimStep) or inner.claim not in self._book.ledger.claims:
            return None
        for place in self._book.ledger.claims[inner.claim].printings:
            if place.of == (part,):
                try:
                    printed = read(place.text, self._book.ledger.numbers)
                except UnreadablePrinting:
                    continue
                if not isinstance(printed.stands_for, Pair):
                    return printed.face
        return None
