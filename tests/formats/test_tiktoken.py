"""tiktoken's rank files: the same tokens and ids as tiktoken itself, and every slip named by its line."""

from __future__ import annotations

import ast
import base64
import random
from functools import cache
from itertools import chain, islice, pairwise, product
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
import tiktoken as their
from hypothesis import given
from tiktoken.load import load_tiktoken_bpe
from tiktoken_ext import openai_public

from bpe_tui.core.corpus.alphabet import BYTE_TO_CHAR, bytes_to_chars, chars_to_bytes
from bpe_tui.core.corpus.pretokenize import PATTERNS, TIKTOKEN_CL100K
from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.core.options import make_options
from bpe_tui.core.training.vocabulary import Merge, Vocabulary
from bpe_tui.formats import tiktoken
from bpe_tui.formats.derivation import derive
from bpe_tui.formats.model import TokenizerModel
from bpe_tui.formats.registry import read_tokenizer, write_tokenizer
from tests.core.encoders import merged_in_steps
from tests.formats.models import ids, ranks_of, texts, tokens, trained

BYTES = [bytes([byte]) for byte in range(256)]
OPENAI = sorted(BYTES, key=lambda byte: (not chr(byte[0]).isprintable() or byte in b" \xa0\xad", byte))
"""All bytes in OpenAI's order: first those that are characters of their own in GPT-2's table."""


def written(ranks: dict[bytes, int]) -> bytes:
    """A file of ranks."""
    return b"".join(base64.b64encode(token) + b" %d\n" % rank for token, rank in ranks.items())


@cache
def own_pattern() -> str:
    """The pattern of tiktoken's cl100k_base, without the ranks that it would fetch."""
    with patch.object(openai_public, "load_tiktoken_bpe", return_value={}):
        pattern: str = openai_public.cl100k_base()["pat_str"]
    return pattern


def encoding(ranks: dict[bytes, int], pattern: str | None = None) -> Any:
    """tiktoken itself on these ranks; without a pattern as its cl100k_base."""
    pattern = own_pattern() if pattern is None else pattern
    return their.Encoding("test", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})


def ranked(*more: str, step: int = 1, order: list[bytes] = BYTES) -> dict[bytes, int]:
    """Ranks of all bytes and then of these tokens."""
    return {token: rank * step for rank, token in enumerate([*order, *(one.encode() for one in more)])}


CASES = {
    "in order": ranked("in", "ing", "th", "the", "str", "aa", "aaaa", "aaa"),
    "OpenAI's byte order": ranked("in", "th", "the", "é"[0:1], " the", order=OPENAI),
    "gaps between ranks": ranked("in", "th", "the", step=7),
    "whole words only": ranked("hello", "abcde", "th"),
    "parts that rank later": ranked("abcd", "ab", "cd", "bc", "aaa", "aa"),
    "words and parts": ranked("banana", "an", "ana", "nana", "na", "ba"),
}


@pytest.mark.parametrize("name", CASES)
@given(text=texts)
def test_the_same_ids_as_tiktoken(name: str, text: str) -> None:
    encoder, theirs = both(name)
    expected = theirs.encode_ordinary(text)
    assert encoder.encode_ids(text) == expected
    assert encoder.decode_bytes(expected) == theirs.decode_bytes(expected)


@cache
def both(name: str) -> Any:
    """An encoder of the case as we read it, and tiktoken."""
    return tiktoken.read(written(CASES[name]), {}).encoder(), encoding(CASES[name])


@pytest.mark.parametrize("seed", range(40))
def test_random_ranks_in_any_order(seed: int) -> None:
    rng = random.Random(seed)
    words = {"".join(rng.choices("abc", k=rng.randint(2, 6))) for _ in range(rng.randint(1, 25))}
    order = sorted(words, key=len) if seed % 2 else rng.sample(sorted(words), len(words))
    ranks = ranked(*order, step=rng.choice((1, 3)))
    encoder = tiktoken.read(written(ranks), {"pre_tokenizer": "none"}).encoder()
    theirs = encoding(ranks, "(?s:.+)")
    for _ in range(60):
        text = "".join(rng.choices("abc d", k=rng.randint(0, 20)))
        assert encoder.encode_ids(text) == theirs.encode_ordinary(text), text
        assert [token.id for token in merged_in_steps(encoder, text)] == theirs.encode_ordinary(text)


