"""Merging a pair everywhere, undoing it and redoing it, exactly.

One merge of (a, b) into c at places p, with x before and y behind:

    before   x  a  b  y        pairs (x, a)  (a, b)  (b, y)
    after    x  c     y        pairs (x, c)  (c, y)

So every occurrence of (x, a) beside a merged place becomes one of (x, c), and (b, y) becomes (c, y); where two merged
places touch (`a b a b`), (b, a) becomes (c, c). The changed places are grouped by (slot before, what it becomes) with
one sort; each group lowers one old slot and bears one new pair. For undo and redo a merge remembers which positions
were right halves and which old slots lost how much.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from bpe_tui.core.training.arrays import Counts, Indices, Positions
from bpe_tui.core.training.leader import Leader
from bpe_tui.core.training.pair_table import Moved, PairTable
from bpe_tui.core.training.scalar_merging import CHAINED, FEW, LEFT, RIGHT, merge_few, reapply_few, revert_few
from bpe_tui.core.training.segmentation import Segmentation, without_overlap

_PLACE_BITS = 32


class Record(NamedTuple):
    """What one merge needs to be undone and redone. Merges in few places keep lists, others arrays."""

    slot: int
    counted: int
    replaced: int
    halves: list[int] | Positions
    """The right halves' positions, ascending."""
    left_slots: list[int] | Positions
    """The slot that began at the symbol before each merged place."""
    losers: list[int] | Indices
    """Slots whose counts were lowered; a slot may be there twice."""
    losses: list[int] | Counts
    """How much each of them lost."""
    slots: tuple[int, int]
    """Range of the slots that the merge bore."""
    places: tuple[int, int]
    """Range of the pair table's places that it added."""
    joined: _Joined | None
    """Only where the token existed already."""

    @property
    def nbytes(self) -> int:
        """Bytes of memory, roughly: a list's number takes 40, with the list's own share."""
        kept = (self.halves, self.left_slots, self.losers, self.losses)
        return 400 + sum(40 * len(each) if isinstance(each, list) else each.nbytes for each in kept)


@dataclass(frozen=True, slots=True)
class _Joined:
    """What a merge did to pairs that had a slot already, because its token existed before."""

    at: Positions
    slots: Positions
    """The slot that begins at each of `at` since."""
    gained: list[tuple[int, int]]
    """(slot, how much its count rose)."""
    moved: list[Moved]


_record_of: Callable[[tuple[object, ...]], Record] = partial(tuple.__new__, Record)
"""As the class itself would make it, which would take several times as long."""


