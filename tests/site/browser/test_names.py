"""Names that Markdown, mathematics and HTML would like to eat come out on every page as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.site import tiny
from tests.site.browser.conftest import WIDE
from tests.site.browser.walk import Visit, pages_of, served, walk
from tests.site.tiny import HOSTILE
from tieout.freeze import freeze_ledger, freeze_package
from tieout.site.render import render

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

PROJECT = """project:
  type: website
  render: [report/index.qmd, report/ledger.qmd, report/artifacts.qmd]
website:
  title: Tiny
  navbar:
    left:
      - {text: "HOSTILE", href: report/index.qmd}
"""
INDEX = """---
title: 'Of HOSTILE'
subtitle: 'Under HOSTILE'
description: 'About HOSTILE'
toc: true
---

```{python}
#| include: false
import pandas
from tieout.site.page import headlines, honesty_table, n, table
name = table("tiny", "answers")["model"][0]
```

The model `{python} name` was right `{python} n("doc", "plain-count#numerator")` times; in code it is `HOSTILE`.[^1]

[^1]: A note on `{python} name`.

::: {.callout-note title="One more"}
The model `{python} name` again.
:::

```{python}
name
```

```{python}
pandas.DataFrame({name: [name]})
```

```{python}
honesty_table("doc")
```

```{python}
headlines("doc")
```
"""


@pytest.fixture(scope="module")
def small(own_cache: Callable[[], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the tiny study, whose one page of its own holds the name wherever a page can hold one."""
    root = tmp_path_factory.mktemp("small")
    artifacts = tiny.artifacts(root / "artifacts")
    freeze_package(artifacts / "packages" / "tiny")
    freeze_ledger(artifacts / "ledgers" / "doc")
    (root / "report").mkdir()
    (root / "_quarto.yml").write_text(PROJECT.replace("HOSTILE", HOSTILE), encoding="utf-8")
    (root / "report" / "index.qmd").write_text(INDEX.replace("HOSTILE", HOSTILE), encoding="utf-8")
    for page, call in (("ledger", "ledger_index"), ("artifacts", "packages")):
        text = (
            f"---\ntitle: {page}\n---\n\n```{{python}}\nfrom tieout.site.page import {call}\n{call}()\n```\n"
        )
        (root / "report" / f"{page}.qmd").write_text(text, encoding="utf-8")
    return render(root, [artifacts], engine="builtin", cache=own_cache()).index.parent


@pytest.fixture(scope="module")
def seen(contexts: Callable[..., BrowserContext], small: Path) -> Iterator[tuple[str, dict[str, Visit]]]:
    """The small site's address, and its pages as the browser had them."""
    with served(small) as address:
        yield address, walk(contexts(WIDE), address, pages_of(small))


@pytest.fixture
def page(contexts: Callable[..., BrowserContext], seen: tuple[str, dict[str, Visit]]) -> Iterator[Page]:
    opened = contexts(WIDE).new_page()
    opened.goto(f"{seen[0]}index.html")
    yield opened
    opened.close()


def test_its_pages_are_quiet(seen: tuple[str, dict[str, Visit]]) -> None:
    assert {
        name: visit.said + visit.failed for name, visit in seen[1].items() if visit.said + visit.failed
    } == {}
    assert len(seen[1]) == 3 + 1 + len(tiny.CLAIMS)


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("h1", f"Of {HOSTILE}"),
        (".subtitle", f"Under {HOSTILE}"),
        (".site-pages a", HOSTILE),
        ("main > p >> nth=0", f"The model {HOSTILE} was right 3✓ times; in code it is {HOSTILE}.1"),
        ("main > p code", HOSTILE),
        ("[role=doc-endnotes] p, .footnotes p", f"A note on {HOSTILE}.↩︎"),
        (".callout > p", f"The model {HOSTILE} again."),
        ("main > pre", f"'{HOSTILE}'"),
        (".dataframe thead th >> nth=1", HOSTILE),
        (".dataframe td", HOSTILE),
    ],
)
def test_a_page_holds_it_everywhere(place: str, text: str, page: Page) -> None:
    assert " ".join((page.locator(place).first.text_content() or "").split()) == text


def test_the_description_holds_it(page: Page) -> None:
    assert page.locator("meta[name=description]").get_attribute("content") == f"About {HOSTILE}"
    assert page.title() == f"Of {HOSTILE} – Tiny"


@pytest.mark.parametrize(
    ("name", "place", "text"),
    [
        ("claims/doc/hostile.html", ".kicker", f"A study of {HOSTILE}"),
        ("claims/doc/hostile.html", ".facts", f"model is {HOSTILE}"),
        ("claims/doc/hostile.html", "pre.sql >> nth=0", f"'{HOSTILE}'"),
        ("claims/doc/hostile.html", ".rows-table", HOSTILE),
        ("claims/doc/lost.html", "main", f"The prompts of {HOSTILE} were not kept."),
        ("packages/tiny.html", ".rows-table", HOSTILE),
        ("ledger.html", "h2", f"A study of {HOSTILE}"),
        ("index.html", ".study-headlines h3", f"A study of {HOSTILE}"),
    ],
)
def test_pages_made_of_data_hold_it(
    name: str, place: str, text: str, page: Page, seen: tuple[str, dict[str, Visit]]
) -> None:
    page.goto(f"{seen[0]}{name}")
    texts = page.locator(place).all_text_contents()
    assert any(text in " ".join(found.split()) for found in texts), texts


def test_no_part_of_it_became_markup(page: Page, seen: tuple[str, dict[str, Visit]]) -> None:
    for name in seen[1]:
        page.goto(f"{seen[0]}{name}")
        assert page.locator("math, .math, em:has-text('gpt')").count() == 0
        whole: str = page.locator("body").evaluate("body => body.textContent")
        assert whole.count("gpt_4_") == whole.count(HOSTILE)
