"""Foreign tokenizers under the app's way to read a text: word by word, each kind of word once, and merge by merge."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence

import pytest

from bpe_tui.core.corpus.pretokenize import Span
from bpe_tui.core.encoding.encoder import Token
from bpe_tui.core.encoding.replay import replay
from bpe_tui.core.encoding.tokenized_text import finish, placed, tokenize
from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.formats import merges, tiktoken
from bpe_tui.formats.huggingface.read import read as read_json
from bpe_tui.formats.model import TokenizerModel
from tests.formats import hf_files
from tests.formats.test_merges import CODES
from tests.formats.test_tiktoken import CASES, written


def models() -> list[TokenizerModel]:
    """Models of several formats."""
    found = [tiktoken.read(written(ranks), {}) for ranks in CASES.values()]
    found += [merges.read(codes, {}) for codes in CODES.values()]
    for seed in range(5000, 5030):
        try:
            found.append(read_json(json.dumps(hf_files.file(random.Random(seed), foreign=seed % 2 == 0))))
        except TokenizerFileError:
            continue
    return found


@pytest.mark.parametrize("part", range(4))
def test_the_words_put_together_are_the_text_encoded(part: int) -> None:
    rng = random.Random(part)
    for model in models()[part::4]:
        encoder = model.encoder()
        policy = "token" if model.unknown == "error" else model.unknown
        for text in hf_files.texts(rng, 10):
            expected = encoder.encode(text, unknown=policy)
            tokenized = finish(tokenize(encoder, text, policy))
            words = [tokenized.word(index) for index in range(len(tokenized.spans))]
            assert [token for word in words for token in word] == expected
            spans, times = tokenized.occurrences()
            played = finish(replay(encoder, spans, times, policy))
            shapes = played.all_tokens(len(played))
            assert [_in_place(shape, span[1]) for shape, span in zip(shapes, spans, strict=True)] == [
                tokenized.word(_index(tokenized.spans, span)) for span in spans
            ]


def _index(spans: Sequence[Span], span: Span) -> int:
    """Where this very span stands: tokens that a template puts before a text have no width, so two may be equal."""
    return next(index for index, one in enumerate(spans) if one is span)


def _in_place(shape: tuple[Token, ...], begin: int) -> list[Token]:
    return placed(shape, begin)
