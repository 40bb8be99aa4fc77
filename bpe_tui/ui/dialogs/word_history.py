"""A word of the corpus: how it came to be split as it is, merge by merge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from rich.segment import Segment
from textual import on

from bpe_tui.core.display import clip
from bpe_tui.core.encoding.replay import WordReplay
from bpe_tui.core.i18n import _, mark, number, plural
from bpe_tui.ui.actions import Action, Group, bindings
from bpe_tui.ui.dialogs.dialog import CANCEL, Dialog
from bpe_tui.ui.text import SEPARATOR, cells, tone_of
from bpe_tui.ui.widgets.columns import left
from bpe_tui.ui.widgets.virtual_list import RowSource, VirtualList

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from bpe_tui.core.encoding.encoder import Token
    from bpe_tui.ui.session.training import Session

LONGEST = 2_000
"""Characters of a word beyond which its history is not made."""
LONGEST_NAMED = 120
"""Characters of it that the title looks at, for half as many cells."""


@dataclass(frozen=True, slots=True)
class SplitRow:
    """The word after one of its merges, or before all of them."""

    merge: int
    """Number of the merge, from 1; 0 before all."""
    tokens: tuple[Token, ...]
    made: frozenset[int]
    """Places of the tokens that the merge made."""


class SplitRows(RowSource[SplitRow]):
    """The splits of a word from its symbols to the moment shown."""

    def __init__(self, session: Session, word: int) -> None:
        """`word` is its place in order of first appearance."""
        text = session.trainer.words.words[word]
        encoder = session.encoder
        symbols = encoder.symbols_of((text, 0, len(text)))
        replay = WordReplay(symbols, list(encoder.trace_word(symbols)))
        self._base_size = session.trainer.base_size
        self._notation = session.notation
        self._word = clip(self._notation.text(text[:LONGEST_NAMED]), LONGEST_NAMED // 2)
        self._rows = [SplitRow(0, replay.tokens(0), frozenset())]
        for done, (merge, _places) in enumerate(replay.merges, start=1):
            self._rows.append(SplitRow(merge.rank + 1, replay.tokens(done), replay.made_by(done)))
        self._width = max(cells(self._name(row)) for row in self._rows) + 2

    @staticmethod
    def _name(row: SplitRow) -> str:
        return _("merge {number}").format(number=number(row.merge)) if row.merge else _("start")

    def count(self, view: VirtualList[Any]) -> int:
        """One more than merges changed the word."""
        return len(self._rows)

    def fetch(self, view: VirtualList[Any], start: int, stop: int) -> list[SplitRow]:
        """The rows in view."""
        return self._rows[start:stop]

    def draw(self, view: VirtualList[Any], row: SplitRow) -> list[Segment]:
        """`merge 4   h·ug`, what the merge made marked."""
        palette = view.palette
        segments = [Segment(left(self._name(row), self._width), palette.muted)]
        for place, token in enumerate(row.tokens):
            if place:
                segments.append(Segment(SEPARATOR, palette.separator))
            tone = tone_of(token.id or 0, self._base_size)
            segments.append(
                Segment(self._notation.token(token.text), palette.marked if place in row.made else palette.token(tone))
            )
        return segments

    def figures(self, view: VirtualList[Any]) -> str:
        """`hugs · 2 merges`."""
        return f"{self._word} · {plural('{count} merge', '{count} merges', len(self._rows) - 1)}"


class WordHistoryDialog(Dialog[int]):
    """Ends with the number of a merge to go to, or None."""

    DEFAULT_CSS = """
    WordHistoryDialog > VirtualList { width: 92%; max-width: 84; height: 14; max-height: 92%; }
    """
    AUTO_FOCUS = "VirtualList"
    ACTIONS: ClassVar[tuple[Action, ...]] = (
        Action("go", ("enter",), "go to its merge", "Stand right after the merge of this row", Group.STEP, footer=80),
        CANCEL,
    )
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ACTIONS)]

    def __init__(self, session: Session, word: int) -> None:
        super().__init__()
        self._list = VirtualList(mark("Word"), SplitRows(session, word))

    def compose(self) -> ComposeResult:
        """The list, and the keys."""
        yield self._list
        yield self.key_bar()

    def action_go(self) -> None:
        """Go to the merge of the row under the cursor."""
        self._list.action_select()

    @on(VirtualList.Selected)
    def _go(self, event: VirtualList.Selected) -> None:
        event.stop()
        if event.row is not None:
            self.dismiss(event.row.merge)
