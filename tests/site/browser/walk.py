"""A walk over pages in a real browser: what each page says on its console, asks for, and holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, Request, Response

TABS = 2  # pages that load at the same time

# What a page holds. Texts are read as the reader has them: without the signs that only repeat a verdict.
HOLDS = """() => {
  const clean = (text) => text.replace(/\\s+/g, " ").trim();
  const said = (node, without) => {
    const copy = node.cloneNode(true);
    copy.querySelectorAll(without).forEach((part) => part.remove());
    return clean(copy.textContent);
  };
  const all = (selector, root) => Array.from((root || document).querySelectorAll(selector));
  return {
    title: document.title,
    ids: all("[id]").map((node) => node.id),
    links: all("a[href]").map((node) => node.getAttribute("href")),
    ticks: all("a.tick").map((node) => ({
      href: node.getAttribute("href"),
      text: said(node, ".tick-sign"),
      sign: clean(node.querySelector(".tick-sign").textContent),
    })),
    tables: all("table.data").map((table) => ({
      names: Array.from(table.classList),
      head: all("thead th", table).map((cell) => clean(cell.textContent)),
      rows: all(":scope > tbody > tr", table).map((row) => ({
        names: Array.from(row.classList),
        href: (row.querySelector("a[href]") || document.createElement("a")).getAttribute("href"),
        printed: all("q", row).map((node) => node.textContent),
        cells: Array.from(row.cells).map((cell) => clean(cell.textContent)),
      })),
    })),
    entries: all(".ledger li").map((item) => ({
      href: item.querySelector("a").getAttribute("href"), names: Array.from(item.classList),
      printed: all("q", item).map((node) => node.textContent), value: clean(item.querySelector("b").textContent),
    })),
    facts: all("#recomputed ~ .facts > div").map((fact) => [
      clean(fact.querySelector("dt").textContent), clean(fact.querySelector("dd").textContent),
    ]),
    verdict: all(".claim-verdict .verdict").map((node) => clean(node.textContent))[0] || null,
    wide: document.documentElement.scrollWidth,
    outside: all("body *").filter((node) => {
      const box = node.getBoundingClientRect();
      if (!box.width || !box.height || (box.right <= innerWidth + 1 && box.left >= -1)) return false;
      for (let frame = node; frame; frame = frame.parentElement) {
        const style = getComputedStyle(frame);
        if (frame !== node && /auto|scroll/.test(style.overflowX)) return false;
        if (style.clip !== "auto" || style.clipPath !== "none" || style.position === "fixed") return false;
        if (frame.matches(".skip-link")) return false;
      }
      return !node.closest("svg") || node.matches("svg");
    }).slice(0, 5).map((node) => node.outerHTML.slice(0, 160)),
  };
}"""


@dataclass(kw_only=True, slots=True)
class Visit:
    """One page as the browser had it: its file's name in the site, what went wrong, what it asked for and holds."""

    page: str
    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    holds: dict[str, Any] = field(default_factory=dict)


class Tab:
    """A page of a browser that writes down what happens on it, for the visit that it is on."""

    def __init__(self, context: BrowserContext) -> None:
        self.page: Page = context.new_page()
        self.visit = Visit(page="")
        self.page.on("console", lambda message: self.visit.said.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.visit.said.append(f"error: {error}"))
        self.page.on("request", lambda request: self.visit.asked.append(request.url))
        self.page.on("requestfailed", self._failed)
        self.page.on("response", self._answered)

    def _failed(self, request: Request) -> None:
        # What is under way when the next page is opened is given up by the browser; no page is at fault for that.
        if request.failure != "net::ERR_ABORTED":
            self.visit.failed.append(f"{request.url}: {request.failure}")

    def _answered(self, answer: Response) -> None:
        if answer.status >= 400:
            self.visit.failed.append(f"{answer.url}: {answer.status}")


def pages_of(site: Path) -> list[str]:
    """The pages of a site by their files' names, in order."""
    return [path.relative_to(site).as_posix() for path in sorted(site.rglob("*.html"))]


def walk(context: BrowserContext, root: str, pages: Sequence[str]) -> dict[str, Visit]:
    """Opens every page below an address, several at a time, and returns what was seen of each."""
    found: dict[str, Visit] = {}
    tabs = [Tab(context) for _ in range(TABS)]
    for start in range(0, len(pages), TABS):
        using = list(zip(tabs, pages[start : start + TABS], strict=False))
        for tab, name in using:
            tab.visit = Visit(page=name)
            tab.page.goto(root + name, wait_until="commit")
        for tab, name in using:
            tab.page.wait_for_load_state("load")
            tab.visit.holds = tab.page.evaluate(HOLDS)
            found[name] = tab.visit
    return found


@contextmanager
def served(site: Path) -> Iterator[str]:
    """The address under which a site is served on this machine, at a port that was free."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, said: str, *arguments: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()
