"""The words that hold a pair or a token, or that a merge rewrote: how often each, what each adds, heaviest first.

A frequent pair is in hundreds of thousands of words, of which a screen shows a dozen. So a page near the top costs one
`np.partition` instead of sorting them all: of a million words 5 ms, against 50 ms.
"""

from __future__ import annotations

from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from bpe_tui.core.training.arrays import Counts, Indices, Numbers

_NEAR: Final = 4096
"""Words from the top that are ranked without sorting all of them."""


class WordShare(NamedTuple):
    """One word's share of a total."""

    word: int
    """Its place in order of first appearance."""
    occurrences: int
    """In the word once, overlapping ones included."""
    added: int
    """Occurrences × word frequency."""


class WordOccurrences:
    """Where something occurs in the corpus: a pair, a token, or what the last merge replaced."""

    def __init__(self, indices: Indices, occurrences: Indices, frequencies: Numbers) -> None:
        """`indices` are words, ascending; of each of them `occurrences`, and how often the corpus has the word."""
        self.indices = indices
        self.occurrences = occurrences
        self._frequencies = frequencies
        self._ranked: Indices = np.zeros(0, dtype=np.int64)
        """Places in `indices` of the words that add most, in order."""

    def __len__(self) -> int:
        """How many distinct words."""
        return self.indices.size

    @cached_property
    def added(self) -> Counts:
        """What each of `indices` adds to the total: occurrences × word frequency."""
        return self.occurrences * self._frequencies.astype(np.int64)

    @cached_property
    def total(self) -> int:
        """All occurrences in the corpus."""
        return int(self.added.sum())

    def heaviest(self, start: int, stop: int) -> list[WordShare]:
        """The words from place `start` to before `stop` of a ranking by what they add; ties in order of appearance."""
        stop = min(stop, len(self))
        if stop > self._ranked.size:
            self._rank(stop)
        page = self._ranked[start:stop]
        columns = (self.indices[page].tolist(), self.occurrences[page].tolist(), self.added[page].tolist())
        return [WordShare(*row) for row in zip(*columns, strict=True)]

    def _rank(self, wanted: int) -> None:
        """Rank at least the heaviest `wanted` words."""
        added = self.added
        wanted = max(2 * wanted, 64)
        if wanted > _NEAR or wanted >= added.size:
            self._ranked = np.argsort(-added, kind="stable")
            return
        bound = np.partition(added, added.size - wanted)[added.size - wanted]
        above, tied = np.flatnonzero(added > bound), np.flatnonzero(added == bound)
        above = above[np.argsort(-added[above], kind="stable")]
        self._ranked = np.concatenate([above, tied[: wanted - above.size]])
