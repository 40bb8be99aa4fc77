"""Memory is estimated: what needs more than there is is refused before it is taken, with both figures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bpe_tui.core.corpus import counting, memory
from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.corpus.memory import (
    TooLarge,
    check_estimate,
    check_table,
    check_training,
    free_memory,
    limit_memory,
    memory_in_use,
    parse_size,
)
from bpe_tui.core.corpus.sources import find_corpus, options_for
from bpe_tui.core.errors import CorpusError, OptionError, TokenizerFileError
from bpe_tui.formats import files
from bpe_tui.formats.registry import read_tokenizer
from tests.cli.running import run


@pytest.fixture(autouse=True)
def _limit() -> Iterator[None]:
    yield
    limit_memory(None)


@pytest.mark.parametrize(
    ("text", "size"),
    [("1", 1), ("800000000", 800_000_000), ("500MB", 500_000_000), ("2g", 2 * 10**9), ("1.5 GiB", 15 * 10**8)],
)
def test_sizes_are_read(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "x", "-1", "0", "1e9", "2XB", "\u0663", "9" * 40, "nan", "0.0001"])
def test_sizes_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(OptionError, match="is no size"):
        parse_size(text)


def test_the_machine_tells_what_is_free() -> None:
    assert (free_memory() or 1) > 0
    assert 1_000_000 < memory_in_use() < 10**12


def test_training_needs_room_for_its_symbols() -> None:
    check_training("x", 10**6, 10**6)
    with pytest.raises(
        TooLarge, match=r"x needs about 900\.0 GB of memory \(1,000,000 distinct words\), and .* is available"
    ):
        check_training("x", 10**6, 10**10)
    limit_memory(memory_in_use() + 10**9)
    check_training("x", 10**6, 10**7)
    with pytest.raises(TooLarge, match="distinct words"):
        check_training("x", 10**6, 2 * 10**7)


def test_the_memory_for_a_large_text_is_estimated_from_its_start() -> None:
    limit_memory(2 * 10**9)
    check_estimate("x", 10**8, 2**20, 22_765, 41_533, trains=True)
    with pytest.raises(TooLarge, match="by its first megabyte"):
        check_estimate("x", 10**10, 2**20, 22_765, 41_533, trains=True)
    with pytest.raises(TooLarge, match="by its first megabyte"):
        check_estimate("x", 10**9, 2**20, 90_000, 180_000, trains=False)
    with pytest.raises(TooLarge, match=r"t\.tsv needs"):
        check_table("t.tsv", 10**8)


def test_nothing_is_read_of_a_text_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "LARGE", 100)
    monkeypatch.setattr(memory, "WHILE_COUNTING", 10**6)
    path = tmp_path / "x.txt"
    path.write_text(" ".join(f"w{number}" for number in range(5000)), encoding="utf-8")
    corpus = find_corpus([str(path)])
    limit_memory(memory_in_use() + 10**9)
    with pytest.raises(TooLarge, match="by its first megabyte"):
        count_words(corpus, options_for(corpus))


@pytest.mark.parametrize("processes", [1, 2])
def test_counting_stops_before_memory_is_full(processes: int, tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("\n".join(f"w{number:x}q" for number in range(400_000)), encoding="utf-8")
    corpus = find_corpus([str(path)])
    limit_memory(memory_in_use() + 10**7)
    with pytest.raises(CorpusError, match="needs about"):
        count_words(corpus, options_for(corpus), processes=processes)


@pytest.mark.parametrize("command", ["train", "count", "diff", "open"])
def test_every_command_that_reads_a_corpus_takes_a_limit(command: str) -> None:
    more = ["--ties", "first-seen", "--ties", "lowest-id"] if command == "diff" else []
    assert "is no size" in run(command, "hug", "--max-memory", "much", *more).stderr


@pytest.mark.parametrize("documents", ["files", "lines"])
def test_a_text_without_an_end_is_stopped(documents: str) -> None:
    corpus = find_corpus(["/dev/zero"])
    limit_memory(memory_in_use() + 200_000_000)
    with pytest.raises(TooLarge, match=r"must be read into memory at once, and .* is available"):
        count_words(corpus, options_for(corpus, documents=documents))
    with pytest.raises(TooLarge, match="must be read into memory at once"):
        count_words(find_corpus(["/dev/zero"], word_counts=True), options_for(corpus))


def test_a_tokenizer_without_an_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LARGEST", 1 << 20)
    with pytest.raises(TokenizerFileError, match="/dev/zero: more than 1 MB, so no tokenizer"):
        read_tokenizer("/dev/zero")
