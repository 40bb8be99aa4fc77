"""The replay: how words fell into their tokens, merge after merge, and their state at each.

`Encoder.trace` keeps the whole text for every merge, which is plain and right for a sentence. Here each distinct word
is traced once, by the same rule, and the state of a text after any merge is put together from those of its words.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Final

from bpe_tui.core.encoding.encoder import UNKNOWN, Encoder, Token
from bpe_tui.core.encoding.merge_ranks import Pieces
from bpe_tui.core.encoding.tokenized_text import Shape, placed
from bpe_tui.core.training.vocabulary import Merge

if TYPE_CHECKING:
    from bpe_tui.core.corpus.pretokenize import Span

WORK: Final = 1_024
"""About as many symbols are looked at between two points where a caller may pause or stop."""

Trace = list[tuple[Merge, Pieces]]
"""The merges that fire in one word, each with the tokens after it: their ids and the symbols they cover."""


@dataclass(frozen=True, slots=True)
class Fired:
    """One merge that fires somewhere in the words replayed."""

    merge: Merge
    places: int
    """How often it is made in the text."""
    words: tuple[int, ...]
    """The distinct words that it changes, by their place in the replay."""


class Replay:
    """The merges that fire in distinct words, in learned order; row 0 is the state before any of them."""

    def __init__(self, symbols: Sequence[Shape], traces: Sequence[Trace], times: Sequence[int]) -> None:
        """Made by `replay`: for each distinct word its symbols, its trace, and how often the text has it."""
        self._symbols = symbols
        self._traces = traces
        self._shapes: tuple[int, list[Shape]] | None = None
        self._made_at: list[list[int]] = [[] for _ in symbols]
        """For each word the rows at which its merges are made."""
        self.rows = tuple(self._in_learned_order(times))

    def _in_learned_order(self, times: Sequence[int]) -> Iterator[Fired]:
        """The traces woven into one: of all merges that come next in some word, the earliest learned comes first."""
        waiting: dict[int, list[int]] = {}
        ranks: list[int] = []

        def wait(word: int) -> None:
            done = len(self._made_at[word])
            if done < len(self._traces[word]):
                rank = self._traces[word][done][0].rank
                if rank not in waiting:
                    waiting[rank] = []
                    heappush(ranks, rank)
                waiting[rank].append(word)

        for word in range(len(self._symbols)):
            wait(word)
        row = 0
        while ranks:
            row += 1
            words = waiting.pop(heappop(ranks))
            places = 0
            for word in words:
                done = len(self._made_at[word])
                before = len(self._traces[word][done - 1][1]) if done else len(self._symbols[word])
                places += (before - len(self._traces[word][done][1])) * times[word]
                self._made_at[word].append(row)
            yield Fired(self._traces[words[0]][len(self._made_at[words[0]]) - 1][0], places, tuple(words))
            for word in words:
                wait(word)

    def __len__(self) -> int:
        """Merges that fire."""
        return len(self.rows)

    @property
    def word_count(self) -> int:
        """Distinct words replayed."""
        return len(self._symbols)

    def shape(self, word: int, row: int) -> Shape:
        """The tokens of a distinct word after the first `row` merges, placed from its start."""
        symbols, trace, after = self._symbols[word], self._traces[word], self._moments(word, row)
        if not after:
            return symbols
        made = {merge.id: merge.token for merge, _ in trace[:after]}
        tokens: list[Token] = []
        place = 0
        for token, length in trace[after - 1][1]:
            first = symbols[place]
            last = symbols[place + length - 1]
            tokens.append(first if length == 1 else Token(made[token], token, first.start, last.end))
            place += length
        return tuple(tokens)

    def shapes(self, row: int) -> list[Shape]:
        """All distinct words after the first `row` merges."""
        if self._shapes is None or self._shapes[0] != row:
            self._shapes = (row, [self.shape(word, row) for word in range(self.word_count)])
        return self._shapes[1]

    def fresh(self, word: int, row: int) -> frozenset[int]:
        """Places (in `shape(word, row)`) of the tokens that the merge of `row` itself made."""
        trace, after = self._traces[word], self._moments(word, row)
        if not after or self._made_at[word][after - 1] != row:
            return frozenset()
        before = trace[after - 2][1] if after > 1 else [(UNKNOWN, 1)] * len(self._symbols[word])
        return _new_places(before, trace[after - 1][1])

    def _moments(self, word: int, row: int) -> int:
        """How many of the first `row` merges changed the word."""
        return bisect_right(self._made_at[word], row)


def replay(
    encoder: Encoder, text: str, spans: Sequence[Span], times: Sequence[int], policy: str = "token"
) -> Generator[None, None, Replay]:
    """Trace words of `text`; the generator yields now and then, and returns the `Replay`.

    Args:
        encoder: Has the merges of the moment.
        text: The text.
        spans: One occurrence of each distinct word.
        times: How often the text has each of them.
        policy: How unknown symbols are treated; not `error`.
    """
    symbols: list[Shape] = []
    traces: list[Trace] = []
    work = 0
    for span, word in zip(spans, encoder.by_word(text, unknown=policy, merged=False, spans=spans), strict=True):
        shape = tuple(placed(word, -span[1]))
        trace = encoder.trace_word([UNKNOWN if token.unknown or token.id is None else token.id for token in shape])
        symbols.append(shape)
        traces.append(trace)
        work += len(shape) * (1 + len(trace))
        if work > WORK:
            work = 0
            yield
    return Replay(symbols, traces, times)


def _new_places(before: Pieces, after: Pieces) -> frozenset[int]:
    """Which tokens of `after` cover more symbols than the token that began there before."""
    starts: dict[int, int] = {}
    place = 0
    for _, length in before:
        starts[place] = length
        place += length
    new: set[int] = set()
    place = 0
    for index, (_, length) in enumerate(after):
        if starts.get(place) != length:
            new.add(index)
        place += length
    return frozenset(new)
