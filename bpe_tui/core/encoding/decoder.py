"""Decoding: token ids back to the bytes of the text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from bpe_tui.core.corpus.alphabet import chars_to_bytes, is_byte_level, utf8
from bpe_tui.core.corpus.pretokenize import METASPACE, drops_text

if TYPE_CHECKING:
    from bpe_tui.core.encoding.token_table import TokenTable


class Decoder(Protocol):
    """Puts tokens together. Both raise `EncodeError` for an id that no token has."""

    def decode(self, ids: Iterable[int]) -> bytes:
        """The bytes that `ids` stand for, exactly; they need not be whole characters."""

    def text(self, ids: Iterable[int]) -> str:
        """Their text; bytes that make no character become U+FFFD."""


class PlainDecoder:
    """Decodes with the tokens of a table, by its options."""

    def __init__(self, table: TokenTable) -> None:
        self._table = table
        options = table.options
        self._ending = options.end_of_word
        self._between = b" " if drops_text(options) else b""
        self._byte_level = is_byte_level(options)
        self._metaspace = options.pre_tokenizer == "metaspace"
        # Special tokens are text of their own, also where the alphabet is bytes; unless they are letters as well.
        added = {**table.specials, **table.protected}
        self._plain = {token for text, token in added.items() if text not in table.letters}
        self._bytes = {
            token: byte for byte, token in table.byte_tokens.items() if table.texts[token] not in table.letters
        }

    def decode(self, ids: Iterable[int]) -> bytes:
        """The bytes that `ids` stand for, exactly; they need not be whole characters.

        The word ending of a token becomes a space, unless the token is the last one, or the words hold the spaces
        between them anyway. Raises `EncodeError` for an id that no token has.
        """
        data = bytearray()
        ended = False
        for token in ids:
            if ended:
                data += self._between
            part, ended = self._part(token)
            data += part
        if self._metaspace:
            return bytes(data).replace(METASPACE.encode(), b" ").removeprefix(b" ")
        return bytes(data)

    def text(self, ids: Iterable[int]) -> str:
        """See `Decoder`."""
        return self.decode(ids).decode("utf-8", "replace")

    def _part(self, token: int) -> tuple[bytes, bool]:
        """The bytes of a token without its word ending, and whether it has one."""
        text = self._table.text_of(token)
        if token in self._bytes:
            return bytes([self._bytes[token]]), False
        if token in self._plain:
            return utf8(text), False
        ended = bool(self._ending) and text.endswith(self._ending)
        body = text.removesuffix(self._ending) if ended else text
        if not self._byte_level:
            return utf8(body), ended
        try:
            return chars_to_bytes(body), ended
        except UnicodeEncodeError:  # a token of a foreign vocabulary that is not written in byte characters
            return utf8(body), ended
