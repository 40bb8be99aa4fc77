"""What the train screen shows, and how its panes are arranged; what its keys do is in `train`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.content import Content
from textual.geometry import Size
from textual.getters import query_one
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from bpe_tui.core.language import _, mark
from bpe_tui.ui.actions import ACTIONS, MOVING, Action, bindings
from bpe_tui.ui.arrangement import MIN_HEIGHT, MIN_WIDTH, PANE_IDS, Arrangement, arrange
from bpe_tui.ui.content import safe
from bpe_tui.ui.player import Player
from bpe_tui.ui.screens.dialog import is_on_top
from bpe_tui.ui.screens.train_sentences import found_by_loop, sentences, titles
from bpe_tui.ui.widgets.algorithm import Algorithm
from bpe_tui.ui.widgets.curve import Curve
from bpe_tui.ui.widgets.encode_line import EncodeLine
from bpe_tui.ui.widgets.filter_line import FilterLine
from bpe_tui.ui.widgets.key_bar import KeyBar
from bpe_tui.ui.widgets.merge_log import MergeLog
from bpe_tui.ui.widgets.pair_list import PairList
from bpe_tui.ui.widgets.session_table import SessionTable
from bpe_tui.ui.widgets.status_bar import StatusBar
from bpe_tui.ui.widgets.timeline import Timeline
from bpe_tui.ui.widgets.vocabulary_list import VocabularyList
from bpe_tui.ui.widgets.why import BULLETS, WARNING, Why
from bpe_tui.ui.widgets.word_list import WordList

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bpe_tui.ui.session import Session

TOO_SMALL: Final = mark("This terminal is too small.\nbpe-tui needs {width} × {height} cells.")
"""Said instead of everything else."""


WITHOUT_CORPUS: Final = ("open", "help", "quit")
"""Actions in the footer while nothing is open."""


class TrainView(Screen[None]):
    """Corpus, pairs, vocabulary and merge log, algorithm and curve, all looking at one session."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ACTIONS)]
    ACTIONS: ClassVar[tuple[Action, ...]] = ACTIONS
    """What can be done here; footer, palette and help read it."""
    AUTO_FOCUS = "#pairs"
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
    why = query_one("#why", Why)
    encode_line = query_one("#encode", EncodeLine)
    filter_line = query_one("#filter-line", FilterLine)
    keys = query_one("#keys", KeyBar)

    def __init__(self, session: Session | None = None) -> None:
        super().__init__()
        self.session: Session | None = session
        """What is looked at; None until the first corpus is loaded."""
        self.player: Player | None = None
        """Moves the session's trainer."""
        self.loading_text = ""
        """What is being opened and how far it is; empty if nothing is."""
        self._notice: tuple[str, str] | None = None
        """A sentence that is told until the next key or click, and its bullet."""
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
        yield Why(id="why")
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
    def tables(self) -> tuple[SessionTable[object], ...]:
        """The four lists."""
        return (self.words, self.pairs, self.vocabulary, self.merges)  # type: ignore[return-value]  # rows are read only

    # -- the moment shown -------------------------------------------------------------------------------------

    def on_mount(self) -> None:
        """Show the session, if it came with the screen."""
        self.arrange_panes(self.app.size)
        if self.session is not None:
            self.show_session(self.session)
        else:
            self.show_figures()

    def show_session(self, session: Session) -> None:
        """Look at another session from now on."""
        if self.player is not None:
            self.player.halt()
        self.session = session
        self._sentence_lines = 0
        self.player = Player(self, session.trainer, self.show_moment)
        for table in self.tables:
            table.show_session(session)
        self.encode_line.show_session(session)
        self.show_moment()

    def show_moment(self) -> None:
        """Every pane looks at the trainer again and repaints what differs."""
        if self.session is None:
            return
        for table in self.tables:
            if table.display:
                table.reload()
        self.encode_line.reload()
        self.show_figures()

    def show_figures(self) -> None:
        """Status, timeline, why, algorithm and curve."""
        self.keys.use_actions(self.footer())
        session = self.session
        if session is None:
            self.status.show((self.loading_text,), "", "")
            return
        trainer, player = session.trainer, self.player
        self.status.show(
            (self.loading_text,) if self.loading_text else self.titles(session),
            f"merge {trainer.position}/{trainer.target}  vocab {trainer.vocab_size}",
            trainer.state,
        )
        self.timeline.set_state(trainer.position, session.known, trainer.target, session.choices)
        self.timeline.playing = player is not None and player.is_moving
        self._say(session)
        if self.algorithm.display:
            self.algorithm.set_phase(str(trainer.phase), found_by_loop(session, trainer))
        if self.curve.display:
            end = max(trainer.target, session.known)
            rule = () if session.turn is not None else self.curve.path.totals(session)
            self.curve.show(session.totals, trainer.position, end, divisor=session.word_total, rule=rule)

    def on_curve_grown(self, event: Curve.Grown) -> None:
        """More of the rule's own way is known."""
        event.stop()
        self.show_figures()

    def show_question(self) -> None:
        """The learner looks at another pair: the corpus shows where it is, and a sentence tells of it."""
        if self.session is not None:
            self.words.scroll_first(0)
            self.words.reload()
            self.show_figures()

    def back_to_leader(self) -> None:
        """Look at the leader again, at the top of the ranking."""
        if self.session is not None:
            self.session.selected = self.session.token = None
        self.pairs.scroll_first(0)
        self.pairs.cursor = 0
        self.merges.follow()

    # -- what is said -----------------------------------------------------------------------------------------

    def titles(self, session: Session) -> tuple[str, ...]:
        """What is looked at and what is under way, from the fullest to the shortest."""
        return titles(session, self.player)

    def sentences(self, session: Session) -> tuple[str, str]:
        """What happened, and what is next and why."""
        return sentences(session, self.player)

    def bullets(self) -> tuple[str, str]:
        """What stands before the two sentences."""
        session, player = self.session, self.player
        if session is not None and not session.trainer.word_count:
            return WARNING, BULLETS[1]
        return ("·", BULLETS[1]) if player is not None and player.is_travelling else BULLETS

    def footer(self) -> Sequence[Action]:
        """The actions that matter now; the last line shows as many as fit."""
        if self.session is None:
            return [action for action in self.ACTIONS if action.id in WITHOUT_CORPUS]
        return MOVING if self.player is not None and self.player.is_moving else self.ACTIONS

    def _say(self, session: Session) -> None:
        done, following = self.sentences(session)
        bullets = self.bullets()
        if self._notice is None:
            self.why.say(done, following, bullets)
            if self.why.lines_needed > self._sentence_lines:
                self._sentence_lines = self.why.lines_needed
                self.arrange_panes()
        else:
            self.why.say(self._notice[0], following, (self._notice[1], bullets[1]), is_notice=True)

    def tell(self, sentence: str, bullet: str = BULLETS[0]) -> None:
        """Say something in place of what happened, until the next key or click; over a dialog as a toast."""
        if self.session is None or not is_on_top(self):
            self.app.notify(safe(sentence), markup=False, timeout=6)
        else:
            self._notice = (sentence, bullet)
            self._say(self.session)

    @property
    def notice(self) -> str:
        """What is told until the next key or click; empty if nothing is."""
        return self._notice[0] if self._notice is not None else ""

    def complain(self, sentence: str) -> None:
        """Say that something cannot be done."""
        self.tell(sentence, WARNING)

    def on_key(self) -> None:
        """What was told has been read."""
        self._forget_notice()

    def on_mouse_down(self) -> None:
        """What was told has been read."""
        self._forget_notice()

    def _forget_notice(self) -> None:
        if self._notice is not None and self.session is not None:
            self._notice = None
            self._say(self.session)

    # -- panes ------------------------------------------------------------------------------------------------

    def on_resize(self, event: events.Resize) -> None:
        """Arrange the panes for the new size."""
        self._sentence_lines = 0
        self.arrange_panes(event.size)

    def arrange_panes(self, size: Size | None = None) -> None:
        """Show the panes that there is room for, the focused one among them."""
        width, height = size or self.size
        lines = self._sentence_lines
        self.use_arrangement(arrange(width, height, self._pane, zoomed=self._zoomed, sentences=lines))

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
    def focused_table(self) -> SessionTable[object] | None:
        """The list that has the focus, or had it last."""
        pane = self.query_one(f"#{self._pane}", Widget)
        return pane if isinstance(pane, SessionTable) else None

    @property
    def pane_number(self) -> int:
        """Place of the focused pane, from 0."""
        return PANE_IDS.index(self._pane)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Remember the pane, also when the mouse chose it."""
        if event.widget.id in PANE_IDS:
            self._pane = event.widget.id
