"""The history of a training: the merges made, and going back and forth among them.

Every moment is reached again exactly, without copies of the corpus: a merge is undone by its record (`merging.py`).
Merges that were undone stay as the future until another pair is chosen.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, overload

import numpy as np

from bpe_tui.core.arrays import Positions
from bpe_tui.core.base import base_of
from bpe_tui.core.corpus import Progress, WordCounts
from bpe_tui.core.errors import Cancelled
from bpe_tui.core.leader import Leader
from bpe_tui.core.merging import Merger, Record
from bpe_tui.core.pair_table import PairTable
from bpe_tui.core.presets import Options
from bpe_tui.core.ranking import Ranking
from bpe_tui.core.states import Phase, Step
from bpe_tui.core.views import Views
from bpe_tui.core.vocabulary import Merge

ShouldStop = Callable[[], bool]
OnProgress = Callable[[Progress], None]


class Made(NamedTuple):
    """A merge in the history: its record and what the log tells of it."""

    record: Record
    merge: Merge
    tied: int
    own_choice: bool
    reused: bool
    rule: str
    vocab_size: int
    """After it."""


class Steps(Sequence[Step]):
    """All merges known, applied ones first; each `Step` is made when it is asked for."""

    def __init__(self, history: History) -> None:
        self._history = history

    def __len__(self) -> int:
        return self._history.known

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> list[Step]: ...
    def __getitem__(self, index: int | slice) -> Step | list[Step]:
        if isinstance(index, slice):
            return [self._history.step_at(place) for place in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        return self._history.step_at(index % len(self))

    def __iter__(self) -> Iterator[Step]:
        return map(self._history.step_at, range(len(self)))


class History(Views):
    """Merges over word counts under `options`: applied, undone and redone."""

    def __init__(
        self,
        words: WordCounts,
        options: Options,
        *,
        should_stop: ShouldStop | None = None,
        progress: OnProgress | None = None,
    ) -> None:
        """Split every word into symbols and count the pairs; raises `CorpusError` or `Cancelled`."""
        if progress is not None:
            progress(Progress("indexing", 0, 0))
        self.words = words
        self.options = options
        base = base_of(words, options)
        if should_stop is not None and should_stop():
            raise Cancelled("stopped")
        self.base = base
        self.base_size = len(base.texts)
        self.texts = base.texts
        """Token texts by id, those of undone merges included as long as they can be redone."""
        self._ids = {text: index for index, text in enumerate(self.texts)}
        self.segmentation = base.segmentation
        self.table = PairTable(self.segmentation)
        self.merger = Merger(self.segmentation, self.table)
        self._version = 0
        self._changes: tuple[int, dict[int, int]] = (-1, {})
        self._use_rule(options.ties)
        self.token_counts = self._count_tokens()
        """Occurrences of each token in the corpus now, by id, weighted by word frequency."""
        self.initial_tokens = self.total_tokens = sum(self.token_counts)
        self._made: list[Made] = []
        self.position = 0
        """How many merges are applied now."""
        self.drops: list[int] = []
        """Each time that known merges were dropped: how many were kept. What follows the history reads it here."""
        self.phase = Phase.READY
        self.steps: Sequence[Step] = Steps(self)

    def _count_tokens(self) -> list[int]:
        counts = np.zeros(self.base_size, dtype=np.int64)
        size = self.segmentation.size
        np.add.at(counts, self.segmentation.ids[:size], self.segmentation.weight[:size].astype(np.int64))
        return counts.tolist()

    @property
    def history_bytes(self) -> int:
        """Bytes of memory, roughly, that undo and redo need beside the corpus and the pair table."""
        return sum(made.record.nbytes for made in self._made)

    @property
    def known(self) -> int:
        """Merges in the history: the applied ones and those that can be redone."""
        return len(self._made)

    @property
    def vocab_size(self) -> int:
        """Tokens at this moment: special tokens, alphabet and the merges that added one."""
        return self._made[self.position - 1].vocab_size if self.position else self.base_size

    def log(self) -> tuple[Made, ...]:
        """A copy of all merges known, those undone included."""
        return tuple(self._made)

    def step_at(self, index: int) -> Step:
        """The merge of rank `index` (0 is the first)."""
        made = self._made[index]
        record = made.record
        return Step(
            index + 1, made.merge, record.counted, record.replaced, made.tied, made.own_choice, made.reused, made.rule
        )

    def made_by(self, token: int) -> Merge | None:
        """The merge that added a token to the vocabulary; None for the base vocabulary."""
        if token < self.base_size:
            return None
        return self._made[bisect_right(self._made, token, key=lambda made: made.vocab_size)].merge

    def merges_with(self, token: int) -> list[int]:
        """The ranks of the merges, of those applied now, that took a token as one of their halves."""
        made = self._made
        return [
            rank
            for rank in range(self.position)
            if made[rank].merge.left_id == token or made[rank].merge.right_id == token
        ]

    def id_of(self, text: str) -> int | None:
        """The id of the token with this text; None if there is none at this moment."""
        token = self._ids.get(text)
        return token if token is not None and token < self.vocab_size else None

    def last_changes(self) -> dict[int, int]:
        """What the last merge did to the counts of pairs, by slot."""
        if self._changes[0] != self._version:
            self._changes = (
                self._version,
                self.merger.changes(self._made[self.position - 1].record) if self.position else {},
            )
        return self._changes[1]

    def last_positions(self) -> Positions:
        """Where the last merge unlinked right halves."""
        if self.position == 0:
            return np.zeros(0, dtype=np.int32)
        return np.asarray(self._made[self.position - 1].record.halves, dtype=np.int32)

    def last_born(self) -> range:
        """The slots of the pairs that the last merge bore."""
        return range(*self._made[self.position - 1].record.slots) if self.position else range(0)

    def leader_slot(self) -> tuple[int, int] | None:
        """The slot of the pair that the rule picks next, and how many are tied; None if no pair is left."""
        if self.position < len(self._made):
            ahead = self._made[self.position]
            if not ahead.own_choice and ahead.rule == self._leader.rule:
                return ahead.record.slot, ahead.tied
        slot = self._leader.find()
        return None if slot is None else (slot, self._leader.tied)

    def _apply(self, slot: int, tied: int, *, own_choice: bool) -> None:
        texts = self.texts
        left, right = self.table.left.items[slot], self.table.right.items[slot]
        text = texts[left] + texts[right]
        token = self._ids.get(text)
        reused = token is not None
        if token is None:
            token = len(texts)
            texts.append(text)
            self._ids[text] = token
            self.token_counts.append(0)
        record = self.merger.apply(slot, token, existed=reused, leader=self._leader)
        merge = Merge(texts[left], texts[right], text, left, right, token, len(self._made))
        made = Made(record, merge, tied, own_choice, reused, self._leader.rule, len(texts))
        self._made.append(made)
        self._moved(made, 1)

    def _back(self) -> None:
        made = self._made[self.position - 1]
        self.merger.revert(made.record)
        self._leader.forget()
        self._moved(made, -1)

    def _again(self) -> None:
        made = self._made[self.position]
        self.merger.reapply(made.record, made.merge.id)
        self._leader.forget()
        self._moved(made, 1)

    def _moved(self, made: Made, by: int) -> None:
        """Account for a merge applied (`by` 1) or taken back (-1)."""
        change, merge, counts = made.record.replaced * by, made.merge, self.token_counts
        counts[merge.left_id] -= change
        counts[merge.right_id] -= change
        counts[merge.id] += change
        self.total_tokens -= change
        self.position += by
        self._version += 1
        self.phase = Phase.MERGED if self.position else Phase.READY

    def _forget_future(self) -> None:
        """Drop the merges that were undone: they can no longer be redone."""
        if self.position == len(self._made):
            return
        self.drops.append(self.position)
        self.merger.forget(self._made[self.position].record)
        del self._made[self.position :]
        for text in self.texts[self.vocab_size :]:
            del self._ids[text]
        del self.texts[self.vocab_size :], self.token_counts[self.vocab_size :]
        self._leader.forget()

    def goto(self, merges: int, should_stop: ShouldStop | None = None, progress: OnProgress | None = None) -> None:
        """Go to the moment after that many merges, training on where they are not known yet.

        Stops early where no pair is left, or the best is below the minimum frequency, or at once when `should_stop`.
        """
        start = self.position
        while self.position > merges:
            self._back()
            if self._interrupted(start - merges, should_stop, progress):
                return
        while self.position < min(merges, len(self._made)):
            self._again()
            if self._interrupted(merges, should_stop, progress):
                return
        least = self.options.min_frequency
        while self.position < merges:
            slot = self._leader.find()
            if slot is None or self._leader.top < least:
                break
            self._apply(slot, self._leader.tied, own_choice=False)
            if not self.position & 63 and self._interrupted(merges, should_stop, progress):
                return
        self.phase = Phase.MERGED if self.position else Phase.READY

    def _interrupted(self, total: int, should_stop: ShouldStop | None, progress: OnProgress | None) -> bool:
        """Every 64 merges: report progress, and ask whether to stop."""
        if self.position & 63:
            return False
        if progress is not None:
            progress(Progress("merging", self.position, total))
        return should_stop is not None and should_stop()

    def _use_rule(self, rule: str) -> None:
        self._leader = Leader(self.table, rule, self.texts)
        self.ranking = Ranking(self.table, rule, self.texts, lambda: self._version)
