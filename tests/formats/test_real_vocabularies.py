"""GPT-2's and GPT-4's own vocabularies, against tiktoken and `tokenizers`, on a hundred kilobytes of mixed text."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import tiktoken
from tokenizers import ByteLevelBPETokenizer, Tokenizer

from bpe_tui.core.corpus.sources import corpora_folder
from bpe_tui.formats.model import TokenizerModel
from bpe_tui.formats.registry import read_tokenizer, write_tokenizer
from tests.formats.hf_files import PIECES, TEXT
from tests.formats.models import ranks_of
from tests.formats.test_tiktoken import own_pattern
from tests.formats.vocabularies import vocabularies

__all__ = ["vocabularies"]

SIZE = 100_000


def mixed_text() -> str:
    """Prose in several scripts, code, numbers, spaces of all kinds, and characters from everywhere."""
    rng = random.Random(11)
    prose = [path.read_text(encoding="utf-8") for path in sorted(corpora_folder().glob("*.txt"))]
    words = " ".join(prose).split()
    ranges = [(0x20, 0x7F), (0xA0, 0x250), (0x370, 0x500), (0x900, 0x980), (0xE00, 0xE80), (0x3040, 0x30FF)]
    ranges += [(0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0x1F300, 0x1F6FF), (0x10000, 0x10FFFF), (0x2000, 0x2070)]
    parts = [TEXT]
    size = 0
    while size < SIZE:
        kind = rng.random()
        if kind < 0.5:
            start = rng.randrange(len(words))
            part = " ".join(words[start : start + rng.randint(1, 30)])
        elif kind < 0.7:
            first, last = rng.choice(ranges)
            part = "".join(chr(rng.randrange(first, last)) for _ in range(rng.randint(1, 12)))
        elif kind < 0.8:
            body = f"return [{rng.random()}, 'it''s', x['a']]  # {'=' * rng.randint(0, 40)}"
            part = f"def f{rng.randint(0, 999)}(x):\n        {body}\n"
        else:
            part = "".join(rng.choices(PIECES, k=rng.randint(1, 10)))
        parts += [part, rng.choice((" ", "\n", "  ", "", "\n\n", "\t", "\r\n", " " * rng.randint(1, 90)))]
        size += len(part.encode())
    return "".join(parts)


TEXT_OF_ALL = mixed_text()


def encoded(model: TokenizerModel) -> list[int]:
    """The ids of the text; the tokens, and the text read back, agree with them."""
    encoder = model.encoder()
    ids = encoder.encode_ids(TEXT_OF_ALL)
    assert [token.id for token in encoder.encode(TEXT_OF_ALL)] == ids
    assert encoder.decode(ids) == TEXT_OF_ALL
    return ids


@pytest.fixture(scope="module")
def gpt2(vocabularies: Path) -> TokenizerModel:
    """GPT-2's vocabulary."""
    return read_tokenizer(str(vocabularies / "vocab.bpe"))


@pytest.fixture(scope="module")
def cl100k(vocabularies: Path) -> TokenizerModel:
    """GPT-4's vocabulary."""
    return read_tokenizer(str(vocabularies / "cl100k_base.tiktoken"))


@pytest.fixture(scope="module")
def gpt2_ids(gpt2: TokenizerModel) -> list[int]:
    """The text in GPT-2's vocabulary."""
    return encoded(gpt2)


@pytest.fixture(scope="module")
def cl100k_ids(cl100k: TokenizerModel) -> list[int]:
    """The text in GPT-4's vocabulary."""
    return encoded(cl100k)


def test_gpt2_is_whole(gpt2: TokenizerModel) -> None:
    assert len(gpt2.vocabulary.merges) == 50_000
    assert len(gpt2.vocabulary) == 50_257
    assert gpt2.vocabulary.specials == ("<|endoftext|>",)
    assert gpt2.encoder().encode_ids("hello world<|endoftext|>", allow_special=True) == [31373, 995, 50256]


def test_gpt2_encodes_as_in_tokenizers(gpt2: TokenizerModel, gpt2_ids: list[int], vocabularies: Path) -> None:
    theirs = ByteLevelBPETokenizer(str(vocabularies / "encoder.json"), str(vocabularies / "vocab.bpe"))
    expected = theirs.encode(TEXT_OF_ALL)
    assert gpt2_ids == expected.ids
    assert [token.text for token in gpt2.encoder().encode(TEXT_OF_ALL)] == expected.tokens


def test_cl100k_encodes_as_in_tiktoken(cl100k: TokenizerModel, cl100k_ids: list[int], vocabularies: Path) -> None:
    assert len(cl100k.vocabulary.merges) == 100_000
    assert len(cl100k.warnings) == 1
    assert "assumed to be cl100k_base, because it has 100,256 tokens" in cl100k.warnings[0]
    assert not cl100k.options.raw_byte_ids
    ranks = ranks_of(vocabularies / "cl100k_base.tiktoken")
    theirs = tiktoken.Encoding("x", pat_str=own_pattern(), mergeable_ranks=ranks, special_tokens={})
    assert cl100k_ids == theirs.encode_ordinary(TEXT_OF_ALL)
    encoder = cl100k.encoder()
    for end in (" ", "\n ", " \n\n  ", "\t\r\n "):
        assert encoder.encode_ids("the end." + end) == theirs.encode_ordinary("the end." + end)


@pytest.mark.parametrize("name", ["gpt2", "cl100k"])
def test_they_are_the_same_in_a_tokenizer_json(name: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    model, ids = request.getfixturevalue(name), request.getfixturevalue(f"{name}_ids")
    path = str(tmp_path / "tokenizer.json")
    write_tokenizer(path, model)
    assert Tokenizer.from_file(path).encode(TEXT_OF_ALL, add_special_tokens=False).ids == ids
    assert encoded(read_tokenizer(path)) == ids


def test_cl100k_is_written_as_it_was(cl100k: TokenizerModel, vocabularies: Path, tmp_path: Path) -> None:
    write_tokenizer(str(tmp_path / "x.tiktoken"), cl100k)
    assert (tmp_path / "x.tiktoken").read_bytes() == (vocabularies / "cl100k_base.tiktoken").read_bytes()


def test_earlier_moments_are_those_of_shorter_files(gpt2: TokenizerModel, tmp_path: Path) -> None:
    """Scrubbing back to a merge is as if the file ended there."""
    encoder = gpt2.encoder()
    text = TEXT_OF_ALL[:3_000]
    for count in (0, 1, 300, 20_000, 49_999, 300):
        encoder.timeline.goto(count)
        kept = gpt2.vocabulary.merges[:count]
        shorter = TokenizerModel(
            type(gpt2.vocabulary)(gpt2.vocabulary.tokens, (), gpt2.vocabulary.alphabet, kept, gpt2.vocabulary.ids),
            gpt2.options,
        )
        assert encoder.encode_ids(text) == shorter.encoder().encode_ids(text)
