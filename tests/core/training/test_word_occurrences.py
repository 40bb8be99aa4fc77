"""The words of a pair, a token or the last merge, against a slow twin that looks through all words."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_tui.core.corpus.types import WordCounts
from bpe_tui.core.options import Options, make_options
from bpe_tui.core.training import trainer as trainer_module
from bpe_tui.core.training import word_occurrences
from bpe_tui.core.training.trainer import Trainer
from bpe_tui.core.training.word_occurrences import WordOccurrences
from tests.core.corpora import dialects, tables

Splits = list[tuple[int, ...]]


def _splits(trainer: Trainer) -> Splits:
    return [trainer.word(index).tokens for index in range(trainer.word_count)]


def _ranked(counts: list[int], occurrences: list[int]) -> list[tuple[int, int, int]]:
    """The words with any occurrence, heaviest first, with what each adds."""
    rows = [(word, often, often * counts[word]) for word, often in enumerate(occurrences) if often]
    return sorted(rows, key=lambda row: -row[2])


def _check(found: WordOccurrences, expected: list[tuple[int, int, int]]) -> None:
    assert len(found) == len(expected)
    assert found.total == sum(added for _, _, added in expected)
    assert found.indices.tolist() == sorted(word for word, _, _ in expected)
    for start, stop in [(0, 2), (1, 3), (0, len(expected) + 5)]:
        assert found.heaviest(start, stop) == expected[start:stop]


@given(tables, dialects, st.lists(st.integers(0, 9), min_size=1, max_size=6))
def test_words_are_those_of_the_slow_twin_at_any_moment(words: WordCounts, options: Options, walk: list[int]) -> None:
    trainer = Trainer(words, options)
    counts = trainer.words.counts
    for merges in walk:
        trainer.goto(merges)
        now = _splits(trainer)
        for row in trainer.pairs(0, 5):
            pair = (row.left_id, row.right_id)
            held = [sum(each == pair for each in pairwise(tokens)) for tokens in now]
            _check(trainer.pair_words(*pair), _ranked(counts, held))
            assert trainer.pair_words(*pair).total == row.count
        for token in range(0, trainer.vocab_size, 3):
            _check(trainer.token_words(token), _ranked(counts, [tokens.count(token) for tokens in now]))
        step = trainer.last_step
        replaced = trainer.words_changed()
        before = [trainer.word_before(index) for index in range(trainer.word_count)]
        if step is None:
            assert len(replaced) == 0
            assert before == now
            continue
        _check(replaced, _ranked(counts, [len(was) - len(tokens) for was, tokens in zip(before, now, strict=True)]))
        assert replaced.total == step.replaced
        clipped = [trainer.word_before(index, 3) for index in range(trainer.word_count)]
        trainer.undo()
        assert before == _splits(trainer)
        assert clipped == [tokens[:3] for tokens in before]
        trainer.redo()


def test_changed_words_show_what_was_joined() -> None:
    trainer = Trainer(WordCounts(["hug", "pug", "aaaa", "bun"], [10, 5, 3, 4]), make_options("toy", merges=9))
    left, right = trainer.ids["u"], trainer.ids["g"]
    trainer.choose(left, right)
    assert trainer.words_changed().heaviest(0, 9) == [(0, 1, 10), (1, 1, 5)]
    assert trainer.word_before(0) == (trainer.ids["h"], left, right)
    assert trainer.word(0).tokens == (trainer.ids["h"], trainer.ids["ug"])
    letter = trainer.ids["a"]
    assert trainer.pair_words(letter, letter).heaviest(0, 9) == [(2, 3, 9)]
    trainer.choose(letter, letter)
    assert trainer.words_changed().heaviest(0, 9) == [(2, 2, 6)]
    assert trainer.word_before(2) == (letter,) * 4


def test_a_pair_that_does_not_occur_is_in_no_word() -> None:
    trainer = Trainer(WordCounts(["ab"], [2]), make_options("toy", merges=9))
    found = trainer.pair_words(trainer.ids["b"], trainer.ids["a"])
    assert (len(found), found.total, found.heaviest(0, 5)) == (0, 0, [])


@pytest.mark.parametrize("near", [0, 100, word_occurrences._NEAR])
def test_every_page_of_many_words_is_that_of_a_full_sort(near: int) -> None:
    random = Random(5)
    words = [f"x{number}" for number in range(3_000)]
    counts = [random.choice([1, 1, 1, 2, 7, random.randrange(1, 99)]) for _ in words]
    trainer = Trainer(WordCounts(words, counts), make_options("toy", merges=9))
    held = trainer.token_words(trainer.ids["x"])
    expected = _ranked(counts, [1] * len(words))
    with patch.object(word_occurrences, "_NEAR", near):
        for start in (0, 40, 20, 700, 2_990, 0):
            assert held.heaviest(start, start + 20) == expected[start : start + 20]


def test_the_last_few_pairs_are_remembered_until_the_next_merge() -> None:
    trainer = Trainer(WordCounts(["abcdefghijklmnop"], [2]), make_options("toy", merges=9))
    rows = trainer.pairs()
    found = [trainer.pair_words(row.left_id, row.right_id) for row in rows]
    last = rows[-1]
    assert trainer.pair_words(last.left_id, last.right_id) is found[-1]
    assert trainer.pair_words(rows[0].left_id, rows[0].right_id) is not found[0]
    assert len(trainer._occurrences[1]) == trainer_module.REMEMBERED
    trainer.step()
    assert trainer.pair_words(last.left_id, last.right_id) is not found[-1]
