"""What figures draw from: tables of packages, and the claims of a verification that hold the same numbers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from tieout.strict import read_yaml

if TYPE_CHECKING:
    import pandas as pd

Filter = Mapping[str, object]
"""A claim's `where`: a table's name to its terms, those declared unfiltered left out."""


class Ref(NamedTuple):
    """A claim: the ledger's document and the claim's id in it."""

    ledger: str
    claim: str


class Source(Protocol):
    """What the site gives to figures."""

    @property
    def report(self) -> Mapping[str, Any]:
        """The whole of `tieout verify --json`."""

    def table(self, package: str, table: str) -> pd.DataFrame:
        """A table of a package with pyarrow dtypes. Raises KeyError where there is none."""

    def claim(self, ledger: str, claim: str) -> Mapping[str, Any]:
        """A claim as `tieout verify --json` has it. Raises KeyError where there is none."""


@dataclass(frozen=True, kw_only=True)
class Folder:
    """A source that reads the packages in a folder; `report` is the JSON of a verification."""

    packages: Path
    report: Mapping[str, Any] = field(default_factory=lambda: {"ledgers": []})

    @classmethod
    def read(cls, packages: Path, report: Path) -> Folder:
        """A source over a folder of packages and a file that holds the JSON of a verification."""
        return cls(packages=packages, report=json.loads(report.read_text(encoding="utf-8")))

    def table(self, package: str, table: str) -> pd.DataFrame:
        """A table of a package with pyarrow dtypes. Raises KeyError where there is none."""
        import pandas as pd

        file = self.packages / package / "package.yaml"
        if not file.is_file():
            raise KeyError(f"no package {package}")
        entry = read_yaml(file, file.name).value["tables"][table]
        return pd.read_parquet(file.parent / entry["file"], dtype_backend="pyarrow")

    def claim(self, ledger: str, claim: str) -> Mapping[str, Any]:
        """A claim as `tieout verify --json` has it. Raises KeyError where there is none."""
        return self._claims[Ref(ledger, claim)]

    @cached_property
    def _claims(self) -> dict[Ref, Mapping[str, Any]]:
        return dict(claims(self))


def claims(source: Source) -> Iterator[tuple[Ref, Mapping[str, Any]]]:
    """Every claim of the report with its address, in printed order."""
    for ledger in source.report["ledgers"]:
        for claim in ledger["claims"]:
            yield Ref(ledger["document"], claim["id"]), claim


def holding(
    source: Source, package: str, metric: str, where: Filter, params: Mapping[str, object] | None = None
) -> list[Ref]:
    """The claims that are this metric of this package under exactly this filter, in whatever ledger."""
    return [
        ref
        for ref, claim in _by_metric(source).get((package, metric), ())
        if _filtered(claim["where"]) == where and dict(claim["params"]) == dict(params or {})
    ]


Held = dict[tuple[str, str], list[tuple[Ref, Mapping[str, Any]]]]
_last: list[
    tuple[Mapping[str, Any], Held]
] = []  # of the report asked last, since all figures of a site ask one


def _by_metric(source: Source) -> Held:
    if not _last or _last[0][0] is not source.report:
        held: Held = {}
        for ref, claim in claims(source):
            held.setdefault((claim["package"], claim["metric"]), []).append((ref, claim))
        _last[:] = [(source.report, held)]
    return _last[0][1]


def value(claim: Mapping[str, Any], part: str = "value") -> Fraction | bool | None:
    """A claim's value, or one of its columns; None where it has none. A binary64 comes as the "
    "Fraction of its bits."""
    text = claim["value"] if part == "value" else claim["columns"].get(part)
    if text is None:
        return None
    if text in {"true", "false"}:
        return bool(text == "true")
    return Fraction(text) if claim["exact"] else Fraction(float(text))


def _filtered(where: Mapping[str, object] | None) -> dict[str, object]:
    return {table: terms for table, terms in (where or {}).items() if terms != "all"}
