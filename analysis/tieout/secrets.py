"""What should not be published: keys and tokens by their shapes, and paths that name a person's home.

A finding names its place and its kind and never what stands there. Every shape is of the subset that RE2 and Python
read alike, so that the engine looks through Parquet and Python through text.
"""

from __future__ import annotations

import codecs
import re
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tieout.errors import Fault
from tieout.folder import files_of
from tieout.schema.columns import Column, literal
from tieout.schema.query import ROW_NUMBER, Query

LISTED = 20  # places in one file; all are counted
BLOCK = 8 * 2**20  # bytes of a text that are looked through at a time
LONGEST = 4096  # characters of which every shape that begins there also ends there

# No shape begins or ends in the middle of a word: `\b` and the classes keep ordinary identifiers out. Repetitions are
# bounded, or end where the next part begins: Python's engine goes back over whatever a part may give up.
SHAPES: dict[str, str] = {
    "an access key of AWS": r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
    "a token of GitHub": r"\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{60})",
    "a token of GitLab": r"\bglpat-[A-Za-z0-9_-]{20}",
    "a key of a model provider": r"\bsk-(?:[A-Za-z0-9]{0,19}[_-]){0,12}[A-Za-z0-9]{20}",
    "a token of Hugging Face": r"\bhf_[A-Za-z0-9]{34}\b",
    "a key of Google": r"\bAIza[A-Za-z0-9_-]{35}",
    "a token of Slack": r"\bxox[abeoprs]-[A-Za-z0-9-]{10}",
    "a live key of Stripe": r"\b[rs]k_live_[A-Za-z0-9]{20}",
    "a token of npm or PyPI": r"\b(?:npm_[A-Za-z0-9]{36}\b|pypi-AgE[A-Za-z0-9_-]{50})",
    "a private key": r"-----BEGIN [A-Z ]{0,20}PRIVATE KEY",
    "a signed web token": r"\beyJ[A-Za-z0-9_-]{10,200}\.eyJ[A-Za-z0-9_-]{10,800}\.[A-Za-z0-9_-]{10}",
    "a password in a URL": r"[a-z][a-z0-9+.-]{1,20}://[^/@:\s]{1,100}:[^/@:\s]{1,100}@",
    "an authorization header": r"\b[Bb]earer [A-Za-z0-9._~+/-]{30}",
    "a path in a person's home": (
        r"(?:/home/|/Users/|[A-Za-z]:\\{1,2}Users\\{1,2})[A-Za-z0-9._-]+[/\\]|/roo[t]/[A-Za-z0-9._-]"
    ),
}
# One of these stands in every text that has one of the shapes: sought first, since their automaton stays small.
BEGINNINGS = (
    r"AKIA|ASIA|gh[pousr]_|github_pat_|glpat-|\bsk-|\bhf_|AIza|\bxox|k_live_|npm_|pypi-|-----BEGIN|\beyJ|://|earer |"
    r"/home/|/Users/|:\\{1,2}Users|/roo[t]/"
)
ANY = "|".join(f"(?:{shape})" for shape in SHAPES.values())


def in_folder(root: Path, tables: Collection[str] = ()) -> list[Fault]:
    """Secrets in the files of a package or a ledger, whatever they are; those of its `tables` are for `in_table`."""
    return [
        fault
        for name in files_of(root)
        if name not in tables and stat.S_ISREG((root / name).lstat().st_mode)
        for fault in in_text(root / name, name)
    ]


def in_text(path: Path, file: str) -> list[Fault]:
    """Secrets in a file taken as text; `file` is the name that faults give, a fault's row its line."""
    places: list[Fault] = []
    count = 0
    for line, text, begin, end in _blocks(path):
        found = sorted((match.start(), kind) for kind, match in _found(text) if begin <= match.start() < end)
        for start, kind in found[: LISTED - len(places)]:
            places.append(_fault(kind, file, line + text.count("\n", begin, start), None))
        count += len(found)
    return _listed(places, count, file)


def _blocks(path: Path) -> Iterator[tuple[int, str, int, int]]:
    """A text in pieces, each with the line of its first new character, and where what is new in it begins and ends.

    One character stands before that, since a shape begins where a word does; after it, what the next piece begins with.
    """
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    text, begin, line = "", 0, 1
    with path.open("rb") as stream:
        while True:
            data = stream.read(BLOCK)
            text += decoder.decode(data, final=not data)
            end = max(begin, len(text) - LONGEST) if data else len(text)
            yield line, text, begin, end
            if not data:
                return
            line += text.count("\n", begin, end)
            text, begin = (text[end - 1 :], 1) if end else (text, 0)


def in_table(
    query: Query, table: str, columns: Iterable[Column], schema: Mapping[str, Any], file: str
) -> list[Fault]:
    """Secrets in the texts of a table, nested ones too, but for columns whose values its row schema lists.

    `table` is the table in SQL, its rows numbered as `ROW_NUMBER`.
    """
    texts = {
        column.name: column.fetched
        for column in columns
        if column.kind in {"string", "array", "object"}
        and "enum" not in schema["properties"].get(column.name, {})
    }
    if not texts:
        return []
    # One small automaton over a row's texts together: nearly every table ends here.
    together = f"concat_ws(chr(10), {', '.join(texts.values())})"
    [[begun]] = query(f"SELECT count(*) FROM {table} WHERE regexp_matches({together}, {literal(BEGINNINGS)})")
    if not begun:
        return []
    counts = ", ".join(f"count(*) FILTER (WHERE {_matches(text)})" for text in texts.values())
    [found] = query(f"SELECT {counts} FROM {table}")
    faults: list[Fault] = []
    for (column, name), count in zip(texts.items(), found, strict=True):
        if not count:
            continue
        kinds = " ".join(
            f"WHEN regexp_matches({name}, {literal(each)}) THEN {index}"
            for index, each in enumerate(SHAPES.values())
        )
        rows = query(
            f"SELECT {ROW_NUMBER}, CASE {kinds} END AS kind FROM {table} "
            f"WHERE {_matches(name)} ORDER BY 1 LIMIT {LISTED}"
        )
        names = list(SHAPES)
        places = [_fault(names[int(kind)], file, int(row), column) for row, kind in rows]
        faults += _listed(places, int(count), file)
    return faults


def _matches(name: str) -> str:
    # A CASE is worked through in its order; the parts of an AND may be turned round.
    begins, is_one = (f"regexp_matches({name}, {literal(pattern)})" for pattern in (BEGINNINGS, ANY))
    return f"CASE WHEN {begins} THEN {is_one} ELSE false END"


def _found(text: str) -> Iterator[tuple[str, re.Match[str]]]:
    if not re.search(BEGINNINGS, text, re.ASCII):
        return
    for kind, shape in SHAPES.items():
        for found in re.finditer(shape, text, re.ASCII):
            yield kind, found


def _fault(kind: str, file: str, row: int, column: str | None) -> Fault:
    message = f"this looks like {kind}, which is not shown here; take it out and make it void"
    if kind.startswith("a path"):
        message = f"this looks like {kind}, which is not shown here; take it out"
    return Fault(code="secret", message=message, file=file, row=row, column=column)


def _listed(places: Sequence[Fault], count: int, file: str) -> list[Fault]:
    if count <= LISTED:
        return list(places)
    message = f"{count:,} such places; the first {LISTED} are listed"
    return [*places[:LISTED], Fault(code="secret", message=message, file=file)]
