"""What screens show of a trainer, as frozen rows: each costs what is visible, never the whole corpus."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from bpe_tui.core.corpus.alphabet import chars_to_bytes, is_byte_level, shown
from bpe_tui.core.training.arrays import Indices, Positions
from bpe_tui.core.training.ranking import Ranking
from bpe_tui.core.training.word_search import WordSearch

if TYPE_CHECKING:
    from bpe_tui.core.corpus.types import WordCounts
    from bpe_tui.core.options import Options
    from bpe_tui.core.training.base_vocabulary import BaseVocabulary
    from bpe_tui.core.training.merging import Merger
    from bpe_tui.core.training.pair_table import PairTable
    from bpe_tui.core.training.segmentation import Segmentation
    from bpe_tui.core.training.states import Step
    from bpe_tui.core.training.vocabulary import Merge


@dataclass(frozen=True, slots=True)
class WordRow:
    """One distinct word of the corpus, as it is split now."""

    index: int
    count: int
    text: str
    """As its tokens show it: in the byte-to-character table for byte alphabets."""
    tokens: tuple[int, ...]
    """The first ones, if only some were asked for."""


@dataclass(frozen=True, slots=True)
class PairRow:
    """One pair of the ranking."""

    place: int
    """1 for the best; pairs with the same count share a place: 1, 2, 3, 4, 4, 6."""
    left_id: int
    right_id: int
    left: str
    right: str
    token: str
    count: int
    change: int | None
    """What the last merge did to the count; None if nothing."""
    is_new: bool
    """The last merge bore this pair."""
    leads: bool
    """It has the highest count, alone or with others."""
    wins: bool
    """It is the one that the rule picks next."""


@dataclass(frozen=True, slots=True)
class TokenRow:
    """One entry of the vocabulary at this moment."""

    id: int
    text: str
    length: int
    """In code points of `text`."""
    count: int
    """Occurrences in the corpus now, weighted by word frequency."""
    origin: str
    """`special`, `letter` or `merge`."""
    merge: Merge | None


@dataclass(frozen=True, slots=True)
class PairWords:
    """Where the count of a pair, or of a token, comes from."""

    indices: Indices
    """The words that hold it, ascending."""
    occurrences: Indices
    """How often each of them holds it, overlapping places included."""
    total: int
    """The sum of occurrences × word frequency."""

    def heaviest(self, counts: Sequence[int], most: int) -> list[int]:
        """Places in `indices` of up to `most` words that add most to the total; `counts` are the word frequencies."""
        weights = zip(self.indices.tolist(), self.occurrences.tolist(), strict=True)
        added = [counts[word] * times for word, times in weights]
        return sorted(range(len(added)), key=lambda place: -added[place])[:most]


class PairFilter:
    """The pairs whose left, right or merged text holds a query, in ranking order."""

    def __init__(self, views: Views, slots: Indices) -> None:
        self._views = views
        self._slots = slots

    def __len__(self) -> int:
        return int(self._slots.size)

    def rows(self, start: int, stop: int) -> list[PairRow]:
        """A page of them."""
        return self._views.pair_rows(self._slots[start:stop].tolist())


class Views:
    """The part of the trainer that answers what panes ask. Nothing here changes its state."""

    words: WordCounts
    options: Options
    base: BaseVocabulary
    base_size: int
    texts: list[str]
    segmentation: Segmentation
    table: PairTable
    merger: Merger
    token_counts: list[int]
    position: int
    ranking: Ranking

    if TYPE_CHECKING:

        @property
        def vocab_size(self) -> int: ...
        @property
        def last_step(self) -> Step | None: ...
        def leader_slot(self) -> tuple[int, int] | None: ...
        def made_by(self, token: int) -> Merge | None: ...
        def last_changes(self) -> dict[int, int]: ...
        def last_positions(self) -> Positions: ...
        def last_born(self) -> range: ...

    # -- words ---------------------------------------------------------------------------------------------------

    @property
    def word_count(self) -> int:
        """Distinct words."""
        return len(self.words.words)

    def word(self, index: int, limit: int | None = None) -> WordRow:
        """One word, by its place in order of first appearance; `limit`: its text and tokens only up to so many."""
        text = shown(self.words.words[index][:limit], self.options)
        return WordRow(index, self.words.counts[index], text, tuple(self.segmentation.word(index, limit)))

    def words_changed(self) -> Indices:
        """The words that the last merge rewrote, ascending; empty at the start."""
        return tally(self.segmentation.word_of(self.last_positions()))[0]

    def find_words(self, query: str) -> Indices:
        """The words that hold `query`, written as text or as tokens show it."""
        wanted = {query}
        if is_byte_level(self.options):
            with suppress(UnicodeError):  # not byte-level text: only the text itself is looked for
                wanted.add(chars_to_bytes(query).decode())
        return self._search.find(wanted)

    @cached_property
    def _search(self) -> WordSearch:
        return WordSearch(self.words.words)

    # -- pairs ---------------------------------------------------------------------------------------------------

    @property
    def pair_count(self) -> int:
        """Distinct pairs that occur now."""
        return self.ranking.live

    def pairs(self, start: int, stop: int) -> list[PairRow]:
        """A page of the ranking: by count, highest first, then in the tie rule's order."""
        return self.pair_rows(self.ranking.slots(start, stop))

    def pair_frequency(self, left_id: int, right_id: int) -> int:
        """How often two tokens stand side by side in the corpus now."""
        slot = self.table.find(left_id, right_id)
        return 0 if slot is None else int(self.table.count.data[slot])

    def find_pairs(self, query: str) -> PairFilter:
        """The pairs whose left, right or merged text holds `query`."""
        table, texts = self.table, self.texts
        holds = np.array([query in text for text in texts], dtype=np.bool_)
        left, right = table.left.view(), table.right.view()
        hit = holds[left] | holds[right]
        for cut in range(1, len(query)):  # across the seam
            ends = np.array([text.endswith(query[:cut]) for text in texts], dtype=np.bool_)
            begins = np.array([text.startswith(query[cut:]) for text in texts], dtype=np.bool_)
            hit |= ends[left] & begins[right]
        slots = np.flatnonzero(hit & (table.count.view() > 0))
        return PairFilter(self, self.ranking.in_order(slots))

    def pair_rows(self, slots: Sequence[int]) -> list[PairRow]:
        """Rows for pairs by slot."""
        if not slots:
            return []
        table, texts = self.table, self.texts
        winner = self.leader_slot()
        top = int(table.count.data[winner[0]]) if winner is not None else 0
        changes, born = self.last_changes(), self.last_born()
        lefts, rights, counts = table.left.items, table.right.items, table.count.items
        best = self.ranking.top
        rows = []
        places: dict[int, int] = {}
        for slot in slots:
            left, right, count = lefts[slot], rights[slot], counts[slot]
            if count not in places:
                places[count] = self.ranking.place(count)
            rows.append(
                PairRow(
                    place=places[count],
                    left_id=left,
                    right_id=right,
                    left=texts[left],
                    right=texts[right],
                    token=texts[left] + texts[right],
                    count=count,
                    change=changes.get(slot) or None,
                    is_new=slot in born,
                    leads=best == count,
                    wins=winner is not None and slot == winner[0] and count == top,
                )
            )
        return rows

    def gone_pairs(self) -> list[tuple[int, int]]:
        """The pairs (left id, right id) that the last merge made vanish, the merged one included."""
        table, born = self.table, self.last_born()
        counts = table.count.items
        return [
            (table.left.items[slot], table.right.items[slot])
            for slot in self.last_changes()
            if counts[slot] == 0 and slot not in born
        ]

    def pair_words(self, left_id: int, right_id: int) -> PairWords:
        """The words that hold a pair, and what each adds to its count."""
        slot = self.table.find(left_id, right_id)
        if slot is None:
            none = np.zeros(0, dtype=np.int64)
            return PairWords(none, none, 0)
        words, occurrences = tally(self.segmentation.word_of(self.table.positions(slot)))
        return PairWords(words, occurrences, int(self.table.count.data[slot]))

    # -- vocabulary ----------------------------------------------------------------------------------------------

    @property
    def token_total(self) -> int:
        """Tokens in the vocabulary at this moment: ids 0 to `token_total - 1`."""
        return self.vocab_size

    def token_text(self, token: int) -> str:
        """The text of a token."""
        return self.texts[token]

    def token(self, token: int) -> TokenRow:
        """One entry of the vocabulary."""
        text = self.texts[token]
        if token in self.base.alphabet_ids:
            origin = "letter"
        else:
            origin = "special" if token < self.base_size else "merge"
        merge = self.made_by(token) if origin == "merge" else None
        return TokenRow(token, text, len(text), self.token_counts[token], origin, merge)

    def token_words(self, token: int) -> PairWords:
        """The words that hold a token now, and how often."""
        words, occurrences = tally(self.segmentation.word_of(self.segmentation.places_of(token)))
        return PairWords(words, occurrences, self.token_counts[token])


def tally(words: Indices) -> tuple[Indices, Indices]:
    """The distinct ones of `words`, ascending, and how often each is there."""
    if words.size and bool((words[1:] < words[:-1]).any()):
        words = np.sort(words)
    first = np.ones(words.size, dtype=np.bool_)
    first[1:] = words[1:] != words[:-1]
    starts = np.flatnonzero(first)
    return words[starts], np.diff(starts, append=words.size)
