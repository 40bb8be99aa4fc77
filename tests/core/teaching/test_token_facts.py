"""What is said of a token, of the unknown policies, and of characters that look alike."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bpe_tui.core.encoding.encoder import Encoder
from bpe_tui.core.encoding.tokenized_text import finish, tokenize
from bpe_tui.core.options import UNKNOWN_POLICIES
from bpe_tui.core.readable import CHARACTERS
from bpe_tui.core.teaching.canonical_equivalents import (
    LookAlike,
    canonical_equivalents,
    code_points,
    look_alike_note,
    twin_of,
)
from bpe_tui.core.teaching.token_facts import compare_policies, token_facts
from bpe_tui.formats.huggingface.read import read as read_json
from tests.core.encoders import hug, trained


def of_file(vocab: str, merges: tuple[str, ...] = (), **parts: Any) -> Encoder:
    """An encoder of a tokenizer.json; `vocab` has spaces between tokens."""
    model = {"type": "BPE", "vocab": {text: number for number, text in enumerate(vocab.split())}, "merges": merges}
    return read_json(json.dumps({"version": "1.0", **parts, "model": model})).encoder()


def facts(encoder: Encoder, text: str, index: int = 0) -> list[str]:
    return token_facts(encoder, finish(tokenize(encoder, text)), index, CHARACTERS)


# -- policies ---------------------------------------------------------------------------------------------------------


def test_policies_side_by_side_and_the_trap_of_drop() -> None:
    encoder = hug()
    results = {one.policy: one for one in compare_policies(encoder, encoder.spans("hXYug")[0])}
    assert [token.text for token in results["token"].tokens] == ["h", "[UNK]", "[UNK]", "ug"]
    assert [token.text for token in results["fuse"].tokens] == ["h", "[UNK]", "ug"]
    assert [token.text for token in results["drop"].tokens] == ["hug"]
    assert results["drop"].loses
    assert results["drop"].read_back == "hug"
    assert not results["token"].loses
    assert results["token"].read_back == "h[UNK][UNK]ug"
    assert "'X' at character 1" in results["error"].error
    assert tuple(results) == UNKNOWN_POLICIES


def test_what_a_normalizer_changes_is_no_loss_of_the_policy() -> None:
    encoder = of_file("t h e", normalizer={"type": "Lowercase"})
    for result in compare_policies(encoder, encoder.spans("The")[0]):
        assert (result.read_back, result.loses) == ("t h e", False)  # without a decoder, blanks go between tokens


# -- facts about one token --------------------------------------------------------------------------------------------


def test_facts_about_a_token() -> None:
    assert facts(hug(), "thug") == ["token 1 of 2", "t is not in the alphabet", "no id", "character 0", "byte 74"]
    assert facts(hug(), "thug", 1)[:3] == ["token 2 of 2", "id 9", "characters 1–4"]


def test_a_byte_of_a_character_says_which_character_it_is_part_of() -> None:
    encoder = Encoder(trained("le café", "huggingface", merges=0))
    found = facts(encoder, "é")
    assert "byte C3" in found
    assert "part of é (U+00E9)" in found
    assert "looks like U+0065 U+0301" in found


def test_a_token_has_its_own_bytes_whatever_was_typed_for_it() -> None:
    lowercase = of_file("é Ã © Ã©", ("Ã ©",), normalizer={"type": "Lowercase"})
    assert "bytes C3 A9" in facts(lowercase, "É")
    byte_level = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": False, "use_regex": True}
    prefixed = of_file("Ġ h i Ġh Ġhi", ("Ġ h", "Ġh i"), pre_tokenizer=byte_level)
    assert facts(prefixed, "hi")[2:] == ["characters 0–2", "bytes 20 68 69"]  # no part of hi
    assert facts(prefixed, "hi hi", 1)[2:] == ["characters 2–5", "bytes 20 68 69"]


def test_a_token_of_byte_fallback_has_one_byte() -> None:
    vocab = " ".join(["a", *(f"<0x{byte:02X}>" for byte in range(256))])
    model = {"type": "BPE", "vocab": {text: number for number, text in enumerate(vocab.split())}, "merges": []}
    file = {"version": "1.0", "model": {**model, "byte_fallback": True, "unk_token": None}}
    encoder = read_json(json.dumps(file)).encoder()
    tokenized = finish(tokenize(encoder, "€", "bytes"))
    assert token_facts(encoder, tokenized, 0, CHARACTERS)[2:] == ["character 0", "byte E2", "part of € (U+20AC)"]


def test_an_unknown_space_that_was_put_before_the_text_is_no_word_ending() -> None:
    encoder = Encoder(trained("a", "course", pre_tokenizer="metaspace", alphabet="characters"))
    bare = of_file("a [UNK]", pre_tokenizer={"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"})
    assert facts(encoder, "a")[:2] == ["token 1 of 1", "id 3"]
    assert "the space put before the text is not in the alphabet" in facts(bare, "a")


def test_places_are_those_of_trimmed_offsets() -> None:
    post_processor = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    encoder = of_file("Ġ h i Ġh Ġhi", ("Ġ h", "Ġh i"), pre_tokenizer=byte_level, post_processor=post_processor)
    tokenized = finish(tokenize(encoder, "hi hi"))
    assert [(token.start, token.end) for token in tokenized.tokens()] == [(0, 1), (1, 2), (3, 5)]
    assert tokenized.tokens() == encoder.encode("hi hi")
    assert "characters 3–5" in token_facts(encoder, tokenized, 2, CHARACTERS)


# -- look-alikes ------------------------------------------------------------------------------------------------------


def test_canonical_equivalents() -> None:
    assert canonical_equivalents("café ascii") == []
    assert canonical_equivalents("cafe\u0301") == [LookAlike("e\u0301", "é", 3)]
    assert canonical_equivalents("\u212b") == [LookAlike("\u212b", "Å", 0)]
    assert twin_of("é") == "e\u0301"
    assert twin_of("e\u0301") == "é"
    assert twin_of("e") == ""
    assert code_points("e\u0301") == "U+0065 U+0301"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("cafe\u0301", "it looks like U+00E9, whose tokens differ"),
        ("cafe\u0301 é", "elsewhere as U+00E9"),
        ("e\u0301 e\u0301", "one more"),
    ],
)
def test_look_alikes_whose_tokens_differ_are_named(text: str, said: str) -> None:
    assert said in look_alike_note(Encoder(trained("café e\u0301", "course")), text)


def test_look_alikes_whose_tokens_are_the_same_are_not() -> None:
    vocab = "c a f e é \u0301"
    plain, composing = of_file(vocab), of_file(vocab, normalizer={"type": "NFC"})
    assert "whose tokens differ" in look_alike_note(plain, "cafe\u0301")
    assert look_alike_note(composing, "cafe\u0301") == ""
    assert look_alike_note(composing, "cafe\u0301 é") == ""
    assert look_alike_note(hug(), "\u212b") == ""  # both are unknown
    assert look_alike_note(plain, "café") == ""
