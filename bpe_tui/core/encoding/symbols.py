"""A word as its symbols before any merge, each with its place, and what becomes of the symbols that are unknown."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import repeat
from typing import Final

from bpe_tui.core.corpus.alphabet import BYTE_TO_CHAR, bytes_to_chars, is_byte_level, utf8
from bpe_tui.core.encoding.merge_ranks import UNKNOWN
from bpe_tui.core.options import Options

BYTE_TOKENS: Final = {f"<0x{byte:02X}>": byte for byte in range(256)}
"""The tokens of byte fallback, as sentencepiece writes them."""


Place = tuple[int, int]
"""Start and end in a word, in code points from its start."""
Symbols = tuple[list[int], list[Place] | None]
"""The symbols of a word: the id of each, or `UNKNOWN`; and their places, None if each symbol is one character."""


class SymbolSplitter:
    """Splits words into the symbols of a base vocabulary."""

    def __init__(
        self, letters: Mapping[str, int], byte_tokens: Mapping[int, int], options: Options, prefix: str = ""
    ) -> None:
        """Set up for a vocabulary.

        `letters` are the ids of the alphabet, `byte_tokens` the ids of the tokens of byte fallback, by byte; `prefix`
        is put before every symbol of a word but the first.
        """
        self._prefix = prefix
        self._letters = letters
        self._byte_tokens = byte_tokens
        self._byte_level = is_byte_level(options)
        self._suffix = options.end_of_word if options.end_of_word_style == "suffix" else ""
        self._last_symbol = options.end_of_word if options.end_of_word_style == "symbol" else ""
        self._byte_ids = list(map(letters.get, BYTE_TO_CHAR, repeat(UNKNOWN)))

    def split(self, word: str, unknown: str = "token") -> Symbols:
        """The symbols of `word`, the ending included, with the unknown ones treated as the policy says.

        The policies `token` and `error` leave them: what becomes of them is decided when they are shown.
        """
        ids = self._ids(word)
        places = None if len(ids) == len(word) else self._places(word)
        if UNKNOWN not in ids or unknown in ("token", "error"):
            return ids, places
        symbols = list(zip(ids, self._places(word), strict=True))
        if unknown == "drop":
            symbols = [symbol for symbol in symbols if symbol[0] != UNKNOWN]
        else:
            symbols = _fused(symbols) if unknown == "fuse" else self._with_bytes(symbols, word)
        return [symbol for symbol, _ in symbols], [place for _, place in symbols]

    def ids(self, word: str, unknown: str = "token") -> list[int]:
        """The ids of `split`."""
        ids = self._ids(word)
        return ids if UNKNOWN not in ids else self.split(word, unknown)[0]

    def unknown_places(self, word: str) -> list[Place]:
        """The place of each unknown symbol of `word`, an ending that covers nothing left out."""
        ids = self._ids(word)
        if UNKNOWN not in ids:
            return []
        symbols = zip(ids, self._places(word), strict=True)
        return [(start, end) for symbol, (start, end) in symbols if symbol == UNKNOWN and start < end]

    def text(self, word: str, start: int, end: int) -> str:
        """A symbol of `word` as a vocabulary would write it, by its place in the word."""
        if end < len(word):
            return word[start:end]
        return word[start:] + (self._last_symbol if start == end else self._suffix)

    def _ids(self, word: str) -> list[int]:
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

    def _places(self, word: str) -> list[Place]:
        """The place of each symbol of `word`; all bytes of a character have that of the character."""
        places = [(place, place + 1) for place in range(len(word))]
        if self._byte_level and not word.isascii():
            places = [places[place] for place, char in enumerate(word) for _ in utf8(char)]
        return [*places, (len(word), len(word))] if word and self._last_symbol else places

    def _with_bytes(self, symbols: list[tuple[int, Place]], word: str) -> list[tuple[int, Place]]:
        """Byte fallback: unknown symbols as the tokens of their bytes, if the vocabulary has them all."""
        replaced: list[tuple[int, Place]] = []
        for (symbol, place), data in zip(symbols, self._bytes(word), strict=True):
            if symbol == UNKNOWN and all(byte in self._byte_tokens for byte in data):
                replaced += [(self._byte_tokens[byte], place) for byte in data]
            else:
                replaced.append((symbol, place))
        return replaced

    def _bytes(self, word: str) -> list[bytes]:
        """The bytes of each symbol of `word`."""
        data = [bytes([byte]) for byte in utf8(word)] if self._byte_level else [utf8(char) for char in word]
        if self._prefix:
            data[1:] = [utf8(self._prefix) + symbol for symbol in data[1:]]
        if self._suffix:
            data[-1] += utf8(self._suffix)
        return [*data, utf8(self._last_symbol)] if self._last_symbol else data


def _fused(symbols: list[tuple[int, Place]]) -> list[tuple[int, Place]]:
    """Each run of unknown symbols as one."""
    fused: list[tuple[int, Place]] = []
    for symbol, (start, end) in symbols:
        if symbol == UNKNOWN and fused and fused[-1][0] == UNKNOWN:
            fused[-1] = (UNKNOWN, (fused[-1][1][0], end))
        else:
            fused.append((symbol, (start, end)))
    return fused
