"""Models trained for the tests of formats, and texts for them."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.corpus.sources import text_corpus
from bpe_tui.core.options import make_options
from bpe_tui.core.training.trainer import Trainer
from bpe_tui.formats.model import TokenizerModel
from tests.formats.hf_files import PIECES, TEXT

texts = st.text() | st.lists(st.sampled_from(PIECES)).map("".join) | st.sampled_from(TEXT.split("\n"))


def ranks_of(path: Path) -> dict[bytes, int]:
    """The ranks in a file as tiktoken's own loader reads them, which remembers files by their names."""
    lines = (line.split() for line in path.read_bytes().splitlines() if line)
    return {base64.b64decode(token): int(rank) for token, rank in lines}


def trained(preset: str = "huggingface", text: str = TEXT, **overrides: Any) -> TokenizerModel:
    """A model trained on `text`."""
    options = make_options(preset, **{"merges": 120, **overrides})
    trainer = Trainer(count_words(text_corpus(text), options), options)
    trainer.run()
    return TokenizerModel(trainer.vocabulary(), options)


def ids(model: TokenizerModel, text: str, *, special: bool = False) -> list[int]:
    """The ids of a text."""
    return model.encoder().encode_ids(text, unknown=model.unknown, allow_special=special)


def tokens(model: TokenizerModel, text: str, **how: Any) -> list[str]:
    """The tokens of a text."""
    return [token.text for token in model.encoder().encode(text, **{"unknown": model.unknown, **how})]
