"""The documents' texts, which stand beside the checkout and not in it: whole files, or paragraphs of one."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

SEEDS = {
    "part-ii": "000",
    "part-i": "001",
    "buffer-lab": "002",
    "retrieval-recall": "003",
    "tiered-memory": "004",
}
"""How the name of the file in `seeds` begins."""

PARAGRAPHS = {
    "part-ii-tables": "Part II, section I. Policy:",
    "part-i-tables": "Part I. Units:",
    "tau-bench-readme": "Its README prints, for TC (gpt-4o), airline:",
}
"""How the paragraph or list item of `studies/README.md` begins that states the printed numbers."""


def shared() -> Path:
    """The folder of the texts: `TIEOUT_SHARED`, or `shared` beside the checkout."""
    named = os.environ.get("TIEOUT_SHARED")
    return Path(named) if named else Path(__file__).resolve().parents[1].parent / "shared"


def document_text(document_id: str) -> str:
    """The text of a document by its id.

    Raises KeyError for an unknown id, FileNotFoundError or ValueError if the text is not in the folder exactly once.
    """
    if document_id in PARAGRAPHS:
        readme = shared() / "studies" / "README.md"
        return _paragraph(readme.read_text(encoding="utf-8"), PARAGRAPHS[document_id])
    prefix = SEEDS[document_id]
    files = sorted((shared() / "seeds").glob(f"{prefix}*"))
    if not files:
        raise FileNotFoundError(f"no file {prefix}* in {shared() / 'seeds'}")
    if len(files) > 1:
        raise ValueError(f"{len(files)} files {prefix}* in {shared() / 'seeds'}")
    return files[0].read_text(encoding="utf-8")


def _paragraph(text: str, beginning: str) -> str:
    """From the beginning's words to the end of their paragraph or list item, without its indentation."""
    places = text.count(beginning)
    if places != 1:
        raise ValueError(f"“{beginning}” occurs {places} times")
    lines: list[str] = []
    for line in text[text.index(beginning) :].splitlines():
        if lines and (not line.strip() or line.startswith(("- ", "#"))):
            break
        lines.append(line.strip())
    return "\n".join(lines) + "\n"


def main() -> None:
    """Print one document's text."""
    parser = argparse.ArgumentParser(description="Print the text of a document.")
    parser.add_argument("document", choices=[*SEEDS, *PARAGRAPHS])
    sys.stdout.write(document_text(parser.parse_args().document))


if __name__ == "__main__":
    main()
