"""Counts and places of every pair of neighbouring symbols, kept up to date merge by merge.

A pair that has ever occurred has a *slot*, a row in these arrays, for good: its ids, its count now (0 when it has
vanished), its count when it was born, and where it was born. The places of a slot are kept as they were at its birth;
which of them still hold it is told by `slot_at`, the slot of the pair that begins at each position. So nothing has to
be searched by key, and undoing a merge only has to give counts and `slot_at` their old values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from bpe_tui.core.training.arrays import Counts, Indices, Positions, items
from bpe_tui.core.training.growing import GrowableArray
from bpe_tui.core.training.segmentation import Segmentation

NO_PAIR = -1
"""`slot_at` of a word's last symbol. An unlinked position holds `-2 - slot`, which is negative as well."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A slot whose places were written anew because more came to them."""

    slot: int
    old: tuple[int, int]
    """Start and length among the table's places before."""
    new: tuple[int, int]


class PairTable:
    """Every pair, its count and its places; shapes: one row a slot, `slot_at` one value a position."""

    def __init__(self, segmentation: Segmentation) -> None:
        """Count every adjacent pair of `segmentation`."""
        size = segmentation.size
        self.segmentation = segmentation
        self.slot_at: Positions = np.full(size + 1, NO_PAIR, dtype=np.int32)

        self.slot_items: memoryview[int] = items(self.slot_at)
        """The same memory, for reading and writing single values fast."""

        begins = np.flatnonzero(segmentation.next[:size] != size).astype(np.int32)
        left, right = segmentation.ids[begins], segmentation.ids[begins + 1]
        order = _by_pair(left, right)
        left, right, begins = left[order], right[order], begins[order]
        first = np.ones(begins.size, dtype=np.bool_)
        first[1:] = (left[1:] != left[:-1]) | (right[1:] != right[:-1])
        starts = np.flatnonzero(first)
        lengths = np.diff(starts, append=begins.size)
        counts = (
            np.add.reduceat(segmentation.weight[begins], starts, dtype=np.int64)
            if starts.size
            else np.zeros(0, dtype=np.int64)
        )
        self.slot_at[begins] = np.repeat(np.arange(starts.size, dtype=np.int32), lengths)

        self.left = GrowableArray(np.int32, left[starts])
        self.right = GrowableArray(np.int32, right[starts])
        self.count = GrowableArray(np.int64, counts)
        self.born = GrowableArray(np.int64, counts)
        """A slot's count at its birth, which redoing the merge that bore it gives back."""
        self.start = GrowableArray(np.int64, starts)
        self.length = GrowableArray(np.int32, lengths)
        self.version = 0
        """Changes with every merge that is applied, undone or redone, and so whenever a count does."""
        self.places = GrowableArray(np.int32, begins)
        """Positions of all slots, each slot's own from `start` on, `length` of them, ascending."""
        self._columns: tuple[GrowableArray[Any], ...] = (
            self.left,
            self.right,
            self.count,
            self.born,
            self.start,
            self.length,
        )

    @property
    def size(self) -> int:
        """Slots given out so far, those of vanished pairs included."""
        return self.count.size

    def positions(self, slot: int) -> Positions:
        """Where the pair begins now, ascending. Overlapping places in runs are all there."""
        born_at = self.born_at(slot)
        now: Positions = born_at[self.slot_at[born_at] == slot]
        return now

    def born_at(self, slot: int) -> Positions:
        """Where the pair began when it was born, ascending: some of these places hold it no longer."""
        start = self.start.items[slot]
        born: Positions = self.places.data[start : start + self.length.items[slot]]
        return born

    def born_places(self, slot: int) -> list[int]:
        """`born_at` as a list, for slots born in few places."""
        start = self.start.items[slot]
        return self.places.items[start : start + self.length.items[slot]].tolist()

    def first_position(self, slot: int) -> int:
        """The first place where the pair begins now; the corpus size if it does not occur."""
        start, length = self.start.items[slot], self.length.items[slot]
        slot_at, places = self.slot_items, self.places.items
        for place in places[start : start + min(length, 8)]:
            if slot_at[place] == slot:
                return place
        step, done = 64, 8
        while done < length:
            born_at = self.places.data[start + done : start + min(done + step, length)]
            hits = np.flatnonzero(self.slot_at[born_at] == slot)
            if hits.size:
                return int(born_at[hits[0]])
            done, step = done + step, step * 4
        return self.segmentation.size

    def find(self, left_id: int, right_id: int) -> int | None:
        """The slot of a pair that occurs now, by its ids; None if it does not occur."""
        hits = np.flatnonzero((self.left.view() == left_id) & (self.right.view() == right_id) & (self.count.view() > 0))
        return int(hits[0]) if hits.size else None

    def with_symbol(self, symbol: int) -> dict[tuple[int, int], int]:
        """The slots of all pairs, vanished ones too, that have `symbol` on either side: {(left, right): slot}."""
        left, right = self.left.view(), self.right.view()
        hits = np.flatnonzero((left == symbol) | (right == symbol))
        return dict(zip(zip(left[hits].tolist(), right[hits].tolist(), strict=True), hits.tolist(), strict=True))

    def add(self, left: Positions, right: Positions, counts: Counts, starts: Indices, at: Positions) -> int:
        """Give slots to new pairs, the i-th of which begins at `at[starts[i]:starts[i + 1]]`. Returns the first slot.

        `slot_at` is set at all these places.
        """
        first, base = self.size, self.places.size
        lengths = np.empty(starts.size, dtype=np.int64)
        np.subtract(starts[1:], starts[:-1], out=lengths[:-1])
        lengths[-1] = at.size - starts[-1]
        self.left.extend(left)
        self.right.extend(right)
        self.count.extend(counts)
        self.born.extend(counts)
        self.start.extend(starts + base)
        self.length.extend(lengths)
        self.places.extend(at)
        self.slot_at[at] = np.arange(first, first + starts.size, dtype=np.int32).repeat(lengths)
        return first

    def reserve(self, slots: int, places: int) -> None:
        """Make room for `slots` more slots and `places` more places, to be written through `items`."""
        if self.count.size + slots > len(self.count.items):
            for column in self._columns:
                column.reserve(slots)
        if self.places.size + places > len(self.places.items):
            self.places.reserve(places)

    def grown(self, slots: int, places: int) -> None:
        """The table has `slots` slots and `places` places now: what was reserved has been written."""
        self.left.size = self.right.size = self.count.size = self.born.size = self.start.size = self.length.size = slots
        self.places.size = places

    def extend_slot(self, slot: int, at: Positions, count: int) -> Moved:
        """A pair that has a slot already occurs at more places; `slot_at` is set by the caller.

        This happens only where a merge makes a token that existed before.
        """
        old = int(self.start.data[slot]), int(self.length.data[slot])
        joined = np.union1d(self.places.data[old[0] : old[0] + old[1]], at)
        new = self.places.size, int(joined.size)
        self.start.data[slot], self.length.data[slot] = new
        self.places.extend(joined)
        self.count.data[slot] += count
        return Moved(slot, old, new)

    def move_back(self, moved: list[Moved]) -> None:
        """Undo `extend_slot` as far as places go."""
        for each in reversed(moved):
            self.start.data[each.slot], self.length.data[each.slot] = each.old

    def move_again(self, moved: list[Moved]) -> None:
        """Redo what `move_back` undid."""
        for each in moved:
            self.start.data[each.slot], self.length.data[each.slot] = each.new

    def forget(self, slots: int, places: int) -> None:
        """Shrink to `slots` slots and `places` places: the merges that made the rest can no longer be redone."""
        self.grown(slots, places)

    def first_positions(self) -> Indices:
        """The first place of every slot now, the corpus size for vanished ones; shape (size,)."""
        size = self.segmentation.size
        first = np.full(self.size, size, dtype=np.int64)
        begins = np.flatnonzero(self.slot_at[:size] >= 0)[::-1]
        first[self.slot_at[begins]] = begins  # of several places of one slot the last written, the earliest, stays
        return first


def _by_pair(left: Positions, right: Positions) -> Indices:
    """The order that sorts by (left, right), keeping the order of positions within a pair.

    Numpy sorts 16-bit integers by radix, in linear time: alphabets of up to 256 symbols take one such pass, of up to
    65,536 two.
    """
    if left.size == 0:
        return np.zeros(0, dtype=np.int64)
    lowest = min(int(left.min()), int(right.min()))
    symbols = max(int(left.max()), int(right.max())) - lowest + 1
    if symbols <= 2**8:
        return np.argsort(((left - lowest) << 8 | (right - lowest)).astype(np.uint16), kind="stable")
    if symbols <= 2**16:
        by_right = np.argsort((right - lowest).astype(np.uint16), kind="stable")
        return by_right[np.argsort((left[by_right] - lowest).astype(np.uint16), kind="stable")]
    return np.argsort(left.astype(np.int64) << 32 | right, kind="stable")
