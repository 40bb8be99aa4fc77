"""The encode screen: type a text, and see how it falls into the tokens learned at the moment shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bpe_tui.core.language import _, mark, plural
from bpe_tui.core.presets import UNKNOWN_POLICIES
from bpe_tui.core.reading import Reading, read
from bpe_tui.core.replay import Replay, replay
from bpe_tui.ui.content import safe
from bpe_tui.ui.player import Player
from bpe_tui.ui.screens.dialog import ask
from bpe_tui.ui.screens.encode_actions import EXPLANATIONS, INTRODUCTION
from bpe_tui.ui.screens.encode_view import PANE_IDS, EncodeView
from bpe_tui.ui.slices import Slices
from bpe_tui.ui.widgets.timeline import Button, Timeline
from bpe_tui.ui.widgets.token_chips import TokenChips
from bpe_tui.ui.widgets.verbatim_area import VerbatimArea

if TYPE_CHECKING:
    from bpe_tui.core.errors import BpeError
    from bpe_tui.ui.session import Session
    from bpe_tui.ui.widgets.policy_list import PolicyList
    from bpe_tui.ui.widgets.replay import ReplayList

LONGEST_REPLAYED: Final = 3_000
"""Characters of the longest word that is replayed: beyond them, each merge has too many places to look at."""
LONG_TEXT: Final = 20_000
"""Characters beyond which a text's tokens are certain to come later than the text."""
UNREAD: Final = mark("encoding…")


