"""What the screens with a board share: the keys, the dialogs over it, and what is written from it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar, Final

from textual import events, on
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input, Static

from bpe_tui.core.errors import BpeError
from bpe_tui.core.i18n import _, mark, number
from bpe_tui.core.runtime import policy
from bpe_tui.ui.actions import first_key
from bpe_tui.ui.board.arrangement import MIN_HEIGHT, MIN_WIDTH
from bpe_tui.ui.dialogs.dialog import ask, is_on_top
from bpe_tui.ui.messages import PairHighlighted, PathPasted, TokenHighlighted
from bpe_tui.ui.session.request import Request
from bpe_tui.ui.typed_paths import path_in
from bpe_tui.ui.widgets.safe_input import SafeInput, line_ends

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult

    from bpe_tui.formats.continuing import Continuation
    from bpe_tui.lessons.library import LessonEntry
    from bpe_tui.ui.actions import Action
    from bpe_tui.ui.board.board import Board
    from bpe_tui.ui.navigator import Navigator
    from bpe_tui.ui.session.tokenizer import EncodeSession

TOO_SMALL: Final = mark("This terminal is too small.\nbpe-tui needs {width} × {height} cells.")
"""Said instead of everything else."""


class BoardScreen(Screen[None]):
    """A screen around a board: keys go to the board, whatever has the focus."""

    HORIZONTAL_BREAKPOINTS = [(0, "-slim"), (MIN_WIDTH, "-wide")]  # noqa: RUF012 (not a class variable to the library)
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (MIN_HEIGHT, "-high")]  # noqa: RUF012
    ACTIONS: ClassVar[tuple[Action, ...]] = ()
    """What can be done here; palette and help read it."""
    INTRODUCTION: ClassVar[str] = ""
    """What the screen is for, at the head of its help; translated there. Empty: what training is."""

    def __init__(self, board: Board, navigator: Navigator) -> None:
        # As it is in nearly every terminal: a class that is set later has all styles of the screen computed anew.
        super().__init__(classes="-wide -high")
        self.board = board
        self.navigator = navigator
        self._go_on: Callable[[], None] | None = None
        """Takes up the run that waits while the encode screen is in view."""

    def compose(self) -> ComposeResult:
        """The board, or where there is no room for it, what it needs."""
        yield self.board
        yield Static(Content(_(TOO_SMALL).format(width=MIN_WIDTH, height=MIN_HEIGHT)), id="too-small")

    def on_resize(self, event: events.Resize) -> None:
        """Arrange the panes for the new size."""
        self.board.arrange_panes(event.size)

    # -- keys -------------------------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """No action before its contents are there: a key that is typed at once comes earlier."""
        return super().check_action(action, parameters) if self.is_mounted else False

    async def action_board(self, action: str) -> None:
        """Let the board do an action."""
        await self.board.run_action(action)

    def on_key(self) -> None:
        """A notice has been read, and a motion seen."""
        self.board.end_motion()
        self.board.forget_notice()

    def on_mouse_down(self) -> None:
        """A notice has been read."""
        self.board.forget_notice()

    def action_leave(self) -> None:
        """Leave whatever is in the way."""
        self.board.leave()

    async def action_submit(self) -> None:
        """What enter does in the input that has the focus."""
        if isinstance(self.focused, Input):
            await self.focused.action_submit()

    @on(PairHighlighted)
    async def _look_at_pair(self, event: PairHighlighted) -> None:
        self.board.look_at_pair(event.pair)
        await in_one_repaint()

    @on(TokenHighlighted)
    async def _look_at_token(self, event: TokenHighlighted) -> None:
        self.board.look_at_token(event.token)
        await in_one_repaint()

    # -- dialogs and other screens ----------------------------------------------------------------------------

    def ask_corpus(
        self,
        then: Callable[[Request | None], object],
        reason: str = "",
        path: str = "",
        *,
        under: Continuation | None = None,
        is_under: bool = False,
    ) -> None:
        """Ask what to open, among files too unless those are out of reach; a lesson is opened at once.

        `reason` is a sentence (untrusted), `path` what the input holds to begin with, `under` a tokenizer that a corpus
        may be put under, which `is_under` suggests.
        """

        def chosen(what: Request | LessonEntry | None) -> None:
            if what is None or isinstance(what, Request):
                then(what)
            else:
                self.open_lesson(what)

        if policy().reaches_files:
            from bpe_tui.ui.dialogs.open import OpenScreen  # when it opens, as all dialogs

            ask(self, OpenScreen(reason, path, under=under, is_under=is_under), chosen)
            return
        from bpe_tui.ui.dialogs.open_served import OpenServedScreen  # not at the top: only served apps need its driver

        ask(self, OpenServedScreen(reason), then)

    def on_paste(self, event: events.Paste) -> None:
        """A text pasted where nothing is typed: a path is offered to be opened, any other text is encoded."""
        event.stop()
        text = line_ends(event.text)
        if policy().reaches_files and path_in(text) is not None:
            self.post_message(PathPasted(text))
        elif self.board.session is not None and text:
            self.board.action_encode()
            self.board.encode_line.input.post_message(events.Paste(text))

    @on(SafeInput.LinesPasted, "#encode-input")
    def _show_lines(self, event: SafeInput.LinesPasted) -> None:
        """Several lines have no room in one: the encode screen shows them all."""
        session = self.board.session
        if session is not None:
            session.text = event.value
            self.action_encode_screen()
            if not is_on_top(self):
                self.app.notify(_("Several lines were pasted: here they all are."), markup=False, timeout=5)
            else:
                self.board.encode_line.take_text()

    @on(Input.Submitted, "#encode-input")
    def _submit_text(self) -> None:
        self.action_encode_screen()

    def action_encode_screen(self) -> None:
        """The text, its tokens and the merges that make them, on a screen of their own."""
        session = self.board.session
        if session is not None and not self.board.refuses(
            _("The encode screen would give the answer away. Guess first, or leave with {turn}.").format(
                turn=first_key("turn")
            )
        ):
            if not is_on_top(self):
                return
            self._go_on = self.board.pause()
            self.show_encode_screen(session, self._leave_encode_screen)
            if self._go_on is not None:
                message = _("The run waits at merge {position}; it resumes when you come back.")
                position = number(session.trainer.position)
                self.app.notify(message.format(position=position), markup=False, timeout=5)

    def show_encode_screen(self, session: EncodeSession, then: Callable[[None], None]) -> None:
        """Show a session on the encode screen, unless something is above this screen."""
        if is_on_top(self):
            self.navigator.show_encode_screen(session, then)

    def _leave_encode_screen(self, result: None) -> None:
        self.board.encode_line.take_text()
        self.board.refresh_tokens()
        go_on, self._go_on = self._go_on, None
        if go_on is not None:
            go_on()

    def action_lessons(self) -> None:
        """Choose a lesson."""
        from bpe_tui.ui.dialogs.lessons import LessonsScreen  # not at the top: lessons take a fifth of the app's start

        self.board.stop()
        ask(self, LessonsScreen(saves=self.navigator.saves), self.open_lesson)

    def open_lesson(self, entry: LessonEntry | None) -> None:
        """Open a lesson, if one was chosen."""
        from bpe_tui.lessons.reading import read_bundled  # not at the top: see above
        from bpe_tui.lessons.walk import Walk

        if entry is not None:
            try:
                walk = Walk(read_bundled(entry.file))
            except BpeError as error:
                self.board.warn(str(error))
            else:
                self.navigator.open_lesson(walk)

    def action_write(self) -> None:
        """Choose what to write, and where."""
        self.write(self.board.session)

    def write(self, session: EncodeSession | None) -> None:
        """Ask what to write of a session, and where; nothing if none is open."""
        # With it come all the formats: a tenth of the time until the first paint.
        from bpe_tui.ui.dialogs.save import FileWriter

        self.board.stop()
        FileWriter(self, self.board.show_notice, self.board.warn).ask(session)

    def action_help(self) -> None:
        """Explain this screen."""
        from bpe_tui.ui.dialogs.help import EXPLANATIONS, INTRODUCTION, HelpScreen

        ask(self, HelpScreen(self.ACTIONS, self.INTRODUCTION or INTRODUCTION, EXPLANATIONS), self._do)

    async def _do(self, action: str | None) -> None:
        if action is not None:
            await self.run_action(action)


async def in_one_repaint() -> None:
    """Let the panes ask for their repaint before the screen continues, so that they share one with the pane that asked.

    Else the screen would repaint that pane alone at once and the others two frames later: the last byte of a `down`
    would come after 68 ms instead of 40.
    """
    await asyncio.sleep(0)
