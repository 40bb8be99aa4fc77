"""Counting words in blocks, chunks and processes against plainly splitting every document."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_tui.core.corpus.chunking import PIECES, QWEN
from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.corpus.patterns import time_limit
from bpe_tui.core.corpus.pretokenize import TIKTOKEN_CL100K, make_pre_tokenizer
from bpe_tui.core.corpus.sources import Corpus, Source, find_corpus, text_corpus
from bpe_tui.core.corpus.tally import PartialCounts, Tally, blocks
from bpe_tui.core.corpus.types import Progress, WordCounts
from bpe_tui.core.corpus.workers import share_out
from bpe_tui.core.errors import Cancelled, CorpusError, OptionError, PatternError
from bpe_tui.core.options import DOCUMENTS, PRE_TOKENIZERS, SPECIALS_IN_CORPUS, Options, make_options

ENDLESS = "(?:a|aa)+x"
SPECIALS = [(), ("<s>",), ("<s>", "<s><s>", "a b"), ("'",), (" ",)]

white = st.sampled_from(" \t\n\r\v\f\x85\xa0\u2009\u2028\u3000") | st.sampled_from([" ", "  ", "\r\n", "\n\n"])
signs = st.sampled_from("abcZé日1٣².,!/'’_-\u0301") | st.sampled_from(["the", "don't", "I'LL", "<s>", "12345", "a b"])
hostile = st.lists(white | signs | signs, max_size=40).map("".join)

dialects = st.builds(
    lambda name, documents, specials, treated: make_options(
        "course",
        **({"pre_tokenizer": name} if name in PRE_TOKENIZERS else {"pattern": name}),
        documents=documents,
        specials=specials,
        specials_in_corpus=treated,
    ),
    st.sampled_from([*PRE_TOKENIZERS, r"\w+|[^\w\s]+|\n", TIKTOKEN_CL100K, QWEN]),
    st.sampled_from(DOCUMENTS),
    st.sampled_from(SPECIALS),
    st.sampled_from(SPECIALS_IN_CORPUS),
)


def documents_of(text: str, kind: str) -> list[str]:
    """The documents of one file, by the definition."""
    if kind == "files":
        return [text]
    lines = text.split("\n")
    last = lines.pop()
    if kind == "lines":
        documents = [line.removesuffix("\r") for line in lines]
    else:
        documents = [line + "\n" for line in lines]
    return [*documents, last] if last else documents


def counted_plainly(texts: Iterable[str], options: Options) -> dict[str, int]:
    """The words of some files, document by document."""
    split = make_pre_tokenizer(options).split
    longest_first = sorted(options.specials, key=len, reverse=True)
    special = re.compile("|".join(map(re.escape, longest_first)) or "(?!)")
    words: dict[str, int] = {}
    for text in texts:
        for document in documents_of(text, options.documents):
            cut = options.specials_in_corpus == "cut"
            for piece in special.split(document) if cut else [document]:
                for word in split(piece):
                    words[word] = words.get(word, 0) + 1
    return words


def counted_in_blocks(text: str, options: Options, size: int) -> PartialCounts:
    tally = Tally(options)
    list(tally.read(io.BytesIO(text.encode()), "text", size=size))
    return tally.finish()


def files_with(folder: Path, texts: list[str]) -> Corpus:
    for number, text in enumerate(texts):
        (folder / f"{number:02}.txt").write_bytes(text.encode())
    return find_corpus([str(folder)])


def as_dict(words: WordCounts) -> dict[str, int]:
    return dict(zip(words.words, words.counts, strict=True))


# -- the same words, however the text is cut ------------------------------------------------------------------------


@settings(max_examples=settings().max_examples * 8)
@given(hostile, dialects, st.integers(1, 80))
def test_blocks_of_any_size_give_the_words_of_the_documents(text: str, options: Options, size: int) -> None:
    part = counted_in_blocks(text, options, size)
    assert list(part.words.items()) == list(counted_plainly([text], options).items())
    if options.documents != "files":
        assert part.documents == len(documents_of(text, options.documents))


@settings(max_examples=settings().max_examples * 4)
@given(hostile, st.sampled_from(["gpt2", "cl100k", "o200k", TIKTOKEN_CL100K, QWEN]), st.sampled_from(DOCUMENTS))
def test_pieces_have_the_words_of_the_documents(text: str, name: str, documents: str) -> None:
    how = {"pre_tokenizer": name} if name in PRE_TOKENIZERS else {"pattern": name}
    options = make_options("course", **how, documents=documents, specials=())
    pieces = counted_in_blocks(text, options.replace(pattern=PIECES, pre_tokenizer="pattern"), 30).words
    split = make_pre_tokenizer(options).split
    words: dict[str, int] = {}
    for piece, count in pieces.items():
        for word in split(piece):
            words[word] = words.get(word, 0) + count
    assert words == counted_plainly([text], options)


@given(st.lists(hostile, min_size=1, max_size=4), dialects, st.integers(1, 5), st.integers(1, 80))
def test_shares_for_any_number_of_processes_give_the_same_words(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], options: Options, workers: int, size: int
) -> None:
    corpus = files_with(tmp_path_factory.mktemp("texts"), texts)
    counted = PartialCounts()
    for share in share_out(corpus.sources, Tally(options).chunker, workers):
        tally = Tally(options)
        for part in share:
            with Path(part.file).open("rb") as stream:
                stream.seek(part.start)
                list(tally.read(stream, "text", part.end, size))
        counted.add(tally.finish())
    assert list(counted.words.items()) == list(counted_plainly(texts, options).items())
    if options.documents != "files":
        assert counted.documents == sum(len(documents_of(text, options.documents)) for text in texts)


@pytest.mark.parametrize("documents", DOCUMENTS)
@pytest.mark.parametrize("name", ["gpt2", "cl100k", "metaspace", "none"])
def test_two_processes_count_what_one_counts(name: str, documents: str, tmp_path: Path) -> None:
    lines = "the cats  sat;\ton\u3000 the mat's\r\nZ\n\n 'twas 1234567 <s> dü\u0301bel 日本\u00a0語\n"
    corpus = files_with(tmp_path, [lines * 40, "", "one " * 500, lines * 7 + "no end"])
    options = make_options("course", pre_tokenizer=name, documents=documents, specials=("<s>",))
    alone = count_words(corpus, options, processes=1)
    assert count_words(corpus, options, processes=2) == alone
    assert list(as_dict(alone).items()) == list(
        counted_plainly(
            [source.path.read_bytes().decode() for source in corpus.sources if source.path], options
        ).items()
    )
    assert alone.notes == ("47 special tokens were found in the corpus and cut out first",)


# -- documents, specials, notes -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "lines"), [("", 0), ("a", 1), ("a\n", 1), ("a\nb", 2), ("a\r\n\r\nb\n", 3), ("\n", 1), ("a\n\n", 2)]
)
def test_documents_are_counted(text: str, lines: int) -> None:
    corpus = text_corpus(text)
    assert count_words(corpus, make_options("course")).documents == lines
    assert count_words(corpus, make_options("course", documents="files")).documents == 1


@pytest.mark.parametrize(
    ("documents", "words"),
    [
        ("lines", {"a": 2, "b": 1}),
        ("lines-keepends", {"a\r\n": 1, "b\n": 1, "a": 1}),
        ("files", {"a\r\nb\na": 1}),
    ],
)
def test_line_ends(documents: str, words: dict[str, int]) -> None:
    counted = count_words(text_corpus("a\r\nb\na"), make_options("course", pre_tokenizer="none", documents=documents))
    assert as_dict(counted) == words


@pytest.mark.parametrize(
    ("treated", "words", "note"),
    [
        ("cut", {"ab": 2, " c": 1}, "2 special tokens were found in the corpus and cut out first"),
        ("text", {"ab": 2, "<": 2, "s": 2, ">": 2, " c": 1}, "2 special tokens were found in the corpus and learned"),
    ],
)
def test_special_tokens_in_the_corpus(treated: str, words: dict[str, int], note: str) -> None:
    options = make_options("course", specials=("<s>",), specials_in_corpus=treated)
    counted = count_words(text_corpus("ab<s>ab<s> c"), options)
    assert as_dict(counted) == words
    assert counted.notes[0].startswith(note)


def test_one_special_token_and_none() -> None:
    options = make_options("course", specials=("<s>", "<s><s>"))
    assert count_words(text_corpus("a<s><s>b"), options).notes == (
        "1 special token was found in the corpus and cut out first",
    )
    assert count_words(text_corpus("a"), options).notes == ()


# -- what can go wrong --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("processes", [1, 2])
def test_what_is_not_utf8_is_named_with_its_place(tmp_path: Path, processes: int) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes("naïve\n".encode() * 3000 + b"caf\xe9 au lait\n" + b"more\n" * 3000)
    with pytest.raises(CorpusError, match=r"x.txt, line 3,001, is not UTF-8: byte 21,003 is 0xE9; save it"):
        count_words(find_corpus([str(path)]), make_options("course"), processes=processes)


@pytest.mark.parametrize("size", [3, 7, 4096])
def test_the_place_is_right_in_any_block_and_behind_a_byte_order_mark(size: int) -> None:
    data = b"\xef\xbb\xbf" + b"one two three\n" * 9 + b"\xff\n"
    tally = Tally(make_options("course"))
    with pytest.raises(CorpusError, match=r"byte 129 is 0xFF"):
        list(tally.read(io.BytesIO(data), "text", size=size))


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_is_recognised(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes("\ufeffhello".encode(encoding))
    with pytest.raises(CorpusError, match=r"x.txt is not UTF-8 \(it looks like UTF-16\); give --encoding utf-16, or"):
        count_words(find_corpus([str(path)]), make_options("course"))


@pytest.mark.parametrize("processes", [1, 2])
def test_a_byte_order_mark_is_dropped_at_the_start_of_each_file_only(tmp_path: Path, processes: int) -> None:
    corpus = files_with(tmp_path, ["\ufeffa\n", "\ufeffa \ufeffb\n"])
    assert as_dict(count_words(corpus, make_options("toy"), processes=processes)) == {"a": 2, "\ufeffb": 1}


def test_a_pattern_is_checked_before_anything_is_read() -> None:
    class Unreadable:
        size = 0
        path = None

        def open(self) -> None:
            pytest.fail("was opened")

    sources: Any = (Unreadable(),)
    with pytest.raises(OptionError, match="is not a regular expression"):
        count_words(Corpus("x", "course", sources), make_options("course", pattern="["))


def test_progress_and_cancelling() -> None:
    seen: list[Progress] = []
    text = "some words here\n" * 300_000  # more than is read at once
    corpus = text_corpus(text)
    count_words(corpus, make_options("course"), progress=seen.append, processes=1)
    assert [one.phase for one in seen] == ["counting"] * len(seen)
    assert len(seen) > 1
    done = [one.done for one in seen]
    assert done == sorted(done)
    assert (done[-1], seen[-1].total) == (len(text), len(text))

    stops: list[int] = []

    def should_stop() -> bool:
        stops.append(1)
        return True

    with pytest.raises(Cancelled):
        count_words(corpus, make_options("course"), should_stop=should_stop, processes=1)
    assert stops == [1]


def test_processes_are_cancelled_at_once(tmp_path: Path) -> None:
    corpus = files_with(tmp_path, ["some words here, and 1 more\n" * 400_000])
    asked: list[int] = []

    def should_stop() -> bool:
        asked.append(1)
        return True

    with pytest.raises(Cancelled):
        count_words(corpus, make_options("course"), should_stop=should_stop, processes=2)
    assert asked == [1]  # the first answer is heeded


def test_an_endless_pattern_is_cancelled_at_once() -> None:
    asked = iter([False, False, False, True])
    with pytest.raises(Cancelled):  # after its limit it would be a `PatternError`
        count_words(text_corpus("a" * 60), make_options("course", pattern=ENDLESS), should_stop=lambda: next(asked))
    assert next(asked, None) is None


@pytest.mark.parametrize("documents", DOCUMENTS)
def test_a_pattern_that_can_be_stopped_gives_the_same_words(documents: str) -> None:
    corpus = text_corpus("one two\r\nthree two <s> one\n\nüber\u2028one\n")
    options = make_options("course", pattern=r"\w+|\s", documents=documents, specials=("<s>",))
    assert count_words(corpus, options, should_stop=lambda: False) == count_words(corpus, options)


@pytest.mark.parametrize("stoppable", [False, True])
@pytest.mark.parametrize("processes", [1, 2])
def test_an_endless_pattern_is_named_whoever_runs_it(tmp_path: Path, processes: int, stoppable: bool) -> None:
    corpus = files_with(tmp_path, ["a b\n", "a" * 60 + "\n"])
    options = make_options("course", pattern=ENDLESS)
    with time_limit(0.05), pytest.raises(PatternError, match=r"^the pattern '.*' did not finish on a text of 60"):
        count_words(corpus, options, should_stop=(lambda: False) if stoppable else None, processes=processes)


@pytest.mark.parametrize("name", ["none", "gpt2"])
def test_a_long_document_can_be_cancelled_while_it_is_read(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Endless(io.RawIOBase):
        """A document that never ends."""

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            buffer[:] = b"a" * len(buffer)
            return len(buffer)

    monkeypatch.setattr(Source, "open", lambda *_: io.BufferedReader(Endless()))
    corpus = Corpus("x", "course", (Source("endless"),))
    options = make_options("course", documents="files", pre_tokenizer=name)
    asked = iter([False, False, True])
    with pytest.raises(Cancelled):
        count_words(corpus, options, should_stop=lambda: next(asked))


def test_what_cannot_be_opened(tmp_path: Path) -> None:
    for source in (Source("gone.txt", tmp_path / "gone.txt"), Source("folder", tmp_path)):
        with pytest.raises(CorpusError, match=rf"^{source.name} cannot be read: "):
            count_words(Corpus("x", "course", (source,)), make_options("course"))


def test_a_stream_that_cannot_be_sought_is_read_once() -> None:
    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

        def tell(self) -> int:
            raise OSError("not seekable")

    chunker = Tally(make_options("course")).chunker
    data = "\ufeffone two three".encode()
    read = list(blocks(Pipe(data), chunker, "stdin", size=5))
    assert b"".join(block for block, _ in read) == b"one two three"
    assert sum(size for _, size in read) == len(data)
