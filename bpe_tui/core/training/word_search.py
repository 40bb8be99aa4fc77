"""Which words hold a text: one search over all of them, for corpora of hundreds of thousands of words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final

import numpy as np

from bpe_tui.core.training.arrays import Indices

SEPARATORS: Final = "\n\0\x1f\U0010ffff"
"""Characters to put between words: the first that the query does not hold is used."""


class WordSearch:
    """Finds words that hold a text. From the first search on all words are kept once more, joined into one text."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self._text = ""
        self._separator = ""

    def find(self, queries: Iterable[str]) -> Indices:
        """The words that hold any of `queries`, ascending. An empty query is in every word."""
        wanted = set(queries)
        if "" in wanted:
            return np.arange(len(self._words), dtype=np.int64)
        found = [self._find(query) for query in wanted]
        return np.unique(np.concatenate(found))

    def _find(self, query: str) -> Indices:
        separator = next((each for each in SEPARATORS if each not in query), None)
        if separator is None:
            return np.array([index for index, word in enumerate(self._words) if query in word], dtype=np.int64)
        if separator != self._separator:
            self._text, self._separator = separator.join(self._words), separator
        # Matches that overlap are in the same word, so finding one of them is enough.
        hits = [match.start() for match in re.finditer(re.escape(query), self._text)]
        return np.unique(np.searchsorted(self._ends, np.array(hits, dtype=np.int64), side="left"))

    @cached_property
    def _ends(self) -> Indices:
        """Where each word's separator is."""
        lengths = np.fromiter(map(len, self._words), dtype=np.int64, count=len(self._words))
        return np.cumsum(lengths + 1) - 1
