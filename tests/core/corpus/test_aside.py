"""Counting in a copy of the process: the same words, the same errors, and no process left behind."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from bpe_tui.core.corpus import aside
from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.corpus.sources import find_corpus
from bpe_tui.core.errors import CorpusError
from bpe_tui.core.options import make_options

OPTIONS = make_options("huggingface")
TEXT = "Ça va, <|endoftext|> don't?\n  two  spaces\r\n" * 5000


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if there were two cores, and no other thread, whatever runs the tests."""
    monkeypatch.setattr(aside, "cores", lambda: 2)
    monkeypatch.setattr(threading, "active_count", lambda: 1)


@pytest.fixture
def forks(alone: None, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The processes that were started."""
    started: list[int] = []
    fork = os.fork

    def counted() -> int:
        started.append(fork())
        return started[-1]

    monkeypatch.setattr(os, "fork", counted)
    return started


def is_gone(process: int) -> bool:
    """Whether a child has ended and was waited for."""
    try:
        os.waitpid(process, os.WNOHANG)
    except ChildProcessError:
        return True
    return False


def test_the_words_are_those_counted_here(tmp_path: Path, forks: list[int]) -> None:
    text = tmp_path / "text.txt"
    text.write_text(TEXT, encoding="utf-8")
    corpus = find_corpus([str(text)])
    with aside.counted_aside(corpus, OPTIONS) as words:
        assert words() == count_words(corpus, OPTIONS)
    assert len(forks) == 1
    assert is_gone(forks[0])


def test_an_error_is_the_one_raised_here(tmp_path: Path, forks: list[int]) -> None:
    text = tmp_path / "text.txt"
    text.write_bytes(TEXT.encode() + b"\xe9\n")
    corpus = find_corpus([str(text)])
    with pytest.raises(CorpusError, match="is not UTF-8") as raised:
        count_words(corpus, OPTIONS)
    with aside.counted_aside(corpus, OPTIONS) as words, pytest.raises(CorpusError) as raised_there:
        words()
    assert str(raised_there.value) == str(raised.value)
    assert is_gone(forks[0])


def test_who_does_not_wait_leaves_no_process(tmp_path: Path, forks: list[int]) -> None:
    text = tmp_path / "text.txt"
    text.write_text(TEXT, encoding="utf-8")
    with pytest.raises(KeyboardInterrupt), aside.counted_aside(find_corpus([str(text)]), OPTIONS):
        raise KeyboardInterrupt
    assert is_gone(forks[0])


@pytest.mark.parametrize("size", [10, 9 << 20])
def test_small_and_large_texts_are_counted_without_it(tmp_path: Path, forks: list[int], size: int) -> None:
    text = tmp_path / "text.txt"
    text.write_bytes(b"ab\n" * (size // 3))
    corpus = find_corpus([str(text)])
    with aside.counted_aside(corpus, OPTIONS) as words:
        assert words() == count_words(corpus, OPTIONS)
    assert forks == []


def test_the_command_trains_on_them(tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text(TEXT, encoding="utf-8")
    command = [sys.executable, "-m", "bpe_tui", "train", str(text), "--merges", "3"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.count("\n") == 6
    assert "5,000 special tokens" in done.stderr
