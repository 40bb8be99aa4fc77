"""tokenizer.json: what is malformed or can't be followed is refused in one sentence that names it."""

import json
from pathlib import Path
from typing import Any

import pytest
from tokenizers import AddedToken, Tokenizer

from bpe_tui.core.errors import TokenizerFileError
from bpe_tui.formats.registry import read_tokenizer

ADDED = {
    "id": 3,
    "content": "<s>",
    "single_word": False,
    "lstrip": False,
    "rstrip": False,
    "normalized": False,
    "special": True,
}


PAIR: dict[str, Any] = {"type": "BertProcessing", "cls": ["a", 0], "sep": ["b", 1]}
AROUND: dict[str, Any] = {
    "type": "TemplateProcessing",
    "single": [{"SpecialToken": {"id": "x", "type_id": 0}}] * 101 + [{"Sequence": {"id": "A", "type_id": 0}}],
    "pair": [],
    "special_tokens": {"x": {"id": "x", "ids": [0] * 100, "tokens": ["a"] * 100}},
}


def plain_file() -> dict[str, Any]:
    """The smallest file that is whole, as a value to spoil."""
    return {
        "added_tokens": [],
        "pre_tokenizer": {"type": "Whitespace"},
        "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": ["a b"]},
    }


def refusal(tmp_path: Path, content: str | bytes | dict[str, Any]) -> str:
    """The sentence with which a file of that content is refused, without the file's name."""
    path = tmp_path / "bad.json"
    if isinstance(content, dict):
        content = json.dumps(content)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(TokenizerFileError) as caught:
        read_tokenizer(str(path))
    sentence = str(caught.value)
    assert sentence.startswith(f"{path}: ")
    assert "\n" not in sentence
    return sentence.removeprefix(f"{path}: ")


def test_the_plain_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "good.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(plain_file()).encode())
    model = read_tokenizer(str(path))
    assert [token.text for token in model.encoder().encode("abXa", unknown=model.unknown)] == ["ab", "a"]
    assert model.unknown == "drop"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"\xff\xfe{}", "byte 1 is not UTF-8 text"),
        ("", "not even JSON"),
        ('{"model":\n  }', "line 2"),
        ("[]", "no model"),
        ('{"hug": 10}', "no model"),
        ('{"a": 1, "a": 2}', '"a" occurs twice'),
        ("[" * 100_000, "nested too deep"),
        ('{"model": {"type": "BPE", "vocab": {"a": ' + "9" * 5000 + '}, "merges": []}}', ""),
    ],
)
def test_what_is_no_tokenizer_at_all(tmp_path: Path, content: str | bytes, says: str) -> None:
    assert says in refusal(tmp_path, content)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"type": "WordPiece"}, "WordPiece"),
        ({"type": "Unigram"}, "Unigram"),
        ({"type": None, "merges": None}, "merges"),
        ({"vocab": ["a"]}, "no vocab"),
        ({"vocab": {"a": 0, "b": 0, "ab": 2}}, '"a" and "b" have the same id 0'),
        ({"vocab": {"a": 0, "b": 1.5, "ab": 2}}, '"b" is 1.5'),
        ({"vocab": {"a": 0, "b": True, "ab": 2}}, '"b" is true'),
        ({"vocab": {"a": 0, "b": -1, "ab": 2}}, '"b" is -1'),
        ({"vocab": {"a": 0, "b": "1", "ab": 2}}, '"b" is "1"'),
        ({"vocab": {"a": 0, "b": 1, "ab": 2, "\ud800": 3}}, "'\\ud800' holds a lone surrogate"),
        ({"vocab": {"a": 0, "b": 1}}, 'merge 1, "a" + "b": "ab" is not in the vocab'),
        ({"vocab": {"a": 0, "ab": 2}}, '"b" is not in the vocab'),
        ({"merges": ["a b", "a  b"]}, 'merge 2 is "a  b"'),
        ({"merges": ["ab"]}, 'merge 1 is "ab"'),
        ({"merges": [["a", "b", "c"]]}, 'merge 1 is ["a", "b", "c"]'),
        ({"merges": [["a", 1]]}, 'merge 1 is ["a", 1]'),
        ({"merges": {"a": "b"}}, "no list of merges"),
        ({"continuing_subword_prefix": "##"}, "right part does not begin with the continuing_subword_prefix"),
        ({"byte_fallback": True}, "byte_fallback"),
        ({"unk_token": 5}, "unk_token is 5"),
        ({"unk_token": "a"}, 'merge 1 merges the unknown token "a"'),
        ({"ignore_merges": 1}, "ignore_merges is 1 instead of true or false"),
        ({"dropout": 2}, "dropout is 2, which is not between 0 and 1"),
        ({"dropout": "x"}, 'dropout is "x" instead of a number'),
        ({"vocab": {"a": 0, "b": 1, "ab": -0.0}}, '"ab" is -0.0'),
        ({"vocab": {"a": 0, "b": 1, "ab": 2**32}}, '"ab" is 4294967296'),
        ({"merges": ["a b", ["b", "a"]]}, "merge 2"),
        ({"merges": ["#version b"]}, "merge 1 begins with #version"),
        ({"fuse_unk_": True}, '"fuse_unk_", which is not known'),
    ],
)
def test_a_model_that_contradicts_itself_or_is_not_followed(tmp_path: Path, change: dict[str, Any], says: str) -> None:
    file = plain_file()
    file["model"] |= change
    assert says in refusal(tmp_path, file)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"truncation": {"max_length": 5}}, "truncation"),
        ({"padding": {"strategy": "BatchLongest"}}, "padding"),
        ({"foo": 1}, '"foo", which is not known'),
        ({"version": "2.0"}, 'its version is "2.0"'),
        ({"post_processor": {"type": "TemplateProcessing"}}, "TemplateProcessing has no single"),
        ({"post_processor": {"type": "Other"}}, "the post-processor Other is not supported"),
        (
            {"post_processor": {"type": "BertProcessing", "cls": ["a", 1], "sep": ["a", 0]}},
            'BertProcessing has ["a", 1]',
        ),
        ({"post_processor": AROUND}, "more than 10,000 tokens around every text"),
        ({"post_processor": {"type": "Sequence", "processors": [PAIR] * 5_001}}, "more than 10,000 tokens around"),
        ({"pre_tokenizer": {"type": "Other"}}, "pre-tokenizer Other"),
        ({"pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": True}}, "ByteLevel has no trim_offsets"),
        ({"pre_tokenizer": {"type": "Metaspace", "prepend_scheme": "never"}}, "Metaspace has no replacement"),
        (
            {"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "x"}, "behavior": "Isolated"}},
            "Split has no invert",
        ),
        (
            {"pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "Digits"}, {"type": "Whitespace"}]}},
            "Digits has no individual_digits",
        ),
        ({"pre_tokenizer": {"type": "Whitespace", "foo": 1}}, 'Whitespace has "foo", which is not known'),
        ({"pre_tokenizer": {"type": "Sequence"}}, "Sequence"),
        ({"pre_tokenizer": "Whitespace"}, '"Whitespace" has no type'),
        ({"decoder": {"type": "Strip", "content": "xx", "start": 1, "stop": 0}}, 'decoder Strip has content "xx"'),
        ({"added_tokens": {}}, "no list"),
        ({"added_tokens": ["x"]}, '"x" has no content'),
        ({"added_tokens": [{"content": "<s>", "id": 0, "special": True}]}, 'id 0, as "a" has'),
        ({"added_tokens": [{"content": "a", "id": 7, "special": True}]}, "id 7, but 0 in the vocab"),
        ({"added_tokens": [{"content": "<s>", "id": 3, "special": True}]}, '"<s>" has no single_word'),
        ({"added_tokens": [ADDED | {"lstrip": 1}]}, '"<s>" has lstrip 1'),
        ({"added_tokens": [ADDED | {"id": 7}]}, "has id 7, but tokenizers would give it 3"),
        ({"added_tokens": [ADDED | {"foo": 7}]}, '"foo", which is not known'),
        ({"added_tokens": [ADDED] * 2}, '"<s>" is there twice'),
    ],
)
def test_a_component_that_is_not_followed_is_named(tmp_path: Path, change: dict[str, Any], says: str) -> None:
    assert says in refusal(tmp_path, plain_file() | change)


