"""The mode of a page that asks for what the board would show: the next merge, or how often a pair occurs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpe_tui.core.i18n import _
from bpe_tui.ui.board.explanation import Sentences
from bpe_tui.ui.board.modes import COUNTS_HIDDEN, WHICH_IS_NEXT, Free
from bpe_tui.ui.board.revealed import Revealed

if TYPE_CHECKING:
    from collections.abc import Callable

    from bpe_tui.ui.board.board import Board
    from bpe_tui.ui.session.training import Session

SUBJECTS = ("next", "count")
"""Subjects of questions, as lessons name them, whose answers the board would show."""


class LessonQuestion(Free):
    """The counts are hidden until the question is answered; whoever steps on instead sees all."""

    def __init__(self, board: Board, session: Session, subject: str, answer: Callable[[str], object]) -> None:
        """`answer` gets the pair that the learner chooses, as a text."""
        super().__init__(board, session)
        self._asks_next = subject == "next"
        self._answer = answer

    def revealed(self) -> Revealed:
        """Neither counts nor what comes next."""
        title = _(COUNTS_HIDDEN)
        titles = (f"{_(WHICH_IS_NEXT)} · {title}", _(WHICH_IS_NEXT)) if self._asks_next else (title,)
        return Revealed(counts=False, merges=self.trainer.position, rule_path=False, pairs_title=titles)

    def sentences(self) -> Sentences:
        """What to answer, and where."""
        if self._asks_next:
            return Sentences("", _("Which pair is merged next? Answer in the lesson, or press enter on a pair."))
        return Sentences("", _("How often? Count in the words of the corpus, and answer in the lesson."))

    def refusal(self, why: str) -> str:
        """The question comes first."""
        return _("That would give the answer away. Answer the question first.")

    def choose(self, pair: tuple[int, int]) -> None:
        """Answer with a pair, if one is asked for."""
        if not self._asks_next:
            self.board.complain(_("A number is asked for: answer in the lesson."))
        elif self.session.knows(pair):
            texts = self.session.trainer.texts
            self._answer(f"{texts[pair[0]]} + {texts[pair[1]]}")

    def turn(self) -> None:
        """The lesson asks already."""
        self.board.complain(_("The lesson asks just that: answer it first."))
