"""The values that encoding hands out: tokens with their places, and the rows of a trace."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

from bpe_tui.core.vocabulary import Merge


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


@dataclass(frozen=True, slots=True)
class TraceRow:
    """One merge that fired, and the whole text's tokens after it was made in all its places."""

    rank: int
    merge: Merge
    tokens: tuple[Token, ...]
