"""Other encodings than UTF-8: read when they are named, recognised when they are not."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.corpus.encodings import TranscodedStream, check_encoding, guess_encoding, transcoded
from bpe_tui.core.corpus.sources import find_corpus, options_for
from bpe_tui.core.errors import CorpusError, OptionError

TEXT = "déjà vu, low lower\n€ naïve\n"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "cp1252", "iso8859-15", "utf-8", "utf-8-sig"])
@pytest.mark.parametrize("suffix", [".txt", ".tsv"])
def test_a_text_in_a_named_encoding_has_the_words_of_its_text(encoding: str, suffix: str, tmp_path: Path) -> None:
    text = TEXT if suffix == ".txt" else "déjà\t3\nœuf\t2\n"
    for name, coding in ((f"x{suffix}", encoding), (f"y{suffix}", "utf-8")):
        (tmp_path / name).write_bytes(text.encode(coding))
    found, plain = (
        find_corpus([str(tmp_path / name)], encoding=coding)
        for name, coding in ((f"x{suffix}", encoding), (f"y{suffix}", None))
    )
    counted, expected = count_words(found, options_for(found), processes=2), count_words(plain, options_for(plain))
    assert (counted.words, counted.counts) == (expected.words, expected.counts)


def test_what_is_not_in_the_encoding_is_told_with_its_byte(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_bytes(b"a" * 2_000_001 + b"\x81")
    corpus = find_corpus([str(tmp_path / "x.txt")], encoding="cp1252")
    with pytest.raises(CorpusError, match=r"x\.txt is not cp1252 at byte 2,000,001"):
        count_words(corpus, options_for(corpus))
    with pytest.raises(CorpusError, match="is not utf-16-le at byte 2"):
        transcoded(io.BytesIO(b"a\0b"), "utf-16-le", "x").read()
    assert TranscodedStream(io.BytesIO(b""), "utf-16", "x").read() == b""


@pytest.mark.parametrize("name", ["nope", "rot13", "hex", "", "a\0b", "undefined"])
def test_encodings_that_are_none_are_refused(name: str) -> None:
    with pytest.raises(OptionError, match="there is no encoding"):
        check_encoding(name)


def test_bundled_corpora_have_an_encoding_of_their_own() -> None:
    with pytest.raises(OptionError, match="hug is bundled"):
        find_corpus(["hug"], encoding="latin-1")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_zeros_tell_an_encoding(encoding: str) -> None:
    assert guess_encoding("low lower lowest".encode(encoding)) == encoding


@pytest.mark.parametrize("data", [b"", bytes(100), b"low\0lower", TEXT.encode(), bytes(range(256)), b"a\0b"])
def test_other_bytes_tell_none(data: bytes) -> None:
    assert guess_encoding(data) is None


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32"])
def test_other_encodings_are_named_with_what_to_do(encoding: str, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_bytes("low lower lowest".encode(encoding))
    corpus = find_corpus([str(tmp_path / "x.txt")])
    shown = encoding.upper().removesuffix("-LE")
    with pytest.raises(CorpusError, match=rf"is not UTF-8 \(it looks like {shown}\); give --encoding {encoding}"):
        count_words(corpus, options_for(corpus))


def test_a_wrong_byte_is_told_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_bytes(b"\xef\xbb\xbflow\nlower\nl\xe9\n")
    corpus = find_corpus([str(tmp_path / "x.txt")])
    with pytest.raises(CorpusError, match=r"x\.txt, line 3, is not UTF-8: byte 14 is 0xE9"):
        count_words(corpus, options_for(corpus))
