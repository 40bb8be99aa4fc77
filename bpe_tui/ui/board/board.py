"""The board: panes over one session, a timeline, sentences and keys.

What keys mean, and what of the moment is shown, is up to its mode.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.getters import query_one
from textual.widget import Widget
from textual.widgets import Input

from bpe_tui.core.display import displayable
from bpe_tui.core.i18n import _
from bpe_tui.ui.actions import FILTERING, MOVING, TYPING, first_key
from bpe_tui.ui.board.algorithm import Algorithm, AlgorithmLine
from bpe_tui.ui.board.arrangement import (
    NARRATION,
    PANE_IDS,
    AlgorithmView,
    Arrangement,
    arrange,
    arrange_with_narration,
    usual_algorithm_view,
)
from bpe_tui.ui.board.curve import Curve
from bpe_tui.ui.board.encode_line import EncodeLine
from bpe_tui.ui.board.explanation import BULLETS, WARNING, Explanation, Sentences
from bpe_tui.ui.board.merges import MergeLog
from bpe_tui.ui.board.modes import Free, Mode, Travelling
from bpe_tui.ui.board.motion import Motion
from bpe_tui.ui.board.pairs import PairList
from bpe_tui.ui.board.revealed import Revealed
from bpe_tui.ui.board.session_list import SessionList
from bpe_tui.ui.board.status_bar import StatusBar
from bpe_tui.ui.board.timeline import Timeline
from bpe_tui.ui.board.vocabulary import VocabularyList
from bpe_tui.ui.board.words import WordList
from bpe_tui.ui.dialogs.dialog import ask, is_on_top
from bpe_tui.ui.messages import MomentSelected, PairSelected, TokenSelected, WordSelected
from bpe_tui.ui.player import Pace, Player
from bpe_tui.ui.session.token_display import STYLE_SENTENCES
from bpe_tui.ui.widgets.filter_line import FilterLine
from bpe_tui.ui.widgets.key_bar import KeyBar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.geometry import Size

    from bpe_tui.ui.actions import Action
    from bpe_tui.ui.session.token_display import TokenDisplay
    from bpe_tui.ui.session.training import Session


class Pane(Protocol):
    """What the board asks of each of its panes."""

    def show_session(self, session: Session, revealed: Revealed) -> None:
        """Look at another session from now on."""

    def show_moment(self, revealed: Revealed) -> None:
        """Look at the session again: another moment is shown, or more of it is revealed."""


_FRAME: Final = 3
"""Lines of a list beside its rows: the frame and the heads of its columns."""


class Board(Vertical):
    """Corpus, pairs, vocabulary, merges, algorithm and curve, as many as there is room for, and what is around them."""

    status = query_one("#status", StatusBar)
    body = query_one("#body", Container)
    panes = query_one("#panes", Container)
    words = query_one("#corpus", WordList)
    pairs = query_one("#pairs", PairList)
    vocabulary = query_one("#vocabulary", VocabularyList)
    merges = query_one("#merges", MergeLog)
    algorithm = query_one("#algorithm", Algorithm)
    algorithm_line = query_one("#algorithm-line", AlgorithmLine)
    curve = query_one("#curve", Curve)
    timeline = query_one("#timeline", Timeline)
    explanation = query_one("#explanation", Explanation)
    encode_line = query_one("#encode", EncodeLine)
    filter_line = query_one("#filter-line", FilterLine)
    keys = query_one("#keys", KeyBar)

    def __init__(
        self,
        footer: Callable[[], Sequence[Action]],
        display: TokenDisplay,
        pace: Pace,
        *,
        narration: Widget | None = None,
        question: Callable[[Session], Mode | None] = lambda session: None,
        moment_shown: Callable[[], object] = lambda: None,
    ) -> None:
        """A board without a session.

        Args:
            footer: What the last line offers while nothing special is under way.
            display: How the tokens of its sessions are shown.
            pace: How fast merges are played.
            narration: Stands beside the panes and is one more of them: itself or a widget in it has the id `NARRATION`.
            question: The mode of a moment in which the screen asks something; None if it asks nothing.
            moment_shown: Called when the panes show another moment.
        """
        super().__init__(id="board")
        self.session: Session | None = None
        """What is looked at; None until the first corpus is open."""
        self.player: Player | None = None
        """Moves the session's trainer through many merges."""
        self.mode: Mode | None = None
        """What keys mean now, and what is revealed; None without a session."""
        self.revealed = Revealed()
        """What may be shown of the moment."""
        self.motion = Motion(self, self._show_frame)
        """Carries what a merge or a count has just changed."""
        self.usual_footer = footer
        """What the last line offers while nothing special is under way."""
        self.token_display = display
        """How tokens are shown."""
        self.pace = pace
        """How fast merges are played."""
        self.greeting = ""
        """Said before the first merge instead of how to begin."""
        self.loading_text = ""
        """What is being opened and how far it is, in the place of the title; empty if nothing is."""
        self.focused_pane = NARRATION if narration is not None else "pairs"
        """Id of the pane that has the focus, or had it last."""
        self.about = "pairs"
        """Id of the pane that is in view beside a narration that has the focus."""
        self.offered_panes: tuple[str, ...] = PANE_IDS
        """Ids of the panes that there are."""
        self._narration = narration
        self._question = question
        self._moment_shown = moment_shown
        self._free: Mode | None = None
        self.is_zoomed = False
        """Is the focused pane alone?"""
        self._arranged: Arrangement | None = None
        self._algorithm_view: AlgorithmView | None = None
        """The view of the algorithm that the learner chose; None for the usual one."""
        self._needs: dict[str, int] = {}
        """The most lines that each pane has needed so far, of this corpus and in this size: panes don't jump."""
        self._sentence_lines = 0
        """The most lines that sentences have needed so far, of this corpus and in this size: panes don't jump."""
        self._notice: Sentences | None = None

    def compose(self) -> ComposeResult:
        """The board from top to bottom."""
        yield StatusBar(id="status")
        with Container(id="body"):
            if self._narration is not None:
                yield self._narration
            # The columns of the first moment: a class that is set later has the styles of all panes computed anew.
            columns = arrange(*self.app.size, PANE_IDS[0]).columns
            with Container(id="panes", classes=f"-columns-{columns}"):
                yield WordList(id="corpus")
                yield PairList(id="pairs")
                yield VocabularyList(id="vocabulary")
                yield MergeLog(id="merges")
                yield Algorithm(id="algorithm")
                yield Curve(id="curve")
        yield AlgorithmLine(id="algorithm-line")
        yield Timeline(id="timeline")
        yield Explanation(id="explanation")
        yield EncodeLine(id="encode")
        yield FilterLine(id="filter-line")
        yield KeyBar((), id="keys")

    # -- the moment shown -------------------------------------------------------------------------------------

    @property
    def all_panes(self) -> Sequence[Pane]:
        """The panes, those out of view included."""
        return (self.words, self.pairs, self.vocabulary, self.merges, self.algorithm, self.curve)

    def show_session(self, session: Session) -> None:
        """Look at another session from now on."""
        if self.player is not None:
            self.player.halt()
        self.session = session
        session.display = self.token_display
        self.player = Player(self, session.trainer, self.refresh_moment, self.pace)
        self._free = Free(self, session)
        self.mode = self.usual_mode()
        self.revealed = self.mode.revealed()
        self._sentence_lines = 0
        self._needs.clear()
        for pane in self.all_panes:
            pane.show_session(session, self.revealed)
        self.encode_line.show_session(session)
        self.refresh_moment()

    def usual_mode(self) -> Mode:
        """The mode of this moment if nothing is played and nothing moves by itself."""
        assert self.session is not None
        assert self._free is not None
        return self._question(self.session) or self._free

    def refresh_moment(self) -> None:
        """Show the trainer's current moment: each visible pane looks at it again."""
        if self.mode is None:
            return
        self.mode = self.mode.at_moment()
        revealed = self.mode.revealed()
        if self.revealed.counts and not revealed.counts:
            self.pairs.filter_text = ""  # a question begins with all pairs
        was_hidden, self.revealed = self.revealed.hidden_panes, revealed
        if was_hidden != revealed.hidden_panes:
            self.arrange_panes()
        for pane in self.all_panes:
            pane.show_moment(revealed)
        if self._narration is None:
            self._size_panes()
        if self.session is not None and self.algorithm_line.display:
            self.algorithm_line.show_moment(self.session, revealed)
        self.encode_line.reload()
        self.refresh_frame()
        self._moment_shown()

    def action_token_style(self) -> None:
        """Show tokens in the next style."""
        if self.session is not None:
            style = self.token_display.use_next(self.session.options)
            self.refresh_tokens()
            self.show_notice(_(STYLE_SENTENCES[style]), "▸")

    def refresh_tokens(self) -> None:
        """Draw all tokens again: they may be shown in another style."""
        for pane in (self.words, self.pairs, self.vocabulary, self.merges, self.algorithm):
            pane.refresh()
        self.refresh_moment()

    def carry_change(self) -> None:
        """Let a short motion carry what has just changed: merged words, and counts."""
        self.motion.begin()
        self._take_frame()

    def _show_frame(self) -> None:
        self._take_frame()
        for pane in (self.words, self.pairs):
            pane.show_moment(self.revealed)

    def _take_frame(self) -> None:
        self.words.source.motion = self.pairs.source.motion = self.motion.share

    def end_motion(self) -> None:
        """All is shown as it stays, once what comes next is done: a step shows all anew by itself."""
        if self.motion.stop():
            self._take_frame()
            self.call_later(self._show_rest)

    def _show_rest(self) -> None:
        if self.motion.share == 1.0:
            self._show_frame()

    def refresh_frame(self) -> None:
        """Show what is around the panes: status, timeline, sentences and keys."""
        self.refresh_keys()
        session, mode = self.session, self.mode
        if session is None or mode is None:
            self.status.show_title(self.loading_text)
            return
        trainer, shown, withheld = session.trainer, self.revealed.merges, self.revealed.withheld
        titles = (self.loading_text,) if self.loading_text else mode.titles(session.titles)
        self.status.show_timeline(titles, trainer, withheld)
        choices = [number for number in trainer.own_choices if number <= shown]
        self.timeline.set_state(trainer.position, shown, trainer.target, choices)
        self.timeline.playing = self.is_moving
        self.refresh_sentences()

    def refresh_keys(self) -> None:
        """Offer what can be done now."""
        focused = self.screen.focused
        if focused is self.encode_line.input or focused is self.filter_line.input:
            actions = TYPING if focused is self.encode_line.input else FILTERING
            # While merges go by themselves, escape stops those first.
            self.keys.use_actions([MOVING[0] if self.is_moving and one.id == "leave" else one for one in actions])
        else:
            self.keys.use_actions(self.usual_footer() if self.mode is None else self.mode.footer())

    def back_to_leader(self) -> None:
        """Look at the leader again, at the top of the ranking."""
        if self.session is not None:
            self.session.selected = self.session.token = None
        self.pairs.scroll_first(0)
        self.pairs.cursor = 0
        self.merges.follow()

    def look_at_pair(self, pair: tuple[int, int] | None) -> None:
        """The learner looks at another pair, or at the leader again: mark it in the words, and say where it occurs."""
        session = self.session
        if session is None or pair == session.selected or not (pair is None or session.knows(pair)):
            return
        session.selected, session.token = pair, None
        if self.revealed.counts:  # else all words are listed, and stay where they are
            self.words.scroll_first(0)
        self.words.reload()
        self.refresh_sentences()

    def look_at_token(self, token: int) -> None:
        """The learner looks at a token of the vocabulary: say what it is."""
        if self.session is not None and self.session.trainer.has_token(token):
            self.session.token = token
            self.refresh_sentences()

    # -- what is said -----------------------------------------------------------------------------------------

    def refresh_sentences(self) -> None:
        """Say what happened and what comes next; or in the place of what happened, what has to be read first."""
        if self.mode is None:
            return
        sentences = self.mode.sentences()
        if self._notice is not None:
            notice = self._notice
            bullets = (notice.bullets[0], sentences.bullets[1])
            self.explanation.show(Sentences(notice.done, sentences.following, bullets), is_notice=True)
            return
        self.explanation.show(sentences)
        if self.explanation.lines_needed > self._sentence_lines:
            self._sentence_lines = self.explanation.lines_needed
            self.arrange_panes()

    def show_notice(self, sentence: str, bullet: str = BULLETS[0]) -> None:
        """Show a sentence in place of what happened, until the next key or click; over a dialog as a toast."""
        if self.session is None or not is_on_top(self.screen):
            self.app.notify(displayable(sentence), markup=False, timeout=6)
        else:
            self._notice = Sentences(sentence, "", (bullet, BULLETS[1]))
            self.refresh_sentences()

    def warn(self, sentence: str) -> None:
        """Say that something cannot be done."""
        self.show_notice(sentence, WARNING)

    @property
    def notice(self) -> str:
        """The sentence shown until the next key or click; empty if there is none."""
        return self._notice.done if self._notice is not None else ""

    def forget_notice(self) -> None:
        """It has been read."""
        if self._notice is not None:
            self._notice = None
            self.refresh_sentences()

    def refuses(self, why: str) -> bool:
        """Would something give an answer away that is withheld? Then it is not to be shown, and a sentence says why."""
        if self.mode is None or (self.revealed.counts and self.revealed.ties):
            return False
        self.warn(self.mode.refusal(why))
        return True

    # -- moving through training ------------------------------------------------------------------------------

    def action_step(self) -> None:
        """One merge forward."""
        if self.mode is not None:
            self.mode.step()

    def action_undo(self) -> None:
        """One merge back."""
        if self.mode is not None:
            self.mode.undo()

    def action_phase(self) -> None:
        """One phase forward."""
        if self.mode is not None:
            self.mode.phase()

    def action_phase_back(self) -> None:
        """One phase back."""
        if self.mode is not None:
            self.mode.phase_back()

    def action_step_ten(self) -> None:
        """Ten merges forward."""
        if self.session is not None:
            self.go(self.session.trainer.position + 10)

    def action_undo_ten(self) -> None:
        """Ten merges back."""
        if self.session is not None:
            self.go(max(0, self.session.trainer.position - 10))

    def action_run(self) -> None:
        """Run to the target."""
        self.go(None)

    def action_reset(self) -> None:
        """Back to the start."""
        self.go(0)

    def go(self, merges: int | None) -> None:
        """Go to the moment after that many merges; None is the target."""
        if self.session is not None:
            self.end_motion()
            self.session.by_phase = False
            self.back_to_leader()
            self._travel(merges)

    def _travel(self, merges: int | None) -> None:
        if self.player is not None and self.mode is not None:
            self.mode = self.mode if isinstance(self.mode, Travelling) else Travelling(self.mode)
            self.player.go(merges)

    def action_play(self) -> None:
        """Play or pause."""
        if self.mode is not None:
            self.mode.play()

    def play(self, forward: Callable[[], bool]) -> None:
        """Make merges by `forward` until it returns False."""
        if self.player is not None and self.mode is not None:
            self.mode = Travelling(self.mode)
            self.player.play(forward)

    @property
    def is_moving(self) -> bool:
        """Are merges made or undone by themselves?"""
        return self.player is not None and self.player.is_moving

    def stop(self) -> bool:
        """Whatever goes by itself stops, and the panes show where; False if nothing did."""
        if self.player is None or not self.player.halt():
            return False
        self.refresh_moment()
        return True

    def pause(self) -> Callable[[], None] | None:
        """Stop for a while: returns what resumes it; None if nothing went by itself."""
        player = self.player
        resume = player.pause() if player is not None else None
        if resume is None:
            return None
        self.refresh_moment()

        def go_on() -> None:
            if self.player is player and self.mode is not None and not self.is_moving:
                self.mode = Travelling(self.mode)
                resume()

        return go_on

    def action_faster(self) -> None:
        """Play faster."""
        self._change_speed(1)

    def action_slower(self) -> None:
        """Play slower."""
        self._change_speed(-1)

    def _change_speed(self, by: int) -> None:
        if self.player is not None:
            self.pace.change(by)
            self.player.keep_pace()
            self.refresh_frame()

    @on(MomentSelected)
    def _go_to_moment(self, event: MomentSelected) -> None:
        self.go(event.number)

    @on(Timeline.ButtonPressed)
    async def _press_button(self, event: Timeline.ButtonPressed) -> None:
        await self.run_action(event.button)

    # -- choosing and asking ----------------------------------------------------------------------------------

    @on(PairSelected)
    def _choose(self, event: PairSelected) -> None:
        if self.mode is not None:
            self.mode.choose(event.pair)

    def action_turn(self) -> None:
        """Begin a turn, or end it."""
        if self.mode is not None:
            self.mode.turn()

    def action_guess(self) -> None:
        """Guess the pair under the cursor, or merge the answer and ask the next question."""
        self.pairs.action_select()

    def action_go_to(self) -> None:
        """Ask for the number of a merge."""
        # Dialogs are imported when they open: together they are a twentieth of the time until the first paint.
        from bpe_tui.ui.dialogs.go_to import GoToDialog

        if self.session is not None:
            trainer = self.session.trainer
            ask(self.screen, GoToDialog(trainer.position, max(trainer.target, trainer.known)), self._go_if_asked)

    def _go_if_asked(self, merges: int | None) -> None:
        if merges is not None:
            self.go(merges)

    def action_ties(self) -> None:
        """Show who would win under each tie rule."""
        from bpe_tui.ui.dialogs.ties import TiesDialog

        if self.session is not None and not self.refuses(
            _("Who wins under each tie rule would give the answer away. Guess first, or leave with {turn}.").format(
                turn=first_key("turn")
            )
        ):
            self.stop()
            ask(self.screen, TiesDialog(self.session), self._use_ties)

    def _use_ties(self, chosen: tuple[str, bool] | None) -> None:
        if chosen is None or self.session is None:
            return
        rule, from_start = chosen
        position = self.session.trainer.position
        if from_start:
            self.session.trainer.goto(0)
        self.session.set_ties(rule)
        self.back_to_leader()
        self._travel(position)

    @on(TokenSelected)
    def _show_token(self, event: TokenSelected) -> None:
        """Show where a token came from."""
        from bpe_tui.ui.dialogs.token import TokenDialog

        if self.session is not None and self.session.trainer.has_token(event.token):
            self.stop()
            ask(self.screen, TokenDialog(self.session, event.token), self._go_if_asked)

    @on(WordSelected)
    def _show_word(self, event: WordSelected) -> None:
        """Show how a word came to be split as it is."""
        from bpe_tui.ui.dialogs.word_history import LONGEST, WordHistoryDialog

        session = self.session
        if session is None or event.word >= session.trainer.word_count:
            return
        if len(session.trainer.words.words[event.word]) > LONGEST:
            self.warn(_("This word is too long for its history to be listed."))
            return
        self.stop()
        ask(self.screen, WordHistoryDialog(session, event.word), self._go_if_asked)

    # -- panes ------------------------------------------------------------------------------------------------

    @property
    def pane_ids(self) -> tuple[str, ...]:
        """Ids of the panes that can be shown now, in the order of their keys."""
        hidden = set(self.revealed.hidden_panes)
        if self.algorithm_view is not AlgorithmView.FULL:
            hidden.add("algorithm")
        return tuple(pane for pane in self.offered_panes if pane not in hidden)

    def arrange_panes(self, size: Size | None = None) -> None:
        """Show the panes that there is room for, the focused one among them; `size` is new, if it is given."""
        if size is not None:
            self._sentence_lines = 0
            self._needs.clear()
        width, height = size or self.screen.size
        if self._narration is None:
            lines = self._sentence_lines
            wanted = arrange(
                width,
                height,
                self.focused_pane,
                zoomed=self.is_zoomed,
                sentences=lines,
                needs=self._needs,
                algorithm=self.algorithm_view,
            )
        else:
            panes = self.pane_ids
            if self.focused_pane not in (NARRATION, *panes):
                self.focus_pane(NARRATION)
            wanted = arrange_with_narration(
                width, height, self.focused_pane, self.about, panes=panes, zoomed=self.is_zoomed
            )
        if wanted != self._arranged:
            self._arranged = wanted
            self._use_arrangement(wanted)
            self.call_after_refresh(self.refresh_moment)

    def _size_panes(self) -> None:
        """Let panes have the size of what they hold, where that makes room for others; they only ever grow."""
        if self._arranged is None or self._arranged.columns == 1 or self.is_zoomed:
            return
        for pane in (self.words, self.pairs, self.vocabulary, self.merges):
            self._needs[str(pane.id)] = max(pane.row_count + _FRAME, self._needs.get(str(pane.id), 0))
        self._needs["algorithm"] = self.algorithm.row_count + _FRAME - 1  # its lines have no head
        self.arrange_panes()

    @property
    def algorithm_view(self) -> AlgorithmView:
        """How much of the algorithm is in view; beside a narration all of it, if the lesson offers it."""
        if self._narration is not None or self.session is None:
            return AlgorithmView.FULL
        return self._algorithm_view or usual_algorithm_view(self.screen.size.width, self.session.trainer.word_count)

    def _use_arrangement(self, wanted: Arrangement) -> None:
        for columns in (1, 2, 3):
            self.panes.set_class(columns == wanted.columns, f"-columns-{columns}")
        for pane in self.panes.children:
            pane.display = pane.id in wanted.panes
        self.panes.display = bool(wanted.panes)
        self.panes.set_class(wanted.algorithm is not AlgorithmView.FULL, "-no-algorithm")
        self.panes.styles.grid_rows = " ".join(map(str, wanted.heights)) or "1fr"
        self.algorithm_line.display = wanted.algorithm is AlgorithmView.LINE
        self.explanation.styles.height = wanted.explanation_height
        if self._narration is not None:
            self._narration.display = wanted.shows_narration
            self._narration.styles.width = wanted.narration_width or "1fr"
            is_beside = wanted.narration_width is not None
            self.body.set_class(wanted.shows_narration and bool(wanted.panes) and not is_beside, "-stacked")

    def focus_pane(self, pane_id: str) -> None:
        """Bring a pane into view and give it the focus."""
        self.focused_pane = pane_id
        self.arrange_panes()
        self.screen.set_focus(self.query_one(f"#{pane_id}", Widget))

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Remember the pane, also when the mouse chose it."""
        if self._narration is not None and self._narration in event.widget.ancestors_with_self:
            self.focused_pane = NARRATION
        elif event.widget.id in PANE_IDS:
            self.focused_pane = self.about = event.widget.id
        self.refresh_keys()

    @property
    def focused_list(self) -> SessionList[object] | None:
        """The list that has the focus, or had it last; None for another pane."""
        pane = self.query_one(f"#{self.focused_pane}", Widget)
        return pane if isinstance(pane, SessionList) else None

    def action_go_pane(self, number: int) -> None:
        """To a pane by its number; 0 is the narration."""
        pane = PANE_IDS[number - 1] if number else NARRATION
        if pane in self.revealed.hidden_panes and self.mode is not None:
            self.warn(self.mode.refusal(_("This pane would give the answer away.")))
        elif number and pane not in self.offered_panes:
            self.warn(_("The lesson shows this pane later."))
        else:
            self._end_filter(keep=True)
            if pane == "algorithm" and self._narration is None:
                self._show_algorithm()
            else:
                self.focus_pane(pane)

    def _show_algorithm(self) -> None:
        """To the algorithm if it is in view; pressed again, the next view of it: all, one line, nothing."""
        view = self.algorithm_view
        if view is AlgorithmView.FULL and self.focused_pane != "algorithm":
            self.focus_pane("algorithm")
            return
        self._algorithm_view = view.next
        self.focus_pane("algorithm" if view.next is AlgorithmView.FULL else "pairs")
        self.refresh_moment()

    def action_pane(self, by: int) -> None:
        """To the next pane or the one before."""
        panes = self.pane_ids if self._narration is None else (NARRATION, *self.pane_ids)
        pane = panes[(panes.index(self.focused_pane) + by) % len(panes)]
        self.action_go_pane(PANE_IDS.index(pane) + 1 if pane in PANE_IDS else 0)

    def action_word_order(self) -> None:
        """All words in their own order, or only those that matter now."""
        if self.session is not None and not self.words.toggle_order():
            self.show_notice(_("The corpus is listed as it is: there is nothing to switch here."))

    def action_zoom(self) -> None:
        """The focused pane alone, or all again."""
        self.is_zoomed = not self.is_zoomed
        self.arrange_panes()

    # -- inputs -----------------------------------------------------------------------------------------------

    def action_encode(self) -> None:
        """To the encode input."""
        self._end_filter(keep=True)
        self.screen.set_focus(self.encode_line.input)

    def action_filter(self) -> None:
        """Filter the focused list."""
        focused = self.focused_list
        if focused is not None and self.session is not None:
            self.filter_line.name_list(_(focused.list_title))
            with self.prevent(Input.Changed):
                self.filter_line.input.value = focused.filter_text
            self.add_class("-filtering")
            self.call_after_refresh(self.screen.set_focus, self.filter_line.input)

    def action_sort(self) -> None:
        """Sort the focused list by its next column."""
        focused = self.focused_list
        if focused is not None and self.session is not None and focused.source.sort_columns:
            column = focused.sort_by_next()
            sentence = _("Back in its own order.")
            if column:
                sentence = _("Sorted by {column}; {reverse} turns the order round.")
                sentence = sentence.format(column=_(column.name), reverse=first_key("reverse"))
            self.show_notice(sentence)

    def action_reverse(self) -> None:
        """The order of the focused list the other way round."""
        if self.session is not None and (focused := self.focused_list) is not None:
            focused.reverse_order()

    @on(Input.Changed, "#filter-input")
    def _filter(self, event: Input.Changed) -> None:
        """Filter while typing."""
        if (focused := self.focused_list) is not None:
            focused.filter_text = event.value

    @on(Input.Submitted, "#filter-input")
    def _keep_filter(self) -> None:
        """Enter keeps the filter."""
        self._end_filter(keep=True)
        self.focus_pane(self.focused_pane)

    def _end_filter(self, *, keep: bool) -> None:
        self.remove_class("-filtering")
        if not keep and (focused := self.focused_list) is not None:
            focused.filter_text = ""

    def leave(self) -> None:
        """Leave whatever is in the way: a run, an input, a filter, a turn, a zoom, a pair looked at."""
        focused = self.focused_list
        if self.stop():
            pass
        elif self.has_class("-filtering"):
            self._end_filter(keep=False)
            self.focus_pane(self.focused_pane)
        elif self.screen.focused is self.encode_line.input:
            self.focus_pane(self.focused_pane)
        elif focused is not None and focused.filter_text:
            focused.filter_text = ""
        elif self.mode is not None and self.mode.leave():
            pass
        elif self.is_zoomed:
            self.action_zoom()
        else:
            self.back_to_leader()
            self.refresh_moment()
