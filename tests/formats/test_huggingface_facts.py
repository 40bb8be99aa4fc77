"""Facts of tokenizer.json, one by one, and what is said where the package `tokenizers` is missing."""

from __future__ import annotations

import json
import random
import sys
from typing import Any

import pytest
from tokenizers import Tokenizer

from bpe_tui.core.encoding.encoder import Encoder
from bpe_tui.core.errors import EncodeError, TokenizerFileError
from bpe_tui.formats.huggingface.read import read as read_json
from bpe_tui.formats.huggingface.write import write as write_json
from bpe_tui.formats.registry import read_tokenizer
from tests.core.encoders import traced
from tests.formats import hf_files

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
    assert tokens == [("f", "ﬁ"), ("i", "ﬁ"), ("x", "x"), ("e", "É"), ("n", "n"), ("e", "e\u0301"), ("e", "e")]


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("NFKC", "a\u1107\u1169\u11afb", [("a", 0, 1), ("볼", 1, 4), ("b", 4, 5)]),
        ("NFC", "e\u0301x", [("é", 0, 2), ("x", 2, 3)]),
        ("NFC", "e\u0302\u0323x", [("ệ", 0, 3), ("x", 3, 4)]),
        ("NFC", "e\u0301\u0301x", [("é", 0, 2), ("\u0301", 2, 3), ("x", 3, 4)]),
        ("NFKC", "ｶﾞx", [("ガ", 0, 2), ("x", 2, 3)]),
        ("NFD", "éx", [("e", 0, 1), ("\u0301", 0, 1), ("x", 1, 2)]),
    ],
)
def test_the_place_of_a_composed_character_is_all_that_was_typed_for_it(kind: str, text: str, expected: Any) -> None:
    file = model_file([*"abxeéệ볼ガ", "\u0301"], [], normalizer={"type": kind})
    encoder, _ = encoder_of(file)
    assert [(token.text, token.start, token.end) for token in encoder.encode(text)] == expected
    theirs = Tokenizer.from_str(json.dumps(file)).encode(text)  # the place of the first code point of each
    assert [start for _, start, _ in expected] == [start for start, _ in theirs.offsets]


def test_what_a_normalizer_deletes_belongs_to_no_other_cluster() -> None:
    normalizer = {"type": "Replace", "pattern": {"String": "b"}, "content": ""}
    encoder, _ = encoder_of(model_file([*"acé"], [], normalizer=normalizer))
    assert [(token.text, token.start, token.end) for token in encoder.encode("abcéb")] == [
        ("a", 0, 1),
        ("c", 2, 3),
        ("é", 3, 4),
    ]


def trimming(rng: random.Random, vocab: dict[str, int]) -> dict[str, Any]:
    """A post-processor that may trim offsets, or two of them."""

    def flags() -> dict[str, bool]:
        return {"add_prefix_space": rng.random() < 0.5, "trim_offsets": rng.random() < 0.8}

    around = ["<s>", vocab.get("<s>", 0)]
    made: list[dict[str, Any]] = [{"type": "ByteLevel", "use_regex": True, **flags()}]
    if "<s>" in vocab:
        made.append({"type": "RobertaProcessing", "sep": around, "cls": around, **flags()})
    return {"type": "Sequence", "processors": made} if rng.random() < 0.3 else rng.choice(made)


@pytest.mark.parametrize("part", range(4))
def test_offsets_are_those_of_tokenizers(part: int) -> None:
    compared = 0
    for seed in range(part, 80, 4):
        rng = random.Random(seed)
        file = hf_files.file(rng)
        file["post_processor"] = trimming(rng, file["model"]["vocab"])
        theirs = Tokenizer.from_str(json.dumps(file))
        try:
            model = read_json(json.dumps(file))
        except TokenizerFileError:
            continue
        encoder, dialect = model.encoder(), model.dialect
        for text in [*hf_files.texts(rng, 10), "  two", "two  spaces  ", "   "]:
            if model.unknown in ("drop", "bytes") and any(token.unknown for token in encoder.encode(text)):
                continue  # with symbols dropped, its offsets are not those of the text any more
            tokens, expected = encoder.encode(text, unknown=model.unknown, allow_special=True), theirs.encode(text)
            inside = slice(len(dialect.before), len(tokens) - len(dialect.after))
            for token, (start, end) in zip(tokens[inside], expected.offsets[inside], strict=True):
                if token.start == token.end:  # a space that was put before the text covers nothing of it here
                    assert start == end or start <= token.start <= end
                else:
                    assert (token.start, token.end) == (start, end), (seed, text, token)
                    compared += 1
    assert compared > 1_000


# -- without the package ----------------------------------------------------------------------------------------------


def test_without_the_package_the_component_and_the_extra_are_named(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    path = tmp_path / "t.json"
    for part, component, name in [
        ("normalizer", {"type": "NFC"}, "the normalizer NFC"),
        ("pre_tokenizer", {"type": "UnicodeScripts"}, "the pre-tokenizer UnicodeScripts"),
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
        assert str(caught.value) == (
            f"{path}: {name} needs the package tokenizers; in your clone of bpe-tui: pip install '.[hf]'"
        )


@pytest.mark.parametrize(
    "components",
    [
        {"normalizer": {"type": "Sequence", "normalizers": []}},
        {"normalizer": {"type": "Sequence", "normalizers": [{"type": "Sequence", "normalizers": []}]}},
        {"pre_tokenizer": {"type": "Sequence", "pretokenizers": []}},
        {"decoder": {"type": "Sequence", "decoders": []}},
        {"post_processor": {"type": "Sequence", "processors": []}},
    ],
)
def test_a_sequence_without_members_does_nothing_and_needs_no_package(
    components: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = {
        "version": "1.0",
        **components,
        "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]},
    }
    theirs = Tokenizer.from_str(json.dumps(file))
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    encoder = read_json(json.dumps(file)).encoder()
    assert encoder.encode_ids("abba") == theirs.encode("abba").ids
    assert encoder.decode([2, 1, 0]) == theirs.decode([2, 1, 0])


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
