"""The corpus: its words as they are split now, with the pair in question marked in each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from rich.segment import Segment
from rich.style import Style

from bpe_tui.core.display import clip
from bpe_tui.core.i18n import _, mark, number, plural
from bpe_tui.core.readable import ARROW
from bpe_tui.core.teaching.overlap import overlap_in, overlap_of
from bpe_tui.core.training.states import Phase
from bpe_tui.ui.board.session_list import SessionList, SessionRows
from bpe_tui.ui.board.word_groups import GroupKind, WordGroup, groups_of, rows_of
from bpe_tui.ui.messages import WordSelected
from bpe_tui.ui.text import SEPARATOR, cells, segments_width, tone_of
from bpe_tui.ui.widgets.columns import left, number_width, pair_segments, pair_width, right
from bpe_tui.ui.widgets.sorting import GrowingOrder, SortColumn, head, some_in_order
from bpe_tui.ui.widgets.virtual_list import HEADER_FROM

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from bpe_tui.core.training.rows import WordRow
    from bpe_tui.core.training.word_occurrences import WordOccurrences
    from bpe_tui.ui.widgets.sorting import SortOrder
    from bpe_tui.ui.widgets.virtual_list import VirtualList

CHANGED: Final = "•"
"""Before a word that the last merge changed."""
JOINED: Final = 0.6
"""The share of a motion from which on a new token is in one piece."""
WIDE: Final = 50
"""Cells of a row from which on words of bytes that can't be read are named before all of their tokens, ..."""
SHORT_WORD: Final = 10
"""... below it in so many cells ..."""
CONTEXT: Final = 16
"""... before the tokens that matter, if these have as many."""
LONGEST_WORD: Final = 20
"""Cells of a word where it is named."""
JOINT: Final = "+"
"""Between the two tokens of the marked pair, instead of the separator."""


@dataclass(frozen=True, slots=True)
class WordLine:
    """A word, with what its drawing depends on beside itself."""

    row: WordRow
    texts: tuple[str, ...]
    """Its tokens as they are shown; an id may be another token's by the time that it is drawn."""
    pair: tuple[int, int] | None
    """The pair to mark; None if the word doesn't hold it."""
    made: int | None
    """Id of the token that the last merge made in this word; None if it didn't change the word."""
    guessed: tuple[int, int] | None = None
    """The pair of a wrong guess, to be marked as such; None if the word doesn't hold it."""
    halves: tuple[str, str] | None = None
    """The texts that the token was made of, while it is still being joined."""
    before: tuple[int, ...] = ()
    """Its tokens before the last merge, if they are shown."""
    before_texts: tuple[str, ...] = ()
    word: str = ""
    """The whole word as text, if its tokens are bytes that can't be read."""
    label: str = ""
    """What the words of its group have in common, if this is the first one of a group without a head."""


@dataclass(frozen=True, slots=True)
class HeadLine:
    """The head of a group of words."""

    kind: GroupKind
    pair: tuple[int, int]
    texts: tuple[str, str]
    made: int | None
    """Id of the token that the last merge made of the pair; None if the pair is not merged yet."""
    words: int


