"""What a name on the command line refers to, and the options that it brings."""

from __future__ import annotations

import errno
import io
import sys
from pathlib import Path
from typing import Any, NoReturn

import pytest

from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.corpus.sources import Corpus, Source, bundled_corpora, find_corpus, options_for, text_corpus
from bpe_tui.core.errors import CorpusError
from bpe_tui.core.options import make_options


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, in which the test runs."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files(corpus: Corpus) -> list[str]:
    return [source.name for source in corpus.sources]


def words(corpus: Corpus, **options: Any) -> dict[str, int]:
    counted = count_words(corpus, make_options("toy", **options))
    return dict(zip(counted.words, counted.counts, strict=True))


# -- finding ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [corpus.name for corpus in bundled_corpora()])
def test_a_bundled_corpus_by_its_name(here: Path, name: str) -> None:
    corpus = find_corpus([name])
    assert (corpus.name, corpus.is_bundled, len(corpus.sources)) == (name, True, 1)
    assert corpus.is_word_counts == (name in ("hug", "paper", "banana"))
    assert words(corpus)


def test_a_file_of_that_name_goes_first(here: Path) -> None:
    (here / "hug").write_text("my own words")
    corpus = find_corpus(["hug"])
    assert (corpus.is_bundled, corpus.preset) == (False, "course")
    assert words(corpus) == {"my": 1, "own": 1, "words": 1}


def test_files_in_the_order_given(here: Path) -> None:
    (here / "b.txt").write_text("b c\n")
    (here / "a.txt").write_text("a b")
    corpus = find_corpus(["b.txt", "a.txt"])
    assert (corpus.name, files(corpus)) == ("2 files", ["b.txt", "a.txt"])
    assert list(words(corpus).items()) == [("b", 2), ("c", 1), ("a", 1)]
    assert find_corpus(["b.txt"]).name == "b.txt"


def test_a_folder_is_all_its_files_sorted_by_path_hidden_ones_left_out(here: Path) -> None:
    for name in ("z.txt", "a/b.txt", "a/a/x", "a.txt", ".hidden", ".git/config", "a/.cache/y"):
        path = here / "texts" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    corpus = find_corpus(["texts"])
    inside = [Path(name).relative_to("texts").as_posix() for name in files(corpus)]
    assert inside == ["a/a/x", "a/b.txt", "a.txt", "z.txt"]
    assert corpus.name == "4 files"
    # A hidden folder that was asked for by name is read.
    assert files(find_corpus(["texts/.git"])) == [str(Path("texts/.git/config"))]


def test_an_empty_folder(here: Path) -> None:
    (here / "texts").mkdir()
    (here / "texts" / ".hidden").write_text("x")
    with pytest.raises(CorpusError, match=r"^the folder texts holds no files$"):
        find_corpus(["texts"])


@pytest.mark.parametrize("name", ["t.tsv", "t.json"])
def test_a_table_by_its_ending(here: Path, name: str) -> None:
    (here / name).write_text('{"hug": 3}' if name.endswith("json") else "hug 3\n")
    corpus = find_corpus([name])
    assert (corpus.is_word_counts, corpus.preset) == (True, "toy")
    assert words(corpus) == {"hug": 3}


def test_tables_and_texts_do_not_mix(here: Path) -> None:
    (here / "t.tsv").write_text("hug 3\n")
    (here / "x.txt").write_text("hug")
    with pytest.raises(CorpusError, match=r"^t\.tsv is a word-count table and x\.txt is a text; give one kind"):
        find_corpus(["x.txt", "t.tsv"])
    assert find_corpus(["x.txt", "t.tsv"], word_counts=True).is_word_counts


def test_a_folder_is_of_tables_only_if_all_its_files_are(here: Path) -> None:
    folder = here / "counts"
    folder.mkdir()
    (folder / "1.tsv").write_text("a 1\n")
    (folder / "2.json").write_text('{"b": 2}')
    assert words(find_corpus(["counts"])) == {"a": 1, "b": 2}
    (folder / "README").write_text("counts of a")
    assert not find_corpus(["counts"]).is_word_counts
    assert words(find_corpus(["counts"]))["counts"] == 1


