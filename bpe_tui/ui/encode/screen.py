"""The encode screen: type a text, and see how it falls into the tokens learned at the moment shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual import events, on
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.getters import query_one
from textual.widget import Widget
from textual.widgets import Static

from bpe_tui.core.display import displayable
from bpe_tui.core.encoding.replay import Dropout
from bpe_tui.core.i18n import _, mark, number, plural
from bpe_tui.core.options import UNKNOWN_POLICIES
from bpe_tui.core.runtime import policy
from bpe_tui.core.teaching.token_facts import compare_policies
from bpe_tui.core.teaching.why_not import still_to_fire, too_long_sentence
from bpe_tui.formats.registry import recognise
from bpe_tui.formats.unsupported import may_be_tokenizer
from bpe_tui.ui.actions import Action, bindings, first_key
from bpe_tui.ui.board.arrangement import MIN_HEIGHT, MIN_WIDTH
from bpe_tui.ui.board.status_bar import StatusBar
from bpe_tui.ui.board.timeline import Button, Timeline
from bpe_tui.ui.dialogs.compare import CompareScreen, ComparisonChoice
from bpe_tui.ui.dialogs.dialog import DismissOnce, ask
from bpe_tui.ui.dialogs.go_to import GoToDialog
from bpe_tui.ui.dialogs.help import HelpScreen
from bpe_tui.ui.dialogs.open_text import OpenTextScreen
from bpe_tui.ui.dialogs.save import FileWriter
from bpe_tui.ui.encode.actions import COMPARING, ENCODE_ACTIONS, EXPLANATIONS, INTRODUCTION, TYPING, encode_key
from bpe_tui.ui.encode.comparing import Comparer
from bpe_tui.ui.encode.policies import PolicyRows
from bpe_tui.ui.encode.reading import ReadText, TextReader
from bpe_tui.ui.encode.replay import LONGEST_REPLAYED, Replayer, ReplayList, ReplayRows
from bpe_tui.ui.encode.side_by_side import MOST_COMPARED, ComparedRows, DifferenceRows, PairPane
from bpe_tui.ui.encode.token_chips import ChipRows, TokenChips
from bpe_tui.ui.encode.token_fills import TokenFills
from bpe_tui.ui.encode.vocabulary import VocabularyScreen
from bpe_tui.ui.encode.word_facts import Fact, WordFacts, facts_about, moment_facts
from bpe_tui.ui.messages import MomentSelected
from bpe_tui.ui.player import Pace, Player
from bpe_tui.ui.session.token_display import STYLE_SENTENCES
from bpe_tui.ui.tasks import sentence_of
from bpe_tui.ui.typed_paths import path_in
from bpe_tui.ui.widgets.key_bar import KeyBar
from bpe_tui.ui.widgets.safe_input import line_ends
from bpe_tui.ui.widgets.verbatim_area import VerbatimArea
from bpe_tui.ui.widgets.virtual_list import VirtualList

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from bpe_tui.core.encoding.replay import Replay
    from bpe_tui.core.encoding.tokenized_text import TokenizedText
    from bpe_tui.core.errors import BpeError
    from bpe_tui.ui.session.tokenizer import EncodeSession

PLACEHOLDER: Final = mark("Type or paste any text. Esc leaves it; then {step} and {undo} go through the merges.")
ALL_KNOWN: Final = mark("Every symbol of this text is in the alphabet: there is nothing unknown to treat.")
UNREAD: Final = mark("encoding…")
MOST_POINTED: Final = 2_000
"""Places of a merge in the whole text that are marked at once."""
DROPOUT_RATES: Final = (0.1, 0.3, 0.5)
LONG_WORD: Final = 2_000
"""Characters of a word beyond which policies aren't compared."""

PANE_IDS: Final = ("text", "tokens", "replay", "why", "policies")
"""The panes in the order of the keys 1 to 5."""
COMPARED_PANES: Final = {"tokens": "pair", "replay": "differences"}
"""What replaces two panes while two tokenizers are compared."""
WHY_NOT: Final = mark("Why not one token?")
DIFFERENCE: Final = mark("Why they differ")
FOCUS_ORDER: Final = (*PANE_IDS, "timeline")
TWO_COLUMNS: Final = 72
WIDE: Final = 110
MEDIUM: Final = 20
TALL: Final = 32
"""Cells and lines from which on there is room for more panes."""


