"""The mode of a moment of which a lesson withholds something, because it asks for it there or on a page further on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bpe_tui.core.i18n import _
from bpe_tui.lessons.subjects import Clue, CountSubject, NextSubject
from bpe_tui.ui.board.explanation import Sentences
from bpe_tui.ui.board.modes import COUNTS_HIDDEN, WHICH_IS_NEXT, Free
from bpe_tui.ui.board.revealed import Revealed

if TYPE_CHECKING:
    from collections.abc import Callable

    from bpe_tui.lessons.walk import Walk
    from bpe_tui.ui.board.board import Board
    from bpe_tui.ui.session.training import Session

_HIDDEN_PANES: Final = {
    Clue.MERGES: ("merges", "curve"),
    Clue.MERGE_LOG: ("merges",),
    Clue.VOCABULARY: ("vocabulary", "curve"),
    Clue.TOKEN_COUNTS: ("vocabulary",),
    Clue.SPLITS: ("corpus",),
    Clue.CORPUS: ("curve",),
    Clue.PAIRS: ("pairs",),
}
"""Panes that show nothing but what a clue is about, or from which it could be read."""
_RANKING: Final = frozenset({Clue.NEXT_PAIR, Clue.COUNTS})
_LAST_MERGE: Final = frozenset({Clue.MERGES, Clue.MERGE_LOG})
"""Clues in the sentences of what comes next and of what happened last."""


class LessonQuestion(Free):
    """Some of the moment is withheld until the question is answered; a learner who steps on instead sees all."""

    def __init__(self, board: Board, session: Session, walk: Walk, answer: Callable[[str], object]) -> None:
        """`answer` gets the pair that the learner chooses, as a text."""
        super().__init__(board, session)
        question = walk.page.question
        self._withheld = walk.withheld
        self._subject = question.subject if question is not None and walk.is_asking else None
        self._answer = answer

    def revealed(self) -> Revealed:
        """Neither counts nor what comes next, nor figures and panes, as far as one of them would be the answer."""
        withheld = self._withheld
        figures = frozenset(map(str, withheld))
        hidden = frozenset(pane for clue in withheld for pane in _HIDDEN_PANES.get(clue, ()))
        if not withheld & _RANKING:
            everything = super().revealed()
            return Revealed(
                everything.next_pair,
                merges=everything.merges,
                ties=Clue.TIES not in withheld,
                withheld=figures,
                hidden_panes=hidden,
            )
        title = _(COUNTS_HIDDEN)
        is_asked = isinstance(self._subject, NextSubject)
        return Revealed(
            counts=Clue.COUNTS not in withheld,
            merges=self.trainer.position,
            rule_path=False,
            pairs_title=(f"{_(WHICH_IS_NEXT)} · {title}", _(WHICH_IS_NEXT)) if is_asked else (title,),
            ties=False,
            withheld=figures,
            hidden_panes=hidden,
        )

    def sentences(self) -> Sentences:
        """What to answer, and where; or that it is asked further on."""
        if isinstance(self._subject, NextSubject):
            return Sentences("", _("Which pair is merged next? Answer in the lesson, or press enter on a pair."))
        if isinstance(self._subject, CountSubject):
            return Sentences("", _("How often? Count in the words of the corpus, and answer in the lesson."))
        if not self._withheld & (_RANKING | _LAST_MERGE):
            return super().sentences()
        done = self.last_sentence()
        if self._withheld & _LAST_MERGE:
            done = ""
        return Sentences(done, _("The lesson will ask about this moment: read on."))

    def refusal(self, why: str) -> str:
        """The question comes first."""
        return _("That would give the answer away. Answer the question first.")

    def choose(self, pair: tuple[int, int]) -> None:
        """Answer with a pair, if one is asked for; before the question, merge it."""
        if isinstance(self._subject, CountSubject):
            self.board.warn(_("A number is asked for: answer in the lesson."))
        elif not isinstance(self._subject, NextSubject):
            super().choose(pair)
        elif self.session.knows(pair):
            texts = self.session.trainer.texts
            self._answer(f"{texts[pair[0]]} + {texts[pair[1]]}")

    def turn(self) -> None:
        """The lesson asks already."""
        if self._withheld & _RANKING:
            self.board.warn(_("The lesson asks just that: answer it first."))
        else:
            super().turn()
