"""A thousand spoiled files: each is read with the meaning that its own tool finds in it, or refused in one sentence."""

from __future__ import annotations

import io
import json
import os
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
import tiktoken
from subword_nmt.apply_bpe import BPE
from tokenizers import Tokenizer, models, pre_tokenizers

from bpe_tui.core.errors import BpeError
from bpe_tui.formats.model import TokenizerModel
from bpe_tui.formats.registry import read_tokenizer, write_tokenizer
from tests.formats import hf_files
from tests.formats.minbpe_tool import MinbpeTool
from tests.formats.models import ranks_of, trained
from tests.formats.sentencepiece_models import trained as trained_sentencepiece
from tests.formats.spoiling import altered, flipped, spoiled
from tests.formats.test_merges import CODES
from tests.formats.test_tiktoken import CASES, own_pattern, written

COUNT = int(os.environ.get("BPE_TUI_MUTATIONS", "1000"))
"""In all; the longer search is for who changes a reader."""
READABLE = (0, 1, 2, 3, 4, 6)
"""Numbers of files that are read while they are whole; number 5 of `tokenizers` is refused by itself."""
SENTENCEPIECE = ("identity", "like Llama", "symbols, identity", "suffixes, across words")
"""Trainings."""
TEXTS = ["the hello banana", "aaaa ab abcd", "é日 ②", "isn't 123 x\n\n y"]


# -- what the tool of each format makes of a file ---------------------------------------------------------------------

Tool = Callable[[str], Any]


def in_tokenizers(path: Path) -> Tool:
    """Ids, special tokens being text."""
    theirs = Tokenizer.from_file(str(path))
    theirs.encode_special_tokens = True
    return lambda text: theirs.encode(text).ids


def in_tiktoken(path: Path) -> Tool:
    """Ids."""
    ranks = ranks_of(path)
    encoding = tiktoken.Encoding("x", pat_str=own_pattern(), mergeable_ranks=ranks, special_tokens={})
    return encoding.encode_ordinary


def in_minbpe(path: Path) -> Tool:
    """Ids, with the pattern that the file was trained with."""
    pattern = path.read_text(encoding="utf-8").split("\n")[1]
    return MinbpeTool(pattern).load(path).encode


def in_subword_nmt(path: Path) -> Tool:
    """Segments; blank lines, which we allow, are taken out first."""
    lines = path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n").split("\n")
    codes = BPE(io.StringIO("\n".join(line for line in lines if line) + "\n"))
    return lambda text: [
        part.removesuffix("@@")
        for word in text.split(" ")
        if word and "\n" not in word
        for part in codes.segment_tokens([word])
    ]


def in_gpt2(path: Path) -> Tool:
    """Ids; what we allow in a merges.txt is put right first."""
    clean = path.with_name("clean.txt")
    lines = path.with_name("merges.txt").read_bytes().decode("utf-8-sig").replace("\r\n", "\n").split("\n")
    clean.write_bytes("".join(f"{line}\n" for line in lines if line).encode())
    vocab = path.with_name("clean.json")
    vocab.write_bytes(path.read_bytes().removeprefix(b"\xef\xbb\xbf"))
    theirs = Tokenizer(models.BPE.from_file(str(vocab), str(clean)))
    theirs.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return lambda text: theirs.encode(text).ids


def in_sentencepiece(path: Path) -> Tool:
    """Ids."""
    theirs = sentencepiece.SentencePieceProcessor(model_proto=path.read_bytes())
    encode: Tool = theirs.encode
    return encode


def ours(model: TokenizerModel, text: str) -> list[int | None]:
    """Our ids."""
    return [token.id for token in model.encoder().encode(text, unknown=model.unknown)]


def our_segments(model: TokenizerModel, text: str) -> list[str]:
    """Our tokens without what marks the end of a word."""
    if "\n" in text:
        text = " ".join(word for word in text.split(" ") if "\n" not in word)
    tokens = [token.text.removesuffix("</w>") for token in model.encoder().encode(text)]
    return [token for token in tokens if token]


