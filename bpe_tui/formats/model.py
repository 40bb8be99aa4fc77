"""What a tokenizer file holds, whatever its format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bpe_tui.core.encoding.dialect import PLAIN, Dialect
from bpe_tui.core.encoding.encoder import Encoder
from bpe_tui.core.encoding.timeline import FixedTimeline

if TYPE_CHECKING:
    from bpe_tui.core.options import Options
    from bpe_tui.core.training.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class TokenizerModel:
    """A trained tokenizer: all that encoding and decoding need."""

    vocabulary: Vocabulary
    options: Options
    """Pre-tokenizer, alphabet, word ending and unknown token are the model's own; a file does not tell how it was
    trained, so the rest is what its tool does by default."""
    unknown: str = "token"
    """The policy for unknown symbols unless the user asks for another; one of `UNKNOWN_POLICIES`."""
    warnings: tuple[str, ...] = ()
    """Sentences for the user about what reading the file could not take over."""
    dialect: Dialect = PLAIN
    """How it encodes beside the options."""

    def encoder(self) -> Encoder:
        """An encoder for all merges of the model."""
        return Encoder(FixedTimeline(self.vocabulary, self.options), self.dialect)
