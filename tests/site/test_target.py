"""Where a site may be put: nothing that is no site is lost, and a refusal says what to do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests import build
from tests.conftest import Run
from tests.site.conftest import need_site
from tieout.errors import CannotOpen
from tieout.find import SITE_KEY
from tieout.freeze import freeze_ledger, freeze_package
from tieout.site.target import free

PACKAGE, LEDGER = Path("packages/tiny"), Path("ledgers/doc")


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a study, in which commands are given: a package, a ledger, its text, notes and an older site."""
    build.artifacts(tmp_path, [build.claim("rate", "75%")])
    freeze_package(tmp_path / PACKAGE)
    freeze_ledger(tmp_path / LEDGER)
    (tmp_path / "article.md").write_text("75%", encoding="utf-8")
    for name, file in (("docs", "notes.md"), ("site", SITE_KEY), ("clone", SITE_KEY), ("clone", ".git/HEAD")):
        path = tmp_path / name / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("mine", encoding="utf-8")
    (tmp_path / "empty").mkdir()
    (tmp_path / "link").symlink_to("docs")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


OTHER = "; name another folder for the site"
REFUSED: dict[str, Callable[[Path], str]] = {
    "docs": lambda _: f"docs is not empty and holds no site that Tieout wrote{OTHER}, or empty it",
    "link": lambda _: f"link is not empty and holds no site that Tieout wrote{OTHER}, or empty it",
    "clone": lambda _: f"clone is a clone of a repository, which would be lost{OTHER} and copy it there",
    "article.md": lambda root: f"{root / 'article.md'} is a file{OTHER}",
    "article.md/site": lambda root: f"{root / 'article.md'} is a file{OTHER}",
    "packages": lambda root: (
        f"packages is, holds or lies in {root / PACKAGE}, of which the site is made{OTHER}"
    ),
    "packages/tiny/site": lambda root: (
        f"packages/tiny/site is, holds or lies in {root / PACKAGE}, of which the site is made{OTHER}"
    ),
    "ledgers/doc": lambda root: (
        f"ledgers/doc is, holds or lies in {root / LEDGER}, of which the site is made{OTHER}"
    ),
}


@pytest.mark.parametrize("target", REFUSED)
def test_what_is_no_site_is_left_as_it_is(study: Path, target: str) -> None:
    with pytest.raises(CannotOpen) as caught:
        free(Path(target), [LEDGER, PACKAGE])
    assert str(caught.value) == REFUSED[target](study)


@pytest.mark.parametrize("target", [".", "..", "/"])
def test_a_folder_that_holds_the_one_you_are_in_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CannotOpen) as caught:
        free(Path(target), [])
    assert str(caught.value) == f"{target} is or holds the folder that you are in{OTHER}"


@pytest.mark.parametrize("target", ["packages/tiny", "packages/tiny/site", "ledgers/doc/sections/site"])
def test_packages_and_ledgers_are_safe_where_the_site_is_made_of_others(study: Path, target: str) -> None:
    above = study / (PACKAGE if "packages" in target else LEDGER)
    with pytest.raises(CannotOpen) as caught:
        free(Path(target), [])
    assert str(caught.value) == f"{target} is or lies in the package or ledger {above}{OTHER}"


@pytest.mark.parametrize("target", ["site", "empty", "new", "new/below"])
def test_an_older_site_an_empty_folder_and_a_new_one_are_free(study: Path, target: str) -> None:
    assert free(Path(target), [LEDGER, PACKAGE]) == study / target


@pytest.mark.parametrize("target", ["docs", "article.md", "packages", "."])
def test_the_command_refuses_in_a_sentence_and_writes_nothing(study: Path, tieout: Run, target: str) -> None:
    need_site()
    before = files(study)
    ran = tieout("render", LEDGER, "--output", target, cwd=study)
    assert (ran.returncode, ran.stdout, len(ran.stderr.splitlines())) == (2, "", 1)
    assert OTHER in ran.stderr
    assert files(study) == before
    assert sorted(path.name for path in study.iterdir() if path.name.startswith(".")) == []


def test_the_command_refuses_the_sources_of_a_project(study: Path, tieout: Run) -> None:
    need_site()
    for name in ("_quarto.yml", "pages/index.qmd"):
        (study / name).parent.mkdir(exist_ok=True)
        (study / name).write_text("project: {render: [pages/index.qmd]}", encoding="utf-8")
    before = files(study)
    for target, source in (("pages/site", "pages"), ("artifacts/site", "artifacts"), (".", "artifacts")):
        ran = tieout("render", "--output", target, cwd=study)
        said = f"tieout: {target} is, holds or lies in {study / source}, of which the site is made{OTHER}\n"
        assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", said)
    assert files(study) == before