class Merger:
    """Applies merges to a segmentation and its pair table, and takes them back."""

    def __init__(self, segmentation: Segmentation, table: PairTable) -> None:
        self.segmentation = segmentation
        self.table = table

    def apply(self, slot: int, new_id: int, *, existed: bool, leader: Leader) -> Record:
        """Merge the pair of `slot` into `new_id` wherever it stands; `existed` says that the token is an old one."""
        table = self.table
        count = table.count.items
        counted = count[slot]
        first_slot, first_place = table.count.size, table.places.size
        joined = None
        if counted == leader.top:
            leader.fell(counted)
        count[slot] = 0  # here, since in a run the merged pair is among those beside it
        halves: list[int] | Positions
        left_slots: list[int] | Positions
        losers: list[int] | Indices
        losses: list[int] | Counts
        if table.length.items[slot] <= FEW and not existed:
            halves, left_slots, losers, losses = merge_few(self.segmentation, table, leader, slot, new_id)
        else:
            halves, left_slots, losers, losses, joined = self._merge_many(slot, new_id, existed, leader)
        table.count.items[slot] = 0
        table.version += 1
        replaced = counted
        if table.left.items[slot] == table.right.items[slot]:
            merged = self.segmentation.prev[np.asarray(halves, dtype=np.int32)]
            replaced = int(self.segmentation.weight[merged].sum(dtype=np.int64))
        if joined is not None:
            leader.forget()
        slots, places = (first_slot, table.count.size), (first_place, table.places.size)
        return _record_of((slot, counted, replaced, halves, left_slots, losers, losses, slots, places, joined))

    def _merge_many(
        self, slot: int, new_id: int, existed: bool, leader: Leader
    ) -> tuple[Positions, Positions, Indices, Counts, _Joined | None]:
        segmentation, table = self.segmentation, self.table
        slot_at = table.slot_at
        left = table.positions(slot)
        right = segmentation.next[left]
        if table.left.items[slot] == table.right.items[slot]:
            left, right = without_overlap(left, right)
        before, behind = segmentation.unlink(left, right, new_id)
        left_slots, right_slots = slot_at[before], slot_at[right]
        slot_at[right] = -2 - right_slots
        slot_at[left] = -1

        at, starts, old_slots, kinds = _grouped(left, before, behind, left_slots, right_slots)
        if not starts.size:
            return right, left_slots, starts, starts, None
        changes = np.add.reduceat(segmentation.weight[at], starts, dtype=np.int64)
        counts = table.count.data
        leader.many_fell(old_slots, counts[old_slots])
        np.subtract.at(counts, old_slots, changes)
        lefts = np.where(kinds == LEFT, table.left.data[old_slots], new_id)
        rights = np.where(kinds == RIGHT, table.right.data[old_slots], new_id)
        joined = None
        if existed:
            joined = self._join(new_id, at, starts, lefts, rights, changes)
        else:
            leader.many_rose(table.add(lefts, rights, changes, starts, at))
        return right, left_slots, old_slots, changes, joined

    def _join(
        self,
        token: int,
        at: Positions,
        starts: Indices,
        lefts: Positions,
        rights: Positions,
        changes: Indices,
    ) -> _Joined:
        """Like `PairTable.add`, for a token that existed: its pairs may have slots already. Rare, so group by group."""
        table = self.table
        known = table.with_symbol(token)
        first_new = table.size
        gained: list[tuple[int, int]] = []
        moved: list[Moved] = []
        slots = np.empty(at.size, dtype=np.int32)
        for index, start in enumerate(starts.tolist()):
            end = int(starts[index + 1]) if index + 1 < starts.size else at.size
            pair, places, change = (int(lefts[index]), int(rights[index])), at[start:end], int(changes[index])
            slot = known.get(pair)
            if slot is None:
                one = slice(index, index + 1)
                slot = table.add(lefts[one], rights[one], changes[one], np.zeros(1, dtype=np.int64), places)
                known[pair] = slot
            else:
                moved.append(table.extend_slot(slot, places, change))
                table.slot_at[places] = slot
                if slot >= first_new:
                    table.born.data[slot] += change  # two groups of this very merge give the same pair
                else:
                    gained.append((slot, change))
            slots[start:end] = slot
        return _Joined(at=at, slots=slots, gained=gained, moved=moved)

    def revert(self, record: Record) -> None:
        """Undo a merge: of all merges applied now it must be the last one."""
        table = self.table
        right, left_slots = record.halves, record.left_slots
        if isinstance(right, list):
            assert isinstance(left_slots, list)
            revert_few(self.segmentation, table, record.slot, right, left_slots)
        else:
            slot_at = table.slot_at
            left = self.segmentation.relink(right, table.left.items[record.slot])
            slot_at[right] = -2 - slot_at[right]
            slot_at[left] = record.slot
            slot_at[self.segmentation.prev[left]] = left_slots
        self._give_back(record, 1)
        table.count.data[record.slots[0] : record.slots[1]] = 0
        if record.joined is not None:
            for slot, change in record.joined.gained:
                table.count.items[slot] -= change
            table.move_back(record.joined.moved)
        table.count.items[record.slot] = record.counted
        table.version += 1

    def reapply(self, record: Record, new_id: int) -> None:
        """Redo a merge that `revert` has undone, in the very state that it was undone to."""
        table = self.table
        first, end = record.slots
        if isinstance(record.halves, list):
            reapply_few(self.segmentation, table, record.halves, new_id, range(first, end))
        else:
            slot_at, right = table.slot_at, record.halves
            left = self.segmentation.prev[right]
            self.segmentation.unlink(left, right, new_id)
            slot_at[right] = -2 - slot_at[right]
            slot_at[left] = -1
            if record.joined is not None:
                slot_at[record.joined.at] = record.joined.slots
            elif end > first:
                places = table.places.data[record.places[0] : record.places[1]]
                slot_at[places] = np.arange(first, end, dtype=np.int32).repeat(table.length.data[first:end])
        self._give_back(record, -1)
        table.count.data[first:end] = table.born.data[first:end]
        if record.joined is not None:
            for slot, change in record.joined.gained:
                table.count.items[slot] += change
            table.move_again(record.joined.moved)
        table.count.items[record.slot] = 0
        table.version += 1

    def _give_back(self, record: Record, sign: int) -> None:
        """Add `sign` times what each slot lost to its count."""
        if isinstance(record.losers, list):
            count = self.table.count.items
            for slot, loss in zip(record.losers, record.losses, strict=True):
                count[slot] += sign * loss
        else:
            np.add.at(self.table.count.data, record.losers, sign * np.asarray(record.losses))

    def forget(self, record: Record) -> None:
        """Drop an undone merge, and with it all later ones, for good: another merge takes its place."""
        self.table.forget(record.slots[0], record.places[0])

    def changes(self, record: Record) -> dict[int, int]:
        """What a merge did to the counts: {slot: change}; the merged pair and all that it touched or bore."""
        changed: dict[int, int] = {}
        for slot, loss in zip(np.asarray(record.losers).tolist(), np.asarray(record.losses).tolist(), strict=True):
            changed[slot] = changed.get(slot, 0) - loss
        for slot in range(*record.slots):
            changed[slot] = self.table.born.items[slot]
        if record.joined is not None:
            for slot, change in record.joined.gained:
                changed[slot] = changed.get(slot, 0) + change
        changed[record.slot] = -record.counted
        return changed


