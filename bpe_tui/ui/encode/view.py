"""What the encode screen shows; reading is in `encode_reading`, and what its keys do in `encode`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.getters import query_one
from textual.widget import Widget
from textual.widgets import Static

from bpe_tui.core.corpus.alphabet import is_byte_level
from bpe_tui.core.i18n import _, mark, plural
from bpe_tui.core.teaching.canonical_equivalents import look_alike_note
from bpe_tui.core.teaching.token_facts import compare_policies, token_facts
from bpe_tui.core.teaching.why_not import (
    LaterMerges,
    moment_sentence,
    still_to_fire,
    too_long_sentence,
    why_not_one_token,
)
from bpe_tui.ui.actions import Action, bindings
from bpe_tui.ui.board.arrangement import MIN_HEIGHT, MIN_WIDTH
from bpe_tui.ui.board.status_bar import StatusBar
from bpe_tui.ui.board.timeline import Timeline
from bpe_tui.ui.dialogs.dialog import EndsOnce
from bpe_tui.ui.encode.actions import ENCODE_ACTIONS
from bpe_tui.ui.encode.arrangement import MEDIUM, PANE_IDS, TALL, TWO_COLUMNS, panes_in_view
from bpe_tui.ui.encode.figures import text_figures, token_figures
from bpe_tui.ui.encode.policy_list import PolicyRows
from bpe_tui.ui.encode.replay import ReplayList, ReplayRows
from bpe_tui.ui.encode.token_chips import ChipRows, TokenChips
from bpe_tui.ui.encode.word_facts import Fact, WordFacts
from bpe_tui.ui.player import Player
from bpe_tui.ui.text import visible
from bpe_tui.ui.widgets.key_bar import KeyBar
from bpe_tui.ui.widgets.verbatim_area import VerbatimArea
from bpe_tui.ui.widgets.virtual_list import VirtualList

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from bpe_tui.core.encoding.replay import Replay
    from bpe_tui.core.encoding.tokenized_text import Figures, TokenizedText, TokenizedWord
    from bpe_tui.core.training.vocabulary import Merge
    from bpe_tui.ui.session.tokenizer import EncodeSession

PLACEHOLDER: Final = mark("Type or paste any text. Esc leaves it; then space and u go through the merges.")
LONGEST_REPLAYED: Final = 3_000
"""Characters of the longest word that is replayed: beyond them, each merge has too many places to look at."""
LONG_WORD: Final = 2_000
"""Characters of a word beyond which policies aren't compared."""


