"""Merge lists and vocabularies against the tools themselves, on hostile little texts and on the bundled ones."""

from __future__ import annotations

import io
import json
from collections import Counter
from itertools import pairwise
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from subword_nmt import learn_bpe
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from bpe_tui.core.corpus.alphabet import alphabet_text, bytes_to_chars
from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.corpus.pretokenize import make_pre_tokenizer
from bpe_tui.core.corpus.sources import find_corpus, text_corpus
from bpe_tui.core.encoding.encoder import Encoder
from bpe_tui.core.options import Options, make_options
from bpe_tui.core.training.trainer import Trainer

# Long runs, repeats, and parts that come together in several ways.
parts = st.sampled_from(["a", "b", "ab", "ba", "aab", "abab", "aaaa", "aaaaa", "bbb", "abcabc", "c", "é", "日本"])
words = st.lists(parts, min_size=1, max_size=8).map("".join)
spaces = st.sampled_from([" ", " ", " ", "  ", "\n", "\n\n"])
texts = st.lists(words | spaces, max_size=30).map("".join) | st.text("ab \n", max_size=60)
bundled = pytest.mark.parametrize("name", ["course-en", "course-ru", "unicode", "code", "story"])

CHARACTERS = {"pre_tokenizer": "spaces", "alphabet": "characters"}
SEEN = {"alphabet": "seen-bytes"}
ALL = {"alphabet": "all-bytes"}


def bundled_text(name: str) -> str:
    (source,) = find_corpus([name]).sources
    with source.open() as stream:
        return stream.read().decode()


def trained(text: str, options: Options) -> Trainer:
    trainer = Trainer(count_words(text_corpus(text), options), options)
    trainer.run()
    return trainer


def merges_of(trainer: Trainer) -> list[tuple[str, str]]:
    return [(step.merge.left, step.merge.right) for step in trainer.steps]


# -- tokenizers -----------------------------------------------------------------------------------------------------


def by_tokenizers(text: str, options: Options) -> Tokenizer:
    """What the package learns from the same text."""
    tokenizer = Tokenizer(models.BPE())
    byte_level = options.alphabet != "characters"
    tokenizer.pre_tokenizer = (
        pre_tokenizers.ByteLevel(add_prefix_space=False) if byte_level else pre_tokenizers.Split(" ", "removed")
    )
    names = ("max_token_length", "limit_alphabet")
    limits = {name: value for name in names if (value := getattr(options, name)) is not None}
    initial = alphabet_text(options.initial_alphabet, options)
    trainer = trainers.BpeTrainer(
        vocab_size=options.vocab_size or 0,
        min_frequency=options.min_frequency,
        special_tokens=list(options.specials),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet() if options.alphabet == "all-bytes" else [*initial],
        show_progress=False,
        **limits,
    )
    tokenizer.train_from_iterator(text.splitlines(keepends=True), trainer)
    return tokenizer


def agrees_with_tokenizers(text: str, choices: dict[str, Any], **more: Any) -> None:
    options = make_options("huggingface", **choices, **more)
    trainer, tokenizer = trained(text, options), by_tokenizers(text, options)
    learned = json.loads(tokenizer.to_str())["model"]["merges"]
    assert merges_of(trainer) == [tuple(merge) for merge in learned]
    assert trainer.vocabulary().ids == tokenizer.get_vocab()
    if options.alphabet != "all-bytes":
        return
    encoder = Encoder(trainer)
    for line in text.split("\n"):
        assert encoder.encode_ids(line) == tokenizer.encode(line).ids


@pytest.mark.parametrize("choices", [ALL, SEEN, CHARACTERS], ids=["all bytes", "seen bytes", "characters"])
@given(text=texts, room=st.integers(0, 40), least=st.sampled_from([1, 1, 2, 3]))
def test_tokenizers_learns_the_same(choices: dict[str, Any], text: str, room: int, least: int) -> None:
    base = 257 if choices is ALL else 4
    agrees_with_tokenizers(text, choices, vocab_size=base + room, min_frequency=least)


@bundled
@pytest.mark.parametrize("choices", [ALL, SEEN, CHARACTERS], ids=["all bytes", "seen bytes", "characters"])
def test_tokenizers_learns_the_same_from_a_corpus(name: str, choices: dict[str, Any]) -> None:
    agrees_with_tokenizers(bundled_text(name), choices, vocab_size=1500)
    agrees_with_tokenizers(bundled_text(name), choices, vocab_size=1500, min_frequency=3)