class EncodeScreen(EncodeView):
    """Live tokens, the replay of the merges that made them, and what is missing for one token a word."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._reader: Slices[Reading] = Slices(self, self._read, self._refused)
        self._replayer: Slices[Replay] = Slices(self, self._replayed)
        self._replayed_word: object = None
        self._film = Player(self, session.trainer, lambda: None)
        """Plays the replay."""

    def on_mount(self) -> None:
        """Start with what stands in the input of the train screen."""
        self.area.load_raw(self.session.text)
        self.show_moment()

    def on_unmount(self) -> None:
        """Leave nothing running."""
        self.player.halt()
        self._film.halt()
        self._reader.drop()
        self._replayer.drop()

    # -- reading and replaying --------------------------------------------------------------------------------

    def show_moment(self) -> None:
        """The training stands at another merge: read the text again."""
        self.show_figures()
        self.read_again()

    def read_again(self) -> None:
        """Tokenize the text as it is now, at the moment shown."""
        self._replayer.drop()
        text = self.session.text
        is_long = len(text) > LONG_TEXT
        if is_long:
            self.show_unread(_(UNREAD))
        self._reader.run(read(self.session.encoder, text, self.policy), at_once=not is_long)
        if self._reader.is_running and not is_long:
            self.show_unread(_(UNREAD))

    def _read(self, reading: Reading) -> None:
        self.reading = reading
        self._replayed_word = None
        self.place = min(self.place, max(0, len(reading.text) - 1))
        self.show_reading()
        self.replay_again()

    def _refused(self, error: BpeError) -> None:
        """The words cannot be found."""
        self.show_unread(_("not encoded"))
        self.app.notify(safe(str(error)), severity="warning", markup=False)

    def replay_again(self) -> None:
        """Trace the word looked at, or the whole text, if that isn't what is shown already."""
        reading, word = self.reading, self.word
        if reading is None:
            return
        wanted = (self.whole_text, None if self.whole_text else word)
        if wanted == self._replayed_word:
            return
        self._replayed_word = wanted
        self._film.halt()
        if word < 0:
            self._replayer.drop()
            self._replayed(None)
            return
        cut = reading.cut
        spans, times = cut.distinct() if self.whole_text else ([cut.spans[word]], [1])
        if max((len(span[0]) for span in spans), default=0) > LONGEST_REPLAYED:
            self._replayer.drop()
            self._replayed(None)
            return
        policy = "token" if self.policy == "error" else self.policy
        self._replayer.run(replay(self.session.encoder, cut.text, spans, times, policy))
        if self._replayer.is_running:
            self.replay_list.show_unread(_("replaying…"))

    def _replayed(self, made: Replay | None) -> None:
        self.row = 0 if made is None else len(made)
        reading, word = self.reading, self.word
        name = "" if self.whole_text or reading is None or word < 0 else reading.cut.spans[word][0][:200]
        self.replay_list.show(made, self.row, word=name, base_size=self.session.trainer.base_size)
        self.show_chips(made)
        self.show_why(made)

    # -- what panes say ---------------------------------------------------------------------------------------

    def on_text_area_changed(self, event: VerbatimArea.Changed) -> None:
        """Follow the typing."""
        event.stop()
        text = self.area.raw
        if text != self.session.text or self.reading is None:
            self.session.text = text
            self.place, self.nth = max(0, self.area.raw_offset - 1), 0
            self.read_again()

    def on_text_area_selection_changed(self, event: VerbatimArea.SelectionChanged) -> None:
        """Look at the word that the cursor is in."""
        event.stop()
        if self.area.has_focus and self.reading is not None and self.reading.text == self.session.text:
            self._look(max(0, self.area.raw_offset - 1))

    def on_token_chips_token_pointed(self, event: TokenChips.TokenPointed) -> None:
        """Look at another token."""
        event.stop()
        cut = self.chips.cut
        if event.index < len(cut) and not self._unread:  # the text may have changed since
            self._look(cut.token(event.index).start, cut.nth(event.index))

    def _look(self, place: int, nth: int = 0) -> None:
        if (place, nth) != (self.place, self.nth):
            self.place, self.nth = place, nth
            self.replay_again()
            self.show_chips(self.replay_list.replay)
            self.show_facts(self.replay_list.replay)

    def on_virtual_table_pointed(self, event: ReplayList.Pointed) -> None:
        """The replay stands at another merge."""
        event.stop()
        if event.table is self.replay_list:
            self.row = event.index
            self.show_chips(self.replay_list.replay)
            self.show_why(self.replay_list.replay)

    def on_policy_list_policy_chosen(self, event: PolicyList.PolicyChosen) -> None:
        """Treat unknown symbols another way."""
        event.stop()
        self.policy = event.policy
        self.read_again()

    def on_timeline_moved(self, event: Timeline.Moved) -> None:
        """Go to another moment of training."""
        event.stop()
        self.player.go(event.position)

    def on_timeline_pressed(self, event: Timeline.Pressed) -> None:
        """The buttons move through training."""
        event.stop()
        if event.button is Button.PLAY:
            self.player.play(self._learn_one)
            self.show_figures()
        else:
            self.action_moment(1 if event.button is Button.FORWARD else -1)

    def _learn_one(self) -> bool:
        """One merge of training while playing; False at the target or where no pair is left."""
        trainer = self.session.trainer
        return trainer.step() is not None and trainer.stop is None

    # -- stepping through the replay --------------------------------------------------------------------------

    def action_replay(self, merges: int) -> None:
        """Some merges forward or back."""
        self._film.halt()
        self.replay_list.step(merges)

    def action_replay_to(self, end: bool) -> None:
        """To the end or the start."""
        made = len(self.replay_list.replay or ())
        self.action_replay(made if end else -made)

    def action_play(self) -> None:
        """Play or pause; from the start if the end is reached."""
        made = self.replay_list.replay
        if made is None:
            return
        if not self._film.is_playing and self.row >= len(made):
            self.replay_list.step(-len(made))
        self._film.play(self._play_one)

    def _play_one(self) -> bool:
        """One merge while playing; False at the end."""
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

    # -- training, policies, ids ------------------------------------------------------------------------------

    def action_moment(self, by: int) -> None:
        """One merge of training forward or back."""
        self.player.go(max(0, self.session.trainer.position + by))

    def action_go_to(self) -> None:
        """Ask for the number of a merge."""
        from bpe_tui.ui.screens.go_to import GoToDialog

        trainer = self.session.trainer
        ask(self, GoToDialog(trainer.position, max(trainer.target, len(trainer.steps))), self._gone_to)

    def _gone_to(self, number: int | None) -> None:
        if number is not None:
            self.player.go(number)

    def action_policy(self) -> None:
        """The next unknown policy."""
        self.policy = UNKNOWN_POLICIES[(UNKNOWN_POLICIES.index(self.policy) + 1) % len(UNKNOWN_POLICIES)]
        self.read_again()

    def action_open(self) -> None:
        """Choose a file to encode."""
        from bpe_tui.ui.screens.open_text import OpenTextScreen

        ask(self, OpenTextScreen(), self._opened)

    def _opened(self, text: str | None) -> None:
        if text is not None:
            self.area.load_raw(text)

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
        self.action_go_pane((PANE_IDS.index(self._chosen) + by) % len(PANE_IDS) + 1)

    def action_go_pane(self, number: int) -> None:
        """To a pane by its number."""
        self.focus_pane(PANE_IDS[number - 1])

    def action_zoom(self) -> None:
        """The focused pane alone, or all again."""
        self._zoomed = not self._zoomed
        self.arrange_panes()

    def action_help(self) -> None:
        """Explain this screen."""
        from bpe_tui.ui.screens.help import HelpScreen

        ask(self, HelpScreen(self.ACTIONS, INTRODUCTION, EXPLANATIONS), self._help_chose)

    async def _help_chose(self, action: str | None) -> None:
        if action is not None:
            await self.run_action(action)

    def action_leave(self) -> None:
        """Leave what is in the way: a run, the zoom, the text, and last the screen."""
        if self.player.halt() or self._film.halt():
            self.show_figures()
        elif self._zoomed:
            self.action_zoom()
        elif self.focused is self.area:
            self.focus_pane("tokens")
        else:
            self.dismiss(None)
