"""How a text merges: the symbols of its words, and the merges that fire in them, one after the other.

Each distinct word is traced once, and only the places of its merges are remembered; the tokens after any of them are
made when they are asked for. So even a word of a hundred thousand symbols fits into memory.

With BPE-dropout merges are left out at random. Then each word of the text is traced by itself, because equal words can
fall into different tokens.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from random import Random
from typing import TYPE_CHECKING, Final

from bpe_tui.core.encoding.encoder import Encoder, Token
from bpe_tui.core.encoding.tokenized_text import TokenizedText, TokenizedWord, finish, placed, tokenize
from bpe_tui.core.errors import EncodeError, OptionError
from bpe_tui.core.i18n import _

if TYPE_CHECKING:
    from bpe_tui.core.corpus.pretokenize import Span
    from bpe_tui.core.training.vocabulary import Merge

WORK: Final = 1_024
"""About as many symbols are looked at between two points where a caller may pause or stop."""


@dataclass(frozen=True, slots=True)
class Dropout:
    """BPE-dropout (Provilkov et al., 2020): merges that could be made are left out at random."""

    rate: float
    """The probability with which each of them is dropped before each merge, from 0 to 1."""
    seed: int = 0
    """Where the random numbers begin; the same seed gives the same tokens."""

    def __post_init__(self) -> None:
        """Raises `OptionError` for a rate that is no probability."""
        if not 0 <= self.rate <= 1:
            raise OptionError(_("a dropout rate is a number from 0 to 1, not {rate}").format(rate=f"{self.rate:g}"))


class WordReplay:
    """One word, merge after merge."""

    def __init__(self, symbols: Sequence[Token], merges: Sequence[tuple[Merge, list[int]]]) -> None:
        """Made of `Encoder.symbols_of` and `Encoder.trace_word`."""
        self.symbols = tuple(symbols)
        self.merges = merges
        """Each merge that fires, with the places where it does, as numbers of symbols; none where it was dropped."""
        self._done = 0
        self._tokens: list[Token | None] = list(symbols)
        """Each token at the number of its first symbol; None for the others."""
        self._lengths = [1] * len(symbols)
        """The symbols of each token, at the number of the first."""

    def __len__(self) -> int:
        """Merges that fire, each counted again where others come between."""
        return len(self.merges)

    def tokens(self, count: int) -> TokenizedWord:
        """The tokens after the first `count` merges. One merge further than asked for last is the cheapest."""
        if count < self._done:
            self._done, self._tokens, self._lengths = 0, list(self.symbols), [1] * len(self.symbols)
        tokens, lengths = self._tokens, self._lengths
        for merge, places in self.merges[self._done : count]:
            for place in places:
                after = place + lengths[place]
                length = lengths[place] = lengths[place] + lengths[after]
                tokens[place] = Token(
                    merge.token, merge.id, self.symbols[place].start, self.symbols[place + length - 1].end
                )
                tokens[after] = None
        self._done = count
        return tuple([token for token in tokens if token is not None])

    def sizes(self, count: int) -> tuple[int, ...]:
        """How many symbols each token of `tokens(count)` holds."""
        self.tokens(count)
        return tuple(length for token, length in zip(self._tokens, self._lengths, strict=True) if token is not None)

    def made_by(self, count: int) -> frozenset[int]:
        """Which tokens of `tokens(count)` the merge of that number, counted from 1, has made."""
        self.tokens(count)
        places = set(self.merges[count - 1][1])
        left = (place for place, token in enumerate(self._tokens) if token is not None)
        return frozenset(index for index, place in enumerate(left) if place in places)


@dataclass(frozen=True, slots=True)
class Fired:
    """One merge that fires somewhere in the words replayed."""

    merge: Merge
    places: int
    """How often it is made in the text."""
    words: tuple[int, ...]
    """The distinct words that it changes, by their number in the replay."""
    dropped: int = 0
    """How often it was dropped where it would have been made now."""


class Replay:
    """The merges that fire in distinct words, in learned order; row 0 is the state before any of them."""

    def __init__(self, words: Sequence[WordReplay], times: Sequence[int]) -> None:
        """Made by `replay`: the distinct words, and how often the text has each."""
        self._words = words
        self._made_at: list[list[int]] = [[] for _ in words]
        """For each word the rows at which its merges are made."""
        self.rows = tuple(self._in_learned_order(times))

    def of_word(self, word: int) -> Replay:
        """The same merges of one word alone, which is number 0 there."""
        return Replay([self._words[word]], [1])

    def dropped_in(self, word: int) -> int:
        """How often a merge was dropped in a word."""
        return sum(not places for _, places in self._words[word].merges)

    def _in_learned_order(self, times: Sequence[int]) -> Iterator[Fired]:
        """Of all merges that come next in some word, the earliest learned comes first."""
        waiting: dict[int, list[int]] = {}
        ranks: list[int] = []

        def wait(word: int) -> None:
            done = len(self._made_at[word])
            if done < len(self._words[word]):
                rank = self._words[word].merges[done][0].rank
                if rank not in waiting:
                    waiting[rank] = []
                    heappush(ranks, rank)
                waiting[rank].append(word)

        for word in range(len(self._words)):
            wait(word)
        row = 0
        while ranks:
            row += 1
            words = waiting.pop(heappop(ranks))
            fired = [self._words[word].merges[len(self._made_at[word])] for word in words]
            yield Fired(
                fired[0][0],
                sum(len(places) * times[word] for (_, places), word in zip(fired, words, strict=True)),
                tuple(words),
                sum(times[word] for (_, places), word in zip(fired, words, strict=True) if not places),
            )
            for word in words:
                self._made_at[word].append(row)
                wait(word)

    def __len__(self) -> int:
        """Merges that fire."""
        return len(self.rows)

    @property
    def word_count(self) -> int:
        """Distinct words replayed."""
        return len(self._words)

    def tokens(self, word: int, row: int) -> TokenizedWord:
        """The tokens of a distinct word after the first `row` merges, placed from its start."""
        return self._words[word].tokens(self._done(word, row))

    def all_tokens(self, row: int) -> list[TokenizedWord]:
        """All distinct words after the first `row` merges."""
        return [self.tokens(word, row) for word in range(self.word_count)]

    def sizes(self, word: int, row: int) -> tuple[int, ...]:
        """How many symbols each token of `tokens(word, row)` holds."""
        return self._words[word].sizes(self._done(word, row))

    def fresh(self, word: int, row: int) -> frozenset[int]:
        """Which tokens of `tokens(word, row)` the merge of `row` itself has made."""
        done = self._done(word, row)
        if not done or self._made_at[word][done - 1] != row:
            return frozenset()
        return self._words[word].made_by(done)

    def _done(self, word: int, row: int) -> int:
        """How many of the first `row` merges changed the word."""
        return bisect_right(self._made_at[word], row)


def replay(
    encoder: Encoder,
    spans: Sequence[Span],
    times: Sequence[int],
    policy: str = "token",
    dropout: Dropout | None = None,
) -> Generator[None, None, Replay]:
    """Trace words of a text; the generator yields now and then, and returns the `Replay`.

    Args:
        encoder: Has the merges of the moment.
        spans: One occurrence of each distinct word.
        times: How often the text has each of them.
        policy: How unknown symbols are treated; raises `EncodeError` if it is `error` and one is unknown.
        dropout: Merges to leave out; `spans` are then all words of the text, in order.
    """
    words: list[WordReplay] = []
    work = 0
    chance = None if dropout is None or not dropout.rate else (dropout.rate, Random(dropout.seed).random)
    for span in spans:
        symbols = encoder.symbols_of(span, unknown=policy, dropout=chance is not None)
        word = WordReplay(placed(symbols, -span[1]), list(encoder.trace_word(symbols, chance)))
        words.append(word)
        work += len(symbols)
        if work > WORK:
            work = 0
            yield
    return Replay(words, times)


def trace(
    encoder: Encoder, text: str, *, unknown: str = "token", allow_special: bool = False, dropout: Dropout | None = None
) -> tuple[TokenizedText, Replay]:
    """A text in its words, and how these merge, some merges left out by `dropout`; raises like `Encoder.encode`.

    The tokens after some merges are `words.with_distinct(replay.all_tokens(row)).tokens()`.
    """
    reading = finish(tokenize(encoder, text, unknown, allow_special=allow_special))
    if reading.error:
        raise EncodeError(reading.error)
    if dropout is not None:
        reading = reading.with_words_apart()
    spans, times = reading.occurrences()
    return reading, finish(replay(encoder, spans, times, unknown, dropout))


def encode_with_dropout(encoder: Encoder, text: str, dropout: Dropout, *, unknown: str = "token") -> list[Token]:
    """The tokens of a text if merges are left out; raises like `Encoder.encode`."""
    words, steps = trace(encoder, text, unknown=unknown, dropout=dropout)
    return words.with_distinct(steps.all_tokens(len(steps))).tokens()