@pytest.mark.parametrize("choices", [ALL, SEEN, CHARACTERS], ids=["all bytes", "seen bytes", "characters"])
@given(text=texts, longest=st.integers(1, 9), initial=st.sampled_from(["", "", "é", "xyz", "ab"]))
def test_tokenizers_learns_the_same_with_short_tokens(
    choices: dict[str, Any], text: str, longest: int, initial: str
) -> None:
    agrees_with_tokenizers(text, choices, vocab_size=300, max_token_length=longest, initial_alphabet=initial)


@given(text=texts, limit=st.integers(2, 7), initial=st.sampled_from(["", "", "a", "xy"]), longest=st.integers(3, 9))
def test_tokenizers_learns_the_same_from_a_small_alphabet(text: str, limit: int, initial: str, longest: int) -> None:
    counts = Counter(character for character in text if character != " " and character not in initial)
    ranked = sorted(counts.values(), reverse=True)
    kept = limit - len(initial)
    assume(not (0 < kept < len(ranked)) or ranked[kept - 1] != ranked[kept])  # of equals tokenizers keeps any
    assume(kept or not counts)
    agrees_with_tokenizers(
        text, CHARACTERS, vocab_size=300, limit_alphabet=limit, initial_alphabet=initial, max_token_length=longest
    )


@bundled
def test_tokenizers_learns_the_same_from_a_corpus_under_limits(name: str) -> None:
    text = bundled_text(name)
    agrees_with_tokenizers(text, ALL, vocab_size=1500, max_token_length=5)
    agrees_with_tokenizers(text, SEEN, vocab_size=1500, max_token_length=16, initial_alphabet="é–")


# -- subword-nmt ----------------------------------------------------------------------------------------------------


def by_subword_nmt(text: str, merges: int, least: int) -> list[tuple[str, str]]:
    """The merges that the package prints."""
    printed = io.StringIO()
    with patch.object(learn_bpe, "tqdm", list):
        learn_bpe.learn_bpe(io.StringIO(text, newline="\n"), printed, merges, min_frequency=least)
    pairs = [tuple(line.split(" ")) for line in printed.getvalue().splitlines()[1:]]
    return [(left, right) for left, right in pairs]


@given(texts, st.integers(1, 60), st.sampled_from([1, 2, 2, 3]))
def test_subword_nmt_learns_the_same(text: str, merges: int, least: int) -> None:
    trainer = trained(text, make_options("subword-nmt", merges=merges, min_frequency=least))
    if all(len(word) < 2 for word in text.split()):
        assert trainer.steps[:] == []  # subword-nmt has no answer where there is no pair
    else:
        assert merges_of(trainer) == by_subword_nmt(text, merges, least)


@bundled
def test_subword_nmt_learns_the_same_from_a_corpus(name: str) -> None:
    # To subword-nmt white space of any kind ends a symbol; to the words, here and there, only a space does.
    text = " ".join(bundled_text(name).split())
    assert merges_of(trained(text, make_options("subword-nmt"))) == by_subword_nmt(text, 1000, 2)


# -- minbpe, and tiktoken's educational module ------------------------------------------------------------------------


def by_counting_anew(chunks: list[list[int]], merges: int) -> list[tuple[int, int]]:
    """The loop of both: all pairs are counted again for each merge, and of the most frequent the first one is taken."""
    learned: list[tuple[int, int]] = []
    for made in range(256, 256 + merges):
        counts: dict[tuple[int, int], int] = {}
        for chunk in chunks:
            for pair in pairwise(chunk):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        best = max(counts, key=lambda pair: counts[pair])
        learned.append(best)
        for chunk in chunks:
            place = 0
            while place + 1 < len(chunk):
                if (chunk[place], chunk[place + 1]) == best:
                    chunk[place : place + 2] = [made]
                place += 1
    return learned


@pytest.mark.parametrize("name", ["cl100k", "gpt2", "none"])
@given(text=texts, merges=st.integers(1, 40))
def test_minbpe_learns_the_same(name: str, text: str, merges: int) -> None:
    options = make_options("minbpe", pre_tokenizer=name, vocab_size=256 + merges)
    trainer = trained(text, options)
    chunks = [list(word.encode()) for word in make_pre_tokenizer(options).split(text)]
    learned = by_counting_anew(chunks, merges)
    # minbpe gives an id to every merge, also where the text of the token is there already.
    made = [bytes_to_chars(bytes([byte])) for byte in range(256)]
    for left, right in learned:
        made.append(made[left] + made[right])
    expected = [(made[left], made[right]) for left, right in learned]
    if len(set(made)) == len(made):
        assert merges_of(trainer) == expected
        assert [(step.merge.left_id, step.merge.right_id) for step in trainer.steps] == learned
