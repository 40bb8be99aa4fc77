"""Where other tie rules diverge from a log, all at once; and the path that the rule alone would have taken."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_tui.core.corpus.types import WordCounts
from bpe_tui.core.errors import Cancelled
from bpe_tui.core.options import TIE_RULES, make_options
from bpe_tui.core.teaching.divergence import Divergence, TrainingSnapshot, divergences, rule_path
from bpe_tui.core.training.trainer import Trainer
from tests.core.corpora import snapshot, tables
from tests.core.teaching.test_comparison import divergence, trainer_on


def test_all_rules_at_once() -> None:
    trainer = trainer_on("banana")
    assert divergences(TrainingSnapshot.of(trainer), TIE_RULES) == {
        "first-seen": None,
        "lowest-id": Divergence(4, 15, 2, ("an", "an"), ("an", "a")),
        "greatest-pair": Divergence(1, 30, 2, ("a", "n"), ("n", "a")),
        "shortest-first": Divergence(4, 15, 2, ("an", "an"), ("an", "a")),
    }


def test_the_search_can_be_limited_and_stopped() -> None:
    training = TrainingSnapshot.of(trainer_on("banana"))
    found = divergences(training, TIE_RULES, most=3)
    assert found["lowest-id"] is None
    assert found["greatest-pair"] is not None
    with pytest.raises(Cancelled):
        divergences(training, TIE_RULES, should_stop=lambda: True)


def test_a_snapshot_keeps_what_was_known_when_it_was_made() -> None:
    trainer = trainer_on("hug")
    trainer.goto(2)
    training = TrainingSnapshot.of(trainer)
    trainer.goto(0)
    trainer.choose(*(trainer.texts.index(text) for text in "pu"))
    assert [made.merge.token for made in training.log] == ["ug", "un"]
    assert divergences(training, TIE_RULES) == dict.fromkeys(TIE_RULES)


@given(tables, st.sampled_from(TIE_RULES), st.integers(0, 8))
def test_together_or_one_by_one(words: WordCounts, rule: str, known: int) -> None:
    trainer = Trainer(words, make_options("toy", ties=rule, merges=8))
    trainer.goto(known)
    together = divergences(TrainingSnapshot.of(trainer), TIE_RULES)
    assert together == {other: divergence(trainer, other) for other in TIE_RULES}


@given(tables, st.integers(0, 4), st.integers(0, 30))
def test_the_rules_own_way_is_that_of_a_training_without_the_choice(words: WordCounts, at: int, place: int) -> None:
    options = make_options("toy", merges=8)
    trainer = Trainer(words, options)
    trainer.goto(at)
    if not trainer.pair_count:
        return
    row = trainer.pairs(0, trainer.pair_count)[place % trainer.pair_count]
    first = trainer.position + 1
    trainer.choose(row.left_id, row.right_id)
    trainer.goto(8)
    before = snapshot(trainer)
    totals: list[int] = []
    rule_path(TrainingSnapshot.of(trainer), first, 8, totals.append)
    assert snapshot(trainer) == before
    alone = Trainer(words, options)
    expected = [alone.total_tokens]
    while alone.position < 8 and alone.step() is not None:
        expected.append(alone.total_tokens)
    assert totals == expected


def test_the_rules_own_way_can_be_stopped() -> None:
    with pytest.raises(Cancelled):
        rule_path(TrainingSnapshot.of(trainer_on("hug")), 1, 3, lambda tokens: None, lambda: True)
