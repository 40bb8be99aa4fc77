"""Merging a pair everywhere, undoing it and redoing it, exactly.

One merge of (a, b) into c, with x before and y behind:

    before   x  a  b  y        pairs (x, a)  (a, b)  (b, y)
    after    x  c     y        pairs (x, c)  (c, y)

So every occurrence of (x, a) beside a merged pair becomes one of (x, c), and (b, y) becomes (c, y); where two merged
pairs touch (`a b a b`), (b, a) becomes (c, c). The changes are grouped by (slot before, what it becomes); each group
lowers the count of one old slot and creates one new pair. For undo and redo a merge records which positions were right
halves and which old slots lost how much.

There are two ways to do this, with the same outcome to the last slot. Most merges of a training concern a handful of
positions, where the fixed cost of numpy's calls would be all of the time: these are done one position at a time, the
others with arrays. Learning 8,000 tokens from Shakespeare (1.1 MB) takes 0.25 s; with arrays alone 0.75 s. On 400,000
distinct words it takes 2 s; one position at a time alone, 8 s.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from bpe_tui.core.training.arrays import Counts, Indices, Positions
from bpe_tui.core.training.pair_table import PairTable, SlotExtension
from bpe_tui.core.training.segmentation import MAX_TOTAL, Segmentation, without_overlap
from bpe_tui.core.training.selection import Leader

SCALAR_LIMIT: Final = 64
"""A pair that was created at up to this many positions is merged one position at a time, others with arrays."""

_NO_SLOT: Final = -1
"""In the record of a merge of a pair that did not occur."""
_LEFT, _RIGHT, _CHAINED = 0, 1, 2
"""What becomes of a pair beside a merged one: (x, a) → (x, c); (b, y) → (c, y); (b, a) → (c, c)."""
_POSITION_BITS: Final = 32


class MergeRecord(NamedTuple):
    """What undoing and redoing one merge takes. Scalar merges keep lists, vector merges arrays."""

    slot: int
    counted: int
    replaced: int
    halves: list[int] | Positions
    """The right halves' positions, ascending."""
    left_slots: list[int] | Positions
    """For each of them the slot that began at the symbol before the pair."""
    losers: list[int] | Indices
    """Slots whose counts were lowered; a slot may be there twice."""
    losses: list[int] | Counts
    """How much each of them lost."""
    created: tuple[int, int]
    """Range of the slots that the merge created."""
    pool: tuple[int, int]
    """Range of the positions that it added to the pair table's pool."""
    reuse: _Reuse | None
    """Only where the token existed already."""

    @property
    def nbytes(self) -> int:
        """Bytes of memory, roughly: a number in a list takes 40, the list's own share included."""
        kept = (self.halves, self.left_slots, self.losers, self.losses)
        return 400 + sum(40 * len(each) if isinstance(each, list) else each.nbytes for each in kept)


@dataclass(frozen=True, slots=True)
class _Reuse:
    """What a merge did to pairs that had a slot already, because its token existed before."""

    at: Positions
    slots: Positions
    """The slot that begins at each of `at` from then on."""
    gained: list[tuple[int, int]]
    """(slot, how much its count rose)."""
    extensions: list[SlotExtension]


