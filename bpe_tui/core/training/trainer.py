"""The trainer: a state machine that learns merge after merge, and can go back and forth in time.

    ready → counted → picked → merged → counted → … → done(reason)

It owns the history. Every state that was reached is reached again, exactly, by undo and redo; steps that were undone
stay as the future until another pair is chosen. What screens show is asked for through `Views`, as frozen values.
"""

from __future__ import annotations

from bisect import bisect_left

from bpe_tui.core.errors import OptionError
from bpe_tui.core.i18n import _
from bpe_tui.core.training.history import History, OnProgress, ShouldStop
from bpe_tui.core.training.states import Pair, Phase, Step, StopReason
from bpe_tui.core.training.vocabulary import Vocabulary


class Trainer(History):
    """Learns merges from word counts under `options`, one at a time, forward and back."""

    # -- where we stand ------------------------------------------------------------------------------------------

    @property
    def target(self) -> int:
        """Merges wanted. For a vocabulary size: as many as the room above the base and known reuses ask for."""
        if self.options.merges is not None:
            return self.options.merges
        wanted = self.options.vocab_size or 0
        if wanted <= self.base_size:
            return 0
        last = self._sizes[-1] if self._sizes else self.base_size
        if last < wanted:
            return self.known + wanted - last
        return bisect_left(self._sizes, wanted) + 1

    @property
    def stop(self) -> StopReason | None:
        """Why training stands at its end here; None if it does not."""
        if self.position == self.target:
            if self.options.vocab_size is None:
                return StopReason.MERGES
            return StopReason.VOCAB_SIZE if self.target else StopReason.BASE_TOO_LARGE
        leader = self.leader()
        if leader is None:
            return StopReason.NO_PAIRS
        return StopReason.MIN_FREQUENCY if leader.count < self.options.min_frequency else None

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

    def leader(self) -> Pair | None:
        """The pair that the rule picks next; None if no pair is left."""
        found = self.leader_slot()
        if found is None:
            return None
        slot, tied = found
        left, right = self.table.left.items[slot], self.table.right.items[slot]
        texts = self.texts
        count = self.table.count.items[slot]
        return Pair(left, right, texts[left], texts[right], texts[left] + texts[right], count, tied)

    @property
    def next_pair(self) -> tuple[int, int] | None:
        """The pair that `step` would merge: the one undone before, else what the rule picks; None if none is left."""
        if self.position < self.known:
            merge = self.merge_at(self.position)
            return merge.left_id, merge.right_id
        leader = self.leader()
        return None if leader is None else (leader.left_id, leader.right_id)

    def vocabulary(self, merges: int | None = None) -> Vocabulary:
        """The vocabulary at this moment, or after `merges` merges."""
        applied = self._steps[: self.position if merges is None else merges]
        size = self._sizes[len(applied) - 1] if applied else self.base_size
        tokens = tuple(self.texts[:size])
        return Vocabulary(
            tokens=tokens,
            specials=self.base.specials,
            alphabet=self.base.alphabet,
            merges=tuple([step.merge for step in applied]),
            ids={text: index for index, text in enumerate(tokens)},
        )

    # -- one merge forward, one back -----------------------------------------------------------------------------

    def step(self) -> Step | None:
        """One merge forward: the one undone before if there is one, else what the rule picks.

        Returns None, and changes nothing, if no pair is left or the best one is below the minimum frequency. The
        target may be run past.
        """
        if self.position < self.known:
            return self.redo()
        found = self.leader_slot()
        if found is None or self.table.count.items[found[0]] < self.options.min_frequency:
            return None
        self._apply(*found, own_choice=False)
        return self.last_step

    def choose(self, left_id: int, right_id: int) -> Step:
        """Merge this pair, whatever the rule says. Raises `OptionError` if it does not occur now."""
        slot = self.table.find(left_id, right_id)
        if slot is None:
            raise OptionError(_("this pair does not occur in the corpus as it is split now"))
        if self.position < self.known:
            is_ahead = self._records[self.position].slot == slot
            if is_ahead and self._steps[self.position].rule == self.options.ties:
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
        if self.position == self.known:
            return None
        self._again()
        return self.last_step

    # -- many merges ---------------------------------------------------------------------------------------------

    def run(self, should_stop: ShouldStop | None = None, progress: OnProgress | None = None) -> None:
        """Train to the target, or to the end that comes before it. Past the target: nothing happens."""
        while self.position < (target := self.target):
            before = self.position
            self.goto(target, should_stop, progress)
            if self.position == before or (should_stop is not None and should_stop()):
                return

    # -- phases and rules ----------------------------------------------------------------------------------------

    def step_phase(self) -> Phase:
        """One phase forward: count → pick → merge. Stays where it is if there is nothing to pick."""
        if self.phase in (Phase.READY, Phase.MERGED):
            self.phase = Phase.COUNTED
        elif self.phase is Phase.COUNTED:
            leader = self.leader()
            known = self.position < self.known
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

    def show_phase(self, phase: Phase) -> None:
        """Stand at this phase of the moment; `READY` and `MERGED` are one, told apart by whether there is a merge."""
        if phase in (Phase.READY, Phase.MERGED):
            phase = Phase.MERGED if self.position else Phase.READY
        self.phase = phase

    def set_ties(self, rule: str) -> None:
        """Another tie rule from here on; merges that were undone can no longer be redone."""
        self.options = self.options.replace(ties=rule)
        self._forget_future()
        self._use_rule(rule)
