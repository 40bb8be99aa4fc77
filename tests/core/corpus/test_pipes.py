"""A named pipe is read once something writes to it; the wait can be given up."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.corpus.sources import find_corpus, options_for
from bpe_tui.core.errors import Cancelled


def test_the_wait_for_a_writer_can_be_given_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    corpus = find_corpus([str(tmp_path / "pipe")])
    looks = iter((False, True))
    with pytest.raises(Cancelled):
        count_words(corpus, options_for(corpus), should_stop=lambda: next(looks))


def test_a_writer_that_comes_late_is_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def write() -> None:
        time.sleep(0.2)
        pipe.write_text("low lower", encoding="utf-8")

    writer = threading.Thread(target=write)
    writer.start()
    corpus = find_corpus([str(pipe)])
    assert count_words(corpus, options_for(corpus), should_stop=lambda: False).words == ["low", " lower"]
    writer.join()


def test_the_wait_for_a_silent_writer_can_be_given_up(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = os.open(pipe, os.O_RDWR)
    os.write(writer, b"low lower")
    corpus = find_corpus([str(pipe)])
    asked = iter((False, False, True))
    with pytest.raises(Cancelled):
        count_words(corpus, options_for(corpus), should_stop=lambda: next(asked))
    os.close(writer)