def test_a_token_without_derivation_stands_for_a_whole_word_only(tmp_path: Path) -> None:
    path = tmp_path / "x.tiktoken"
    path.write_bytes(written(ranked("hello", "ab")))
    model = read_tokenizer(str(path))
    assert f'{path}: one token is made by no merge, and stands for whole words only: "hello"' in model.warnings
    assert tokens(model, "hello ab hello") == ["hello", "Ġ", "ab", *"Ġhello"]
    assert [merge.token for merge in model.vocabulary.merges] == ["ab"]


def test_ids_are_ranks_and_bytes_need_not_be_their_values() -> None:
    assert tiktoken.read(written(CASES["in order"]), {}).options.raw_byte_ids
    model = tiktoken.read(written(CASES["OpenAI's byte order"]), {})
    assert not model.options.raw_byte_ids
    assert ids(model, "!") == [0]
    assert tiktoken.read(written(CASES["gaps between ranks"]), {}).vocabulary.ids["th"] == 257 * 7


def test_the_pattern_is_told_beside_the_file(tmp_path: Path) -> None:
    path = tmp_path / "x.tiktoken"
    path.write_bytes(written(ranked("12", "34")))
    assert read_tokenizer(str(path)).options.pattern == TIKTOKEN_CL100K
    assert tokens(read_tokenizer(str(path)), "1234") == ["12", "3", "4"]
    assert tokens(read_tokenizer(str(path), {"pre_tokenizer": "gpt2"}), "1234") == ["12", "34"]
    assert tokens(read_tokenizer(str(path), {"pattern": r"\d"}), "1234") == list("1234")
    with pytest.raises(TokenizerFileError, match="--unk is not for this format"):
        read_tokenizer(str(path), {"unk": "x"})


@pytest.mark.parametrize("ending", [b"\r\n", b"\n\n"])
def test_line_ends_blank_lines_and_a_byte_order_mark_are_harmless(ending: bytes) -> None:
    plain = written(CASES["in order"])
    spoiled = b"\xef\xbb\xbf" + plain.replace(b"\n", ending).rstrip()
    assert tiktoken.read(spoiled, {}) == tiktoken.read(plain, {})


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"YQ== 5", 'line 257, "YQ== 5": the token has a rank already, 97'),
        (b"YWI= 97", 'line 257, "YWI= 97": line 98 has that rank already'),
        (b"YWI= -1", "the rank -1 is negative"),
        (b"YWI= 1.5", "a token in base64, a space and a rank are expected"),
        (b"YWI= 4294967296", "the rank is too large"),
        (b"YWI= 42949672960", "the rank 42949672960 is too large"),
        (b" 300", "the token is empty"),
        (b"YWI=", "a token in base64, a space and a rank are expected"),
        (b"YWI=  300", "a token, one space and a rank are expected"),
        (b"YWI=\t300", "a token, one space and a rank are expected"),
        (b"YWI 300", "the token is no base64"),
        (b"YW*= 300", "the token is no base64"),
        (b"YWI=YWI= 300", "the token is no base64"),
        (b"\xff 300", "the token is no base64"),
    ],
)
def test_a_slip_is_named_by_its_line(line: bytes, says: str) -> None:
    with pytest.raises(TokenizerFileError) as caught:
        tiktoken.read(written(ranked()) + line, {})
    assert says in str(caught.value)
    assert "line 257" in str(caught.value)


def test_all_bytes_are_needed() -> None:
    for byte, says in ((b"\x00", "lacks the byte 0x00"), (b"a", "lacks the byte 0x61")):
        ranks = ranked("ab")
        del ranks[byte]
        with pytest.raises(TokenizerFileError, match=says):
            tiktoken.read(written(ranks), {})
    with pytest.raises(TokenizerFileError, match="lacks 256 of the 256 bytes"):
        tiktoken.read(b"", {})


def test_white_space_at_the_end_of_a_text_is_one_word_as_in_tiktoken() -> None:
    ranks = ranked("\n ", " \n", "\n\n", "\n \n")
    model = tiktoken.read(written(ranks), {})
    theirs = encoding(ranks)
    for text in ("a\n ", "a \n \n", "a\n\n  ", "é\r\n\u2028 ", "\n ", "a!\n \t", " \n a\n \n"):
        assert ids(model, text) == theirs.encode_ordinary(text)
    assert ids(tiktoken.read(written(ranks), {"pre_tokenizer": "cl100k"}), "a\n ") == [97, 10, 32]


