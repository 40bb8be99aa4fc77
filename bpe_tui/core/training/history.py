"""The history of a training: the merges made, and going back and forth among them.

Every moment is reached again exactly, without copies of the corpus: a merge is undone by its record (`merging.py`).
Merges that were undone stay as the future until another pair is chosen.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np

from bpe_tui.core.corpus.sources import Progress, WordCounts
from bpe_tui.core.errors import Cancelled
from bpe_tui.core.options import Options
from bpe_tui.core.training.arrays import Positions
from bpe_tui.core.training.base_vocabulary import base_vocabulary
from bpe_tui.core.training.leader import Leader
from bpe_tui.core.training.merging import Merger, Record
from bpe_tui.core.training.pair_table import PairTable
from bpe_tui.core.training.ranking import Ranking
from bpe_tui.core.training.states import Phase, Step
from bpe_tui.core.training.view import Views
from bpe_tui.core.training.vocabulary import Merge

ShouldStop = Callable[[], bool]
OnProgress = Callable[[Progress], None]

_READY: Final = Phase.READY
_MERGED: Final = Phase.MERGED
# A log is long, and the call of a named tuple's class is several times slower than what it does.
_merge_of: Callable[[tuple[str, str, str, int, int, int, int]], Merge] = partial(tuple.__new__, Merge)
_step_of: Callable[[tuple[int, Merge, int, int, int, bool, bool, str]], Step] = partial(tuple.__new__, Step)


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
        base = base_vocabulary(words, options)
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
        self._steps: list[Step] = []
        self._records: list[Record] = []
        """For each of the steps what undoing and redoing it takes."""
        self._sizes: list[int] = []
        """For each of the steps the size of the vocabulary after it."""
        self.position = 0
        """How many merges are applied now."""
        self.drops: list[int] = []
        """Each time that known merges were dropped: how many were kept. What follows the history reads it here."""
        self._totals: list[int] = [self.initial_tokens]
        self._own_choices: list[int] = []
        self.phase = Phase.READY
        """Where in the loop it stands; only the trainer changes it."""

    @property
    def steps(self) -> Sequence[Step]:
        """All merges known, applied ones first; it follows what happens."""
        return self._steps

    @property
    def totals(self) -> Sequence[int]:
        """Tokens of the corpus after 0, 1, 2, … of the merges known; it follows what happens."""
        return self._totals

    @property
    def own_choices(self) -> Sequence[int]:
        """Numbers of the known merges that were chosen against the rule, ascending; it follows what happens."""
        return self._own_choices

    def _count_tokens(self) -> list[int]:
        counts = np.zeros(self.base_size, dtype=np.int64)
        size = self.segmentation.size
        np.add.at(counts, self.segmentation.ids[:size], self.segmentation.weight[:size].astype(np.int64))
        return counts.tolist()

    def log(self) -> tuple[Step, ...]:
        """A copy of all merges known, those undone included."""
        return tuple(self._steps)

    @property
    def history_bytes(self) -> int:
        """Bytes of memory, roughly, that undo and redo need beside the corpus and the pair table."""
        return sum(record.nbytes for record in self._records)

    @property
    def known(self) -> int:
        """Merges in the history: the applied ones and those that can be redone."""
        return len(self._steps)

    @property
    def vocab_size(self) -> int:
        """Tokens at this moment: special tokens, alphabet and the merges that added one."""
        return self._sizes[self.position - 1] if self.position else self.base_size

    def step_at(self, index: int) -> Step:
        """The merge of rank `index` (0 is the first)."""
        return self._steps[index]

    def merge_at(self, rank: int) -> Merge:
        """The merge of that rank, applied or undone."""
        return self._steps[rank].merge

    def made_by(self, token: int) -> Merge | None:
        """The merge that added a token to the vocabulary; None for the base vocabulary."""
        if token < self.base_size:
            return None
        return self._steps[bisect_right(self._sizes, token)].merge

    def merges_with(self, token: int) -> list[int]:
        """The ranks of the merges, of those applied now, that took a token as one of their halves."""
        merges = (step.merge for step in self._steps[: self.position])
        return [merge.rank for merge in merges if token in (merge.left_id, merge.right_id)]

    @property
    def ids(self) -> Mapping[str, int]:
        """Ids by token text, those of undone merges included as long as they can be redone."""
        return self._ids

    def has_token(self, token: int) -> bool:
        """Is there a token with this id at this moment?"""
        return 0 <= token < self.vocab_size

    def id_of(self, text: str) -> int | None:
        """The id of the token with this text; None if there is none at this moment."""
        token = self._ids.get(text)
        return token if token is not None and token < self.vocab_size else None

    def last_changes(self) -> dict[int, int]:
        """What the last merge did to the counts of pairs, by slot."""
        if self._changes[0] != self._version:
            changes = self.merger.changes(self._records[self.position - 1]) if self.position else {}
            self._changes = (self._version, changes)
        return self._changes[1]

    def last_positions(self) -> Positions:
        """Where the last merge unlinked right halves."""
        if self.position == 0:
            return np.zeros(0, dtype=np.int32)
        return np.asarray(self._records[self.position - 1].halves, dtype=np.int32)

    def last_born(self) -> range:
        """The slots of the pairs that the last merge bore."""
        return range(*self._records[self.position - 1].slots) if self.position else range(0)

    def leader_slot(self) -> tuple[int, int] | None:
        """The slot of the pair that the rule picks next, and how many are tied; None if no pair is left."""
        if self.position < len(self._steps):
            ahead = self._steps[self.position]
            if not ahead.own_choice and ahead.rule == self._leader.rule:
                return self._records[self.position].slot, ahead.tied
        slot = self._leader.find()
        return None if slot is None else (slot, self._leader.tied)

    def _apply(self, slot: int, tied: int, *, own_choice: bool) -> None:
        table, texts, steps = self.table, self.texts, self._steps
        left, right = table.left.items[slot], table.right.items[slot]
        left_text, right_text = texts[left], texts[right]
        text = left_text + right_text
        token = self._ids.get(text)
        reused = token is not None
        if token is None:
            token = self._ids[text] = len(texts)
            texts.append(text)
            self.token_counts.append(0)
        leader, rank = self._leader, len(steps)
        record = self.merger.apply(slot, token, existed=reused, leader=leader)
        replaced = record.replaced
        merge = _merge_of((left_text, right_text, text, left, right, token, rank))
        steps.append(_step_of((rank + 1, merge, record.counted, replaced, tied, own_choice, reused, leader.rule)))
        self._records.append(record)
        self._sizes.append(len(texts))
        self._totals.append(self._totals[-1] - replaced)
        if own_choice:
            self._own_choices.append(rank + 1)
        self._moved(merge, replaced, 1)

    def _back(self) -> None:
        step = self._steps[self.position - 1]
        self.merger.revert(self._records[self.position - 1])
        self._leader.forget()
        self._moved(step.merge, -step.replaced, -1)

    def _again(self) -> None:
        step = self._steps[self.position]
        self.merger.reapply(self._records[self.position], step.merge.id)
        self._leader.forget()
        self._moved(step.merge, step.replaced, 1)

    def _moved(self, merge: Merge, replaced: int, by: int) -> None:
        """Account for a merge applied (`by` 1) or taken back (-1, and `replaced` below 0)."""
        counts = self.token_counts
        counts[merge.left_id] -= replaced
        counts[merge.right_id] -= replaced
        counts[merge.id] += replaced
        self.total_tokens -= replaced
        self.position += by
        self._version += 1
        self.phase = _MERGED if self.position else _READY

    def _forget_future(self) -> None:
        """Drop the merges that were undone: they can no longer be redone."""
        if self.position == len(self._steps):
            return
        self.drops.append(self.position)
        self.merger.forget(self._records[self.position])
        del self._steps[self.position :], self._records[self.position :], self._sizes[self.position :]
        del self._totals[self.position + 1 :], self._own_choices[bisect_right(self._own_choices, self.position) :]
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
        while self.position < min(merges, len(self._steps)):
            self._again()
            if self._interrupted(merges, should_stop, progress):
                return
        leader, least = self._leader, self.options.min_frequency
        while self.position < merges:
            slot = leader.find()
            if slot is None or leader.top < least:
                break
            self._apply(slot, leader.tied, own_choice=False)
            if not self.position & 63 and self._interrupted(merges, should_stop, progress):
                return
        self.phase = _MERGED if self.position else _READY

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
