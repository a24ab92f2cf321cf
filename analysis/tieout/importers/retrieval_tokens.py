"""Token counts by a real tokenizer, whose tables an installed package ships: nothing is fetched."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from itertools import accumulate
from typing import TYPE_CHECKING

from tieout.errors import CannotOpen

if TYPE_CHECKING:
    from mistral_common.tokens.tokenizers.tekken import Tekkenizer

TABLES = "tekken_240911.json"
TABLES_SHA256 = "1948e2d48b0e7377f1bb5f1210f1ae5f984934e75713fc07e2452729b8365316"
"""Of the tables as mistral-common ships them; other tables give other counts."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Encoded:
    """A text as tokens; `ends` is the byte of the text's UTF-8 form after each token."""

    ids: tuple[int, ...]
    ends: tuple[int, ...]

    def boundary(self, byte: int) -> int | None:
        """How many tokens stand before this byte; None where it lies within a token."""
        if byte == 0:
            return 0
        return self.ends.index(byte) + 1 if byte in self.ends else None

    def covering(self, start: int, end: int) -> tuple[int, int]:
        """The tokens that hold any of the bytes from `start` to before `end`: the first, and the one after the last."""
        first = sum(stop <= start for stop in self.ends)
        last = sum(stop < end for stop in self.ends)
        return first, last + 1


def encode(text: str) -> Encoded:
    """A text's tokens, without marks for its beginning and end.

    Raises CannotOpen where the tokenizer is not installed or ships other tables than TABLES_SHA256.
    """
    from mistral_common.tokens.tokenizers.base import SpecialTokenPolicy

    tokenizer = _tokenizer()
    ids = tokenizer.encode(text, bos=False, eos=False)
    pieces = [tokenizer.id_to_byte_piece(token, SpecialTokenPolicy.KEEP) for token in ids]
    return Encoded(ids=tuple(ids), ends=tuple(accumulate(len(piece) for piece in pieces)))


def joined(parts: Sequence[Encoded]) -> tuple[int, ...]:
    """The tokens of several texts, one after the other."""
    return tuple(token for part in parts for token in part.ids)


@cache
def _tokenizer() -> Tekkenizer:
    from mistral_common.tokens.tokenizers.tekken import Tekkenizer

    with as_file(files("mistral_common") / "data" / TABLES) as path:
        if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != TABLES_SHA256:
            raise CannotOpen(
                f"mistral-common does not ship {TABLES} with the SHA-256 that the counts rest on"
            )
        return Tekkenizer.from_file(path)