def test_an_empty_token_is_read_as_tiktoken_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "multilingual.tiktoken"
    path.write_bytes(written(ranked("in", "th", "the", " the")) + b"= 260\n")  # as the last line of Whisper's file
    theirs = encoding(load_tiktoken_bpe(str(path)), PATTERNS["gpt2"])
    model = read_tokenizer(str(path), {"pre_tokenizer": "gpt2"})
    assert model.vocabulary.ids[""] == 260
    for text in ("", " ", "in the inn", "  the\n"):
        assert ids(model, text) == theirs.encode_ordinary(text)
    assert model.encoder().decode([256, 260, 259]) == theirs.decode([256, 260, 259]) == "in the"
    again = tmp_path / "again.tiktoken"
    write_tokenizer(str(again), model)
    assert again.read_bytes() == path.read_bytes()
    for other in ("x.json", "vocab.json", "x.bpe.json"):
        write_tokenizer(str(tmp_path / other), model)
        assert ids(read_tokenizer(str(tmp_path / other)), "in the inn") == ids(model, "in the inn")
    with pytest.raises(TokenizerFileError, match='line 2, "= 1": the token has a rank already'):
        tiktoken.read(b"= 0\n= 1\n", {})


@pytest.mark.parametrize(
    ("size", "whose", "cut"),
    [
        (50_256, "GPT-2", "gpt2"),
        (50_257, "Whisper", "gpt2"),
        (128_000, "Llama 3", "cl100k"),
        (199_998, "o200k", "o200k"),
    ],
)
def test_known_files_are_known_by_their_size_and_a_note_says_so(size: int, whose: str, cut: str) -> None:
    shortest = chain.from_iterable(product(range(256), repeat=length) for length in (1, 2, 3))
    ranks = {bytes(token): rank for rank, token in enumerate(islice(shortest, size))}
    data = written(ranks)
    model = tiktoken.read(data, {})
    assert model.options.pre_tokenizer == cut
    assert whose in model.warnings[0]
    assert "--pre-tokenizer or --pattern" in model.warnings[0]
    assert tiktoken.read(data, {"pre_tokenizer": "none"}).warnings == ()


def test_how_an_unknown_file_is_cut_is_said() -> None:
    assert "the pattern of cl100k_base is assumed" in tiktoken.read(written(ranked("in")), {}).warnings[0]
    assert tiktoken.read(written(ranked("in")), {"pre_tokenizer": "gpt2"}).warnings == ()


# -- writing ----------------------------------------------------------------------------------------------------------


def pattern_in(notes: tuple[str, ...]) -> str:
    """The pattern that a note says to give tiktoken, pasted into Python."""
    (argument,) = [note.partition("pat_str=")[2] for note in notes if "pat_str=" in note]
    pattern: str = ast.literal_eval(argument)
    return pattern


def test_a_long_pattern_is_told_whole_so_that_it_can_be_pasted(tmp_path: Path) -> None:
    pattern = r"[^\r\n\p{L}\p{N}]?'?\p{L}+|\p{N}{1,2}|\s*[\r\n]+|\s+(?!\S)|\s+|[^\s\p{L}\p{N}]+|\"never\""
    notes = write_tokenizer(str(tmp_path / "x.tiktoken"), trained("minbpe", pattern=pattern, pre_tokenizer=None))
    assert pattern_in(notes) == pattern


@pytest.mark.parametrize("preset", ["huggingface", "minbpe"])
@pytest.mark.parametrize("cut", ["gpt2", "cl100k", "o200k", "none"])
def test_what_is_written_encodes_the_same_there(preset: str, cut: str, tmp_path: Path) -> None:
    path = tmp_path / "x.tiktoken"
    model = trained(preset, pre_tokenizer=cut, specials=("<|endoftext|>",))
    notes = write_tokenizer(str(path), model)
    assert any("<|endoftext|>" in note for note in notes)
    assert not any("differently" in note for note in notes)
    theirs = encoding(ranks_of(path), pattern_in(notes))
    as_trained, as_read = model.encoder(), read_tokenizer(str(path), {"pre_tokenizer": cut}).encoder()

    @given(text=texts)
    def agrees(text: str) -> None:
        assert as_trained.encode_ids(text) == theirs.encode_ordinary(text) == as_read.encode_ids(text)

    agrees()


def test_a_model_that_joined_bytes_would_encode_otherwise_is_written_with_a_warning(tmp_path: Path) -> None:
    pairs = [("a", "b"), ("b", "c"), ("a", "bc")]  # abc is never a + bc: ab comes first
    known = [*BYTE_TO_CHAR, *(left + right for left, right in pairs)]
    numbers = {token: place for place, token in enumerate(known)}
    merges = tuple(
        Merge(left, right, left + right, numbers[left], numbers[right], numbers[left + right], rank)
        for rank, (left, right) in enumerate(pairs)
    )
    vocabulary = Vocabulary(tuple(known), (), BYTE_TO_CHAR, merges, numbers)
    model = TokenizerModel(vocabulary, make_options("minbpe"))
    notes = write_tokenizer(str(tmp_path / "x.tiktoken"), model)
    (warning,) = [note for note in notes if "differently" in note]
    assert 'differently: "abc" as "abc", not as "ab" + "c"' in warning
    ranks = {chars_to_bytes(token): number for token, number in numbers.items()}
    assert ids(model, "abc") == [numbers["ab"], numbers["c"]]
    assert encoding(ranks).encode_ordinary("abc") == [numbers["abc"]]


