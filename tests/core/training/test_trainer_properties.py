"""The fast trainer against the textbook, and time travel against itself, on hostile corpora."""

from __future__ import annotations

from random import Random
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_tui.core.corpus.types import WordCounts
from bpe_tui.core.errors import Cancelled
from bpe_tui.core.options import TIE_RULES, Options
from bpe_tui.core.teaching.reference import count_pairs
from bpe_tui.core.training import merging, ranking
from bpe_tui.core.training.trainer import Trainer
from tests.core.corpora import dialects, is_short, learned_fast, learned_slowly, snapshot, symbols_by_token, tables


@given(tables, dialects)
def test_the_log_is_the_textbooks(words: WordCounts, options: Options) -> None:
    trainer = Trainer(words, options)
    slow, split = learned_slowly(words, options, trainer.texts[:], 1000)
    trainer.run()
    assert learned_fast(trainer) == slow
    rows = [trainer.word(index) for index in range(trainer.word_count)]
    assert [[trainer.texts[token] for token in row.tokens] for row in rows] == split


@given(tables, dialects, st.integers(0, 12))
def test_the_pair_table_is_a_recount_at_any_moment(words: WordCounts, options: Options, merges: int) -> None:
    trainer = Trainer(words, options)
    trainer.goto(merges)
    _, split = learned_slowly(words, options, trainer.texts[: trainer.base_size], merges)
    symbols = symbols_by_token(words, options, split)
    counted = {
        pair: count for pair, count in count_pairs(split, words.counts).items() if is_short(pair, symbols, options)
    }
    rows = trainer.pairs(0, 10_000)
    # Two pairs of ids can have one pair of texts only where an ending is a letter too; then the counts add up.
    shown: dict[tuple[str, str], int] = {}
    for row in rows:
        shown[row.left, row.right] = shown.get((row.left, row.right), 0) + row.count
    assert shown == counted
    assert trainer.pair_count == len(rows)
    assert [row.count for row in rows] == sorted((row.count for row in rows), reverse=True)
    assert trainer.total_tokens == sum(len(word) * count for word, count in zip(split, words.counts, strict=True))


@given(tables, dialects, st.integers(0, 12))
def test_merging_with_arrays_gives_what_merging_one_position_at_a_time_gives(
    words: WordCounts, options: Options, back: int
) -> None:
    def states(limit: int) -> list[object]:
        with patch.object(merging, "SCALAR_LIMIT", limit):
            trainer = Trainer(words, options)
            trainer.goto(12)
            reached = [snapshot(trainer), learned_fast(trainer)]
            trainer.goto(back)
            reached.append(snapshot(trainer))
            trainer.run()
            return [*reached, snapshot(trainer), learned_fast(trainer)]

    assert states(0) == states(merging.SCALAR_LIMIT)


@given(tables, dialects, st.sampled_from(TIE_RULES))
def test_a_ranking_sorted_by_columns_is_that_sorted_by_key(words: WordCounts, options: Options, rule: str) -> None:
    trainer = Trainer(words, options.replace(ties=rule))
    trainer.goto(4)
    by_key = trainer.pairs()
    trainer.undo()
    trainer.redo()
    with patch.object(ranking, "SORTED_BY_KEY", 0):
        assert trainer.pairs() == by_key


@given(tables, dialects)
def test_undo_and_redo_reach_every_state_again(words: WordCounts, options: Options) -> None:
    trainer = Trainer(words, options)
    states = [snapshot(trainer)]
    while trainer.position < 12 and trainer.step() is not None:
        states.append(snapshot(trainer))
    for state in reversed(states[:-1]):
        trainer.undo()
        assert snapshot(trainer) == state
    assert trainer.undo() is None
    for state in states[1:]:
        trainer.redo()
        assert snapshot(trainer) == state


@given(tables, dialects, st.lists(st.sampled_from("nubsScgt") | st.integers(0, 9), max_size=30), st.randoms())
def test_any_walk_leads_back_to_the_first_state(
    words: WordCounts, options: Options, walk: list[str | int], random: Random
) -> None:
    trainer = Trainer(words, options)
    first = snapshot(trainer)
    for move in walk:
        _move(trainer, move, random)
    trainer.goto(0)
    trainer.set_ties(options.ties)
    assert snapshot(trainer) == first
    trainer.run()
    assert learned_fast(trainer) == learned_slowly(words, options, trainer.texts[: trainer.base_size], 1000)[0]


def _move(trainer: Trainer, move: str | int, random: Random) -> None:
    if isinstance(move, int):
        trainer.goto(move)
    elif move == "n":
        trainer.step()
    elif move in "ub":
        trainer.undo()
    elif move == "s":
        trainer.step_phase()
    elif move == "S":
        trainer.step_phase_back()
    elif move == "t":
        trainer.set_ties(random.choice(TIE_RULES))
    elif rows := trainer.pairs(0, 100):
        row = random.choice(rows)
        step = trainer.choose(row.left_id, row.right_id)
        assert (step.merge.left_id, step.merge.right_id) == (row.left_id, row.right_id)
        assert step.own_choice is not row.wins


@pytest.mark.parametrize("alphabet", ["characters", "seen-bytes"])
def test_building_can_be_stopped_at_any_of_its_steps(alphabet: str) -> None:
    words = WordCounts([f"w{number}" for number in range(250_000)], [1] * 250_000)
    polls = 0

    def counted() -> bool:
        nonlocal polls
        polls += 1
        return False

    Trainer(words, Options(alphabet=alphabet), should_stop=counted)
    assert polls >= 15
    for last in range(1, polls + 1, 4):
        answers = iter([False] * (last - 1) + [True])
        with pytest.raises(Cancelled):
            Trainer(words, Options(alphabet=alphabet), should_stop=answers.__next__)
