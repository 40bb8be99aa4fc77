"""Files that are no tokenizer that we read: known by their content, whatever they are called."""

from __future__ import annotations

import gzip
import io
import json
import struct
import zipfile
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest

from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.formats.registry import read_tokenizer, recognise, refuse_as_corpus, write_tokenizer
from bpe_tui.formats.unsupported import may_be_tokenizer
from tests.formats.models import ids, trained

NAMES = ("tokenizer.json", "tokenizer.model", "x.tiktoken", "merges.txt", "x.bpe.json")


def sentence_piece(*pieces: str) -> bytes:
    """A model of SentencePiece, as far as its pieces: messages of a text, a score and a kind."""
    made = b""
    for piece in pieces:
        text = piece.encode()
        message = b"\n" + bytes([len(text)]) + text + b"\x15" + struct.pack("<f", 0.0) + b"\x18\x02"
        made += b"\n" + bytes([len(message)]) + message
    return made


def zipped() -> bytes:
    """A zip archive with a file in it."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("tokenizer.json", "{}")
    return packed.getvalue()


TEKKEN: dict[str, Any] = {
    "config": {"pattern": "x", "num_vocab_tokens": 1, "default_vocab_size": 1, "version": "v3"},
    "vocab": [{"rank": 0, "token_bytes": "AA==", "token_str": None}],
}
POINTER = b"version https://git-lfs.example/spec/v1\noid sha256:4d7a\nsize 9085657\n"
CASES: dict[str, tuple[bytes, str]] = {
    "git-lfs": (POINTER, "git lfs pull"),
    "a web page": (b"\n<!DOCTYPE html>\n<html><body>tokenizer.json</body></html>", "a web page"),
    "a zip": (zipped(), "a zip archive; unpack it"),
    "a gzip": (gzip.compress(b"{}"), "a gzip archive; unpack it"),
    "SentencePiece": (
        sentence_piece("<unk>", "<s>", "</s>", "\u2581the"),
        r"(a SentencePiece model of the kind unigram; only|a tokenizer \(SentencePiece's \.model\), not a corpus)",
    ),
    "T5": (sentence_piece("<pad>", "</s>", "<unk>"), "a SentencePiece model of the kind unigram"),
    "tekken.json": (json.dumps(TEKKEN, indent=2).encode(), r"a tekken\.json of Mistral.*tokenizer\.json"),
    "settings": (b'{"tokenizer_class": "LlamaTokenizer", "bos_token": "<s>"}', r"settings.*name the tokenizer\.json"),
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("case", CASES)
def test_what_is_not_read_is_named_with_what_to_do(case: str, name: str, tmp_path: Path) -> None:
    data, says = CASES[case]
    (tmp_path / name).write_bytes(data)
    with pytest.raises(TokenizerFileError, match=rf"{name}: .*{says}") as caught:
        read_tokenizer(str(tmp_path / name))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("case", ["git-lfs", "a zip", "SentencePiece"])
def test_they_are_no_corpus_either_whatever_their_name(case: str, tmp_path: Path) -> None:
    data, says = CASES[case]
    path = tmp_path / "notes.txt"
    path.write_bytes(data)
    assert may_be_tokenizer(str(path))
    with pytest.raises(TokenizerFileError, match=says):
        refuse_as_corpus(str(path))


@pytest.mark.parametrize("name", ["a.json", "a.tiktoken", "a.model"])
@pytest.mark.parametrize("case", ["a web page", "a zip"])
def test_what_came_instead_of_a_tokenizer_is_no_corpus_under_its_name(name: str, case: str, tmp_path: Path) -> None:
    content, reason = CASES[case]
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(TokenizerFileError, match=reason):
        refuse_as_corpus(str(path))


def test_a_web_page_and_a_plain_text_are_corpora(tmp_path: Path) -> None:
    for name, data in {
        "a.html": CASES["a web page"][0],
        "b.txt": b"\nabc def\nghi jkl",
        "c.txt": b"# # is a merge",
    }.items():
        (tmp_path / name).write_bytes(data)
        assert not may_be_tokenizer(str(tmp_path / name))
        refuse_as_corpus(str(tmp_path / name))


@pytest.mark.parametrize("name", ["t.json", "vocab.json", "merges.txt", "t.tiktoken", "t.model", "t.bpe.json"])
def test_a_tokenizer_is_no_corpus(name: str, tmp_path: Path) -> None:
    path = str(tmp_path / name)
    write_tokenizer(path, trained("minbpe" if name == "t.model" else "huggingface"))
    assert may_be_tokenizer(path)
    with pytest.raises(TokenizerFileError, match=r"is a tokenizer .*, not a corpus"):
        refuse_as_corpus(path)


def test_llama_3_s_tokenizer_model_holds_ranks(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.model"
    tokens = [bytes([byte]) for byte in range(256)] + [b"in", b"th", b"the"]
    path.write_bytes(b"".join(b64encode(token) + b" %d\n" % rank for rank, token in enumerate(tokens)))
    for place in (path, tmp_path):  # the file, and the folder it is in
        found = recognise(str(place))
        assert found is not None
        assert found.name == "tiktoken"
        assert ids(read_tokenizer(str(place)), "in the") == [256, 32, 258]
        with pytest.raises(TokenizerFileError, match="tiktoken's ranks"):
            refuse_as_corpus(str(place))


def test_a_folder_with_a_model_of_sentence_piece_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.model").write_bytes(CASES["SentencePiece"][0])
    with pytest.raises(TokenizerFileError, match="SentencePiece"):
        read_tokenizer(str(tmp_path))
    with pytest.raises(TokenizerFileError, match="SentencePiece"):
        refuse_as_corpus(str(tmp_path))
    (tmp_path / "tokenizer.json").write_bytes(b"{}")
    with pytest.raises(TokenizerFileError, match="it has no model"):
        read_tokenizer(str(tmp_path))
