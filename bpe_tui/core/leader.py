"""Which pair leads: the highest count, and of tied pairs the one that the tie rule prefers.

Only pairs with a high count can lead soon. They are kept apart (the *hot* slots, a few thousand of them), so that the
highest count is found by looking at these alone; when none of them reaches the bound they were chosen by, a lower
bound is taken. Pairs tied at the highest count go into a heap by the tie rule's key. Keys only ever grow worse while
merges go forward (a pair's first place moves back in the text, its ids never change), so a key that is out of date
is put right when it surfaces.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import Any

import numpy as np

from bpe_tui.core.arrays import Counts, Numbers, Positions
from bpe_tui.core.growing import Growing
from bpe_tui.core.pair_table import PairTable
from bpe_tui.core.tie_rules import tie_key

HOT = 512
"""About how many slots are kept hot, beside one in 256 of the table's."""


class Leader:
    """The leading pair of a table under one tie rule, following the table's changes."""

    def __init__(self, table: PairTable, rule: str, texts: Sequence[str]) -> None:
        self.table = table
        self.rule = rule
        self._key = tie_key(rule, texts)
        self._by_place = rule == "first-seen"
        self._hot = Growing(np.int32)
        self.bound = 0
        """Every slot with at least this count is hot; 0: nothing is known."""
        self._crowd = 0
        """So many hot slots are looked through for such as have fallen below the bound."""
        self._heap: list[tuple[Any, int]] = []
        self.top = 0
        """The highest count, as far as `find` has looked."""
        self.tied = 0
        """How many pairs have the count `top`."""

    def forget(self) -> None:
        """Counts have changed in another way than by a merge forward: look again from the start."""
        self.bound = self.top = self.tied = 0
        self._heap.clear()

    def find(self) -> int | None:
        """The slot of the leading pair; None if no pair is left. Sets `top` and `tied`."""
        if self.tied == 0:
            self._gather()
        heap, count = self._heap, self.table.count.items
        while heap:
            key, slot = heap[0]
            if count[slot] != self.top:
                heapq.heappop(heap)
            elif self.tied == 1:
                return slot
            elif self._by_place and (place := self.table.first_position(slot)) != key:
                heapq.heapreplace(heap, (place, slot))
            else:
                return slot
        return None

    def fell(self, was: int) -> None:
        """A merge has lowered a count that was `was`."""
        if was == self.top and self.tied:
            self.tied -= 1

    def rose(self, slot: int, count: int) -> None:
        """A merge has borne a pair with this count."""
        if count >= self.bound > 0:
            self._hot.append(slot)
            if count == self.top and self.tied:
                heapq.heappush(self._heap, (self._key_of(slot), slot))
                self.tied += 1

    def many_fell(self, slots: Numbers, were: Counts) -> None:
        """A merge has lowered the counts of `slots`, which were `were`; a slot may be named twice."""
        if self.tied:
            fallen = were == self.top
            if fallen.any():
                self.tied -= len(set(slots[fallen].tolist()))

    def many_rose(self, first: int) -> None:
        """A merge has borne all slots from `first` on."""
        if self.bound == 0:
            return
        born = self.table.count.data[first : self.table.size]
        hot = (born >= self.bound).nonzero()[0]
        if hot.size:
            hot += first
            self._hot.extend(hot)
            if self.tied:
                for slot in hot[self.table.count.data[hot] == self.top].tolist():
                    heapq.heappush(self._heap, (self._key_of(slot), slot))
                    self.tied += 1

    def _key_of(self, slot: int) -> Any:
        table = self.table
        first = table.places.items[table.start.items[slot]]  # at birth: too early at worst, put right in `find`
        return self._key(table.left.items[slot], table.right.items[slot], first)

    def _gather(self) -> None:
        """Fill the heap with the pairs that have the highest count."""
        hot, counts = self._hottest()
        self.top = int(counts.max()) if counts.size else 0
        leading = hot[counts == self.top] if self.top else hot[:0]
        self.tied = int(leading.size)
        self._heap = [(self._key_of(slot), slot) for slot in leading.tolist()]
        if self.tied > 1:
            heapq.heapify(self._heap)

    def _hottest(self) -> tuple[Positions, Counts]:
        """The hot slots and their counts, at least one of them not below the bound if there is any pair."""
        hot = self._hot.view()
        counts = self.table.count.data[hot]
        if self.bound == 0 or (self.bound > 1 and not (counts.size and int(counts.max()) >= self.bound)):
            self._choose_hot(self.table.count.view())
        elif hot.size > self._crowd:
            self._hot = Growing(np.int32, hot[counts >= self.bound])
        else:
            return hot, counts
        hot = self._hot.view()
        return hot, self.table.count.data[hot]

    def _choose_hot(self, counts: Counts) -> None:
        wanted = HOT + (counts.size >> 8)
        if counts.size <= wanted:
            self.bound = 1
        else:
            self.bound = max(1, int(np.partition(counts, counts.size - wanted)[counts.size - wanted]))
        self._hot = Growing(np.int32, np.flatnonzero(counts >= self.bound))
        self._crowd = 2 * max(self._hot.size, wanted)
