"""Words as they are encoded, remembered: texts repeat them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

_CACHED_WORDS: Final = 1 << 16
_LONG: Final = 1_000
"""Words of more characters than this are not cached: they seldom come again."""

_Value = TypeVar("_Value")


class WordCache(dict[str, _Value]):
    """Words as they are encoded under one policy; a word that is missing is encoded when it is asked for."""

    def __init__(self, encode_word: Callable[[str], _Value]) -> None:
        super().__init__()
        self._encode_word = encode_word

    def __missing__(self, word: str) -> _Value:
        encoded = self._encode_word(word)
        if len(word) <= _LONG:
            if len(self) >= _CACHED_WORDS:
                self.clear()
            self[word] = encoded
        return encoded
