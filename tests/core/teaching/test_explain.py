"""The sentences, word for word: each must make sense when it is read aloud."""

from __future__ import annotations

from typing import Any

import pytest

from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.corpus.sources import find_corpus, options_for
from bpe_tui.core.corpus.types import WordCounts
from bpe_tui.core.options import make_options
from bpe_tui.core.readable import CHARACTERS
from bpe_tui.core.teaching.explain import (
    counted_sentence,
    next_sentence,
    picked_sentence,
    step_sentence,
    stop_sentence,
    times,
)
from bpe_tui.core.training.trainer import Trainer


def on(name: str, **overrides: Any) -> Trainer:
    corpus = find_corpus([name])
    options = options_for(corpus, **overrides)
    return Trainer(count_words(corpus, options), options)


def of(words: dict[str, int], **overrides: Any) -> Trainer:
    return Trainer(WordCounts(list(words), list(words.values())), make_options("toy", **overrides))


def choose(trainer: Trainer, left: str, right: str) -> None:
    (row,) = [row for row in trainer.pairs(0, 100) if (row.left, row.right) == (left, right)]
    trainer.choose(row.left_id, row.right_id)


def test_phase_by_phase() -> None:
    trainer = on("hug")
    said = [next_sentence(trainer, CHARACTERS)]
    for _ in range(2):
        trainer.step_phase()
        said.append(counted_sentence(trainer, CHARACTERS))
        trainer.step_phase()
        said.append(picked_sentence(trainer, CHARACTERS))
        trainer.step_phase()
        said += [step_sentence(trainer, CHARACTERS), next_sentence(trainer, CHARACTERS)]
    assert said == [
        "Next is u + g → ug: 20 times, 3 more than p + u.",
        "Of 6 pairs the most frequent is u + g, which occurs 20 times.",
        "Picked u + g → ug: 20 times, 3 more than p + u.",
        "Merged u + g → ug: 20 replacements in 3 words.",
        "Next is u + n → un: 16 times, one more than h + ug.",
        "Of 6 pairs the most frequent is u + n, which occurs 16 times.",
        "Picked u + n → un: 16 times, one more than h + ug.",
        "Merged u + n → un: 16 replacements in 2 words.",
        "Next is h + ug → hug: 15 times, 3 more than p + un.",
    ]


@pytest.mark.parametrize(
    ("ties", "pair", "why"),
    [
        ("first-seen", "b + a → ba", "it comes first in the corpus"),
        ("lowest-id", "a + d → ad", "its ids are the lowest"),
        ("greatest-pair", "c + d → cd", "it is last in alphabetical order"),
        ("shortest-first", "a + d → ad", "its merged text is the shortest, then first in alphabetical order"),
    ],
)
def test_a_tie_names_the_rule_and_its_reason(ties: str, pair: str, why: str) -> None:
    trainer = of({"ba": 2, "cd": 2, "ad": 2}, ties=ties)
    assert counted_sentence(trainer, CHARACTERS) == "Of 3 pairs the 3 most frequent ones occur twice each: a tie."
    assert (
        picked_sentence(trainer, CHARACTERS)
        == f"Picked {pair}: twice, tied with 2 others; it wins under {ties} because {why}."
    )


def test_a_tie_of_two() -> None:
    trainer = of({"ab": 7, "cd": 7})
    assert next_sentence(trainer, CHARACTERS) == (
        "Next is a + b → ab: 7 times, tied with one other pair; "
        "it wins under first-seen because it comes first in the corpus."
    )


def test_one_pair_and_none() -> None:
    trainer = of({"ab": 1, "c": 9})
    assert counted_sentence(trainer, CHARACTERS) == "Only one pair is left: a + b, which occurs once."
    assert next_sentence(trainer, CHARACTERS) == "Next is a + b → ab: once, the only pair left."
    trainer.step()
    assert step_sentence(trainer, CHARACTERS) == "Merged a + b → ab: 1 replacement in 1 word."
    assert (
        counted_sentence(trainer, CHARACTERS)
        == next_sentence(trainer, CHARACTERS)
        == "No pair is left: every word is one token."
    )
    assert stop_sentence(trainer) == "Done: no pair is left, every word is one token."


@pytest.mark.parametrize(
    "overrides",
    [{"max_token_length": 2}, {"protected": ("u",)}],
    ids=["a limit leaves pairs", "protected words cut words"],
)
def test_the_end_does_not_say_that_every_word_is_one_token_where_it_is_not(overrides: dict[str, Any]) -> None:
    trainer = on("hug", merges=99, **overrides)
    trainer.run()
    assert counted_sentence(trainer, CHARACTERS) == "No pair is left that could be merged."
    assert stop_sentence(trainer) == "Done: no pair is left that could be merged."


def test_a_merge_for_a_seed_token_does_not_come_again_the_first_time() -> None:
    trainer = on("hug", seed_tokens=("ugs",), merges=5)
    trainer.goto(0)
    assert next_sentence(trainer, CHARACTERS) == "Next is u + g → ug, for a seed token: 20 times."
    trainer.step_phase()
    trainer.step_phase()
    assert picked_sentence(trainer, CHARACTERS) == "Picked u + g → ug, for a seed token: 20 times."


