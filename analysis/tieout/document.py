"""The text of a ledger's document: read, held against the ledger's printings, and against what was locked."""

from __future__ import annotations

from pathlib import Path

from tieout.claims import Coverage, cover
from tieout.errors import CannotOpen
from tieout.folder import sha256
from tieout.ledger import Ledger, places


def coverage(ledger: Ledger, text: Path) -> Coverage:
    """What of a document's text its ledger leaves out, and what of the ledger is not in the text.

    Raises CannotOpen where the text is not UTF-8.
    """
    sections = [(section.name, section.heading) for section in ledger.sections]
    asserted = {
        claim.id: claim.recipe.asserts
        for claim in ledger.claims.values()
        if claim.recipe is not None and claim.recipe.asserts is not None
    }
    return cover(
        _read(text), places(ledger), sections, ledger.ignored, asserted=asserted, numbers=ledger.numbers
    )


def is_locked(ledger: Ledger, text: Path) -> bool | None:
    """Whether this is the text whose hash the ledger's lock holds; None where it holds none."""
    locked = (ledger.lock or {}).get("text")
    return None if locked is None else locked == sha256(text)


def _read(path: Path) -> str:
    data = path.read_bytes()
    try:
        return data.decode("utf-8-sig")  # a byte order mark is no part of the text
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"expected UTF-8, found the byte 0x{data[error.start]:02X}; save the text as UTF-8"
        raise CannotOpen(f"{path}, line {line}: {message}") from error
