"""The lesson screen: the train screen, its panes and keys, with a narration beside them that drives it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual.containers import Container
from textual.content import Content
from textual.getters import query_one
from textual.widgets import Static

from bpe_tui.core.errors import BpeError
from bpe_tui.core.i18n import _, mark
from bpe_tui.ui.actions import Action, bindings
from bpe_tui.ui.board.arrangement import PANE_IDS, LessonArrangement, arrange_lesson
from bpe_tui.ui.dialogs.dialog import ask
from bpe_tui.ui.lesson.actions import ALL, LESSON_ACTIONS, footer
from bpe_tui.ui.lesson.lesson_kept import LessonKept
from bpe_tui.ui.lesson.narration import Narration
from bpe_tui.ui.lesson.shown_blocks import PaneLink, pane_of
from bpe_tui.ui.session.training import Session

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.geometry import Size

    from bpe_tui.lessons.walk import Walk
    from bpe_tui.ui.session.request import Request

INTRODUCTION: Final = mark(
    "The narration tells, → and ← turn its pages, and the panes show live what it tells of. Every key of training "
    "works as well: look around as you like, l brings you back to where the lesson is."
)


class Strayed(Static):
    """Says that the learner went elsewhere, and how to come back; a click does."""

    ALLOW_SELECT = False

    async def on_click(self) -> None:
        """Back to the lesson."""
        await self.run_action("screen.return")


class LessonScreen(LessonKept):
    """Read, look, answer, turn the page."""

    CSS_PATH = "lesson.tcss"
    KEEPS = False
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(LESSON_ACTIONS)]
    ACTIONS: ClassVar[tuple[Action, ...]] = ALL
    AUTO_FOCUS = "#narration"

    body = query_one("#lesson-body", Container)
    told = query_one("#told", Container)
    narration = query_one("#narration", Narration)
    strayed_line = query_one("#strayed", Strayed)

    def __init__(self, walk: Walk) -> None:
        super().__init__(walk)
        self._pane = "narration"
        self._about = "pairs"
        self._laid_out: LessonArrangement | None = None
        self._put = ""
        """The text that the lesson has put into the encode input."""

    def compose_panes(self) -> ComposeResult:
        """The narration and the panes."""
        with Container(id="lesson-body"):
            with Container(id="told"):
                yield Narration(self.walk, id="narration")
                yield Strayed(Content(_("↩ You wandered off: l brings you back.")), id="strayed")
            yield from super().compose_panes()

    def on_mount(self) -> None:
        """Show the first page, and offer to go on at one that was reached earlier."""
        self.show_page()
        self.offer_progress()

    # -- pages ------------------------------------------------------------------------------------------------

    def show_page(self) -> None:
        """Show the page where the walk stands, and the moment that it means."""
        walk = self.walk
        session = Session.of(walk.corpus, walk.trainer)
        session.selected, session.unknown = walk.selected, walk.visit.unknown
        self.show_session(session)
        text = walk.visit.text
        if text is not None or session.text == self._put:
            self._put = session.text = text or ""
            self.encode_line.take_text()
        if session.selected is not None:
            self.pairs.point_to(session.selected)
        self._about = pane_of(walk.page.commands) or ("pairs" if self.asks_next else self._about)
        self.narration.show_page()
        self.arrange_panes()
        self.show_moment()

    def turn_to(self, page: int) -> None:
        """Show a page by its place, from 0."""
        if not 0 <= page < len(self.walk.lesson.pages):
            told = _("This is the last page; L lists the lessons.") if page > 0 else _("This is the first page.")
            self.tell(told, "▸")
            return
        self._stop_moving()
        self._offered = None
        self.walk.goto(page)
        self.keep_progress()
        self.show_page()

    def action_next_page(self) -> None:
        """Next page."""
        self.turn_to(self.walk.position + 1)

    def action_page_before(self) -> None:
        """Page before."""
        self.turn_to(self.walk.position - 1)

    def action_return(self) -> None:
        """Back to where the lesson is."""
        if self.walk.strayed:
            self.turn_to(self.walk.position)
        self.action_narration()

    # -- questions --------------------------------------------------------------------------------------------

    def give_answer(self, answer: str) -> None:
        """Judge an answer, and show what came of it."""
        if self.walk.answer(answer) is None:
            return
        self.keep_progress()
        if self.is_hiding:
            self.back_to_leader()
        self.focus_pane("narration")
        self.narration.show_again(to_end=True)
        self.show_moment()

    def on_narration_scrolled(self, event: Narration.Scrolled) -> None:
        """Enter reads on, or does not."""
        event.stop()
        self.keys.use_actions(self.footer())

    def on_narration_answered(self, event: Narration.Answered) -> None:
        """The learner answers."""
        event.stop()
        self.give_answer(event.answer)

    def action_answer(self) -> None:
        """Read on, answer with the marked choice, type a free answer, or turn the page."""
        narration = self.narration
        if self._pane == "narration" and narration.has_more:
            narration.action_page_down()
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
            self.tell(_("There is no hint here."), "▸")
            return
        self.narration.show_hint()

    def action_notes(self) -> None:
        """Show the presenter's notes, or hide them."""
        self.narration.shows_notes = not self.narration.shows_notes
        if not self.walk.page.notes:
            told = _("Notes are shown from now on; this page has none.") if self.narration.shows_notes else ""
            self.tell(told or _("Notes are hidden."), "▸")
        self.narration.show_again()

    # -- coming and going -------------------------------------------------------------------------------------

    def action_leave_lesson(self) -> None:
        """To free training: the screen below, or one at this moment."""
        from bpe_tui.ui.app import BpeApp

        self._stop_moving()
        assert isinstance(self.app, BpeApp)
        self.app.leave_lesson(self)

    def _opened(self, request: Request | None) -> None:
        """Another corpus: the lesson is left for it."""
        from bpe_tui.ui.app import BpeApp

        if request is None:
            return
        try:
            request = request.with_session()
            corpus, options = request.find()
        except BpeError as error:
            self.complain(str(error))
            return
        assert isinstance(self.app, BpeApp)
        self.app.leave_lesson(self, lambda screen: screen.load(corpus, options, request))

    def action_leave(self) -> None:
        """Leave whatever is in the way; at last, to the narration."""
        if self.narration.field is not None and self.focused is self.narration.field:
            self.action_narration()
        elif self._pane == "narration" and self.focused is self.narration and not self._zoomed:
            return
        else:
            super().action_leave()

    def open_lesson(self, walk: Walk) -> None:
        """Another lesson takes the place of this one, unless this is the first screen, which stays for good."""
        if len(self.app.screen_stack) > 1:
            self.app.switch_screen(LessonScreen(walk))
        else:
            self.app.push_screen(LessonScreen(walk))

    def action_help(self) -> None:
        """Explain this screen."""
        from bpe_tui.ui.dialogs.help import EXPLANATIONS, HelpScreen

        ask(self, HelpScreen(self.ACTIONS, INTRODUCTION, EXPLANATIONS), self._help_chose)

    # -- panes ------------------------------------------------------------------------------------------------

    def action_narration(self) -> None:
        """To the narration."""
        self.action_go_pane(0)

    def action_go_pane(self, number: int) -> None:
        """To a pane by its number; 0 is the narration."""
        if number:
            super().action_go_pane(number)
        else:
            self._end_filter(keep=True)
            self.focus_pane("narration")

    def action_pane(self, by: int) -> None:
        """To the next of narration and panes, or the one before."""
        here = 0 if self._pane == "narration" else self.pane_number + 1
        self.action_go_pane((here + by) % (len(PANE_IDS) + 1))

    def on_pane_link_pressed(self, event: PaneLink.Pressed) -> None:
        """To a pane that the narration tells of."""
        self.focus_pane(event.pane)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The narration is a pane, too; so is what stands in it."""
        if self.narration in event.widget.ancestors_with_self:
            self._pane = "narration"
        elif self._pane in PANE_IDS:
            self._about = self._pane
        self.keys.use_actions(self.footer())

    def arrange_panes(self, size: Size | None = None) -> None:
        """Narration and panes for the size, whatever has the focus in view."""
        wanted = arrange_lesson(*(size or self.size), self._pane, self._about, zoomed=self._zoomed)
        if wanted == self._laid_out:
            return
        self._laid_out = wanted
        beside = wanted.narration is not None
        self.told.display = wanted.is_told
        self.told.styles.width = wanted.narration if wanted.narration is not None else "1fr"
        self.body.set_class(not beside and wanted.is_told and wanted.panes is not None, "-stacked")
        self.panes.display = wanted.panes is not None
        if wanted.panes is not None:
            self.use_arrangement(wanted.panes)
        self.why.styles.height = wanted.why_height
        self.call_after_refresh(self.show_figures)

    # -- what is shown ----------------------------------------------------------------------------------------

    def show_figures(self) -> None:
        """Status, sentences, keys, and whether the learner went elsewhere."""
        super().show_figures()
        self.strayed_line.display = self.walk.strayed

    def footer(self) -> Sequence[Action]:
        """The keys that matter now; in a turn of the learner's own, those of the turn."""
        if self.turn is not None or (self.player is not None and self.player.is_moving):
            return super().footer()
        page = self.walk.page
        return footer(
            narrating=self._pane == "narration",
            strayed=self.walk.strayed,
            reading=self.narration.has_more,
            asking=self.narration.is_asking,
            has_hint=page.question is not None and bool(page.question.hint),
            has_notes=bool(page.notes),
            offered=self._offered is not None,
        )