def test_no_words() -> None:
    trainer = of({})
    assert stop_sentence(trainer) == "There are no words."
    assert counted_sentence(trainer, CHARACTERS) == "There are no words, so there is nothing to count."


def test_overlaps_tell_both_figures() -> None:
    trainer = of({"aaaab": 1, "aaab": 1})
    trainer.step()
    assert step_sentence(trainer, CHARACTERS) == (
        "Merged a + a → aa: counted 5, replaced 3 in 2 words, because overlapping occurrences can merge only once."
    )


def test_a_token_that_exists_already() -> None:
    trainer = of({"ab": 2}, specials=("ab",))
    trainer.step()
    assert step_sentence(trainer, CHARACTERS) == (
        "Merged a + b → ab: 2 replacements in 1 word; the token ab existed already, so the vocabulary did not grow."
    )


def test_a_choice_of_ones_own_and_the_same_again_after_undoing() -> None:
    trainer = of({"ab": 3, "cd": 1})
    choose(trainer, "c", "d")
    assert step_sentence(trainer, CHARACTERS) == "Merged c + d → cd, your own choice: 1 replacement in 1 word."
    trainer.undo()
    assert next_sentence(trainer, CHARACTERS) == "Next is c + d → cd again, your own choice: once."
    assert picked_sentence(trainer, CHARACTERS) == "Picked c + d → cd again, your own choice: once."
    trainer.step()
    assert step_sentence(trainer, CHARACTERS).startswith("Merged c + d")


def test_a_merge_made_under_another_rule_comes_again_after_undoing() -> None:
    trainer = of({"ab": 2, "cd": 2})
    trainer.step()
    trainer.set_ties("greatest-pair")
    trainer.undo()
    assert next_sentence(trainer, CHARACTERS) == "Next is a + b → ab again, as first-seen had it: twice."
    trainer.step()
    assert step_sentence(trainer, CHARACTERS) == "Merged a + b → ab: 2 replacements in 1 word."


def test_spaces_and_dangerous_characters_are_seen() -> None:
    trainer = of({"a b": 2, "\x1b\n": 1})
    assert next_sentence(trainer, CHARACTERS).startswith("Next is a + ␣ → a␣: twice")
    choose(trainer, "\x1b", "\n")
    assert step_sentence(trainer, CHARACTERS) == "Merged ␛ + ␊ → ␛␊, your own choice: 1 replacement in 1 word."


# -- ends -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("overrides", "said"),
    [
        ({"merges": 3}, "Done: all 3 merges learned."),
        ({"merges": 1}, "Done: the one merge is learned."),
        ({"merges": 0}, "The target is no merge, so training ends where it begins."),
        ({"vocab_size": 9}, "Done: the vocabulary has reached 9 tokens."),
        (
            {"vocab_size": 7},
            "No merge was made: the base vocabulary alone has 7 tokens, and the target is a vocabulary of 7.",
        ),
        ({"merges": 99}, "Done: no pair is left, every word is one token."),
        (
            {"merges": 9, "min_frequency": 16},
            "Done: the best pair left occurs 15 times, below the minimum frequency of 16.",
        ),
    ],
)
def test_every_end_is_told(overrides: dict[str, int], said: str) -> None:
    trainer = on("hug", **overrides)
    trainer.run()
    assert stop_sentence(trainer) == said


def test_the_smallest_base() -> None:
    trainer = of({"a": 1}, vocab_size=0)
    assert stop_sentence(trainer) == (
        "No merge was made: the base vocabulary alone has 1 token, and the target is a vocabulary of 0."
    )


def test_before_the_end_and_past_it_there_is_no_end() -> None:
    trainer = on("hug")
    trainer.goto(2)
    assert stop_sentence(trainer) == ""
    trainer.run()
    trainer.step()
    assert stop_sentence(trainer) == ""
    assert step_sentence(trainer, CHARACTERS) == "Merged p + un → pun: 12 replacements in 1 word."
    assert next_sentence(trainer, CHARACTERS) == (
        "Next is p + ug → pug: 5 times, tied with one other pair; "
        "it wins under first-seen because it comes first in the corpus."
    )


def test_below_the_minimum_frequency_the_counts_say_so() -> None:
    trainer = on("hug", min_frequency=16, merges=9)
    trainer.run()
    trainer.step_phase()
    assert counted_sentence(trainer, CHARACTERS) == (
        "Of 5 pairs the most frequent is h + ug, which occurs 15 times; "
        "that is below the minimum frequency of 16, so none is merged."
    )


@pytest.mark.parametrize(
    ("count", "said"),
    [(1, "once"), (2, "twice"), (3, "3 times"), (12345, "12,345 times"), (2**40, "1,099,511,627,776 times")],
)
def test_times(count: int, said: str) -> None:
    assert times(count) == said
