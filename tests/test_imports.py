"""Starting up stays quick: what the command may import before it knows what to do."""

from __future__ import annotations

import json
import subprocess
import sys

SCRIPT = """
import json, sys
before = set(sys.modules)
from tieout.cli import main
sys.argv = ["tieout", *sys.argv[1:]]
try:
    main()
except SystemExit:
    pass
tops = {name.partition(".")[0] for name in set(sys.modules) - before}
print(json.dumps(sorted(tops - set(sys.stdlib_module_names))), file=sys.stderr)
"""


def imported(*arguments: str) -> list[str]:
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT, *arguments],
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
    )
    modules: list[str] = json.loads(run.stderr.splitlines()[-1])
    return modules


def test_help_imports_click_and_nothing_else() -> None:
    assert imported("--help") == ["click", "tieout"]


def test_the_version_imports_click_and_nothing_else() -> None:
    assert imported("--version") == ["click", "tieout"]
