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
import numpy.typing as npt

from bpe_tui.core.growing import Growing
from bpe_tui.core.pair_table import PairTable
from bpe_tui.core.segmentation import Counts
from bpe_tui.core.tie_rules import tie_key

HOT = 4096
"""About how many slots are kept hot."""


class Leader:
    """The leading pair of a table under one tie rule, following the table's changes."""

    def __init__(self, table: PairTable, rule: str, texts: Sequence[str]) -> None:
        self.table = table
        self.rule = rule
        self._key = tie_key(rule, texts)
        self._by_place = rule == "first-seen"
        self._hot = Growing(np.int32)
        self._bound = 0
        """Every slot with at least this count is hot; 0: nothing is known."""
        self._heap: list[tuple[Any, int]] = []
        self.top = 0
        """The highest count, as far as `find` has looked."""
        self.tied = 0
        """How many pairs have the count `top`."""

    def forget(self) -> None:
        """Counts have changed in another way than by a merge forward: look again from the start."""
        self._bound = self.top = self.tied = 0
        self._heap.clear()

    def find(self) -> int | None:
        """The slot of the leading pair; None if no pair is left. Sets `top` and `tied`."""
        if self.tied == 0:
            self._gather()
        heap, count = self._heap, self.table.count.data
        while heap:
            key, slot = heap[0]
            if count[slot] != self.top:
                heapq.heappop(heap)
            elif self._by_place and (place := self.table.first_position(slot)) != key:
                heapq.heapreplace(heap, (place, slot))
            else:
                return slot
        return None

    def changed(self, slots: npt.NDArray[Any], before: Counts, first_new: int) -> None:
        """A merge has lowered the counts of `slots`, which were `before`, and borne the slots from `first_new` on.

        `slots` may name a slot twice, with the same count before.
        """
        if self._bound == 0:
            return
        table = self.table
        fallen = before == self.top
        if fallen.any():
            lost = np.unique(slots[fallen])
            self.tied -= int(np.count_nonzero(table.count.data[lost] != self.top))
        born = table.count.data[first_new : table.size]
        if born.size and int(born.max()) >= self._bound:
            hot = np.flatnonzero(born >= self._bound) + first_new
            self._hot.extend(hot)
            if self.tied:
                for slot in hot[table.count.data[hot] == self.top].tolist():
                    heapq.heappush(self._heap, (self._key_of(slot), slot))
                    self.tied += 1

    def _key_of(self, slot: int) -> Any:
        table = self.table
        first = int(table.places.data[table.start.data[slot]])  # at birth: too early at worst, put right in `find`
        return self._key(int(table.left.data[slot]), int(table.right.data[slot]), first)

    def _gather(self) -> None:
        """Fill the heap with the pairs that have the highest count."""
        hot = self._hottest()
        counts = self.table.count.data[hot]
        self.top = int(counts.max()) if counts.size else 0
        leading = hot[counts == self.top] if self.top else hot[:0]
        self.tied = int(leading.size)
        self._heap = [(self._key_of(slot), slot) for slot in leading.tolist()]
        heapq.heapify(self._heap)

    def _hottest(self) -> npt.NDArray[np.int32]:
        """The hot slots, chosen anew if none of them has a count above the bound."""
        counts = self.table.count.view()
        hot = self._hot.view()
        if self._bound == 0 or (self._bound > 1 and not (hot.size and int(counts[hot].max()) >= self._bound)):
            self._choose_hot(counts)
        elif hot.size > 4 * HOT:
            self._hot = Growing(np.int32, hot[counts[hot] >= self._bound])
        return self._hot.view()

    def _choose_hot(self, counts: Counts) -> None:
        if counts.size <= HOT:
            self._bound = 1
        else:
            self._bound = max(1, int(np.partition(counts, counts.size - HOT)[counts.size - HOT]))
        self._hot = Growing(np.int32, np.flatnonzero(counts >= self._bound))
