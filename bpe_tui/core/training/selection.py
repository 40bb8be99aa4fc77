"""Selecting the pair to merge: the highest count, and of tied pairs the one that the tie rule prefers.

Only pairs with a high count can lead soon. They are kept apart (the *hot* slots, a few thousand of them) in buckets,
one per count; a pair whose count has fallen meanwhile is moved on when its bucket's turn comes. When no hot slot
reaches the bound they were chosen by, a lower bound is taken. Pairs tied at the highest count go into a heap, by the
tie rule's key. Counts and keys only ever grow worse while merges go forward (a pair's first occurrence moves back in
the text, its ids never change), so an outdated entry comes up too early, never too late.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush, heapreplace
from typing import Any, Final

import numpy as np

from bpe_tui.core.tie_rules import RULES
from bpe_tui.core.training.arrays import Counts, Numbers
from bpe_tui.core.training.pair_table import PairTable

HOT: Final = 512
"""About how many slots are chosen as hot, beside one in 256 of the table's."""


class Leader:
    """The leading pair of a table under one tie rule, following the table's changes."""

    def __init__(self, table: PairTable, rule: str, texts: Sequence[str]) -> None:
        """`texts` are the token texts by id; they may grow."""
        self.table = table
        self.rule = RULES[rule]
        self._texts = texts
        self.bound = 0
        """Every slot with at least this count is hot; 0 before the first search."""
        self._waiting: dict[int, list[int]] = {}
        """The hot slots that are not among `_leading`, by the count that they had when they came here."""
        self._levels: list[int] = []
        """A heap of these counts, negated: the highest first."""
        self._leading: list[tuple[Any, int]] = []
        """A heap of the slots that had the count `top` when they came here: (the rule's key, slot)."""
        self.top = 0
        """The highest count, as far as `find` has looked."""
        self.tied = 0
        """How many pairs have the count `top`."""

    def forget(self) -> None:
        """Counts have changed in another way than by a merge forward: search anew."""
        self.bound = self.top = self.tied = 0
        self._waiting.clear()
        self._levels.clear()
        self._leading.clear()

    def find(self) -> int | None:
        """The slot of the leading pair; None if no pair is left. Sets `top` and `tied`."""
        if self.tied == 0:
            self._gather()
        leading, count = self._leading, self.table.count.items
        while leading:
            key, slot = leading[0]
            now = count[slot]
            if now != self.top:
                heappop(leading)
                self._wait(slot, now)
            elif self.rule.is_by_position and self.tied > 1 and (first := self.table.first_position(slot)) != key:
                heapreplace(leading, (first, slot))
            else:
                return slot
        return None

    def fell(self, slot: int, was: int) -> None:
        """A merge has lowered the count of `slot`, which was `was`."""
        if was == self.top and self.tied and self.table.is_candidate(slot):
            self.tied -= 1

    def rose(self, slot: int, count: int) -> None:
        """A merge has created a pair with this count."""
        if not self.table.is_candidate(slot):
            return
        if count == self.top and self.tied:
            heappush(self._leading, (self._key_of(slot), slot))
            self.tied += 1
        else:
            self._wait(slot, count)

    def many_fell(self, slots: Numbers, were: Counts) -> None:
        """A merge has lowered the counts of `slots`, which were `were`; a slot may be named twice."""
        if self.tied:
            fallen = were == self.top
            if not self.table.has_candidates_only:
                fallen &= self.table.are_candidates(slots)
            if fallen.any():
                self.tied -= len(set(slots[fallen].tolist()))

    def many_rose(self, first: int) -> None:
        """A merge has created all slots from `first` on."""
        if self.bound:
            counts = self.table.count
            hot = (counts.data[first : counts.size] >= self.bound).nonzero()[0]
            for slot in (hot + first).tolist():
                self.rose(slot, counts.items[slot])

    def _wait(self, slot: int, count: int) -> None:
        """Keep a slot for later if it is hot."""
        if count >= self.bound > 0:
            if count in self._waiting:
                self._waiting[count].append(slot)
            else:
                self._waiting[count] = [slot]
                heappush(self._levels, -count)

    def _key_of(self, slot: int) -> Any:
        table = self.table
        # Where it was created: too early at worst, which `find` puts right.
        first = table.pool.items[table.start.items[slot]]
        return self.rule.key(self._texts, table.left.items[slot], table.right.items[slot], first)

    def _gather(self) -> None:
        """Find the pairs that have the highest count now."""
        count = self.table.count.items
        for _, slot in self._leading:
            self._wait(slot, count[slot])
        slots = self._take_highest()
        while not slots and self.bound != 1:
            self._choose_hot()
            slots = self._take_highest()
        self.top = count[slots[0]] if slots else 0
        self.tied = len(slots)
        self._leading = [(self._key_of(slot), slot) for slot in slots]
        heapify(self._leading)

    def _take_highest(self) -> list[int]:
        """Take the slots with the highest count out of the waiting ones; none if all have fallen below the bound."""
        count = self.table.count.items
        while self._levels:
            top = -heappop(self._levels)
            slots = []
            for slot in self._waiting.pop(top):
                now = count[slot]
                if now == top:
                    slots.append(slot)
                else:
                    self._wait(slot, now)
            if slots:
                return slots
        return []

    def _choose_hot(self) -> None:
        counts = self.table.candidate_counts()
        wanted = HOT + (counts.size >> 8)
        if counts.size <= wanted:
            self.bound = 1
        else:
            self.bound = max(1, int(np.partition(counts, counts.size - wanted)[counts.size - wanted]))
        hot = np.flatnonzero(counts >= self.bound)
        for slot, count in zip(hot.tolist(), counts[hot].tolist(), strict=True):
            self._wait(slot, count)
