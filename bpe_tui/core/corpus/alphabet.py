"""Text to symbols: characters, or bytes written in GPT-2's reversible byte-to-character table.

A byte alphabet writes every byte as one printable character, so that byte-level tokens can be shown, stored and
compared as text: printable Latin-1 bytes represent themselves, the other 68 are moved, in order, to U+0100 and on
(space is `Ġ`, newline is `Ċ`). The table is the one of OpenAI's GPT-2 encoder and of Hugging Face `ByteLevel`.
"""

from __future__ import annotations

from typing import Final

from bpe_tui.core.options import Options


def _byte_table() -> tuple[str, ...]:
    """The 256 characters in byte order."""
    itself = {*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)}
    table, moved = [], 0x100
    for byte in range(256):
        if byte in itself:
            table.append(chr(byte))
        else:
            table.append(chr(moved))
            moved += 1
    return tuple(table)


BYTE_TO_CHAR: Final = _byte_table()
CHAR_TO_BYTE: Final = {char: byte for byte, char in enumerate(BYTE_TO_CHAR)}

_LATIN1_TO_CHAR: Final = dict(enumerate(BYTE_TO_CHAR))
_CHAR_TO_LATIN1: Final = {ord(char): chr(byte) for char, byte in CHAR_TO_BYTE.items()}


def is_byte_level(options: Options) -> bool:
    """Whether symbols are bytes rather than characters."""
    return options.alphabet != "characters"


def utf8(text: str) -> bytes:
    """The bytes of `text`; a lone surrogate, which UTF-8 cannot represent, becomes U+FFFD's bytes."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text).encode()


def bytes_to_chars(data: bytes) -> str:
    """`data` in the byte-to-character table: one character per byte."""
    return data.decode("latin-1").translate(_LATIN1_TO_CHAR)


def chars_to_bytes(text: str) -> bytes:
    """The inverse of `bytes_to_chars`. Raises UnicodeEncodeError if `text` has a character outside the table."""
    return text.translate(_CHAR_TO_LATIN1).encode("latin-1")


def alphabet_text(word: str, options: Options) -> str:
    """`word` as its tokens show it: in the byte-to-character table for byte alphabets, else itself."""
    return bytes_to_chars(utf8(word)) if is_byte_level(options) else word
