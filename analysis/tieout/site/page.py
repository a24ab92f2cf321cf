"""What a page's first cell asks for: numbers for prose, honesty tables, figures; all from the same gathered data."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from tieout.site import auditpage, downloads, honesty, ledgerpages, method, overview
from tieout.site.model import Site, load
from tieout.site.numbers import Number, number
from tieout.site.slim import slim
from tieout.site.templating import Html

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "audit_findings",
    "audit_summary",
    "caveats",
    "citations",
    "digests",
    "errata",
    "examples",
    "figure",
    "first_screen",
    "headlines",
    "honesty_table",
    "judges",
    "ledger_index",
    "n",
    "package_links",
    "packages",
    "refusals",
    "sample",
    "shell_example",
    "site",
    "table",
    "tally",
]


@cache
def site() -> Site:
    """The site's data, read once for all pages."""
    return load()


def n(ledger: str, claim: str, form: str | None = None) -> Number:
    """A number in prose: a claim's recomputed value, with a tick that leads to its page; see `numbers.number`."""
    return number(site(), ledger, claim, form)


def table(package: str, name: str) -> pd.DataFrame:
    """A package's table."""
    return site().table(package, name)


def honesty_table(*ledgers: str, name: str = "honesty") -> Html:
    """Every printed claim of these ledgers beside what the receipts give."""
    return honesty.honesty(site(), ledgers, name=name)


def tally(*ledgers: str) -> Html:
    """One line on these ledgers: what ties on which basis, what differs, what is without recomputation."""
    return honesty.tally_sentence(site(), ledgers)


def errata(*ledgers: str) -> Html:
    """Every difference of these ledgers with its diagnosis and erratum."""
    return honesty.errata(site(), ledgers)


def audit_findings() -> Html:
    """All that the audit found, by kind and ledger; where it was not run, the command that runs it."""
    return auditpage.audit_findings(site())


def audit_summary(*ledgers: str) -> Html:
    """What the audit found on these ledgers, by kind, each leading to its list; or the command that runs it."""
    return auditpage.audit_summary(site(), ledgers)


def caveats(*ledgers: str) -> Html:
    """The caveats of these ledgers, with how many claims name each."""
    return honesty.caveats(site(), ledgers)


def judges(*packages: str, only: tuple[str, ...] | None = None) -> Html:
    """The evaluators of these packages, or of them those named in `only`."""
    return honesty.judges(site(), packages, only)


def first_screen() -> Html:
    """What differs first, then the bar by basis and what a tick does not mean."""
    return overview.first_screen(site())


def headlines(*ledgers: str) -> Html:
    """The headline claims of these ledgers, or of all."""
    return overview.headlines(site(), ledgers or None)


def digests() -> Html:
    """The packages with their digests."""
    return overview.digests(site())


def sample() -> Html:
    """Some claims that nobody chose, for a reader to check by hand."""
    return overview.sample(site())


def ledger_index() -> Html:
    """All claims of all ledgers."""
    return ledgerpages.ledger_index(site())


def packages() -> Html:
    """The packages with what they are, their licence, sources and downloads."""
    return downloads.packages(site())


def shell_example() -> Html:
    """The lines that check a package and read a table of it in a shell."""
    return downloads.shell_example(site())


def package_links(*names: str) -> Html:
    """Where these packages are described and downloaded."""
    return downloads.package_links(site(), names)


def citations() -> Html:
    """How each package is cited."""
    return downloads.citations(site())


def examples() -> Html:
    """Worked examples of the tie rule, computed by the rule itself."""
    return method.examples()


def refusals() -> Html:
    """Printings that are refused, with the words of the refusal."""
    return method.refusals()


def figure(name: str) -> Html:
    """A figure of the catalogue, with its caption, its text alternative, its data and its claims."""
    from tieout.site import figures
    from tieout.site.figures.figure import render

    made = figures.make(name, site())
    verdicts: dict[Any, str] = {
        ref: site().claim(ref.ledger, ref.claim)["verdict"] or "not printed" for ref in made.claims
    }
    return Html(slim(render(made, verdicts=verdicts)))
