"""Longest match: the other way to split a word with a vocabulary, for comparison with the merges.

Read from the left, always take the longest token that fits (as WordPiece does). It needs no merges, only the
vocabulary; where it ends elsewhere than byte-pair encoding, the order of the merges was what made the difference.
"""

from __future__ import annotations

from collections.abc import Sequence

from bpe_tui.core.encoding.encoder import Encoder, Token


def longest_match(encoder: Encoder, text: str, *, unknown: str = "token") -> list[Token]:
    """The tokens of `text` by longest match; words, symbols and unknown ones are those of `encoder`."""
    words = (encoder.symbols_of(span, unknown=unknown) for span in encoder.spans(text))
    return [token for symbols in words for token in _joined(encoder, symbols)]


def _joined(encoder: Encoder, symbols: Sequence[Token]) -> list[Token]:
    """The symbols of one word, joined."""
    tokens: list[Token] = []
    place = 0
    while place < len(symbols):
        token, place = _longest(encoder, symbols, place)
        tokens.append(token)
    return tokens


def _longest(encoder: Encoder, symbols: Sequence[Token], start: int) -> tuple[Token, int]:
    """The longest token that begins with the symbol at `start`, and the place after it."""
    for end in range(len(symbols), start + 1, -1):
        parts = symbols[start:end]
        found = None if any(part.unknown for part in parts) else encoder.id_of_joined(parts)
        if found is not None:
            return Token(encoder.text_of(found), found, parts[0].start, parts[-1].end), end
    return symbols[start], start + 1
