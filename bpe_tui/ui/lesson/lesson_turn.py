"""A lesson's question for the next merge or for a count: the panes hide it, as in a turn, until it is answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpe_tui.core.i18n import _
from bpe_tui.core.teaching.guessing_game import GuessingGame
from bpe_tui.ui.board.sentences import titles
from bpe_tui.ui.train.screen import TrainScreen

if TYPE_CHECKING:
    from bpe_tui.lessons.walk import Walk
    from bpe_tui.ui.messages import PairSelected
    from bpe_tui.ui.session.training import Session


class LessonTurn(TrainScreen):
    """The train screen, asking for the next merge in the words of a lesson."""

    def __init__(self, walk: Walk) -> None:
        super().__init__()
        self.walk = walk
        """The learner's way through the lesson."""
        self._hidden: GuessingGame | None = None
        """What makes the panes hide the next merge."""

    @property
    def asks_next(self) -> bool:
        """Is the open question of this page which pair is merged next?"""
        return self._asks_for("next")

    @property
    def asks_count(self) -> bool:
        """Is it how often a pair occurs?"""
        return self._asks_for("count")

    def _asks_for(self, subject: str) -> bool:
        question = self.walk.page.question
        if question is None or question.subject is None or not self.walk.is_asking:
            return False
        return subject == question.subject.NAME

    @property
    def is_hiding(self) -> bool:
        """Do the panes hide the next merge now?"""
        return self.session is not None and self._hidden is not None and self.session.turn is self._hidden

    @property
    def turn(self) -> GuessingGame | None:
        """The learner's own turn; a question of the lesson is none."""
        return None if self.is_hiding else super().turn

    def give_answer(self, answer: str) -> None:
        """Judge an answer to the lesson's question."""
        raise NotImplementedError

    def show_moment(self) -> None:
        """The next merge and the counts are hidden where the lesson asks for them; who goes elsewhere sees all."""
        session = self.session
        if session is not None:
            hides = (self.asks_next or self.asks_count) and not self.walk.strayed
            if hides and session.turn is None:
                session.turn = self._hidden = GuessingGame(session.trainer, is_about_next=self.asks_next)
                self.pairs.filter_text = ""
            elif not hides and self.is_hiding:
                session.turn = self._hidden = None
        super().show_moment()

    def titles(self, session: Session) -> tuple[str, ...]:
        """A question of the lesson is no turn."""
        return titles(session, self.player) if self.is_hiding else super().titles(session)

    def sentences(self, session: Session) -> tuple[str, str]:
        """While the next merge is hidden, the sentences ask for it."""
        if not self.is_hiding:
            return super().sentences(session)
        if self.asks_count:
            return "", _("How often? Count in the words of the corpus, and answer in the lesson.")
        return "", _("Which pair is merged next? Answer in the lesson, or press enter on a pair.")

    def on_pair_selected(self, event: PairSelected) -> None:
        """A pair chosen is an answer where the lesson asks for one."""
        if self.is_hiding and self.session is not None:
            event.prevent_default()
            if self.asks_count:
                self.complain(_("A number is asked for: answer in the lesson."))
            elif self.session.knows(event.pair):
                self.give_answer(self.session.pair_text(event.pair))

    def action_turn(self) -> None:
        """Begin a turn of one's own, unless the lesson asks already."""
        if self.is_hiding:
            self.complain(_("The lesson asks just that: answer it first."))
        else:
            super().action_turn()

    def refuses(self, why: str) -> bool:
        """Is the lesson's question open, so that something would give the answer away?"""
        return super().refuses(
            _("That would give the answer away. Answer the question first.") if self.is_hiding else why
        )
