"""Kernels for pages: they start early or with the first page, and not at all for pages without code."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.site.conftest import need_site
from tieout.errors import Invalid
from tieout.site.engines.builtin.runner import Runner
from tieout.site.engines.builtin.source import Page, read_page


@pytest.fixture(autouse=True)
def _site() -> None:
    need_site()


def page(folder: Path, name: str, body: str) -> Page:
    path = folder / f"{name}.qmd"
    path.write_text(f"---\ntitle: {name}\n---\n\n{body}\n", encoding="utf-8")
    return read_page(path)


def test_pages_run_in_their_order_each_in_an_empty_namespace(tmp_path: Path) -> None:
    first = page(tmp_path, "first", "```{python}\nimport os\nx = os.environ['GIVEN']\nx\n```")
    second = page(tmp_path, "second", "It is `{python} 'x' in dir()`.")
    with Runner({"GIVEN": "one"}, str(tmp_path)) as runner:
        runner.begin(1)
        ran = [runner.run(first), runner.run(second)]
        runner.end()
        assert [result["text/plain"] for result in ran[0].result().outputs[0]] == ["'one'"]
        assert [result["text/plain"] for result in ran[1].result().inline] == ["False"]


def test_a_page_without_code_starts_no_kernel(tmp_path: Path) -> None:
    with Runner({}, "/nowhere") as runner:
        ran = runner.run(page(tmp_path, "plain", "All is well.")).result()
    assert (ran.outputs, ran.inline) == ((), ())


def test_what_is_wrong_in_a_page_comes_out_where_its_results_are_asked_for(tmp_path: Path) -> None:
    with Runner({}, str(tmp_path)) as runner:
        ran = runner.run(page(tmp_path, "wrong", "It is `{python} 1 / 0`."))
        with pytest.raises(Invalid) as error:
            ran.result()
    [fault] = error.value.faults
    assert (fault.file, fault.row, fault.code) == ("wrong.qmd", 5, "inline-failed")


def test_two_pages_run_at_the_same_time(tmp_path: Path) -> None:
    """Each waits for a file that the other writes."""
    code = "```{{python}}\nimport pathlib, time\npathlib.Path('{0}').touch()\nwhile not pathlib.Path('{1}').exists():\n"
    code += "    time.sleep(0.01)\n```"
    with Runner({}, str(tmp_path)) as runner:
        ran = [runner.run(page(tmp_path, *given)) for given in _crossed(code)]
        assert [result.result().page.name for result in ran] == ["left", "right"]


def _crossed(code: str) -> list[tuple[str, str]]:
    return [("left", code.format("a", "b")), ("right", code.format("b", "a"))]


def test_pages_that_nobody_waits_for_are_given_up(tmp_path: Path) -> None:
    slow = page(tmp_path, "slow", "```{python}\nimport time\ntime.sleep(0.2)\n```")
    with Runner({}, str(tmp_path)) as runner:
        ran = [runner.run(slow) for _ in range(200)]
    assert ran[-1].cancelled()
