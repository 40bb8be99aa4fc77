"""Splitting a text to be encoded into words; protected tokens in it are words of their own, and special ones if they
are allowed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from bpe_tui.core.corpus.pretokenize import PlacedSpan, PreTokenizer, Span, shifted


class PreTokenSplitter(Protocol):
    """Splits texts into words."""

    def spans(self, text: str, allow_special: bool = False) -> list[Span]:
        """The words of `text` with their places; those that are tokens by themselves are a `PlacedSpan`."""

    def words(self, text: str, allow_special: bool = False) -> Iterator[list[str] | int]:
        """The same without the places, for `Encoder.encode_ids`: runs of words, and ids of tokens between them."""


class CorpusSplitter(Protocol):
    """Splits the documents of a corpus into words, where options do not say how."""

    def words_of(self, texts: Iterable[str], allow_special: bool = False) -> Iterator[list[str] | int]:
        """The words of several texts, one after the other, as `PreTokenSplitter.words` has them."""


class PlainSplitter:
    """Splits at protected and special tokens, then by a pre-tokenizer."""

    def __init__(
        self, pre_tokenizer: PreTokenizer, specials: Mapping[str, int], protected: Mapping[str, int] | None = None
    ) -> None:
        """Where several of `specials` fit in one place, the first in order is taken; with `protected`, the longest."""
        self._pre_tokenizer = pre_tokenizer
        protected = longest_first(protected or {})
        both = longest_first({**specials, **protected}) if protected else specials
        self._ids = both
        self._patterns = {False: _pattern(protected), True: _pattern(both)}

    def spans(self, text: str, allow_special: bool = False) -> list[Span]:
        """See `PreTokenSplitter`."""
        spans: list[Span] = []
        for begin, end, special in self._parts(text, allow_special):
            if special is not None:
                spans.append(PlacedSpan(text[begin:end], begin, end, token=special))
            else:
                found = self._pre_tokenizer.spans(text[begin:end])
                spans += found if begin == 0 else [shifted(span, begin) for span in found]
        return spans

    def words(self, text: str, allow_special: bool = False) -> Iterator[list[str] | int]:
        """See `PreTokenSplitter`."""
        for begin, end, special in self._parts(text, allow_special):
            yield self._pre_tokenizer.split(text[begin:end]) if special is None else special

    def _parts(self, text: str, allow_special: bool) -> Iterator[tuple[int, int, int | None]]:
        """`text` split at such tokens: (start, end, id of the token or None for text between them)."""
        begin = 0
        pattern = self._patterns[allow_special]
        if pattern is not None:
            for match in pattern.finditer(text):
                yield begin, match.start(), None
                yield match.start(), match.end(), self._ids[match.group()]
                begin = match.end()
        yield begin, len(text), None


def _pattern(tokens: Mapping[str, int]) -> re.Pattern[str] | None:
    return re.compile("|".join(map(re.escape, tokens))) if tokens else None


def longest_first(specials: Mapping[str, int]) -> dict[str, int]:
    """Special tokens in the order in which most tools look for them."""
    return {text: specials[text] for text in sorted(specials, key=len, reverse=True)}
