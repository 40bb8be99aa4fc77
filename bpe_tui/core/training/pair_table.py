"""Counts and positions of every pair of neighbouring symbols, kept up to date merge by merge.

A pair that has ever occurred has a *slot*, a row in these arrays, for good: its ids, its count now (0 when it has
vanished), and its count and positions when it was created. Positions are never updated: `slot_at`, the slot of the pair
that begins at each position, shows which of them still hold the pair. So nothing has to be searched by key, and undoing
a merge only has to give counts and `slot_at` their old values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from bpe_tui.core.corpus.types import ShouldStop, raise_if_stopped
from bpe_tui.core.training.arrays import Counts, GrowableArray, Indices, Numbers, Positions, items
from bpe_tui.core.training.exclusions import Exclusions
from bpe_tui.core.training.segmentation import Segmentation

NO_PAIR = -1
"""`slot_at` of a word's last symbol. An unlinked position holds `-2 - slot`, which is negative as well."""


@dataclass(frozen=True, slots=True)
class SlotExtension:
    """A slot whose positions were written anew because it got more of them."""

    slot: int
    old: tuple[int, int]
    """Start and length in the pool before."""
    new: tuple[int, int]


class PairTable:
    """Every pair, its count and its positions; shapes: one row per slot, `slot_at` one value per position."""

    def __init__(self, segmentation: Segmentation, should_stop: ShouldStop | None = None) -> None:
        """Count every adjacent pair of `segmentation`. Raises `Cancelled` if `should_stop`."""
        size = segmentation.size
        self.segmentation = segmentation
        self.slot_at: Positions = np.full(size + 1, NO_PAIR, dtype=np.int32)
        """The slot of the pair that begins at each position: see `NO_PAIR`."""
        self.slot_items: memoryview[int] = items(self.slot_at)
        """The same memory, for reading and writing single values fast."""

        begins = np.flatnonzero(segmentation.next[:size] != size).astype(np.int32)
        raise_if_stopped(should_stop)
        left, right = segmentation.ids[begins], segmentation.ids[begins + 1]
        raise_if_stopped(should_stop)
        order = _by_pair(left, right)
        raise_if_stopped(should_stop)
        left, right = left[order], right[order]
        raise_if_stopped(should_stop)
        begins = begins[order]
        raise_if_stopped(should_stop)
        first = np.ones(begins.size, dtype=np.bool_)
        first[1:] = (left[1:] != left[:-1]) | (right[1:] != right[:-1])
        starts = np.flatnonzero(first)
        lengths = np.diff(starts, append=begins.size)
        raise_if_stopped(should_stop)
        counts = (
            np.add.reduceat(segmentation.weight[begins], starts, dtype=np.int64)
            if starts.size
            else np.zeros(0, dtype=np.int64)
        )
        raise_if_stopped(should_stop)
        self.slot_at[begins] = np.repeat(np.arange(starts.size, dtype=np.int32), lengths)
        raise_if_stopped(should_stop)

        self.left = GrowableArray(np.int32, left[starts])
        self.right = GrowableArray(np.int32, right[starts])
        self.count = GrowableArray(np.int64, counts)
        self.initial_count = GrowableArray(np.int64, counts)
        """A slot's count when it was created, which redoing the merge that created it gives back."""
        self.start = GrowableArray(np.int64, starts)
        self.length = GrowableArray(np.int32, lengths)
        self.pool = GrowableArray(np.int32, begins)
        """Positions of all slots when they were created: each slot's from `start` on, `length` of them, ascending."""
        self._columns: tuple[GrowableArray[Any], ...] = (
            self.left,
            self.right,
            self.count,
            self.initial_count,
            self.start,
            self.length,
        )
        self.longest: int | None = None
        """A pair whose halves have this many symbols together, or more, is no candidate; None if there is no limit."""
        self.symbols = GrowableArray(np.int32)
        """How many symbols each token has, by id; not kept where there is no limit."""
        self._allowed = GrowableArray(np.bool_)
        """Whether each slot is a candidate as far as its length goes, as far as anybody has asked."""
        self.exclusions: Exclusions | None = None
        """Pairs that are no candidates, whatever their length; None if there are none."""
        self.version = 0
        """Changes with every merge that is applied, undone or redone, and so whenever a count does."""

    @property
    def size(self) -> int:
        """Slots given out so far, those of vanished pairs included."""
        return self.count.size

    def limit_length(self, longest: int | None, tokens: int) -> None:
        """Take no pairs as candidates that make tokens of `longest` symbols or more, but for pairs of two symbols.

        There is room for `tokens` tokens now, of one symbol each.
        """
        self.longest = longest
        if longest is not None:
            self.symbols.extend(np.ones(tokens, dtype=np.int32))

    def spell(self, token: int, left_id: int, right_id: int) -> None:
        """A merge makes this token of these two; it is new, or was not made of symbols before."""
        if self.longest is not None:
            if token == self.symbols.size:
                self.symbols.extend(np.zeros(1, dtype=np.int32))
            symbols = self.symbols.items
            symbols[token] = symbols[left_id] + symbols[right_id]

    @property
    def has_candidates_only(self) -> bool:
        """May all pairs be merged?"""
        return self.longest is None and self.exclusions is None

    def is_excluded(self, slot: int) -> bool:
        """May the pair not be merged, however short it is?"""
        return self.exclusions is not None and self.exclusions.hold(self.left.items[slot], self.right.items[slot])

    def is_candidate(self, slot: int) -> bool:
        """May the pair be merged, as far as its length goes, and if it is not excluded?"""
        if self.exclusions is not None and self.is_excluded(slot):
            return False
        if self.longest is None:
            return True
        symbols = self.symbols.items
        length = symbols[self.left.items[slot]] + symbols[self.right.items[slot]]
        return length < self.longest or length == 2

    def are_candidates(self, slots: Numbers) -> Numbers:
        """The same of many slots."""
        allowed = self._are_short(slots)
        if self.exclusions is not None:
            allowed &= ~self.exclusions.by_slot(self.left.view(), self.right.view())[slots]
        return allowed

    def _are_short(self, slots: Numbers | slice) -> Numbers:
        if self.longest is None:
            return np.ones(len(self.left.view()[slots]), dtype=np.bool_)
        symbols = self.symbols.view()
        lengths = symbols[self.left.view()[slots]] + symbols[self.right.view()[slots]]
        allowed: Numbers = (lengths < self.longest) | (lengths == 2)
        return allowed

    def candidate_counts(self) -> Counts:
        """Counts by slot, 0 for pairs that are no candidates; for reading."""
        counts = self.count.view()
        if self.longest is not None:
            if self._allowed.size < counts.size:
                self._allowed.extend(self._are_short(slice(self._allowed.size, counts.size)))
            counts = counts * self._allowed.view()
        if self.exclusions is not None:
            counts = counts * ~self.exclusions.by_slot(self.left.view(), self.right.view())
        return counts

    def positions(self, slot: int) -> Positions:
        """Where the pair begins now, ascending; in runs overlapping occurrences are all there."""
        start = self.start.items[slot]
        initial: Positions = self.pool.data[start : start + self.length.items[slot]]
        now: Positions = initial[self.slot_at[initial] == slot]
        return now

    def initial_positions(self, slot: int) -> list[int]:
        """Where the pair began when it was created, ascending: some of these positions hold it no longer."""
        start = self.start.items[slot]
        return self.pool.items[start : start + self.length.items[slot]].tolist()

    def first_position(self, slot: int) -> int:
        """Where the pair occurs first now; the corpus size if it does not occur."""
        start, length = self.start.items[slot], self.length.items[slot]
        slot_at, pool = self.slot_items, self.pool.items
        for position in pool[start : start + min(length, 8)]:
            if slot_at[position] == slot:
                return position
        step, done = 64, 8
        while done < length:
            positions = self.pool.data[start + done : start + min(done + step, length)]
            hits = np.flatnonzero(self.slot_at[positions] == slot)
            if hits.size:
                return int(positions[hits[0]])
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

        `slot_at` is set at all these positions.
        """
        first, base = self.size, self.pool.size
        lengths = np.empty(starts.size, dtype=np.int64)
        np.subtract(starts[1:], starts[:-1], out=lengths[:-1])
        lengths[-1] = at.size - starts[-1]
        self.left.extend(left)
        self.right.extend(right)
        self.count.extend(counts)
        self.initial_count.extend(counts)
        self.start.extend(starts + base)
        self.length.extend(lengths)
        self.pool.extend(at)
        self.slot_at[at] = np.arange(first, first + starts.size, dtype=np.int32).repeat(lengths)
        return first

    def reserve(self, slots: int, positions: int) -> None:
        """Make room for that many more slots and positions, to be written through `items`; then call `resize`."""
        if self.count.size + slots > len(self.count.items):
            for column in self._columns:
                column.reserve(slots)
        if self.pool.size + positions > len(self.pool.items):
            self.pool.reserve(positions)

    def resize(self, slots: int, positions: int) -> None:
        """Set how many slots and positions of the pool are in use, after writing into reserved room or to drop some."""
        for column in self._columns:
            column.size = slots
        self.pool.size = positions
        self._allowed.size = min(self._allowed.size, slots)
        if self.exclusions is not None:
            self.exclusions.resize(slots)

    def extend_slot(self, slot: int, at: Positions, count: int) -> SlotExtension:
        """A pair that has a slot already occurs at more positions; `slot_at` is set by the caller.

        This happens only where a merge makes a token that existed before.
        """
        old = int(self.start.data[slot]), int(self.length.data[slot])
        joined = np.union1d(self.pool.data[old[0] : old[0] + old[1]], at)
        new = self.pool.size, int(joined.size)
        self.start.data[slot], self.length.data[slot] = new
        self.pool.extend(joined)
        self.count.data[slot] += count
        return SlotExtension(slot, old, new)

    def revert_extensions(self, extensions: list[SlotExtension]) -> None:
        """Undo `extend_slot` as far as positions go."""
        for each in reversed(extensions):
            self.start.data[each.slot], self.length.data[each.slot] = each.old

    def reapply_extensions(self, extensions: list[SlotExtension]) -> None:
        """Redo what `revert_extensions` undid."""
        for each in extensions:
            self.start.data[each.slot], self.length.data[each.slot] = each.new

    def first_positions(self) -> Indices:
        """Where each slot's pair occurs first now, the corpus size for vanished ones; shape (size,)."""
        size = self.segmentation.size
        first = np.full(self.size, size, dtype=np.int64)
        begins = np.flatnonzero(self.slot_at[:size] >= 0)[::-1]
        first[self.slot_at[begins]] = begins  # of several positions of one slot the last written, the earliest, stays
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