def test_a_merge_that_never_fires_makes_no_difference_to_tiktoken(tmp_path: Path) -> None:
    pairs = [("Ġ", "Ġ"), ("ĠĠ", "ĠĠ"), ("ĠĠ", "Ġ"), ("ĠĠĠ", "Ġ")]  # the last makes what the second has made
    known = list(dict.fromkeys([*BYTE_TO_CHAR, *(left + right for left, right in pairs)]))
    numbers = {token: place for place, token in enumerate(known)}
    merges = tuple(
        Merge(left, right, left + right, numbers[left], numbers[right], numbers[left + right], rank)
        for rank, (left, right) in enumerate(pairs)
    )
    model = TokenizerModel(Vocabulary(tuple(known), (), BYTE_TO_CHAR, merges, numbers), make_options("minbpe"))
    notes = write_tokenizer(str(tmp_path / "x.tiktoken"), model)
    assert not any("differently" in note for note in notes)
    encoder, theirs = model.encoder(), encoding(ranks_of(tmp_path / "x.tiktoken"), pattern_in(notes))
    for count in range(40):
        for text in (" " * count, "a" + " " * count + "b", " " * count + "\n" + " " * count):
            assert encoder.encode_ids(text) == theirs.encode_ordinary(text)


@pytest.mark.parametrize(
    ("overrides", "says"),
    [
        ({"alphabet": "characters"}, "tiktoken merges bytes, and this alphabet is of characters"),
        ({"alphabet": "seen-bytes"}, "tiktoken needs all 256 bytes"),
        ({"end_of_word": "</w>"}, "words end in"),
        ({"pre_tokenizer": "metaspace"}, "metaspace cannot be said in one"),
    ],
)
def test_what_ranks_cannot_say_is_refused_and_nothing_written(
    overrides: dict[str, Any], says: str, tmp_path: Path
) -> None:
    with pytest.raises(TokenizerFileError, match=says):
        write_tokenizer(str(tmp_path / "x.tiktoken"), trained("huggingface", **overrides))
    assert list(tmp_path.iterdir()) == []


# -- derivation -------------------------------------------------------------------------------------------------------


def test_each_token_is_derived_from_the_parts_that_merging_leaves_last() -> None:
    rng = random.Random(7)
    for _ in range(400):
        words = {bytes(rng.choices(b"abc", k=rng.randint(2, 6))) for _ in range(rng.randint(1, 14))}
        order = sorted(words, key=len) if rng.random() < 0.6 else rng.sample(sorted(words), len(words))
        known = [b"a", b"b", b"c", *order]
        for token, pair in zip(known, derive(known), strict=True):
            assert pair == replayed(token, known)


def test_long_tokens_are_derived_likewise() -> None:
    rng = random.Random(8)
    for _ in range(60):
        words = {bytes(rng.choices(b"ab", k=rng.randint(2, 5))) for _ in range(12)}
        words |= {b"".join(rng.choices(sorted(words), k=rng.randint(2, 20))) for _ in range(12)}
        known = [b"a", b"b", *rng.sample(sorted(words), len(words))]
        for token, pair in zip(known, derive(known), strict=True):
            assert pair == replayed(token, known)


def replayed(token: bytes, known: list[bytes]) -> tuple[int, int] | None:
    """The definition: merge the bytes by lowest rank, leftmost first, until two parts are left."""
    parts = [token[place : place + 1] for place in range(len(token))]
    if len(parts) == 1:
        return None
    while len(parts) > 2:
        joined = [
            (known.index(one + two), place) for place, (one, two) in enumerate(pairwise(parts)) if one + two in known
        ]
        if not joined:
            return None
        place = min(joined)[1]
        parts[place : place + 2] = [parts[place] + parts[place + 1]]
    return known.index(parts[0]), known.index(parts[1])


def test_texts_of_tokens_are_their_bytes() -> None:
    model = tiktoken.read(written(ranked("é", "日本")), {})
    assert bytes_to_chars("日本".encode()) in model.vocabulary.ids
    assert all(chars_to_bytes(token) for token in model.vocabulary.tokens)
