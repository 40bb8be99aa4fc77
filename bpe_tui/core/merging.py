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

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bpe_tui.core.growing import Growing
from bpe_tui.core.leader import Leader
from bpe_tui.core.pair_table import Moved, PairTable
from bpe_tui.core.segmentation import Positions, Segmentation, without_overlap

_LEFT, _RIGHT, _CHAINED = 0, 1, 2
"""What becomes of a pair beside a merged place: (x, a) → (x, c); (b, y) → (c, y); (b, a) → (c, c)."""

_PLACE_BITS = 32
_PLACE_MASK = (1 << _PLACE_BITS) - 1


@dataclass(frozen=True, slots=True)
class Record:
    """What one merge needs to be undone and redone: ranges of the pools and of the pair table."""

    slot: int
    counted: int
    replaced: int
    halves: tuple[int, int]
    """Range in `Merger.halves` and `Merger.left_slots`: one value a place."""
    losses: tuple[int, int]
    """Range in `Merger.losers` and `Merger.losses`: one value a group."""
    slots: tuple[int, int]
    """Range of the slots that the merge bore."""
    places: tuple[int, int]
    """Range of the pair table's places that it added."""
    joined: _Joined | None
    """Only where the token existed already."""


@dataclass(frozen=True, slots=True)
class _Joined:
    """What a merge did to pairs that had a slot already, because its token existed before."""

    at: Positions
    slots: Positions
    """The slot that begins at each of `at` since."""
    gained: list[tuple[int, int]]
    """(slot, how much its count rose)."""
    moved: list[Moved]


