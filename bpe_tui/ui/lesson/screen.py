"""The lesson screen: a board, with a narration beside its panes that drives it."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on
from textual.containers import Container
from textual.content import Content
from textual.widgets import Static

from bpe_tui.core.errors import BpeError
from bpe_tui.core.i18n import _, mark, number
from bpe_tui.core.readable import TokenStyle
from bpe_tui.lessons.library import entry_of, following
from bpe_tui.lessons.subjects import NextSubject
from bpe_tui.ui.actions import Action, bindings, first_key
from bpe_tui.ui.board.arrangement import NARRATION, PANE_IDS
from bpe_tui.ui.board.board import Board
from bpe_tui.ui.board.screen import BoardScreen
from bpe_tui.ui.lesson.actions import ALL, RESUME, RETURN, TYPING, footer
from bpe_tui.ui.lesson.ending import ending
from bpe_tui.ui.lesson.narration import Narration
from bpe_tui.ui.lesson.question import LessonQuestion
from bpe_tui.ui.lesson.shown_blocks import PaneLink, pane_of
from bpe_tui.ui.messages import PathPasted
from bpe_tui.ui.session.lesson_progress import LessonProgress, ProgressSaver
from bpe_tui.ui.session.request import Request
from bpe_tui.ui.session.token_display import TokenDisplay
from bpe_tui.ui.session.training import Session

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from textual.binding import BindingType
    from textual.widget import Widget

    from bpe_tui.lessons.library import LessonEntry
    from bpe_tui.lessons.walk import Walk
    from bpe_tui.ui.navigator import Navigator

INTRODUCTION: Final = mark(
    "The narration explains, {next_page} and {page_before} turn its pages, and the panes show live what it is about. "
    "Every key of training works as well: look around as you like, {return} brings you back to where the lesson is."
)


class Strayed(Static):
    """Says that the learner went elsewhere, and how to come back; a click does."""

    ALLOW_SELECT = False

    async def on_click(self) -> None:
        """Back to the lesson."""
        await self.run_action("screen.return")


class LessonScreen(BoardScreen):
    """Read, look, answer, turn the page."""

    ACTIONS: ClassVar[tuple[Action, ...]] = ALL
    INTRODUCTION: ClassVar[str] = INTRODUCTION
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ALL)]
    AUTO_FOCUS = f"#{NARRATION}"

    def __init__(self, walk: Walk, navigator: Navigator) -> None:
        self.walk = walk
        """The learner's way through the lesson."""
        self.following = _following(walk)
        """The bundled lesson that comes after this one; None after the last, and after one of the learner's own."""
        self.narration = Narration(walk, self._ending, id=NARRATION)
        self.strayed_line = Strayed(
            Content(_("↩ You wandered off: {key} brings you back.").format(key=RETURN.first_key)), id="strayed"
        )
        self.beside = Container(self.narration, self.strayed_line, id="beside")
        """Stands beside the panes, or above them."""
        board = Board(
            self.footer,
            TokenDisplay(TokenStyle.TABLE),  # as lessons write tokens
            navigator.pace,
            narration=self.beside,
            question=self._question,
            moment_shown=self._mark_strayed,
        )
        super().__init__(board, navigator)
        self._progress = ProgressSaver(walk) if navigator.saves else None
        self._is_passing = False
        self._offered: int | None = None
        """The page to resume at, from 0."""
        self._lesson_text = ""
        """The text that the lesson has put into the encode input."""

    def on_mount(self) -> None:
        """Show the first page, and offer to resume at one that was reached earlier."""
        self.board.arrange_panes(self.app.size)
        self.show_page()
        if self._progress is not None and self._progress.can_resume:
            self._offered = self._progress.furthest
            message = _("Press {resume} to resume at page {page} of {pages}.")
            pages = number(len(self.walk.lesson.pages))
            self.board.show_notice(
                message.format(page=number(self._offered + 1), pages=pages, resume=RESUME.first_key), "▸"
            )
            self.board.refresh_keys()

    # -- pages ------------------------------------------------------------------------------------------------

    def show_page(self) -> None:
        """Show the walk's page, and the moment that it means."""
        walk, board = self.walk, self.board
        session = Session.of(walk.corpus, walk.trainer)
        session.selected, session.token, session.unknown = walk.selected, walk.selected_token, walk.visit.unknown
        board.offered_panes = PANE_IDS if walk.visit.panes is None else walk.visit.panes
        board.show_session(session)
        text = walk.visit.text
        if text is not None or session.text == self._lesson_text:
            self._lesson_text = session.text = text or ""
            board.encode_line.take_text()
        if session.selected is not None:
            board.pairs.point_to(session.selected)
        board.about = pane_of(walk.page.commands) or ("pairs" if self._asks_next else board.about)
        self.narration.show_page()
        board.arrange_panes()
        board.refresh_moment()

    def turn_to(self, page: int) -> None:
        """Show a page by its place, from 0."""
        if not 0 <= page < len(self.walk.lesson.pages):
            message = _("This is the first page.")
            if page > 0:
                message = _("This is the last page; enter opens the next lesson.")
                if self.following is None:
                    message = _("This is the last page; {lessons} lists the lessons.").format(
                        lessons=first_key("lessons")
                    )
            self.board.show_notice(message, "▸")
            return
        self.board.stop()
        self._offered = None
        self.walk.goto(page)
        self._save_progress()
        self.show_page()

    def action_next_page(self) -> None:
        """Next page."""
        self.turn_to(self.walk.position + 1)

    def action_page_before(self) -> None:
        """Page before."""
        self.turn_to(self.walk.position - 1)

    def action_next_lesson(self) -> None:
        """The lesson after this one; after the last, the list of all."""
        if self.following is None:
            self.action_lessons()
        else:
            self.board.stop()
            self.open_lesson(self.following)

    def _ending(self) -> Iterable[Widget]:
        """What is below the last page."""
        walk = self.walk
        progress = self._progress.progress if self._progress is not None else LessonProgress()
        return ending(progress.with_walk(walk).tally(walk.lesson), self.following)

    def action_return(self) -> None:
        """Back to where the lesson is."""
        if self.walk.strayed:
            self.turn_to(self.walk.position)
        self.action_narration()

    def action_resume(self) -> None:
        """Go on at the page that was reached earlier."""
        if self._offered is None or self._progress is None:
            self.board.warn(_("There is no page to resume at; you are as far as you were."))
            return
        self._progress.resume()
        self.turn_to(self.walk.position)

    def _save_progress(self) -> None:
        """Remember how far the learner is now."""
        if self._progress is not None and (sentence := self._progress.save()):
            self.board.warn(sentence)

    # -- questions --------------------------------------------------------------------------------------------

    @property
    def _asks_next(self) -> bool:
        """Is the open question of this page which pair is merged next?"""
        question = self.walk.page.question
        return self.walk.is_asking and question is not None and isinstance(question.subject, NextSubject)

    def _question(self, session: Session) -> LessonQuestion | None:
        """The mode of this moment, if the lesson withholds something of it."""
        if self.walk.strayed or not self.walk.withheld:
            return None
        return LessonQuestion(self.board, session, self.walk, self.give_answer)

    def give_answer(self, answer: str) -> None:
        """Judge an answer, and show what came of it and what proves it."""
        if self.walk.answer(answer) is None:
            return
        self._save_progress()
        session = self.board.session
        if not self.walk.is_asking and session is not None and not self.walk.strayed:
            self.board.back_to_leader()
            session.selected, session.token = self.walk.selected, self.walk.selected_token
        self.board.focus_pane(NARRATION)
        self.narration.show_again(to_end=True)
        self.board.refresh_moment()
        if session is not None and session.selected is not None:
            self.board.pairs.point_to(session.selected)

    @on(Narration.Typing)
    def _type(self) -> None:
        """On a page that asks, typing goes straight into the answer."""
        if self.focused is self.narration and self.narration.field is not None:
            self.set_focus(self.narration.field)

    @on(Narration.Answered)
    def _answer(self, event: Narration.Answered) -> None:
        self.give_answer(event.answer)

    @on(Narration.Scrolled)
    def _scroll(self) -> None:
        """Enter reads on, or does not."""
        self.board.refresh_keys()

    def action_answer(self) -> None:
        """Read on, answer with the marked choice, type a free answer, or turn the page."""
        narration = self.narration
        if self.board.focused_pane == NARRATION and narration.has_more:
            narration.action_page_down()
        elif narration.is_ending:
            self.action_next_lesson()
        elif not narration.is_asking:
            self.action_next_page()
        elif narration.field is not None:
            self.set_focus(narration.field)
        else:
            narration.choose(narration.cursor)

    def action_choice(self, place: int) -> None:
        """Answer with a choice by its place."""
        self.narration.choose(place)

    def action_hint(self) -> None:
        """Show the hint."""
        question = self.walk.page.question
        if question is None or not question.hint or not self.narration.is_asking:
            self.board.show_notice(_("There is no hint here."), "▸")
            return
        self.narration.show_hint()

    def action_notes(self) -> None:
        """Show the presenter's notes, or hide them."""
        self.narration.shows_notes = not self.narration.shows_notes
        if not self.walk.page.notes:
            message = _("Notes are shown from now on; this page has none.") if self.narration.shows_notes else ""
            self.board.show_notice(message or _("Notes are hidden."), "▸")
        self.narration.show_again()

    # -- coming and going -------------------------------------------------------------------------------------

    def action_narration(self) -> None:
        """To the narration."""
        self.board.action_go_pane(0)

    @on(PaneLink.Pressed)
    def _follow_link(self, event: PaneLink.Pressed) -> None:
        self.board.focus_pane(event.pane)

    def action_leave(self) -> None:
        """Leave whatever is in the way; at last, to the narration."""
        if self.narration.field is not None and self.focused is self.narration.field:
            self.action_narration()
        elif self.focused is not self.narration or self.board.is_zoomed or self.board.is_moving:
            super().action_leave()

    def action_leave_lesson(self) -> None:
        """To free training: the screen below, or one at this moment."""
        self.board.stop()
        self.navigator.leave_lesson(self.board.session)

    def action_open(self) -> None:
        """Choose another corpus."""
        self.board.stop()
        self.ask_corpus(self._open)

    @on(PathPasted)
    def _offer_path(self, event: PathPasted) -> None:
        self.board.stop()
        self.ask_corpus(self._open, _("A path was pasted. Enter opens it."), event.text)

    def take_text(self, name: str, text: str) -> None:
        """A text came from the learner's browser: open it."""
        self.board.stop()
        self._open(Request(text=text, title=name))

    def _open(self, request: Request | None) -> None:
        """The lesson is left for another corpus, if that can be opened."""
        if request is None:
            return
        try:
            request = request.with_session()
            if not request.is_tokenizer:
                request.find()
        except BpeError as error:
            self.board.warn(str(error))
        else:
            self.navigator.leave_lesson(None, request)

    # -- what is shown ----------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def passing(self) -> Iterator[None]:
        """Meanwhile merges pass by themselves, so nobody has wandered off."""
        self._is_passing = True
        try:
            yield
        finally:
            self._is_passing = False

    def _mark_strayed(self) -> None:
        self.strayed_line.display = self.walk.strayed and not self._is_passing

    def footer(self) -> Sequence[Action]:
        """The keys that matter now."""
        page = self.walk.page
        if self.narration.field is not None and self.focused is self.narration.field:
            return TYPING
        return footer(
            narrating=self.board.focused_pane == NARRATION,
            strayed=self.walk.strayed,
            reading=self.narration.has_more,
            asking=self.narration.is_asking,
            ending=self.narration.is_ending,
            has_next=self.following is not None,
            has_hint=page.question is not None and bool(page.question.hint),
            has_notes=bool(page.notes),
            offered=self._offered is not None,
        )


def _following(walk: Walk) -> LessonEntry | None:
    entry = entry_of(walk.lesson.path)
    return None if entry is None else following(entry)
