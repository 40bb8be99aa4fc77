"""Merging a pair that stands in few places, one place at a time; undoing and redoing it.

Most merges of a training touch a handful of places, where the fixed cost of numpy calls would be all of the time. This
does for them what `merging.py` does with arrays, with the same outcome to the last slot.
"""

from __future__ import annotations

from bpe_tui.core.training.leader import Leader
from bpe_tui.core.training.pair_table import PairTable
from bpe_tui.core.training.segmentation import MAX_TOTAL, Segmentation

FEW = 64
"""A pair that was born in up to this many places is merged place by place, others with arrays."""

LEFT, RIGHT, CHAINED = 0, 1, 2
"""What becomes of a pair beside a merged place: (x, a) → (x, c); (b, y) → (c, y); (b, a) → (c, c)."""


def merge_few(
    segmentation: Segmentation, table: PairTable, leader: Leader, slot: int, new_id: int
) -> tuple[list[int], list[int], list[int], list[int]]:
    """Merge the pair of `slot` into the token `new_id`, which no pair has yet.

    Returns the right halves' positions; the slot that began before each merged place; the slots that lost occurrences,
    and how much each lost.
    """
    ids, after, before = segmentation.id_items, segmentation.next_items, segmentation.prev_items
    slot_at = table.slot_items
    halves: list[int] = []
    left_slots: list[int] = []
    groups: dict[int, list[int]] = {}  # (old slot × 4 + what it becomes) → places where the new pair begins
    last = last_slot = -1
    for left in table.born_places(slot):
        if slot_at[left] != slot:  # gone, or (in a run like `aaa`) just merged as a right half
            continue
        right = after[left]
        ahead, behind = before[left], after[right]
        right_slot = slot_at[right]
        if ahead == last:
            left_slot, key, place = last_slot, last_slot << 2 | CHAINED, last
        else:
            left_slot = slot_at[ahead]
            key, place = left_slot << 2, ahead
        if left_slot >= 0:
            group = groups.get(key)
            if group is None:
                groups[key] = [place]
            else:
                group.append(place)
        if right_slot >= 0 and slot_at[behind] != slot:
            group = groups.get(right_slot << 2 | RIGHT)
            if group is None:
                groups[right_slot << 2 | RIGHT] = [left]
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
    losers, losses = _account(segmentation, table, leader, groups, new_id) if groups else ([], [])
    return halves, left_slots, losers, losses


def _account(
    segmentation: Segmentation, table: PairTable, leader: Leader, groups: dict[int, list[int]], new_id: int
) -> tuple[list[int], list[int]]:
    """Lower the old pairs' counts and give slots to the new ones. Returns the slots that lost, and how much."""
    weight, slot_at = segmentation.weight_items, table.slot_items
    made = table.size
    table.reserve(len(groups), 2 * FEW)
    count, left_of, right_of = table.count.items, table.left.items, table.right.items
    born, start, length = table.born.items, table.start.items, table.length.items
    places, used = table.places.items, table.places.size
    top, bound = leader.top, leader.bound or MAX_TOTAL
    losers: list[int] = []
    losses: list[int] = []
    for key in sorted(groups):
        at = groups[key]
        old, kind = key >> 2, key & 3
        start[made] = used
        if len(at) == 1:
            places[used] = at[0]
            change = weight[at[0]]
            slot_at[at[0]] = made
            used += 1
            length[made] = 1
        else:
            change = 0
            for place in at:
                places[used] = place
                change += weight[place]
                slot_at[place] = made
                used += 1
            length[made] = len(at)
        was = count[old]
        if was == top:
            leader.fell(was)
        count[old] = was - change
        losers.append(old)
        losses.append(change)
        left_of[made] = left_of[old] if kind == LEFT else new_id
        right_of[made] = right_of[old] if kind == RIGHT else new_id
        count[made] = born[made] = change
        if change >= bound:
            leader.rose(made, change)
        made += 1
    table.grown(made, used)
    return losers, losses


def revert_few(
    segmentation: Segmentation, table: PairTable, slot: int, halves: list[int], left_slots: list[int]
) -> None:
    """Put the symbols at `halves` back behind their left halves; `slot_at` is as it was before the merge."""
    ids, after, before = segmentation.id_items, segmentation.next_items, segmentation.prev_items
    slot_at, left_id = table.slot_items, table.left.items[slot]
    for right, left_slot in zip(reversed(halves), reversed(left_slots), strict=True):
        left = before[right]
        ids[left] = left_id
        after[left] = right
        before[after[right]] = right
        slot_at[right] = -2 - slot_at[right]
        slot_at[left] = slot
        # Last to first: where two places touch, the one ahead is still merged, and is put right in its own turn.
        slot_at[before[left]] = left_slot


def reapply_few(segmentation: Segmentation, table: PairTable, halves: list[int], new_id: int, born: range) -> None:
    """Unlink the symbols at `halves` again, and let the slots in `born` begin where they did."""
    ids, after, before = segmentation.id_items, segmentation.next_items, segmentation.prev_items
    slot_at, start, length, places = table.slot_items, table.start.items, table.length.items, table.places.items
    for right in halves:
        left = before[right]
        behind = after[right]
        ids[left] = new_id
        after[left] = behind
        before[behind] = left
        slot_at[right] = -2 - slot_at[right]
        slot_at[left] = -1
    for slot in born:
        first = start[slot]
        for place in places[first : first + length[slot]]:
            slot_at[place] = slot