def put(folder: Path, files: dict[str, bytes], rng: random.Random) -> None:
    """Write the files, one of them spoiled."""
    target = rng.choice(sorted(files))
    for name, data in files.items():
        if name == target and data.startswith(b"\n") and rng.random() < 0.8:  # the only format that is no text
            data = flipped(rng, data)
        elif name == target:
            data = altered(rng, data) if name.endswith("json") and rng.random() < 0.5 else spoiled(rng, data)
        (folder / name).write_bytes(data)


def valid(name: str, folder: Path, number: int) -> dict[str, bytes]:
    """Files of a format that are whole."""
    if name == "huggingface":
        value = hf_files.file(random.Random(4000 + number % 12), foreign=number % 3 == 0)
        return {"tokenizer.json": json.dumps(value, ensure_ascii=False, indent=1).encode()}
    if name == "tiktoken":
        return {"x.tiktoken": written(list(CASES.values())[number % len(CASES)])}
    if name == "merges":
        return {"x.codes": list(CODES.values())[number % len(CODES)].encode()}
    if name == "sentencepiece":  # without a map of characters, behind whose end the package may read
        return {"x.model": trained_sentencepiece(SENTENCEPIECE[number % len(SENTENCEPIECE)])}
    preset = "minbpe" if name == "minbpe" else "huggingface"
    model = trained(preset, specials=("<s>",) if number % 2 else (), merges=40)
    target = {"minbpe": "x.model", "gpt2": "vocab.json", "session": "x.bpe.json"}[name]
    write_tokenizer(str(folder / target), model, name)
    if name == "session":  # as a learner leaves it, with a text in the encode pane
        typed = json.dumps("\n".join(TEXTS) * 10, ensure_ascii=False)
        whole = (folder / target).read_text(encoding="utf-8")
        (folder / target).write_text(whole.replace('"text": ""', f'"text": {typed}', 1), encoding="utf-8", newline="")
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".vocab"}


TOOLS: dict[str, tuple[str, Callable[[Path], Tool] | None, Callable[[TokenizerModel, str], Any]]] = {
    "huggingface": ("tokenizer.json", in_tokenizers, ours),
    "tiktoken": ("x.tiktoken", in_tiktoken, ours),
    "merges": ("x.codes", in_subword_nmt, our_segments),
    "minbpe": ("x.model", in_minbpe, ours),
    "gpt2": ("vocab.json", in_gpt2, ours),
    "sentencepiece": ("x.model", in_sentencepiece, ours),
    "session": ("x.bpe.json", None, ours),
}


@pytest.mark.parametrize("name", TOOLS)
def test_a_spoiled_file_means_what_its_tool_makes_of_it_or_is_refused(
    name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    main, tool, reading = TOOLS[name]
    outcomes: Counter[str] = Counter()
    share = COUNT // len(TOOLS) + 1
    whole = [valid(name, _folder(tmp_path / f"whole{number}"), number) for number in READABLE]
    for number in range(share):
        rng = random.Random(f"{name} {number}")
        folder = _folder(tmp_path / str(number))
        put(folder, whole[number % len(whole)], rng)
        before = {path.name: path.read_bytes() for path in folder.iterdir()}
        try:
            model = read_tokenizer(str(folder / main), {"end_of_word": "</w>"} if name == "merges" else {}, name)
            found = [reading(model, text) for text in TEXTS]
        except BpeError as refused:
            outcomes["refused"] += 1
            sentence = str(refused).removeprefix(str(folder))
            if "\n" in sentence or len(sentence) > 400:
                raise AssertionError(sentence) from refused
        else:
            outcomes["read"] += 1
            if tool is not None:
                theirs = tool(folder / main)
                assert found == [theirs(text) for text in TEXTS], (number, before)
        assert {path.name for path in folder.iterdir()} - {"clean.txt", "clean.json"} == before.keys()
    assert outcomes["read"] > share // 20, outcomes
    assert outcomes["refused"] > share // 5, outcomes


def _folder(path: Path) -> Path:
    path.mkdir()
    return path
