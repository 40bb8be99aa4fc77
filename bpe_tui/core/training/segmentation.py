"""The corpus as one flat array of symbol ids, linked into words.

Every distinct word is there once, one after the other in order of first appearance, one position per symbol. A merge
writes the new id at the left symbol's position and unlinks the right one's; an unlinked position keeps its own links
and id, so undoing a merge only links it in again. No position ever moves, and nothing is copied: the cost grows with
the occurrences of the pair, never with the corpus.

Positions are int32 indices from 0 to `size`; `size` itself is the sentinel before every word's first and behind every
word's last symbol.
"""

from __future__ import annotations

import numpy as np

from bpe_tui.core.corpus.types import ShouldStop, raise_if_stopped
from bpe_tui.core.errors import CorpusError
from bpe_tui.core.i18n import _, number
from bpe_tui.core.training.arrays import Indices, Numbers, Positions, items

MAX_POSITIONS = 2**31 - 1
"""Symbols that all distinct words together may hold: positions are 32-bit numbers."""

MAX_TOTAL = 2**62
"""Weighted symbols that a corpus may hold: beyond, a pair's count might not fit in 64 bits."""


class Segmentation:
    """All words, as they are split into symbols now."""

    def __init__(
        self, symbols: Positions, lengths: Indices, frequencies: list[int], should_stop: ShouldStop | None = None
    ) -> None:
        """Link `symbols` (ids of all words, concatenated) into words of `lengths`, which occur `frequencies` times.

        Every length is at least 1. Raises `CorpusError` when the frequencies add up to more than can be counted,
        and `Cancelled` if `should_stop`.
        """
        size = int(symbols.size)
        if sum(frequencies) * 2 >= MAX_TOTAL or max(frequencies, default=0) * size >= MAX_TOTAL:
            total = sum(count * int(length) for count, length in zip(frequencies, lengths.tolist(), strict=True))
            if total >= MAX_TOTAL:
                raise CorpusError(
                    _("the counts add up to {total} symbols, more than the 2^62 that can be counted").format(
                        total=number(total)
                    )
                )
        if size >= MAX_POSITIONS:
            raise CorpusError(
                _("the distinct words hold {size} symbols, more than the 2^31 that can be trained on").format(
                    size=number(size)
                )
            )
        raise_if_stopped(should_stop)
        weights = np.array(frequencies, dtype=np.int64)
        if weights.size == 0 or int(weights.max()) < 2**31:
            weights = weights.astype(np.int32)  # half the memory, for all but word-count tables of huge corpora
        ends = np.cumsum(lengths)
        starts = ends - lengths

        self.size = size
        self.ids: Positions = np.empty(size + 1, dtype=np.int32)
        self.ids[:size] = symbols
        self.ids[size] = -1
        raise_if_stopped(should_stop)
        self.next: Positions = np.arange(1, size + 2, dtype=np.int32)
        self.next[ends - 1] = size
        raise_if_stopped(should_stop)
        self.prev: Positions = np.arange(-1, size, dtype=np.int32)
        self.prev[starts] = size
        raise_if_stopped(should_stop)
        self.weight: Numbers = np.zeros(size + 1, dtype=weights.dtype)
        """How often the word at a position occurs."""
        self.weight[:size] = np.repeat(weights, lengths)
        # The same memory, for reading and writing single values fast.
        self.id_items: memoryview[int] = items(self.ids)
        self.next_items: memoryview[int] = items(self.next)
        self.prev_items: memoryview[int] = items(self.prev)
        self.weight_items: memoryview[int] = items(self.weight)
        self.word_start: Positions = starts.astype(np.int32)
        """Position of each word's first symbol, which no merge ever unlinks."""

    def unlink(self, left: Positions, right: Positions, new_id: int) -> tuple[Positions, Positions]:
        """Merge each symbol at `left` with its neighbour at `right` into `new_id`.

        Returns the neighbours as they were: the positions before `left` and behind `right`.
        """
        before, behind = self.prev[left], self.next[right]
        self.ids[left] = new_id
        self.next[left] = behind
        self.prev[behind] = left
        return before, behind

    def relink(self, right: Positions, left_id: int) -> Positions:
        """Undo `unlink`: put the symbols at `right` back behind their left halves, which become `left_id` again.

        Returns the positions of the left halves.
        """
        left = self.prev[right]
        self.ids[left] = left_id
        self.next[left] = right
        self.prev[self.next[right]] = right
        return left

    def words_at(self, positions: Positions) -> tuple[Indices, Indices]:
        """The distinct words that hold `positions`, ascending, and how many of the positions each of them holds."""
        words = np.searchsorted(self.word_start, positions, side="right") - 1
        if words.size and bool((words[1:] < words[:-1]).any()):
            words = np.sort(words)
        first = np.ones(words.size, dtype=np.bool_)
        first[1:] = words[1:] != words[:-1]
        starts = np.flatnonzero(first)
        return words[starts], np.diff(starts, append=words.size)

    def word(self, index: int, limit: int | None = None) -> list[int]:
        """The ids of one word's symbols, as it is split now; with `limit` only that many from its beginning."""
        tokens, position = [], int(self.word_start[index])
        room = self.size if limit is None else limit
        ids, following = self.id_items, self.next_items
        while position != self.size and room:
            tokens.append(ids[position])
            position = following[position]
            room -= 1
        return tokens

    def word_before(self, index: int, right: Positions, pair: tuple[int, int], limit: int | None = None) -> list[int]:
        """Like `word`, as the word was split before the last merge, which joined `pair` at the halves `right`."""
        room = self.size if limit is None else limit
        end = self.word_start[index + 1] if index + 1 < self.word_start.size else self.size
        first, behind = np.searchsorted(right, [self.word_start[index], end]).tolist()
        merged = set(self.prev[right[first : min(behind, first + room)]].tolist())
        tokens: list[int] = []
        position = int(self.word_start[index])
        while position != self.size and len(tokens) < room:
            tokens.extend(pair if position in merged else (self.id_items[position],))
            position = self.next_items[position]
        return tokens[:limit]

    def frequencies(self, words: Indices) -> Numbers:
        """How often the corpus has each of `words`."""
        return self.weight[self.word_start[words]]

    def positions_of(self, symbol: int) -> Positions:
        """Where a symbol occurs now, ascending."""
        positions = np.flatnonzero(self.ids[: self.size] == symbol)
        before = self.prev[positions]  # an unlinked position keeps its id, but nothing links to it
        found: Positions = positions[(before == self.size) | (self.next[before] == positions)].astype(np.int32)
        return found


def without_overlap(left: Positions, right: Positions) -> tuple[Positions, Positions]:
    """Of a run like `a a a`, whose pairs (a, a) overlap, keep every other one from the left.

    `left` and `right` are positions of the halves in ascending order; each run of pairs in which one's right half is
    the next one's left half is thinned out: `aaaa` gives `aa aa`, `aaa` gives `aa a`.
    """
    if left.size < 2:
        return left, right
    order = np.arange(left.size)
    begins = np.ones(left.size, dtype=np.bool_)
    begins[1:] = left[1:] != right[:-1]
    run_start = np.maximum.accumulate(np.where(begins, order, 0))
    kept = ((order - run_start) & 1) == 0
    return left[kept], right[kept]
