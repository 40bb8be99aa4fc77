"""The encode screen at work: the text is read, its words are replayed, and panes say what is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bpe_tui.core.encoding.replay import Replay, replay
from bpe_tui.core.encoding.tokenized_text import Shape, TokenizedText, read
from bpe_tui.core.i18n import _, mark
from bpe_tui.ui.encode.replay import ReplayRows
from bpe_tui.ui.encode.view import LONGEST_REPLAYED, EncodeView
from bpe_tui.ui.tasks import Slices
from bpe_tui.ui.text import safe

if TYPE_CHECKING:
    from collections.abc import Hashable

    from bpe_tui.core.errors import BpeError
    from bpe_tui.ui.encode.replay import ReplayList
    from bpe_tui.ui.encode.token_chips import TokenChips
    from bpe_tui.ui.session.tokenizer import EncodeSession
    from bpe_tui.ui.widgets.verbatim_area import VerbatimArea

LONG_TEXT: Final = 20_000
"""Characters beyond which a text's tokens are certain to come later than the text."""
MOST_KEPT: Final = 50_000
"""Words that are kept from one key to the next."""
UNREAD: Final = mark("encoding…")


class EncodeReading(EncodeView):
    """Reads and replays in slices, so that keys are answered meanwhile."""

    def __init__(self, session: EncodeSession) -> None:
        super().__init__(session)
        self._reader: Slices[TokenizedText] = Slices(self, self._read, self._refused)
        self._replayer: Slices[Replay] = Slices(self, self._replayed)
        self._replayed_word: object = None
        self._kept: dict[Hashable, Shape] = {}
        """The words read with the merges and the policy of now."""

    def on_mount(self) -> None:
        """Start with the text that the session has."""
        self.area.load_raw(self.session.text)
        self.show_moment()
        for warning in self.session.warnings:
            self.app.notify(safe(warning), severity="warning", markup=False)

    def on_unmount(self) -> None:
        """Leave nothing running."""
        self._reader.drop()
        self._replayer.drop()

    # -- reading and replaying --------------------------------------------------------------------------------

    def show_moment(self) -> None:
        """Another moment is shown: read the text again."""
        self.show_figures()
        self.read_again()

    def read_again(self) -> None:
        """Tokenize the text anew: the moment is another one, or the policy."""
        self._kept = {}
        self._read_text()

    def _read_text(self) -> None:
        """Tokenize the text as it is now, at the moment shown."""
        self._replayer.drop()
        if len(self._kept) > MOST_KEPT:
            self._kept = {}
        text = self.session.text
        is_long = len(text) > LONG_TEXT
        if is_long:
            self.show_unread(_(UNREAD))
        work = read(self.session.encoder, text, self.policy, allow_special=self.allow_special, kept=self._kept)
        self._reader.run(work, at_once=not is_long)
        if self._reader.is_running and not is_long:
            self.show_unread(_(UNREAD))

    def _read(self, reading: TokenizedText) -> None:
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
        self.stop_playing()
        self.too_long = 0
        if word < 0:
            self._replayer.drop()
            self._replayed(None)
            return
        cut = reading.cut
        spans, times = cut.distinct() if self.whole_text else ([cut.spans[word]], [1])
        longest = max((len(span[0]) for span in spans), default=0)
        self.too_long = longest if longest > LONGEST_REPLAYED else 0
        if self.too_long:
            self._replayer.drop()
            self._replayed(None)
            return
        policy = "token" if self.policy == "error" else self.policy
        self._replayer.run(replay(self.session.encoder, spans, times, policy))
        if self._replayer.is_running:
            self.replay_list.show(ReplayRows(unread=_("replaying…")))

    def _replayed(self, made: Replay | None) -> None:
        self.row = 0 if made is None else len(made)
        reading, word = self.reading, self.word
        name = "" if self.whole_text or reading is None or word < 0 else reading.cut.spans[word][0][:200]
        self.replay_list.show(ReplayRows(made, word=name, base_size=self.session.moments.base_size))
        self.show_chips(made)
        self.show_why(made)

    def stop_playing(self) -> None:
        """Another word is replayed."""
        raise NotImplementedError

    # -- what panes say ---------------------------------------------------------------------------------------

    def on_text_area_changed(self, event: VerbatimArea.Changed) -> None:
        """Follow the typing."""
        event.stop()
        text = self.area.raw
        if text != self.session.text or self.reading is None:
            self.session.text = text
            self.place, self.nth = max(0, self.area.raw_offset - 1), 0
            self._read_text()

    def on_text_area_selection_changed(self, event: VerbatimArea.SelectionChanged) -> None:
        """Look at the word that the cursor is in."""
        event.stop()
        if self.area.has_focus and self.reading is not None and self.reading.text == self.session.text:
            self._look(max(0, self.area.raw_offset - 1))

    def on_token_chips_chip_highlighted(self, event: TokenChips.ChipHighlighted) -> None:
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

    def on_virtual_list_highlighted(self, event: ReplayList.Highlighted) -> None:
        """The replay stands at another merge."""
        event.stop()
        if event.view is self.replay_list:
            self.row = event.index
            self.show_chips(self.replay_list.replay)
            self.show_why(self.replay_list.replay)

    def on_virtual_list_selected(self, event: ReplayList.Selected) -> None:
        """Treat unknown symbols another way."""
        event.stop()
        if event.view is self.policies and event.row is not None:
            self.policy = event.row.result.policy
            self.read_again()
