"""Two versions compared by meaning: in folders, in a repository's revisions, and as Markdown."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests import build
from tests.build import claim
from tests.conftest import Run
from tieout.cli.review import code, text
from tieout.errors import CannotOpen
from tieout.review import Change, Review, review
from tieout.revisions import folders, place

PLAIN = {"trials": {"policy": "plain"}}
RETRY = {"trials": {"policy": "retry"}}
SUMMED = {"where": {"trials": "all"}, "combine": "sum", "unit": "tokens"}
LOST = {"kind": "not-recomputable", "because": "the logs were lost"}
Claims = Sequence[Mapping[str, Any]]


def between(root: Path, old: Claims, new: Claims, **head: Any) -> Review:
    build.artifacts(root / "old", old)
    build.artifacts(root / "new", new, **head)
    return review(root / "old", root / "new")


def only(found: Review) -> Change:
    [change] = found.changes
    return change


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        # a setting that fits
        (claim("rate", "100%"), claim("rate", "100%", where=RETRY), "calculation"),
        # a printing that fits
        (claim("rate", "80%"), claim("rate", "75%"), "printings"),
        # a tolerance that is wide enough
        (
            claim("rate", "80%"),
            claim("rate", "80%", tolerance={"value": 0.1, "because": "about"}),
            "tolerance",
        ),
        # another part of the same value
        (claim("rate", "3"), claim("rate", "3", of="numerator"), "of"),
        # a text that an erratum did not give
        (
            claim("rate", "80%", erratum={"corrected": "75%", "says": "A slip"}),
            claim("rate", "75.0%"),
            "printings",
        ),
        # a text that an erratum gave, under another calculation
        (
            claim("rate", "70%", erratum={"corrected": "75%", "says": "A slip"}),
            claim(
                "rate", "75%", metric="success_rate", where={"trials": {**PLAIN["trials"], "trial": [0, 1]}}
            ),
            "calculation",
        ),
        # the printing that differs left out
        (
            {**claim("rate"), "printings": [{"text": "75%"}, {"text": "80%"}]},
            {**claim("rate"), "printings": [{"text": "75%"}]},
            "printings",
        ),
    ],
)
def test_a_redefinition_that_makes_a_difference_tie_comes_first(
    tmp_path: Path, old: Mapping[str, Any], new: Mapping[str, Any], what: str
) -> None:
    found = between(tmp_path, [old], [new])
    change = only(found)
    assert change.turned
    assert what in change.what
    assert found.exit_code == 1


def test_a_number_format_that_makes_a_difference_tie_redefines_what_is_printed(tmp_path: Path) -> None:
    tokens = claim("tokens", "1.608", sql="SELECT sum(input_tokens) AS count FROM trials", **SUMMED)
    build.artifacts(tmp_path / "old", [tokens])
    build.artifacts(tmp_path / "new", [tokens], numbers={"decimal": ",", "group": "."})
    found = review(tmp_path / "old", tmp_path / "new")
    assert (only(found).what, only(found).turned, found.exit_code) == (("numbers",), True, 1)
    assert found.heads == (
        "doc: numbers decimal changed from “.” to “,”",
        "doc: numbers group changed from “,” to “.”",
    )


def test_a_text_that_became_what_an_erratum_said_is_a_correction(tmp_path: Path, tieout: Run) -> None:
    old = claim("rate", "80%", near="trials succeed", erratum={"corrected": "75%", "says": "A slip"})
    found = between(tmp_path, [old], [claim("rate", "75%", near="of the trials")])
    change = only(found)
    assert (change.what, change.corrected, change.redefined, change.moved) == (
        ("corrected",),
        True,
        False,
        False,
    )
    assert found.exit_code == 0
    assert tieout("review", tmp_path / "old", tmp_path / "new").stdout.splitlines()[2:] == [
        "Nothing was redefined and went from differing to tying.",
        "",
        "## Corrected as an erratum said",
        "",
        "- `doc rate`: differs → ties (corrected)",
        "  - printed: `80%` → `75%`",
    ]


QUOTED = {"kind": "quoted", "locator": "Smith 2025, table 3"}


@pytest.mark.parametrize(
    ("old", "new", "part", "said"),
    [
        (
            claim("rate", "75%", unit="agents"),
            claim("rate", "75%", unit="euros"),
            "unit",
            "`agents` → `euros`",
        ),
        (
            claim("rate", "80%", **QUOTED),
            claim("rate", "80%", **{**QUOTED, "locator": "Jones 2024, table 1"}),
            "locator",
            "`Smith 2025, table 3` → `Jones 2024, table 1`",
        ),
        (
            claim("rate", "80%", **LOST),
            claim("rate", "80%", **{**LOST, "because": "nobody asked"}),
            "because",
            "`the logs were lost` → `nobody asked`",
        ),
    ],
)
def test_another_unit_source_or_reason_is_listed(
    tmp_path: Path, tieout: Run, old: Mapping[str, Any], new: Mapping[str, Any], part: str, said: str
) -> None:
    assert between(tmp_path, [old], [new]).exit_code == 0
    lines = tieout("review", tmp_path / "old", tmp_path / "new").stdout.splitlines()
    assert "## Of another unit, source or reason" in lines
    assert lines[-1] == f"  - {part}: {said}"


def test_what_a_ledger_says_beside_its_claims_is_listed_where_it_changed(tmp_path: Path, tieout: Run) -> None:
    about = {"id": "doc", "version": "1", "title": "A study"}
    for side, author, caveat, why in (("old", "Ann", "Few.", "a year"), ("new", "Bob", "Many.", "a page")):
        ledger = build.artifacts(
            tmp_path / side,
            [claim("rate", "75%", caveats=["small"])],
            document={**about, "author": author},
            caveats={"small": caveat},
        )
        build.write(
            ledger / "ledgers" / "doc" / "ignored.yaml",
            {"ignored": [{"text": "2024", "near": "in the year", "why": why}]},
        )
    run = tieout("review", tmp_path / "old", tmp_path / "new")
    assert run.returncode == 0
    assert run.stdout.splitlines()[3:] == [
        "",
        "## Ledgers",
        "",
        "- doc: the document’s author changed from “Ann” to “Bob”",
        "- doc: caveat small changed from “Few.” to “Many.”",
        "- doc: ignored “2024” near “in the year” changed from “a year” to “a page”",
    ]


def test_a_package_is_told_in_sentences(tmp_path: Path, tieout: Run) -> None:
    build.package(tmp_path / "old")
    tables = {**build.TABLES, "trials": (build.TRIALS, build.ROWS[1:], {"basis": "recorded-total"})}
    build.package(
        tmp_path / "new",
        tables,
        plan={"table": "limits", "of": "trials"},
        sources=[{"title": "a repository", "version": "2"}],
        evaluators=[{**build.JUDGE, "blinded": True}],
    )
    run = tieout("review", tmp_path / "old", tmp_path / "new")
    assert run.stdout.splitlines()[4:] == [
        "## Packages",
        "",
        "- `tiny`",
        "  - its sources gained title “a repository”, version “2”",
        "  - its sources lost title “made for the tests”",
        "  - its plan changed from nothing to table “limits”, of “trials”",
        "  - evaluator judge: blinded changed from false to true",
        "  - table trials: basis changed from “observation” to “recorded-total”",
        "  - table trials: 1 row dropped",
    ]


def test_a_new_name_does_not_hide_what_was_redefined(tmp_path: Path) -> None:
    found = between(tmp_path, [claim("rate", "100%")], [claim("success", "100%", where=RETRY)])
    change = only(found)
    assert (change.turned, change.what[:2]) == (True, ("name", "calculation"))


def test_an_input_redefined_redefines_the_claims_that_stand_on_it(tmp_path: Path) -> None:
    formula = claim("loss", "0%", formula="1 - rate", from_={"rate": "rate"})
    found = between(tmp_path, [claim("rate"), formula], [claim("rate", where=RETRY), formula])
    assert [(one.new.claim, one.turned) for one in found.changes if one.new] == [
        ("rate", False),
        ("loss", True),
    ]


@pytest.mark.parametrize("new", [[claim("rate", "80%", **LOST)], [], [claim("rate")]])
def test_a_difference_that_is_no_longer_shown_is_told_apart(tmp_path: Path, new: Claims) -> None:
    kept = claim("other", "75%")
    found = between(tmp_path, [kept, claim("rate", "80%")], [kept, *new])
    assert only(found).hidden
    assert not only(found).turned
    assert found.exit_code == 0


def test_the_same_meaning_in_other_words_is_no_redefinition(tmp_path: Path) -> None:
    sql = {"where": PLAIN, "unit": "trials", "combine": "ratio"}
    old = "SELECT count(*) FILTER (WHERE success) AS numerator, count(*) AS denominator FROM trials"
    new = "select count(*)   filter (where success) as numerator,\n count(*) as denominator\nfrom trials"
    found = between(tmp_path, [claim("rate", "75%", sql=old, **sql)], [claim("rate", "75%", sql=new, **sql)])
    assert found == Review(changes=(), heads=(), packages=())


def test_claims_added_dropped_and_reworded_are_listed_as_such(tmp_path: Path) -> None:
    old = [claim("stays", "75%"), claim("goes", "3/4"), claim("says", "75.0%")]
    new = [
        claim("stays", "75%"),
        claim("comes", "100%", where=RETRY),
        {**claim("says", "75.0%"), "says": "So"},
    ]
    found = between(tmp_path, old, new, headline=["stays"])
    listed = {
        (one.old.claim if one.old else None, one.new.claim if one.new else None): one.what
        for one in found.changes
    }
    assert listed == {("goes", None): (), ("says", "says"): ("says",), (None, "comes"): ()}
    assert found.heads == ("doc: headline gained “stays”",)
    assert found.exit_code == 0


def test_other_rows_move_a_value_without_a_redefinition(tmp_path: Path) -> None:
    build.artifacts(tmp_path / "old", [claim("rate", "100%")])
    build.artifacts(tmp_path / "new", [claim("rate", "100%")])
    rows = [{**row, "success": True} for row in build.ROWS if row["task_id"] == "a"]
    tables = {**build.TABLES, "trials": (build.TRIALS, rows, {"basis": "observation"})}
    build.package(tmp_path / "new" / "packages" / "tiny", tables)
    found = review(tmp_path / "old", tmp_path / "new")
    change = only(found)
    assert (change.moved, change.redefined, found.exit_code) == (True, False, 0)
    [package] = found.packages
    [trials] = package.rows
    # the four rows of task b are gone, and one failure of task a is a success now
    assert (trials.table, trials.added, trials.dropped, trials.changed) == ("trials", 0, 4, 1)
    assert trials.columns == {"success": 1}


def test_a_swapped_evaluator_redefines_what_it_judged(tmp_path: Path) -> None:
    build.artifacts(tmp_path / "old", [claim("rate", "75%")])
    build.artifacts(tmp_path / "new", [claim("rate", "75%")])
    panel = {"id": "panel", "kinds": ["human"], "in_loop": False}
    properties = {**build.TRIALS["properties"]}
    properties["success"] = {**properties["success"], "tieout": {"role": "outcome", "evaluator": "panel"}}
    form = {**build.TRIALS, "properties": properties}
    tables = {**build.TABLES, "trials": (form, build.ROWS, {"basis": "observation"})}
    build.package(tmp_path / "new" / "packages" / "tiny", tables, evaluators=[panel])
    found = review(tmp_path / "old", tmp_path / "new")
    assert only(found).what == ("judge or instrument",)
    [package] = found.packages
    assert package.says[:2] == ("evaluator judge is gone", "evaluator panel is new")
    assert package.says[2] == (
        "table trials, column success: tieout evaluator changed from “judge” to “panel”"
    )


def test_a_check_redefined_until_no_row_breaks_it_comes_first(tmp_path: Path) -> None:
    rule = {**build.CHECKS[0], "sql": "SELECT * FROM trials WHERE input_tokens > 300"}
    eased = {**rule, "sql": "SELECT * FROM trials WHERE input_tokens > 301"}
    build.package(tmp_path / "old", checks=[rule])
    build.package(tmp_path / "new", checks=[eased])
    found = review(tmp_path / "old", tmp_path / "new")
    [package] = found.packages
    assert package.turned_checks == ("cached-inside",)
    assert package.says == ("check cached-inside: its rule is another; 1 row broke it before, 0 rows now",)
    assert found.exit_code == 1


def git(root: Path, *arguments: str) -> None:
    environment = {
        **os.environ,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        **{
            f"GIT_{who}_{key}": f"tests{at}"
            for who in ("AUTHOR", "COMMITTER")
            for key, at in (("NAME", ""), ("EMAIL", "@example.org"))
        },
    }
    subprocess.run(["git", "-C", str(root), *arguments], check=True, capture_output=True, env=environment)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository whose last commit changed the filter of a claim that differed."""
    root = tmp_path / "repository"
    root.mkdir()
    git(root, "init", "-q")
    build.artifacts(root / "artifacts", [claim("rate", "100%")])
    # an attribute that would keep a section out of `git archive`
    (root / ".gitattributes").write_text("sections export-ignore\n", encoding="utf-8")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "first")
    build.ledger(root / "artifacts" / "ledgers" / "doc", [claim("rate", "100%", where=RETRY)])
    git(root, "commit", "-q", "-a", "-m", "second")
    return root


