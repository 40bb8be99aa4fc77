"""tokenizer.json: the `tokenizers` package must load what we write and give the same, and we what it writes."""

import itertools
import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.corpus.sources import text_corpus
from bpe_tui.core.encoding.encoder import Encoder
from bpe_tui.core.options import PRESETS, Options, make_options
from bpe_tui.core.training.trainer import Trainer
from bpe_tui.formats.huggingface.read import read as read_json
from bpe_tui.formats.huggingface.write import write as write_json
from bpe_tui.formats.model import TokenizerModel
from bpe_tui.formats.registry import read_tokenizer, write_tokenizer

TEXT = (
    "This is the Hugging Face Course.\nThis chapter is about tokenization, isn't it?\n"
    "naïve café — ½ €5 日本語の文章 日本語\nमैं हिन्दी ภาษาไทย 😀😀 👩‍👩‍👧\ntab\there  two  spaces   three 12345 12,345\n"
    "aaaa aaa aa a banana bananas We'll HTTPServer's CamelCase ▁x <|endoftext|> end\n"
)

CUTS: list[dict[str, Any]] = [
    {"pre_tokenizer": name} for name in ("gpt2", "cl100k", "o200k", "whitespace", "spaces", "metaspace", "none")
]
CUTS.append({"pattern": r"[a-z]+|\p{N}{1,2}|[^a-z\p{N}]"})
CUTS.append({"pattern": r"\p{L}+"})
ALPHABETS = ("characters", "seen-bytes", "all-bytes")
ENDINGS = ("", "</w>")

VARIANTS: dict[str, Options] = {
    f"{cut.get('pre_tokenizer', cut.get('pattern'))}, {alphabet}, {ending or 'no ending'}": make_options(
        "course", **cut, alphabet=alphabet, end_of_word=ending, merges=80
    )
    for cut, alphabet, ending in itertools.product(CUTS, ALPHABETS, ENDINGS)
}
VARIANTS["a special token that is a letter"] = make_options("course", specials=("a", "is"), merges=80)
VARIANTS["an unknown token that is a letter"] = make_options("course", alphabet="characters", unk="?", merges=80)
VARIANTS |= {name: preset for name, preset in PRESETS.items() if preset.end_of_word_style != "symbol"}

texts = (
    st.text()
    | st.text(alphabet="abtis 's\n\t.1<|>_▁é日😀\u0301\u200d\x00\x85\u3000ÃĠ")
    | st.sampled_from(TEXT.split("\n"))
)

