"""Part II as its figures read it: the settings of the primary grid, and what is counted over them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tieout.site.figures import theme
from tieout.site.figures.charts import Series
from tieout.site.figures.source import Filter, Ref, Source, holding
from tieout.site.figures.wording import listed, number

PACKAGE = "album-memory-2"
PILOT = "album-memory-1"
RANKED = ("tfidf", "embedding", "relational")
POLICIES: Mapping[str, str] = {
    "full": "Full cards",
    "recent": "Recent",
    "summary": "Summary",
    "tfidf": "TF-IDF",
    "embedding": "Embedding",
    "relational": "Relational",
    "adaptive": "Adaptive",
}
HUES: Mapping[str, str] = {
    "full": theme.SERIES["grey"],
    "recent": theme.SERIES["orange"],
    "summary": theme.SERIES["purple"],
    "tfidf": theme.SERIES["green"],
    "embedding": theme.SERIES["blue"],
    "relational": theme.SERIES["sky"],
    "adaptive": theme.SERIES["vermillion"],
}
SHAPES: Mapping[str, str] = {
    "full": "square",
    "recent": "cross",
    "summary": "triangle-down",
    "tfidf": "triangle-up",
    "embedding": "circle",
    "relational": "triangle-right",
    "adaptive": "diamond",
}
TASKS: Mapping[str, str] = {
    "local": "Local",
    "distant": "Distant",
    "contradiction": "Contradiction",
    "transformation": "Transformation",
    "multi_hop": "Multi-hop",
    "abstention": "Abstention",
}


DASHES: Mapping[str, list[int]] = {
    "full": theme.SOLID,
    "recent": theme.DOTTED,
    "summary": theme.DASHDOT,
    "tfidf": theme.DASHED,
    "embedding": theme.SOLID,
    "relational": theme.DOTTED,
    "adaptive": theme.SOLID,
}


def series(policies: Iterable[str]) -> Series:
    """How these policies are told apart, in the order of all."""
    present = set(policies)
    names = {policy: name for policy, name in POLICIES.items() if policy in present}
    return Series(names=names, hues=HUES, shapes=SHAPES, dashes=DASHES)


@dataclass(frozen=True, kw_only=True, slots=True)
class Setting:
    """A policy under a memory cap; `cap` is None where the policy has but one, `label` its name in a figure."""

    policy: str
    cap: int | None
    threshold: int | None
    label: str
    rows: Mapping[str, int]

    def where(self, **more: object) -> Filter:
        """The filter by which ledgers name this setting."""
        terms: dict[str, object] = {"policy": self.policy}
        if self.cap is not None:
            terms["cap"] = self.cap
        if self.threshold is not None:
            terms["threshold"] = self.threshold
        return {"trajectories": {**terms, **more}}


def parameter(source: Source, name: str, package: str = PACKAGE) -> int:
    """A parameter that the study declares."""
    design = source.table(package, "design").set_index("parameter")["value"]
    return int(design[name])


@dataclass(frozen=True, kw_only=True, slots=True)
class Trajectory:
    """A trajectory as figures count it; `setting` is the label of its setting, `tokens` are input and output."""

    case_id: str
    setting: str
    policy: str
    cap: int
    album: str
    task: str
    answerable: bool
    accepted: bool
    tokens: int
    context_tokens: int


def primary(source: Source) -> list[Trajectory]:
    """The trajectories of the primary grid."""
    frame = source.table(PACKAGE, "trajectories")
    frame = frame[frame["threshold"] == parameter(source, "primary_threshold")]
    names = [name for name in Trajectory.__slots__ if name not in {"setting", "tokens"}]
    caps: dict[str, set[int]] = {}
    for policy, cap in zip(frame["policy"].tolist(), frame["cap"].tolist(), strict=True):
        caps.setdefault(policy, set()).add(cap)
    labels = {
        (policy, cap): _label(policy, cap if len(own) > 1 else None)
        for policy, own in caps.items()
        for cap in own
    }
    tokens = (frame["input_tokens"] + frame["output_tokens"]).tolist()
    found = []
    for *cells, spent in zip(*(frame[name].tolist() for name in names), tokens, strict=True):
        row = dict(zip(names, cells, strict=True))
        found.append(Trajectory(**row, setting=labels[row["policy"], row["cap"]], tokens=spent))
    return found


def _label(policy: str, cap: int | None) -> str:
    name = POLICIES[policy]
    return name if cap is None else f"{name} {number(cap)}"


def settings(source: Source, given: Sequence[Trajectory]) -> list[Setting]:
    """The settings of the primary grid by policy and cap, each with its sums."""
    threshold = parameter(source, "primary_threshold")
    thresholds = source.table(PACKAGE, "trajectories").groupby("policy")["threshold"].nunique()
    found = []
    for policy in POLICIES:
        of_policy = [one for one in given if one.policy == policy]
        caps = sorted({one.cap for one in of_policy})
        found += [
            Setting(
                policy=policy,
                cap=cap if len(caps) > 1 else None,
                threshold=threshold if thresholds[policy] > 1 else None,
                label=_label(policy, cap if len(caps) > 1 else None),
                rows=sums(one for one in of_policy if one.cap == cap),
            )
            for cap in caps
        ]
    return found


def sums(given: Iterable[Trajectory]) -> dict[str, int]:
    """What acceptance and mean trajectory tokens are ratios of, over some trajectories."""
    rows = list(given)
    return {
        "trajectories": len(rows),
        "answerable": sum(one.answerable for one in rows),
        "accepted": sum(one.accepted and one.answerable for one in rows),
        "tokens": sum(one.tokens for one in rows),
    }


def acceptance(rows: Mapping[str, int]) -> Fraction:
    """The metric `acceptance` over summed trajectories."""
    return Fraction(rows["accepted"], rows["answerable"])


def mean_tokens(rows: Mapping[str, int]) -> Fraction:
    """The metric `mean_trajectory_tokens` over summed trajectories."""
    return Fraction(rows["tokens"], rows["trajectories"])


def frontier(found: Sequence[Setting]) -> list[Setting]:
    """The settings that no other beats, as the metric `pareto_frontier` says, cheapest first."""

    def beaten(one: Setting) -> bool:
        accepted, tokens = acceptance(one.rows), mean_tokens(one.rows)
        return any(
            acceptance(other.rows) >= accepted
            and mean_tokens(other.rows) <= tokens
            and (acceptance(other.rows) > accepted or mean_tokens(other.rows) < tokens)
            for other in found
        )

    return sorted((one for one in found if not beaten(one)), key=lambda one: mean_tokens(one.rows))


def bind(
    shown: dict[tuple[Ref, str], Fraction | bool],
    source: Source,
    metric: str,
    where: Filter,
    own: Fraction,
    package: str = PACKAGE,
) -> None:
    """Notes for every claim that is this metric under this filter that the figure shows `own`."""
    for ref in holding(source, package, metric, where):
        shown[ref, "value"] = own


def refs(shown: Iterable[tuple[Ref, str]]) -> tuple[Ref, ...]:
    """The claims of what is shown, each once."""
    return tuple(dict.fromkeys(ref for ref, _ in shown))


def judges(source: Source, of: Iterable[Ref]) -> str:
    """A sentence on who judged these claims, and where the controller retried against the judge; "
    "empty without one."""
    loops: dict[str, set[str]] = {}
    for ref in of:
        claim = source.claim(*ref)
        for evaluator in claim["evaluators"]:
            known = loops.setdefault(evaluator["id"], set())
            if isinstance(evaluator["in_loop"], Mapping):
                known.update(str(cell) for cells in evaluator["in_loop"].values() for cell in cells)
            elif evaluator["in_loop"]:
                known.update(_policies(claim["where"]))
    if not loops:
        return ""
    parts = [
        f"{name}, against which the controller of policy {listed(sorted(loop))} retries until it accepts"
        if loop
        else f"{name}, outside the loop"
        for name, loop in sorted(loops.items())
    ]
    return f"Evaluator: {listed(parts)}."


def _policies(where: Mapping[str, Any]) -> list[str]:
    return [terms["policy"] for terms in where.values() if isinstance(terms, Mapping) and "policy" in terms]
