"""The templates, where all HTML lives: escaping always on, and a name that is not given is an error."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from tieout.site.numbers import SIGNS, UNPRINTED, WORDS, interval_words, plain


@dataclass(frozen=True, slots=True)
class Html:
    """A piece of a page that a cell displays."""

    text: str

    def _repr_html_(self) -> str:
        return self.text


@cache
def environment() -> Any:
    """The templates of `templates/`, with the signs and words of verdicts at hand."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    found = Environment(
        loader=PackageLoader("tieout.site", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    found.globals.update(signs=SIGNS, words=WORDS, unprinted=UNPRINTED)
    found.filters.update(
        grouped=lambda number: f"{number:,}",
        size=size,
        spans=spans,
        plain=plain,
        interval=interval_words,
        sentence=sentence,
        web=web,
    )
    return found


def fill(template: str, **context: Any) -> Html:
    """A template with what it asks for, as a piece of a page."""
    return Html(environment().get_template(template).render(**context).strip())


def spans(text: str) -> Any:
    """A text whose pieces between backticks are code."""
    from markupsafe import Markup, escape

    pieces = (
        Markup("<code>{}</code>").format(piece) if index % 2 else escape(piece)
        for index, piece in enumerate(text.split("`"))
    )
    return Markup("").join(pieces)


def sentence(text: str) -> str:
    """A text as a sentence of its own: a capital first, a stop at its end."""
    text = text.strip()
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?', '…')) else '.'}"


def web(address: str | None) -> bool:
    """Whether an address that a ledger gives may be linked: one of the web, and no script or file."""
    return address is not None and address.startswith(("https://", "http://"))


def size(count: int) -> str:
    """A number of bytes for reading, in steps of 1,000."""
    if count < 1000:
        return f"{count} B"
    for unit in ("kB", "MB"):
        count_in = count / (1000 if unit == "kB" else 1_000_000)
        if count_in < 999.5:
            return f"{count_in:.3g} {unit}"
    return f"{count / 1_000_000:,.0f} MB"
