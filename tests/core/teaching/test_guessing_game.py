"""Your turn: judged by the counts and the tie rule, with score and streak, and never moving the trainer."""

from __future__ import annotations

from bpe_tui.core.corpus.types import WordCounts
from bpe_tui.core.options import make_options
from bpe_tui.core.readable import CHARACTERS
from bpe_tui.core.teaching.guessing_game import MOST_OFFERED, GuessingGame, candidates
from bpe_tui.core.training.trainer import Trainer
from tests.core.corpora import snapshot
from tests.core.teaching.test_comparison import trainer_on


def ids(trainer: Trainer, left: str, right: str) -> tuple[int, int]:
    return trainer.texts.index(left), trainer.texts.index(right)


def test_pairs_are_offered_from_a_to_z_whatever_their_counts() -> None:
    trainer = trainer_on("hug")
    rows = candidates(trainer)
    assert [(row.left, row.right) for row in rows] == [
        ("b", "u"), ("g", "s"), ("h", "u"), ("p", "u"), ("u", "g"), ("u", "n")
    ]  # fmt: skip


def test_of_many_pairs_the_most_frequent_are_offered() -> None:
    trainer = trainer_on("story")
    assert trainer.pair_count > MOST_OFFERED
    rows = candidates(trainer)
    assert len(rows) == MOST_OFFERED
    assert min(row.count for row in rows) >= trainer.pairs(MOST_OFFERED, MOST_OFFERED + 1)[0].count


def test_a_right_guess() -> None:
    trainer = trainer_on("hug")
    turn = GuessingGame(trainer)
    before = snapshot(trainer)
    asking = [turn.is_asking]
    verdict = turn.answer(ids(trainer, "u", "g"))
    assert verdict is not None
    assert (verdict.is_right, verdict.is_winner, verdict.scored) == (True, True, True)
    assert verdict.sentence(CHARACTERS) == "Right: u + g occurs 20 times, 3 more than p + u."
    assert (turn.right, turn.asked, turn.streak) == (1, 1, 1)
    assert turn.score == "1 of 1 right, streak 1"
    asking.append(turn.is_asking)
    assert asking == [True, False]
    assert snapshot(trainer) == before


def test_a_wrong_guess_ends_the_streak() -> None:
    trainer = trainer_on("hug")
    turn = GuessingGame(trainer)
    turn.answer(ids(trainer, "u", "g"))
    trainer.step()
    turn.ask()
    verdict = turn.answer(ids(trainer, "p", "u"))
    assert verdict is not None
    assert not verdict.is_right
    assert verdict.sentence(CHARACTERS) == "Wrong: p + u occurs 12 times, but u + n 16 times."
    assert (turn.score, turn.best_streak) == ("1 of 2 right, streak 0", 1)


def test_any_tied_pair_is_right_and_it_says_which_one_the_rule_takes() -> None:
    trainer = trainer_on("banana")
    turn = GuessingGame(trainer)
    verdict = turn.answer(ids(trainer, "n", "a"))
    assert verdict is not None
    assert (verdict.is_right, verdict.is_winner) == (True, False)
    assert verdict.sentence(CHARACTERS) == (
        "Right, a tie: n + a occurs 30 times, and so does a + n, "
        "which first-seen takes because it comes first in the corpus."
    )
    turn.ask()
    wrong = turn.answer(ids(trainer, "s", "s"))
    assert wrong is not None
    assert wrong.sentence(CHARACTERS) == (
        "Wrong: s + s occurs 12 times, but a + n 30 times, tied with one other pair; "
        "it wins under first-seen because it comes first in the corpus."
    )


def test_a_moment_counts_once_and_an_answer_shown_does_not_count() -> None:
    trainer = trainer_on("hug")
    turn = GuessingGame(trainer)
    shown = turn.answer(None)
    assert shown is not None
    assert shown.sentence(CHARACTERS) == "The rule merges u + g: 20 times, 3 more than p + u."
    turn.ask()
    again = turn.answer(ids(trainer, "u", "g"))
    assert again is not None
    assert (again.is_right, again.scored) == (True, False)
    assert turn.score == "no guess yet"


def test_what_cannot_be_judged_changes_nothing() -> None:
    trainer = trainer_on("hug")
    turn = GuessingGame(trainer)
    assert turn.answer(ids(trainer, "g", "g")) is None
    assert (turn.is_asking, turn.asked) == (True, 0)
    trainer.goto(100)
    assert not turn.can_ask
    assert turn.answer((0, 1)) is None


def test_nothing_is_asked_below_the_minimum_frequency() -> None:
    words = WordCounts(["ab", "cd"], [2, 1])
    assert not GuessingGame(Trainer(words, make_options("toy", merges=3, min_frequency=3))).can_ask
    assert GuessingGame(Trainer(words, make_options("toy", merges=3, min_frequency=2))).can_ask


def test_an_own_choice_that_was_undone_is_not_the_answer() -> None:
    trainer = trainer_on("hug")
    trainer.choose(*ids(trainer, "p", "u"))
    trainer.undo()
    verdict = GuessingGame(trainer).answer(ids(trainer, "p", "u"))
    assert verdict is not None
    assert not verdict.is_right
