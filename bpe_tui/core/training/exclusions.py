"""Pairs that may not be merged although they occur: those that a continued tokenizer merges already.

Where a token is made in two ways, an early merge may find its pair again after later ones. In a file the pair can be
there once, and a second merge of it would change how all texts are encoded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from bpe_tui.core.training.arrays import GrowableArray, Numbers

NEVER: Final = 1 << 62
"""In place of the number of a merge that is never made."""


class Exclusions:
    """From which merge on each pair is excluded, at the moment that the trainer says."""

    def __init__(self, pairs: Mapping[tuple[int, int], int], since: Callable[[int, int], int] | None) -> None:
        """`pairs` are numbers of merges by pair; `since` says the same of any other pair, if there are others."""
        self.moment = 0
        """How many merges are applied now."""
        self._since = since
        self._by_slot = GrowableArray(np.int64)
        self.replace(pairs)

    def replace(self, pairs: Mapping[tuple[int, int], int]) -> None:
        """Other pairs from now on."""
        self._pairs = pairs
        keys = np.array([left << 32 | right for left, right in pairs], dtype=np.int64)
        order = np.argsort(keys)
        self._keys = np.append(keys[order], NEVER)
        self._numbers = np.append(np.array(list(pairs.values()), dtype=np.int64)[order], NEVER)
        self._by_slot.size = 0

    def hold(self, left_id: int, right_id: int) -> bool:
        """Is this pair excluded now?"""
        since = self._pairs.get((left_id, right_id), NEVER)
        if self._since is not None:
            since = min(since, self._since(left_id, right_id))
        return since <= self.moment

    def by_slot(self, left: Numbers, right: Numbers) -> Numbers:
        """The same of all slots, whose ids these are; pairs of slots that were asked for before are the same."""
        known = self._by_slot.size
        if known < left.size:
            lefts, rights = left[known:], right[known:]
            keys = lefts.astype(np.int64) << 32 | rights
            places = np.searchsorted(self._keys, keys)
            since = np.where(self._keys[places] == keys, self._numbers[places], NEVER)
            if self._since is not None:
                others = map(self._since, lefts.tolist(), rights.tolist())
                since = np.minimum(since, np.fromiter(others, dtype=np.int64, count=lefts.size))
            self._by_slot.extend(since)
        excluded: Numbers = self._by_slot.view() <= self.moment
        return excluded

    def resize(self, slots: int) -> None:
        """Forget the slots from this one on, which will be other pairs."""
        self._by_slot.size = min(self._by_slot.size, slots)
