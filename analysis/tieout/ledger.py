"""A ledger: a document's claims as typed objects, in printed order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from tieout.claims import Ignored, PrintingPlace
from tieout.errors import CannotOpen, Fault, Invalid
from tieout.folder import inside
from tieout.grids import unfold
from tieout.layers import HOW, RECOMPUTED_BY, merge
from tieout.printed import NumberFormat, UnreadablePrinting
from tieout.schema.documents import check_document
from tieout.strict import read_json, read_yaml

LOCK = "ledger.lock.json"


@dataclass(frozen=True, kw_only=True, slots=True)
class Erratum:
    """An admission that a printing differs; `corrected` must itself tie. `published` is None where no URL says so."""

    corrected: str
    says: str
    noticed_by: str | None
    published: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Tolerance:
    """How far beyond the printing's interval a value may lie, in the value's own unit, and why."""

    value: Fraction
    because: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Printing:
    """One place where a claim is printed. `of` names the parts that the text prints: one, or two for a range."""

    text: str
    section: str
    near: str | None
    of: tuple[str, ...]
    tolerance: Tolerance | None
    erratum: Erratum | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Recipe:
    """How a value is recomputed: exactly one of `metric`, `sql`, `formula`, `asserts` is not None.

    `inherited` names tables that `where` filters because another recipe does; this one need not read them.
    """

    metric: str | None = None
    sql: str | None = None
    formula: str | None = None
    asserts: str | None = None
    where: Mapping[str, Any] = field(default_factory=dict)
    params: Mapping[str, Any] = field(default_factory=dict)
    member: Mapping[str, Any] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict)
    combine: str | tuple[str, ...] | None = None
    unit: str | None = None
    package: str | None = None
    inherited: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Alternative:
    """Another plausible reading of the document's words, and its recipe."""

    says: str
    recipe: Recipe


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """What the document's words leave open: the reading taken, in words, and every other one."""

    taken: str
    others: tuple[Alternative, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Claim:
    """One published quantity or proposition. Exactly one of `recipe` and `kind` is not None."""

    id: str
    section: str
    says: str
    recipe: Recipe | None
    kind: str | None
    because: str | None
    locator: str | None
    caveats: tuple[str, ...]
    timing: str | None
    registration: str | None
    reading: Reading | None
    printings: tuple[Printing, ...]
    file: str
    pointer: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Section:
    """A part of the document: its name in the ledger, and its heading's line, None for what stands before any."""

    name: str
    heading: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Ledger:
    """A document's claims in printed order."""

    root: Path
    document: Mapping[str, Any]
    numbers: NumberFormat
    packages: Mapping[str, str]
    headline: tuple[str, ...]
    caveats: Mapping[str, str]
    sections: tuple[Section, ...]
    claims: Mapping[str, Claim]
    ignored: tuple[Ignored, ...]
    lock: Mapping[str, Any] | None

    @property
    def id(self) -> str:
        """The document's id."""
        return str(self.document["id"])


def read_head(root: Path) -> dict[str, Any]:
    """The ledger's own file, `ledger.yaml`: its document, and which packages it is about.

    Raises CannotOpen where the folder is no ledger, and Invalid where the file breaks its schema.
    """
    if not (root / "ledger.yaml").is_file():
        raise CannotOpen(f"{root}: no ledger here (ledger.yaml is missing)")
    return _read(root, "ledger.yaml", "ledger")


def open_ledger(root: Path) -> Ledger:
    """The ledger in a folder.

    Raises CannotOpen where the folder is no ledger, and Invalid with every fault of form found in its files.
    """
    head = read_head(root)
    faults: list[Fault] = []
    claims: dict[str, Claim] = {}
    sections: list[Section] = []
    for path in _section_files(root):
        file = f"sections/{path.name}"
        try:
            given = _read(root, file, "section")
        except Invalid as error:
            faults += error.faults
            continue
        sections.append(Section(name=given["section"], heading=given.get("heading")))
        for claim in _claims(given, file, head, faults):
            if claim.id in claims:
                other = claims[claim.id]
                faults.append(
                    _fault(
                        file,
                        claim.pointer,
                        "duplicate-id",
                        f"claim {claim.id} stands in {other.file} already",
                    )
                )
            claims[claim.id] = claim
    unread = bool(
        faults
    )  # of a section that could not be read nothing more is said, its claims are not missed
    if not sections and not unread:
        faults.append(_fault("sections", "", "empty-ledger", "the ledger has no section"))
    ignored: tuple[Ignored, ...] = ()
    if (root / "ignored.yaml").exists():
        try:
            ignored = tuple(_ignored(entry) for entry in _read(root, "ignored.yaml", "ignored")["ignored"])
        except Invalid as error:
            faults += error.faults
    for index, name in enumerate(head.get("headline", [])):
        if name not in claims and not unread:
            faults.append(
                _fault(
                    "ledger.yaml", f"/headline/{index}", "unknown-claim", f"no claim `{name}` in the ledger"
                )
            )
    numbers = _numbers(head.get("numbers", {}), faults)
    faults += _unread(root)
    lock = _lock(root, faults)
    if faults:
        raise Invalid(faults)
    return Ledger(
        root=root,
        document=head["document"],
        numbers=numbers,
        packages=head.get("packages", {}),
        headline=tuple(head.get("headline", [])),
        caveats=head.get("caveats", {}),
        sections=tuple(sections),
        claims=claims,
        ignored=ignored,
        lock=lock,
    )


def _numbers(given: Mapping[str, str], faults: list[Fault]) -> NumberFormat:
    """The document's marks; where it writes decimals with a comma and says no more, a point parts its groups."""
    try:
        return NumberFormat(**{**({"group": "."} if given.get("decimal") == "," else {}), **given})
    except UnreadablePrinting as error:
        faults.append(_fault("ledger.yaml", "/numbers", "number-format", str(error)))
        return NumberFormat()


def _section_files(root: Path) -> list[Path]:
    try:
        return sorted(path for path in (root / "sections").iterdir() if path.suffix == ".yaml")
    except FileNotFoundError:
        return []
    except OSError as error:
        raise CannotOpen(f"{root / 'sections'}: {error.strerror}") from error


def _unread(root: Path) -> Iterator[Fault]:
    """A fault for each YAML file beside the ledger's own that is none of them: its claims would silently be missing."""
    read = {"ledger.yaml", "ignored.yaml"}
    for path in sorted((*root.glob("*.y*ml"), *root.glob("sections/**/*.y*ml"))):
        file = path.relative_to(root).as_posix()
        if file not in read and not (path.suffix == ".yaml" and path.parent == root / "sections"):
            message = "this file is not read; a ledger is ledger.yaml, ignored.yaml and sections/NAME.yaml"
            yield _fault(file, "", "not-read", message)


def _lock(root: Path, faults: list[Fault]) -> Mapping[str, Any] | None:
    if not (root / LOCK).exists():
        return None
    try:
        lock = read_json(inside(root, LOCK, LOCK), LOCK).value
    except Invalid as error:
        faults += error.faults
        return None
    for part in ("packages", "metrics"):
        hashes = lock.get(part) if isinstance(lock, Mapping) else None
        if not isinstance(hashes, Mapping) or not all(isinstance(value, str) for value in hashes.values()):
            message = f"expected an object of `{part}` with their hashes; `tieout freeze` writes it"
            faults.append(_fault(LOCK, f"/{part}", "lock-form", message))
            return None
    return dict(lock)


def _read(root: Path, file: str, schema: str) -> dict[str, Any]:
    document = read_yaml(inside(root, file, file), file)
    if faults := check_document(document.value, schema, file, lines=document.lines):
        raise Invalid(faults)
    value: dict[str, Any] = document.value
    return value


def _fault(file: str, pointer: str, code: str, message: str) -> Fault:
    return Fault(code=code, message=message, file=file, pointer=pointer or None)


def _ignored(entry: Mapping[str, Any]) -> Ignored:
    return Ignored(
        text=entry["text"],
        near=entry.get("near"),
        section=entry.get("section"),
        why=entry["why"],
        all=entry.get("all", False),
    )


def _claims(
    given: Mapping[str, Any], file: str, head: Mapping[str, Any], faults: list[Fault]
) -> Iterator[Claim]:
    defaults = {"package": given["package"]} if "package" in given else {}
    section = given["section"]
    entries = [
        cell
        for index, grid in enumerate(given.get("grids", []))
        for cell in unfold(grid, f"/grids/{index}", file, faults)
    ]
    entries += [(f"/claims/{index}", entry) for index, entry in enumerate(given.get("claims", []))]
    for pointer, entry in entries:
        printings = tuple(_printing(place, section) for place in entry.get("printings", []))
        claim = _claim({**defaults, **entry}, printings, section, file, pointer, head, faults)
        if claim:
            yield claim


def _printing(entry: Mapping[str, Any], section: str) -> Printing:
    of = entry.get("of", "value")
    tolerance = entry.get("tolerance")
    erratum = entry.get("erratum")
    return Printing(
        text=entry["text"],
        section=entry.get("section", section),
        near=entry.get("near"),
        of=(of,) if isinstance(of, str) else tuple(of),
        tolerance=Tolerance(value=Fraction(tolerance["value"]), because=tolerance["because"])
        if tolerance
        else None,
        erratum=_erratum(erratum) if erratum else None,
    )


def _erratum(entry: Mapping[str, Any]) -> Erratum:
    published = entry.get("published")
    return Erratum(
        corrected=entry["corrected"],
        says=entry["says"],
        noticed_by=entry.get("noticed_by"),
        published=None if published in {None, "none"} else published,
    )


def _claim(
    entry: Mapping[str, Any],
    printings: tuple[Printing, ...],
    section: str,
    file: str,
    pointer: str,
    head: Mapping[str, Any],
    faults: list[Fault],
) -> Claim | None:
    before = len(faults)
    ways = [key for key in HOW if key in entry]
    if len(ways) != 1:
        message = (
            f"claim {entry['id']} needs exactly one of {', '.join(HOW)}; it has {', '.join(ways) or 'none'}"
        )
        faults.append(_fault(file, pointer, "claim-form", message))
    if (alias := entry.get("package")) is not None and alias not in head.get("packages", {}):
        known = ", ".join(head.get("packages", {})) or "none"
        message = f"claim {entry['id']} names the package `{alias}`; ledger.yaml names {known}"
        faults.append(_fault(file, pointer, "unknown-package", message))
    kind = entry.get("kind")
    needed = {"not-recomputable": "because", "quoted": "locator"}.get(kind or "")
    if needed and not entry.get(needed):
        faults.append(
            _fault(file, pointer, "claim-form", f"claim {entry['id']} is {kind} and must say `{needed}`")
        )
    unknown = [caveat for caveat in entry.get("caveats", []) if caveat not in head.get("caveats", {})]
    for caveat in unknown:
        message = f"claim {entry['id']} names the caveat `{caveat}`, ledger.yaml does not"
        faults.append(_fault(file, pointer, "unknown-caveat", message))
    if len(faults) > before:
        return None
    reading = entry.get("reading")
    return Claim(
        id=entry["id"],
        section=entry.get("section", section),
        says=entry["says"],
        recipe=None if kind else _recipe(entry),
        kind=kind,
        because=entry.get("because"),
        locator=entry.get("locator"),
        caveats=tuple(entry.get("caveats", [])),
        timing=entry.get("timing"),
        registration=entry.get("registration"),
        reading=_reading(reading, entry) if reading else None,
        printings=printings,
        file=file,
        pointer=pointer,
    )


def _recipe(entry: Mapping[str, Any]) -> Recipe:
    combine = entry.get("combine")
    return Recipe(
        metric=entry.get("metric"),
        sql=entry.get("sql"),
        formula=_text(entry.get("formula")),
        asserts=_text(entry.get("asserts")),
        where=entry.get("where", {}),
        params=entry.get("params", {}),
        member=entry.get("member", {}),
        inputs=entry.get("from", {}),
        combine=tuple(combine) if isinstance(combine, Sequence) and not isinstance(combine, str) else combine,
        unit=entry.get("unit"),
        package=entry.get("package"),
        inherited=entry.get("inherited", ()),
    )


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _reading(given: Mapping[str, Any], claim: Mapping[str, Any]) -> Reading:
    others = tuple(
        Alternative(says=other["says"], recipe=_recipe(_other(claim, other)))
        for other in given.get("others", [])
    )
    return Reading(taken=given["taken"], others=others)


def _other(claim: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """The claim with what another reading says differently.

    Its filter is laid over the claim's; a reading by another metric or query brings its own parameters, and need not
    read every table that the claim filters.
    """
    base = dict(claim)
    if any(key in other for key in RECOMPUTED_BY):
        for key in ("params", "member", "combine"):
            base.pop(key, None)
        base["inherited"] = tuple(claim.get("where", {}))
    return merge(base, {key: value for key, value in other.items() if key != "says"})


def places(ledger: Ledger) -> list[PrintingPlace]:
    """Where the ledger says that its claims are printed, in printed order."""
    return [
        PrintingPlace(claim=claim.id, text=place.text, section=place.section, near=place.near)
        for claim in ledger.claims.values()
        for place in claim.printings
    ]
