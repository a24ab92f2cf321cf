"""A built site against its own rules: links, anchors, figures' alternatives, hosts, stamps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
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


@dataclass(kw_only=True)
class _Found(HTMLParser):
    """What a page holds, each with its line."""

    ids: set[str] = field(default_factory=set)
    links: list[tuple[str, int]] = field(default_factory=list)
    loads: list[tuple[str, int]] = field(default_factory=list)
    silent: list[int] = field(default_factory=list)
    inline: list[tuple[str, int]] = field(default_factory=list)
    twice: list[tuple[str, int]] = field(default_factory=list)
    stamp: str | None = None

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        line = self.getpos()[0]
        if name := given.get("id"):
            if name in self.ids:
                self.twice.append((name, line))
            self.ids.add(name)
        if tag == "a" and "href" in given:
            self.links.append((given["href"], line))
        if tag in LOADING and given.get(LOADING[tag]):
            self.loads.append((given[LOADING[tag]], line))
        if tag == "meta" and given.get("name") == STAMP:
            self.stamp = given.get("content")
        if tag == "img" and not given.get("alt"):
            self.silent.append(line)
        if tag == "svg" and given.get("aria-hidden") != "true":
            named = given.get("aria-label") or given.get("aria-labelledby")
            if given.get("role") != "img" or not named:
                self.silent.append(line)
        if (tag == "script" and "src" not in given) or "onclick" in given:
            self.inline.append((tag, line))
        if "style" in given or tag == "style":
            self.inline.append(("style", line))


def site_faults(output: Path, stamp: str) -> list[Fault]:
    """Everything wrong with a site's pages, by file and line; `stamp` is what they must be made from."""
    pages: dict[str, _Found] = {}
    for path in sorted(output.rglob("*.html")):
        found = _Found()
        found.feed(path.read_text(encoding="utf-8"))
        found.close()
        pages[path.relative_to(output).as_posix()] = found
    return [
        fault for name, found in pages.items() for fault in _page_faults(output, name, found, pages, stamp)
    ]


def _page_faults(
    output: Path, name: str, found: _Found, pages: dict[str, _Found], stamp: str
) -> Iterator[Fault]:
    def fault(line: int | None, code: str, message: str) -> Fault:
        return Fault(code=code, message=message, file=name, row=line)

    if found.stamp != stamp:
        yield fault(None, "stale-page", "the page was made from other data than the rest of the site")
    for identifier, line in found.twice:
        yield fault(line, "duplicate-id", f"the id `{identifier}` stands twice")
    for line in found.silent:
        yield fault(line, "no-alternative", "a picture has no text alternative")
    for what, line in found.inline:
        yield fault(line, "inline", f"an inline {what} is refused by the site's own policy")
    for address, line in found.loads:
        if urlsplit(address).scheme not in {"", "data"} or address.startswith("//"):
            yield fault(line, "foreign-host", f"the page loads {address} from another host")
        elif not urlsplit(address).scheme and not (output / _target(name, address)).is_file():
            yield fault(line, "dead-link", f"{address} is not in the site")
    for address, line in found.links:
        parts = urlsplit(address)
        if parts.scheme or address.startswith("//"):
            continue
        target = _target(name, address) if parts.path else name
        if not (output / target).is_file():
            yield fault(line, "dead-link", f"{address} is not in the site")
        elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].ids:
            yield fault(line, "dead-anchor", f"{address}: no such place on that page")


def _target(page: str, address: str) -> str:
    path = unquote(urlsplit(address).path)
    joined: list[str] = []
    for part in (PurePosixPath(page).parent / path).parts:
        if part == "..":
            if not joined:
                return ".."  # above the site's root there is nothing of the site
            joined.pop()
        else:
            joined.append(part)
    target = "/".join(joined)
    return f"{target}/index.html" if path.endswith("/") else target
