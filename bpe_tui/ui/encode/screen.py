"""The encode screen: type a text, and see how it falls into the tokens learned at the moment shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpe_tui.core.i18n import _, plural
from bpe_tui.core.options import UNKNOWN_POLICIES
from bpe_tui.core.runtime import policy
from bpe_tui.ui.board.timeline import Button, Timeline
from bpe_tui.ui.dialogs.dialog import ask
from bpe_tui.ui.dialogs.save import FileWriter
from bpe_tui.ui.encode.actions import EXPLANATIONS, INTRODUCTION
from bpe_tui.ui.encode.arrangement import STOPS
from bpe_tui.ui.encode.reading import EncodeReading
from bpe_tui.ui.messages import MomentSelected
from bpe_tui.ui.player import Player
from bpe_tui.ui.text import safe

if TYPE_CHECKING:
    from bpe_tui.ui.session.tokenizer import EncodeSession


class EncodeScreen(EncodeReading):
    """Live tokens, the replay of the merges that made them, and what is missing for one token a word."""

    def __init__(self, session: EncodeSession) -> None:
        super().__init__(session)
        self._film = Player(self, session.moments, lambda: None)
        """Plays the replay."""
        self._writer = FileWriter(self, self._tell, self._complain)

    def on_unmount(self) -> None:
        """Leave nothing running."""
        self.player.halt()
        self._film.halt()

    def stop_playing(self) -> None:
        """Another word is replayed."""
        self._film.halt()

    # -- stepping: through the replay, or through training ------------------------------------------------------

    @property
    def steps_training(self) -> bool:
        """Do the keys move through training? On the timeline, and where there is no text to replay."""
        return self.focused is self.timeline or not self.session.text

    def action_step(self, merges: int) -> None:
        """Some merges forward or back."""
        if self.steps_training:
            self.action_moment(merges)
        else:
            self._film.halt()
            self.replay_list.step(merges)

    def action_step_to(self, end: bool) -> None:
        """To the end or the start."""
        if self.steps_training:
            self.player.go(None if end else 0)
        else:
            made = len(self.replay_list.replay or ())
            self.action_step(made if end else -made)

    def action_play(self) -> None:
        """Play or pause; from the start if the end is reached."""
        made = self.replay_list.replay
        if self.steps_training:
            self._play_training()
        elif made is not None:
            if not self._film.is_playing and self.row >= len(made):
                self.replay_list.step(-len(made))
            self._film.play(self._play_one)

    def _play_one(self) -> bool:
        """One merge of the replay while playing; False at the end."""
        self.replay_list.step(1)
        return self.replay_list.cursor < len(self.replay_list.replay or ())

    def action_speed(self, by: int) -> None:
        """Play faster or slower."""
        for player in (self._film, self.player):
            player.change_speed(by)

    def action_scope(self) -> None:
        """One word or the whole text."""
        self.whole_text = not self.whole_text
        self.replay_again()

    # -- training ---------------------------------------------------------------------------------------------

    def action_moment(self, by: int) -> None:
        """Some merges of training forward or back."""
        self.player.go(max(0, self.session.moments.position + by))

    def _play_training(self) -> None:
        self.player.play(self._learn_one)
        self.show_figures()

    def _learn_one(self) -> bool:
        """One merge of training while playing; False at the target or where no pair is left."""
        moments = self.session.moments
        before = moments.position
        moments.goto(before + 1)
        return moments.position not in (before, moments.target)

    def on_moment_selected(self, event: MomentSelected) -> None:
        """Go to another moment of training."""
        event.stop()
        self.player.go(event.number)

    def on_timeline_pressed(self, event: Timeline.Pressed) -> None:
        """The buttons move through training."""
        event.stop()
        if event.button is Button.PLAY:
            self._play_training()
        else:
            self.action_moment(1 if event.button is Button.FORWARD else -1)

    def action_go_to(self) -> None:
        """Ask for the number of a merge."""
        from bpe_tui.ui.dialogs.go_to import GoToDialog

        moments = self.session.moments
        ask(self, GoToDialog(moments.position, max(moments.target, moments.known)), self._gone_to)

    def _gone_to(self, number: int | None) -> None:
        if number is not None:
            self.player.go(number)

    # -- policies, special tokens, ids, files --------------------------------------------------------------------

    def action_policy(self) -> None:
        """The next unknown policy."""
        self.policy = UNKNOWN_POLICIES[(UNKNOWN_POLICIES.index(self.policy) + 1) % len(UNKNOWN_POLICIES)]
        self.read_again()

    def action_special(self) -> None:
        """Special tokens in the text: plain text, or themselves."""
        self.allow_special = not self.allow_special
        self.read_again()
        told = (
            _("Special tokens in the text are themselves.") if self.allow_special else _("They are plain text again.")
        )
        self.app.notify(told, markup=False, timeout=3)

    def action_open(self) -> None:
        """Choose a file to encode."""
        if not policy().reaches_files:
            self.focus_pane("text")
            self.app.notify(_("Paste a text here, or give the page a file."), markup=False)
            return
        from bpe_tui.ui.dialogs.open_text import OpenTextScreen

        ask(self, OpenTextScreen(), self._opened)

    def _opened(self, text: str | None) -> None:
        if text is not None:
            self.area.load_raw(text)

    def take_text(self, name: str, text: str) -> None:
        """A text came from the learner's browser: encode it."""
        self._opened(text)

    def action_write(self) -> None:
        """Choose what to write, and where."""
        self.player.halt()
        self._film.halt()
        self._writer.ask(self.session)

    def _tell(self, sentence: str) -> None:
        self.app.notify(safe(sentence), markup=False, timeout=6)

    def _complain(self, sentence: str) -> None:
        self.app.notify(safe(sentence), severity="warning", markup=False, timeout=6)

    def action_copy_ids(self) -> None:
        """All ids, with blanks between them, as `bpe-tui decode` takes them."""
        if self.reading is None or not len(self.reading.cut):
            return
        cut = self.reading.cut
        ids = [token.id for kind in cut.kinds for token in cut.shapes[kind]]
        known = [str(one) for one in ids if one is not None]
        self.app.copy_to_clipboard(" ".join(known))
        left_out = len(ids) - len(known)
        copied = plural("{count} id copied", "{count} ids copied", len(known))
        told = f"{copied}."
        if left_out:
            told = plural(
                "{copied}; {count} unknown without an id left out.",
                "{copied}; {count} unknown without an id left out.",
                left_out,
                copied=copied,
            )
        self.app.notify(told, markup=False, timeout=3)

    # -- moving around ----------------------------------------------------------------------------------------

    def action_encode(self) -> None:
        """To the text."""
        self.focus_pane("text")

    def action_pane(self, by: int) -> None:
        """To the next pane or the one before."""
        here = "timeline" if self.focused is self.timeline else self._chosen
        self.action_go_pane((STOPS.index(here) + by) % len(STOPS) + 1)

    def action_go_pane(self, number: int) -> None:
        """To a pane, or the timeline, by its number."""
        self.focus_pane(STOPS[number - 1])

    def action_zoom(self) -> None:
        """The focused pane alone, or all again."""
        self._zoomed = not self._zoomed
        self.arrange_panes()

    def action_help(self) -> None:
        """Explain this screen."""
        from bpe_tui.ui.dialogs.help import HelpScreen

        ask(self, HelpScreen(self.ACTIONS, INTRODUCTION, EXPLANATIONS), self._help_chose)

    async def _help_chose(self, action: str | None) -> None:
        if action is not None:
            await self.run_action(action)

    async def action_leave(self) -> None:
        """Leave what is in the way: a run, the zoom, the text, and last the screen."""
        if self.player.halt() or self._film.halt():
            self.show_figures()
        elif self._zoomed:
            self.action_zoom()
        elif self.focused is self.area:
            self.focus_pane("tokens")
        elif len(self.app.screen_stack) > 1:
            self.dismiss(None)
        else:  # the program was opened on a tokenizer
            await self.app.run_action("to_training")
