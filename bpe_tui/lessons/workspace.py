"""The workspace of a lesson: a trainer and what is looked at, which commands act on; and checkpoints of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.corpus.sources import Corpus
from bpe_tui.core.training.states import Phase, Step
from bpe_tui.core.training.trainer import Trainer
from bpe_tui.lessons.training_setup import CorpusLookup, TrainingSetup


class MergeChoice(NamedTuple):
    """One merge of a log: what it takes to make it again."""

    left_id: int
    right_id: int
    rule: str
    """The current tie rule."""

    @classmethod
    def of(cls, step: Step) -> Self:
        """What a step has chosen."""
        return cls(step.merge.left_id, step.merge.right_id, step.rule)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A moment of a training, which can be reached again exactly, whatever was done in between."""

    setup: TrainingSetup
    """How the training began."""
    log: tuple[MergeChoice, ...]
    """All merges known, those undone included."""
    position: int
    """How many of them are applied."""
    phase: Phase
    rule: str
    """The tie rule from here on."""

    @classmethod
    def of(cls, trainer: Trainer, setup: TrainingSetup) -> Self:
        """The moment where a trainer is."""
        log = tuple(map(MergeChoice.of, trainer.steps))
        return cls(setup, log, trainer.position, trainer.phase, trainer.options.ties)

    def differs_from(self, trainer: Trainer) -> bool:
        """Is the trainer elsewhere, as far as can be seen? What it knows beyond its moment does not count."""
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
            for choice in self.log[shared:]:
                if trainer.options.ties != choice.rule:
                    trainer.set_ties(choice.rule)
                trainer.choose(choice.left_id, choice.right_id)
            if trainer.options.ties != self.rule:
                trainer.set_ties(self.rule)
        trainer.goto(self.position)
        if self.phase in (Phase.COUNTED, Phase.PICKED):
            trainer.step_phase()
        if self.phase is Phase.PICKED:
            trainer.step_phase()


def _shared(steps: Sequence[Step], choices: Sequence[MergeChoice]) -> int:
    """How many merges both begin with."""
    shared = 0
    for step, choice in zip(steps, choices, strict=False):
        if MergeChoice.of(step) != choice:
            break
        shared += 1
    return shared


class _Training(NamedTuple):
    """A training that was begun."""

    corpus: Corpus
    trainer: Trainer
    rule: str
    """The tie rule that it began with."""


class Workspace:
    """The trainer that the commands of a lesson move, and what they look at."""

    def __init__(self, corpora: CorpusLookup, setup: TrainingSetup, panes: tuple[str, ...] | None = None) -> None:
        """Begin with a training. Raises `LessonSyntaxError`, and `BpeError` for words that cannot be counted."""
        self._corpora = corpora
        self._trainings: dict[TrainingSetup, _Training] = {}
        self.checkpoints: dict[str, Checkpoint] = {}
        """Those that have names."""
        self.panes: tuple[str, ...] | None = panes
        """The panes that the app shows; None for all."""
        self.selected: tuple[str, ...] | None = None
        """The pair or the token that is looked at, by its texts."""
        self.text: str | None = None
        """The text that is encoded."""
        self.unknown = "token"
        """The policy for its unknown symbols."""
        self._setup = setup
        self._use(setup)

    @property
    def trainer(self) -> Trainer:
        """The trainer in use."""
        return self._trainings[self._setup].trainer

    @property
    def corpus(self) -> Corpus:
        """What it trains on."""
        return self._trainings[self._setup].corpus

    @property
    def moment(self) -> Checkpoint:
        """The moment where the trainer is."""
        return Checkpoint.of(self.trainer, self._setup)

    def open(self, setup: TrainingSetup) -> None:
        """Begin a training, or begin it again. Raises as the constructor does."""
        self._use(setup)
        Checkpoint(setup, (), 0, Phase.READY, self._trainings[setup].rule).restore(self.trainer)

    def go_to(self, moment: Checkpoint) -> None:
        """Restore a moment."""
        self._use(moment.setup)
        moment.restore(self.trainer)

    def look_away(self) -> None:
        """Nothing is selected and nothing encoded."""
        self.selected = self.text = None
        self.unknown = "token"

    def _use(self, setup: TrainingSetup) -> None:
        """Bring in a training, as it was left if it was begun before."""
        if setup not in self._trainings:
            corpus, options = self._corpora.find(setup)
            trainer = Trainer(count_words(corpus, options), options)
            self._trainings[setup] = _Training(corpus, trainer, options.ties)
        self._setup = setup
