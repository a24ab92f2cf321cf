"""The figures of the site by name; a figure's module is imported when it is made."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from tieout.errors import Fault, Invalid
from tieout.site.model import UnknownName

if TYPE_CHECKING:
    from tieout.site.figures.figure import Figure
    from tieout.site.figures.source import Source

MODULES = {
    "acceptance-tokens": "acceptance_tokens",
    "budget-curves": "budget_curves",
    "task-acceptance": "task_acceptance",
    "task-tokens": "task_tokens",
    "stage-tokens": "stage_tokens",
    "infest-calls": "infest_calls",
    "relation-arcs": "relation_arcs",
    "conversations": "conversations",
    "theme-profiles": "theme_profiles",
    "order-permutation": "order_permutation",
    "pilot-tradeoff": "pilot_tradeoff",
    "amortization": "amortization",
    "pass-hat-k": "pass_hat_k",
    "buffer-held": "buffer_held",
    "delivered-recall": "delivered_recall",
    "tier-occupancy": "tier_occupancy",
}


def names() -> tuple[str, ...]:
    """The names of all figures."""
    return tuple(MODULES)


def make(name: str, site: Source) -> Figure:
    """A figure, drawn from the site's tables.

    Raises UnknownName for a figure, a package or a table that is not there, and Invalid where a number of the figure is
    not the value of a claim that holds the same number.
    """
    from altair.utils.schemapi import debug_mode

    if name not in MODULES:
        raise UnknownName(f"no figure {name}; there are {', '.join(MODULES)}")
    module = import_module(f"tieout.site.figures.{MODULES[name]}")
    # tests hold every chart against Vega-Lite's schema; doing it piece by piece here would take half of a page's time
    with debug_mode(False):
        figure: Figure = module.figure(site)
    _agree(figure, site)
    return figure


def _agree(figure: Figure, site: Source) -> None:
    from tieout.site.figures.source import value

    faults = []
    for (ref, part), own in figure.shown.items():
        held = value(site.claim(*ref), part)
        if held != own:
            message = (
                f"figure {figure.name} shows {own}, claim {ref.claim} of {ref.ledger} holds {held} ({part})"
            )
            faults.append(
                Fault(
                    code="figure-differs",
                    message=message,
                    file=figure.name,
                    expected=str(held),
                    found=str(own),
                )
            )
    if faults:
        raise Invalid(faults)
