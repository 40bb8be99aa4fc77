"""Frozen rows in which a trainer answers what a moment looks like: words, pairs and tokens for lists and sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bpe_tui.core.training.vocabulary import Merge


@dataclass(frozen=True, slots=True)
class WordRow:
    """One distinct word of the corpus, as it is split now."""

    index: int
    count: int
    text: str
    """As its tokens show it: in the byte-to-character table for byte alphabets."""
    tokens: tuple[int, ...]
    """The first ones, if only some were asked for."""


@dataclass(frozen=True, slots=True)
class PairRow:
    """One pair of the ranking."""

    place: int
    """1 for the best; pairs with the same count share a place: 1, 2, 3, 4, 4, 6."""
    left_id: int
    right_id: int
    left: str
    right: str
    token: str
    count: int
    change: int | None
    """What the last merge did to the count; None if nothing."""
    is_new: bool
    """The last merge created this pair."""
    leads: bool
    """It has the highest count, alone or with others."""
    wins: bool
    """It is the one that the rule picks next."""


@dataclass(frozen=True, slots=True)
class TokenRow:
    """One entry of the vocabulary at this moment."""

    id: int
    text: str
    length: int
    """In code points of `text`."""
    count: int
    """Occurrences in the corpus now, weighted by word frequency."""
    origin: str
    """`special`, `protected`, `letter` or `merge`."""
    merge: Merge | None
