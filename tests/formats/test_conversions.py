"""From every format to every other: what is written encodes in its own tool as what was read, or is refused."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tiktoken
from subword_nmt.apply_bpe import BPE
from tokenizers import Tokenizer, models, pre_tokenizers

from bpe_tui.core.corpus.alphabet import bytes_to_chars
from bpe_tui.core.corpus.pretokenize import PATTERNS
from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.formats import merges
from bpe_tui.formats.huggingface.read import read as read_json
from bpe_tui.formats.model import TokenizerModel
from bpe_tui.formats.registry import FORMATS, read_tokenizer, write_tokenizer
from tests.formats import hf_files
from tests.formats.hf_files import TEXT
from tests.formats.minbpe_tool import MinbpeTool
from tests.formats.models import ranks_of, trained
from tests.formats.test_merges import CODES
from tests.formats.test_tiktoken import CASES, written

NAMES = {
    "huggingface": "t.json",
    "gpt2": "vocab.json",
    "merges": "merges.txt",
    "tiktoken": "t.tiktoken",
    "minbpe": "t.model",
    "session": "t.bpe.json",
}
TEXTS = [line for line in TEXT.split("\n") if "<s>" not in line] + ["", " ", "日本", "thé hello banana abcd ", "12345"]

Encode = Callable[[str], list[tuple[str, int]]]
"""Tokens of a text with their ids."""


def in_our_reading(model: TokenizerModel, *, special: bool = False) -> Encode:
    """What our encoder gives; an unknown symbol has the id -1."""
    encoder = model.encoder()

    def encode(text: str) -> list[tuple[str, int]]:
        tokens = encoder.encode(text, unknown=model.unknown, allow_special=special)
        return [(token.text, -1 if token.id is None else token.id) for token in tokens]

    return encode


def in_its_tool(name: str, path: Path, model: TokenizerModel, unk: str | None) -> Encode:
    """What the tool of a format gives with the file written there, and the unknown token it is to be told."""
    options = model.options
    if name == "huggingface":
        theirs = Tokenizer.from_file(str(path))
        return lambda text: list(zip(theirs.encode(text).tokens, theirs.encode(text).ids, strict=True))
    if name == "gpt2":
        bpe = models.BPE.from_file(str(path), str(path.with_name("merges.txt")), unk_token=unk)
        gpt2 = Tokenizer(bpe)
        gpt2.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        return lambda text: list(zip(gpt2.encode(text).tokens, gpt2.encode(text).ids, strict=True))
    if name == "tiktoken":
        pattern = options.pattern or PATTERNS.get(options.pre_tokenizer, "(?s:.+)")
        ranks = ranks_of(path)
        encoding = tiktoken.Encoding("x", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
        return lambda text: [
            (bytes_to_chars(encoding.decode_single_token_bytes(number)), number)
            for number in encoding.encode_ordinary(text)
        ]
    if name == "minbpe":
        tool = MinbpeTool.load(path)
        return lambda text: [(bytes_to_chars(tool.vocab[number]), number) for number in tool.encode(text)]
    if name == "session":
        return in_our_reading(read_tokenizer(str(path)), special=True)
    if options.end_of_word == "</w>" and options.pre_tokenizer == "spaces" and options.alphabet == "characters":
        codes = BPE(io.StringIO(path.read_text(encoding="utf-8")))
        return lambda text: [
            (part.removesuffix("@@"), -1) for word in text.split(" ") if word for part in codes.segment_tokens([word])
        ]
    fields = ("preset", "pre_tokenizer", "pattern", "alphabet", "end_of_word", "specials")
    given = {field: getattr(options, field) for field in fields if getattr(options, field) is not None}
    if options.pattern is not None:
        del given["pre_tokenizer"]
    return in_our_reading(read_tokenizer(str(path), given))


def sources() -> dict[str, TokenizerModel]:
    """Models from every format, and trained ones."""
    found = {f"trained, {preset}": trained(preset) for preset in ("huggingface", "course", "minbpe", "subword-nmt")}
    found["trained, characters"] = trained("course", alphabet="characters", pre_tokenizer="metaspace")
    found["trained, no special tokens"] = trained("huggingface", pre_tokenizer="cl100k", specials=())
    found |= {f"tiktoken, {name}": _tiktoken(ranks) for name, ranks in CASES.items()}
    found |= {f"subword-nmt, {name}": merges.read(codes, {}) for name, codes in CODES.items()}
    for seed in range(2000, 2030):
        file = hf_files.file(random.Random(seed), foreign=seed % 2 == 0)
        try:
            found[f"huggingface, {seed}"] = read_json(json.dumps(file))
        except TokenizerFileError:
            continue
    return found


def _tiktoken(ranks: dict[bytes, int]) -> TokenizerModel:
    from bpe_tui.formats import tiktoken as ours

    return ours.read(written(ranks), {})


SOURCES = sources()


@pytest.mark.parametrize("name", NAMES)
def test_every_model_is_written_truly_or_refused(name: str, tmp_path: Path) -> None:
    done = 0
    for number, (source, model) in enumerate(SOURCES.items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        path = folder / NAMES[name]
        try:
            notes = write_tokenizer(str(path), model, name)
        except TokenizerFileError as error:
            sentence = str(error)
            if list(folder.iterdir()) or "\n" in sentence or not sentence.startswith(str(path)):
                raise AssertionError(f"{source}: {sentence}") from error
            continue
        done += 1
        _compare(name, source, model, path, notes)
    assert done >= (2 if name == "gpt2" else 4)


def _compare(name: str, source: str, model: TokenizerModel, path: Path, notes: tuple[str, ...]) -> None:
    if any("otherwise" in note or "left out: that" in note or "looked for" in note for note in notes):
        return
    if any("are outside the alphabet when it is read" in note for note in notes):
        return
    told = next((model.options.unk for note in notes if "unk_token" in note), None)
    special = name in ("huggingface", "session")
    ours, theirs = in_our_reading(model, special=special), in_its_tool(name, path, model, told)
    numbered_anew = any("anew" in note for note in notes)
    for text in TEXTS:
        expected, found = ours(text), theirs(text)
        if any("stayed themselves" in note for note in notes) and -1 in {number for _, number in expected}:
            continue
        if name == "merges" and model.options.end_of_word == "</w>":
            if -1 in {number for _, number in expected}:  # outside the alphabet, and so itself to subword-nmt
                continue
            expected = [(token.removesuffix("</w>"), -1) for token, _ in expected if token != "</w>"]
            found = [(token, -1) for token, _ in found]
        if numbered_anew or -1 in {number for _, number in expected} or name == "merges":
            assert [token for token, _ in found] == [token for token, _ in expected], (source, text)
        else:
            assert [number for _, number in found] == [number for _, number in expected], (source, text)


def test_there_is_a_name_for_every_format() -> None:
    assert set(NAMES) == {one.name for one in FORMATS}


@pytest.mark.parametrize("name", NAMES)
def test_what_is_written_reads_back_as_it_was(name: str, tmp_path: Path) -> None:
    preset = "minbpe" if name == "minbpe" else "huggingface"
    model = trained(preset, specials=())
    path = str(tmp_path / NAMES[name])
    write_tokenizer(path, model, name)
    given: dict[str, Any] = {"tiktoken": {"pre_tokenizer": "gpt2"}, "merges": {"preset": preset, "specials": ()}}
    again = read_tokenizer(path, given.get(name))
    assert again.vocabulary.merges == model.vocabulary.merges
    assert again.options.replace(merges=1) == model.options.replace(merges=1) or name in ("tiktoken", "merges")
    once_more = tmp_path / "again"
    once_more.mkdir()
    write_tokenizer(str(once_more / NAMES[name]), again, name)
    assert (once_more / NAMES[name]).read_bytes() == (tmp_path / NAMES[name]).read_bytes()


def test_a_write_that_fails_at_the_second_file_leaves_no_half(tmp_path: Path) -> None:
    (tmp_path / "merges.txt").mkdir()
    with pytest.raises(TokenizerFileError, match="cannot be written"):
        write_tokenizer(str(tmp_path / "vocab.json"), trained("huggingface"))
    assert [path.name for path in tmp_path.iterdir()] == ["merges.txt"]
