"""Symbols that the alphabet lacks, policy by policy, and special tokens."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given

from bpe_tui.core.corpus.types import WordCounts
from bpe_tui.core.encoding.encoder import Encoder
from bpe_tui.core.encoding.merge_ranks import UNKNOWN
from bpe_tui.core.encoding.replay import trace
from bpe_tui.core.errors import EncodeError, OptionError
from bpe_tui.core.options import make_options
from bpe_tui.core.training.trainer import Trainer
from tests.core.encoders import (
    ENCODERS,
    any_text,
    encoders,
    finished,
    hug,
    texts,
    trained,
)

# -- unknown symbols ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("unknown", "tokens"),
    [("token", "h [UNK] [UNK] ug s"), ("fuse", "h [UNK] ug s"), ("drop", "hug s"), ("bytes", "h [UNK] [UNK] ug s")],
)
def test_unknown_policies(unknown: str, tokens: str) -> None:
    assert texts(hug().encode("hXéugs", unknown=unknown)) == tokens


def test_unknown_symbols_are_set_aside_before_any_merge() -> None:
    encoder = hug()
    # Dropped first, so that h and ug meet; merged first, they would stay h and ug.
    (token,) = encoder.encode("hXug", unknown="drop")
    assert (token.text, token.start, token.end) == ("hug", 0, 4)
    assert [(token.text, token.id, token.unknown) for token in encoder.encode("mug")] == [
        ("[UNK]", None, True),
        ("ug", 7, False),
    ]


def test_a_run_of_unknowns_is_fused_within_a_word_only() -> None:
    tokens = hug().encode("XY Z", unknown="fuse")
    assert [(token.text, token.start, token.end) for token in tokens] == [("[UNK]", 0, 2), ("[UNK]", 3, 4)]


def test_the_policy_error_names_symbol_and_place() -> None:
    for encode in (hug().encode, hug().encode_ids, partial(trace, hug())):
        with pytest.raises(EncodeError, match=r"^'X' at character 6 is not in the alphabet$"):
            encode("hug huXg", unknown="error")
    assert texts(hug().encode("hug", unknown="error")) == "hug"
    with pytest.raises(EncodeError, match="'é' at character 1 "):
        Encoder(trained("h", pre_tokenizer="metaspace")).encode("hé", unknown="error")


def test_a_policy_that_does_not_exist() -> None:
    with pytest.raises(OptionError, match="--unknown 'x' is not one of token, fuse, drop, bytes, error"):
        hug().encode("hug", unknown="x")


def test_a_typed_unknown_token_is_no_unknown() -> None:
    trainer = Trainer(WordCounts(["[UNK]", "hug"], [2, 1]), make_options("toy", merges=4))
    trainer.run()
    encoder = Encoder(trainer)
    typed, unknown = encoder.encode("[UNK] X")
    assert (typed.text, typed.unknown, typed.id) == ("[UNK]", False, trainer.vocabulary().ids["[UNK]"])
    assert (unknown.text, unknown.unknown, unknown.id) == ("[UNK]", True, None)
    assert all(not token.unknown for token in ENCODERS["huggingface"].encode("[UNK]"))
    assert encoder.encode_ids("[UNK] X") == [typed.id, UNKNOWN]


def test_the_unknown_token_has_an_id_if_it_is_a_special_token() -> None:
    encoder = hug(specials=("<s>", "[UNK]"))
    (unknown,) = encoder.encode("X")
    assert (unknown.id, unknown.unknown) == (1, True)
    assert encoder.encode_ids("Xug") == [1, encoder.id_of("ug")]
    (typed,) = encoder.encode("[UNK]", allow_special=True)
    assert (typed.id, typed.unknown) == (1, False)


@pytest.mark.parametrize("alphabet", ["characters", "seen-bytes"])
def test_byte_fallback(alphabet: str) -> None:
    names = tuple(f"<0x{byte:02X}>" for byte in range(256))
    encoder = hug(specials=names, alphabet=alphabet)
    tokens = encoder.encode("hé日", unknown="bytes")
    assert texts(tokens) == "h <0xC3> <0xA9> <0xE6> <0x97> <0xA5>"
    assert [(token.start, token.end) for token in tokens] == [(0, 1), (1, 2), (1, 2), (2, 3), (2, 3), (2, 3)]
    assert not any(token.unknown for token in tokens)
    assert encoder.decode(encoder.encode_ids("hé日", unknown="bytes")) == "hé日"


def test_byte_fallback_without_all_the_bytes_of_a_symbol() -> None:
    encoder = hug(specials=("<0xC3>",))
    assert texts(encoder.encode("éÃ", unknown="bytes")) == "[UNK] [UNK]"


def test_a_learned_token_that_looks_like_a_byte_is_text() -> None:
    trainer = Trainer(WordCounts(["<0x41>"], [1]), make_options("toy", merges=9))
    trainer.run()
    for encoder in (Encoder(trainer), finished(trainer.vocabulary(), trainer.options)):
        ids = encoder.encode_ids("<0x41>")
        assert len(ids) == 1
        assert encoder.decode(ids) == "<0x41>"


# -- special tokens -----------------------------------------------------------------------------------------------


def test_special_tokens_are_plain_text_unless_allowed() -> None:
    encoder = ENCODERS["course"]
    text = "the<|endoftext|>cat"
    assert "<|endoftext|>" not in [token.text for token in encoder.encode(text)]
    tokens = encoder.encode(text, allow_special=True)
    (special,) = [token for token in tokens if token.text == "<|endoftext|>"]
    assert (special.id, special.start, special.end, special.unknown) == (0, 3, 16, False)
    assert encoder.encode_ids(text, allow_special=True) == [token.id for token in tokens]
    assert encoder.decode([token.id for token in tokens if token.id is not None]) == text


def test_the_longest_special_token_goes_first() -> None:
    encoder = hug(specials=("<a>", "<a><b>"))
    assert [token.text for token in encoder.encode("<a><b><a>", allow_special=True)] == ["<a><b>", "<a>"]


# -- characters that are lost -------------------------------------------------------------------------------------


def lost(encoder: Encoder, text: str, unknown: str = "drop") -> list[tuple[str, int, int]]:
    return [(run.text, run.start, run.end) for run in encoder.dropped(text, unknown=unknown)]


def test_the_policy_drop_loses_characters_and_the_encoder_knows_which() -> None:
    encoder = hug()
    assert lost(encoder, "hug Xug huYZg") == [("X", 4, 5), ("YZ", 10, 12)]
    assert texts(encoder.encode("hug Xug huYZg", unknown="drop")) == "hug ug hug"
    for unknown in ("token", "fuse", "bytes", "error"):
        assert lost(encoder, "hug Xug huYZg", unknown) == []


def test_a_character_of_which_a_byte_is_unknown_is_lost() -> None:
    encoder = Encoder(trained("na ve ã", "course", alphabet="seen-bytes"))
    assert lost(encoder, "naïve mug") == [("ï", 2, 3), ("mug", 6, 9)]
    assert texts(encoder.encode("naïve", unknown="drop")) == "na Ã v e"  # half of the character is left


def test_what_a_pattern_leaves_out_is_lost_but_blanks_are_not() -> None:
    encoder = Encoder(trained("abc abc", "course", pre_tokenizer="pattern", pattern="[a-z]+"))
    assert lost(encoder, "abc 12, abc!", "token") == [("12,", 4, 7), ("!", 11, 12)]
    assert lost(encoder, "abc 12, abX!") == [("12,", 4, 7), ("X!", 10, 12)]
    assert lost(hug(), "  hug\thug\n") == [("\t", 5, 6), ("\n", 9, 10)]  # these are in a word


@given(encoders, any_text)
def test_what_is_lost_is_what_no_token_covers(encoder: Encoder, text: str) -> None:
    covered = {place for token in encoder.encode(text, unknown="drop") for place in range(token.start, token.end)}
    missing = {place for _, start, end in lost(encoder, text) for place in range(start, end)}
    assert {place for place in range(len(text)) if not text[place].isspace()} <= covered | missing
    if all(token.unknown is False for token in encoder.encode(text)):
        assert missing <= set(range(len(text))) - covered