class EncodeScreen(DismissOnce[None]):
    """Live tokens, the replay of the merges that made them, and what is missing for one token per word."""

    CSS_PATH = "encode.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ENCODE_ACTIONS)]
    ACTIONS: ClassVar[tuple[Action, ...]] = ENCODE_ACTIONS
    """What can be done here; footer, palette and help read it."""
    AUTO_FOCUS = "#text"
    # Lists without further annotation, as in the library's own class.
    HORIZONTAL_BREAKPOINTS = [(0, "-slim"), (MIN_WIDTH, "-narrow"), (TWO_COLUMNS, "-normal"), (WIDE, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (MIN_HEIGHT, "-short"), (MEDIUM, "-medium"), (TALL, "-tall")]  # noqa: RUF012

    status = query_one("#status", StatusBar)
    area = query_one("#text", VerbatimArea)
    chips = query_one("#tokens", TokenChips)
    replay_list = query_one("#replay", ReplayList)
    pair = query_one("#pair", PairPane)
    differences = query_one("#differences", VirtualList)
    facts = query_one("#why", WordFacts)
    policies = query_one("#policies", VirtualList)
    timeline = query_one("#timeline", Timeline)

    def __init__(self, session: EncodeSession, pace: Pace | None = None) -> None:
        """A screen on a session; `pace` is that of the app, which keeps it."""
        super().__init__()
        self.session = session
        """What is looked at."""
        self.pace = pace or Pace()
        """How fast merges are played."""
        self.read: ReadText | None = None
        """The text as it was read last; None before it was."""
        self.reader = TextReader(self, session, done=self._show_read, failed=self._refuse, waiting=self._wait)
        """Reads the text."""
        self.replayer = Replayer(
            self, session, begun=self._stop_replay, waiting=self._wait_for_replay, done=self._show_replay
        )
        """Replays the word looked at, or the whole text."""
        self.comparer = Comparer(self, session, ready=self._show_comparing, failed=self._refuse_other)
        """Has the other tokenizer, if two are compared."""
        self.player = Player(self, session.timeline, self.show_moment, self.pace)
        """Moves through training."""
        self.replay_player = Player(self, session.timeline, lambda: None, self.pace)
        """Moves through the replay."""
        self._place = 0
        """Where in the text the token looked at starts."""
        self._nth = 0
        """Which one it is of the tokens that start there: the bytes of a character."""
        self._pointed: Sequence[tuple[int, int]] = ()
        """What the mouse points at, in the text, the chips or the replay: starts and ends in code points."""
        self._unread = ""
        """Why the text has no tokens as it is now; empty if it has."""
        self._chosen = "text"
        """The pane that has the focus, or had it last."""
        self._is_zoomed = False
        self._seed = 0
        """Of the dropout, now or once it is on again."""

    def compose(self) -> ComposeResult:
        """The screen from top to bottom."""
        yield StatusBar(id="status")
        yield VerbatimArea(placeholder=_(PLACEHOLDER).format(step=first_key("step"), undo=first_key("undo")), id="text")
        yield TokenChips(id="tokens")
        yield PairPane(id="pair")
        with Horizontal(id="below"):
            yield ReplayList(id="replay")
            yield VirtualList(mark("Differences"), DifferenceRows(), number="³", id="differences")
            with Vertical(id="beside"):
                yield WordFacts(id="why")
                yield VirtualList(mark("Unknown symbols"), PolicyRows(), number="⁵", id="policies")
        yield Timeline(id="timeline")
        yield KeyBar(ENCODE_ACTIONS, id="keys")
        needed = _("This needs a terminal of at least {width} × {height} cells.")
        yield Static(Content(needed.format(width=MIN_WIDTH, height=MIN_HEIGHT)), id="too-small")

    def on_mount(self) -> None:
        """Start with the text that the session has."""
        self.area.load_raw(self.session.text)
        self.show_moment()
        for warning in self.session.warnings:
            self.app.notify(displayable(warning), severity="warning", markup=False)

    def on_unmount(self) -> None:
        """Leave nothing running."""
        self.reader.drop()
        self.replayer.drop()
        self.comparer.drop()
        self.player.halt()
        self.replay_player.halt()

    # -- the moment of training -------------------------------------------------------------------------------

    def show_moment(self) -> None:
        """The moment is another one: read the text again."""
        self._show_status()
        self.read_again()

    def _show_status(self) -> None:
        timeline = self.session.timeline
        self.status.show_timeline(self.session.titles, timeline)
        self.timeline.set_state(timeline.position, timeline.known, timeline.target, self.session.choices)
        self.timeline.playing = self.player.is_playing

    def action_moment(self, by: int) -> None:
        """Some merges of training forward or back."""
        self.player.go(max(0, self.session.timeline.position + by))

    def _play_training(self) -> None:
        self.player.play(self._learn_one)
        self._show_status()

    def _learn_one(self) -> bool:
        """One merge of training while playing; False at the target or where no pair is left."""
        timeline = self.session.timeline
        before = timeline.position
        timeline.goto(before + 1)
        return timeline.position not in (before, timeline.target)

    @on(MomentSelected)
    def _go(self, event: MomentSelected) -> None:
        event.stop()
        self.player.go(event.number)

    @on(Timeline.ButtonPressed)
    def _press_button(self, event: Timeline.ButtonPressed) -> None:
        event.stop()
        if event.button is Button.PLAY:
            self._play_training()
        else:
            self.action_moment(1 if event.button is Button.FORWARD else -1)

    def action_go_to(self) -> None:
        """Ask for the number of a merge."""
        timeline = self.session.timeline
        ask(self, GoToDialog(timeline.position, max(timeline.target, timeline.known)), self._gone_to)

    def _gone_to(self, number: int | None) -> None:
        if number is not None:
            self.player.go(number)

    # -- the text ---------------------------------------------------------------------------------------------

    def read_again(self) -> None:
        """Tokenize the text anew: the moment is another one, or the policy."""
        self.replayer.drop()
        self.reader.read(anew=True)

    @on(VerbatimArea.Changed, "#text")
    def _follow_typing(self, event: VerbatimArea.Changed) -> None:
        event.stop()
        text = self.area.raw
        if text != self.session.text or self.read is None:
            self.session.text = text
            self._place, self._nth = max(0, self.area.raw_offset - 1), 0
            self._pointed = ()
            self.replayer.drop()
            self.reader.read(anew=False)

    def _wait(self) -> None:
        self._show_unread(_(UNREAD))

    def _refuse(self, error: BpeError) -> None:
        """The words cannot be found."""
        self._show_unread(_("not encoded"))
        self.app.notify(displayable(str(error)), severity="warning", markup=False)

    def _show_unread(self, why: str) -> None:
        """The text has no tokens yet, or cannot have any: show why in their place."""
        self._unread = why
        self._title_text(why)
        self.area.border_subtitle = ""
        self._show_chips(None)
        self.pair.show(None)
        self.differences.use_source(DifferenceRows())
        self.replay_list.show(ReplayRows(unread=why))
        self.facts.show((Fact(why[:1].upper() + why[1:], "muted"),), why)
        self.policies.use_source(PolicyRows((), self.reader.policy))

    def _show_read(self, read: ReadText) -> None:
        """The text has been read: new tokens, at the end of the replay."""
        self.read = read
        self._unread = ""
        self._place = min(self._place, max(0, len(read.text) - 1))
        self._title_text(" · ".join(read.text_figures()))
        lines = read.text.count("\n") + 1
        self.area.border_subtitle = Content(plural("{count} line", "{count} lines", lines)) if lines > 1 else ""
        self.area.mark_places([(run.start, run.end) for run in read.tokenized.dropped])
        self._show_policies()
        self._show_side_by_side()
        self._arrange_panes()
        self.replayer.forget()
        self._replay(read)
        if self.replayer.is_running:  # else all is shown already
            self._show_chips(None)
            self._show_facts(None)

    def _title_text(self, figures: str) -> None:
        name = f"¹{_('Text')}"
        self.area.border_title = Content(f"{name} ─ {figures}" if figures else name)

    # -- what is looked at ------------------------------------------------------------------------------------

    @property
    def here(self) -> int:
        """The token looked at; -1 if there is none."""
        return -1 if self.read is None else self.read.tokenized.token_at(self._place, self._nth)

    @property
    def word(self) -> int:
        """The word looked at; -1 if there is none."""
        return -1 if self.read is None else self.read.tokenized.word_at(self._place)

    @on(VerbatimArea.SelectionChanged, "#text")
    def _follow_cursor(self, event: VerbatimArea.SelectionChanged) -> None:
        event.stop()
        # A key that types moves the cursor first: the text is read again right after that.
        if self.area.has_focus and self.read is not None and self.read.text == self.area.raw:
            self._look_at(max(0, self.area.raw_offset - 1))

    @on(TokenChips.ChipHighlighted)
    def _follow_chip(self, event: TokenChips.ChipHighlighted) -> None:
        event.stop()
        tokenized = self.chips.tokenized
        if event.index < len(tokenized) and not self._unread:  # the text may have changed since
            self._look_at(tokenized.token(event.index).start, tokenized.nth(event.index))
            self.area.show_place(self._place)

    def _look_at(self, place: int, nth: int = 0) -> None:
        if self.read is not None and (place, nth) != (self._place, self._nth):
            self._place, self._nth = place, nth
            self._replay(self.read)
            self._show_chips(self.replay_list.replay)
            self._show_facts(self.replay_list.replay)
            self._show_policies()

    # -- the replay -------------------------------------------------------------------------------------------

    def _replay(self, read: ReadText) -> None:
        self.replayer.run(read.tokenized, self.word, self.reader.policy, read.steps)

    def _stop_replay(self) -> None:
        self.replay_player.halt()

    def _wait_for_replay(self) -> None:
        self.replay_list.show(ReplayRows(unread=_("replaying…")))

    def _show_replay(self, replay: Replay | None) -> None:
        """Another word was replayed, or cannot be: show it at its end."""
        read, word = self.read, self.word
        name = "" if self.replayer.whole_text or read is None or word < 0 else read.tokenized.spans[word][0][:200]
        session = self.session
        self.replay_list.show(
            ReplayRows(
                replay,
                word=name,
                base_size=session.timeline.base_size,
                notation=session.notation,
                dropout=None if read is None else read.dropout,
            )
        )
        self._show_chips(replay)
        self._show_facts(replay)

    @on(VirtualList.Highlighted, "#replay")
    def _follow_replay(self, event: VirtualList.Highlighted) -> None:
        event.stop()
        self._show_chips(self.replay_list.replay)
        self._show_facts(self.replay_list.replay)

    @property
    def steps_training(self) -> bool:
        """Do the keys move through training? On the timeline, and where there is no text to replay."""
        return self.focused is self.timeline or not self.session.text

    def action_step(self, merges: int) -> None:
        """Some merges forward or back."""
        if self.steps_training:
            self.action_moment(merges)
        elif self.is_comparing:
            self.pair.action_move(merges)
        else:
            self.replay_player.halt()
            self.replay_list.step(merges)

    def action_step_to(self, end: bool) -> None:
        """To the end or the start."""
        if self.steps_training:
            self.player.go(None if end else 0)
        elif self.is_comparing:
            self.pair.action_move_to_edge(end)
        else:
            length = len(self.replay_list.replay or ())
            self.action_step(length if end else -length)

    def action_play(self) -> None:
        """Play or pause; from the start if the end is reached."""
        replay = self.replay_list.replay
        if self.steps_training:
            self._play_training()
        elif self.is_comparing:
            message = _(
                "Two tokenizers are being compared: press {end_comparing} to end that, then the replay can play."
            )
            self._notify(message.format(end_comparing=encode_key("end_comparing")))
        elif replay is not None:
            if not self.replay_player.is_playing and self.replay_list.merges_made >= len(replay):
                self.replay_list.step(-len(replay))
            self.replay_player.play(self._play_one)

    def _play_one(self) -> bool:
        """One merge of the replay while playing; False at the end."""
        self.replay_list.step(1)
        return self.replay_list.merges_made < len(self.replay_list.replay or ())

    def action_speed(self, by: int) -> None:
        """Play faster or slower."""
        self.pace.change(by)
        self.replay_player.keep_pace()
        self.player.keep_pace()

    def action_scope(self) -> None:
        """One word or the whole text."""
        self.replayer.whole_text = not self.replayer.whole_text
        if self.read is not None:
            self._replay(self.read)

    # -- what the panes show ----------------------------------------------------------------------------------

    def _show_chips(self, replay: Replay | None) -> None:
        """The tokens at the moment of the replay."""
        read = self.read
        if read is None:
            self.chips.show(ChipRows(unread=self._unread))
            self.area.paint(None)
            return
        tokenized, fresh = self._tokenized_at(read, replay)
        self.chips.show(
            ChipRows(
                tokenized,
                read.line_ends,
                notation=self.session.notation,
                base_size=self.session.timeline.base_size,
                here=tokenized.token_at(self._place, self._nth),
                fresh=fresh,
                title=read.token_figures(len(tokenized)),
                remark="" if self._unread else read.error or read.loss or read.note,
                unread=self._unread,
            )
        )
        if not self._is_zoomed:
            self.chips.fit()
        self._point_at(self._pointed)
        self._link_replay()

    def _paint(self) -> None:
        """Give the text the colours of its tokens."""
        rows = self.chips.source
        if self._unread or rows.tokenized.text != self.session.text:
            self.area.paint(None)
        else:
            fills = TokenFills(self.app, rows, reverses_here=self.focused is not self.area)
            self.area.paint(fills.between)

    # -- what the mouse points at -----------------------------------------------------------------------------

    @on(VerbatimArea.Pointed, "#text")
    def _point_in_text(self, event: VerbatimArea.Pointed) -> None:
        event.stop()
        tokenized = self.chips.tokenized
        index = -1 if event.place is None or self._unread else tokenized.token_at(event.place)
        self._point_at([tokenized.token(index)[2:4]] if index >= 0 else [], index)

    @on(TokenChips.ChipPointed)
    def _point_at_chip(self, event: TokenChips.ChipPointed) -> None:
        event.stop()
        index = event.index
        if index is None or self._unread or index >= len(self.chips.tokenized):
            self._point_at([])
        else:
            self._point_at([self.chips.tokenized.token(index)[2:4]], index)

    @on(ReplayList.RowPointed)
    def _point_at_merge(self, event: ReplayList.RowPointed) -> None:
        """The characters that a merge of the replay joins."""
        event.stop()
        read, replay = self.read, self.replay_list.replay
        if not event.index or read is None or replay is None or event.index > len(replay):
            self._point_at([])
            return
        row = event.index
        places: dict[int, list[tuple[int, int]]] = {}
        for kind in replay.rows[row - 1].words:
            tokens = replay.tokens(kind, row)
            places[kind] = [tokens[place][2:4] for place in sorted(replay.fresh(kind, row))]
        spans, kinds = read.tokenized.spans, read.tokenized.kinds
        words = range(len(spans)) if self.replayer.whole_text else [self.word]
        joined: list[tuple[int, int]] = []
        for word in words:
            begin = spans[word][1]
            own = places.get(kinds[word] if self.replayer.whole_text else 0, ())
            joined += [(begin + start, begin + end) for start, end in own]
            if len(joined) > MOST_POINTED:
                break
        self._point_at(joined)

    def _point_at(self, places: Sequence[tuple[int, int]], token: int = -1) -> None:
        """Mark some characters as pointed at wherever they are shown, and the merge that makes `token`."""
        self._pointed = places
        rows, tokenized = self.chips.source, self.chips.tokenized
        pointed: set[int] = set()
        if tokenized.text and not self._unread:
            for start, end in places:
                number = max(0, tokenized.token_at(start))
                while number < len(tokenized) and (found := tokenized.token(number)).start < end:
                    if found.end > start:
                        pointed.add(number)
                    number += 1
        if pointed != rows.pointed:
            rows.pointed = frozenset(pointed)
            self.chips.reload()
        self._paint()
        self._link_replay(token)

    def _link_replay(self, token: int = -1) -> None:
        """Mark the merge of the replay that makes a token: the one pointed at, or the one looked at."""
        tokenized = self.chips.tokenized
        token = token if token >= 0 else self.chips.here
        row = 0
        if self.read is not None and not self._unread and 0 <= token < len(tokenized):
            word = tokenized.word_of(token)
            whole_text = self.replayer.whole_text
            if whole_text or word == self.word:
                kind = self.read.tokenized.kinds[word] if whole_text else 0
                row = self.replay_list.row_making(tokenized.token(token).id, kind)
        self.replay_list.link(row)

    def _tokenized_at(self, read: ReadText, replay: Replay | None) -> tuple[TokenizedText, dict[int, frozenset[int]]]:
        """The tokens at the moment of the replay, and by kind of word which of them its merge made."""
        tokenized, made = read.tokenized, self.replay_list.merges_made
        if replay is None or made >= len(replay) or read.error:
            return tokenized, {}
        if not self.replayer.whole_text:
            changed = tokenized.with_word(self.word, replay.tokens(0, made))
            return changed, {changed.kinds[self.word]: replay.fresh(0, made)}
        kinds = replay.rows[made - 1].words if made else ()
        return tokenized.with_distinct(replay.all_tokens(made)), {kind: replay.fresh(kind, made) for kind in kinds}

    def _show_facts(self, replay: Replay | None) -> None:
        """Facts about the token and the word looked at, at the moment of the replay."""
        read, word = self.read, self.word
        if self._unread:
            return
        if self.is_comparing and read is not None and read.text:
            self._show_difference()
            return
        if read is None or word < 0 or not read.text:
            self.facts.show([*moment_facts(self.session), *map(Fact, self.session.settings)])
            return
        tokenized = self._tokenized_at(read, replay)[0]
        here = tokenized.token_at(self._place, self._nth)
        facts = facts_about(self.session, read, tokenized, word, here, self._replay_sentence(read, replay))
        if self.replayer.too_long:
            facts.append(Fact(too_long_sentence(self.replayer.too_long, LONGEST_REPLAYED), "warn"))
        facts += [Fact(sentence, "warn") for sentence in (read.loss, read.note) if sentence]
        facts += moment_facts(self.session)
        self.facts.show(facts, self.session.notation.text(read.tokenized.spans[word][0][:200]))

    def _replay_sentence(self, read: ReadText, replay: Replay | None) -> str:
        """How far the replay is, and which merge changes the word looked at next; empty if none will."""
        if replay is None or read.error:
            return ""
        merge = self.replay_list.next_merge(read.tokenized.kinds[self.word] if self.replayer.whole_text else 0)
        if merge is None:
            return ""
        return still_to_fire(merge, self.replay_list.merges_made, len(replay), self.session.notation)

    def _show_policies(self) -> None:
        """What the policies make of the word looked at, or else of the first one with an unknown symbol."""
        read, word = self.read, self.word
        if read is not None and read.unknown_words and word >= 0:
            kinds = read.tokenized.kinds
            if kinds[word] not in {kinds[other] for other in read.unknown_words}:
                word = read.unknown_words[0]
        if read is None or word < 0 or not read.unknown_words:
            self.policies.use_source(PolicyRows((), self.reader.policy))
            return
        encoder, span = self.session.encoder, read.tokenized.spans[word]
        results = compare_policies(encoder, span) if len(span[0]) <= LONG_WORD else []
        self.policies.use_source(
            PolicyRows(results, self.reader.policy, self.session.timeline.base_size, self.session.notation)
        )

    def action_token_style(self) -> None:
        """Show tokens in the next style."""
        style = self.session.display.use_next(self.session.options)
        self.app.notify(_(STYLE_SENTENCES[style]), markup=False, timeout=3)
        self.read_again()

    # -- side by side -----------------------------------------------------------------------------------------

    @property
    def is_comparing(self) -> bool:
        """Are two tokenizers side by side?"""
        return self.comparer.other is not None

    def action_compare(self, path: str = "") -> None:
        """Choose what to show beside this tokenizer; `path` is in the dialog's input to begin with."""
        self.player.halt()
        session = self.session
        dialog = CompareScreen(
            session.timeline.position,
            has_corpus=self.comparer.corpus is not None,
            has_files=policy().reaches_files,
            preset=session.options.preset or "",
            path=path,
        )
        ask(self, dialog, self._compare_with)

    def _compare_with(self, choice: ComparisonChoice | None) -> None:
        if choice is not None:
            self.comparer.choose(choice)
            self.app.notify(_("Preparing the other tokenizer…"), markup=False, timeout=2)

    def action_end_comparing(self) -> None:
        """This tokenizer alone again."""
        if not self.comparer.end():
            message = _("Nothing is compared; {compare} shows another tokenizer beside this one.")
            self._notify(message.format(compare=encode_key("compare")))

    def _refuse_other(self, error: Exception) -> None:
        self._warn(sentence_of(error))

    def _show_comparing(self) -> None:
        """There is another tokenizer, or none any more."""
        self._show_side_by_side()
        self._arrange_panes()
        self._offer_keys()
        if self.focused in (None, self.chips, self.pair, self.replay_list, self.differences):
            self.focus_pane("tokens")
        self._show_facts(self.replay_list.replay)

    def _show_side_by_side(self) -> None:
        """The text in the tokens of both."""
        read = self.read
        if read is None or not self.is_comparing or self._unread:
            return
        compared, is_cut = self.comparer.compare(
            read, self.session.notation.style, allow_special=self.reader.allow_special
        )
        note = _("compared are the first {count} characters").format(count=number(MOST_COMPARED)) if is_cut else ""
        sizes = (self.session.timeline.base_size, self.comparer.base_size)
        selected = max(0, self.pair.source.selected)
        self.pair.show(ComparedRows(compared, sizes, selected=selected, note=note))
        if not self._is_zoomed:
            self.pair.fit()
        self.differences.use_source(DifferenceRows(compared))
        self._show_difference()

    def _show_difference(self) -> None:
        """Why the two differ where the learner looks."""
        rows, selected = self.differences.source, self.pair.source.selected
        assert isinstance(rows, DifferenceRows)
        if selected >= 0:
            self.differences.cursor = selected
            self.differences.show_row(selected)
        self.differences.reload()
        sentences = rows.sentences(selected)
        if not sentences:
            self.facts.show([Fact(rows.empty_text)] if self.read is not None and self.read.text else [])
            return
        name = _("difference {number} of {count}").format(
            number=number(selected + 1), count=number(self.pair.source.total)
        )
        self.facts.show([Fact(sentences[0], "title"), *map(Fact, sentences[1:])], name)

    @on(PairPane.DifferenceHighlighted)
    def _follow_pair(self, event: PairPane.DifferenceHighlighted) -> None:
        event.stop()
        self._show_difference()
        self._show_place_of_difference()

    @on(VirtualList.Highlighted, "#differences")
    def _follow_differences(self, event: VirtualList.Highlighted) -> None:
        event.stop()
        self.pair.select_difference(event.index)
        self._show_difference()
        self._show_place_of_difference()

    def _show_place_of_difference(self) -> None:
        """Bring the text of the difference into view, and mark it there."""
        compared, selected = self.pair.source.compared, self.pair.source.selected
        if compared is not None and selected >= 0:
            span = compared.differing[selected]
            self.area.show_place(span.start)
            self._point_at([(span.start, span.end)])

    # -- policies, special tokens, ids, files -----------------------------------------------------------------

    @on(VirtualList.Selected, "#policies")
    def _choose_policy(self, event: VirtualList.Selected) -> None:
        event.stop()
        if event.row is not None:
            self._use_policy(event.row.result.policy)

    def action_policy(self) -> None:
        """The next unknown policy."""
        if not self.has_unknown:
            self._notify(_(ALL_KNOWN))
            return
        place = UNKNOWN_POLICIES.index(self.reader.policy) + 1
        self._use_policy(UNKNOWN_POLICIES[place % len(UNKNOWN_POLICIES)])

    def _use_policy(self, name: str) -> None:
        self.reader.policy = name
        self.read_again()

    def action_special(self) -> None:
        """Special tokens in the text: plain text, or themselves."""
        allowed = self.reader.allow_special = not self.reader.allow_special
        self.read_again()
        message = _("Special tokens in the text are themselves.") if allowed else _("They are plain text again.")
        self.app.notify(message, markup=False, timeout=3)

    def action_dropout(self) -> None:
        """The next dropout rate; off after the last."""
        now = self.reader.dropout
        rate = next((rate for rate in DROPOUT_RATES if now is None or rate > now.rate), 0)
        self._use_dropout(Dropout(rate, self._seed) if rate else None)

    def action_seed(self) -> None:
        """Other merges are dropped, at the same rate."""
        if self.reader.dropout is None:
            message = _("Dropout is off: {dropout} switches it on.").format(dropout=encode_key("dropout"))
            self.app.notify(message, markup=False, timeout=3)
            return
        self._seed += 1
        self._use_dropout(Dropout(self.reader.dropout.rate, self._seed))

    def _use_dropout(self, dropout: Dropout | None) -> None:
        self.reader.dropout = dropout
        self.read_again()
        if dropout is None:
            self.app.notify(_("Dropout is off: every merge is made."), markup=False, timeout=3)

    def action_vocabulary(self) -> None:
        """The vocabulary and the merges, as lists."""
        self.player.halt()
        ask(self, VocabularyScreen(self.session), self._gone_to)

    def on_paste(self, event: events.Paste) -> None:
        """A text pasted where nothing is typed: a path is offered to be opened, any other text is encoded."""
        if self.focused is self.area:
            return
        event.stop()
        text = line_ends(event.text)
        if not policy().reaches_files or path_in(text) is None:
            self.focus_pane("text")
            self.area.post_message(events.Paste(text))
        elif _is_tokenizer(text.strip()):
            self.action_compare(text.strip())
        else:
            ask(self, OpenTextScreen(text.strip()), self._opened)

    def action_open(self) -> None:
        """Choose a file to encode."""
        if policy().reaches_files:
            ask(self, OpenTextScreen(), self._opened)
        else:
            self.focus_pane("text")
            self.app.notify(_("Paste a text here, or give the page a file."), markup=False)

    async def action_open_under(self) -> None:
        """Choose a corpus to put under the tokenizer, on the train screen."""
        if self.session.to_continue is None:
            message = _("This training has its corpus; {open_under} is for a tokenizer that was opened without one.")
            self._notify(message.format(open_under=encode_key("open_under")))
            return
        if len(self.app.screen_stack) > 1:
            self.dismiss(None)
        else:
            await self.app.run_action("to_training")
        self.app.call_later(self.app.run_action, "screen.open_under")

    def _opened(self, text: str | None) -> None:
        if text is not None:
            self.area.load_raw(text)

    def take_text(self, name: str, text: str) -> None:
        """A text came from the learner's browser: encode it."""
        self._opened(text)

    def action_write(self) -> None:
        """Choose what to write, and where."""
        self.player.halt()
        self.replay_player.halt()
        FileWriter(self, self._notify, self._warn).ask(self.session)

    def action_copy_ids(self) -> None:
        """All ids, with blanks between them, as `bpe-tui decode` takes them."""
        if self.read is None or not len(self.read.tokenized):
            return
        tokenized = self.read.tokenized
        ids = [token.id for kind in tokenized.kinds for token in tokenized.distinct_words[kind]]
        known = [str(one) for one in ids if one is not None]
        self.app.copy_to_clipboard(" ".join(known))
        left_out = len(ids) - len(known)
        copied = plural("{count} id copied", "{count} ids copied", len(known))
        message = f"{copied}."
        if left_out:
            message = plural(
                "{copied}; {count} unknown without an id left out.",
                "{copied}; {count} unknown without an id left out.",
                left_out,
                copied=copied,
            )
        self.app.notify(message, markup=False, timeout=3)

    def _notify(self, sentence: str) -> None:
        self.app.notify(displayable(sentence), markup=False, timeout=6)

    def _warn(self, sentence: str) -> None:
        self.app.notify(displayable(sentence), severity="warning", markup=False, timeout=6)

    # -- panes, help, and the way out -------------------------------------------------------------------------

    def on_resize(self, event: events.Resize) -> None:
        """Arrange the panes for the new size."""
        self._arrange_panes()

    def _arrange_panes(self) -> None:
        """Show the panes that there is room for."""
        width, height = self.size
        if width < MIN_WIDTH or height < MIN_HEIGHT:
            return
        if self._chosen == "policies" and not self.has_unknown:
            self._chosen = "why"
            if self.focused is self.policies:
                self.set_focus(self.facts)
        wanted = panes_in_view(width, height, self._chosen, zoomed=self._is_zoomed, unknown=self.has_unknown)
        with self.app.batch_update():
            self.set_class(self._is_zoomed, "-zoomed")
            for pane in PANE_IDS:
                self.query_one(f"#{pane}", Widget).display = pane in wanted
            for own, both in COMPARED_PANES.items():
                self.query_one(f"#{both}", Widget).display = own in wanted and self.is_comparing
                self.query_one(f"#{own}", Widget).display = own in wanted and not self.is_comparing
            self.facts.list_title = DIFFERENCE if self.is_comparing else WHY_NOT
            self.query_one("#beside").display = bool(wanted & {"why", "policies"})
            self.query_one("#below").display = bool(wanted & {"replay", "why", "policies"})

    @property
    def has_unknown(self) -> bool:
        """Does the text hold a symbol that the alphabet lacks? Only then there are policies to compare."""
        return self.read is not None and bool(self.read.unknown_words)

    def focus_pane(self, pane_id: str) -> None:
        """Bring a pane into view and give it the focus."""
        if pane_id == "policies" and not self.has_unknown:
            self._notify(_(ALL_KNOWN))
            return
        if pane_id in PANE_IDS:
            self._chosen = pane_id
            self._arrange_panes()
        if self.is_comparing:
            pane_id = COMPARED_PANES.get(pane_id, pane_id)
        self.set_focus(self.query_one(f"#{pane_id}", Widget))

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Remember the pane, also when the mouse chose it; the timeline is none, and always in view."""
        own = next((own for own, both in COMPARED_PANES.items() if both == event.widget.id), event.widget.id)
        if own in PANE_IDS:
            self._chosen = own
        self._offer_keys()
        self._paint()

    def _offer_keys(self) -> None:
        """What the keys do now, in the last line."""
        actions = COMPARING if self.is_comparing else self.ACTIONS
        self.query_one(KeyBar).use_actions(TYPING if self.focused is self.area else actions)

    def action_encode(self) -> None:
        """To the text."""
        self.focus_pane("text")

    def action_pane(self, by: int) -> None:
        """To the next pane or the one before."""
        here = "timeline" if self.focused is self.timeline else self._chosen
        order = [pane for pane in FOCUS_ORDER if pane != "policies" or self.has_unknown]
        self.focus_pane(order[(order.index(here) + by) % len(order)])

    def action_go_pane(self, number: int) -> None:
        """To a pane, or the timeline, by its number."""
        self.focus_pane(FOCUS_ORDER[number - 1])

    def action_zoom(self) -> None:
        """The focused pane alone, or all again."""
        self._is_zoomed = not self._is_zoomed
        self.pair.fits_rows = not self._is_zoomed
        if self._is_zoomed:
            self.chips.styles.max_height = self.pair.styles.max_height = None
        else:
            self.chips.fit()
            self.pair.fit()
        self._arrange_panes()

    def action_help(self) -> None:
        """Explain this screen."""
        ask(self, HelpScreen(self.ACTIONS, INTRODUCTION, EXPLANATIONS), self._help_chose)

    async def _help_chose(self, action: str | None) -> None:
        if action is not None:
            await self.run_action(action)

    async def action_leave(self) -> None:
        """Leave what is in the way: a run, the zoom, the text, and last the screen."""
        if self.player.halt() or self.replay_player.halt():
            self._show_status()
        elif self._is_zoomed:
            self.action_zoom()
        elif self.focused is self.area:
            self.focus_pane("tokens")
        elif len(self.app.screen_stack) > 1:
            self.dismiss(None)
        else:  # the program was opened on a tokenizer
            await self.app.run_action("to_training")


def _is_tokenizer(pasted: str) -> bool:
    """Is a path that was pasted that of a tokenizer, by what is in the file?"""
    path = path_in(pasted)
    return path is not None and may_be_tokenizer(str(path)) and recognise(str(path)) is not None


def panes_in_view(width: int, height: int, chosen: str, *, zoomed: bool, unknown: bool) -> set[str]:
    """The panes that a terminal of this size shows; the chosen one is always among them.

    The policies are there only for a text in which a symbol is `unknown`.
    """
    if zoomed:
        return {chosen}
    lower = chosen if chosen in ("replay", "why", "policies") else "replay"
    if height < MEDIUM:
        return {"text", "tokens" if chosen == "text" else chosen}
    if width < TWO_COLUMNS:
        return {"text", "tokens", lower}
    if height < TALL:
        return {"text", "tokens", "replay", "policies" if chosen == "policies" else "why"}
    return set(PANE_IDS) if unknown else {*PANE_IDS} - {"policies"}