def test_json_that_other_parsers_do_not_accept(tmp_path: Path) -> None:
    whole = json.dumps(plain_file())
    for spoiled, says in [
        (whole.replace('"a": 0', '"a": -0'), '"a" is -0.0'),
        (whole.replace('"a": 0', '"a": NaN'), "holds NaN"),
        (whole.replace('"Whitespace"', '"\\ud800"'), "lone surrogate"),
        (whole.replace('"BPE"', '"BPE", "\\udc00x": 1'), "lone surrogate"),
        (whole.replace('"Whitespace"', f'"{"a" * 999}\\ud800{"b" * 999}"'), f"'{'a' * 20}\\ud800{'b' * 20}' holds"),
        (whole + "x", "extra data"),
    ]:
        with pytest.raises(Exception):  # noqa: B017, PT011 - the package raises nothing else
            Tokenizer.from_str(spoiled)
        assert says in refusal(tmp_path, spoiled)


def test_the_same_merge_twice_counts_where_it_stands_last(tmp_path: Path) -> None:
    path = tmp_path / "twice.json"
    file = plain_file()
    file["model"]["vocab"] = {"a": 0, "b": 1, "ab": 2, "aa": 3}
    file["model"]["merges"] = ["a b", "a a", "a b"]
    path.write_text(json.dumps(file), encoding="utf-8")
    model = read_tokenizer(str(path))
    assert model.warnings == (f"{path}: merge 3 is merge 1 again; the last one counts",)
    assert [token.text for token in model.encoder().encode("aab")] == Tokenizer.from_file(str(path)).encode(
        "aab"
    ).tokens


def test_dropout_is_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "dropout.json"
    file = plain_file()
    file["model"]["dropout"] = 0.1
    path.write_text(json.dumps(file), encoding="utf-8")
    assert "dropout 0.1" in read_tokenizer(str(path)).warnings[0]


def test_an_added_token_beside_the_vocab_is_taken_in(tmp_path: Path) -> None:
    path = tmp_path / "added.json"
    theirs = Tokenizer.from_str(json.dumps(plain_file() | {"version": "1.0"}))
    theirs.add_special_tokens([AddedToken("<s>", special=True)])
    theirs.save(str(path))
    model = read_tokenizer(str(path))
    assert model.vocabulary.ids["<s>"] == 3
    assert [token.id for token in model.encoder().encode("ab<s>a", allow_special=True)] == theirs.encode("ab<s>a").ids