class EncodeView(EndsOnce[None]):
    """Text, tokens, replay, why and policies, all looking at one session."""

    CSS_PATH = "encode.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(ENCODE_ACTIONS)]
    ACTIONS: ClassVar[tuple[Action, ...]] = ENCODE_ACTIONS
    """What can be done here; footer, palette and help read it."""
    AUTO_FOCUS = "#text"
    status = query_one("#status", StatusBar)
    area = query_one("#text", VerbatimArea)
    chips = query_one("#tokens", TokenChips)
    replay_list = query_one("#replay", ReplayList)
    facts = query_one("#why", WordFacts)
    policies = query_one("#policies", VirtualList)
    timeline = query_one("#timeline", Timeline)

    def __init__(self, session: EncodeSession) -> None:
        super().__init__()
        self.HORIZONTAL_BREAKPOINTS = [(0, "-slim"), (MIN_WIDTH, "-narrow"), (TWO_COLUMNS, "-normal")]
        self.VERTICAL_BREAKPOINTS = [(0, "-flat"), (MIN_HEIGHT, "-short"), (MEDIUM, "-medium"), (TALL, "-tall")]
        self.session = session
        """What is looked at."""
        self.policy = session.unknown
        """How unknown symbols are treated."""
        self.allow_special = False
        """Are special tokens in the text themselves, and not plain text?"""
        self.whole_text = False
        """Does the replay show the whole text, or the word looked at?"""
        self.reading: TokenizedText | None = None
        """The text's tokens; None before there are any."""
        self.place = 0
        """Where in the text the token looked at starts."""
        self.nth = 0
        """Which one it is of the tokens that start there: the bytes of a character."""
        self.row = 0
        """Merges of the replay that are made."""
        self.too_long = 0
        """Characters of the word that is too long to be replayed; 0 if none is."""
        self.player = Player(self, session.moments, self.show_moment)
        """Moves through training."""
        self._later = LaterMerges(session.moments)
        self._note = ""
        self._unread = ""
        self._ends: list[bool] = []
        self._figures: Figures | None = None
        self._chosen = "text"
        self._zoomed = False

    def compose(self) -> ComposeResult:
        """The screen from top to bottom."""
        yield StatusBar(id="status")
        yield VerbatimArea(placeholder=_(PLACEHOLDER), id="text")
        yield TokenChips(id="tokens")
        with Horizontal(id="below"):
            yield ReplayList(id="replay")
            with Vertical(id="aside"):
                yield WordFacts(id="why")
                yield VirtualList(mark("Unknown symbols"), PolicyRows(), number="⁵", id="policies")
        yield Timeline(id="timeline")
        yield KeyBar(ENCODE_ACTIONS, id="keys")
        needed = _("This needs a terminal of at least {width} × {height} cells.")
        yield Static(Content(needed.format(width=MIN_WIDTH, height=MIN_HEIGHT)), id="too-small")

    def show_moment(self) -> None:
        """The training stands at another merge: read the text again."""
        raise NotImplementedError

    # -- what is shown ----------------------------------------------------------------------------------------

    @property
    def here(self) -> int:
        """The token looked at; -1 if there is none."""
        return -1 if self.reading is None else self.reading.cut.token_at(self.place, self.nth)

    @property
    def word(self) -> int:
        """The word looked at; -1 if there is none."""
        return -1 if self.reading is None else self.reading.cut.word_at(self.place)

    def show_figures(self) -> None:
        """Status, timeline, and the title of the text."""
        moments = self.session.moments
        figures = f"merge {moments.position}/{moments.target}  vocab {moments.vocab_size}"
        self.status.show(self.session.titles, figures, moments.state)
        self.timeline.set_state(moments.position, moments.known, moments.target, self.session.choices)
        self.timeline.playing = self.player.is_playing

    def show_reading(self) -> None:
        """The text has been read: new tokens, at the end of the replay."""
        reading = self.reading
        if reading is None:
            return
        self._note = look_alike_note(reading.text)
        self._ends = reading.cut.line_ends()
        figures = self._figures = reading.cut.figures()
        lines = reading.text.count("\n") + 1
        self._name_text(" · ".join(text_figures(figures)) if reading.text else "")
        self.area.border_subtitle = Content(plural("{count} line", "{count} lines", lines)) if lines > 1 else ""
        self._unread = ""
        self.show_chips(None)
        self.show_facts(None)

    def show_unread(self, why: str) -> None:
        """The text has no tokens yet, or cannot have any: say so where those of an earlier one are shown."""
        self._unread = why
        self._name_text(why)
        self.area.border_subtitle = ""
        self.show_chips(None)
        self.replay_list.show(ReplayRows(unread=why))
        self.facts.show((Fact(why[:1].upper() + why[1:], "muted"),), why)
        self.policies.use_source(PolicyRows((), self.policy))

    def _name_text(self, figures: str) -> None:
        """The title of the text, with figures."""
        name = f"¹{_('Text')}"
        self.area.border_title = Content(f"{name} ─ {figures}" if figures else name)

    def show_chips(self, replay: Replay | None) -> None:
        """The tokens at the moment of the replay."""
        reading = self.reading
        if reading is None:
            self.chips.show(ChipRows(unread=self._unread))
            return
        cut, fresh = self._cut_at(replay)
        self.chips.show(
            ChipRows(
                cut,
                self._ends,
                byte_level=is_byte_level(self.session.options),
                base_size=self.session.moments.base_size,
                here=cut.token_at(self.place, self.nth),
                fresh=fresh,
                parts=token_figures(self._figures, len(cut)),
                remark="" if self._unread else reading.error or self._note,
                unread=self._unread,
            )
        )

    def _cut_at(self, replay: Replay | None) -> tuple[TokenizedWord, dict[int, frozenset[int]]]:
        """The tokens at the moment of the replay, and by kind of word which of them its merge made."""
        reading, word, row = self.reading, self.word, self.row
        assert reading is not None
        cut = reading.cut
        if replay is None or row >= len(replay) or reading.error:
            return cut, {}
        if not self.whole_text:
            return cut.with_word(word, replay.shape(0, row)), {len(cut.shapes): replay.fresh(0, row)}
        changed = replay.rows[row - 1].words if row else ()
        return cut.reshaped(replay.shapes(row)), {kind: replay.fresh(kind, row) for kind in changed}

    def show_why(self, replay: Replay | None) -> None:
        """What there is to say about the token and the word looked at, at the moment of the replay."""
        reading, word = self.reading, self.word
        if self._unread:
            return
        if reading is None or word < 0 or not reading.text:
            self.facts.show([*self._moment_facts(), *map(Fact, self.session.settings)])
            return
        encoder, moments = self.session.encoder, self.session.moments
        cut = self._cut_at(replay)[0]
        tokens, here = cut.word(word), cut.token_at(self.place, self.nth)
        coming = self._next_here(replay)
        if replay is not None and coming is not None:
            said = [Fact(still_to_fire(coming, self.row, len(replay)))]
        else:
            said = [Fact(line) for line in why_not_one_token(encoder, moments, self._later, reading.text, tokens)]
        if reading.error:
            said.insert(
                0, Fact(_("The policy error refuses this text: {reason}.").format(reason=reading.error), "warn")
            )
        if tokens and here >= 0:
            name, *facts = [visible(cut.token(here).text), *token_facts(encoder, cut, here)]
            said += [
                Fact(_("{token}: {fact}").format(token=name, fact=facts[0]), "title"),
                Fact(" · ".join(facts[1:]), "muted"),
            ]
        if self.too_long:
            said.append(Fact(too_long_sentence(self.too_long, LONGEST_REPLAYED), "warn"))
        if self._note:
            said.append(Fact(self._note, "warn"))
        said += self._moment_facts()
        self.facts.show(said, visible(reading.cut.spans[word][0][:200]))

    def _moment_facts(self) -> list[Fact]:
        """Which merge led to the moment shown."""
        moments = self.session.moments
        if not 0 < moments.position < moments.known:
            return []
        return [Fact(moment_sentence(moments.merge_at(moments.position - 1)), "muted")]

    def _next_here(self, replay: Replay | None) -> Merge | None:
        """The merge that changes the word looked at next, if the replay isn't at its end for this word."""
        reading = self.reading
        if replay is None or reading is None or reading.error:
            return None
        kind = reading.cut.kinds[self.word] if self.whole_text else 0
        return next((fired.merge for fired in replay.rows[self.row :] if kind in fired.words), None)

    def show_facts(self, replay: Replay | None) -> None:
        """What there is to say about the token and the word looked at, and what policies make of it."""
        self.show_why(replay)
        reading, word = self.reading, self.word
        if reading is None or word < 0:
            self.policies.use_source(PolicyRows((), self.policy))
            return
        encoder, span = self.session.encoder, reading.cut.spans[word]
        results = compare_policies(encoder, reading.text, span) if len(span[0]) <= LONG_WORD else []
        self.policies.use_source(PolicyRows(results, self.policy, self.session.moments.base_size))

    # -- panes ------------------------------------------------------------------------------------------------

    def on_resize(self, event: events.Resize) -> None:
        """Arrange the panes for the new size."""
        self.arrange_panes()

    def arrange_panes(self) -> None:
        """Show the panes that there is room for."""
        width, height = self.size
        if width < MIN_WIDTH or height < MIN_HEIGHT:
            return
        wanted = panes_in_view(width, height, self._chosen, zoomed=self._zoomed)
        with self.app.batch_update():
            self.set_class(self._zoomed, "-zoomed")
            for pane in PANE_IDS:
                self.query_one(f"#{pane}", Widget).display = pane in wanted
            self.query_one("#aside").display = bool(wanted & {"why", "policies"})
            self.query_one("#below").display = bool(wanted & {"replay", "why", "policies"})

    def focus_pane(self, pane_id: str) -> None:
        """Bring a pane into view and give it the focus."""
        if pane_id in PANE_IDS:
            self._chosen = pane_id
            self.arrange_panes()
        self.set_focus(self.query_one(f"#{pane_id}", Widget))

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Remember the pane, also when the mouse chose it; the timeline is none, and always in view."""
        if event.widget.id in PANE_IDS:
            self._chosen = event.widget.id
