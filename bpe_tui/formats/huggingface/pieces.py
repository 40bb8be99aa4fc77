"""Pieces of a text on their way through the pre-tokenizers of a tokenizer.json.

A piece knows where each of its characters stood, so that a token can always be shown where it was typed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(slots=True)
class Piece:
    """A piece of a text."""

    text: str
    start: int
    """Where it begins in the whole text."""
    places: list[tuple[int, int]] | None = None
    """For each character where it stood in the whole text; None for a piece that is the text from `start` on."""

    def slice(self, begin: int, end: int) -> Piece:
        """The characters from `begin` to `end`."""
        if self.places is None:
            return Piece(self.text[begin:end], self.start + begin)
        places = self.places[begin:end]
        return Piece(self.text[begin:end], places[0][0], places)

    def prefixed(self, text: str) -> Piece:
        """The piece with a text before it that covers nothing."""
        places = self.all_places()
        return Piece(text + self.text, self.start, [(self.start, self.start)] * len(text) + places)

    def all_places(self) -> list[tuple[int, int]]:
        """`places`, also where they follow from `start`."""
        if self.places is not None:
            return self.places
        return [(place, place + 1) for place in range(self.start, self.start + len(self.text))]


def within(places: Sequence[tuple[int, int]], inside: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Places inside of a text whose own characters have places."""
    last = len(places) - 1
    return [(places[min(begin, last)][0], places[min(max(begin, end - 1), last)][1]) for begin, end in inside]


class Step(Protocol):
    """One pre-tokenizer."""

    def pieces(self, piece: Piece) -> Iterable[Piece]:
        """The pieces that it leaves of one, none of them empty."""

    def words(self, text: str, at_start: bool) -> list[str]:
        """The same without places, as fast as can be; `at_start` tells that the piece begins the whole text."""