class WordRows(SessionRows[WordLine | HeadLine]):
    """The words of the corpus: all in order of first appearance, or if not all fit, those that matter now."""

    sort_columns = (SortColumn("count", mark("count"), falls=True), SortColumn("word", mark("word")))

    def __init__(self) -> None:
        super().__init__(mark("There are no words here."))
        self.in_order = False
        """Are all words listed in their own order, although not all fit?"""
        self._count_width = 5
        self._label_width = 0
        self._before_width = 0
        self._word_width = 0
        self.groups: tuple[WordGroup, ...] = ()
        """The words listed, if not all of the corpus are."""
        self._pair_words: WordOccurrences | None = None
        self._listed: Sequence[int] | npt.NDArray[np.int64] | None = None
        """Indices of the words listed; None for all."""
        self._found: Sequence[int] | npt.NDArray[np.int64] = ()
        self._found_for: tuple[object, str] | None = None
        self._by_value = GrowingOrder()

    def count(self, view: VirtualList[Any]) -> int:
        """All words; those that hold the filter's text or the pair looked at; or those that matter now."""
        session, trainer = self.session, self.trainer
        self._listed = None
        self.groups = ()
        self.header_from = HEADER_FROM
        self._pair_words = self._count_pair()
        if self.filter_text:
            self._listed = self._find()
        elif self.follows_merge(view):
            height = view.outer_size.height - 2
            self.groups = groups_of(
                trainer, self._focused_pair, height, looked_at=session.selected is not None, guessed=self._guessed
            )
            if self.groups:
                if self.groups[0].has_head:
                    self.header_from = None
                return sum(group.row_count for group in self.groups)
        elif session.selected is not None and self._pair_words is not None:
            self._listed = self._pair_words.indices
        if self.order is not None:
            ordered = self._sorted(self.order)
            self._listed = ordered if self._listed is None else some_in_order(ordered, self._listed)
        return trainer.word_count if self._listed is None else len(self._listed)

    def _sorted(self, order: SortOrder) -> Sequence[int] | npt.NDArray[np.int64]:
        """All words in the order of a column."""
        words = self.trainer.words
        values: Sequence[Any] = words.counts if order.column == "count" else words.words
        indices = self._by_value.rows((self.session, order.column), len(values), values.__getitem__)
        return indices[::-1] if order.descending else indices

    def follows_merge(self, view: VirtualList[Any]) -> bool:
        """Are only those words listed that matter now? Never while a question is open about the words."""
        if (
            self.in_order
            or self.order is not None
            or not self.revealed.counts
            or self.revealed.withheld & {"words", "corpus"}
        ):
            return False
        return self.trainer.word_count > view.outer_size.height - 2 - (view.outer_size.height - 2 >= HEADER_FROM)

    def fetch(self, view: VirtualList[Any], start: int, stop: int) -> list[WordLine | HeadLine]:
        """The words in view."""
        if self.groups:
            return self._fetch_groups(view, start, stop)
        listed = self._listed
        indices = range(start, stop) if listed is None else [int(index) for index in listed[start:stop]]
        line_of = self._line_maker(view)
        return [line_of(index) for index in indices]

    def _fetch_groups(self, view: VirtualList[Any], start: int, stop: int) -> list[WordLine | HeadLine]:
        trainer, texts_by_id, notation = self.trainer, self.trainer.texts, self.notation
        last = trainer.last_step
        line_of, limit = self._line_maker(view), self._limit(view)
        rows: list[WordLine | HeadLine] = []
        for group, place in rows_of(self.groups, start, stop):
            is_changed = group.kind is GroupKind.CHANGED
            if place is None:
                left, right_half = group.pair
                made = last.merge.id if is_changed and last is not None else None
                pair_texts = (texts_by_id[left], texts_by_id[right_half])
                rows.append(HeadLine(group.kind, group.pair, pair_texts, made, len(group.words)))
                continue
            line = line_of(group.words.heaviest(place, place + 1)[0].word)
            if is_changed:
                before = trainer.word_before(line.row.index, limit)
                texts = tuple([notation.token(texts_by_id[token]) for token in before])
                word = line.word or self._whole_word(line.row, texts)
                line = replace(line, before=before, before_texts=texts, word=word)
            if place == 0:
                line = replace(line, label=group.label)
            rows.append(line)
        return rows

    def _limit(self, view: VirtualList[Any]) -> int:
        """Tokens of a word that fit, at two cells each with what parts it from the next; a word may be a whole file."""
        return (view.inner_width + view.pan) // 2 + 2

    def _line_maker(self, view: VirtualList[Any]) -> Callable[[int], WordLine]:
        """Makes the row of a word by its index."""
        trainer, focused, limit, guessed = self.trainer, self._focused_pair, self._limit(view), self._guessed
        last = trainer.last_step
        made = last.merge.id if last is not None else -1
        # A new token occurs only in words that its merge changed; a reused one may have been there before.
        changed = set(trainer.words_changed().indices.tolist()) if last is not None and last.reused else None
        texts_by_id, notation = trainer.texts, self.notation
        halves = None
        if last is not None and self.motion < JOINED:
            halves = notation.token(last.merge.left), notation.token(last.merge.right)

        def line_of(index: int) -> WordLine:
            row = trainer.word(index, limit)
            tokens = row.tokens
            is_changed = made in tokens and (changed is None or index in changed)
            pair = focused if focused is not None and holds(tokens, focused) else None
            texts = tuple([notation.token(texts_by_id[token]) for token in tokens])
            wrong = guessed if guessed is not None and holds(tokens, guessed) else None
            line = WordLine(row, texts, pair, made if is_changed else None, wrong, halves if is_changed else None)
            return replace(line, word=self._whole_word(row, texts))

        return line_of

    def _whole_word(self, row: WordRow, texts: Sequence[str]) -> str:
        """The word as text, if `texts`, its tokens as they are shown, have bytes among them."""
        notation = self.notation
        if not any(map(notation.shows_bytes, texts)):
            return ""
        return clip(notation.token(row.text[: 8 * LONGEST_WORD]), LONGEST_WORD)

    def measure(self, view: VirtualList[Any], rows: Sequence[WordLine | HeadLine]) -> object:
        """The count column grows with the counts in view; arrows are below each other where there is room."""
        words = [row for row in rows if isinstance(row, WordLine)]
        self._count_width = max(5 + (self.order is not None), number_width(*(line.row.count for line in words)))
        self._label_width = max((cells(_(group.label)) for group in self.groups if group.label), default=0)
        before = max((word_width(line.before_texts) for line in words if line.before), default=0)
        room = view.inner_width - self._label_width - self._count_width - 3
        self._word_width = self._room_for_words(view, max((cells(line.word) for line in words), default=0), room)
        room -= self._word_width
        self._before_width = min(before, (room - len(ARROW)) * 3 // 5)
        widths = self._count_width, self._label_width, self._before_width, self._word_width
        return widths, bool(self.groups), self.order

    def _room_for_words(self, view: VirtualList[Any], widest: int, room: int) -> int:
        """Cells of `room` for words of bytes that can't be read; in a narrow list just enough to know them by."""
        if view.inner_width >= WIDE:
            return min(widest, view.inner_width // 4)
        return min(widest, SHORT_WORD) if room >= SHORT_WORD + CONTEXT else 0

    def _is_named(self, view: VirtualList[Any], row: WordLine) -> bool:
        """Is the word named, and so of its tokens only shown what matters, as there is no room for more?"""
        return bool(row.word) and self._word_width > 0 and view.inner_width < WIDE

    def draw(self, view: VirtualList[Any], row: WordLine | HeadLine) -> list[Segment]:
        """`• 10  h·u+g`; `12  T·h·is → T·his`; or the head of a group."""
        if isinstance(row, HeadLine):
            return self._draw_head(view, row)
        palette, width = view.palette, view.inner_width
        segments = []
        if self._label_width:
            segments.append(Segment(left(_(row.label) if row.label else "", self._label_width), palette.strong))
        is_marked = row.made is not None and not row.before
        segments += [
            Segment(CHANGED if is_marked else " ", palette.new),
            Segment(right(number(row.row.count), self._count_width) + "  ", palette.muted),
        ]
        if self._word_width:
            segments.append(Segment(left(row.word, self._word_width) + " "))
        used = segments_width(segments)
        room = width + view.pan + 1 - used
        if row.before:
            segments += self._rewriting(view, row, room)
        elif row.pair is not None and self._is_named(view, row):
            segments += self._around_pair(view, row, row.pair, room)
        else:
            segments += self._tokens(view, row.row.tokens, row.texts, row.pair, row.made, room, row.halves, row.guessed)
        if row.pair is not None and (lens := overlap_in(row.row.tokens, row.pair)) is not None:
            figures = {"counted": number(lens.counted), "replaced": number(lens.replaced)}
            text = "   " + _("counted {counted}, replaced {replaced}").format(**figures)
            if segments_width(segments) + cells(text) > width:
                text = "  " + _("{counted}, but {replaced} merge").format(**figures)
            if segments_width(segments) + cells(text) > width + view.pan:
                text = ""  # part of a number would be another number
            segments.append(Segment(text, palette.tie))
        return segments

    def _tokens(
        self,
        view: VirtualList[Any],
        tokens: tuple[int, ...],
        texts: tuple[str, ...],
        pair: tuple[int, int] | None,
        made: int | None,
        room: int,
        halves: tuple[str, str] | None = None,
        guessed: tuple[int, int] | None = None,
    ) -> list[Segment]:
        """`h·u+g`, up to the first token that is beyond `room` cells; `pair` is marked, the token `made` strong.

        The pair `guessed` is marked as wrong, as far as it doesn't share a token with `pair`. With `halves` the token
        `made` is shown as these two, still being joined.
        """
        palette, base_size = view.palette, self.base_size
        made_style, guess_style = Style(bold=True), palette.warn + Style(underline=True)
        segments: list[Segment] = []
        add = segments.append
        winning, guessing = joints(tokens, pair), joints(tokens, guessed)
        for at, token in enumerate(tokens):
            if at:
                if at in winning:
                    add(Segment(JOINT, palette.marked))
                elif at in guessing:
                    add(Segment(JOINT, guess_style))
                else:
                    add(Segment(SEPARATOR, palette.separator))
            text = texts[at]
            if at in winning or at + 1 in winning:
                style = palette.marked
            elif halves is not None and token == made:
                text = JOINT.join(halves)
                style = palette.marked
            elif at in guessing or at + 1 in guessing:
                style = guess_style
            else:
                style = palette.token(tone_of(token, base_size))
                if token == made:
                    style += made_style
            add(Segment(text, style))
            room -= cells(text) + 1
            if room < 0:
                break
        return segments

    def _around_pair(self, view: VirtualList[Any], row: WordLine, pair: tuple[int, int], room: int) -> list[Segment]:
        """`…·ˣD0+ˣBE·…`: of a word that is named beside it."""
        separator = view.palette.separator
        start = next(at for at in range(len(row.texts) - 1) if row.row.tokens[at : at + 2] == pair)
        stop = start + 2
        while stop < len(row.texts) and word_width(row.texts[start : stop + 1]) + 4 * bool(start) + 4 < room:
            stop += 1
        return [
            Segment("…" + SEPARATOR if start else "", separator),
            *self._tokens(view, row.row.tokens[start:stop], row.texts[start:stop], pair, row.made, room),
            Segment(SEPARATOR + "…" if stop < len(row.texts) else "", separator),
        ]

    def _rewriting(self, view: VirtualList[Any], row: WordLine, room: int) -> list[Segment]:
        """`T·h·is → T·his`; where there is no room for it, less of what both have in common, or what is there now."""
        palette = view.palette
        joint = Segment(ARROW, palette.separator)
        for before_part, after_part in contexts(row.before, row.row.tokens):
            befores = row.before[before_part], row.before_texts[before_part]
            afters = row.row.tokens[after_part], row.texts[after_part]
            is_cut = before_part.start > 0, before_part.stop < len(row.before)
            more = "…" + SEPARATOR if is_cut[0] else "", SEPARATOR + "…" if is_cut[1] else ""
            if self._is_named(view, row):
                more = "", ""
            around = cells(more[0]) + cells(more[1])
            width = word_width(befores[1]) + around
            needed = width + len(ARROW) + word_width(afters[1]) + around
            if needed >= room:
                continue
            gap = max(0, min(self._before_width - width, room - 1 - needed))
            left_more, right_more = (Segment(text, palette.separator) for text in more)
            return [
                left_more,
                *self._tokens(view, *befores, None, None, room),
                right_more,
                Segment(" " * gap),
                joint,
                left_more,
                *self._tokens(view, *afters, row.pair, row.made, room, row.halves, row.guessed),
                right_more,
            ]
        return [
            joint,
            *self._tokens(view, row.row.tokens, row.texts, row.pair, row.made, room, row.halves, row.guessed),
        ]

    def _draw_head(self, view: VirtualList[Any], row: HeadLine) -> list[Segment]:
        """`just merged  u + g → ug, in 3 words`, as much of it as fits."""
        palette, base_size, width = view.palette, self.base_size, view.inner_width
        is_changed = row.kind is GroupKind.CHANGED
        labels = (_("just merged"), _("merged")) if is_changed else (_(row.kind),)
        notation = self.notation
        texts = notation.token(row.texts[0]), notation.token(row.texts[1])
        token = notation.token("".join(row.texts))
        made = palette.token(tone_of(row.made, base_size)) + Style(bold=True) if is_changed else palette.marked
        if row.kind is GroupKind.GUESSED:
            made = palette.warn + Style(underline=True)
        counts = (
            ", " + plural("in {count} word", "in {count} words", row.words),
            " · " + plural("{count} word", "{count} words", row.words),
            " · " + number(row.words),
            "",
        )
        merge_width = pair_width(*texts) + len(ARROW) + cells(token)
        label, count = next(
            (
                (label, count)
                for count in counts
                for label in labels
                if cells(label) + 2 + merge_width + cells(count) <= width
            ),
            (labels[-1], ""),
        )
        return [
            Segment(label, palette.new if is_changed else palette.accent),
            Segment("  "),
            *pair_segments(texts, row.pair, pair_width(*texts), palette, base_size),
            Segment(ARROW, palette.separator),
            Segment(token, made),
            Segment(count, palette.muted),
        ]

    def header(self, view: VirtualList[Any]) -> list[Segment]:
        """Names of the columns."""
        if self._label_width:
            return [Segment(" " * self._label_width), *self._names()]
        return self._names()

    def _names(self) -> list[Segment]:
        order = self.order
        count = [
            Segment(" "),
            head(_("count"), self._count_width, "count", order, at_right=True),
            Segment("  "),
        ]
        if self._word_width:
            return [
                *count,
                head(_("word"), self._word_width, "word", order),
                Segment(" " + _("as it is split now")),
            ]
        split = _("word, as it is split now")
        return [*count, head(split, cells(split) + (order is not None), "word", order)]

    def is_changed(self, row: WordLine | HeadLine) -> bool:
        """The last merge changed the word."""
        return isinstance(row, WordLine) and row.made is not None

    def figures(self, view: VirtualList[Any]) -> str | tuple[str, ...]:
        """How many words, and how many tokens they take now; and what signs in view mean that are no letters."""
        figures = self._figures(view)
        forms = (figures,) if isinstance(figures, str) else figures
        legend = ", ".join(self._legend(view))
        return (*(f"{form} · {legend}" for form in forms if form), *forms) if legend else forms

    def _legend(self, view: VirtualList[Any]) -> tuple[str, ...]:
        texts = self.trainer.texts
        words = [line for line in view.rows if isinstance(line, WordLine)]
        return self.notation.legend([texts[token] for line in words for token in (*line.before, *line.row.tokens)])

    def _figures(self, view: VirtualList[Any]) -> str | tuple[str, ...]:
        """How many words, and how many tokens they take now."""
        session, trainer = self.session, self.trainer
        words = trainer.word_count
        if self.filter_text:
            return self.filtered(view, words)
        if session.selected is not None and self._pair_words is not None:
            return self._held_figures(session.selected, len(self._pair_words))
        if (guessed := self._guessed) is not None:
            words_of_guess = self.trainer.pair_words(*guessed)
            room = view.outer_size.width - cells(_(view.list_title)) - 13
            return f"✗ {self._sum(words_of_guess, room, guessed)}", f"✗ {number(words_of_guess.total)}"
        if self.groups:
            return self._group_figures()
        in_words = plural("{count} word", "{count} words", words)
        now = tokens = plural("{count} token", "{count} tokens", trainer.total_tokens)
        if withheld := self.revealed.withheld & {"words", "corpus"}:
            return "" if len(withheld) == 2 else now if "words" in withheld else in_words
        if trainer.position:
            tokens = f"{number(trainer.initial_tokens)} → {now}"
        return f"{in_words} · {tokens}", f"{in_words} · {now}", tokens, now

    def _held_figures(self, pair: tuple[int, int], held: int) -> tuple[str, ...]:
        """How many words hold the pair looked at."""
        words = self.trainer.word_count
        full = plural(
            "{held} of {count} word hold {pair}",
            "{held} of {count} words hold {pair}",
            words,
            held=number(held),
            pair=self.session.pair_text(pair),
        )
        return full, _("{held} of {words}").format(held=number(held), words=number(words))

    def _group_figures(self) -> tuple[str, ...]:
        """`1,204 changed · 1,817 next · 15,057 words`."""
        words = self.trainer.word_count
        parts = []
        for group in self.groups:
            text = _("{count} changed") if group.kind is GroupKind.CHANGED else _("{count} next")
            parts.append(text.format(count=number(len(group.words))))
        short = " · ".join(parts)
        return f"{short} · {plural('{count} word', '{count} words', words)}", short, parts[-1]

    def note(self, view: VirtualList[Any]) -> str:
        """Where the count of the pair in question comes from: `hug×10 + pug×5 + hugs×5 = 20`.

        Where occurrences overlap, it says how many of them would be merged. While all pairs are counted: how many.
        """
        found = self._pair_words
        if found is None or not len(found):
            return self._all_counted(view) if found is None else ""
        position = view.position_text
        room = max(12, view.outer_size.width - 6 - (len(position) + 3 if position else 0))
        return self._sum(found, room, self._focused_pair)

    def _sum(self, found: WordOccurrences, room: int, pair: tuple[int, int] | None) -> str:
        """`hug×10 + pug×5 + hugs×5 = 20`, or as much of it as fits in `room` cells."""
        parts: list[str] = []
        notation = self.notation
        for index, times in self._occurrences(found, room // 4):
            row = self.trainer.word(index, limit=4 * LONGEST_WORD)
            text = clip(notation.token("".join(self.trainer.texts[token] for token in row.tokens)), LONGEST_WORD)
            parts.append(f"{text}×{number(row.count)}" + (f"×{times}" if times > 1 else ""))
        lens = overlap_of(self.trainer, *pair) if pair is not None else None
        total = f" = {number(found.total)}"
        if lens is not None:
            figures = {"counted": number(lens.counted), "replaced": number(lens.replaced)}
            total = ": " + _("counted {counted}, replaced {replaced}").format(**figures)
        text = " + ".join(parts)
        if len(parts) < len(found) or cells(text) + len(total) > room:
            while parts and cells(" + ".join(parts)) + len(total) + 4 > room:
                parts.pop()
            if not parts:
                return total.lstrip(": ")
            text = " + ".join([*parts, "…"])
        return text + total

    def _occurrences(self, found: WordOccurrences, most: int) -> list[tuple[int, int]]:
        """The first words in the order in which they are listed, each with the occurrences in it, up to `most`."""
        if self.groups:
            return [(share.word, share.occurrences) for share in found.heaviest(0, most)]
        return list(zip(found.indices[:most].tolist(), found.occurrences[:most].tolist(), strict=True))

    @property
    def _focused_pair(self) -> tuple[int, int] | None:
        """The pair that is marked in the words: the one looked at, else the one that is merged next."""
        return self.session.selected or self.revealed.next_pair

    @property
    def _guessed(self) -> tuple[int, int] | None:
        """Ids of the pair of a wrong guess, while the verdict is shown and no other pair is looked at."""
        verdict, ids = self.revealed.verdict, self.trainer.ids
        if verdict is None or verdict.picked is None or verdict.is_right or self.session.selected is not None:
            return None
        left_text, right_text = verdict.picked
        return (ids[left_text], ids[right_text]) if left_text in ids and right_text in ids else None

    def _count_pair(self) -> WordOccurrences | None:
        """Where the focused pair occurs; None if there is none, or if counts are withheld."""
        pair = self._focused_pair
        if pair is None or not self.revealed.counts:
            return None
        return self.trainer.pair_words(*pair)

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


class WordList(SessionList[WordLine | HeadLine]):
    """The Corpus pane."""

    source: WordRows

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 (Textual's name)
        super().__init__(mark("Corpus"), WordRows(), number="¹", id=id)

    def action_select(self) -> None:
        """Show the history of the word under the cursor."""
        row = self.row_at_cursor
        if isinstance(row, WordLine):
            self.post_message(WordSelected(row.row.index))

    @property
    def position_text(self) -> str:
        """`12 more`: the words of the last group that are below the view; of the whole corpus the place in it."""
        if not self.source.groups:
            return super().position_text
        below = self.row_count - self.scroll_offset.y - self.body_height
        return plural("{count} more", "{count} more", below) if below > 0 else ""

    def toggle_order(self) -> bool:
        """All words in their own order, or only those that matter now; False if it makes no difference."""
        source = self.source
        was_in_order, source.in_order = source.in_order, False
        if not source.follows_merge(self):
            source.in_order = was_in_order
            return False
        source.in_order = not was_in_order
        self.to_top()
        return True


def joints(tokens: tuple[int, ...], pair: tuple[int, int] | None) -> set[int]:
    """The places of the second tokens of the occurrences of a pair; of two that overlap, only the first."""
    places: set[int] = set()
    if pair is not None:
        for at in range(1, len(tokens)):
            if at - 1 not in places and tokens[at - 1 : at + 1] == pair:
                places.add(at)
    return places


def contexts(before: tuple[int, ...], after: tuple[int, ...]) -> Iterator[tuple[slice, slice]]:
    """Parts of a word before and after a merge, from all of it to what differs, and at last its first place alone."""
    most = min(len(before), len(after))
    head = next((at for at in range(most) if before[at] != after[at]), most)
    tail = next((at for at in range(most - head) if before[-1 - at] != after[-1 - at]), most - head)
    for start, stop in (
        (0, 0),
        *((0, stop) for stop in range(1, tail + 1)),
        *((at, tail) for at in range(1, head + 1)),
    ):
        yield slice(start, len(before) - stop), slice(start, len(after) - stop)
    yield slice(head, min(head + 2, len(before))), slice(head, head + 1)


def word_width(texts: Sequence[str]) -> int:
    """Cells that the tokens of a word take as they are shown, with what parts them."""
    return sum(map(cells, texts)) + max(0, len(texts) - 1)


def holds(tokens: tuple[int, ...], pair: tuple[int, int]) -> bool:
    """Are the two tokens side by side anywhere in `tokens`?"""
    first, second = pair
    if first not in tokens:
        return False
    return any(left == first and right == second for left, right in pairwise(tokens))
