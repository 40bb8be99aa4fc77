"""GPT-2's two files: the same ids as `tokenizers` gives with them, and every slip named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from tokenizers import ByteLevelBPETokenizer, Tokenizer, models, pre_tokenizers

from bpe_tui.core.corpus.alphabet import BYTE_TO_CHAR
from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.formats.registry import read_tokenizer, write_tokenizer
from tests.formats.hf_files import TEXT
from tests.formats.models import ids, texts, tokens, trained


def put(folder: Path, merges: str = "#version: 0.2\nt h\n", vocab: dict[str, Any] | None = None) -> str:
    """The two files, with all bytes and these tokens."""
    ids = {char: number for number, char in enumerate(BYTE_TO_CHAR)} | (vocab or {"th": 256})
    (folder / "vocab.json").write_text(json.dumps(ids), encoding="utf-8")
    (folder / "merges.txt").write_text(merges, encoding="utf-8")
    return str(folder)


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ByteLevelBPETokenizer]:
    """Files that `tokenizers` has trained and written, and itself with them."""
    folder = tmp_path_factory.mktemp("gpt2")
    tokenizer = ByteLevelBPETokenizer()
    tokenizer.train_from_iterator(TEXT.splitlines(keepends=True) * 2, vocab_size=400, show_progress=False)
    tokenizer.save_model(str(folder))
    return folder, ByteLevelBPETokenizer(str(folder / "vocab.json"), str(folder / "merges.txt"))


@given(text=texts)
def test_files_of_tokenizers_encode_as_there(theirs: tuple[Path, ByteLevelBPETokenizer], text: str) -> None:
    folder, tokenizer = theirs
    model = read_tokenizer(str(folder))
    expected = tokenizer.encode(text).ids
    assert ids(model, text) == expected
    assert model.encoder().decode(expected) == tokenizer.decode(expected)


def test_the_folder_or_either_file_will_do(theirs: tuple[Path, ByteLevelBPETokenizer], tmp_path: Path) -> None:
    folder, _ = theirs
    model = read_tokenizer(str(folder))
    assert model == read_tokenizer(str(folder / "vocab.json")) == read_tokenizer(str(folder / "merges.txt"))
    (tmp_path / "encoder.json").write_bytes((folder / "vocab.json").read_bytes())
    (tmp_path / "vocab.bpe").write_bytes((folder / "merges.txt").read_bytes())
    for place in (tmp_path, tmp_path / "encoder.json", tmp_path / "vocab.bpe"):
        assert read_tokenizer(str(place)) == model
    (tmp_path / "own-vocab.json").write_bytes((folder / "vocab.json").read_bytes())
    (tmp_path / "own-merges.txt").write_bytes((folder / "merges.txt").read_bytes())
    assert read_tokenizer(str(tmp_path / "own-merges.txt")) == model


@given(text=texts)
def test_what_is_written_encodes_the_same_there(written: tuple[Any, ByteLevelBPETokenizer, Any], text: str) -> None:
    model, tokenizer, again = written
    assert ids(model, text) == tokenizer.encode(text).ids == ids(again, text)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, ByteLevelBPETokenizer, Any]:
    """A model, and its files as `tokenizers` and we read them."""
    folder = tmp_path_factory.mktemp("written")
    model = trained("huggingface")
    (note,) = write_tokenizer(f"{folder}/", model)
    assert 'cannot mark "<|endoftext|>" as special' in note
    tokenizer = ByteLevelBPETokenizer(str(folder / "vocab.json"), str(folder / "merges.txt"))
    return model, tokenizer, read_tokenizer(str(folder))


def test_it_is_written_under_the_names_that_were_asked_for(tmp_path: Path) -> None:
    model = trained("huggingface")
    write_tokenizer(str(tmp_path / "x-vocab.json"), model)
    write_tokenizer(str(tmp_path / "encoder.json"), model)
    write_tokenizer(f"{tmp_path}/new/", model)
    write_tokenizer(str(tmp_path / "y-merges.txt"), model, "gpt2")
    names = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file())
    assert names == [
        *("encoder.json", "new/merges.txt", "new/vocab.json", "vocab.bpe"),
        *("x-merges.txt", "x-vocab.json", "y-merges.txt", "y-vocab.json"),
    ]
    with pytest.raises(TokenizerFileError, match="name one, or a folder"):
        write_tokenizer(str(tmp_path / "z.json"), model, "gpt2")


def test_bytes_that_were_never_seen_need_an_unknown_token(tmp_path: Path) -> None:
    model = trained("course", "hug hugs pug", merges=3)
    notes = write_tokenizer(f"{tmp_path}/", model)
    assert "give tokenizers unk_token='[UNK]'" in notes[0]
    bpe = models.BPE.from_file(str(tmp_path / "vocab.json"), str(tmp_path / "merges.txt"), unk_token="[UNK]")
    tokenizer = Tokenizer(bpe)
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    again = read_tokenizer(str(tmp_path), {"unk": "[UNK]"})
    for text in ("hugé", "mug pugs"):
        assert tokens(model, text) == tokens(again, text) == tokenizer.encode(text).tokens
    plain = read_tokenizer(str(tmp_path))
    assert "lacks" in plain.warnings[0]
    assert tokens(plain, "mug") == ["ug"]


def test_tokens_that_no_merge_makes_are_special(tmp_path: Path) -> None:
    put(tmp_path, vocab={"th": 256, "<|endoftext|>": 50256})
    model = read_tokenizer(str(tmp_path))
    assert model.vocabulary.specials == ("<|endoftext|>",)
    assert ids(model, "th<|endoftext|>", special=True) == [256, 50256]
    assert len(ids(model, "th<|endoftext|>")) > 2


def test_the_user_may_say_how_a_text_is_cut(tmp_path: Path) -> None:
    (tmp_path / "vocab.json").write_text(json.dumps({"t": 0, "h": 1, "th": 2, "日": 3, "日h": 4}), encoding="utf-8")
    (tmp_path / "merges.txt").write_text("t h\n日 h\n", encoding="utf-8")
    with pytest.raises(
        TokenizerFileError, match='token "日" is not written in GPT-2\'s byte characters; say --alphabet'
    ):
        read_tokenizer(str(tmp_path))
    model = read_tokenizer(str(tmp_path), {"alphabet": "characters", "pre_tokenizer": "whitespace"})
    bpe = Tokenizer(models.BPE.from_file(str(tmp_path / "vocab.json"), str(tmp_path / "merges.txt")))
    bpe.pre_tokenizer = pre_tokenizers.Whitespace()
    assert ids(model, "th 日hx日") == bpe.encode("th 日hx日").ids == [2, 4, 3]
    (tmp_path / "merges.txt").write_text("t h</w>\n", encoding="utf-8")
    (tmp_path / "vocab.json").write_text(json.dumps({"t": 0, "h</w>": 1, "th</w>": 2}), encoding="utf-8")
    with pytest.raises(TokenizerFileError, match="its merges hold </w>"):
        read_tokenizer(str(tmp_path))
    model = read_tokenizer(str(tmp_path), {"end_of_word": "</w>", "pre_tokenizer": "whitespace"})
    assert tokens(model, "th tth") == ["th</w>", "t", "th</w>"]


@pytest.mark.parametrize(
    ("merges", "vocab", "says"),
    [
        ("t h\nth x\n", {"th": 256}, 'merges.txt: line 2, "th" + "x": "thx" is not in the vocab'),
        ("t h\n\nQq h\n", {"th": 256, "Qqh": 257}, 'merges.txt: line 3, "Qq" + "h": "Qq" is not in the vocab'),
        ("t h\n", {"th": 255}, 'vocab.json: tokens "ÿ" and "th" have the same id 255'),
        ("t h\n", {"th": -1}, 'vocab.json: the id of token "th" is -1'),
        ("t h\n", {"th": 256.0}, 'vocab.json: the id of token "th" is 256.0'),
        ("t h\n", {"th": 256, "x" * 99: "7"}, 'is "7", not a whole number'),
        ("t h \n", {"th": 256}, 'merges.txt: line 1, "t h ", ends in a space'),
    ],
)
def test_a_slip_is_named_by_file_and_line(merges: str, vocab: dict[str, Any], says: str, tmp_path: Path) -> None:
    put(tmp_path, merges, vocab)
    with pytest.raises(TokenizerFileError) as caught:
        read_tokenizer(str(tmp_path))
    assert says in str(caught.value)
    assert str(caught.value).startswith(f"{tmp_path}: ")


def test_a_merge_twice_is_a_warning_and_the_last_counts(tmp_path: Path) -> None:
    put(tmp_path, "t h\nh e\nt h\n", {"th": 256, "he": 257})
    model = read_tokenizer(str(tmp_path))
    assert model.warnings == (f"{tmp_path}: the merge on line 3 is the one on line 1 again; the last one counts",)
    tokenizer = ByteLevelBPETokenizer(str(tmp_path / "vocab.json"), str(tmp_path / "merges.txt"))
    assert tokens(model, "the") == tokenizer.encode("the").tokens == ["t", "he"]


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(TokenizerFileError, match=r"without tokenizer\.json, or vocab\.json and merges\.txt"):
        read_tokenizer(str(tmp_path))
    put(tmp_path)
    (tmp_path / "merges.txt").unlink()
    with pytest.raises(TokenizerFileError, match=r"merges\.txt: no such file"):
        read_tokenizer(str(tmp_path / "vocab.json"), name="gpt2")
    with pytest.raises(TokenizerFileError, match='no token "<unk>" for unknown symbols'):
        read_tokenizer(put(tmp_path), {"unk": "<unk>"})
    with pytest.raises(TokenizerFileError, match='no token "<s>" to be a special one'):
        read_tokenizer(put(tmp_path), {"specials": ["<s>"]})


@pytest.mark.parametrize(
    ("overrides", "says"),
    [
        ({"alphabet": "characters"}, "an alphabet of bytes, not of characters"),
        ({"pre_tokenizer": "cl100k"}, "cut as in GPT-2, not by cl100k"),
        ({"end_of_word": "</w>"}, "words without an ending"),
    ],
)
def test_what_they_cannot_say_is_refused_and_nothing_written(
    overrides: dict[str, Any], says: str, tmp_path: Path
) -> None:
    with pytest.raises(TokenizerFileError, match=says):
        write_tokenizer(f"{tmp_path}/", trained("huggingface", **overrides))
    assert list(tmp_path.iterdir()) == []