class Merger:
    """Applies merges to a segmentation and its pair table, undoes and redoes them."""

    def __init__(self, segmentation: Segmentation, table: PairTable) -> None:
        self.segmentation = segmentation
        self.table = table

    def apply(self, slot: int, new_id: int, *, existed: bool, leader: Leader) -> MergeRecord:
        """Merge the pair of `slot` into `new_id` wherever it occurs; `existed`: the token is an older one."""
        table = self.table
        count = table.count.items
        counted = count[slot]
        first_slot, first_position = table.size, table.pool.size
        if counted == leader.top:
            leader.fell(slot, counted)
        count[slot] = 0  # before all else: in a run the merged pair is one of those beside it
        halves: list[int] | Positions
        left_slots: list[int] | Positions
        losers: list[int] | Indices
        losses: list[int] | Counts
        reuse = None
        if table.length.items[slot] <= SCALAR_LIMIT and not existed:
            halves, left_slots, losers, losses = self._merge_scalar(slot, new_id, leader)
        else:
            halves, left_slots, losers, losses, reuse = self._merge_vector(slot, new_id, existed, leader)
        table.count.items[slot] = 0
        table.version += 1
        replaced = counted
        if table.left.items[slot] == table.right.items[slot]:
            merged = self.segmentation.prev[np.asarray(halves, dtype=np.int32)]
            replaced = int(self.segmentation.weight[merged].sum(dtype=np.int64))
        if reuse is not None:
            leader.forget()
        created, pool = (first_slot, table.size), (first_position, table.pool.size)
        return MergeRecord(slot, counted, replaced, halves, left_slots, losers, losses, created, pool, reuse)

    def apply_nowhere(self) -> MergeRecord:
        """Merge a pair that does not occur."""
        self.table.version += 1
        slots, positions = self.table.size, self.table.pool.size
        return MergeRecord(_NO_SLOT, 0, 0, [], [], [], [], (slots, slots), (positions, positions), None)

    def revert(self, record: MergeRecord) -> None:
        """Undo a merge: of all merges applied now it must be the last one."""
        table = self.table
        if record.slot == _NO_SLOT:
            table.version += 1
            return
        if isinstance(record.halves, list):
            self._revert_scalar(record)
        else:
            self._revert_vector(record)
        self._give_back(record, 1)
        table.count.data[slice(*record.created)] = 0
        if record.reuse is not None:
            for slot, change in record.reuse.gained:
                table.count.items[slot] -= change
            table.revert_extensions(record.reuse.extensions)
        table.count.items[record.slot] = record.counted
        table.version += 1

    def reapply(self, record: MergeRecord, new_id: int) -> None:
        """Redo a merge that `revert` has undone, in the very state that it was undone to."""
        table = self.table
        if record.slot == _NO_SLOT:
            table.version += 1
            return
        if isinstance(record.halves, list):
            self._reapply_scalar(record, new_id)
        else:
            self._reapply_vector(record, new_id)
        self._give_back(record, -1)
        created = slice(*record.created)
        table.count.data[created] = table.initial_count.data[created]
        if record.reuse is not None:
            for slot, change in record.reuse.gained:
                table.count.items[slot] += change
            table.reapply_extensions(record.reuse.extensions)
        table.count.items[record.slot] = 0
        table.version += 1

    def drop(self, record: MergeRecord) -> None:
        """Drop an undone merge, and with it all later ones, for good: another merge takes its place."""
        self.table.resize(record.created[0], record.pool[0])

    def changes(self, record: MergeRecord) -> dict[int, int]:
        """What a merge did to the counts: {slot: change}; the merged pair and all that it changed or created."""
        changed: dict[int, int] = {}
        if record.slot == _NO_SLOT:
            return changed
        for slot, loss in zip(np.asarray(record.losers).tolist(), np.asarray(record.losses).tolist(), strict=True):
            changed[slot] = changed.get(slot, 0) - loss
        for slot in range(*record.created):
            changed[slot] = self.table.initial_count.items[slot]
        if record.reuse is not None:
            for slot, change in record.reuse.gained:
                changed[slot] = changed.get(slot, 0) + change
        changed[record.slot] = -record.counted
        return changed

    def _give_back(self, record: MergeRecord, sign: int) -> None:
        """Add `sign` times what each slot lost to its count."""
        if isinstance(record.losers, list):
            count = self.table.count.items
            for slot, loss in zip(record.losers, record.losses, strict=True):
                count[slot] += sign * loss
        else:
            np.add.at(self.table.count.data, record.losers, sign * np.asarray(record.losses))

    # -- one position at a time ----------------------------------------------------------------------------------

    def _merge_scalar(
        self, slot: int, new_id: int, leader: Leader
    ) -> tuple[list[int], list[int], list[int], list[int]]:
        """Merge the pair of `slot` into the token `new_id`, which no pair has yet.

        Returns `halves`, `left_slots`, `losers` and `losses` of the record.
        """
        segmentation, table = self.segmentation, self.table
        ids, after, before = segmentation.id_items, segmentation.next_items, segmentation.prev_items
        slot_at = table.slot_items
        halves: list[int] = []
        left_slots: list[int] = []
        groups: dict[int, list[int]] = {}  # (old slot × 4 + what it becomes) → positions where the new pair begins
        last = last_slot = -1
        for left in table.initial_positions(slot):
            if slot_at[left] != slot:  # gone, or (in a run like `aaa`) just merged as a right half
                continue
            right = after[left]
            ahead, behind = before[left], after[right]
            right_slot = slot_at[right]
            if ahead == last:
                left_slot, key, position = last_slot, last_slot << 2 | _CHAINED, last
            else:
                left_slot = slot_at[ahead]
                key, position = left_slot << 2, ahead
            if left_slot >= 0:
                group = groups.get(key)
                if group is None:
                    groups[key] = [position]
                else:
                    group.append(position)
            if right_slot >= 0 and slot_at[behind] != slot:
                group = groups.get(right_slot << 2 | _RIGHT)
                if group is None:
                    groups[right_slot << 2 | _RIGHT] = [left]
                else:
                    group.append(left)
            left_slots.append(left_slot)
            halves.append(right)
            ids[left] = new_id
            after[left] = behind
            before[behind] = left
            slot_at[right] = -2 - right_slot
            slot_at[left] = -1
            last, last_slot = left, right_slot
        losers, losses = self._recount_scalar(groups, new_id, leader) if groups else ([], [])
        return halves, left_slots, losers, losses

    def _recount_scalar(self, groups: dict[int, list[int]], new_id: int, leader: Leader) -> tuple[list[int], list[int]]:
        """Lower the old pairs' counts and give slots to the new ones. Returns the slots that lost, and how much."""
        table = self.table
        weight, slot_at = self.segmentation.weight_items, table.slot_items
        new = table.size
        table.reserve(len(groups), 2 * SCALAR_LIMIT)
        count, left_of, right_of = table.count.items, table.left.items, table.right.items
        initial_count, start, length = table.initial_count.items, table.start.items, table.length.items
        pool, used = table.pool.items, table.pool.size
        top, bound = leader.top, leader.bound or MAX_TOTAL
        losers: list[int] = []
        losses: list[int] = []
        for key in sorted(groups):
            at = groups[key]
            old, kind = key >> 2, key & 3
            start[new] = used
            change = 0
            for position in at:
                pool[used] = position
                change += weight[position]
                slot_at[position] = new
                used += 1
            length[new] = len(at)
            was = count[old]
            if was == top:
                leader.fell(old, was)
            count[old] = was - change
            losers.append(old)
            losses.append(change)
            left_of[new] = left_of[old] if kind == _LEFT else new_id
            right_of[new] = right_of[old] if kind == _RIGHT else new_id
            count[new] = initial_count[new] = change
            if change >= bound:
                leader.rose(new, change)
            new += 1
        table.resize(new, used)
        return losers, losses

    def _revert_scalar(self, record: MergeRecord) -> None:
        """Link the right halves in again; `slot_at` becomes what it was before the merge."""
        segmentation, table = self.segmentation, self.table
        ids, after, before = segmentation.id_items, segmentation.next_items, segmentation.prev_items
        slot_at, slot, left_id = table.slot_items, record.slot, table.left.items[record.slot]
        for right, left_slot in zip(reversed(record.halves), reversed(record.left_slots), strict=True):
            left = before[right]
            ids[left] = left_id
            after[left] = right
            before[after[right]] = right
            slot_at[right] = -2 - slot_at[right]
            slot_at[left] = slot
            # Last to first: where two merged pairs touch, the first is still merged, and is put right in its own turn.
            slot_at[before[left]] = left_slot

    def _reapply_scalar(self, record: MergeRecord, new_id: int) -> None:
        """Unlink the right halves again, and let the created pairs begin where they did."""
        segmentation, table = self.segmentation, self.table
        ids, after, before = segmentation.id_items, segmentation.next_items, segmentation.prev_items
        slot_at, start, length, pool = table.slot_items, table.start.items, table.length.items, table.pool.items
        for right in record.halves:
            left = before[right]
            behind = after[right]
            ids[left] = new_id
            after[left] = behind
            before[behind] = left
            slot_at[right] = -2 - slot_at[right]
            slot_at[left] = -1
        for slot in range(*record.created):
            first = start[slot]
            for position in pool[first : first + length[slot]]:
                slot_at[position] = slot

    # -- with arrays ---------------------------------------------------------------------------------------------

    def _merge_vector(
        self, slot: int, new_id: int, existed: bool, leader: Leader
    ) -> tuple[Positions, Positions, Indices, Counts, _Reuse | None]:
        """Like `_merge_scalar`, also for a token that existed before."""
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
        lefts = np.where(kinds == _LEFT, table.left.data[old_slots], new_id)
        rights = np.where(kinds == _RIGHT, table.right.data[old_slots], new_id)
        reuse = None
        if existed:
            reuse = self._add_to_known(new_id, at, starts, lefts, rights, changes)
        else:
            leader.many_rose(table.add(lefts, rights, changes, starts, at))
        return right, left_slots, old_slots, changes, reuse

    def _add_to_known(
        self,
        token: int,
        at: Positions,
        starts: Indices,
        lefts: Positions,
        rights: Positions,
        changes: Indices,
    ) -> _Reuse:
        """Like `PairTable.add`, for a token that existed: its pairs may have slots already. Rare, so group by group."""
        table = self.table
        known = table.with_symbol(token)
        first_new = table.size
        gained: list[tuple[int, int]] = []
        extensions: list[SlotExtension] = []
        slots = np.empty(at.size, dtype=np.int32)
        for index, start in enumerate(starts.tolist()):
            end = int(starts[index + 1]) if index + 1 < starts.size else at.size
            pair, positions, change = (int(lefts[index]), int(rights[index])), at[start:end], int(changes[index])
            slot = known.get(pair)
            if slot is None:
                one = slice(index, index + 1)
                slot = table.add(lefts[one], rights[one], changes[one], np.zeros(1, dtype=np.int64), positions)
                known[pair] = slot
            else:
                extensions.append(table.extend_slot(slot, positions, change))
                table.slot_at[positions] = slot
                if slot >= first_new:
                    table.initial_count.data[slot] += change  # two groups of this very merge give the same pair
                else:
                    gained.append((slot, change))
            slots[start:end] = slot
        return _Reuse(at=at, slots=slots, gained=gained, extensions=extensions)

    def _revert_vector(self, record: MergeRecord) -> None:
        slot_at, right = self.table.slot_at, record.halves
        left = self.segmentation.relink(np.asarray(right), self.table.left.items[record.slot])
        slot_at[right] = -2 - slot_at[right]
        slot_at[left] = record.slot
        slot_at[self.segmentation.prev[left]] = record.left_slots

    def _reapply_vector(self, record: MergeRecord, new_id: int) -> None:
        table, slot_at = self.table, self.table.slot_at
        right = np.asarray(record.halves)
        left = self.segmentation.prev[right]
        self.segmentation.unlink(left, right, new_id)
        slot_at[right] = -2 - slot_at[right]
        slot_at[left] = -1
        first, end = record.created
        if record.reuse is not None:
            slot_at[record.reuse.at] = record.reuse.slots
        elif end > first:
            positions = table.pool.data[slice(*record.pool)]
            slot_at[positions] = np.arange(first, end, dtype=np.int32).repeat(table.length.data[first:end])


