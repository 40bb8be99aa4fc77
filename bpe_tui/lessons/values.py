"""The values that statements claim: numbers, tokens, pairs, ties. Each is written as a lesson writes it.

A value may say less than there is to know (`u + g` without its count): what it leaves out is not compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from bpe_tui.lessons.words import ARROW, written


@dataclass(frozen=True, slots=True)
class Plain:
    """A number or a name."""

    text: str

    def agrees(self, actual: Value) -> bool:
        """Is `actual` the same?"""
        return self == actual

    def __str__(self) -> str:
        return self.text


class Piece(NamedTuple):
    """A token in a claim."""

    text: str
    unknown: bool = False


@dataclass(frozen=True, slots=True)
class Pieces:
    """Tokens, pre-tokens or ids in a row."""

    pieces: tuple[Piece, ...]

    def agrees(self, actual: Value) -> bool:
        """Is `actual` the same?"""
        return self == actual

    def __str__(self) -> str:
        return " ".join(_piece(piece) for piece in self.pieces) or "nothing"


def _piece(piece: Piece) -> str:
    if piece.unknown:
        return piece.text
    return f'"{piece.text}"' if looks_unknown(piece.text) else written(piece.text)


def looks_unknown(text: str) -> bool:
    """Does a bare word like this stand for an unknown symbol?"""
    return len(text) > 2 and (text[0], text[-1]) in {("[", "]"), ("<", ">")} and text[1:-1].casefold() == "unk"


@dataclass(frozen=True, slots=True)
class PairValue:
    """A pair, or the merge of it; None and nothing for what is not said."""

    left: str
    right: str
    token: str | None = None
    counted: int | None = None
    replaced: int | None = None
    tied: int | None = None
    """Pairs that shared the highest count, this one included."""

    def agrees(self, actual: Value) -> bool:
        """Is all that is said true of `actual`?"""
        if not isinstance(actual, PairValue) or (self.left, self.right) != (actual.left, actual.right):
            return False
        said = ((self.token, actual.token), (self.counted, actual.counted))
        more = ((self.replaced, actual.replaced), (self.tied, actual.tied))
        return all(mine is None or mine == its for mine, its in (*said, *more))

    def __str__(self) -> str:
        told = f"{written(self.left)} + {written(self.right)}"
        if self.token is not None:
            told += f" {ARROW} {written(self.token)}"
        if self.counted is not None:
            told += f", {self.counted} times"
        if self.replaced is not None and self.replaced != self.counted:
            told += f", {self.replaced} replaced"
        if self.tied is not None and self.tied > 1:
            told += f", {self.tied} tied"
        return told


@dataclass(frozen=True, slots=True)
class TieValue:
    """The pairs that share the highest count."""

    size: int
    """1 if one pair leads alone, 0 if no pair is left."""
    count: int | None = None
    pairs: frozenset[tuple[str, str]] | None = None
    """All of them."""

    def agrees(self, actual: Value) -> bool:
        """Is all that is said true of `actual`?"""
        if not isinstance(actual, TieValue):
            return False
        if self.size < 2:
            return actual.size < 2
        if self.size != actual.size or self.count not in (None, actual.count):
            return False
        return self.pairs is None or self.pairs == actual.pairs

    def __str__(self) -> str:
        if self.size < 2:
            return "none"
        told = f"{self.size} pairs"
        if self.count is not None:
            told += f", {self.count} times"
        if self.pairs is not None:
            told += ": " + ", ".join(f"{written(left)} + {written(right)}" for left, right in sorted(self.pairs))
        return told


Value = Plain | Pieces | PairValue | TieValue
