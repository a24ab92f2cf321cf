"""Where a package's receipts come from, ranked by how far they are from the document's author."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from tieout.package import Package

RANKS = ("typed", "author's export", "harness log with hash", "third party")  # weakest first
DERIVED = "derived from sources, contributors and bases: the descriptor has no field that states it"
LOG = re.compile(r"\S+\.(?:json|jsonl|ndjson|eval|log|parquet|csv)(?:\.\w+)?\b", re.IGNORECASE)
HASH = re.compile(r"(?<![0-9a-z])[0-9a-f]{7,64}(?![0-9a-z])", re.IGNORECASE)
TYPED = frozenset({"design", "fixture", "fixture-made-to-match"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """Where some tables come from; `rank` counts from 0 (typed) to 3 (third party), `because` says what shows it."""

    rank: int
    kind: str
    tables: tuple[str, ...]
    because: str

    def to_json(self) -> dict[str, Any]:
        """As plain data, with the note that no field of the descriptor states it."""
        return {
            "rank": self.rank,
            "kind": self.kind,
            "tables": list(self.tables),
            "because": self.because,
            "note": DERIVED,
        }


def sources_of(package: Package, author: str) -> tuple[Source, ...]:
    """The package's tables that no instrument made, by where they come from, weakest first.

    A table whose basis is a fixture or a design was typed. The others come from the package's sources: a third party's
    where no contributor is the document's author, a harness log where a source names a file and a hash, else the
    author's export; typed where no source says where it is. A commit fixes what the file was when it was published,
    and not what a run wrote.
    """
    own = {name: table for name, table in package.tables.items() if table.derivation is None}
    typed = tuple(name for name, table in own.items() if table.basis in TYPED)
    rest = tuple(name for name, table in own.items() if table.basis not in TYPED)
    found: list[Source] = []
    if typed:
        bases = sorted({own[name].basis for name in typed})
        found.append(
            Source(rank=0, kind=RANKS[0], tables=typed, because=f"their basis is {', '.join(bases)}")
        )
    if rest:
        rank, because = _rank(package, author)
        found.append(Source(rank=rank, kind=RANKS[rank], tables=rest, because=because))
    return tuple(sorted(found, key=lambda source: source.rank))


def _rank(package: Package, author: str) -> tuple[int, str]:
    sources: list[dict[str, Any]] = package.descriptor.get("sources", [])
    places = [source for source in sources if source.get("path")]
    if not places:
        return 0, "no source has a path"
    people = [str(entry["title"]) for entry in package.descriptor.get("contributors", [])]
    if author and people and author not in people:
        return 3, f"its contributors are {', '.join(people)}, the document's author is {author}"
    for source in places:
        log, fixed = LOG.search(f"{source['title']} {source['path']}"), HASH.search(source.get("version", ""))
        if log and fixed:
            return 2, f"a source is the file {log[0].rpartition('/')[2]} at {fixed[0]}"
    versions = [str(source["version"]) for source in places if source.get("version")]
    at = f" at {'; '.join(versions)}" if versions else ", and no version fixes what it was"
    return 1, f"a source is {places[0]['title']}{at}"
