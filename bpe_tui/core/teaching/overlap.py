"""Overlapping occurrences of a pair: in `aaa` the pair a + a is counted twice and merged once."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from bpe_tui.core.training.segmentation import without_overlap

if TYPE_CHECKING:
    from bpe_tui.core.training.trainer import Trainer


class Overlap(NamedTuple):
    """What counting sees of a pair, and what merging it would replace; both weighted by word frequency."""

    counted: int
    replaced: int


def overlap_of(trainer: Trainer, left_id: int, right_id: int) -> Overlap | None:
    """The two figures if occurrences of the pair overlap now; None if each of them would be merged."""
    if left_id != right_id:
        return None
    slot = trainer.table.find(left_id, right_id)
    if slot is None:
        return None
    segmentation = trainer.segmentation
    left = trainer.table.positions(slot)
    left, _ = without_overlap(left, segmentation.next[left])
    counted = int(trainer.table.count.items[slot])
    replaced = int(segmentation.weight[left].sum())
    return Overlap(counted, replaced) if replaced != counted else None


def overlap_in(tokens: Sequence[int], pair: tuple[int, int]) -> Overlap | None:
    """The same two figures within one word, counted once."""
    if pair[0] != pair[1]:
        return None
    counted = sum(each == pair for each in pairwise(tokens))
    replaced = index = 0
    while index < len(tokens) - 1:
        if (tokens[index], tokens[index + 1]) == pair:
            replaced += 1
            index += 1
        index += 1
    return Overlap(counted, replaced) if replaced != counted else None