def test_a_revision_is_compared_with_the_folder_it_became(repository: Path, tieout: Run) -> None:
    run = tieout("review", "HEAD~1:", "artifacts/ledgers/doc", cwd=repository)
    assert run.stderr == ""
    assert run.returncode == 1
    assert run.stdout == (
        "# Review: `HEAD~1:` to `artifacts/ledgers/doc`\n"
        "\n"
        "**1 redefined, and from differing to tying.** Please look at these first.\n"
        "\n"
        "## Redefined, and from differing to tying\n"
        "\n"
        "- `doc rate`: differs → ties (calculation)\n"
        "  - value: `0.75` → `1`\n"
        "  - calculation: `success_rate; where trials (policy plain)` → `success_rate; where trials (policy retry)`\n"
    )


def test_two_revisions_are_compared_as_json_and_the_folder_is_left_alone(
    repository: Path, tieout: Run
) -> None:
    run = tieout("review", "HEAD~1:artifacts", "HEAD:", "--json", cwd=repository)
    assert run.returncode == 1
    [change] = json.loads(run.stdout)["claims"]
    assert (change["turned"], change["old"]["value"], change["new"]["value"]) == (True, "3/4", "1")
    status = subprocess.run(
        ["git", "-C", str(repository), "status", "--porcelain"], capture_output=True, check=True, text=True
    )
    assert status.stdout == ""


