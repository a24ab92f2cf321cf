"""What the documentation says is what happens: README, help pages, make targets."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
import yaml

from tests.conftest import ROOT, Run
from tests.documents import document_text
from tests.site.conftest import need_site

README = (ROOT / "README.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def console() -> Iterator[tuple[str, str]]:
    """Every command that a `console` block of the README types, with the output shown below it."""
    for block in re.findall(r"^```console\n(.*?)^```$", README, re.MULTILINE | re.DOTALL):
        yield from re.findall(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)


CONSOLE = list(console())


def shown(output: str) -> re.Pattern[str]:
    """The output as a pattern: a line that is an ellipsis alone stands for any lines, everything else for itself."""
    parts = re.split(r"^…\n", output, flags=re.MULTILINE)
    return re.compile(r"(?:.*\n)*".join(map(re.escape, parts)))


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder to try examples in: the artifacts, copied, so that an example may write."""
    shutil.copytree(ROOT / "artifacts", tmp_path / "artifacts")
    return tmp_path


@pytest.mark.parametrize(("command", "output"), CONSOLE, ids=[command for command, _ in CONSOLE])
def test_the_readme_shows_what_its_commands_print(command: str, output: str, desk: Path, tieout: Run) -> None:
    program, *arguments = shlex.split(command)
    if command in {"make", "make test"}:
        assert output == "", "the one is tested with the site, the other is the run that this test is part of"
        return
    if command == "make verify":
        program, arguments = "tieout", ["verify"]
    assert program == "tieout"
    ran = tieout(*arguments, cwd=desk)
    assert ran.returncode in (0, 1), ran.stderr
    assert shown(output).fullmatch(ran.stdout) if output else True, ran.stdout


def make(*arguments: str) -> str:
    return subprocess.run(
        ["make", "--no-print-directory", *arguments],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
        encoding="utf-8",
    ).stdout


def targets() -> set[str]:
    (phony,) = re.findall(r"^\.PHONY: (.+)$", MAKEFILE, re.MULTILINE)
    return set(phony.split())


def test_make_help_lists_every_target() -> None:
    assert {line.split()[1] for line in make("help").splitlines()} == targets()


def test_every_make_target_that_the_readme_names_exists() -> None:
    assert set(re.findall(r"`?make ([a-z]+)", README)) <= targets()


def test_make_alone_makes_the_site() -> None:
    assert re.search(r"^\.DEFAULT_GOAL := site$", MAKEFILE, re.MULTILINE)
    assert re.search(r"^site: .*\n\t@\$\(BIN\)/tieout render \$\(ARGS\)$", MAKEFILE, re.MULTILINE)


