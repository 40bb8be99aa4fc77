"""Your turn on the train screen: the ranking is hidden, the learner picks a pair, then it is revealed and merged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bpe_tui.core.i18n import _, number
from bpe_tui.core.teaching.guessing_game import GuessingGame
from bpe_tui.core.training.states import Phase
from bpe_tui.ui.actions import Action, Group
from bpe_tui.ui.board.explanation import BULLETS
from bpe_tui.ui.board.sentences import selected_sentence
from bpe_tui.ui.text import safe
from bpe_tui.ui.train.train_steps import TrainSteps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bpe_tui.ui.messages import PairSelected
    from bpe_tui.ui.session.training import Session

_LEAVE: Final = Action("turn", ("y",), "leave", "End your turn", Group.ASK, footer=95)
_OTHERS: Final = (
    Action("undo", ("u",), "back", "One merge back", Group.STEP, footer=80),
    Action("filter", ("slash",), "filter", "Show only the rows that hold a text", Group.ASK, footer=60),
    Action("help", ("question_mark",), "help", "What this screen shows, and every key", Group.PROGRAM, footer=70),
    Action("quit", ("q",), "quit", "Leave the program", Group.PROGRAM, footer=65),
)
ASKING: Final = (
    Action("guess", ("enter",), "choose this pair", "Guess the pair under the cursor", Group.ASK, footer=100),
    Action("step", ("space",), "show me", "Show the answer", Group.STEP, footer=85),
    _LEAVE,
    *_OTHERS,
)
"""What the last line offers while a question is open."""
ANSWERED: Final = (
    Action("guess", ("enter",), "merge it, next question", "Merge it and ask again", Group.ASK, footer=100),
    _LEAVE,
    *_OTHERS,
)
"""What it offers when the answer is shown."""


class TrainTurn(TrainSteps):
    """The train screen, with a turn of the learner's."""

    @property
    def turn(self) -> GuessingGame | None:
        """The turn under way."""
        return self.session.turn if self.session is not None else None

    # -- asking and answering ---------------------------------------------------------------------------------

    def action_turn(self) -> None:
        """Begin a turn, or end it."""
        session = self.session
        if session is None or self.leave_turn():
            return
        self._stop_moving()
        turn = GuessingGame(session.trainer)
        if not turn.can_ask:
            self.complain(_("There is nothing to guess here: no pair is left that could be merged."))
            return
        session.turn, session.by_phase = turn, False
        self.focus_pane("pairs")
        self.pairs.filter_text = ""
        self.back_to_leader()
        self.show_moment()

    def leave_turn(self) -> bool:
        """End the turn; an answer that is shown is merged first. False if there was none."""
        session, turn = self.session, self.turn
        if session is None or turn is None:
            return False
        if not turn.is_asking:
            self._merge_answer(session)
        session.turn, session.by_phase = None, False
        session.trainer.show_phase(Phase.MERGED)
        told = ""
        if turn.asked:
            told = _("Your turn: {right} of {asked} right.")
            if turn.best_streak > 1:
                told = _("Your turn: {right} of {asked} right, longest streak {streak}.")
            told = told.format(right=number(turn.right), asked=number(turn.asked), streak=number(turn.best_streak))
        self.back_to_leader()
        self.show_moment()
        if told:
            self.tell(told)
        return True

    def action_guess(self) -> None:
        """Guess the pair under the cursor, or go on to the next question."""
        if self.turn is not None:
            self.pairs.action_select()

    def on_pair_selected(self, event: PairSelected) -> None:
        """In a turn, a pair chosen is a guess."""
        if self.turn is not None:
            event.prevent_default()
            self._go_on(event.pair)

    def _go_on(self, guess: tuple[int, int] | None = None) -> None:
        """From a question to its answer, or from the answer to the next question."""
        session, turn = self.session, self.turn
        if session is None or turn is None:
            return
        self._stop_moving()
        if not turn.is_asking:
            self._merge_answer(session)
        elif turn.answer(guess) is not None:
            session.by_phase = True
            session.trainer.show_phase(Phase.PICKED)
        self.pairs.filter_text = ""
        self.back_to_leader()
        self.show_moment()

    def _merge_answer(self, session: Session) -> None:
        leader = session.trainer.leader()
        if leader is not None:
            session.choose((leader.left_id, leader.right_id))
        if session.turn is not None:
            session.turn.ask()

    # -- the keys of training -----------------------------------------------------------------------------------

    def action_step(self) -> None:
        """One merge forward; in a turn: the answer, then the next question."""
        if self.turn is None:
            super().action_step()
        else:
            self._go_on()

    def action_phase(self) -> None:
        """One phase forward; in a turn the same as a step."""
        if self.turn is None:
            super().action_phase()
        else:
            self._go_on()

    def action_undo(self) -> None:
        """One merge back; in a turn an answer is hidden again first."""
        if not self._hide_answer():
            super().action_undo()

    def action_phase_back(self) -> None:
        """One phase back; in a turn the same as undoing."""
        if self.turn is None:
            super().action_phase_back()
        else:
            self.action_undo()

    def _hide_answer(self) -> bool:
        turn = self.turn
        if turn is None or turn.is_asking:
            return False
        turn.ask()
        self.back_to_leader()
        self.show_moment()
        return True

    def action_play(self) -> None:
        """Play or pause; a turn ends, since playing would answer by itself."""
        self.leave_turn()
        super().action_play()

    def refuses(self, why: str) -> bool:
        """Is a question open, so that something would give the answer away? Then it is not shown, and `why` is told."""
        if self.session is None or not self.session.is_asking:
            return False
        self.complain(why)
        return True

    # -- what is shown ------------------------------------------------------------------------------------------

    def show_moment(self) -> None:
        """Wherever the trainer went, the question is about that moment."""
        session, turn, player = self.session, self.turn, self.player
        if session is not None and turn is not None and player is not None and not player.is_travelling:
            verdict, trainer = turn.verdict, session.trainer
            if verdict is not None and (verdict.position, verdict.rule) != (trainer.position, trainer.options.ties):
                turn.ask()
            if turn.is_asking:
                if not turn.can_ask:
                    self.leave_turn()
                    return
                trainer.show_phase(Phase.COUNTED)
                session.by_phase = False
        super().show_moment()

    def bullets(self) -> tuple[str, str]:
        """In a turn: of a question, of a verdict."""
        return super().bullets() if self.turn is None else ("·", _bullet(self.turn))

    def footer(self) -> Sequence[Action]:
        """In a turn: what can be done with the question, or after it."""
        turn = self.turn
        if turn is None or (self.player is not None and self.player.is_moving):
            return super().footer()
        return ASKING if turn.is_asking else ANSWERED

    def show_question(self) -> None:
        """In a turn the words stay where they are: the pair looked at is marked in all of them."""
        if self.session is not None and self.session.is_asking:
            self.words.reload()
            self.show_figures()
        else:
            super().show_question()

    def titles(self, session: Session) -> tuple[str, ...]:
        """In a turn it says so; the score stands below."""
        usual = super().titles(session)
        if session.turn is None:
            return usual
        return (*(_("your turn · {title}").format(title=title) for title in usual), _("your turn"))

    def sentences(self, session: Session) -> tuple[str, str]:
        """In a turn: the score, and the question or the verdict."""
        turn = session.turn
        if turn is None or (self.player is not None and self.player.is_travelling):
            return super().sentences(session)
        score = _("Your turn: {score}.").format(score=turn.score)
        if turn.verdict is None:
            return score, _question(session)
        if session.selected is not None:
            return score, selected_sentence(session, session.selected)
        if turn.verdict.picked is not None and not turn.verdict.scored:
            score = _("Your turn: {score}; this one was known and did not count.").format(score=turn.score)
        return score, turn.verdict.sentence


def _bullet(turn: GuessingGame) -> str:
    """What stands before the question or the verdict."""
    if turn.verdict is None:
        return "?"
    if turn.verdict.picked is None:
        return BULLETS[1]
    return "✓" if turn.verdict.is_right else "✗"


def _question(session: Session) -> str:
    if session.selected is None:
        return _("Which pair is merged next? Enter picks it.")
    return _("Is it {pair}? Enter says yes.").format(pair=safe(session.pair_text(session.selected)))