class Merger:
    """Applies merges to a segmentation and its pair table, and takes them back."""

    def __init__(self, segmentation: Segmentation, table: PairTable) -> None:
        self.segmentation = segmentation
        self.table = table
        self.halves = Growing(np.int32)
        """Right halves of all merges done, in ascending order within a merge."""
        self.left_slots = Growing(np.int32)
        """The slot that began at the symbol before each merged place."""
        self.losers = Growing(np.int32)
        """Slots whose counts a merge lowered."""
        self.losses = Growing(np.int64)

    def apply(self, slot: int, new_id: int, *, existed: bool, leader: Leader) -> Record:
        """Merge the pair of `slot` into `new_id` wherever it stands; `existed` says that the token is an old one."""
        segmentation, table = self.segmentation, self.table
        slot_at = table.slot_at
        left_id, right_id = int(table.left.data[slot]), int(table.right.data[slot])
        counted = int(table.count.data[slot])

        left = table.positions(slot)
        right = segmentation.next[left]
        if left_id == right_id:
            left, right = without_overlap(left, right)
        before, behind = segmentation.unlink(left, right, new_id)
        replaced = int(segmentation.weight[left].sum(dtype=np.int64))

        left_slots, right_slots = slot_at[before], slot_at[right]
        slot_at[right] = -2 - right_slots
        self.left_slots.extend(left_slots)
        self.halves.extend(right)
        halves = (self.halves.size - right.size, self.halves.size)

        at, starts, old_slots, kinds = _grouped(left, before, behind, left_slots, right_slots)
        first_new, first_place = table.size, table.places.size
        joined = None
        if starts.size:
            changes = np.add.reduceat(segmentation.weight[at], starts, dtype=np.int64)
            counts = table.count.data
            was = counts[old_slots]
            np.subtract.at(counts, old_slots, changes)
            self.losers.extend(old_slots)
            self.losses.extend(changes)
            lefts = np.where(kinds == _LEFT, table.left.data[old_slots], new_id)
            rights = np.where(kinds == _RIGHT, table.right.data[old_slots], new_id)
            if existed:
                joined = self._join(new_id, at, starts, lefts, rights, changes)
            else:
                table.add(lefts, rights, changes, starts, at)
        table.count.data[slot] = 0
        slot_at[left[behind == segmentation.size]] = -1

        if joined is not None:
            leader.forget()
        elif starts.size:
            leader.changed(np.append(old_slots, slot), np.append(was, counted), first_new)
        else:
            leader.changed(np.array([slot]), np.array([counted]), first_new)
        return Record(
            slot=slot,
            counted=counted,
            replaced=replaced,
            halves=halves,
            losses=(self.losers.size - starts.size, self.losers.size),
            slots=(first_new, table.size),
            places=(first_place, table.places.size),
            joined=joined,
        )

    def _join(
        self,
        token: int,
        at: Positions,
        starts: npt.NDArray[np.int64],
        lefts: Positions,
        rights: Positions,
        changes: npt.NDArray[np.int64],
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
        table, slot_at = self.table, self.table.slot_at
        counts = table.count.data
        first, end = record.halves
        right = self.halves.data[first:end]
        left = self.segmentation.relink(right, int(table.left.data[record.slot]))
        slot_at[right] = -2 - slot_at[right]
        slot_at[left] = record.slot
        slot_at[self.segmentation.prev[left]] = self.left_slots.data[first:end]

        first, end = record.losses
        np.add.at(counts, self.losers.data[first:end], self.losses.data[first:end])
        counts[record.slots[0] : record.slots[1]] = 0
        if record.joined is not None:
            for slot, change in record.joined.gained:
                counts[slot] -= change
            table.move_back(record.joined.moved)
        counts[record.slot] = record.counted

    def reapply(self, record: Record, new_id: int) -> None:
        """Redo a merge that `revert` has undone, in the very state that it was undone to."""
        segmentation, table, slot_at = self.segmentation, self.table, self.table.slot_at
        counts = table.count.data
        first, end = record.halves
        right = self.halves.data[first:end]
        left = segmentation.prev[right]
        _, behind = segmentation.unlink(left, right, new_id)
        slot_at[right] = -2 - slot_at[right]
        slot_at[left[behind == segmentation.size]] = -1

        first, end = record.losses
        np.subtract.at(counts, self.losers.data[first:end], self.losses.data[first:end])
        first, end = record.slots
        counts[first:end] = table.born.data[first:end]
        if record.joined is not None:
            slot_at[record.joined.at] = record.joined.slots
            for slot, change in record.joined.gained:
                counts[slot] += change
            table.move_again(record.joined.moved)
        elif end > first:
            places = table.places.data[record.places[0] : record.places[1]]
            slot_at[places] = np.arange(first, end, dtype=np.int32).repeat(table.length.data[first:end])
        counts[record.slot] = 0

    def forget(self, record: Record) -> None:
        """Drop an undone merge, and with it all later ones, for good: another merge takes its place."""
        self.halves.size = self.left_slots.size = record.halves[0]
        self.losers.size = self.losses.size = record.losses[0]
        self.table.forget(record.slots[0], record.places[0])

    def changes(self, record: Record) -> dict[int, int]:
        """What a merge did to the counts: {slot: change}; the merged pair and all that it touched or bore."""
        first, end = record.losses
        changed: dict[int, int] = {}
        for slot, loss in zip(self.losers.data[first:end].tolist(), self.losses.data[first:end].tolist(), strict=True):
            changed[slot] = changed.get(slot, 0) - loss
        for slot in range(*record.slots):
            changed[slot] = int(self.table.born.data[slot])
        if record.joined is not None:
            for slot, change in record.joined.gained:
                changed[slot] = changed.get(slot, 0) + change
        changed[record.slot] = -record.counted
        return changed

    def positions(self, record: Record) -> Positions:
        """The right halves' positions of a merge, ascending."""
        return self.halves.data[record.halves[0] : record.halves[1]]

    @property
    def history_bytes(self) -> int:
        """Bytes of memory that undo and redo need beside the segmentation and the pair table."""
        return sum(pool.nbytes for pool in (self.halves, self.left_slots, self.losers, self.losses))


def _grouped(
    left: Positions, before: Positions, behind: Positions, left_slots: Positions, right_slots: Positions
) -> tuple[Positions, npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Group the pairs beside merged places by (old slot, what it becomes).

    Returns the places where the new pairs begin, ascending within a group; where each group starts among them; and
    per group the old slot and what it becomes (`_LEFT`, `_RIGHT` or `_CHAINED`).
    """
    keys = np.empty(2 * left.size, dtype=np.int64)
    lefts, rights = keys[: left.size], keys[left.size :]
    np.left_shift(left_slots, _PLACE_BITS + 2, out=lefts, dtype=np.int64)
    lefts |= before
    np.left_shift(right_slots, _PLACE_BITS + 2, out=rights, dtype=np.int64)
    rights |= left
    rights |= _RIGHT << _PLACE_BITS
    touching = behind[:-1] == left[1:]
    if touching.any():
        chained = np.flatnonzero(touching)
        # Between two merged places one pair changes, not two: it is counted on the left side of the second place.
        lefts[chained + 1] = (left_slots[chained + 1].astype(np.int64) << (_PLACE_BITS + 2)) | (
            (_CHAINED << _PLACE_BITS) | left[chained].astype(np.int64)
        )
        rights[chained] = -1
    keys.sort()
    keys = keys[np.searchsorted(keys, 0) :]  # no pair: at a word's edge, or counted already
    groups = keys >> _PLACE_BITS
    starts = np.flatnonzero(np.concatenate(([True], groups[1:] != groups[:-1]))) if keys.size else keys
    first = groups[starts]
    return (keys & _PLACE_MASK).astype(np.int32), starts, first >> 2, first & 3