def test_the_layout_names_folders_that_exist() -> None:
    (layout,) = re.findall(r"^## Layout\n\n```\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    folders = [line.split()[0] for line in layout.splitlines()]
    assert [folder for folder in folders if not (ROOT / folder).is_dir()] == []


def test_the_readme_names_every_package_and_ledger() -> None:
    table = {
        name
        for line in README.splitlines()
        if line.startswith("| `")
        for name in re.findall(r"`([^`]+)`", line)
    }
    packages = {path.parent.name for path in ROOT.glob("artifacts/packages/*/package.yaml")}
    ledgers = {path.parent.name for path in ROOT.glob("artifacts/ledgers/*/ledger.yaml")}
    assert packages
    assert ledgers
    assert packages | ledgers <= table


def test_the_readme_names_the_packages_of_each_ledger() -> None:
    table = README.partition("| ledger | document | packages |")[2].partition("\n\n")[0]
    for path in ROOT.glob("artifacts/ledgers/*/ledger.yaml"):
        (line,) = [
            line for line in table.splitlines() if f"`{path.parent.name}`" in line[: line.find("|", 2)]
        ]
        bound = set(yaml.safe_load(path.read_text(encoding="utf-8"))["packages"].values())
        assert bound <= set(re.findall(r"`([^`]+)`", line.split("|")[3])), path.parent.name


@pytest.mark.parametrize(
    ("package", "table", "count"),
    [
        ("album-memory-1", "answers", r"(\d+) answers"),
        ("album-memory-2", "trajectories", r"(\d+) trajectories"),
        ("album-memory-2", "turns", r"(\d+) conversation turns"),
        ("tau-bench-airline", "trials", r"(\d+) trials"),
    ],
)
def test_the_readme_counts_rows_right(package: str, table: str, count: str) -> None:
    from pyarrow import parquet

    (line,) = [line for line in README.splitlines() if line.startswith(f"| `{package}` |")]
    rows = parquet.read_metadata(ROOT / "artifacts/packages" / package / f"receipts/{table}.parquet").num_rows
    assert re.findall(count, line) == [str(rows)]


def commands(
    group: click.Group, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command below a group, with the words that call it."""
    context = click.Context(group, info_name="tieout")
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None, name
        yield (*path, name), command
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))


def group() -> click.Group:
    import tieout.cli

    assert isinstance(tieout.cli.main, click.Group)
    return tieout.cli.main


def test_the_readme_names_every_command_and_no_other() -> None:
    named = set(re.findall(r"^\| `tieout ([a-z]+)` \|", README, re.MULTILINE))
    assert named == {words[0] for words, _ in commands(group())}


def test_every_command_has_a_help_page_that_says_what_it_is_for() -> None:
    assert [words for words, command in commands(group()) if len(command.get_short_help_str()) < 10] == []


def test_every_option_says_what_it_does() -> None:
    silent = [
        (*words, parameter.name)
        for words, command in commands(group())
        for parameter in command.params
        if isinstance(parameter, click.Option) and not parameter.help
    ]
    assert silent == []


def test_every_example_of_the_help_pages_runs(desk: Path, studies: Path, tieout: Run) -> None:
    """An example stands on a line of its own: indented, and beginning with `tieout`."""
    for study in studies.iterdir():
        if study.is_dir():
            shutil.copytree(study, desk / study.name)
    for name in ("part-i", "part-ii"):
        (desk / f"{name}.txt").write_text(document_text(name), encoding="utf-8")
    examples = []
    for words, _ in [((), None), *commands(group())]:
        page = tieout(*words, "--help").stdout
        found = re.findall(r"^ +(?:\$ )?(tieout .+)$", page, re.MULTILINE)
        assert found, f"no example in the help of {' '.join(('tieout', *words))}"
        examples += [example for example in found if example not in examples]
    failed = {}
    # what npm brought once is enough for every site that an example makes
    environment = {**os.environ, "TIEOUT_CACHE": str(ROOT / ".tieout-cache")}
    for example in examples:
        ran = tieout(*shlex.split(example)[1:], cwd=desk, env=environment)
        if ran.returncode not in (0, 1) or "Traceback" in ran.stderr:
            failed[example] = ran.stderr
    assert failed == {}


GUIDE = (ROOT / "GUIDE.md").read_text(encoding="utf-8")
STEP = re.compile(
    r"^`(?P<file>[^`\n]+)`:\n\n```\w+\n(?P<text>.*?)^```$|^```console\n(?P<typed>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


def test_the_guide_leads_from_tables_to_a_site(tmp_path: Path, tieout: Run) -> None:
    need_site()
    written: list[str] = []
    typed: list[str] = []
    for step in STEP.finditer(GUIDE):
        if step["file"]:
            path = tmp_path / step["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(step["text"], encoding="utf-8")
            written.append(step["file"])
            continue
        for command, output in re.findall(
            r"^\$ tieout (.+)\n((?:(?!\$ ).*\n)*)", step["typed"], re.MULTILINE
        ):
            ran = tieout(*shlex.split(command), cwd=tmp_path)
            assert ran.returncode == 0, ran.stderr
            assert shown(output).fullmatch(ran.stdout), ran.stdout
            typed.append(command.split()[0])
    assert len(written) == 11
    assert typed == [
        *("import", "freeze", "claims", "freeze", "verify", "show", "audit", "render"),
        *("claims", "verify"),
    ]
    assert (tmp_path / "site" / "claims" / "report" / "cost-retry.html").is_file()
