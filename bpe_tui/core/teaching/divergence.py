"""What other choices would do to a training: which pair each tie rule would merge now, where training under it would
diverge from the log, and how the corpus would shrink if the rule alone decided where the learner chose.

The trainer is only read. A second trainer over the same words repeats its log, so this may run in another thread, given
a `TrainingSnapshot`, which holds a copy of all that it takes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from bpe_tui.core.corpus.types import ShouldStop, WordCounts
from bpe_tui.core.errors import Cancelled
from bpe_tui.core.options import TIE_RULES, Options
from bpe_tui.core.training.base_vocabulary import StartingPoint
from bpe_tui.core.training.states import LeadingPair, Origin, Step
from bpe_tui.core.training.trainer import Trainer

RETRAINING_LIMIT: Final = 4_000_000
"""Symbols of a corpus up to which a second trainer is worth its memory while the learner works with the first."""


@dataclass(frozen=True, slots=True)
class TrainingSnapshot:
    """A training as it is known at one moment."""

    words: WordCounts
    options: Options
    log: Sequence[Step]
    """The merges known, those undone included."""
    wanted: int
    """Merges to look at: the target, or all that are known if these are more."""
    start: StartingPoint | None
    """The tokenizer that is continued."""

    @classmethod
    def of(cls, trainer: Trainer) -> TrainingSnapshot:
        """The snapshot of a trainer."""
        log = tuple(trainer.steps)
        return cls(trainer.counted_words, trainer.options, log, max(len(log), trainer.target), trainer.start)

    def fresh_trainer(self, should_stop: ShouldStop | None = None) -> Trainer:
        """Another trainer, before its first merge that was chosen by its count or by the learner.

        Raises `Cancelled` if `should_stop` says so.
        """
        first = self.options.replace(ties=self.log[0].rule) if self.log else self.options  # seeds follow it
        trainer = Trainer(self.words, first, self.start, should_stop=should_stop)
        given = sum(step.origin is not Origin.COUNT for step in self.log)
        trainer.goto(min(given, trainer.position))
        trainer.set_ties(self.options.ties)  # drops the merges that another choice has replaced
        return trainer


def can_retrain(trainer: Trainer) -> bool:
    """Is the corpus small enough to be trained on a second time on the side?"""
    return trainer.segmentation.size <= RETRAINING_LIMIT


# -- tie rules -----------------------------------------------------------------------------------------------------


def winners(trainer: Trainer) -> dict[str, LeadingPair | None]:
    """For each tie rule the pair that it would merge now; None where no pair is left."""
    return {rule: trainer.leader_under(rule) for rule in TIE_RULES}


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first merge in which another tie rule would diverge from a training's log."""

    number: int
    """Of the merge; 1 for the first."""
    count: int
    tied: int
    """Pairs that shared the highest count there."""
    ours: tuple[str, str]
    """The pair that the log merges (or will merge, if it has not come so far)."""
    theirs: tuple[str, str]
    """The pair that the other rule would merge."""


def divergences(
    training: TrainingSnapshot,
    rules: Sequence[str],
    *,
    most: int | None = None,
    should_stop: ShouldStop | None = None,
) -> dict[str, Divergence | None]:
    """For each rule where training under it would first diverge from the log; None if it never would.

    Merges of the learner's own choice are followed, whatever the rules say. At most the first `most` merges are
    looked at. Raises `Cancelled` if `should_stop` says so.
    """
    found: dict[str, Divergence | None] = dict.fromkeys(rules)
    trainer = training.fresh_trainer(should_stop)
    end = training.wanted if most is None else min(training.wanted, most)
    while trainer.position < end and None in found.values():
        if trainer.position & 15 == 0 and should_stop is not None and should_stop():
            raise Cancelled("stopped")
        leader = trainer.leader()
        if leader is None or leader.count < training.options.min_frequency:
            break
        ours = (leader.left_id, leader.right_id)
        if trainer.position < len(training.log):
            step = training.log[trainer.position]
            ours = (step.merge.left_id, step.merge.right_id)
            if step.own_choice:
                trainer.choose(*ours)
                continue
        for rule in rules:
            if found[rule] is None:
                is_ours = leader.tied == 1 or rule == training.options.ties
                theirs = leader if is_ours else trainer.leader_under(rule)
                if theirs is not None and (theirs.left_id, theirs.right_id) != ours:
                    texts = (trainer.texts[ours[0]], trainer.texts[ours[1]])
                    pair = (theirs.left, theirs.right)
                    found[rule] = Divergence(trainer.position + 1, leader.count, leader.tied, texts, pair)
        trainer.choose(*ours)
    return found


# -- the rule's own path -------------------------------------------------------------------------------------------


def rule_path(
    training: TrainingSnapshot,
    first: int,
    end: int,
    add_total: Callable[[int], None],
    should_stop: ShouldStop | None = None,
) -> None:
    """Train as the rule alone would have from merge `first` on, up to `end` merges.

    `add_total` is given the tokens of the corpus after 0, 1, 2, … merges; those before `first` are the log's own. Ends
    where the rule would end. Raises `Cancelled` if `should_stop` says so.
    """
    trainer = training.fresh_trainer(should_stop)
    for total in trainer.totals[: trainer.position + 1]:
        add_total(total)
    while trainer.position < end:
        if trainer.position & 15 == 0 and should_stop is not None and should_stop():
            raise Cancelled("stopped")
        if trainer.position < first - 1:
            merge = training.log[trainer.position].merge
            trainer.choose(merge.left_id, merge.right_id)
        elif trainer.step() is None:
            return
        add_total(trainer.total_tokens)