def test_nothing_changed_says_so(repository: Path, tieout: Run) -> None:
    run = tieout("review", "HEAD:", "artifacts", cwd=repository)
    assert run.returncode == 0
    assert run.stdout.splitlines()[2:] == [
        "Nothing was redefined and went from differing to tying.",
        "",
        "No claim, ledger or package differs in meaning.",
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "nowhere",
            "artifacts",
            "nowhere: no such folder, and no revision with a path (as HEAD~1:artifacts, or HEAD~1:)",
        ),
        (
            "--output=x:",
            "artifacts",
            "--output=x:: no such folder, and no revision with a path (as HEAD~1:artifacts, or HEAD~1:)",
        ),
        ("HEAD:", "HEAD~1:", "HEAD: and HEAD~1:: neither says which path is meant"),
        ("HEAD:nothing", "artifacts", "HEAD:nothing: revision HEAD has no folder nothing"),
        ("HEAD:../elsewhere", "artifacts", "HEAD:../elsewhere: revision HEAD has no folder ../elsewhere"),
    ],
)
def test_a_place_that_is_not_there_is_refused(
    repository: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, message: str
) -> None:
    monkeypatch.chdir(repository)
    with pytest.raises(CannotOpen) as caught, folders(place(old), place(new)):
        pass
    assert str(caught.value) == message


def test_a_revision_that_the_repository_lacks_is_refused(repository: Path, tieout: Run) -> None:
    run = tieout("review", "v9:", "artifacts", cwd=repository)
    assert run.returncode == 2
    assert run.stderr == f"tieout: v9:: the repository {repository.resolve()} has no revision v9\n"


def test_a_link_in_a_revision_is_refused(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (repository / "artifacts" / "ledgers" / "link").symlink_to("/etc")
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "third")
    monkeypatch.chdir(repository)
    with pytest.raises(CannotOpen) as caught, folders(place("HEAD:"), place("artifacts")):
        pass
    assert str(caught.value) == "HEAD:: artifacts/ledgers/link is no regular file"


def test_what_a_ledger_says_is_no_markup() -> None:
    assert code("a `b` ``c``") == "``` a `b` ``c`` ```"
    assert code("one\n\n# two") == "`one # two`"
    assert text("<img src=x> [a](b) @user #1 **x**") == (r"\<img src=x\> \[a\]\(b\) \@user \#1 \*\*x\*\*")
