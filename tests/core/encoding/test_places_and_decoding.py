"""Where tokens stand in a text, and texts made of tokens again."""

from __future__ import annotations

import pytest
from hypothesis import given

from bpe_tui.core.corpus.alphabet import bytes_to_chars, utf8
from bpe_tui.core.corpus.pretokenize import METASPACE
from bpe_tui.core.corpus.types import WordCounts
from bpe_tui.core.encoding.encoder import Encoder
from bpe_tui.core.errors import EncodeError
from bpe_tui.core.options import PRE_TOKENIZERS, make_options
from bpe_tui.core.training.trainer import Trainer
from tests.core.encoders import (
    ENCODERS,
    HUG,
    MIXED,
    any_text,
    hug,
    in_words,
    texts,
    trained,
)

# -- places -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PRE_TOKENIZERS)
@given(text=any_text)
def test_characters_cover_what_was_typed(name: str, text: str) -> None:
    encoder = ENCODERS[f"{name}, characters"]
    for token in encoder.encode(text):
        covered = text[token.start : token.end]
        if name == "metaspace":
            covered = covered.replace(" ", METASPACE)
            assert token.unknown or token.text in (covered, METASPACE + covered)
        else:
            assert token.unknown or token.text == covered
        assert not token.unknown or token.end == token.start + 1 or name == "metaspace"


@pytest.mark.parametrize("name", PRE_TOKENIZERS)
@given(text=any_text)
def test_bytes_cover_the_characters_they_are_part_of(name: str, text: str) -> None:
    tokens = ENCODERS[f"{name}, all-bytes"].encode(text)
    for token in tokens:
        covered = text[token.start : token.end].replace(" ", METASPACE) if name == "metaspace" else None
        inside = bytes_to_chars(utf8(text[token.start : token.end] if covered is None else METASPACE + covered))
        assert token.text in inside
    starts = [token.start for token in tokens]
    assert starts == sorted(starts)


def test_places_of_accents_emoji_and_parts_of_characters() -> None:
    encoder = Encoder(trained("x", "huggingface", merges=0))
    tokens = encoder.encode("e\u0301😀a")
    assert [(token.start, token.end) for token in tokens] == [
        (0, 1),
        *[(1, 2)] * 2,
        *[(2, 3)] * 4,
        (3, 4),
    ]


def test_a_metaspace_that_was_not_typed_covers_nothing() -> None:
    encoder = Encoder(trained("hi hi", pre_tokenizer="metaspace", alphabet="characters", merges=0))
    assert [(token.text, token.start, token.end) for token in encoder.encode("hi hi")] == [
        ("▁", 0, 0),
        ("h", 0, 1),
        ("i", 1, 2),
        ("▁", 2, 3),
        ("h", 3, 4),
        ("i", 4, 5),
    ]


def test_an_ending_that_is_a_symbol_covers_nothing() -> None:
    trainer = Trainer(WordCounts(["low"], [1]), make_options("paper", merges=0))
    tokens = Encoder(trainer).encode("low lo")
    assert [(token.text, token.start, token.end) for token in tokens[3:]] == [
        ("</w>", 3, 3),
        ("l", 4, 5),
        ("o", 5, 6),
        ("</w>", 6, 6),
    ]


def test_words_come_one_at_a_time() -> None:
    assert in_words(hug(), "hugs XX pun") == [["hug", "s"], ["[UNK]", "[UNK]"], ["p", "un"]]
    assert in_words(hug(), "hugs XX pun", unknown="drop") == [["hug", "s"], [], ["p", "un"]]
    encoder = hug()
    _, bug, hugs = encoder.spans("pun bug hugs")
    assert texts(encoder.tokens_of([bug])) == "b ug"
    assert texts(encoder.symbols_of(hugs)) == "h u g s"


# -- decoding -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["", "</w>"])
@pytest.mark.parametrize("style", ["suffix", "symbol"])
@pytest.mark.parametrize("name", ["gpt2", "cl100k", "o200k", "none"])
def test_any_text_comes_back_from_bytes(name: str, style: str, ending: str) -> None:
    trainer = trained(
        MIXED, "huggingface", pre_tokenizer=name, end_of_word=ending, end_of_word_style=style, specials=()
    )
    # Every byte can end a word once all of them have.
    every = [*map(chr, range(0x80)), *(chr(code) for code in range(0x80, 0x110000, 61) if not 0xD800 <= code < 0xE000)]
    if ending:
        words = WordCounts([*trainer.words.words, *every], [*trainer.words.counts, *[1] * len(every)])
        trainer = Trainer(words, trainer.options)
        trainer.run()
    encoder = Encoder(trainer)

    @given(any_text)
    def comes_back(text: str) -> None:
        ids = encoder.encode_ids(text)
        assert encoder.decode(ids) == text
        assert encoder.decode_bytes(ids) == text.encode()

    comes_back()


@pytest.mark.parametrize("preset", ["huggingface", "minbpe"])
@given(text=any_text)
def test_any_text_comes_back_under_the_presets_of_bytes(preset: str, text: str) -> None:
    encoder = ENCODERS[preset]
    assert encoder.decode(encoder.encode_ids(text)) == text
    assert encoder.decode(encoder.encode_ids(text, allow_special=True)) == text


def test_a_lone_surrogate_is_the_replacement_character() -> None:
    encoder = ENCODERS["huggingface"]
    for text in ("\ud83d", "\ude00\ud83d", "a\ud83d\ude00b"):
        there = "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)
        assert encoder.encode_ids(text) == encoder.encode_ids(there)
        assert [(token.start, token.end) for token in encoder.encode(text)] == [
            (token.start, token.end) for token in encoder.encode(there)
        ]


def test_half_a_character_is_a_replacement_on_screen_and_exact_in_bytes() -> None:
    encoder = Encoder(trained("x", "minbpe", merges=0))
    assert encoder.decode([0xE6, 0x97]) == "\ufffd"
    assert encoder.decode_bytes([0xE6, 0x97]) == b"\xe6\x97"


@pytest.mark.parametrize("style", ["suffix", "symbol"])
def test_an_ending_becomes_a_space_where_words_do_not_hold_them(style: str) -> None:
    trainer = Trainer(
        WordCounts(["low", "lower", "newest"], [5, 2, 6]), make_options("paper", end_of_word_style=style, merges=9)
    )
    trainer.run()
    encoder = Encoder(trainer)
    assert encoder.decode(encoder.encode_ids("lower  low newest ")) == "lower low newest"
    start = encoder.id_of("l")
    assert start is not None
    assert encoder.decode([start, start, *encoder.encode_ids("low"), start]) == "lllow l"


def test_metaspaces_become_spaces() -> None:
    encoder = ENCODERS["metaspace, characters"]
    assert encoder.decode(encoder.encode_ids("two  spaces and")) == "two  spaces and"


@pytest.mark.parametrize("token", [-1, 10, 10**20])
def test_an_id_that_no_token_has(token: int) -> None:
    with pytest.raises(EncodeError, match=f"there is no token with id {token}"):
        hug().decode([0, token])


def test_an_undone_token_has_no_id_and_no_text() -> None:
    trainer = Trainer(WordCounts(list(HUG), list(HUG.values())), make_options("toy", merges=3))
    encoder = Encoder(trainer)
    trainer.run()
    assert (encoder.decode([9]), encoder.id_of("hug")) == ("hug", 9)
    trainer.undo()
    assert encoder.id_of("hug") is None
    with pytest.raises(EncodeError, match="no token with id 9"):
        encoder.decode([9])
