"""A word as its symbols before any merge, each with its place, and what becomes of the symbols that are unknown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from typing import Final

from bpe_tui.core.corpus.alphabet import BYTE_TO_CHAR, bytes_to_chars, is_byte_level, utf8
from bpe_tui.core.encoding.merge_ranks import UNKNOWN, Pieces
from bpe_tui.core.options import Options

BYTE_TOKENS: Final = {f"<0x{byte:02X}>": byte for byte in range(256)}
"""The tokens of byte fallback, as sentencepiece writes them."""

Units = list[tuple[int, int, int]]
"""Symbols or tokens of a word: (id or `UNKNOWN`, start, end), in code points from the start of the word."""


class SymbolSplitter:
    """Spells words in the symbols of a base vocabulary."""

    def __init__(
        self, letters: Mapping[str, int], byte_tokens: Mapping[int, int], options: Options, prefix: str = ""
    ) -> None:
        """Set up for a vocabulary.

        `letters` are the ids of the alphabet, `byte_tokens` the ids of the tokens of byte fallback, by byte; `prefix`
        stands before every symbol of a word but the first.
        """
        self._prefix = prefix
        self._letters = letters
        self._byte_tokens = byte_tokens
        self._byte_level = is_byte_level(options)
        self._suffix = options.end_of_word if options.end_of_word_style == "suffix" else ""
        self._last_symbol = options.end_of_word if options.end_of_word_style == "symbol" else ""
        self._byte_ids = [letters.get(char, UNKNOWN) for char in BYTE_TO_CHAR]

    def ids(self, word: str, unknown: str = "token") -> list[int]:
        """The ids of `spell`, without the places."""
        ids = self._plain_ids(word)
        if UNKNOWN in ids and unknown not in ("token", "error"):
            return [unit[0] for unit in self.spell(word, unknown)]
        return ids

    def one_each(self, word: str) -> list[int] | None:
        """The ids of the symbols of `word` if each is one of its characters and none is unknown; else None."""
        if self._prefix or self._suffix or (self._byte_level and not word.isascii()):
            return None
        ids = self._plain_ids(word)
        return None if UNKNOWN in ids or len(ids) != len(word) else ids

    def spell(self, word: str, unknown: str = "token") -> Units:
        """The symbols of `word`, the ending included, with the unknown ones dealt with as the policy says.

        The policy `error` leaves them as `token` does: who asked for it looks for them.
        """
        units = list(zip(self._plain_ids(word), *self._places(word), strict=True))
        if unknown in ("token", "error") or not any(unit[0] == UNKNOWN for unit in units):
            return units
        if unknown == "drop":
            return [unit for unit in units if unit[0] != UNKNOWN]
        return _fused(units) if unknown == "fuse" else self._with_bytes(units, word)

    def text(self, word: str, start: int, end: int) -> str:
        """A symbol of `word` as a vocabulary would spell it, by its place in the word."""
        if end < len(word):
            return word[start:end]
        return word[start:] + (self._last_symbol if start == end else self._suffix)

    def _plain_ids(self, word: str) -> list[int]:
        letters = self._letters
        if self._prefix:
            chars = bytes_to_chars(utf8(word)) if self._byte_level else word
            ids = [letters.get(self._prefix + char if place else char, UNKNOWN) for place, char in enumerate(chars)]
        elif self._byte_level:
            ids = list(map(self._byte_ids.__getitem__, utf8(word)))
        else:
            ids = list(map(letters.get, word, repeat(UNKNOWN)))
        if ids and self._suffix:
            last = BYTE_TO_CHAR[utf8(word[-1])[-1]] if self._byte_level else word[-1]
            ids[-1] = letters.get((self._prefix if len(ids) > 1 else "") + last + self._suffix, UNKNOWN)
        elif ids and self._last_symbol:
            ids.append(letters.get(self._last_symbol, UNKNOWN))
        return ids

    def _places(self, word: str) -> tuple[list[int], list[int]]:
        """Where each symbol of `word` starts and ends; all bytes of a character stand where it stands."""
        if self._byte_level and not word.isascii():
            starts = [place for place, char in enumerate(word) for _ in utf8(char)]
        else:
            starts = list(range(len(word)))
        ends = [place + 1 for place in starts]
        if word and self._last_symbol:
            starts.append(len(word))
            ends.append(len(word))
        return starts, ends

    def _with_bytes(self, units: Units, word: str) -> Units:
        """Byte fallback: unknown symbols as the tokens of their bytes, if the vocabulary has them all."""
        spelt = self._spelt(word)
        dealt: Units = []
        for (symbol, start, end), data in zip(units, spelt, strict=True):
            if symbol == UNKNOWN and all(byte in self._byte_tokens for byte in data):
                dealt += [(self._byte_tokens[byte], start, end) for byte in data]
            else:
                dealt.append((symbol, start, end))
        return dealt

    def _spelt(self, word: str) -> list[bytes]:
        """The bytes of each symbol of `word`."""
        spelt = [bytes([byte]) for byte in utf8(word)] if self._byte_level else [utf8(char) for char in word]
        if self._prefix:
            spelt[1:] = [utf8(self._prefix) + data for data in spelt[1:]]
        if self._suffix:
            spelt[-1] += utf8(self._suffix)
        return [*spelt, utf8(self._last_symbol)] if self._last_symbol else spelt


def _fused(units: Iterable[tuple[int, int, int]]) -> Units:
    """Each run of unknown symbols as one."""
    fused: Units = []
    for symbol, start, end in units:
        if symbol == UNKNOWN and fused and fused[-1][0] == UNKNOWN:
            fused[-1] = (UNKNOWN, fused[-1][1], end)
        else:
            fused.append((symbol, start, end))
    return fused


def place_in(places: Sequence[tuple[int, int]], start: int, stop: int) -> tuple[int, int]:
    """Where the characters from `start` to `stop` of a word stand in a text, which has `places` for each of them."""
    first = places[start][0] if start < len(places) else places[-1][1]
    return first, places[stop - 1][1] if stop > start else first


def joined(symbols: Units, pieces: Pieces) -> Units:
    """The tokens that `pieces` of these symbols make, with their places."""
    units: Units = []
    place = 0
    for token, length in pieces:
        units.append((token, symbols[place][1], symbols[place + length - 1][2]))
        place += length
    return units
