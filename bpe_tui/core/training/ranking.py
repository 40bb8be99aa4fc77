"""The ranking of all pairs, a page at a time.

The top of the ranking changes with every merge and is what people look at, so a page sorts only the pairs that can be
on it. Far down, where a tie may hold a hundred thousand pairs, the whole ranking is sorted once and kept until the next
merge.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from bpe_tui.core.tie_rules import RULES
from bpe_tui.core.training.arrays import Indices
from bpe_tui.core.training.pair_table import PairTable

_NEAR: Final = 1024
"""Rows from the top that are ranked without sorting everything."""
SORTED_BY_KEY: Final = 512
"""Up to this many pairs are sorted by the tie rule's key, which looks only at these pairs; more, by columns.

Of 340,000 pairs a page at the top takes 2 ms by key and up to 17 ms by columns; a page far down, where all are sorted,
1 to 3 s by key and 0.1 s by columns.
"""


class Ranking:
    """Pairs that may be merged, by count, highest first, then in the order of a tie rule."""

    def __init__(self, table: PairTable, rule: str, texts: Sequence[str]) -> None:
        """`texts` are the token texts by id; they may grow."""
        self.table = table
        self._rule = RULES[rule]
        self._texts = texts
        self._seen = -1
        self._live = 0
        self._top = 0
        self._ranked: Indices = np.zeros(0, dtype=np.int64)
        """The best pairs in order: `_ranked.size` of them, all there are if `_whole`."""
        self._falling: Indices = self._ranked
        """Their counts, with a minus: ascending."""
        self._whole = False

    @property
    def live(self) -> int:
        """Pairs that occur now."""
        self._refresh()
        return self._live

    @property
    def top(self) -> int:
        """The highest count; 0 if there is no pair."""
        self._refresh()
        return self._top

    def slots(self, start: int, stop: int) -> list[int]:
        """The slots from place `start` to before `stop`, counted from 0."""
        self._refresh()
        stop = min(stop, self._live)
        if stop > self._ranked.size and not self._whole:
            self._rank(stop)
        page: list[int] = self._ranked[start:stop].tolist()
        return page

    def place(self, count: int) -> int:
        """The place, from 1, that pairs with `count` share."""
        self._refresh()
        if self._ranked.size and count >= -self._falling[-1]:
            return int(np.searchsorted(self._falling, -count)) + 1
        return int(np.count_nonzero(self.table.candidate_counts() > count)) + 1

    def find(self, queries: Sequence[str]) -> Indices:
        """The slots of the pairs that occur now and whose left, right or merged text holds any of them, in order."""
        table, texts = self.table, self._texts
        left, right = table.left.view(), table.right.view()
        hit = np.zeros(left.size, dtype=np.bool_)
        for query in queries:
            holds = np.array([query in text for text in texts], dtype=np.bool_)
            hit |= holds[left] | holds[right]
            for cut in range(1, len(query)):  # across the seam
                ends = np.array([text.endswith(query[:cut]) for text in texts], dtype=np.bool_)
                begins = np.array([text.startswith(query[cut:]) for text in texts], dtype=np.bool_)
                hit |= ends[left] & begins[right]
        return self.in_order(np.flatnonzero(hit & (table.candidate_counts() > 0)))

    def in_order(self, slots: Indices) -> Indices:
        """`slots` in ranking order."""
        if slots.size <= SORTED_BY_KEY:
            return np.array(sorted(slots.tolist(), key=self._key), dtype=np.int64)
        return slots[np.lexsort((*self._tie_columns(slots), -self.table.count.data[slots]))]

    def _key(self, slot: int) -> tuple[int, Any]:
        """What a slot is sorted by."""
        table, rule = self.table, self._rule
        first = table.first_position(slot) if rule.is_by_position else 0
        return -table.count.items[slot], rule.key(self._texts, table.left.items[slot], table.right.items[slot], first)

    def _refresh(self) -> None:
        if self.table.version != self._seen:
            counts = self.table.candidate_counts()
            self._seen = self.table.version
            self._live = int(np.count_nonzero(counts))
            self._top = int(counts.max()) if counts.size else 0
            self._ranked = self._ranked[:0]
            self._whole = False

    def _rank(self, wanted: int) -> None:
        """Rank at least the best `wanted` pairs."""
        counts = self.table.candidate_counts()
        wanted = max(wanted, 64)
        if wanted > _NEAR or wanted * 2 > self._live:
            self._ranked = self.in_order(np.flatnonzero(counts))
            self._whole = True
        else:
            bound = np.partition(counts, counts.size - wanted)[counts.size - wanted]
            self._ranked = self.in_order(np.flatnonzero(counts >= max(int(bound), 1)))
        self._falling = -counts[self._ranked]

    def _tie_columns(self, slots: Indices) -> tuple[Indices, ...]:
        """The tie rule as sort columns for `np.lexsort`, the least important first; of any rule, its key's order."""
        left, right = self.table.left.data[slots], self.table.right.data[slots]
        if self._rule.is_by_position:
            return (self.table.first_positions()[slots],)
        if self._rule.name == "lowest-id":
            return right.astype(np.int64), left.astype(np.int64)
        if self._rule.name == "greatest-pair":
            ordered = sorted(set(self._texts))
            places = {text: place for place, text in enumerate(ordered)}
            rank = np.array([places[text] for text in self._texts], dtype=np.int64)
            return -rank[right], -rank[left]
        keys = [self._rule.key(self._texts, a, b, 0) for a, b in zip(left.tolist(), right.tolist(), strict=True)]
        place = np.empty(slots.size, dtype=np.int64)
        place[sorted(range(slots.size), key=keys.__getitem__)] = np.arange(slots.size)
        return (place,)