fewer = settings(max_examples=settings().max_examples // 3)
"""For tests that are run for every variant."""


def trained(options: Options, text: str = TEXT) -> TokenizerModel:
    """A model trained on `text`."""
    trainer = Trainer(count_words(text_corpus(text), options), options)
    trainer.run()
    return TokenizerModel(trainer.vocabulary(), options)


@cache
def both(name: str) -> tuple[TokenizerModel, TokenizerModel, Tokenizer]:
    """The variant as trained, as we read it back, and as `tokenizers` reads it."""
    with TemporaryDirectory() as folder:
        path = str(Path(folder) / "tokenizer.json")
        model = trained(VARIANTS[name])
        write_tokenizer(path, model)
        return model, read_tokenizer(path), Tokenizer.from_file(path)


@cache
def encoders(name: str) -> tuple[Encoder, Encoder]:
    """Encoders of the variant as trained, and as we read it back."""
    written, read, _ = both(name)
    return written.encoder(), read.encoder()


@pytest.mark.parametrize("name", VARIANTS)
@fewer
@given(text=texts)
def test_tokenizers_gives_the_same_tokens_and_ids_and_decodes_alike(name: str, text: str) -> None:
    _, model, theirs = both(name)
    as_trained, encoder = encoders(name)
    ours = encoder.encode(text, unknown=model.unknown, allow_special=True)
    encoding = theirs.encode(text)
    assert [token.text for token in ours] == encoding.tokens
    assert [token.id for token in ours] == encoding.ids
    assert encoder.decode(encoding.ids) == theirs.decode(encoding.ids, skip_special_tokens=False)
    straight = as_trained.encode(text, allow_special=True)
    assert [(token.text, token.start, token.end, token.unknown) for token in straight] == [
        (token.text, token.start, token.end, token.unknown) for token in ours
    ]


@pytest.mark.parametrize("name", VARIANTS)
@fewer
@given(numbers=st.lists(st.integers(0, 999)))
def test_any_ids_decode_as_tokenizers_decodes_them(name: str, numbers: list[int]) -> None:
    _, model, theirs = both(name)
    every = sorted(model.vocabulary.ids.values())
    ids = [every[number % len(every)] for number in numbers]
    assert encoders(name)[1].decode(ids) == theirs.decode(ids, skip_special_tokens=False)


@pytest.mark.parametrize("name", VARIANTS)
def test_what_is_read_back_is_what_was_written(name: str, tmp_path: Path) -> None:
    written, read, _ = both(name)
    kept = ("pre_tokenizer", "pattern", "alphabet", "raw_byte_ids", "end_of_word", "specials", "unk")
    assert {key: getattr(read.options, key) for key in kept} == {key: getattr(written.options, key) for key in kept}
    assert read.vocabulary.merges == written.vocabulary.merges
    assert read.vocabulary.specials == written.vocabulary.specials
    size = len(written.vocabulary.tokens)
    assert read.vocabulary.tokens[:size] == written.vocabulary.tokens
    assert read.vocabulary.tokens[size:] in ((), ("[UNK]",))
    again = tmp_path / "again.json"
    assert not any("[UNK]" in note for note in write_tokenizer(str(again), read))
    assert read_tokenizer(str(again)) == read


def test_only_an_alphabet_of_all_bytes_needs_no_unknown_token(tmp_path: Path) -> None:
    for alphabet, unk in (("characters", "[UNK]"), ("seen-bytes", "[UNK]"), ("all-bytes", None)):
        path = tmp_path / f"{alphabet}.json"
        notes = write_tokenizer(str(path), trained(make_options("course", alphabet=alphabet)))
        model = json.loads(path.read_text(encoding="utf-8"))["model"]
        assert model["unk_token"] == unk
        assert bool(notes) == bool(unk)
        assert ("[UNK]" in model["vocab"]) == bool(unk)


def test_special_tokens_are_special_there(tmp_path: Path) -> None:
    path = str(tmp_path / "t.json")
    write_tokenizer(path, trained(make_options("course", specials=("<|endoftext|>", "[UNK]"))))
    theirs = Tokenizer.from_file(path)
    assert theirs.token_to_id("<|endoftext|>") == 0
    assert theirs.decode(theirs.encode("This<|endoftext|>This").ids) == "ThisThis"
    assert theirs.token_to_id("[UNK]") == 1
    assert theirs.encode("\x01").ids == [1]


# -- files made by tokenizers -----------------------------------------------------------------------------------------


def byte_level() -> Tokenizer:
    """GPT-2's way."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def characters(unk: str | None, pre_tokenizer: Any, **model: Any) -> Tokenizer:
    """Characters, cut by `pre_tokenizer`."""
    tokenizer = Tokenizer(models.BPE(unk_token=unk, **model))
    tokenizer.pre_tokenizer = pre_tokenizer
    return tokenizer


FOREIGN: dict[str, tuple[Tokenizer, dict[str, Any]]] = {
    "byte level": (byte_level(), {"special_tokens": ["<|endoftext|>"]}),
    "whitespace, unk": (characters("[UNK]", pre_tokenizers.Whitespace()), {"special_tokens": ["[UNK]", "[PAD]"]}),
    "whitespace, fused unk": (
        characters("[UNK]", pre_tokenizers.WhitespaceSplit(), fuse_unk=True),
        {"special_tokens": ["[UNK]"]},
    ),
    "metaspace, no unk": (characters(None, pre_tokenizers.Metaspace()), {"special_tokens": []}),
    "word ending": (
        characters("<unk>", pre_tokenizers.Whitespace(), end_of_word_suffix="</w>"),
        {"special_tokens": ["<unk>"], "end_of_word_suffix": "</w>"},
    ),
}


@cache
def foreign(name: str) -> tuple[TokenizerModel, Tokenizer]:
    """A file that `tokenizers` made, as we read it and as it reads it."""
    tokenizer, options = FOREIGN[name]
    tokenizer.train_from_iterator(
        TEXT.split("\n")[:3], trainers.BpeTrainer(vocab_size=150, show_progress=False, **options)
    )
    with TemporaryDirectory() as folder:
        path = str(Path(folder) / "tokenizer.json")
        tokenizer.save(path)
        return read_tokenizer(path), Tokenizer.from_file(path)


FALLBACK = {
    "version": "1.0",
    "added_tokens": [],
    "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
    "model": {
        "type": "BPE",
        "byte_fallback": True,
        "fuse_unk": True,
        "unk_token": "<unk>",
        "vocab": {"<unk>": 0, **{f"<0x{byte:02X}>": byte + 1 for byte in range(256)}, "▁": 257, "a": 258, "▁a": 259},
        "merges": ["▁ a"],
    },
}
"""A model that says what it does not know in byte tokens, as Llama's."""


@given(text=texts)
def test_byte_fallback(text: str) -> None:
    content = json.dumps(FALLBACK)
    model, theirs = read_json(content), Tokenizer.from_str(content)
    encoding = theirs.encode(text)
    ours = model.encoder().encode(text, unknown=model.unknown)
    assert [token.text for token in ours] == encoding.tokens
    assert [token.id for token in ours] == encoding.ids
    again = write_json(model)[0].decode()
    assert Tokenizer.from_str(again).encode(text).ids == encoding.ids


@given(text=texts, gap=st.integers(1, 1000))
def test_gaps_between_ids(text: str, gap: int) -> None:
    vocab = {token: number * gap for number, token in enumerate(("a", "b", "ab", "[UNK]"), start=3)}
    model_fields = {"type": "BPE", "unk_token": "[UNK]", "vocab": vocab, "merges": ["a b"]}
    content = json.dumps({"version": "1.0", "pre_tokenizer": {"type": "Whitespace"}, "model": model_fields})
    model, theirs = read_json(content), Tokenizer.from_str(content)
    encoding = theirs.encode(text)
    encoder = model.encoder()
    assert [token.id for token in encoder.encode(text)] == encoding.ids
    assert encoder.decode([3 * gap, 5 * gap]) == theirs.decode([3 * gap, 5 * gap]) == "a ab"


@pytest.mark.parametrize("name", FOREIGN)
@given(text=texts)
def test_files_made_by_tokenizers_encode_as_there(name: str, text: str) -> None:
    model, theirs = foreign(name)
    ours = model.encoder().encode(text, unknown=model.unknown, allow_special=True)
    encoding = theirs.encode(text)
    assert [token.text for token in ours] == encoding.tokens
    assert [token.id for token in ours] == encoding.ids
