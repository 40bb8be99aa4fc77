"""The corpus: its words as they are split now, with the pair in question marked in each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from rich.segment import Segment
from rich.style import Style

from bpe_tui.core.i18n import _, mark, number, plural
from bpe_tui.core.teaching.overlap import overlap_in, overlap_of
from bpe_tui.core.training.states import Phase
from bpe_tui.ui.board.session_list import SessionList, SessionRows
from bpe_tui.ui.text import SEPARATOR, cells, tone_of
from bpe_tui.ui.widgets.columns import number_width, right

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from bpe_tui.core.training.rows import WordRow
    from bpe_tui.core.training.word_occurrences import WordOccurrences
    from bpe_tui.ui.widgets.virtual_list import VirtualList

CHANGED: Final = "•"
"""Before a word that the last merge changed."""
JOINT: Final = "+"
"""Between the two tokens of the marked pair, instead of the separator."""
FEW_WORDS: Final = 2_000
"""Up to this many words the count of the next pair is always broken down by words."""


@dataclass(frozen=True, slots=True)
class WordLine:
    """A word, with what its drawing depends on beside itself."""

    row: WordRow
    texts: tuple[str, ...]
    """The texts of its tokens; an id may be another token's by the time that it is drawn."""
    pair: tuple[int, int] | None
    """The pair to mark; None if the word doesn't hold it."""
    made: int | None
    """Id of the token that the last merge made in this word; None if it didn't change the word."""


