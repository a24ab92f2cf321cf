"""A ledger's lock: the packages that it was written against, and the metrics that it uses."""

from __future__ import annotations

from collections.abc import Mapping

from tieout import metrics
from tieout.errors import Fault
from tieout.ledger import LOCK, Ledger
from tieout.package import Package


def metrics_of(ledger: Ledger) -> dict[str, str]:
    """The catalogue metrics that a ledger uses, those inside formula metrics too, with the hash of each one's file."""
    used: dict[str, str] = {}

    def add(name: str) -> None:
        if name in used or name not in metrics.names():
            return
        metric = metrics.load(name)
        used[name] = metric.digest
        if isinstance(metric, metrics.FormulaMetric):
            for given in metric.inputs.values():
                add(given.metric)

    for claim in ledger.claims.values():
        readings = claim.reading.others if claim.reading else ()
        for recipe in (claim.recipe, *(other.recipe for other in readings)):
            if recipe is not None and recipe.metric is not None:
                add(recipe.metric)
    return dict(sorted(used.items()))


def lock_faults(ledger: Ledger, packages: Mapping[str, Package]) -> list[Fault]:
    """What is no longer as it was when the ledger was locked: its packages, or the metrics it uses."""

    def fault(code: str, message: str, expected: str | None, found: str | None) -> Fault:
        file = f"{ledger.id}/{LOCK}"
        return Fault(code=code, message=message, file=file, expected=expected, found=found)

    if ledger.lock is None:
        return [fault("not-locked", "the ledger is not locked; its author runs `tieout freeze`", None, None)]
    faults: list[Fault] = []
    if (document := ledger.lock.get("document")) != ledger.id:
        faults.append(fault("document-changed", "the lock is of another document", ledger.id, str(document)))
    digests = {package.name: package.digest for package in packages.values()}
    for name, digest in digests.items():
        locked = ledger.lock.get("packages", {}).get(name)
        if locked != digest:
            message = f"package {name} is not the one that the ledger was locked with"
            faults.append(fault("package-changed", message, locked, digest))
    used = metrics_of(ledger)
    locked_metrics: Mapping[str, str] = ledger.lock.get("metrics", {})
    for name in sorted(used.keys() | locked_metrics.keys()):
        if used.get(name) != locked_metrics.get(name):
            message = f"metric {name} is not the one that the ledger was locked with"
            faults.append(fault("metric-changed", message, locked_metrics.get(name), used.get(name)))
    return faults