def _grouped(
    left: Positions, before: Positions, behind: Positions, left_slots: Positions, right_slots: Positions
) -> tuple[Positions, Indices, Indices, Indices]:
    """Group the pairs beside merged ones by (old slot, what it becomes).

    Returns the positions where the new pairs begin, ascending within a group; where each group starts among them; and
    per group the old slot and what it becomes (`_LEFT`, `_RIGHT` or `_CHAINED`).
    """
    keys = np.empty(2 * left.size, dtype=np.int64)
    lefts, rights = keys[: left.size], keys[left.size :]
    np.left_shift(left_slots, _POSITION_BITS + 2, out=lefts, dtype=np.int64)
    lefts |= before
    np.left_shift(right_slots, _POSITION_BITS + 2, out=rights, dtype=np.int64)
    rights |= left
    rights |= _RIGHT << _POSITION_BITS
    touching = behind[:-1] == left[1:]
    if touching.any():
        chained = np.flatnonzero(touching)
        # Between two merged pairs one pair changes, not two: it is counted on the left side of the second one.
        lefts[chained + 1] = (left_slots[chained + 1].astype(np.int64) << (_POSITION_BITS + 2)) | (
            (_CHAINED << _POSITION_BITS) | left[chained].astype(np.int64)
        )
        rights[chained] = -1
    keys.sort()
    keys = keys[int(keys.searchsorted(0)) :]  # negative: no pair, at a word's edge, or counted already
    if not keys.size:
        return np.zeros(0, dtype=np.int32), keys, keys, keys
    groups = keys >> _POSITION_BITS
    ends = (groups[1:] != groups[:-1]).nonzero()[0]
    starts = np.zeros(ends.size + 1, dtype=np.int64)
    np.add(ends, 1, out=starts[1:])
    first = groups[starts]
    return keys.astype(np.uint32).view(np.int32), starts, first >> 2, first & 3
