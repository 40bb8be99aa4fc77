"""Decoding: token ids back to the bytes of the text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from bpe_tui.core.corpus.alphabet import chars_to_bytes, is_byte_level, utf8
from bpe_tui.core.corpus.pretokenize import METASPACE, drops_text
from bpe_tui.core.errors import EncodeError
from bpe_tui.core.i18n import _

if TYPE_CHECKING:
    from bpe_tui.core.encoding.token_table import TokenTable


class Decoder(Protocol):
    """Puts tokens together. Both raise `EncodeError` for an id that no token has."""

    def decode(self, ids: Iterable[int]) -> bytes:
        """The bytes that `ids` stand for, exactly; they need not be whole characters."""

    def text(self, ids: Iterable[int]) -> str:
        """Their text; bytes that make no character become U+FFFD."""


class PlainDecoder:
    """Decodes with the tokens of a lexicon, by its options."""

    def __init__(self, lexicon: TokenTable) -> None:
        self._lexicon = lexicon
        options = lexicon.options
        self._ending = options.end_of_word
        self._between = b" " if drops_text(options) else b""
        self._byte_level = is_byte_level(options)
        self._metaspace = options.pre_tokenizer == "metaspace"
        # Special tokens are text of their own, also where the alphabet is bytes; unless they are letters as well.
        self._plain = {token for special, token in lexicon.specials.items() if special not in lexicon.letters}
        self._bytes = {
            token: byte for byte, token in lexicon.byte_tokens.items() if lexicon.texts[token] not in lexicon.letters
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
            piece, ended = self._piece(token)
            data += piece
        if self._metaspace:
            return bytes(data).replace(METASPACE.encode(), b" ").removeprefix(b" ")
        return bytes(data)

    def text(self, ids: Iterable[int]) -> str:
        """See `Decoder`."""
        return self.decode(ids).decode("utf-8", "replace")

    def _piece(self, token: int) -> tuple[bytes, bool]:
        """The bytes of a token without its word ending, and whether it has one."""
        if not self._lexicon.has(token):
            raise EncodeError(_("there is no token with id {token}").format(token=token))
        text = self._lexicon.texts[token]
        if token in self._bytes:
            return bytes([self._bytes[token]]), False
        if token in self._plain:
            return utf8(text), False
        ended = bool(self._ending) and text.endswith(self._ending)
        body = text.removesuffix(self._ending) if ended else text
        return self._body(body), ended

    def _body(self, text: str) -> bytes:
        if not self._byte_level:
            return utf8(text)
        try:
            return chars_to_bytes(text)
        except UnicodeEncodeError:  # a token of a foreign vocabulary that is not written in byte characters
            return utf8(text)