class WordRows(SessionRows[WordLine]):
    """The words of the corpus in order of first appearance."""

    def __init__(self) -> None:
        super().__init__(mark("There are no words here."))
        self._count_width = 5
        self._pair_words: WordOccurrences | None = None
        self._listed: Sequence[int] | npt.NDArray[np.int64] | None = None
        """Indices of the words listed; None for all."""
        self._found: Sequence[int] | npt.NDArray[np.int64] = ()
        self._found_for: tuple[object, str] | None = None

    def count(self, view: VirtualList[Any]) -> int:
        """All words; those that hold the filter's text; or those that hold the pair looked at."""
        session = self.session
        self._pair_words = self._count_pair()
        self._listed = None
        if self.filter_text:
            self._listed = self._find()
        elif session.selected is not None and self._pair_words is not None:
            self._listed = self._pair_words.indices
        return session.trainer.word_count if self._listed is None else len(self._listed)

    def fetch(self, view: VirtualList[Any], start: int, stop: int) -> list[WordLine]:
        """The words in view."""
        session = self.session
        trainer = session.trainer
        listed = self._listed
        indices = range(start, stop) if listed is None else [int(index) for index in listed[start:stop]]
        focused = self._focused_pair
        last = trainer.last_step
        made = last.merge.id if last is not None else -1
        # A new token occurs only in words that its merge changed; a reused one may have been there before.
        changed = set(trainer.words_changed().indices.tolist()) if last is not None and last.reused else None
        # A word may be a whole file; a token and what parts it from the next take two cells at least.
        limit = (view.inner_width + view.pan) // 2 + 2
        texts_by_id = trainer.texts
        lines = []
        for index in indices:
            row = trainer.word(index, limit)
            tokens = row.tokens
            is_changed = made in tokens and (changed is None or index in changed)
            pair = focused if focused is not None and holds(tokens, focused) else None
            texts = tuple([texts_by_id[token] for token in tokens])
            lines.append(WordLine(row, texts, pair, made if is_changed else None))
        return lines

    def measure(self, view: VirtualList[Any], rows: Sequence[WordLine]) -> object:
        """The count column grows with the counts in view."""
        self._count_width = max(5, number_width(*(line.row.count for line in rows)))
        return self._count_width

    def draw(self, view: VirtualList[Any], row: WordLine) -> list[Segment]:
        """`• 10  h·u+g`."""
        palette, base_size, width, notation = view.palette, self.base_size, view.inner_width, self.notation
        segments = [
            Segment(CHANGED if row.made is not None else " ", palette.new),
            Segment(right(number(row.row.count), self._count_width) + "  ", palette.muted),
        ]
        add = segments.append
        room = width + view.pan + 1
        made_style = Style(bold=True)
        tokens = row.row.tokens
        marked_until = -1
        for at, token in enumerate(tokens):
            joined = at <= marked_until
            if at:
                add(Segment(JOINT, palette.marked) if joined else Segment(SEPARATOR, palette.separator))
            if not joined and row.pair is not None and tokens[at : at + 2] == row.pair:
                joined = True
                marked_until = at + 1
            text = notation.token(row.texts[at])
            if joined:
                style = palette.marked
            else:
                style = palette.token(tone_of(token, base_size))
                if token == row.made:
                    style += made_style
            add(Segment(text, style))
            room -= cells(text) + 1
            if room < 0:
                return segments
        if row.pair is not None and (lens := overlap_in(tokens, row.pair)) is not None:
            figures = {"counted": number(lens.counted), "replaced": number(lens.replaced)}
            text = "   " + _("counted {counted}, replaced {replaced}").format(**figures)
            if sum(cells(segment.text) for segment in segments) + cells(text) > width:
                text = "  " + _("{counted}, but {replaced} merge").format(**figures)
            if sum(cells(segment.text) for segment in segments) + cells(text) > width + view.pan:
                text = ""  # part of a number would be another number
            add(Segment(text, palette.tie))
        return segments

    def header(self, view: VirtualList[Any]) -> list[Segment]:
        """Names of the columns."""
        return [Segment(" " + right(_("count"), self._count_width) + "  "), Segment(_("word, as it is split now"))]

    def is_changed(self, row: WordLine) -> bool:
        """The last merge changed the word."""
        return row.made is not None

    def figures(self, view: VirtualList[Any]) -> str | tuple[str, ...]:
        """How many words, and how many tokens they take now."""
        session, trainer = self.session, self.trainer
        words = trainer.word_count
        if self.filter_text:
            return self.filtered(view, words)
        if session.selected is not None and self._listed is not None:
            held = _("{held} of {words}").format(held=number(view.row_count), words=number(words))
            full = plural(
                "{held} of {count} word hold {pair}",
                "{held} of {count} words hold {pair}",
                words,
                held=number(view.row_count),
                pair=session.pair_text(session.selected),
            )
            return full, held
        in_words = plural("{count} word", "{count} words", words)
        now = tokens = plural("{count} token", "{count} tokens", trainer.total_tokens)
        if withheld := self.revealed.withheld & {"words", "corpus"}:
            return "" if len(withheld) == 2 else now if "words" in withheld else in_words
        if trainer.position:
            tokens = f"{number(trainer.initial_tokens)} → {now}"
        return f"{in_words} · {tokens}", f"{in_words} · {now}", tokens, now

    def note(self, view: VirtualList[Any]) -> str:
        """Where the count of the pair in question comes from: `hug×10 + pug×5 + hugs×5 = 20`.

        Where occurrences overlap, it says how many of them would be merged. While all pairs are counted: how many.
        """
        found = self._pair_words
        if found is None or not len(found.indices):
            return self._all_counted(view) if found is None else ""
        parts: list[str] = []
        notation = self.notation
        position = view.position_text
        room = max(12, view.outer_size.width - 8 - (len(position) + 3 if position else 0))
        for place in range(min(len(found.indices), room // 4)):
            row = self.trainer.word(int(found.indices[place]), limit=20)
            times = int(found.occurrences[place])
            text = notation.token("".join(self.trainer.texts[token] for token in row.tokens[:20]))
            parts.append(f"{text}×{number(row.count)}" + (f"×{times}" if times > 1 else ""))
        pair = self._focused_pair
        lens = overlap_of(self.trainer, *pair) if pair is not None else None
        total = f" = {number(found.total)}"
        if lens is not None:
            figures = {"counted": number(lens.counted), "replaced": number(lens.replaced)}
            total = ": " + _("counted {counted}, replaced {replaced}").format(**figures)
        text = " + ".join(parts)
        if len(parts) < len(found.indices) or cells(text) + len(total) > room:
            while parts and cells(" + ".join(parts)) + len(total) + 4 > room:
                parts.pop()
            text = " + ".join([*parts, "…"])
        return text + total

    @property
    def _focused_pair(self) -> tuple[int, int] | None:
        """The pair that is marked in the words: the one looked at, else the one that is merged next."""
        return self.session.selected or self.revealed.next_pair

    def _count_pair(self) -> WordOccurrences | None:
        """Where the focused pair occurs; of one that is not looked at only if that costs next to nothing."""
        session, pair = self.session, self._focused_pair
        if pair is None or not self.revealed.counts:
            return None
        if session.selected is None and session.trainer.word_count > FEW_WORDS:
            return None
        return session.trainer.pair_words(*pair)

    def _all_counted(self, view: VirtualList[Any]) -> str:
        """In the phase of counting: every token begins a pair, but for the last one of each word."""
        session, trainer = self.session, self.trainer
        if not session.by_phase or trainer.phase is not Phase.COUNTED:
            return ""
        tokens, words = trainer.total_tokens, session.word_total
        figures = {"tokens": number(tokens), "words": number(words), "pairs": number(tokens - words)}
        text = _("{tokens} tokens − {words} word ends = {pairs} pairs").format(**figures)
        if cells(text) <= view.outer_size.width - 6:
            return text
        return _("{tokens} − {words} ends = {pairs} pairs").format(**figures)

    def _find(self) -> Sequence[int] | npt.NDArray[np.int64]:
        """Indices of the words that hold the filter's text; words never change, so once is enough."""
        key = (self.session, self.filter_text)
        if key != self._found_for:
            self._found = self.trainer.find_words(self.filter_text)
            self._found_for = key
        return self._found


class WordList(SessionList[WordLine]):
    """The Corpus pane."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 (Textual's name)
        super().__init__(mark("Corpus"), WordRows(), number="¹", id=id)


def holds(tokens: tuple[int, ...], pair: tuple[int, int]) -> bool:
    """Are the two tokens side by side anywhere in `tokens`?"""
    first, second = pair
    if first not in tokens:
        return False
    return any(left == first and right == second for left, right in pairwise(tokens))