@pytest.mark.parametrize(
    ("names", "complaint"),
    [
        ([], "no corpus was named; give a file, a folder, - or a bundled corpus such as hug"),
        (["gone.txt"], "there is no file or bundled corpus gone.txt; `bpe-tui corpora` lists the bundled ones"),
        (["gone/x"], "there is no file or bundled corpus gone/x; `bpe-tui corpora` lists the bundled ones"),
        (["\0"], "there is no file or bundled corpus \0; `bpe-tui corpora` lists the bundled ones"),
        (["hug", "paper"], "hug is a bundled corpus; name it alone, or give a file"),
        (["a" * 5000], f"{'a' * 5000} cannot be read: File name too long"),
    ],
)
def test_a_name_that_stands_for_nothing(here: Path, names: list[str], complaint: str) -> None:
    with pytest.raises(CorpusError) as caught:
        find_corpus(names)
    assert str(caught.value) == complaint


def test_a_file_that_may_not_be_read(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, mode: str) -> NoReturn:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    (here / "x.txt").write_text("x")
    monkeypatch.setattr(Path, "open", refuse)  # root, as whom tests may run, is refused nothing
    with pytest.raises(CorpusError, match=r"^x.txt cannot be read: Permission denied$"):
        words(find_corpus(["x.txt"]))


# -- reading ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("documents", "found"),
    [
        ("lines", {"a b": 1, "c": 1, "d\r": 1}),
        ("lines-keepends", {"a b\r\n": 1, "\n": 1, "c\n": 1, "d\r": 1}),
        ("files", {"a b\r\n\nc\nd\r": 1}),
    ],
)
def test_documents(here: Path, documents: str, found: dict[str, int]) -> None:
    (here / "x.txt").write_bytes("\ufeffa b\r\n\nc\nd\r".encode())
    assert words(find_corpus(["x.txt"]), documents=documents, pre_tokenizer="none") == found


def test_a_file_is_never_one_document_with_the_next(here: Path) -> None:
    (here / "1.txt").write_text("no end")
    (here / "2.txt").write_text("start")
    for documents in ("lines", "lines-keepends", "files"):
        assert "endstart" not in words(find_corpus(["1.txt", "2.txt"]), documents=documents)


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stdin:
        buffer = io.BytesIO("\ufeffhug hug\nnaïve".encode())

    monkeypatch.setattr(sys, "stdin", Stdin)
    corpus = find_corpus(["-"])
    assert (corpus.name, corpus.sources[0].size) == ("stdin", None)
    assert words(corpus) == {"hug": 2, "naïve": 1}
    assert not Stdin.buffer.closed


def test_a_table_on_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stdin:
        buffer = io.BytesIO(b"hug 2\n")

    monkeypatch.setattr(sys, "stdin", Stdin)
    assert words(find_corpus(["-"], word_counts=True)) == {"hug": 2}
    assert not Stdin.buffer.closed


@pytest.mark.parametrize("text", ["", "abc", "naïve 日本"])
def test_sizes_are_in_bytes(text: str, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text(text, encoding="utf-8")
    assert Source("x", path).size == Source("x", text=text).size == len(text.encode())
    assert Source("folder", tmp_path).size is None


# -- options ----------------------------------------------------------------------------------------------------------


def test_a_text_of_ones_own_gets_the_course_and_a_hundred_merges() -> None:
    options = options_for(text_corpus("x"))
    assert (options.preset, options.merges, options.vocab_size) == ("course", 100, None)


def test_a_table_of_ones_own_gets_the_toy_and_a_hundred_merges(here: Path) -> None:
    (here / "t.tsv").write_text("hug 3\n")
    options = options_for(find_corpus(["t.tsv"]))
    assert (options.preset, options.merges, options.pre_tokenizer) == ("toy", 100, "spaces")


def test_a_preset_that_is_named_keeps_its_own_target() -> None:
    assert options_for(text_corpus("x"), "course").vocab_size == 50
    assert options_for(text_corpus("x"), "huggingface").vocab_size == 1000


def test_an_option_that_is_given_overrides_that_part_only() -> None:
    options = options_for(text_corpus("x"), vocab_size=300, ties="lowest-id", unk=None)
    assert (options.preset, options.vocab_size, options.merges, options.ties) == ("course", 300, None, "lowest-id")
    assert options.unk == "[UNK]"
    assert options_for(text_corpus("x"), ties="lowest-id").merges == 100


@pytest.mark.parametrize("corpus", bundled_corpora(), ids=lambda corpus: corpus.name)
def test_a_bundled_corpus_brings_its_own_options(corpus: Any) -> None:
    found = find_corpus([corpus.name])
    assert options_for(found) == make_options(corpus.preset, **corpus.options)
    # A preset that is named is used as it is.
    assert options_for(found, "minbpe") == make_options("minbpe")
    assert options_for(found, merges=7).merges == 7
    assert options_for(found, vocab_size=7).merges is None
    assert options_for(found, pattern=r"\w+").pre_tokenizer == "pattern"
