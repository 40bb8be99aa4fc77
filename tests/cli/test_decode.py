"""`bpe-tui decode`: ids back to text, and to exact bytes."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.running import done, run


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tokenizer over all bytes."""
    file = tmp_path_factory.mktemp("tokenizer") / "bytes.json"
    done("train", "story", "--preset", "huggingface", "--vocab-size", "400", "-o", file)
    return file


@given(text=st.text())
def test_ids_of_any_text_decode_to_the_same_bytes(whole: Path, text: str) -> None:
    ids = done("encode", "-", "-t", whole, "--ids", stdin=text.encode()).stdout
    assert done("decode", "-", "-t", whole, stdin=ids).stdout == text.encode()


def test_ids_may_be_words_or_a_list_with_commas(whole: Path) -> None:
    ids = done("encode", "ab", "-t", whole, "--ids").text.split()
    assert done("decode", *ids, "-t", whole).stdout == b"ab"
    assert done("decode", ",".join(ids), "-t", whole).stdout == b"ab"
    assert done("decode", "-", "-t", whole, stdin=", ".join(ids).encode()).stdout == b"ab"


def test_a_character_cut_in_the_middle_is_exact_bytes_in_a_pipe_and_visible_on_a_terminal(whole: Path) -> None:
    ids = [token["id"] for token in done("encode", "é", "-t", whole, "--json").json["tokens"]]
    assert len(ids) == 2
    assert done("decode", ids[0], "-t", whole).stdout == b"\xc3"
    assert run("decode", ids[0], "-t", whole, terminal=True).text == "\ufffd\n"


def test_a_terminal_gets_a_last_newline_and_stand_ins_for_what_could_harm_it(whole: Path) -> None:
    ids = done("encode", "-", "-t", whole, "--ids", stdin=b"a\tb\n\x1b[2J").text.split()
    assert run("decode", *ids, "-t", whole, terminal=True).text == "a\tb\n␛[2J\n"


def test_nothing_decodes_to_nothing(whole: Path) -> None:
    assert done("decode", "-", "-t", whole, stdin=b"\n").stdout == b""


def test_an_id_that_the_vocabulary_lacks(whole: Path) -> None:
    assert "400" in run("decode", "0", "400", "-t", whole).error


@pytest.mark.parametrize("word", ["x", "1.5", "²", "0x10", "9" * 5000])
def test_what_is_no_id(whole: Path, word: str) -> None:
    assert "is not a token id" in run("decode", word, "-t", whole).error
