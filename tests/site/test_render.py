"""Rendering as a whole: a site is put in place when all of it is right, and until then the last good one stays."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.site import tiny
from tests.site.conftest import missing, need_site
from tieout.errors import CannotOpen, Invalid
from tieout.freeze import freeze_ledger, freeze_package
from tieout.site.assets import cache_folder, modules
from tieout.site.generic import render_ledgers
from tieout.site.render import render

PROJECT = """project:
  type: website
  render:
    - report/index.qmd
    - report/ledger.qmd
    - report/artifacts.qmd
website:
  title: "Tiny"
  navbar:
    left:
      - {text: "Home", href: report/index.qmd}
"""
PAGE = """---
title: Home
toc: false
---

```{python}
#| include: false
from tieout.site.page import n, table
```

The rate is `{python} n("doc", "plain-rate", "percent")` for `{python} table("tiny", "answers")["model"][0]`.
"""


@pytest.fixture(scope="module")
def caches() -> Path:
    """Where npm's packages are; the test is skipped by name where they cannot be had."""
    need_site()
    cache = cache_folder(ROOT)
    try:
        modules(cache)
    except CannotOpen as error:
        missing(str(error))
    return cache


@pytest.fixture
def project(tmp_path: Path, caches: Path) -> Path:
    artifacts = tiny.artifacts(tmp_path / "artifacts")
    freeze_package(artifacts / "packages" / "tiny")
    freeze_ledger(artifacts / "ledgers" / "doc")
    (tmp_path / "_quarto.yml").write_text(PROJECT, encoding="utf-8")
    (tmp_path / "report").mkdir()
    (tmp_path / "report" / "index.qmd").write_text(PAGE, encoding="utf-8")
    for name in ("ledger.qmd", "artifacts.qmd"):
        shutil.copyfile(ROOT / "report" / name, tmp_path / "report" / name)
    own = tmp_path / ".tieout-cache"
    own.mkdir()
    for brought in caches.glob("web-*"):
        (own / brought.name).symlink_to(brought.resolve())
    return tmp_path


def build(project: Path) -> Path:
    return render(project, [project / "artifacts"], engine="builtin").index


def content(site: Path) -> dict[str, str]:
    return {
        path.relative_to(site).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(site.rglob("*"))
        if path.is_file()
    }


def test_the_verdicts_of_another_run_are_not_taken_for_those_of_a_site(project: Path) -> None:
    render(project, [project / "artifacts"], engine="builtin")
    kept = project / ".tieout-cache" / "report.json"
    other = json.loads(kept.read_text(encoding="utf-8"))
    other["key"], other["data"]["exit"] = "of other artifacts", 1
    kept.write_text(json.dumps(other), encoding="utf-8")
    assert render(project, [project / "artifacts"], engine="builtin").exit_code == 0


@pytest.mark.parametrize("share", [0, 0.5])
def test_what_a_cut_off_write_left_in_the_cache_is_made_again(project: Path, share: float) -> None:
    before = content(build(project).parent)
    kept = project / ".tieout-cache"
    for file in [kept / "report.json", *(kept / "pages").glob("*.json")]:
        whole = file.read_bytes()
        file.write_bytes(whole[: int(len(whole) * share)])
    shutil.rmtree(project / "_site")
    assert content(build(project).parent) == before


def test_a_site_is_made_once_and_a_page_can_break_without_harm(project: Path) -> None:
    index = build(project)
    html = index.read_text(encoding="utf-8")
    assert '<a class="tick tick-ties" href="claims/doc/plain-rate.html"' in html
    assert "for gpt_4_*|$x$&lt;b&gt;." in html
    made = content(index.parent)
    assert {f"claims/doc/{claim['id']}.html" for claim in tiny.CLAIMS} <= set(made)
    again = render(project, [project / "artifacts"], engine="builtin")
    assert (again.made, again.exit_code) == (False, 0)

    page = project / "report" / "index.qmd"
    page.write_text(PAGE.replace('n("doc", "plain-rate", "percent")', 'n("doc", "theirs")'), encoding="utf-8")
    with pytest.raises(Invalid) as error:
        build(project)
    [fault] = error.value.faults
    assert (fault.file, fault.row, fault.code) == ("index.qmd", 11, "inline-failed")
    assert content(index.parent) == made

    page.write_text(f"{PAGE}\nSee [there](gone.html).\n", encoding="utf-8")
    with pytest.raises(Invalid) as error:
        build(project)
    assert [(fault.file, fault.row, fault.message) for fault in error.value.faults] == [
        ("index.qmd", 13, "gone.html is not in the site")
    ]
    assert content(index.parent) == made
    assert [path.name for path in project.iterdir() if "part" in path.name or "old" in path.name] == []

    page.write_text(f"{PAGE}\n```{{python}}\nx = 1\nx / 0\n```\n", encoding="utf-8")
    with pytest.raises(Invalid) as error:
        build(project)
    [fault] = error.value.faults
    assert (fault.row, fault.message) == (15, "the cell fails: ZeroDivisionError: division by zero")


