"""How files of SentencePiece begin; asked of many files, of which most are none."""

from __future__ import annotations

import re
from typing import Final

_PIECE: Final = re.compile(rb"\n[\x02-\x7f]\n([\x01-\x7f])", re.DOTALL)
"""A message of protobuf that begins with a piece, which begins with its text."""


def recognises(start: bytes) -> bool:
    """Whether a file begins as models of SentencePiece do."""
    match = _PIECE.match(start)
    if match is None:
        return False
    after = match.end() + match[1][0]
    return start[after : after + 1] == b"\x15"  # the score follows, a float
