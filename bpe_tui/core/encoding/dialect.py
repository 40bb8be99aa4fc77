"""How a tokenizer from elsewhere encodes otherwise than the options can say.

What is trained here has the plain dialect. A foreign format whose tool does more (words that are tokens whatever the
merges say, its own way to cut a text) says so in one of these, or in a subclass, and the encoder follows it.
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
    """Ways of encoding beside the options. Two dialects that encode alike are equal."""

    continuing_prefix: str = ""
    """Text before every symbol of a word but the first, as `##`."""
    whole_words: bool = False
    """A word that is a token as it stands is that token, whatever the merges would make of it."""
    every_token_is_a_symbol: bool = False
    """A character is looked for among all tokens, not in the alphabet only."""
    open_alphabet: bool = False
    """A symbol outside the alphabet is itself, without an id, instead of the unknown token."""
    at_once: bool = False
    """A merge is made in all its places before the next is looked for, even where it lets an earlier one fire."""
    specials_in_order: tuple[tuple[str, int], ...] = ()
    """Special tokens of which, where several fit, the first is taken; without any, the longest is."""
    outside: frozenset[str] = frozenset()
    """Tokens that were added to the vocabulary, and that neither a symbol nor a whole word can be."""
    before: tuple[int, ...] = ()
    """Tokens that every text begins with."""
    after: tuple[int, ...] = ()
    """Tokens that every text ends with."""

    def cutter(self, lexicon: TokenTable) -> PreTokenSplitter:
        """What cuts a text into words."""
        specials = lexicon.specials if self.specials_in_order else longest_first(lexicon.specials)
        return PlainSplitter(make_pre_tokenizer(lexicon.options), specials)

    def decoder(self, lexicon: TokenTable) -> Decoder:
        """What puts tokens together."""
        return PlainDecoder(lexicon)


PLAIN: Final = Dialect()
"""The dialect of what is trained here."""
