"""`tieout review`: two versions of ledgers or packages compared by meaning, as Markdown for a pull request."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from tieout.review import Change, Review, State
    from tieout.review_packages import PackageChange, RowChange

LONGEST = 400  # characters of one calculation
TURNED = "Redefined, and from differing to tying"
# The headings in their order; a claim stands under the first that is true of it.
GROUPS: Mapping[str, Callable[[Change], bool]] = {
    TURNED: lambda change: change.turned,
    "Differences no longer shown": lambda change: change.hidden,
    "Redefined": lambda change: change.redefined,
    "Values moved": lambda change: change.moved,
    "Corrected as an erratum said": lambda change: change.corrected,
    "Added": lambda change: change.old is None,
    "Dropped": lambda change: change.new is None,
    "Of another unit, source or reason": lambda change: change.restated,
    "In other words": lambda _: True,
}


@click.command(
    "review",
    epilog="""\b
Examples:
  tieout review artifacts/ledgers/part-i artifacts/ledgers/part-i --json
In a clone, for a pull request, and after the packages were made anew:
  git fetch origin main && tieout review FETCH_HEAD: artifacts
  make artifacts; tieout review HEAD: artifacts

Exit codes: 0 no redefinition made a difference tie, 1 one did, 2 wrong usage or could not run.
""",
)
@click.argument("old")
@click.argument("new")
@click.option("--json", "as_json", is_flag=True, help="Print the whole comparison as JSON.")
@click.pass_context
def command(ctx: click.Context, old: str, new: str, as_json: bool) -> None:
    """Compare two versions of ledgers or packages by meaning.

    OLD and NEW are folders, or Git revisions with a path: `HEAD~1:artifacts`, or `HEAD~1:` for the path of the other
    one. Shown first is what was redefined and went from differing to tying. Both are recomputed with this version's
    catalogue of metrics; they need be neither frozen nor locked.
    """
    import json

    from tieout.review import review
    from tieout.revisions import folders, place

    with folders(place(old), place(new)) as (before, after):
        found = review(before, after)
    if as_json:
        click.echo(json.dumps(found.to_json(), indent=2, ensure_ascii=False, allow_nan=False))
    else:
        for line in markdown(found, old, new):
            click.echo(line)
    ctx.exit(found.exit_code)


def markdown(found: Review, old: str, new: str) -> Iterator[str]:
    """The review for people: what now ties under another definition first, then the rest by kind."""
    yield f"# Review: {code(old)} to {code(new)}"
    yield ""
    turned = [change for change in found.changes if change.turned]
    checks = [(one.name, check) for one in found.packages for check in one.turned_checks]
    if turned or checks:
        yield f"**{len(turned) + len(checks)} redefined, and from differing to tying.** Please look at these first."
    else:
        yield "Nothing was redefined and went from differing to tying."
    for title in GROUPS:
        changes = [change for change in found.changes if _group(change) == title]
        yield from _section(title, changes, checks if title == TURNED else [])
    if found.heads:
        yield from ("", "## Ledgers", "")
        yield from (f"- {text(says)}" for says in found.heads)
    if found.packages:
        yield from ("", "## Packages", "")
        for package in found.packages:
            yield from _package(package)
    if not (found.changes or found.heads or found.packages):
        yield ""
        yield "No claim, ledger or package differs in meaning."


def _group(change: Change) -> str:
    return next(title for title, holds in GROUPS.items() if holds(change))


def _section(title: str, changes: Iterable[Change], checks: Iterable[tuple[str, str]]) -> Iterator[str]:
    lines = [line for change in changes for line in _change(change)]
    lines += [f"- check {code(check)} of package {code(name)}: its rule is another" for name, check in checks]
    if lines:
        yield from ("", f"## {title}", "", *lines)


def _change(change: Change) -> Iterator[str]:
    old, new = change.old, change.new
    known = new or old
    assert known
    verdicts = [_verdict(state) for state in (old, new) if state]
    shown = verdicts[0] if len(set(verdicts)) == 1 else " → ".join(verdicts)
    name = f"{change.document} {known.claim}"
    yield f"- {code(name)}: {shown}" + (f" ({', '.join(change.what)})" if change.what else "")
    if old and new:
        yield from _pair("name", old.claim, new.claim)
        yield from _pair("value", _value(old), _value(new))
        yield from _pair("printed", _printed(old), _printed(new))
        yield from _pair("calculation", old.calculation, new.calculation)
        for name in old.words:
            yield from _pair(name, old.words[name] or "nothing", new.words[name] or "nothing")
    else:
        yield f"  - printed: {code(_printed(known))}, value {code(_value(known))}"


def _verdict(state: State) -> str:
    return state.verdict or "not printed"


def _printed(state: State) -> str:
    return ", ".join(state.texts) or "nowhere"


def _value(state: State) -> str:
    """The value for reading; what is no one number stays as it is."""
    from tieout.cli.text import decimal

    try:
        return decimal(None if state.value is None else Fraction(state.value))
    except ValueError:
        return state.value or ""


def _pair(name: str, old: str, new: str) -> Iterator[str]:
    if old != new:
        yield f"  - {name}: {code(old)} → {code(new)}"


def _package(package: PackageChange) -> Iterator[str]:
    yield f"- {code(package.name)}"
    for says in package.says:
        yield f"  - {text(says)}"
    for rows in package.rows:
        yield f"  - {text(f'table {rows.table}: {_rows(rows)}')}"


def _rows(rows: RowChange) -> str:
    from tieout.review_words import counted

    columns = ", ".join(f"{column} in {count:,}" for column, count in rows.columns.items())
    counts = ((rows.added, "added"), (rows.dropped, "dropped"), (rows.changed, "changed"))
    told = ", ".join(f"{counted(count, 'row')} {fate}" for count, fate in counts if count)
    return told + (f" ({columns})" if columns else "")


def code(given: str) -> str:
    """A text as Markdown code, whatever stands in it; a long one is cut and says so."""
    flat = " ".join(given.split())
    flat = flat if len(flat) <= LONGEST else flat[: LONGEST - 1] + "…"
    fence = "`" * (max((len(run) for run in re.findall("`+", flat)), default=0) + 1)
    pad = " " if flat.startswith("`") or flat.endswith("`") else ""
    return f"{fence}{pad}{flat or ' '}{pad}{fence}"


def text(given: str) -> str:
    """A text as Markdown prose: what would be markup, a link or a mention is not."""
    flat = " ".join(given.split())
    return re.sub(r"([\\`*_{}\[\]()<>#|!~@])", r"\\\1", flat)
