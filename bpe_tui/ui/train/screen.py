"""The train screen: a board, and what opens, saves and resumes its session."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on

from bpe_tui.core.display import displayable
from bpe_tui.core.i18n import _, current_language, mark, number
from bpe_tui.formats.session.folder import is_first_start
from bpe_tui.ui.actions import ACTIONS, STOP_OPENING, Action, at_start, bindings, first_key
from bpe_tui.ui.board.board import Board
from bpe_tui.ui.board.explanation import Sentences
from bpe_tui.ui.board.screen import BoardScreen
from bpe_tui.ui.dialogs.dialog import ask
from bpe_tui.ui.gc_settling import settle
from bpe_tui.ui.messages import PathPasted
from bpe_tui.ui.session.autosave import AutoSaver, Offer
from bpe_tui.ui.session.request import Request
from bpe_tui.ui.session.training import Session
from bpe_tui.ui.train.opener import Opener

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.binding import BindingType

    from bpe_tui.core.teaching.challenges import Challenge
    from bpe_tui.formats.session.file import SavedSession
    from bpe_tui.ui.navigator import Navigator
    from bpe_tui.ui.session.tokenizer import EncodeSession

WELCOME: Final = mark("New here? {lessons} opens the first lesson. {step} takes the first step.")
"""Said until a session or the progress in a lesson was saved."""
FIRST_LESSON: Final = mark("first lesson")
WITHOUT_CORPUS: Final = ("open", "open_under", "help", "quit")
"""Actions in the footer while nothing is open."""
OFFERED: Final = 63
"""Importance in the footer of the key that resumes an earlier session; a sentence mentions it as well."""


class TrainScreen(BoardScreen):
    """Step through training, forward and back."""

    ACTIONS: ClassVar[tuple[Action, ...]] = ACTIONS
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ACTIONS)]
    AUTO_FOCUS = "#pairs"

    def __init__(
        self, navigator: Navigator, session: Session | None = None, tokenizer: EncodeSession | None = None
    ) -> None:
        """A screen on a session, or without a corpus on a tokenizer."""
        super().__init__(Board(self.footer, navigator.token_display, navigator.pace), navigator)
        self.tokenizer = tokenizer
        """The tokenizer that was opened last; while there is no corpus, it is all there is."""
        self.opener = Opener(self, self._show_opened)
        if tokenizer is not None:
            self.opener.under = tokenizer.to_continue
        self.saver: AutoSaver | None = None
        """Saves the session by itself; None where nothing may be saved."""
        self._first = session
        self._is_first_start = False
        """Is the learner new here? Then a sentence says how to begin."""

    def on_mount(self) -> None:
        """Show the session, or what is open without one; from now on it is saved, if it may be."""
        if self.navigator.saves:
            self._is_first_start = is_first_start()
            self.saver = AutoSaver(self, self._show_offer, self.board.warn)
        self.board.arrange_panes(self.app.size)
        self.board.refresh_frame()
        if self._first is not None:
            self._show_session(self._first)
        else:
            self._explain_tokenizer(None)

    def on_unmount(self) -> None:
        """Let other programs save sessions of the corpus."""
        if self.saver is not None:
            self.saver.close()

    def _show_session(self, session: Session) -> None:
        welcome = _(WELCOME).format(lessons=first_key("lessons"), step=at_start(first_key("step")))
        self.board.greeting = welcome if self._is_first_start else ""
        self.board.show_session(session)
        if session.continuation is not None:
            notes = [*session.continuation.model.warnings, *session.trainer.words.notes]
            if notes:
                self.board.warn(" ".join(f"{note}." for note in notes))
        if self.saver is not None:
            self.saver.watch(session)

    def footer(self) -> Sequence[Action]:
        """The actions that matter now; while something is opened, how to stop that."""
        actions: Sequence[Action] = self.ACTIONS
        if self.board.session is None:
            actions = [action for action in actions if action.id in WITHOUT_CORPUS]
        elif self.offered is not None:
            actions = [replace(action, footer=OFFERED) if action.id == "resume" else action for action in actions]
        if self._welcomes:
            actions = [replace(action, label=FIRST_LESSON) if action.id == "lessons" else action for action in actions]
        return [STOP_OPENING, *actions] if self.opener.is_opening else actions

    def action_leave(self) -> None:
        """Leave whatever is in the way, the opening of a corpus first."""
        if not self.opener.cancel():
            super().action_leave()

    @property
    def _welcomes(self) -> bool:
        """Does the screen say how to begin?"""
        session = self.board.session
        return self._is_first_start and session is not None and not session.trainer.known

    def action_lessons(self) -> None:
        """Choose a lesson; a learner who is new here gets the first one, as the screen says."""
        if not self._welcomes:
            super().action_lessons()
            return
        from bpe_tui.lessons.library import entries  # not at the top: lessons take a fifth of the app's start

        self._is_first_start = False
        self.open_lesson(entries(current_language())[0])

    def action_challenges(self) -> None:
        """The challenges, judged by what is on the board."""
        from bpe_tui.ui.dialogs.challenges import ChallengesDialog  # when it opens, as all dialogs

        self.board.stop()
        if not self.board.refuses(
            _("That would give the answer away. Guess first, or leave with {turn}.").format(turn=first_key("turn"))
        ):
            ask(self, ChallengesDialog(self.board.session, saves=self.navigator.saves), self._take_on)

    def _take_on(self, challenge: Challenge | None) -> None:
        """Open the corpus of a challenge from its start, unless it is open; a text is typed."""
        if challenge is None:
            return
        session = self.board.session
        is_open = session is not None and session.corpus.is_bundled and session.corpus.name == challenge.corpus
        if challenge.corpus and not is_open:
            self.opener.open(Request((challenge.corpus,)))
        elif challenge.has_text:
            self.board.action_encode()
        sentence = _("{task} Then press {challenges}.")
        self.board.show_notice(sentence.format(task=_(challenge.task), challenges=first_key("challenges")), "▸")

    # -- opening ----------------------------------------------------------------------------------------------

    def action_open(self) -> None:
        """Choose a corpus."""
        self.board.stop()
        self.opener.choose()

    def action_open_under(self) -> None:
        """Choose a corpus to put under the tokenizer that is open."""
        if self.opener.under is None:
            self.board.warn(_("No tokenizer is open: {open} opens one.").format(open=first_key("open")))
            return
        self.board.stop()
        self.opener.choose(is_under=True)

    @on(PathPasted)
    def _offer_path(self, event: PathPasted) -> None:
        self.board.stop()
        self.opener.choose_pasted(event.text)

    def take_text(self, name: str, text: str) -> None:
        """A text came from the learner's browser: open it."""
        self.board.stop()
        self.opener.open(Request(text=text, title=name))

    def _show_opened(self, session: EncodeSession) -> None:
        """Look at what was opened: a training at the pair that was looked at in it, or a tokenizer."""
        if not isinstance(session, Session):
            self.tokenizer = session
            self.opener.under = session.to_continue
            session.display = self.navigator.token_display
            self._show_tokenizer(session)
            return
        text, selected = session.text, session.selected
        self._show_session(session)
        if text:
            session.text = text
            self.board.encode_line.take_text()
        if selected is not None:
            self.board.pairs.point_to(selected)
        self.call_after_refresh(settle)

    def action_encode_screen(self) -> None:
        """The text, its tokens and the merges that make them, on a screen of their own."""
        if self.board.session is None and self.tokenizer is not None:
            self._show_tokenizer(self.tokenizer)
        else:
            super().action_encode_screen()

    def _show_tokenizer(self, tokenizer: EncodeSession) -> None:
        self.show_encode_screen(tokenizer, self._explain_tokenizer)

    def _explain_tokenizer(self, result: None) -> None:
        """Say why there is nothing on this screen, if only a tokenizer is open."""
        if self.board.session is None and self.tokenizer is not None:
            message = _("{name} is a tokenizer without a corpus: its merges are known, but no words to count.")
            following = _(
                "{encode_screen} goes back to its encode screen, {open_under} opens a corpus under it, {open} opens a "
                "corpus by itself."
            ).format(
                encode_screen=at_start(first_key("encode_screen")),
                open_under=first_key("open_under"),
                open=first_key("open"),
            )
            self.board.explanation.show(Sentences(message.format(name=displayable(self.tokenizer.name)), following))

    def action_write(self) -> None:
        """Choose what to write of the training, or of the tokenizer that is open without one, and where."""
        self.write(self.board.session or self.tokenizer)

    # -- an earlier session -----------------------------------------------------------------------------------

    @property
    def offered(self) -> SavedSession | None:
        """The earlier session that can be resumed."""
        offer = self.saver.offer if self.saver is not None else None
        return offer.saved if offer is not None else None

    def _show_offer(self, offer: Offer) -> None:
        """Offer an earlier session of this corpus, unless the corpus has changed after that."""
        if offer.is_changed and self.saver is not None:
            self.saver.offer = None
            sentence = _(
                "You were at merge {position} of {known} here, but the corpus has changed: this is a new start."
            )
            self.board.warn(_place_in(sentence, offer.saved))
        else:
            has_merges = bool(offer.saved.model.vocabulary.merges)
            sentence = (
                _("Press {resume} to resume at merge {position} of {known}.")
                if has_merges
                else _("{resume} brings back the text that you typed here.")
            )
            self.board.greeting = _place_in(sentence, offer.saved)
            self.board.refresh_frame()

    def action_resume(self) -> None:
        """Resume the session that was saved."""
        session, saved = self.board.session, self.offered
        if session is None or saved is None:
            self.board.warn(_("No saved session of this corpus."))
            return
        self.board.stop()
        self.opener.resume(session, saved)


def _place_in(sentence: str, saved: SavedSession) -> str:
    """A sentence with the merge at which the earlier session was left."""
    known = number(len(saved.model.vocabulary.merges))
    return sentence.format(position=number(saved.position), known=known, resume=first_key("resume"))