def _grouped(
    left: Positions, before: Positions, behind: Positions, left_slots: Positions, right_slots: Positions
) -> tuple[Positions, Indices, Indices, Indices]:
    """Group the pairs beside merged places by (old slot, what it becomes).

    Returns the places where the new pairs begin, ascending within a group; where each group starts among them; and
    per group the old slot and what it becomes (`LEFT`, `RIGHT` or `CHAINED`).
    """
    keys = np.empty(2 * left.size, dtype=np.int64)
    lefts, rights = keys[: left.size], keys[left.size :]
    np.left_shift(left_slots, _PLACE_BITS + 2, out=lefts, dtype=np.int64)
    lefts |= before
    np.left_shift(right_slots, _PLACE_BITS + 2, out=rights, dtype=np.int64)
    rights |= left
    rights |= RIGHT << _PLACE_BITS
    touching = behind[:-1] == left[1:]
    if touching.any():
        chained = np.flatnonzero(touching)
        # Between two merged places one pair changes, not two: it is counted on the left side of the second place.
        lefts[chained + 1] = (left_slots[chained + 1].astype(np.int64) << (_PLACE_BITS + 2)) | (
            (CHAINED << _PLACE_BITS) | left[chained].astype(np.int64)
        )
        rights[chained] = -1
    keys.sort()
    keys = keys[int(keys.searchsorted(0)) :]  # negative: no pair, at a word's edge, or counted already
    if not keys.size:
        return np.zeros(0, dtype=np.int32), keys, keys, keys
    groups = keys >> _PLACE_BITS
    ends = (groups[1:] != groups[:-1]).nonzero()[0]
    starts = np.zeros(ends.size + 1, dtype=np.int64)
    np.add(ends, 1, out=starts[1:])
    first = groups[starts]
    return keys.astype(np.uint32).view(np.int32), starts, first >> 2, first & 3
