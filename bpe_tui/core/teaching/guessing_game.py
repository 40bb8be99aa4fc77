"""The guessing game ("your turn"): the learner guesses the next merge before the ranking is shown.

It asks, judges an answer by the counts and the tie rule, and keeps the score. It never moves the trainer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bpe_tui.core.i18n import _, number
from bpe_tui.core.teaching.explain import Lead, lead_of, rule_reason, times

if TYPE_CHECKING:
    from bpe_tui.core.readable import Notation
    from bpe_tui.core.training.rows import PairRow
    from bpe_tui.core.training.states import LeadingPair
    from bpe_tui.core.training.trainer import Trainer

MOST_OFFERED: Final = 200
"""At most so many pairs are offered, the most frequent ones; what is far below the lead is no choice anyway."""


@dataclass(frozen=True, slots=True)
class GuessVerdict:
    """The outcome of one question."""

    position: int
    """Merges applied when it was asked."""
    rule: str
    """The tie rule that decided."""
    best: LeadingPair
    """The pair that the rule merges."""
    lead: Lead
    """What sets `best` apart."""
    picked: tuple[str, str] | None
    """The pair that the learner chose; None if the answer was shown without a guess."""
    picked_count: int
    is_right: bool
    """It has the highest count: the winner itself, or a pair tied with it."""
    is_winner: bool
    """It is the very pair that the rule merges."""
    scored: bool
    """It counts for the score: a guess, and the first one at this moment."""

    def sentence(self, notation: Notation) -> str:
        """Right or wrong and why, in one plain sentence."""
        best, why = notation.pair(self.best.left, self.best.right), self.lead.clause(notation)
        count = times(self.best.count)
        if self.picked is None:
            return _("The rule merges {pair}: {times}, {why}.").format(pair=best, times=count, why=why)
        picked = notation.pair(*self.picked)
        if self.is_winner:
            return _("Right: {pair} occurs {times}, {why}.").format(pair=best, times=count, why=why)
        if self.is_right:
            return _(
                "Right, a tie: {picked} occurs {times}, and so does {pair}, which {rule} takes because {reason}."
            ).format(picked=picked, times=count, pair=best, rule=self.rule, reason=rule_reason(self.rule))
        picked_times = times(self.picked_count)
        if self.best.tied > 1:
            return _("Wrong: {picked} occurs {picked_times}, but {pair} {times}, {why}.").format(
                picked=picked, picked_times=picked_times, pair=best, times=count, why=why
            )
        return _("Wrong: {picked} occurs {picked_times}, but {pair} {times}.").format(
            picked=picked, picked_times=picked_times, pair=best, times=count
        )


def candidates(trainer: Trainer) -> list[PairRow]:
    """The pairs to choose from, in alphabetical order, which reveals nothing of their counts."""
    return sorted(trainer.pairs(0, MOST_OFFERED), key=lambda row: (row.left, row.right, row.left_id, row.right_id))


class GuessingGame:
    """One game: questions at the moments a trainer goes through, with score and streak."""

    def __init__(self, trainer: Trainer) -> None:
        self._trainer = trainer
        self._scored: set[int] = set()
        self.asked = 0
        """Guesses that counted."""
        self.right = 0
        """Those that were right."""
        self.streak = 0
        """Right guesses in a row."""
        self.best_streak = 0
        self.verdict: GuessVerdict | None = None
        """The answer that is shown now; None while a question is open."""

    @property
    def can_ask(self) -> bool:
        """Is there a pair that the rule would merge here?"""
        leader = self._trainer.leader()
        return leader is not None and leader.count >= self._trainer.options.min_frequency

    @property
    def is_asking(self) -> bool:
        """Is a question open, so that nothing may give the answer away?"""
        return self.verdict is None

    @property
    def brief_score(self) -> str:
        """`3 of 4 right`."""
        return _("{right} of {asked} right").format(right=number(self.right), asked=number(self.asked))

    @property
    def score(self) -> str:
        """`3 of 4 right, streak 2`."""
        if not self.asked:
            return _("no guess yet")
        return _("{right} of {asked} right, streak {streak}").format(
            right=number(self.right), asked=number(self.asked), streak=number(self.streak)
        )

    def ask(self) -> None:
        """Open the question of the trainer's present moment."""
        self.verdict = None

    def answer(self, pair: tuple[int, int] | None) -> GuessVerdict | None:
        """Judge a guess; None for the pair shows the answer without one. None, and no change, if it cannot be judged.

        A moment counts once: going back and guessing again is practice.
        """
        trainer = self._trainer
        best = trainer.leader()
        if best is None or not self.can_ask:
            return None
        texts, count, is_winner = None, 0, False
        if pair is not None:
            count = trainer.pair_frequency(*pair)
            if count == 0:
                return None
            texts = (trainer.texts[pair[0]], trainer.texts[pair[1]])
            is_winner = pair == (best.left_id, best.right_id)
        is_right = pair is not None and count == best.count
        scored = pair is not None and trainer.position not in self._scored
        if scored:
            self._scored.add(trainer.position)
            self.asked += 1
            self.right += is_right
            self.streak = self.streak + 1 if is_right else 0
            self.best_streak = max(self.best_streak, self.streak)
        self._scored.add(trainer.position)  # an answer that was shown is known, too
        rule, lead = trainer.options.ties, lead_of(trainer, best)
        self.verdict = GuessVerdict(trainer.position, rule, best, lead, texts, count, is_right, is_winner, scored)
        return self.verdict
