"""What a tokenizer from elsewhere does that options cannot express.

What is trained here has the plain dialect. A foreign format whose tool does more (words that are tokens whatever the
merges say, another way to split a text) has a dialect with these fields, or a subclass, and the encoder follows it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bpe_tui.core.corpus.pretokenize import make_pre_tokenizer
from bpe_tui.core.encoding.decoder import Decoder, PlainDecoder
from bpe_tui.core.encoding.splitter import PlainSplitter, PreTokenSplitter, longest_first

if TYPE_CHECKING:
    from bpe_tui.core.encoding.token_table import TokenTable


@dataclass(frozen=True)
class Dialect:
    """How texts are encoded, beside the options. Two dialects that encode alike are equal."""

    continuing_prefix: str = ""
    """Text before every symbol of a word but the first, as `##`."""
    whole_words: bool = False
    """A word that equals a token is that token, whatever the merges would make of it."""
    every_token_is_a_symbol: bool = False
    """A character is looked for among all tokens, not in the alphabet only."""
    open_alphabet: bool = False
    """A symbol outside the alphabet is itself, without an id, instead of the unknown token."""
    at_once: bool = False
    """Each merge is made in all its places before the next is looked for, even where it lets an earlier one fire."""
    specials_in_order: tuple[tuple[str, int], ...] = ()
    """Special tokens of which, where several fit, the first is taken; without any, the longest is."""
    outside: frozenset[str] = frozenset()
    """Tokens that were added to the vocabulary, and that neither a symbol nor a whole word can be."""
    before: tuple[int, ...] = ()
    """Tokens that every text begins with."""
    after: tuple[int, ...] = ()
    """Tokens that every text ends with."""
    offset_trims: tuple[bool, ...] = ()
    """Each time that spaces at either end of a token are left out of its place: whether a token at the start of the
    text keeps one (`trim_offsets` and `add_prefix_space` of `tokenizers`)."""

    def splitter(self, table: TokenTable) -> PreTokenSplitter:
        """What splits a text into words."""
        specials = table.specials if self.specials_in_order else longest_first(table.specials)
        return PlainSplitter(make_pre_tokenizer(table.options), specials, table.protected)

    def decoder(self, table: TokenTable) -> Decoder:
        """What puts tokens together."""
        return PlainDecoder(table)


PLAIN: Final = Dialect()
"""The dialect of what is trained here."""
