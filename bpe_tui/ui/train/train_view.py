"""What the train screen shows of a session; its panes are in `train_panes`, what its keys do is in `train`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual.binding import BindingType

from bpe_tui.ui.actions import ACTIONS, MOVING, Action, bindings
from bpe_tui.ui.board.curve import Curve
from bpe_tui.ui.board.explanation import BULLETS, WARNING
from bpe_tui.ui.board.revealed import Revealed, revealed_at
from bpe_tui.ui.board.sentences import found_by_loop, sentences, titles
from bpe_tui.ui.dialogs.dialog import is_on_top
from bpe_tui.ui.player import Player
from bpe_tui.ui.text import safe
from bpe_tui.ui.train.train_panes import TrainPanes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bpe_tui.ui.session.training import Session

WITHOUT_CORPUS: Final = ("open", "help", "quit")
"""Actions in the footer while nothing is open."""


class TrainView(TrainPanes):
    """The panes, all looking at one session, and what is said of it."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ACTIONS)]
    AUTO_FOCUS = "#pairs"

    def __init__(self, session: Session | None = None) -> None:
        super().__init__()
        self.session: Session | None = session
        """What is looked at; None until the first corpus is loaded."""
        self.player: Player | None = None
        """Moves the session's trainer."""
        self.revealed = Revealed()
        """What may be shown of the moment."""
        self.loading_text = ""
        """What is being opened and how far it is; empty if nothing is."""
        self._notice: tuple[str, str] | None = None
        """A sentence that is told until the next key or click, and its bullet."""

    # -- the moment shown -------------------------------------------------------------------------------------

    def on_mount(self) -> None:
        """Show the session, if it came with the screen."""
        self.arrange_panes(self.app.size)
        if self.session is not None:
            self.show_session(self.session)
        else:
            self.show_figures()

    def show_session(self, session: Session) -> None:
        """Look at another session from now on."""
        if self.player is not None:
            self.player.halt()
        self.session = session
        self._sentence_lines = 0
        self.player = Player(self, session.trainer, self.show_moment)
        self.revealed = revealed_at(session)
        for table in self.tables:
            table.show_session(session, self.revealed)
        self.encode_line.show_session(session)
        self.show_moment()

    def show_moment(self) -> None:
        """Every pane looks at the trainer again and repaints what differs."""
        if self.session is None:
            return
        self.revealed = revealed_at(self.session)
        for table in self.tables:
            table.show_moment(self.revealed)
        self.encode_line.reload()
        self.show_figures()

    def show_figures(self) -> None:
        """Status, timeline, why, algorithm and curve."""
        self.keys.use_actions(self.footer())
        session = self.session
        if session is None:
            self.status.show((self.loading_text,), "", "")
            return
        trainer, player, revealed = session.trainer, self.player, self.revealed
        self.status.show(
            (self.loading_text,) if self.loading_text else self.titles(session),
            f"merge {trainer.position}/{trainer.target}  vocab {trainer.vocab_size}",
            trainer.state,
        )
        choices = [number for number in session.choices if number <= revealed.merges]
        self.timeline.set_state(trainer.position, revealed.merges, trainer.target, choices)
        self.timeline.playing = player is not None and player.is_moving
        self._say(session)
        if self.algorithm.display:
            self.algorithm.set_phase(str(trainer.phase), found_by_loop(session, revealed))
        if self.curve.display:
            end = max(trainer.target, revealed.merges)
            totals = trainer.totals if revealed.merges == trainer.known else trainer.totals[: revealed.merges + 1]
            rule = self.curve.path.totals(session) if revealed.rule_path else ()
            self.curve.show(totals, trainer.position, end, divisor=session.word_total, rule=rule)

    def on_curve_grown(self, event: Curve.Grown) -> None:
        """More of the rule's own way is known."""
        event.stop()
        self.show_figures()

    def show_question(self) -> None:
        """The learner looks at another pair: the corpus shows where it is, and a sentence tells of it."""
        if self.session is not None:
            self.words.scroll_first(0)
            self.words.reload()
            self.show_figures()

    def back_to_leader(self) -> None:
        """Look at the leader again, at the top of the ranking."""
        if self.session is not None:
            self.session.selected = self.session.token = None
        self.pairs.scroll_first(0)
        self.pairs.cursor = 0
        self.merges.follow()

    # -- what is said -----------------------------------------------------------------------------------------

    def titles(self, session: Session) -> tuple[str, ...]:
        """What is looked at and what is under way, from the fullest to the shortest."""
        return titles(session, self.player)

    def sentences(self, session: Session) -> tuple[str, str]:
        """What happened, and what is next and why."""
        return sentences(session, self.player)

    def bullets(self) -> tuple[str, str]:
        """What stands before the two sentences."""
        session, player = self.session, self.player
        if session is not None and not session.trainer.word_count:
            return WARNING, BULLETS[1]
        return ("·", BULLETS[1]) if player is not None and player.is_travelling else BULLETS

    def footer(self) -> Sequence[Action]:
        """The actions that matter now; the last line shows as many as fit."""
        if self.session is None:
            return [action for action in self.ACTIONS if action.id in WITHOUT_CORPUS]
        return MOVING if self.player is not None and self.player.is_moving else self.ACTIONS

    def _say(self, session: Session) -> None:
        done, following = self.sentences(session)
        bullets = self.bullets()
        if self._notice is None:
            self.why.say(done, following, bullets)
            if self.why.lines_needed > self._sentence_lines:
                self._sentence_lines = self.why.lines_needed
                self.arrange_panes()
        else:
            self.why.say(self._notice[0], following, (self._notice[1], bullets[1]), is_notice=True)

    def tell(self, sentence: str, bullet: str = BULLETS[0]) -> None:
        """Say something in place of what happened, until the next key or click; over a dialog as a toast."""
        if self.session is None or not is_on_top(self):
            self.app.notify(safe(sentence), markup=False, timeout=6)
        else:
            self._notice = (sentence, bullet)
            self._say(self.session)

    @property
    def notice(self) -> str:
        """What is told until the next key or click; empty if nothing is."""
        return self._notice[0] if self._notice is not None else ""

    def complain(self, sentence: str) -> None:
        """Say that something cannot be done."""
        self.tell(sentence, WARNING)

    def on_key(self) -> None:
        """What was told has been read."""
        self._forget_notice()

    def on_mouse_down(self) -> None:
        """What was told has been read."""
        self._forget_notice()

    def _forget_notice(self) -> None:
        if self._notice is not None and self.session is not None:
            self._notice = None
            self._say(self.session)
