"""Places: a moment of a training, kept so that it can be reached again exactly, whatever was done in between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bpe_tui.core.training.states import Phase, Step
from bpe_tui.core.training.trainer import Trainer
from bpe_tui.lessons.opening import Opening


class Taken(NamedTuple):
    """One merge of a log: what it takes to make it again."""

    left_id: int
    right_id: int
    rule: str
    """The tie rule in force."""

    @classmethod
    def of(cls, made: Step) -> Taken:
        """The merge as a place keeps it."""
        return cls(made.merge.left_id, made.merge.right_id, made.rule)


@dataclass(frozen=True, slots=True)
class Place:
    """A moment of the training that `opening` begins."""

    opening: Opening
    log: tuple[Taken, ...]
    """All merges known, those undone included."""
    position: int
    """How many of them are applied."""
    phase: Phase
    rule: str
    """The tie rule in force from here on."""

    @classmethod
    def of(cls, trainer: Trainer, opening: Opening) -> Place:
        """The moment where a trainer stands."""
        log = tuple(map(Taken.of, trainer.steps))
        return cls(opening, log, trainer.position, trainer.phase, trainer.options.ties)

    def is_left_by(self, trainer: Trainer) -> bool:
        """Does the trainer stand elsewhere, as far as can be seen? What it knows beyond its moment does not count."""
        if (trainer.position, trainer.phase, trainer.options.ties) != (self.position, self.phase, self.rule):
            return True
        return _shared(trainer.steps, self.log) < self.position

    def restore(self, trainer: Trainer) -> None:
        """Bring the trainer here, as exactly as if nothing else had ever been done with it."""
        known = trainer.steps
        shared = _shared(known, self.log)
        if shared < len(known) or shared < len(self.log) or trainer.options.ties != self.rule:
            trainer.goto(shared)
            trainer.set_ties(trainer.options.ties)  # forgets what is known beyond
            for taken in self.log[shared:]:
                if trainer.options.ties != taken.rule:
                    trainer.set_ties(taken.rule)
                trainer.choose(taken.left_id, taken.right_id)
            if trainer.options.ties != self.rule:
                trainer.set_ties(self.rule)
        trainer.goto(self.position)
        if self.phase in (Phase.COUNTED, Phase.PICKED):
            trainer.step_phase()
        if self.phase is Phase.PICKED:
            trainer.step_phase()


def _shared(made: Sequence[Step], log: Sequence[Taken]) -> int:
    """How many merges both begin with."""
    shared = 0
    for ours, theirs in zip(made, log, strict=False):
        if Taken.of(ours) != theirs:
            break
        shared += 1
    return shared