def test_two_builds_give_the_same_bytes(project: Path) -> None:
    first = content(build(project).parent)
    for kept in (project / ".tieout-cache").glob("[!w]*"):
        kept.rename(project / f"away-{kept.name}")
    (project / "_site").rename(project / "away-site")
    assert content(build(project).parent) == first


def test_ledgers_of_ones_own_become_a_site_of_generic_pages(project: Path) -> None:
    output = project / "own"
    made = render_ledgers([project / "artifacts" / "ledgers" / "doc"], output, engine="builtin")
    assert made.exit_code == 0
    pages = {path.name for path in output.glob("*.html")}
    assert pages == {"index.html", "doc.html", "ledger.html", "audit.html", "artifacts.html", "method.html"}
    assert "A study of gpt_4_*|$x$&lt;b&gt;" in (output / "doc.html").read_text(encoding="utf-8")
    package = project / "artifacts" / "packages" / "tiny" / "receipts" / "answers.parquet"
    assert (output / "packages/tiny/receipts/answers.parquet").read_bytes() == package.read_bytes()


def test_an_audit_is_shown_where_it_was_run_and_named_where_it_was_not(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = project / "artifacts" / "ledgers" / "doc"
    output = project / "own"

    def pages() -> tuple[str, ...]:
        names = ("index.html", "doc.html", "audit.html", "claims/doc/plain-rate.html")
        return tuple((output / name).read_text(encoding="utf-8") for name in names)

    render_ledgers([ledger], output, engine="builtin", audited=True)
    home, study, audit, claim = pages()
    assert '<a href="audit.html#fragile"><b>3</b> that a few rows decide</a>' in home
    assert '<a href="audit.html#fragile"><b>3</b> that a few rows decide</a>' in study
    assert "2 of 8 rows equal another in all but their key; 7 are different" in audit
    assert "<dt>A few rows decide it</dt>" in claim
    assert not any("--audit" in page for page in pages())

    render_ledgers([ledger], output, engine="builtin")
    assert all("<code>tieout render --audit</code>" in page for page in pages())
    assert not any("few rows decide</a>" in page for page in pages())

    # What was audited is kept beside what was not, and only other artifacts or code make it anew.
    monkeypatch.setattr("tieout.site.render.gather", lambda *_, **__: pytest.fail("gathered again"))
    render_ledgers([ledger], output, engine="builtin", audited=True)
    assert pages() == (home, study, audit, claim)


def test_other_code_makes_the_pages_anew_and_only_what_verdicts_depend_on_is_verified_again(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def made() -> bool:
        return render(project, [project / "artifacts"], engine="builtin").made

    assert (made(), made()) == (True, False)
    gathered: list[bool] = []
    monkeypatch.setattr("tieout.site.render.gather", lambda *_, audited, **__: gathered.append(audited))
    monkeypatch.setattr("tieout.site.render.code_key", lambda: "the look of pages is another")
    assert (made(), made(), gathered) == (True, False, [])


def test_an_unknown_engine_is_refused(project: Path) -> None:
    with pytest.raises(CannotOpen) as error:
        render(project, [project / "artifacts"], engine="latex")
    assert str(error.value) == "no engine `latex`; there are auto, quarto and builtin"


def test_a_folder_without_project_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CannotOpen) as error:
        render(tmp_path, [tmp_path])
    assert str(error.value).endswith(
        "no _quarto.yml here; run `tieout render` in a project, or name ledgers to render"
    )
