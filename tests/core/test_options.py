"""The presets as the documents state them, and the checks on options."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

from bpe_tui.core.errors import OptionError
from bpe_tui.core.options import PRESETS, Options, make_options

TABLE: dict[str, dict[str, Any]] = {
    "toy": {"pre_tokenizer": "spaces", "alphabet": "characters", "ties": "first-seen", "merges": 3},
    "course": {
        "documents": "lines",
        "pre_tokenizer": "gpt2",
        "alphabet": "seen-bytes",
        "ties": "first-seen",
        "specials": ("<|endoftext|>",),
        "specials_in_corpus": "cut",
        "vocab_size": 50,
    },
    "huggingface": {
        "documents": "lines-keepends",
        "pre_tokenizer": "gpt2",
        "alphabet": "all-bytes",
        "ties": "lowest-id",
        "specials": ("<|endoftext|>",),
        "specials_in_corpus": "text",
        "vocab_size": 1000,
    },
    "minbpe": {
        "documents": "files",
        "pre_tokenizer": "cl100k",
        "alphabet": "all-bytes",
        "raw_byte_ids": True,
        "ties": "first-seen",
        "vocab_size": 512,
    },
    "paper": {
        "pre_tokenizer": "spaces",
        "alphabet": "characters",
        "ties": "first-seen",
        "end_of_word": "</w>",
        "end_of_word_style": "symbol",
        "merges": 10,
    },
    "subword-nmt": {
        "documents": "lines",
        "pre_tokenizer": "spaces",
        "alphabet": "characters",
        "ties": "greatest-pair",
        "end_of_word": "</w>",
        "end_of_word_style": "suffix",
        "min_frequency": 2,
        "merges": 1000,
    },
}


@pytest.mark.parametrize("name", TABLE)
def test_a_preset_is_what_the_documents_say(name: str) -> None:
    options = make_options(name)
    assert options.preset == name
    said = {"merges": None, "vocab_size": None, "specials": (), "min_frequency": 1, "raw_byte_ids": False}
    for option, value in {**said, **TABLE[name]}.items():
        assert getattr(options, option) == value, option


def test_there_are_no_other_presets() -> None:
    assert list(PRESETS) == list(TABLE)


def test_an_override_changes_that_part_only() -> None:
    changed = make_options("course", ties="lowest-id", alphabet=None)
    assert changed == dataclasses.replace(PRESETS["course"], ties="lowest-id")


def test_of_the_two_targets_the_one_given_counts() -> None:
    assert make_options("toy", vocab_size=9).merges is None
    assert make_options("course", merges=9).vocab_size is None
    assert make_options("toy", merges=0).merges == 0


def test_a_pattern_is_a_pre_tokenizer() -> None:
    own = make_options("course", pattern=r"\w+")
    assert (own.pre_tokenizer, own.pattern) == ("pattern", r"\w+")
    named = own.replace(pre_tokenizer="gpt2")
    assert (named.pre_tokenizer, named.pattern) == ("gpt2", None)


def test_byte_values_are_ids_only_while_all_bytes_have_one() -> None:
    assert not make_options("minbpe", alphabet="seen-bytes").raw_byte_ids
    assert make_options("minbpe", ties="lowest-id").raw_byte_ids


@pytest.mark.parametrize(
    ("preset", "overrides", "complaint"),
    [
        ("nope", {}, "there is no preset 'nope'; choose one of toy, course, huggingface, minbpe, paper, subword-nmt"),
        (
            "toy",
            {"ties": "random"},
            "--ties 'random' is not one of first-seen, lowest-id, greatest-pair, shortest-first",
        ),
        ("toy", {"documents": "words"}, "--documents 'words' is not one of lines, lines-keepends, files"),
        ("toy", {"alphabet": "bytes"}, "--alphabet 'bytes' is not one of characters, seen-bytes, all-bytes"),
        ("toy", {"end_of_word_style": "x"}, "--end-of-word-style 'x' is not one of suffix, symbol"),
        ("toy", {"specials_in_corpus": "x"}, "--specials-in-corpus 'x' is not one of cut, text"),
        ("toy", {"nope": 1}, "there is no option --nope"),
        ("toy", {"min_frequency": 0}, "--min-frequency 0 must be 1 or more"),
        ("toy", {"merges": -1}, "--merges -1 must be 0 or more"),
        ("toy", {"vocab_size": -1}, "--vocab-size -1 must be 0 or more"),
        (
            "toy",
            {"vocab_size": 1, "merges": 1},
            "--vocab-size and --merges are two ways to say the same thing; give one of them",
        ),
        (
            "toy",
            {"pattern": "x", "pre_tokenizer": "gpt2"},
            "--pattern is a pre-tokenizer of its own; give it without --pre-tokenizer",
        ),
        (
            "toy",
            {"pre_tokenizer": "pattern"},
            "the pre-tokenizer 'pattern' needs a regular expression; give one with --pattern",
        ),
        ("toy", {"specials": ("",)}, "--special needs a text that is not empty"),
        ("toy", {"specials": ("<s>", "<s>")}, "--special names the same token twice"),
    ],
)
def test_what_is_refused(preset: str, overrides: dict[str, Any], complaint: str) -> None:
    with pytest.raises(OptionError) as caught:
        make_options(preset, **overrides)
    assert str(caught.value) == complaint


def test_an_unknown_pre_tokenizer_is_refused_with_the_names() -> None:
    with pytest.raises(OptionError, match=r"^--pre-tokenizer 'gpt5' is not one of gpt2, cl100k, o200k, "):
        make_options("toy", pre_tokenizer="gpt5")


def test_every_choice_goes_into_json() -> None:
    choices = make_options("course", specials=["a", "b"]).as_dict()
    assert set(choices) == {field.name for field in dataclasses.fields(Options)} - {"preset"}
    assert json.loads(json.dumps(choices)) == choices
    assert choices["specials"] == ["a", "b"]


@pytest.mark.parametrize(
    ("preset", "choices", "sentence"),
    [
        ("toy", {"max_token_length": 0}, "--max-token-length 0 must be 1 or more"),
        ("toy", {"limit_alphabet": 0}, "--limit-alphabet 0 must be 1 or more"),
        ("toy", {"limit_alphabet": 2, "initial_alphabet": "abc"}, "2 must be 3 or more, because --initial-alphabet"),
        ("course", {"limit_alphabet": 9}, "--limit-alphabet is for --alphabet characters"),
        ("subword-nmt", {"limit_alphabet": 9}, "--limit-alphabet and --end-of-word cannot be combined"),
    ],
)
def test_limits_that_make_no_sense(preset: str, choices: dict[str, Any], sentence: str) -> None:
    with pytest.raises(OptionError, match=sentence):
        make_options(preset, **choices)
