"""The values that encoding hands out: tokens with their places, and the rows of a trace."""

from __future__ import annotations

from dataclasses import dataclass

from bpe_tui.core.vocabulary import Merge


@dataclass(frozen=True, slots=True)
class Token:
    """One token of an encoded text."""

    text: str
    """As it is shown; the unknown token's text for an unknown symbol."""
    id: int | None
    """None for an unknown symbol whose stand-in is not in the vocabulary."""
    start: int
    end: int
    """Where it stands in the text, in code points. A byte-level token may cover part of a character."""
    unknown: bool = False


@dataclass(frozen=True, slots=True)
class TraceRow:
    """One merge that fired, and the whole text's tokens after it was made in all its places."""

    rank: int
    merge: Merge
    tokens: tuple[Token, ...]
