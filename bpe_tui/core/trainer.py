"""The trainer: a state machine that learns merge after merge, and can go back and forth in time.

    ready → counted → picked → merged → counted → … → done(reason)

It owns the history. Every state that was reached is reached again, exactly, by undo and redo; steps that were undone
stay as the future until another pair is chosen. What screens show is asked for through `Views`, as frozen values.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
import numpy.typing as npt

from bpe_tui.core.base import base_of
from bpe_tui.core.corpus import Progress, WordCounts
from bpe_tui.core.errors import Cancelled, OptionError
from bpe_tui.core.leader import Leader
from bpe_tui.core.merging import Merger, Record
from bpe_tui.core.pair_table import PairTable
from bpe_tui.core.presets import Options
from bpe_tui.core.ranking import Ranking
from bpe_tui.core.states import Pair, Phase, Step, Stop
from bpe_tui.core.views import Views
from bpe_tui.core.vocabulary import Merge, Vocabulary

ShouldStop = Callable[[], bool]
OnProgress = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class _Made:
    """A merge in the history: its record and what the log tells of it."""

    record: Record
    left_id: int
    right_id: int
    token_id: int
    tied: int
    own_choice: bool
    reused: bool
    rule: str
    vocab_size: int
    """After it."""


class Steps(Sequence[Step]):
    """All merges known, applied ones first; each `Step` is made when it is asked for."""

    def __init__(self, trainer: Trainer) -> None:
        self._trainer = trainer

    def __len__(self) -> int:
        return self._trainer.known

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> list[Step]: ...
    def __getitem__(self, index: int | slice) -> Step | list[Step]:
        if isinstance(index, slice):
            return [self._trainer.step_at(place) for place in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        return self._trainer.step_at(index % len(self))

    def __iter__(self) -> Iterator[Step]:
        return map(self._trainer.step_at, range(len(self)))


class Trainer(Views):
    """Learns merges from word counts under `options`, one at a time, forward and back."""

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
        self.table = PairTable(self.segmentation, self.base_size)
        self.merger = Merger(self.segmentation, self.table)
        self._version = 0
        self._use_rule(options.ties)
        self.token_counts = self._count_tokens()
        """Occurrences of each token in the corpus now, by id, weighted by word frequency."""
        self.initial_tokens = self.total_tokens = int(self.token_counts.sum())
        self._made: list[_Made] = []
        self.position = 0
        """How many merges are applied now."""
        self.phase = Phase.READY
        self.steps: Sequence[Step] = Steps(self)

    def _count_tokens(self) -> npt.NDArray[np.int64]:
        counts = np.zeros(max(2 * self.base_size, 1024), dtype=np.int64)
        size = self.segmentation.size
        np.add.at(counts, self.segmentation.ids[:size], self.segmentation.weight[:size].astype(np.int64))
        return counts

    # -- where we stand ------------------------------------------------------------------------------------------

    @property
    def known(self) -> int:
        """Merges in the history: the applied ones and those that can be redone."""
        return len(self._made)

    @property
    def vocab_size(self) -> int:
        """Tokens at this moment: special tokens, alphabet and the merges that added one."""
        return self._made[self.position - 1].vocab_size if self.position else self.base_size

    @property
    def target(self) -> int:
        """Merges wanted. For a vocabulary size: as many as the room above the base and known reuses ask for."""
        if self.options.merges is not None:
            return self.options.merges
        wanted = self.options.vocab_size or 0
        if wanted <= self.base_size:
            return 0
        last = self._made[-1].vocab_size if self._made else self.base_size
        if last < wanted:
            return len(self._made) + wanted - last
        return bisect_left(self._made, wanted, key=lambda made: made.vocab_size) + 1

    @property
    def stop(self) -> Stop | None:
        """Why training stands at its end here; None if it does not."""
        if self.position == self.target:
            if self.options.vocab_size is None:
                return Stop.MERGES
            return Stop.VOCAB_SIZE if self.target else Stop.BASE_TOO_LARGE
        leader = self.leader()
        if leader is None:
            return Stop.NO_PAIRS
        return Stop.MIN_FREQUENCY if leader.count < self.options.min_frequency else None

    @property
    def state(self) -> str:
        """The phase in a word, or `done: ` and the reason."""
        if self.phase in (Phase.READY, Phase.MERGED) and (stop := self.stop) is not None:
            return f"done: {stop}"
        return str(self.phase)

    @property
    def last_step(self) -> Step | None:
        """The merge that led to this moment; None at the start."""
        return self.step_at(self.position - 1) if self.position else None

    def step_at(self, index: int) -> Step:
        """The merge of rank `index` (0 is the first)."""
        made = self._made[index]
        merge = self._merge(made, index)
        record = made.record
        return Step(
            index + 1, merge, record.counted, record.replaced, made.tied, made.own_choice, made.reused, made.rule
        )

    def _merge(self, made: _Made, rank: int) -> Merge:
        left, right = made.left_id, made.right_id
        texts = self.texts
        return Merge(texts[left], texts[right], texts[made.token_id], left, right, made.token_id, rank)

    def made_by(self, token: int) -> Merge | None:
        """The merge that added a token to the vocabulary; None for the base vocabulary."""
        if token < self.base_size:
            return None
        rank = bisect_right(self._made, token, key=lambda made: made.vocab_size)
        return self._merge(self._made[rank], rank)

    def last_changes(self) -> dict[int, int]:
        """What the last merge did to the counts of pairs, by slot."""
        return self.merger.changes(self._made[self.position - 1].record) if self.position else {}

    def last_positions(self) -> npt.NDArray[np.int32]:
        """Where the last merge unlinked right halves."""
        if self.position == 0:
            return np.zeros(0, dtype=np.int32)
        return self.merger.positions(self._made[self.position - 1].record)

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

    def leader(self) -> Pair | None:
        """The pair that the rule picks next; None if no pair is left."""
        found = self.leader_slot()
        if found is None:
            return None
        slot, tied = found
        left, right = int(self.table.left.data[slot]), int(self.table.right.data[slot])
        texts = self.texts
        count = int(self.table.count.data[slot])
        return Pair(left, right, texts[left], texts[right], texts[left] + texts[right], count, tied)

    def vocabulary(self, merges: int | None = None) -> Vocabulary:
        """The vocabulary at this moment, or after `merges` merges."""
        applied = self._made[: self.position if merges is None else merges]
        size = applied[-1].vocab_size if applied else self.base_size
        tokens = tuple(self.texts[:size])
        return Vocabulary(
            tokens=tokens,
            specials=self.base.specials,
            alphabet=self.base.alphabet,
            merges=tuple(self._merge(made, rank) for rank, made in enumerate(applied)),
            ids={text: index for index, text in enumerate(tokens)},
        )

    # -- one merge forward, one back -----------------------------------------------------------------------------

    def step(self) -> Step | None:
        """One merge forward: the one undone before if there is one, else what the rule picks.

        Returns None, and changes nothing, if no pair is left or the best one is below the minimum frequency. The
        target may be run past.
        """
        if self.position < len(self._made):
            return self.redo()
        found = self.leader_slot()
        if found is None or int(self.table.count.data[found[0]]) < self.options.min_frequency:
            return None
        self._apply(*found, own_choice=False)
        return self.last_step

    def choose(self, left_id: int, right_id: int) -> Step:
        """Merge this pair, whatever the rule says. Raises `OptionError` if it does not occur now."""
        slot = self.table.find(left_id, right_id)
        if slot is None:
            raise OptionError("this pair does not occur in the corpus as it is split now")
        if self.position < len(self._made):
            ahead = self._made[self.position]
            if ahead.record.slot == slot and ahead.rule == self.options.ties:
                self._again()
                return self.step_at(self.position - 1)
        found = self.leader_slot()
        assert found is not None
        self._forget_future()
        self._apply(slot, found[1], own_choice=slot != found[0])
        return self.step_at(self.position - 1)

    def undo(self) -> Step | None:
        """One merge back. Returns the step undone; None, and changes nothing, at the start."""
        if self.position == 0:
            self.phase = Phase.READY
            return None
        step = self.last_step
        self._back()
        return step

    def redo(self) -> Step | None:
        """One merge forward again. Returns the step redone; None, and changes nothing, if there is none."""
        if self.position == len(self._made):
            return None
        self._again()
        return self.last_step

    def _apply(self, slot: int, tied: int, *, own_choice: bool) -> None:
        left, right = int(self.table.left.data[slot]), int(self.table.right.data[slot])
        text = self.texts[left] + self.texts[right]
        token = self._ids.get(text)
        reused = token is not None
        if token is None:
            token = len(self.texts)
            self.texts.append(text)
            self._ids[text] = token
            if token >= self.token_counts.size:
                self.token_counts = np.concatenate((self.token_counts, np.zeros_like(self.token_counts)))
        record = self.merger.apply(slot, token, existed=reused, leader=self._leader)
        vocab_size = self.vocab_size + (not reused)
        rule = self._leader.rule
        self._made.append(_Made(record, left, right, token, tied, own_choice, reused, rule, vocab_size))
        self._moved(self._made[-1], 1)

    def _back(self) -> None:
        made = self._made[self.position - 1]
        self.merger.revert(made.record)
        self._leader.forget()
        self._moved(made, -1)

    def _again(self) -> None:
        made = self._made[self.position]
        self.merger.reapply(made.record, made.token_id)
        self._leader.forget()
        self._moved(made, 1)

    def _moved(self, made: _Made, by: int) -> None:
        """Account for a merge applied (`by` 1) or taken back (-1)."""
        change = made.record.replaced * by
        self.token_counts[made.left_id] -= change
        self.token_counts[made.right_id] -= change
        self.token_counts[made.token_id] += change
        self.total_tokens -= change
        self.position += by
        self._version += 1
        self.phase = Phase.MERGED if self.position else Phase.READY

    def _forget_future(self) -> None:
        """Drop the merges that were undone: they can no longer be redone."""
        if self.position == len(self._made):
            return
        self.merger.forget(self._made[self.position].record)
        del self._made[self.position :]
        for text in self.texts[self.vocab_size :]:
            del self._ids[text]
        del self.texts[self.vocab_size :]
        self._leader.forget()

    # -- many merges ---------------------------------------------------------------------------------------------

    def goto(self, merges: int, should_stop: ShouldStop | None = None, progress: OnProgress | None = None) -> None:
        """Go to the moment after that many merges, training on where they are not known yet.

        Stops early where no pair is left, or the best is below the minimum frequency, or at once when `should_stop`.
        """
        start = self.position
        while self.position > merges:
            self._back()
            if self._interrupted(start - merges, should_stop, progress):
                return
        while self.position < merges:
            if self.position < len(self._made):
                self._again()
            else:
                found = self.leader_slot()
                if found is None or int(self.table.count.data[found[0]]) < self.options.min_frequency:
                    break
                self._apply(*found, own_choice=False)
            if self._interrupted(merges, should_stop, progress):
                return
        self.phase = Phase.MERGED if self.position else Phase.READY

    def run(self, should_stop: ShouldStop | None = None, progress: OnProgress | None = None) -> None:
        """Train to the target, or to the end that comes before it. Past the target: nothing happens."""
        while self.position < (target := self.target):
            before = self.position
            self.goto(target, should_stop, progress)
            if self.position == before or (should_stop is not None and should_stop()):
                return

    def _interrupted(self, total: int, should_stop: ShouldStop | None, progress: OnProgress | None) -> bool:
        """Every 64 merges: report progress, and ask whether to stop."""
        if self.position & 63:
            return False
        if progress is not None:
            progress(Progress("merging", self.position, total))
        return should_stop is not None and should_stop()

    # -- phases and rules ----------------------------------------------------------------------------------------

    def step_phase(self) -> Phase:
        """One phase forward: count → pick → merge. Stays where it is if there is nothing to pick."""
        if self.phase in (Phase.READY, Phase.MERGED):
            self.phase = Phase.COUNTED
        elif self.phase is Phase.COUNTED:
            leader = self.leader()
            known = self.position < len(self._made)
            if known or (leader is not None and leader.count >= self.options.min_frequency):
                self.phase = Phase.PICKED
        else:
            self.step()
        return self.phase

    def step_phase_back(self) -> Phase:
        """One phase back, over the last merge as well. Stays at `ready` at the start."""
        if self.phase is Phase.PICKED:
            self.phase = Phase.COUNTED
        elif self.phase is Phase.COUNTED:
            self.phase = Phase.MERGED if self.position else Phase.READY
        elif self.undo() is not None:
            self.phase = Phase.PICKED
        return self.phase

    def set_ties(self, rule: str) -> None:
        """Another tie rule from here on; merges that were undone can no longer be redone."""
        self.options = self.options.replace(ties=rule)
        self._forget_future()
        self._use_rule(rule)

    def _use_rule(self, rule: str) -> None:
        self._leader = Leader(self.table, rule, self.texts)
        self.ranking = Ranking(self.table, rule, self.texts, lambda: self._version)

    def restart_with_ties(
        self, rule: str, should_stop: ShouldStop | None = None, progress: OnProgress | None = None
    ) -> None:
        """Train from the start under another tie rule, to the same number of merges."""
        merges = self.position
        self.goto(0)
        self.set_ties(rule)
        self.goto(merges, should_stop, progress)
