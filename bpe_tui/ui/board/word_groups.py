"""The words that matter now: those that the last merge changed, and those that hold the pair in question."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from bpe_tui.core.i18n import mark

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bpe_tui.core.training.trainer import Trainer
    from bpe_tui.core.training.word_occurrences import WordOccurrences

HEADS_FROM: Final = 6
"""Lines from which on each group has a head; below, its first word has a label."""


class GroupKind(StrEnum):
    """What the words of a group have in common; translated where it is shown."""

    CHANGED = mark("changed")
    """The last merge rewrote them."""
    NEXT = mark("next")
    """They hold the pair that is merged next."""
    GUESSED = mark("your guess")
    """They hold the pair that the learner took for the next one."""
    SELECTED = mark("selected")
    """They hold the pair that the learner looks at."""


@dataclass(frozen=True, slots=True)
class WordGroup:
    """Words with something in common, heaviest first."""

    kind: GroupKind
    pair: tuple[int, int]
    """Ids of the pair that was merged in them, or that they hold."""
    words: WordOccurrences
    listed: int
    """How many of the words are listed, from the heaviest."""
    has_head: bool
    """Does a line before the words say what they have in common?"""

    @property
    def label(self) -> str:
        """What its first word is labelled with; empty where something else says it."""
        return "" if self.has_head or self.kind is GroupKind.SELECTED else self.kind

    @property
    def row_count(self) -> int:
        """Its rows, the head included."""
        return self.listed + self.has_head

    def places(self, start: int, stop: int) -> Iterator[int | None]:
        """What its rows `start` to `stop` are: places in the ranking of its words, None for the head."""
        for row in range(max(start, 0), min(stop, self.row_count)):
            yield None if row < self.has_head else row - self.has_head


def groups_of(
    trainer: Trainer,
    pair: tuple[int, int] | None,
    height: int,
    *,
    looked_at: bool,
    guessed: tuple[int, int] | None = None,
) -> tuple[WordGroup, ...]:
    """The groups of a moment in a list of `height` lines, those without words left out.

    Args:
        trainer: At the moment.
        pair: Ids of the pair in question; None if there is none, or if it may not be shown.
        height: Lines in view. The changed words never take more than half of them while another group follows; the
            last group has all its words, however many.
        guessed: Ids of the pair that was a wrong guess; it takes the place of what the last merge changed.
        looked_at: Is it the pair that the learner looks at? Then only the words that hold it matter.
    """
    found: list[tuple[GroupKind, tuple[int, int], WordOccurrences]] = []
    last = trainer.last_step
    if guessed is not None and not looked_at:
        found.append((GroupKind.GUESSED, guessed, trainer.pair_words(*guessed)))
    elif last is not None and not looked_at:
        merged = (last.merge.left_id, last.merge.right_id)
        found.append((GroupKind.CHANGED, merged, trainer.words_changed()))
    if pair is not None:
        found.append((GroupKind.SELECTED if looked_at else GroupKind.NEXT, pair, trainer.pair_words(*pair)))
    found = [group for group in found if len(group[2])]
    has_heads = height >= HEADS_FROM and not looked_at
    groups: list[WordGroup] = []
    for kind, ids, words in found:
        listed = len(words)
        if len(found) > 1 and not groups:
            needed = len(found[1][2]) + has_heads
            listed = min(listed, max(1, height // 2 - has_heads, height - needed - has_heads))
        groups.append(WordGroup(kind, ids, words, listed, has_heads))
    return tuple(groups)


def rows_of(groups: Sequence[WordGroup], start: int, stop: int) -> Iterator[tuple[WordGroup, int | None]]:
    """Rows `start` to `stop` of the groups, one below the other: the group, and a place as in `WordGroup.places`."""
    for group in groups:
        for place in group.places(start, stop):
            yield group, place
        start, stop = start - group.row_count, stop - group.row_count
