"""Two trainings side by side, and the questions about ties that a trainer answers in the middle of its work."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.corpus.sources import find_corpus, options_for
from bpe_tui.core.corpus.types import WordCounts
from bpe_tui.core.errors import Cancelled
from bpe_tui.core.options import TIE_RULES, make_options
from bpe_tui.core.teaching.comparison import compare, sample_text
from bpe_tui.core.teaching.divergence import Divergence, TrainingSnapshot, divergences, winners
from bpe_tui.core.training.states import LeadingPair
from bpe_tui.core.training.trainer import Trainer
from tests.core.corpora import learned_slowly, snapshot, tables


def trainer_on(name: str, **overrides: Any) -> Trainer:
    corpus = find_corpus([name])
    options = options_for(corpus, **overrides)
    return Trainer(count_words(corpus, options), options)


def trained_on(name: str, **overrides: Any) -> Trainer:
    trainer = trainer_on(name, **overrides)
    trainer.run()
    return trainer


def divergence(trainer: Trainer, rule: str) -> Divergence | None:
    return divergences(TrainingSnapshot.of(trainer), (rule,))[rule]


def merges_of(trainer: Trainer) -> list[tuple[str, str]]:
    return [(step.merge.left, step.merge.right) for step in trainer.steps]


def test_the_course_differs_from_tokenizers_at_merge_two() -> None:
    first, second = trained_on("course-en"), trained_on("course-en", ties="lowest-id")
    comparison = compare(first, second)
    difference = comparison.first_difference
    assert difference is not None
    assert difference.number == 2
    assert difference.same_state
    pairs = [[(row.left, row.right, row.count) for row in tie.pairs] for tie in difference.ties]
    assert pairs[0] == [("i", "s", 5), ("e", "r", 5), ("Ġ", "a", 5)]
    assert pairs[1] == [("e", "r", 5), ("i", "s", 5), ("Ġ", "a", 5)]
    assert [tie.picked and tie.picked.token for tie in difference.ties] == ["is", "er"]
    assert not comparison.equal
    assert comparison.shared == 44
    assert comparison.only[0] == ("Ġtok", "Ġis", "Ġth", "Ġthe", "Ġab", "Ġtokeni")
    assert len(comparison.only[1]) == 6
    assert sample_text(first, second, comparison).split()[:2] == ["is", "the"]
    assert first.position == second.position == 19


def test_equal_trainings_are_equal() -> None:
    comparison = compare(trained_on("hug"), trained_on("hug", ties="shortest-first"))
    assert comparison.equal
    assert comparison.first_difference is None
    assert comparison.shared == 10
    assert comparison.only == ((), ())


def test_a_target_reached_earlier_is_a_difference_too() -> None:
    comparison = compare(trained_on("hug"), trained_on("hug", merges=5))
    difference = comparison.first_difference
    assert difference is not None
    assert difference.number == 4
    assert difference.ties[0].picked is None
    assert [row.token for row in difference.ties[0].pairs] == ["pun"]
    assert difference.ties[1].picked is not None
    assert comparison.only == ((), ("pun", "pug"))


def test_tokens_are_compared_by_their_bytes_across_alphabets() -> None:
    words = WordCounts([" té", "té"], [5, 3])
    trainers = [
        Trainer(words, make_options("toy", alphabet=alphabet, merges=2)) for alphabet in ("characters", "seen-bytes")
    ]
    for trainer in trainers:
        trainer.run()
    assert [merges_of(trainer) for trainer in trainers] == [[("t", "é"), (" ", "té")], [("t", "Ã"), ("tÃ", "©")]]
    comparison = compare(*trainers)
    assert comparison.first_difference is not None
    assert comparison.first_difference.number == 1
    assert not comparison.first_difference.same_state
    assert comparison.shared == 3  # space, t, té
    assert comparison.only == (("é", " té"), ("©", "Ã", "tÃ"))


def test_a_special_token_is_not_the_text_that_it_looks_like() -> None:
    words = WordCounts(["é"], [2])
    first = Trainer(words, make_options("toy", alphabet="characters", specials=["©"], merges=0))
    second = Trainer(words, make_options("toy", alphabet="seen-bytes", merges=0))
    assert compare(first, second).shared == 0


def test_the_sample_is_of_words_that_tell_the_two_apart_however_rare() -> None:
    words = WordCounts([f"w{number}" for number in range(600)] + ["xyz"], [9] * 600 + [2])
    whole = Trainer(words, make_options("toy", merges=3000))
    whole.run()
    rules = ("first-seen", "greatest-pair")
    first, second = (Trainer(words, make_options("toy", ties=ties, merges=len(whole.steps) - 1)) for ties in rules)
    for trainer in (first, second):
        trainer.run()
    comparison = compare(first, second)
    assert ("xy" in comparison.only[0], "yz" in comparison.only[1]) == (True, True)
    assert sample_text(first, second, comparison) == "xyz"
    assert sample_text(first, first, compare(first, first)) == "w0 w1 w2 w3 w4 w5"


def test_who_would_win_under_each_rule() -> None:
    trainer = trainer_on("banana")
    trainer.goto(3)
    before = snapshot(trainer)
    found = winners(trainer)
    assert list(found) == list(TIE_RULES)
    assert {rule: (pair.left, pair.right, pair.count, pair.tied) for rule, pair in found.items() if pair} == {
        "first-seen": ("an", "an", 15, 2),
        "lowest-id": ("an", "a", 15, 2),
        "greatest-pair": ("an", "an", 15, 2),
        "shortest-first": ("an", "a", 15, 2),
    }
    assert snapshot(trainer) == before
    trainer.goto(0)
    assert {rule: pair.token for rule, pair in winners(trainer).items() if pair} == {
        "first-seen": "an",
        "lowest-id": "an",
        "greatest-pair": "na",
        "shortest-first": "an",
    }
    trainer.goto(10_000)
    assert set(winners(trainer).values()) == {None}


def test_the_first_merge_in_which_another_rule_diverges_from_the_log() -> None:
    trainer = trainer_on("course-en")
    assert divergence(trainer, "lowest-id") == Divergence(2, 5, 3, ("i", "s"), ("e", "r"))
    assert divergence(trainer, "first-seen") is None
    trainer.run()
    assert divergence(trainer, "lowest-id") == Divergence(2, 5, 3, ("i", "s"), ("e", "r"))
    assert divergence(trainer_on("hug"), "lowest-id") is None
    with pytest.raises(Cancelled):
        divergences(TrainingSnapshot.of(trainer), TIE_RULES, should_stop=lambda: True)


def test_a_choice_of_the_learner_is_no_divergence() -> None:
    trainer = trainer_on("hug", merges=2)
    chosen = trainer.pairs(0, 9)[-1]
    trainer.choose(chosen.left_id, chosen.right_id)
    trainer.step()
    assert [step.own_choice for step in trainer.steps] == [True, False]
    assert divergence(trainer, "greatest-pair") is None


@given(tables, st.sampled_from(TIE_RULES), st.sampled_from(TIE_RULES), st.integers(0, 12))
def test_rules_diverge_where_the_logs_of_the_textbook_do(words: WordCounts, rule: str, other: str, known: int) -> None:
    options = [make_options("toy", ties=ties, merges=12) for ties in (rule, other)]
    trainer = Trainer(words, options[0])
    trainer.goto(known)
    before = snapshot(trainer)
    diverges = divergence(trainer, other)
    found = winners(trainer)
    assert snapshot(trainer) == before
    assert found[rule] == (LeadingPair(*_fields(trainer)) if trainer.leader() else None)

    logs = [learned_slowly(words, each, trainer.texts[: trainer.base_size], 12)[0] for each in options]
    differing = [place for place, (a, b) in enumerate(zip(*logs, strict=False)) if a.pair != b.pair]
    assert (diverges.number - 1 if diverges else None) == (differing[0] if differing else None)
    if diverges is not None:
        assert (diverges.ours, diverges.theirs) == (
            logs[0][diverges.number - 1].pair,
            logs[1][diverges.number - 1].pair,
        )
    trainers = [Trainer(words, each) for each in options]
    for each in trainers:
        each.run()
    difference = compare(*trainers).first_difference
    assert (difference.number if difference else None) == (diverges.number if diverges else None)


def _fields(trainer: Trainer) -> tuple[int, int, str, str, str, int, int]:
    leader = trainer.leader()
    assert leader is not None
    return leader.left_id, leader.right_id, leader.left, leader.right, leader.token, leader.count, leader.tied
