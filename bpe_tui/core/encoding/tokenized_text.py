"""A text as its words and tokens at one moment of training.

Texts repeat their words, and within one text a word always falls into the same tokens. So each distinct word is
encoded once, and a text of a hundred thousand characters costs little more than finding its words.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Generator, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import TypeVar

from bpe_tui.core.corpus.alphabet import utf8
from bpe_tui.core.corpus.pretokenize import Span, span_key
from bpe_tui.core.encoding.encoder import Dropped, Encoder, Token
from bpe_tui.core.errors import EncodeError

TokenizedWord = tuple[Token, ...]
"""The tokens of a distinct word, their places counted from the start of the word."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Figures:
    """How much text, in how many tokens."""

    tokens: int
    characters: int
    bytes: int
    words: int
    unknown: int
    dropped: int
    """Characters that are in no token."""


@dataclass(frozen=True)
class TokenizedText:
    """A text in its words, and these in tokens with the merges of one moment."""

    text: str
    spans: Sequence[Span]
    """The words and their places."""
    kinds: Sequence[int]
    """For each word which of the distinct words it is."""
    distinct_words: Sequence[TokenizedWord]
    policy: str = "token"
    """How unknown symbols were treated."""
    error: str = ""
    """Why the policy refuses the text; its tokens are then those of the policy `token`."""
    dropped: Sequence[Dropped] = ()
    """The characters that are in no token."""
    trim: Callable[[str, list[Token], int], list[Token]] = lambda text, tokens, number: tokens
    """See `Encoder.trimmed`."""

    @cached_property
    def first(self) -> Sequence[int]:
        """For each word the number of tokens before it, and at the end the number of all."""
        sizes = [len(shape) for shape in self.distinct_words]
        return list(accumulate((sizes[kind] for kind in self.kinds), initial=0))

    def __len__(self) -> int:
        """Tokens in all."""
        return self.first[-1]

    def word(self, index: int) -> list[Token]:
        """The tokens of a word; none if all of it was dropped."""
        return placed(self.distinct_words[self.kinds[index]], self.spans[index][1])

    def tokens(self) -> list[Token]:
        """All tokens, as `Encoder.encode` gives them."""
        return self.trim(self.text, [token for word in range(len(self.spans)) for token in self.word(word)], 0)

    def word_of(self, token: int) -> int:
        """The word that a token belongs to."""
        return bisect_right(self.first, token) - 1

    def token(self, index: int) -> Token:
        """One of all tokens."""
        word = self.word_of(index)
        shape = self.distinct_words[self.kinds[word]]
        return placed(shape[index - self.first[word] :][:1], self.spans[word][1])[0]

    def word_at(self, place: int) -> int:
        """The word at, or right before, a place of the text in code points; -1 if there is none."""
        return bisect_right(self.spans, place, key=lambda span: span[1]) - 1

    def token_at(self, place: int, nth: int = 0) -> int:
        """The token at, or right before, a place of the text; -1 if there is none.

        Of tokens that start at the same place (the bytes of one character) it is the one of number `nth`, from 0; those
        that are put before every text have negative ones.
        """
        word = self.word_at(place)
        if word < 0:
            return -1
        shape = self.distinct_words[self.kinds[word]]
        last = bisect_right(shape, place - self.spans[word][1], key=lambda token: token.start) - 1
        if last < 0:
            return self.first[word] - (not shape)
        first = bisect_left(shape, shape[last].start, key=lambda token: token.start)
        return self.first[word] + min(first + nth, last)

    def nth(self, index: int) -> int:
        """How many tokens before this one start at the same place; negative for what is put before a word there."""
        word = self.word_of(index)
        if (after := self.word_at(self.spans[word][1])) != word:
            return index - self.first[after]
        shape = self.distinct_words[self.kinds[word]]
        inside = index - self.first[word]
        return inside - bisect_left(shape, shape[inside].start, key=lambda token: token.start)

    def line_ends(self) -> list[bool]:
        """For each word whether a line of the text ends in it or right after it."""
        if "\n" not in self.text:
            return [False] * len(self.spans)
        starts = [span[1] for span in self.spans]
        find = self.text.find
        return [
            find("\n", start, after) >= 0 for start, after in zip(starts, [*starts[1:], len(self.text)], strict=True)
        ]

    def occurrences(self) -> tuple[list[Span], list[int]]:
        """For each distinct word one span where it occurs, and how often it does."""
        counted = Counter(self.kinds)
        found = dict(zip(reversed(self.kinds), reversed(self.spans), strict=True))
        kinds = range(len(self.distinct_words))
        return [found[kind] for kind in kinds], [counted[kind] for kind in kinds]

    def with_distinct(self, words: Sequence[TokenizedWord]) -> TokenizedText:
        """The same words in other tokens."""
        return replace(self, distinct_words=words)

    def with_words_apart(self) -> TokenizedText:
        """The same, each word of the text a distinct one, so that equal words can get different tokens."""
        words = [self.distinct_words[kind] for kind in self.kinds]
        return replace(self, kinds=range(len(words)), distinct_words=words)

    def with_word(self, index: int, word: TokenizedWord) -> TokenizedText:
        """The same tokens, but for one word."""
        kinds = list(self.kinds)
        kinds[index] = len(self.distinct_words)
        return replace(self, kinds=kinds, distinct_words=[*self.distinct_words, word])

    def figures(self) -> Figures:
        """The counts."""
        unknown = [sum(token.unknown for token in word) for word in self.distinct_words]
        return Figures(
            tokens=len(self),
            characters=len(self.text),
            bytes=len(utf8(self.text)),
            words=sum(end > start for _, start, end in self.spans),
            unknown=sum(unknown[kind] for kind in self.kinds),
            dropped=sum(len(run.text) for run in self.dropped),
        )


def tokenize(
    encoder: Encoder,
    text: str,
    policy: str = "token",
    *,
    allow_special: bool = False,
    cache: dict[Hashable, TokenizedWord] | None = None,
) -> Generator[None, None, TokenizedText]:
    """Tokenize `text`; the generator yields now and then, and returns the `TokenizedText`.

    `cache` has words that were tokenized before, with the same merges and policy; those of `text` are added.

    Raises `OptionError` if the words cannot be found (a pattern without end).
    """
    spans = encoder.spans(text, allow_special=allow_special)
    yield
    kinds: list[int] = []
    words: list[TokenizedWord] = []
    known: dict[Hashable, int] = {}
    error = ""
    for index, span in enumerate(spans):
        key = span_key(span)
        kind = known.get(key)
        if kind is None:
            kind = known[key] = len(words)
            word = None if cache is None else cache.get(key)
            if word is None:
                try:
                    tokens = encoder.tokens_of([span], unknown=policy)
                except EncodeError as refused:
                    error = error or str(refused)
                    tokens = encoder.tokens_of([span])
                word = tuple(placed(tokens, -span[1]))
                if cache is not None and not error:
                    cache[key] = word
            words.append(word)
            if not index % 64:
                yield
        kinds.append(kind)
    yield
    dropped = encoder.dropped(text, unknown=policy, spans=spans)
    return TokenizedText(text, spans, kinds, words, policy, error, dropped, encoder.trimmed)


def placed(tokens: Sequence[Token], by: int) -> list[Token]:
    """Tokens moved along the text."""
    return [Token(token.text, token.id, token.start + by, token.end + by, token.unknown) for token in tokens]


def finish(work: Generator[None, None, T]) -> T:
    """Run work that pauses now and then, without the pauses."""
    while True:
        try:
            next(work)
        except StopIteration as stop:
            result: T = stop.value
            return result
