"""The train screen's panes: what stands where, for the size of the terminal and the pane that has the focus."""

from __future__ import annotations

from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.geometry import Size
from textual.getters import query_one
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from bpe_tui.core.i18n import _, mark
from bpe_tui.ui.actions import ACTIONS, Action
from bpe_tui.ui.board.algorithm import Algorithm
from bpe_tui.ui.board.arrangement import MIN_HEIGHT, MIN_WIDTH, PANE_IDS, Arrangement, arrange
from bpe_tui.ui.board.curve import Curve
from bpe_tui.ui.board.encode_line import EncodeLine
from bpe_tui.ui.board.explanation import Explanation
from bpe_tui.ui.board.merges import MergeLog
from bpe_tui.ui.board.pairs import PairList
from bpe_tui.ui.board.session_list import SessionList
from bpe_tui.ui.board.status_bar import StatusBar
from bpe_tui.ui.board.timeline import Timeline
from bpe_tui.ui.board.vocabulary import VocabularyList
from bpe_tui.ui.board.words import WordList
from bpe_tui.ui.widgets.filter_line import FilterLine
from bpe_tui.ui.widgets.key_bar import KeyBar

TOO_SMALL: Final = mark("This terminal is too small.\nbpe-tui needs {width} × {height} cells.")
"""Said instead of everything else."""


class TrainPanes(Screen[None]):
    """Corpus, pairs, vocabulary and merge log, algorithm and curve, as many as there is room for."""

    ACTIONS: ClassVar[tuple[Action, ...]] = ACTIONS
    """What can be done here; footer, palette and help read it."""
    HORIZONTAL_BREAKPOINTS = [(0, "-slim"), (MIN_WIDTH, "-wide")]  # noqa: RUF012 (not a class variable to the library)
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (MIN_HEIGHT, "-high")]  # noqa: RUF012

    status = query_one("#status", StatusBar)
    panes = query_one("#panes", Container)
    words = query_one("#corpus", WordList)
    pairs = query_one("#pairs", PairList)
    vocabulary = query_one("#vocabulary", VocabularyList)
    merges = query_one("#merges", MergeLog)
    algorithm = query_one("#algorithm", Algorithm)
    curve = query_one("#curve", Curve)
    timeline = query_one("#timeline", Timeline)
    why = query_one("#why", Explanation)
    encode_line = query_one("#encode", EncodeLine)
    filter_line = query_one("#filter-line", FilterLine)
    keys = query_one("#keys", KeyBar)

    def __init__(self) -> None:
        super().__init__()
        self._pane = "pairs"
        self._zoomed = False
        self._arranged: Arrangement | None = None
        self._sentence_lines = 0
        """The most lines that sentences have needed so far, of this corpus and in this size: panes don't jump."""

    def compose(self) -> ComposeResult:
        """The screen from top to bottom."""
        yield StatusBar(id="status")
        yield from self.compose_panes()
        yield Timeline(id="timeline")
        yield Explanation(id="why")
        yield EncodeLine(id="encode")
        yield FilterLine(id="filter-line")
        yield KeyBar(self.ACTIONS, id="keys")
        too_small = _(TOO_SMALL).format(width=MIN_WIDTH, height=MIN_HEIGHT)
        yield Static(Content(too_small), id="too-small")

    def compose_panes(self) -> ComposeResult:
        """What stands between the status and the timeline."""
        with Container(id="panes"):
            yield WordList(id="corpus")
            yield PairList(id="pairs")
            yield VocabularyList(id="vocabulary")
            yield MergeLog(id="merges")
            yield Algorithm(id="algorithm")
            yield Curve(id="curve")

    @property
    def tables(self) -> tuple[SessionList[object], ...]:
        """The four lists."""
        return (self.words, self.pairs, self.vocabulary, self.merges)  # type: ignore[return-value]  # rows are read only

    def on_resize(self, event: events.Resize) -> None:
        """Arrange the panes for the new size."""
        self._sentence_lines = 0
        self.arrange_panes(event.size)

    def arrange_panes(self, size: Size | None = None) -> None:
        """Show the panes that there is room for, the focused one among them."""
        width, height = size or self.size
        lines = self._sentence_lines
        self.use_arrangement(arrange(width, height, self._pane, zoomed=self._zoomed, sentences=lines))

    def show_figures(self) -> None:
        """Show what the panes in view tell of the moment."""
        raise NotImplementedError

    def use_arrangement(self, wanted: Arrangement) -> None:
        """Show these panes."""
        if wanted == self._arranged:
            return
        self._arranged = wanted
        for columns in (1, 2, 3):
            self.panes.set_class(columns == wanted.columns, f"-columns-{columns}")
        for pane in self.panes.children:
            pane.display = pane.id in wanted.panes
        self.why.styles.height = wanted.why_height
        self.call_after_refresh(self.show_figures)

    def focus_pane(self, pane_id: str) -> None:
        """Bring a pane into view and give it the focus."""
        self._pane = pane_id
        self.arrange_panes()
        self.set_focus(self.query_one(f"#{pane_id}", Widget))

    @property
    def focused_table(self) -> SessionList[object] | None:
        """The list that has the focus, or had it last."""
        pane = self.query_one(f"#{self._pane}", Widget)
        return pane if isinstance(pane, SessionList) else None

    @property
    def pane_number(self) -> int:
        """Place of the focused pane, from 0."""
        return PANE_IDS.index(self._pane)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Remember the pane, also when the mouse chose it."""
        if event.widget.id in PANE_IDS:
            self._pane = event.widget.id
