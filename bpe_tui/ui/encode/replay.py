"""The replay: the merges that fire in a word or in the whole text, in learned order, and the words after each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual.message import Message

from bpe_tui.core.display import clip
from bpe_tui.core.encoding.replay import Dropout, Replay, replay
from bpe_tui.core.i18n import _, mark, number, plural
from bpe_tui.core.readable import ARROW, CHARACTERS, PLUS, Notation
from bpe_tui.core.teaching.explain import dropped_note
from bpe_tui.ui.actions import first_key
from bpe_tui.ui.encode.actions import encode_key
from bpe_tui.ui.encode.chip_layout import chip_text
from bpe_tui.ui.encode.reading import dropout_figures
from bpe_tui.ui.tasks import Slices
from bpe_tui.ui.text import cells, segments_width, token_segments, tone_of
from bpe_tui.ui.widgets.columns import left, number_width, right
from bpe_tui.ui.widgets.virtual_list import HEADER_FROM, RowSource, VirtualList

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.widget import Widget

    from bpe_tui.core.encoding.encoder import Token
    from bpe_tui.core.encoding.tokenized_text import TokenizedText
    from bpe_tui.core.training.vocabulary import Merge
    from bpe_tui.ui.session.tokenizer import EncodeSession
    from bpe_tui.ui.themes import Palette

MARK: Final = "▸"
LINKED: Final = "•"
START: Final = mark("start")
DROPPED: Final = Style(strike=True)
"""A merge that dropout left out wherever it would have fired."""
LONGEST_REPLAYED: Final = 3_000
"""Characters of the longest word that is replayed: beyond them, each row has too many tokens to draw."""
GAP: Final = "  "
"""Between two symbols of a tree, so that a bracket has room for the token of the two."""
EXAMPLES: Final = 6
"""Words shown at most beside a merge of the whole text."""


class WordState(NamedTuple):
    """A word at one moment of the replay."""

    tokens: tuple[Token, ...]
    fresh: frozenset[int]
    """Places of the tokens that the merge of this moment made."""
    sizes: tuple[int, ...]
    """Symbols in each token."""


class ReplayRow(NamedTuple):
    """A line of the replay."""

    merge: Merge | None
    """None for the start."""
    places: int
    states: tuple[WordState, ...]
    """The word; or some of the words that the merge changed."""
    more: bool
    """It changed other words as well."""
    current: bool
    is_passed: bool
    """The merge is made at the moment shown."""
    is_linked: bool
    """It makes the token that the mouse points at, or the one looked at."""
    dropped: str = ""
    """How much of it dropout left out."""


class ReplayRows(RowSource[ReplayRow]):
    """The start, and the merges of a replay."""

    header_from = HEADER_FROM

    def __init__(
        self,
        replay: Replay | None = None,
        *,
        word: str = "",
        base_size: int = 0,
        notation: Notation = CHARACTERS,
        unread: str = "",
        dropout: Dropout | None = None,
    ) -> None:
        """The rows of a replay.

        Args:
            replay: What fires; None if nothing is replayed.
            word: The word replayed, untrusted; empty for the whole text.
            base_size: Ids below it are symbols.
            notation: Shows tokens.
            unread: Why there is no replay yet of the text as it is now.
            dropout: The merges that were left out.
        """
        self.replay = replay
        """What fires."""
        self._word = word
        self._base_size = base_size
        self._notation = notation
        self._unread = unread
        self._dropout = dropout
        self.linked = 0
        """The row of the merge that makes the token pointed at or looked at; 0 for none."""
        self._merge_width = 0
        self._number_width = 1
        self._has_results = True
        """Is the token that a merge makes written beside its pair?"""
        self._tree: tuple[tuple[int, int], ...] = ()
        """For each symbol of the word its first cell and its width, where the word is drawn as a tree."""

    @property
    def empty_text(self) -> str:
        """What is replayed may not be known yet."""
        return "" if self._unread else _("Nothing is replayed here.")

    def count(self, view: VirtualList[Any]) -> int:
        """The start and every merge."""
        return 0 if self.replay is None else len(self.replay) + 1

    def fetch(self, view: VirtualList[Any], start: int, stop: int) -> list[ReplayRow]:
        """Some rows."""
        replay = self.replay
        return [] if replay is None else [self._row(replay, row, view.cursor) for row in range(start, stop)]

    def _row(self, replay: Replay, row: int, cursor: int) -> ReplayRow:
        fired = replay.rows[row - 1] if row else None
        if self._word or fired is None:
            words: Sequence[int] = range(min(replay.word_count, EXAMPLES))
        else:
            words = fired.words
        states: dict[tuple[str, ...], WordState] = {}
        for word in words[: 4 * EXAMPLES]:
            tokens = replay.tokens(word, row)
            state = WordState(tokens, replay.fresh(word, row), replay.sizes(word, row))
            states.setdefault(tuple(token.text for token in tokens), state)
            if len(states) == EXAMPLES:
                break
        merge, places = (fired.merge, fired.places) if fired is not None else (None, 0)
        more = len(words) > 4 * EXAMPLES or (fired is None and replay.word_count > EXAMPLES)
        linked = bool(row) and row == self.linked
        dropped = "" if fired is None else dropped_note(fired)
        return ReplayRow(merge, places, tuple(states.values()), more, row == cursor, row <= cursor, linked, dropped)

    def measure(self, view: VirtualList[Any], rows: Sequence[ReplayRow]) -> object:
        """Fit the columns of number and merge."""
        merges = [row.merge for row in rows if row.merge is not None]
        self._number_width = max(number_width(*(merge.rank + 1 for merge in merges)), 1)
        widest = max(
            (cells(self._notation.merge(merge.left, merge.right)) for merge in merges), default=cells(_(START))
        )
        widest = max(widest, cells(_("merge")))
        pairs = max((cells(self._notation.pair(merge.left, merge.right)) for merge in merges), default=0)
        self._tree = self._tree_columns()
        tree_width = sum(self._tree[-1]) if self._tree else 0
        room = view.inner_width - self._number_width - 6
        self._has_results = not self._tree or widest + tree_width <= room
        if not self._has_results:
            widest = max(pairs, cells(_(START)), cells(_("merge")))
            if widest + tree_width > room:
                self._tree, self._has_results = (), True
        self._merge_width = min(widest, max(8, view.inner_width // 2 - 4)) if not self._tree else widest
        return self._number_width, self._merge_width, self._tree, bool(self._word), bool(self._unread)

    def _tree_columns(self) -> tuple[tuple[int, int], ...]:
        """The cells of each symbol of the one word that is replayed."""
        if self.replay is None or not self._word or self.replay.word_count != 1:
            return ()
        columns: list[tuple[int, int]] = []
        at = 0
        for token in self.replay.tokens(0, 0):
            width = cells(chip_text(token, self._notation))
            columns.append((at, width))
            at += width + len(GAP)
        return tuple(columns)

    def header(self, view: VirtualList[Any]) -> list[Segment]:
        """The names of the columns."""
        name = _("places, and words that it changes")
        if self._word:
            name = _("the word after it, as a tree") if self._tree else _("the word after it")
        return [Segment(f"  {right('#', self._number_width)}  {left(_('merge'), self._merge_width)}  {name}")]

    def draw(self, view: VirtualList[Any], row: ReplayRow) -> list[Segment]:
        """Mark, number, merge, state."""
        palette = view.palette
        sign = MARK if row.current else LINKED if row.is_linked else " "
        segments = [Segment(f"{sign} ", palette.accent)]
        rank = "" if row.merge is None else number(row.merge.rank + 1)
        segments.append(Segment(f"{right(rank, self._number_width)}  ", palette.muted))
        segments += self._merge(palette, row)
        segments.append(Segment("  "))
        if row.merge is not None and not self._word and (row.places or not row.dropped):
            segments.append(Segment(f"{number(row.places)}× ", palette.muted))
        if row.dropped and not self._tree:
            segments.append(Segment(f"{row.dropped}  ", palette.warn))
        for place, state in enumerate(row.states):
            if self._tree:
                segments += self._branches(palette, state, with_marks=row.is_passed)
                continue
            if place:
                segments.append(Segment("  "))
            texts = [chip_text(token, self._notation) for token in state.tokens]
            tones = [tone_of(token.id, self._base_size) for token in state.tokens]
            segments += token_segments(texts, tones, palette, state.fresh if row.is_passed else frozenset())
        if row.more:
            segments.append(Segment(" …", palette.muted))
        if row.dropped and self._tree:
            segments.append(Segment(f"  {row.dropped}", palette.warn))
        if not row.is_passed:
            segments = [Segment(segment.text, palette.muted) for segment in segments]
        return segments

    def _branches(self, palette: Palette, state: WordState, *, with_marks: bool) -> list[Segment]:
        """A word as a row of its merge tree: each token over its symbols, one just made in brackets: `╰─ug─╯`."""
        segments: list[Segment] = []
        first = at = 0
        for place, (token, size) in enumerate(zip(state.tokens, state.sizes, strict=True)):
            left_cell = self._tree[first][0]
            width = sum(self._tree[first + size - 1]) - left_cell
            segments.append(Segment(" " * (left_cell - at)))
            is_fresh = place in state.fresh and size > 1
            inside = width - 2 if is_fresh else width
            text = clip(chip_text(token, self._notation), inside)
            spare = inside - cells(text)
            line = "─" if is_fresh else " "
            style = palette.marked if is_fresh and with_marks else palette.token(tone_of(token.id, self._base_size))
            segments += [
                Segment(("╰" if is_fresh else "") + line * (spare // 2), palette.accent),
                Segment(text, palette.warn if token.unknown else style),
                Segment(line * (spare - spare // 2) + ("╯" if is_fresh else ""), palette.accent),
            ]
            at, first = left_cell + width, first + size
        return segments

    def figures(self, view: VirtualList[Any]) -> str | tuple[str, ...]:
        """What is replayed, and how far."""
        if self.replay is None:
            return self._unread
        message = plural(
            "{what} · {made} of {count} merge",
            "{what} · {made} of {count} merges",
            len(self.replay),
            what=self._notation.text(self._word) if self._word else _("the whole text"),
            made=number(max(view.cursor, 0)),
        )
        if self._dropout is None:
            return message
        dropout = dropout_figures(self._dropout)
        dropped = number(sum(fired.dropped > 0 for fired in self.replay.rows))
        return _("{merges}, {count} dropped · {dropout}").format(
            merges=message, count=dropped, dropout=dropout
        ), dropout

    def note(self, view: VirtualList[Any]) -> str:
        """How to step."""
        if self.replay is None:
            return ""
        if self._word:
            message = _("{step} steps, {undo} back, {word_or_text} whole text")
        else:
            message = _("{step} steps, {undo} back, {word_or_text} one word")
        return message.format(step=first_key("step"), undo=first_key("undo"), word_or_text=encode_key("word_or_text"))

    def _merge(self, palette: Palette, row: ReplayRow) -> list[Segment]:
        merge = row.merge
        if merge is None:
            return [Segment(left(_(START), self._merge_width), palette.muted)]
        if row.dropped and not row.places:
            notation = self._notation
            text = notation.pair(merge.left, merge.right)
            if self._has_results:
                text = notation.merge(merge.left, merge.right)
            text = clip(text, self._merge_width)
            return [
                Segment(text, palette.muted + DROPPED),
                Segment(" " * (self._merge_width - cells(text))),
            ]
        segments = [
            Segment(self._notation.token(merge.left), palette.token(tone_of(merge.left_id, self._base_size))),
            Segment(PLUS, palette.separator),
            Segment(self._notation.token(merge.right), palette.token(tone_of(merge.right_id, self._base_size))),
        ]
        if self._has_results:
            segments += [
                Segment(ARROW, palette.separator),
                Segment(self._notation.token(merge.token), palette.token(tone_of(merge.id, self._base_size))),
            ]
        spare = self._merge_width - segments_width(segments)
        if spare < 0:
            return [Segment(left("".join(segment.text for segment in segments), self._merge_width), palette.letter)]
        return [*segments, Segment(" " * spare)]


class ReplayList(VirtualList[ReplayRow]):
    """Row 0 is the start; the row of the cursor is the moment shown. Moving the cursor is stepping."""

    source: ReplayRows

    @dataclass
    class RowPointed(Message):
        """The mouse is over another row, or over none any more."""

        replay_list: ReplayList
        index: int | None

        @property
        def control(self) -> ReplayList:
            """The list."""
            return self.replay_list

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 (Textual's name)
        super().__init__(mark("Replay"), ReplayRows(), number="³", id=id)

    def show(self, rows: ReplayRows) -> None:
        """Show a replay at its end."""
        self.source = rows
        end = len(rows.replay or ())
        if self.size:
            self.adopt_count()
            self.cursor = end
            self.show_row(end)
        else:
            self.cursor = end
        self.reload()

    @property
    def replay(self) -> Replay | None:
        """What is shown."""
        return self.source.replay

    @property
    def merges_made(self) -> int:
        """Merges of the replay that are made at the moment shown."""
        return max(self.cursor, 0)

    def next_merge(self, word: int) -> Merge | None:
        """The next merge that changes a distinct word; None if there is no replay, or none to come."""
        replay = self.replay
        rows = range(self.merges_made + 1, len(replay or ()) + 1)
        return next(
            (replay.rows[row - 1].merge for row in rows if replay is not None and _fires(replay, word, row)), None
        )

    def step(self, rows: int) -> None:
        """Make some merges more or less, as the learner asks."""
        if self.replay is not None:
            self.point_at(self.cursor + rows)

    def link(self, row: int) -> None:
        """Mark the row of the merge that makes a token; 0 for none."""
        if row != self.source.linked:
            self.source.linked = row
            self.reload()

    def row_making(self, token: int | None, word: int) -> int:
        """The last row made so far whose merge makes a token in a distinct word; 0 if none does."""
        replay = self.replay
        if replay is None:
            return 0
        rows = range(min(self.merges_made, len(replay)), 0, -1)
        return next((row for row in rows if replay.rows[row - 1].merge.id == token and _fires(replay, word, row)), 0)

    def watch_hover(self, old: int | None, new: int | None) -> None:
        """Repaint the two rows, and post which one is under the mouse."""
        super().watch_hover(old, new)
        self.post_message(self.RowPointed(self, new))

    def watch_cursor(self, old: int, new: int) -> None:
        """Rows from one to the other are passed now, or no longer."""
        self.reload()


def _fires(replay: Replay, word: int, row: int) -> bool:
    """Does the merge of a row change a distinct word? One that was dropped there does not."""
    fired = replay.rows[row - 1]
    return word in fired.words and (not fired.dropped or bool(replay.fresh(word, row)))


class Replayer:
    """Replays the word looked at or the whole text, in slices, so that keys are answered meanwhile."""

    def __init__(
        self,
        owner: Widget,
        session: EncodeSession,
        *,
        begun: Callable[[], None],
        waiting: Callable[[], None],
        done: Callable[[Replay | None], None],
    ) -> None:
        """`begun`: something else is replayed now; `waiting`: that takes a while; `done` gets None if it can't be."""
        self._session = session
        self._begun = begun
        self._waiting = waiting
        self._done = done
        self._slices: Slices[Replay] = Slices(owner, done)
        self._replayed: object = None
        """What was replayed last, of the text as it was read last; None if nothing was."""
        self.whole_text = False
        """Is the whole text replayed, or the word looked at?"""
        self.too_long = 0
        """Characters of the word that is too long to be replayed; 0 if none is."""

    @property
    def is_running(self) -> bool:
        """Is a replay under way?"""
        return self._slices.is_running

    def drop(self) -> None:
        """Give up what is under way."""
        self._slices.drop()

    def forget(self) -> None:
        """The text was read again: what was replayed last is no longer shown."""
        self._replayed = None

    def run(self, tokenized: TokenizedText, word: int, policy: str, steps: Replay | None = None) -> None:
        """Replay the word (-1: there is none) or the whole text, unless that was done last.

        `steps` is how all words merged, where dropout left merges out: another replay would be another chance.
        """
        wanted = (self.whole_text, None if self.whole_text else word)
        if wanted == self._replayed:
            return
        self._replayed = wanted
        self._begun()
        self._slices.drop()
        self.too_long = 0
        if word < 0:
            self._done(None)
            return
        spans, times = tokenized.occurrences() if self.whole_text else ([tokenized.spans[word]], [1])
        longest = max((len(span[0]) for span in spans), default=0)
        if longest > LONGEST_REPLAYED:
            self.too_long = longest
            self._done(None)
            return
        if steps is not None:
            self._done(steps if self.whole_text else steps.of_word(word))
            return
        if policy == "error":
            policy = "token"  # it has no tokens of its own for unknown symbols
        self._slices.run(replay(self._session.encoder, spans, times, policy))
        if self._slices.is_running:
            self._waiting()
