"""A note where decoding does not give a text back, and none where it does."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from bpe_tui.formats.huggingface.read import read as read_json
from bpe_tui.formats.model import TokenizerModel
from bpe_tui.formats.round_trip import note_on_decoding
from tests.formats.models import trained

BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
METASPACE = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}


def file(component: dict[str, Any]) -> str:
    """A tokenizer.json that cuts and decodes by this component."""
    vocab = {char: number for number, char in enumerate("ab▁Ġ")}
    model = {"type": "BPE", "vocab": vocab, "merges": []}
    return json.dumps({"version": "1.0", "pre_tokenizer": component, "decoder": component, "model": model})


def note(model: TokenizerModel, text: str) -> str:
    """The note about a text."""
    encoder = model.encoder()
    return note_on_decoding(model, encoder, text, encoder.encode_ids(text))


@pytest.mark.parametrize("component", [BYTE_LEVEL, METASPACE])
@given(text=st.text("ab ▁", max_size=6))
def test_there_is_a_note_if_and_only_if_tokenizers_gives_another_text(component: dict[str, Any], text: str) -> None:
    if component is BYTE_LEVEL:
        text = text.replace("▁", "b")
    theirs = Tokenizer.from_str(file(component))
    given_back = theirs.decode(theirs.encode(text).ids) == text
    assert bool(note(read_json(file(component)), text)) is not given_back


def test_the_note_shows_the_difference() -> None:
    model = trained("course", alphabet="characters", pre_tokenizer="metaspace", documents="files", text="a b ab ▁a")
    assert note(model, "a b") == ""
    assert note(model, " a b") == 'decoding does not give this text back: "a b" instead of " a b"'
    assert note(model, "a▁b") == 'decoding does not give this text back: "a b" instead of "a▁b"'
    assert note(trained("huggingface"), " a ▁b") == ""
