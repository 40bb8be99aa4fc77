"""Facts of tokenizer.json, one by one, and what is said where the package `tokenizers` is missing."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from bpe_tui.core.encoding.encoder import Encoder
from bpe_tui.core.errors import EncodeError, TokenizerFileError
from bpe_tui.formats.huggingface.read import read as read_json
from bpe_tui.formats.huggingface.write import write as write_json
from bpe_tui.formats.registry import read_tokenizer
from tests.core.encoders import traced

# -- facts, one by one ------------------------------------------------------------------------------------------------


def model_file(vocab: list[str], merges: list[str], **more: Any) -> dict[str, Any]:
    """A file with this vocabulary; fields of the model are told from parts of the file by their names."""
    parts = {"pre_tokenizer", "normalizer", "added_tokens", "post_processor", "decoder"}
    model = {name: value for name, value in more.items() if name not in parts}
    vocab_ids = {token: number for number, token in enumerate(vocab)}
    return {
        "version": "1.0",
        **{name: value for name, value in more.items() if name in parts},
        "model": {"type": "BPE", "vocab": vocab_ids, "merges": merges, **model},
    }


def encoder_of(file: dict[str, Any]) -> tuple[Encoder, str]:
    """The encoder of a file, and its policy for unknown symbols."""
    model = read_json(json.dumps(file))
    return model.encoder(), model.unknown


def shown(file: dict[str, Any], text: str, **how: Any) -> list[str]:
    """The tokens of a text."""
    encoder, unknown = encoder_of(file)
    return [token.text for token in encoder.encode(text, **{"unknown": unknown, **how})]


def test_words_that_no_merge_makes_are_tokens_under_ignore_merges() -> None:
    file = model_file(["a", "b", "c", "ab", "abc"], ["a b"], ignore_merges=True, pre_tokenizer={"type": "Whitespace"})
    assert shown(file, "abc abca") == ["abc", "ab", "c", "a"]
    encoder, _ = encoder_of(file)
    start, rows = traced(encoder, "ab abc")
    assert [token.text for token in start] == ["a", "b", "abc"]  # what no merge makes is there from the start
    assert [[token.text for token in tokens] for _, tokens in rows] == [["ab", "abc"]]
    file["model"]["ignore_merges"] = False
    assert shown(file, "abc") == ["ab", "c"]


def test_a_continuing_prefix_stands_before_all_symbols_but_the_first() -> None:
    file = model_file(["a", "##b", "##c", "ab", "##bc"], ["##b ##c", "a ##b"], continuing_subword_prefix="##")
    assert shown(file, "abc") == ["a", "##bc"]
    assert shown(file, "ab") == ["ab"]


def test_an_unknown_token_that_the_vocab_lacks_is_an_error_where_it_is_met() -> None:
    file = model_file(["a"], [], unk_token="<unk>")
    assert shown(file, "aa") == ["a", "a"]
    with pytest.raises(EncodeError, match="'b' at character 1 is not in the alphabet"):
        shown(file, "ab")
    again = json.loads(write_json(read_json(json.dumps(file)))[0])
    assert again["model"]["unk_token"] == "<unk>"


def test_special_tokens_are_text_unless_allowed_and_others_are_always_found() -> None:
    tokens = []
    for number, (content, special) in enumerate([("<s>", True), ("<x>", False)], start=4):
        flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
        tokens.append({"id": number, "content": content, **flags, "special": special})
    file = model_file(["<", "s", "x", ">"], [], added_tokens=tokens)
    assert shown(file, "<s><x>") == ["<", "s", ">", "<x>"]
    assert shown(file, "<s><x>", allow_special=True) == ["<s>", "<x>"]


def test_a_template_puts_tokens_around_the_text() -> None:
    template = {
        "type": "TemplateProcessing",
        "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
        "pair": [],
        "special_tokens": {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}},
    }
    encoder, _ = encoder_of(model_file(["a", "<s>"], [], post_processor=template))
    assert [(token.text, token.start, token.end) for token in encoder.encode("aa")] == [
        ("<s>", 0, 0),
        ("a", 0, 1),
        ("a", 1, 2),
    ]
    assert encoder.spans("aa") == [("", 0, 0), ("aa", 0, 2)]


def test_places_lead_back_through_the_normalizer() -> None:
    vocab = ["f", "i", "x", "e", "n"]
    normalizer = {
        "type": "Sequence",
        "normalizers": [{"type": "NFKD"}, {"type": "StripAccents"}, {"type": "Lowercase"}],
    }
    encoder, unknown = encoder_of(model_file(vocab, [], normalizer=normalizer, pre_tokenizer={"type": "Whitespace"}))
    text = "ﬁx  É ne\u0301e"
    tokens = [(token.text, text[token.start : token.end]) for token in encoder.encode(text, unknown=unknown)]
    assert tokens == [("f", "ﬁ"), ("i", "ﬁ"), ("x", "x"), ("e", "É"), ("n", "n"), ("e", "e"), ("e", "e")]


# -- without the package ----------------------------------------------------------------------------------------------


def test_without_the_package_the_component_and_the_extra_are_named(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    path = tmp_path / "t.json"
    for part, component, name in [
        ("normalizer", {"type": "NFC"}, "the normalizer NFC"),
        ("pre_tokenizer", {"type": "BertPreTokenizer"}, "the pre-tokenizer BertPreTokenizer"),
        ("decoder", {"type": "CTC", "pad_token": "x", "word_delimiter_token": "|", "cleanup": True}, "the decoder CTC"),
        (
            "pre_tokenizer",
            {"type": "Split", "pattern": {"Regex": r"^a"}, "behavior": "Isolated", "invert": False},
            "the pre-tokenizer Split",
        ),
    ]:
        path.write_text(json.dumps(model_file(["a"], [], **{part: component})), encoding="utf-8")
        with pytest.raises(TokenizerFileError) as caught:
            read_tokenizer(str(path))
        assert str(caught.value) == f"{path}: {name} needs the package tokenizers: pip install '.[hf]'"


def test_what_the_package_refuses_is_refused(tmp_path: Any) -> None:
    path = tmp_path / "t.json"
    for part, component in [
        ("normalizer", {"type": "NFX"}),
        ("normalizer", {"type": "Prepend"}),
        ("pre_tokenizer", {"type": "Nothing"}),
    ]:
        path.write_text(json.dumps(model_file(["a"], [], **{part: component})), encoding="utf-8")
        with pytest.raises(TokenizerFileError, match="is not one that tokenizers accepts"):
            read_tokenizer(str(path))
