"""What the tools of other formats make of the files that are written for them."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path

import tiktoken
from subword_nmt.apply_bpe import BPE
from tokenizers import Tokenizer, models, pre_tokenizers

from bpe_tui.core.corpus.alphabet import bytes_to_chars
from bpe_tui.core.corpus.pretokenize import PATTERNS
from bpe_tui.formats.model import TokenizerModel
from bpe_tui.formats.registry import read_tokenizer
from tests.formats.hf_files import TEXT
from tests.formats.minbpe_tool import MinbpeTool
from tests.formats.models import ranks_of

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


def in_its_tool(name: str, path: Path, model: TokenizerModel, unk: str | None, notes: tuple[str, ...]) -> Encode:
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
        tool = MinbpeTool.as_told(notes).load(path)
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


def compare(
    name: str, model: TokenizerModel, path: Path, notes: tuple[str, ...], source: str, texts: Sequence[str] = TEXTS
) -> None:
    """Hold a file that was written to the model: its own tool gives the same tokens and ids, as far as notes allow."""
    if any("differently" in note or "left out: that" in note or "looked for" in note for note in notes):
        return
    if any("are outside the alphabet when it is read" in note for note in notes):
        return
    told = next((model.options.unk for note in notes if "unk_token" in note), None)
    special = name in ("huggingface", "session")
    ours, theirs = in_our_reading(model, special=special), in_its_tool(name, path, model, told, notes)
    numbered_anew = any("anew" in note for note in notes)
    for text in texts:
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
