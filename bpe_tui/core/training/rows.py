"""Frozen rows in which a trainer answers what a moment looks like: words, pairs and tokens for lists and sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bpe_tui.core.training.arrays import Indices
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
    """`special`, `letter` or `merge`."""
    merge: Merge | None


@dataclass(frozen=True, slots=True)
class WordOccurrences:
    """The words in which a pair, or a token, occurs, and how often."""

    indices: Indices
    """The words that hold it, ascending."""
    occurrences: Indices
    """How often each of them holds it, overlapping occurrences included."""
    total: int
    """The sum of occurrences × word frequency."""

    def heaviest(self, counts: Sequence[int], most: int) -> list[int]:
        """Where in `indices` up to `most` words are that add most to the total; `counts` are the word frequencies."""
        weights = zip(self.indices.tolist(), self.occurrences.tolist(), strict=True)
        added = [counts[word] * times for word, times in weights]
        return sorted(range(len(added)), key=lambda index: -added[index])[:most]
