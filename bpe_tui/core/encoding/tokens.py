"""The values that encoding hands out: tokens with their places, and the rows of a trace."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

from bpe_tui.core.corpus.pretokenize import PlacedSpan, Span
from bpe_tui.core.encoding.symbols import place_in
from bpe_tui.core.training.vocabulary import Merge


class Token(NamedTuple):
    """One token of an encoded text."""

    text: str
    """As it is shown; the unknown token's text for an unknown symbol."""
    id: int | None
    """None for an unknown symbol whose stand-in is not in the vocabulary."""
    start: int
    end: int
    """Where it stands in the text, in code points. A byte-level token may cover part of a character."""
    unknown: bool = False


Shape = tuple[str, int | None, int, int, bool]
"""The fields of a `Token`, its place counted from the start of its word or of the text."""
AS_TOKEN: Final[Callable[[Shape], Token]] = partial(tuple.__new__, Token)
"""A token of its fields, made without a call into Python."""


def placed(shape: list[Shape], span: Span) -> list[Shape]:
    """The tokens of a word, with their places in the text where the word stands."""
    word, begin, end = span
    if isinstance(span, PlacedSpan) and span.places is not None:
        return [
            (text, token, *place_in(span.places, start, stop), is_unknown)
            for text, token, start, stop, is_unknown in shape
        ]
    shift = len(word) - (end - begin)  # a metaspace put before the text covers nothing of it
    return [
        (text, token, begin + max(0, start - shift), begin + max(0, stop - shift), is_unknown)
        for text, token, start, stop, is_unknown in shape
    ]


@dataclass(frozen=True, slots=True)
class TraceRow:
    """One merge that fired, and the whole text's tokens after it was made in all its places."""

    rank: int
    merge: Merge
    tokens: tuple[Token, ...]
