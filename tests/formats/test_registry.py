"""Formats by name, and files that are written whole or not at all."""

import os
import stat
from pathlib import Path

import pytest

from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.corpus.sources import find_corpus, options_for
from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.training.trainer import Trainer
from bpe_tui.formats.model import TokenizerModel
from bpe_tui.formats.registry import check_writable, format_for, read_tokenizer, recognise, write_tokenizer


@pytest.fixture
def hug() -> TokenizerModel:
    """The corpus hug after its three merges."""
    corpus = find_corpus(["hug"])
    options = options_for(corpus)
    trainer = Trainer(count_words(corpus, options), options)
    trainer.run()
    return TokenizerModel(trainer.vocabulary(), options)


def test_the_format_follows_from_the_name_of_the_file_or_is_given() -> None:
    assert format_for("folder.xyz/hug.json").name == "huggingface"
    assert format_for("hug.txt", "huggingface").name == "huggingface"
    with pytest.raises(TokenizerFileError, match=r"hug\.txt: the name does not say the format"):
        format_for("hug.txt")
    with pytest.raises(TokenizerFileError, match="no format 'word'; choose one of huggingface"):
        format_for("hug.json", "word")


def test_a_tokenizer_is_told_from_other_json(tmp_path: Path, hug: TokenizerModel) -> None:
    tokenizer, counts, spoiled = tmp_path / "t.json", tmp_path / "counts.json", tmp_path / "spoiled.json"
    write_tokenizer(str(tokenizer), hug)
    counts.write_text('{"model": 3, "vocab": 4}', encoding="utf-8")
    spoiled.write_text('{"model": {', encoding="utf-8")
    found = recognise(str(tokenizer))
    assert found is not None
    assert found.name == "huggingface"
    assert recognise(str(counts)) is None
    assert recognise(str(spoiled)) is found  # so that reading it says what is wrong
    assert recognise(str(tmp_path / "missing.json")) is None
    assert recognise(str(tmp_path)) is None


def test_a_refusal_writes_nothing_and_keeps_the_old_file(tmp_path: Path, hug: TokenizerModel) -> None:
    path = tmp_path / "t.json"
    path.write_bytes(b"old")
    symbol = TokenizerModel(hug.vocabulary, hug.options.replace(end_of_word="</w>", end_of_word_style="symbol"))
    with pytest.raises(TokenizerFileError, match="symbol of its own"):
        write_tokenizer(str(path), symbol)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_write_that_fails_half_way_leaves_the_old_file_and_no_other(
    tmp_path: Path, hug: TokenizerModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.json"
    path.write_bytes(b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(TokenizerFileError, match="cannot be written, no space left on device"):
        write_tokenizer(str(path), hug)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_an_older_file_keeps_its_permissions_and_a_link_stays_a_link(tmp_path: Path, hug: TokenizerModel) -> None:
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.write_bytes(b"old")
    real.chmod(0o640)
    link.symlink_to(real)
    write_tokenizer(str(link), hug)
    assert link.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert read_tokenizer(str(real)).vocabulary.merges == hug.vocabulary.merges


def test_a_new_file_has_the_usual_permissions(tmp_path: Path, hug: TokenizerModel) -> None:
    usual = tmp_path / "usual"
    usual.touch()
    write_tokenizer(str(tmp_path / "t.json"), hug)
    assert (tmp_path / "t.json").stat().st_mode == usual.stat().st_mode


def test_a_pipe_is_written_into_not_replaced(tmp_path: Path, hug: TokenizerModel) -> None:
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_tokenizer(str(pipe), hug)
        assert os.read(reader, 1 << 16).startswith(b"{")
        assert stat.S_ISFIFO(pipe.stat().st_mode)
    finally:
        os.close(reader)


@pytest.mark.parametrize(
    ("name", "says"), [("none/t.json", "its folder does not exist"), ("", "a folder; name a file")]
)
def test_a_place_that_cannot_be_written_is_found_out_before_the_work(
    tmp_path: Path, hug: TokenizerModel, name: str, says: str
) -> None:
    with pytest.raises(TokenizerFileError, match=says):
        check_writable(str(tmp_path / name), hug.options, "huggingface")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(TokenizerFileError, match=r"missing\.json: no such file; bpe-tui train"):
        read_tokenizer(str(tmp_path / "missing.json"))
    with pytest.raises(TokenizerFileError, match="cannot be read, embedded null byte"):
        read_tokenizer("a\0b")
