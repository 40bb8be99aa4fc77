"""Splitting a text to be encoded into words; special tokens in it, if they are allowed, are words of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Protocol

from bpe_tui.core.corpus.pretokenize import PlacedSpan, PreTokenizer, Span, shifted


class PreTokenSplitter(Protocol):
    """Splits texts into words."""

    def spans(self, text: str, allow_special: bool = False) -> list[Span]:
        """The words of `text` with their places; those that are tokens by themselves are a `PlacedSpan`."""

    def words(self, text: str, allow_special: bool = False) -> Iterator[list[str] | int]:
        """The same without the places, for `Encoder.encode_ids`: runs of words, and ids of tokens between them."""


class PlainSplitter:
    """Splits at special tokens, then by a pre-tokenizer."""

    def __init__(self, pre_tokenizer: PreTokenizer, specials: Mapping[str, int]) -> None:
        """Where several of `specials` fit in one place, the first in order is taken."""
        self._pre_tokenizer = pre_tokenizer
        self._ids = specials
        self._specials = re.compile("|".join(map(re.escape, specials))) if specials else None

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
        """`text` split at its special tokens: (start, end, id of the special token or None for text between them)."""
        begin = 0
        if allow_special and self._specials is not None:
            for match in self._specials.finditer(text):
                yield begin, match.start(), None
                yield match.start(), match.end(), self._ids[match.group()]
                begin = match.end()
        yield begin, len(text), None


def longest_first(specials: Mapping[str, int]) -> dict[str, int]:
    """Special tokens in the order in which most tools look for them."""
    return {text: specials[text] for text in sorted(specials, key=len, reverse=True)}
