"""A fuzz target for what reads a stranger's texts: descriptors, ledgers, schemas, printed numbers, formulas, SQL.

    python tests/fuzz/fuzz.py [SECONDS]

Whatever the text is, a reader returns or raises a TieoutError; anything else is a defect, and the text is written to
`tests/fuzz/crashes`. It begins from the repository's own documents and printings. Needs atheris (Linux, macOS).
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["tieout"]):
    from tieout.errors import TieoutError
    from tieout.folder import read_sums
    from tieout.formula import parse
    from tieout.ledger import open_ledger
    from tieout.package import open_package
    from tieout.printed import NumberFormat, read, read_range
    from tieout.schema.documents import check_document
    from tieout.schema.row_schema import check_row_schema
    from tieout.sqltext import check
    from tieout.strict import load_json, load_yaml

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FORMATS = (NumberFormat(), NumberFormat(decimal=",", group="."))


def descriptor(data: bytes) -> None:
    """A package.yaml, and the package that it would be."""
    check_document(load_yaml(data, "package.yaml"), "package", "package.yaml")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "package.yaml").write_bytes(data)
        open_package(Path(folder), frozen=False)


def section(data: bytes) -> None:
    """A section of a ledger, and the ledger that it would be."""
    check_document(load_yaml(data, "01.yaml"), "section", "01.yaml")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "sections").mkdir()
        (Path(folder) / "sections" / "01.yaml").write_bytes(data)
        head = 'document: {id: d, version: "1", title: T}\npackages: {m2: a, t: tiny}\n'
        (Path(folder) / "ledger.yaml").write_text(head, encoding="utf-8")
        open_ledger(Path(folder))


def row_schema(data: bytes) -> None:
    """A table's schema."""
    check_row_schema(load_json(data, "t.json"), "t.json")


def sums(data: bytes) -> None:
    """A SHA256SUMS file."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "SHA256SUMS").write_bytes(data)
        read_sums(Path(folder) / "SHA256SUMS", [])


def printing(data: bytes) -> None:
    """A printed number, or a range."""
    text = data.decode("utf-8", errors="replace")
    for form in FORMATS:
        for reader in (read, read_range):
            try:
                reader(text, form)
            except TieoutError:
                continue


def formula(data: bytes) -> None:
    """A formula."""
    parse(data.decode("utf-8", errors="replace"))


def sql(data: bytes) -> None:
    """A query."""
    check(data.decode("utf-8", errors="replace"), ["trials", "calls"])


# The first byte of an input says which reader gets the rest.
READERS: tuple[Callable[[bytes], None], ...] = (
    descriptor,
    section,
    row_schema,
    sums,
    printing,
    formula,
    sql,
)


def one(data: bytes) -> None:
    """One input, to the reader that its first byte names."""
    if not data:
        return
    try:
        READERS[data[0] % len(READERS)](data[1:])
    except TieoutError:
        return


def seeds(folder: Path) -> None:
    """The corpus to begin from: the repository's own texts, small ones whole and long ones from their beginning."""
    given: list[tuple[Callable[[bytes], None], bytes]] = []
    artifacts = ROOT / "artifacts"
    given += [(descriptor, path.read_bytes()) for path in artifacts.glob("packages/*/package.yaml")]
    given += [(section, path.read_bytes()) for path in artifacts.glob("ledgers/*/sections/*.yaml")]
    given += [(row_schema, path.read_bytes()) for path in artifacts.glob("packages/*/schemas/*.json")]
    given += [(sums, path.read_bytes()) for path in artifacts.glob("packages/*/SHA256SUMS")]
    given += [(sql, path.read_bytes()) for path in (ROOT / "analysis/tieout/metrics").glob("*.sql")]
    words = (HERE / "printings.txt").read_text("utf-8").splitlines()
    given += [(printing, word.encode()) for word in words]
    given += [
        (formula, text.encode()) for text in ("1 - a / b", "max(a, b) <= 3 * c", "a == b and not b < c")
    ]
    for index, (reader, data) in enumerate(given):
        (folder / f"{index:04d}").write_bytes(bytes([READERS.index(reader)]) + data[:4000])


def main() -> None:
    """Fuzzes for a minute, or for as many seconds as are given."""
    seconds = sys.argv[1] if len(sys.argv) > 1 else "60"
    crashes = HERE / "crashes"
    crashes.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="tieout-corpus-") as folder:
        seeds(Path(folder))
        options = [f"-max_total_time={seconds}", "-timeout=20", "-rss_limit_mb=2048", "-max_len=8192"]
        atheris.Setup([sys.argv[0], *options, f"-artifact_prefix={crashes}/", folder], one)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
