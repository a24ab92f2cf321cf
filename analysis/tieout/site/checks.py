"""A built site against its own rules: links, anchors, figures' alternatives, hosts, stamps."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from html import unescape
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from tieout.errors import Fault
from tieout.site.shell import STAMP

LOADING = {
    "script": "src",
    "img": "src",
    "link": "href",
    "iframe": "src",
    "source": "src",
    "object": "data",
    "use": "href",
}
WATCHED = frozenset({*LOADING, "a", "meta", "img", "svg", "script", "style"})


# A tag, and its attributes. Pages come out of our own templates and of Pandoc, which close what they open; a scan of
# tags is much faster than a parser over many hundred pages.
TAG = re.compile(r"<!--.*?-->|<([a-zA-Z][\w-]*)((?:[^\"'>]|\"[^\"]*\"|'[^']*')*)>", re.DOTALL)
ATTRIBUTE = re.compile(r"([^\s\"'=<>/]+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+)))?")
SPEAKING = re.compile(r"\b(?:id|href|src|data|style|alt)\s*=|\bon[a-z]+\s*=")


@dataclass(kw_only=True)
class _Found:
    """What a page holds, each with its place in the text."""

    text: str
    ids: set[str] = field(default_factory=set)
    links: list[tuple[str, int]] = field(default_factory=list)
    loads: list[tuple[str, int]] = field(default_factory=list)
    silent: list[int] = field(default_factory=list)
    inline: list[tuple[str, int]] = field(default_factory=list)
    twice: list[tuple[str, int]] = field(default_factory=list)
    stamp: str | None = None

    def __post_init__(self) -> None:
        for match in TAG.finditer(self.text):
            if match[1] and (match[1] in WATCHED or SPEAKING.search(match[2])):
                given = {name: unescape(a or b or c) for name, a, b, c in ATTRIBUTE.findall(match[2])}
                self._tag(match[1].lower(), given, match.start())

    def line(self, place: int) -> int:
        """The line of a place."""
        return self.text.count("\n", 0, place) + 1

    def _tag(self, tag: str, given: Mapping[str, str], place: int) -> None:
        if name := given.get("id"):
            if name in self.ids:
                self.twice.append((name, place))
            self.ids.add(name)
        if tag == "a" and "href" in given:
            self.links.append((given["href"], place))
        if tag in LOADING and given.get(LOADING[tag]):
            self.loads.append((given[LOADING[tag]], place))
        if tag == "meta" and given.get("name") == STAMP:
            self.stamp = given.get("content")
        if tag == "img" and not given.get("alt"):
            self.silent.append(place)
        if tag == "svg" and given.get("aria-hidden") != "true":
            named = given.get("aria-label") or given.get("aria-labelledby")
            if given.get("role") != "img" or not named:
                self.silent.append(place)
        if (tag == "script" and "src" not in given) or any(name.startswith("on") for name in given):
            self.inline.append((tag, place))
        if "style" in given or tag == "style":
            self.inline.append(("style", place))


def site_faults(output: Path, stamp: str, sources: Sequence[Path] = ()) -> list[Fault]:
    """Everything wrong with a site's pages, by file and line; `stamp` is what they must be made from.

    A dead link that a page's source spells is told by the file and line of that source, which its author has.
    """
    pages: dict[str, _Found] = {}
    for path in sorted(output.rglob("*.html")):
        pages[path.relative_to(output).as_posix()] = _Found(text=path.read_text(encoding="utf-8"))
    written = {f"{source.stem}.html": source for source in sources}

    @cache  # a site's pages mostly lead to the same places
    def there(target: str) -> bool:
        return (output / target).is_file()

    return [
        _at_source(fault, written.get(name))
        for name, found in pages.items()
        for fault in _page_faults(name, found, pages, stamp, there)
    ]


def _at_source(fault: Fault, source: Path | None) -> Fault:
    if source is None or fault.code not in {"dead-link", "dead-anchor"}:
        return fault
    for number, line in enumerate(source.read_text(encoding="utf-8").split("\n"), start=1):
        if f"]({fault.found})" in line:
            return replace(fault, file=source.name, row=number)
    return fault


def _page_faults(
    name: str, found: _Found, pages: dict[str, _Found], stamp: str, there: Callable[[str], bool]
) -> Iterator[Fault]:
    def fault(place: int | None, code: str, message: str, address: str | None = None) -> Fault:
        row = None if place is None else found.line(place)
        return Fault(code=code, message=message, file=name, row=row, found=address)

    if found.stamp != stamp:
        yield fault(None, "stale-page", "the page was made from other data than the rest of the site")
    for identifier, place in found.twice:
        yield fault(place, "duplicate-id", f"the id `{identifier}` stands twice")
    for place in found.silent:
        yield fault(place, "no-alternative", "a picture has no text alternative")
    for what, place in found.inline:
        yield fault(place, "inline", f"an inline {what} is refused by the site's own policy")
    for address, place in found.loads:
        if urlsplit(address).scheme not in {"", "data"} or address.startswith("//"):
            yield fault(place, "foreign-host", f"the page loads {address} from another host")
        elif not urlsplit(address).scheme and not there(_target(name, address)):
            yield fault(place, "dead-link", f"{address} is not in the site")
    for address, place in found.links:
        parts = urlsplit(address)
        if parts.scheme or address.startswith("//"):
            continue
        target = _target(name, address) if parts.path else name
        if not there(target):
            yield fault(place, "dead-link", f"{address} is not in the site", address)
        elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].ids:
            yield fault(place, "dead-anchor", f"{address}: no such place on that page", address)


def _target(page: str, address: str) -> str:
    return _joined(page.rpartition("/")[0], unquote(urlsplit(address).path))


@lru_cache(maxsize=100_000)
def _joined(folder: str, path: str) -> str:
    joined: list[str] = []
    for part in (PurePosixPath(folder) / path).parts:
        if part == "..":
            if not joined:
                return ".."  # above the site's root there is nothing of the site
            joined.pop()
        else:
            joined.append(part)
    target = "/".join(joined)
    return f"{target}/index.html" if path.endswith("/") else target
