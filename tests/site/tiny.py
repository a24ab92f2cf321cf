"""A tiny study with every kind of verdict and a name that Markdown, mathematics and HTML would like to eat."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from tests import build
from tieout.site.model import Site, gather
from tieout.verify import Options

HOSTILE = "gpt_4_*|$x$<b>"
ANSWERS = build.schema(
    "answers",
    ["answer_id"],
    {
        "answer_id": build.role(build.TEXT, "case"),
        "model": build.role(build.TEXT, "condition"),
        "right": build.role(build.FLAG, "outcome", evaluator="judge"),
    },
)
ANSWER_ROWS = [
    {"answer_id": "a", "model": HOSTILE, "right": True},
    {"answer_id": "b", "model": HOSTILE, "right": False},
    {"answer_id": "c", "model": "plain", "right": True},
]
COUNTED = "SELECT count(*) AS count FROM answers"
PLAIN = {"trials": {"policy": "plain"}}
RETRY = {"trials": {"policy": "retry"}}
# Three of four trials under `plain` succeed, all four under `retry`.
CLAIMS: list[dict[str, Any]] = [
    build.claim("plain-rate", "75%"),
    build.claim("retry-rate", "100%", where=RETRY),
    build.claim("plain-count", "3", of="numerator", caveats=["small"]),
    build.claim(
        "gain",
        "1.5×",
        formula="retry / plain",
        from_={"retry": "retry-rate", "plain": "plain-rate"},
        erratum={"corrected": "1.33×", "says": "Four trials over three.", "published": None},
    ),
    build.claim(
        "hostile", "2", sql=COUNTED, combine="sum", unit="answers", where={"answers": {"model": HOSTILE}}
    ),
    build.claim("inner", sql=COUNTED, combine="sum", unit="answers", where={"answers": "all"}),
    build.claim(
        "no-worse", "no worse", asserts="retry >= plain", from_={"retry": "retry-rate", "plain": "plain-rate"}
    ),
    build.claim("theirs", "0.5", kind="quoted", locator="another paper, table 2"),
    build.claim("lost", "12", kind="not-recomputable", because=f"The prompts of {HOSTILE} were not kept."),
]


def artifacts(root: Path) -> Path:
    """The package and the ledger, where the command looks for them."""
    tables = {**build.TABLES, "answers": (ANSWERS, ANSWER_ROWS, {"basis": "fixture"})}
    build.package(root / "packages" / "tiny", tables)
    build.ledger(
        root / "ledgers" / "doc",
        CLAIMS,
        document={"id": "doc", "version": "1", "title": f"A study of {HOSTILE}", "author": "The tests"},
        headline=["plain-rate", "gain"],
        caveats={"small": "Four trials are few."},
    )
    return root


@cache
def gathered(*, audited: bool = False) -> Site:
    """The study as pages see it, verified as a draft; once for all tests."""
    root = artifacts(Path(tempfile.mkdtemp(prefix="tieout-tiny-")))
    return Site(gather([root], Options(frozen=False, locked=False), audited=audited))
