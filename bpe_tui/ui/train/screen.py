"""The train screen: every key of the table of actions, and what the panes ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.widgets import Input

from bpe_tui.core.errors import BpeError
from bpe_tui.core.i18n import _
from bpe_tui.ui.board.arrangement import PANE_IDS
from bpe_tui.ui.dialogs.dialog import ask
from bpe_tui.ui.train.train_kept import TrainKept
from bpe_tui.ui.train.train_turn import TrainTurn

if TYPE_CHECKING:
    from bpe_tui.lessons.library import LessonEntry
    from bpe_tui.lessons.walk import Walk
    from bpe_tui.ui.messages import TokenSelected


class TrainScreen(TrainTurn, TrainKept):
    """Step through training, forward and back; open corpora, ask, move between panes."""

    # -- dialogs and screens ----------------------------------------------------------------------------------

    def action_go_to(self) -> None:
        """Ask for the number of a merge."""
        from bpe_tui.ui.dialogs.go_to import GoToDialog

        if self.session is not None:
            trainer = self.session.trainer
            ask(self, GoToDialog(trainer.position, max(trainer.target, len(trainer.steps))), self._gone_to)

    def _gone_to(self, number: int | None) -> None:
        if number is not None:
            self.go(number)

    def action_ties(self) -> None:
        """Show who would win under each tie rule."""
        from bpe_tui.ui.dialogs.ties import TiesDialog

        if self.session is not None and not self.refuses(
            _("Who wins under each tie rule would give the answer away. Guess first, or leave with y.")
        ):
            self._stop_moving()
            ask(self, TiesDialog(self.session), self._ties_chosen)

    def _ties_chosen(self, chosen: tuple[str, bool] | None) -> None:
        if chosen is None or self.session is None or self.player is None:
            return
        rule, from_start = chosen
        position = self.session.trainer.position
        if from_start:
            self.session.trainer.goto(0)
        self.session.set_ties(rule)
        self.back_to_leader()
        self.player.go(position)

    def on_token_selected(self, event: TokenSelected) -> None:
        """Show where a token came from."""
        from bpe_tui.ui.dialogs.token import TokenDialog

        if self.session is not None and event.token < self.session.trainer.vocab_size:
            self._stop_moving()
            ask(self, TokenDialog(self.session, event.token), self._gone_to)

    def action_lessons(self) -> None:
        """Choose a lesson."""
        from bpe_tui.ui.lesson.chooser import LessonsScreen

        self._stop_moving()
        ask(self, LessonsScreen(), self._lesson_chosen)

    def _lesson_chosen(self, entry: LessonEntry | None) -> None:
        if entry is not None:
            from bpe_tui.lessons.reading import read_lesson
            from bpe_tui.lessons.walk import Walk

            try:
                self.open_lesson(Walk(read_lesson(entry.file)))
            except BpeError as error:
                self.complain(str(error))

    def open_lesson(self, walk: Walk) -> None:
        """Show a lesson above this screen."""
        from bpe_tui.ui.lesson.screen import LessonScreen

        self.app.push_screen(LessonScreen(walk))

    def action_help(self) -> None:
        """Explain this screen."""
        from bpe_tui.ui.dialogs.help import EXPLANATIONS, INTRODUCTION, HelpScreen

        ask(self, HelpScreen(self.ACTIONS, INTRODUCTION, EXPLANATIONS), self._help_chose)

    async def _help_chose(self, action: str | None) -> None:
        if action is not None:
            await self.run_action(action)

    # -- moving around ----------------------------------------------------------------------------------------

    def action_encode(self) -> None:
        """To the encode input."""
        self._end_filter(keep=True)
        self.set_focus(self.encode_line.input)

    def action_encode_screen(self) -> None:
        """The text, its tokens and the merges that make them, on a screen of their own."""
        from bpe_tui.ui.encode.screen import EncodeScreen

        if self.session is None:
            self.show_tokenizer()
        elif not self.refuses(_("The encode screen would give the answer away. Guess first, or leave with y.")):
            self._stop_moving()
            ask(self, EncodeScreen(self.session), self._encoded)

    def _encoded(self, result: None) -> None:
        self.encode_line.take_text()
        self.show_moment()

    def action_pane(self, by: int) -> None:
        """To the next pane or the one before."""
        self.action_go_pane((self.pane_number + by) % len(PANE_IDS) + 1)

    def action_go_pane(self, number: int) -> None:
        """To a pane by its number."""
        self._end_filter(keep=True)
        self.focus_pane(PANE_IDS[number - 1])

    def action_zoom(self) -> None:
        """The focused pane alone, or all again."""
        self._zoomed = not self._zoomed
        self.arrange_panes()

    def action_filter(self) -> None:
        """Filter the focused list."""
        table = self.focused_table
        if table is not None and self.session is not None:
            self.filter_line.name_list(_(table.list_title))
            with self.prevent(Input.Changed):
                self.filter_line.input.value = table.filter_text
            self.add_class("-filtering")
            self.call_after_refresh(self.set_focus, self.filter_line.input)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Filter while typing."""
        if event.input is self.filter_line.input and (table := self.focused_table) is not None:
            table.filter_text = event.value

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter keeps the filter; in the encode pane it opens the encode screen."""
        if event.input is self.encode_line.input:
            self.action_encode_screen()
        else:
            self._end_filter(keep=True)
            self.focus_pane(self._pane)

    def _end_filter(self, *, keep: bool) -> None:
        if self.has_class("-filtering"):
            self.remove_class("-filtering")
        if not keep and (table := self.focused_table) is not None:
            table.filter_text = ""

    def action_leave(self) -> None:
        """Leave whatever is in the way: an input, a run, a filter, a zoom, a pair looked at."""
        table = self.focused_table
        if self._job is not None:
            self._job.cancel()
        elif self.player is not None and self.player.halt():
            self.show_moment()
        elif self.has_class("-filtering"):
            self._end_filter(keep=False)
            self.focus_pane(self._pane)
        elif self.focused is self.encode_line.input:
            self.focus_pane(self._pane)
        elif table is not None and table.filter_text:
            table.filter_text = ""
        elif self.leave_turn():
            pass
        elif self._zoomed:
            self.action_zoom()
        else:
            self.back_to_leader()
            self.show_moment()
