"""The tree of a token, where it stands, and why it stays."""

from __future__ import annotations

from random import Random

import pytest

from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.corpus.sources import find_corpus, options_for, text_corpus
from bpe_tui.core.corpus.types import WordCounts
from bpe_tui.core.options import make_options
from bpe_tui.core.readable import CHARACTERS
from bpe_tui.core.teaching.lineage import (
    origin_sentence,
    place_sentence,
    token_sentence,
    token_tree,
    uses_sentence,
)
from bpe_tui.core.training.trainer import Trainer


def hug(merges: int) -> Trainer:
    corpus = find_corpus(("hug",))
    options = options_for(corpus)
    trainer = Trainer(count_words(corpus, options), options)
    trainer.goto(merges)
    return trainer


def on_text(text: str, merges: int, **overrides: object) -> Trainer:
    options = make_options("course", merges=merges, **overrides)
    trainer = Trainer(count_words(text_corpus(text), options), options)
    trainer.goto(merges)
    return trainer


def token(trainer: Trainer, text: str) -> int:
    found = trainer.id_of(text)
    assert found is not None
    return found


def test_the_tree_goes_down_to_symbols() -> None:
    trainer = hug(3)
    tree = token_tree(trainer, token(trainer, "hug"))
    assert [(node.branch + node.text, node.step.number if node.step else 0, node.initial_count) for node in tree] == [
        ("hug", 3, 15),
        ("├ h", 0, 15),
        ("└ ug", 1, 20),
        ("  ├ u", 0, 36),
        ("  └ g", 0, 20),
    ]


def test_lines_of_the_tree_go_past_the_children_of_a_left_half() -> None:
    trainer = on_text("low\nlow\nlow", 2)
    tree = token_tree(trainer, token(trainer, "low"))
    assert [node.branch + node.text for node in tree] == ["low", "├ lo", "│ ├ l", "│ └ o", "└ w"]
    assert len(token_tree(trainer, token(trainer, "low"), most=2)) == 2


def test_a_letter_is_counted_as_it_stood_at_the_start() -> None:
    for merges in range(8):
        trainer = hug(merges)
        assert token_tree(trainer, token(trainer, "u"))[0].initial_count == 36
        assert token_tree(trainer, token(trainer, "g"))[0].initial_count == 20


@pytest.mark.parametrize("seed", range(5))
def test_leaves_spell_the_token_and_births_match_the_first_count(seed: int) -> None:
    random = Random(seed)
    text = " ".join("".join(random.choices("aab", k=random.randint(1, 9))) for _ in range(60))
    trainer = on_text(text, 25)
    start = on_text(text, 0)
    for each in range(trainer.vocab_size):
        tree = token_tree(trainer, each)
        assert "".join(node.text for node in tree if node.step is None) == trainer.texts[each]
        for node in tree:
            if node.step is None:
                assert node.initial_count == start.token(node.token).count


@pytest.mark.parametrize("merges", [0, 3, 12, 40])
def test_words_of_a_token_are_those_that_hold_it(merges: int) -> None:
    corpus = find_corpus(("story",))
    options = options_for(corpus)
    trainer = Trainer(count_words(corpus, options), options)
    trainer.goto(merges)
    for each in range(trainer.vocab_size):
        found = trainer.token_words(each)
        held = {
            index: tokens.count(each) for index in range(trainer.word_count) if (tokens := trainer.word(index).tokens)
        }
        expected = {index: often for index, often in held.items() if often}
        assert dict(zip(found.indices.tolist(), found.occurrences.tolist(), strict=True)) == expected
        assert found.total == sum(trainer.words.counts[index] * often for index, often in expected.items())


def test_unused_tokens_say_why_they_stay() -> None:
    trainer = hug(3)
    told = place_sentence(trainer, token(trainer, "u"), CHARACTERS)
    assert told == (
        "u stays in the vocabulary: every u was merged into ug at merge 1 or un at merge 2, "
        "but new text may hold a lone u."
    )
    assert token_sentence(trainer, token(trainer, "u"), CHARACTERS) == told
    trainer.goto(5)
    assert "ug stays in the vocabulary: every ug became part of hug at merge 3" in place_sentence(
        trainer, 7, CHARACTERS
    )


def test_used_tokens_say_where_they_stand_and_what_became_of_them() -> None:
    trainer = hug(3)
    ug, letter = token(trainer, "ug"), token(trainer, "h")
    assert origin_sentence(trainer, ug, CHARACTERS) == "Merge 1 (u + g) created ug, 20 times."
    assert place_sentence(trainer, ug, CHARACTERS) == "It now occurs 5 times, in 1 word: pug×5."
    assert uses_sentence(trainer, ug, CHARACTERS) == "It became part of hug at merge 3."
    assert token_sentence(trainer, ug, CHARACTERS) == "ug occurs 5 times, in 1 word: pug×5."
    assert (
        origin_sentence(trainer, letter, CHARACTERS)
        == "h is a letter of the alphabet; at the start it occurred 15 times in the corpus."
    )


def test_special_tokens_and_letters_that_never_occur() -> None:
    trainer = on_text("ab ab", 1, specials=("<s>",), alphabet="all-bytes")
    assert "is a special token" in token_sentence(trainer, token(trainer, "<s>"), CHARACTERS)
    never = token(trainer, "z")
    assert place_sentence(trainer, never, CHARACTERS) == (
        "No word of the corpus holds z, and none ever did; it is there because new text may hold it."
    )
    assert "held none at the start" in origin_sentence(trainer, never, CHARACTERS)


def test_long_and_strange_tokens_are_cut_and_made_visible() -> None:
    trainer = on_text("\x1b[31m" * 40, 30, pre_tokenizer="none", documents="files")
    for each in range(trainer.vocab_size):
        for told in (
            origin_sentence(trainer, each, CHARACTERS),
            place_sentence(trainer, each, CHARACTERS),
            uses_sentence(trainer, each, CHARACTERS),
        ):
            assert "\x1b" not in told
            assert len(told) < 400


def test_a_word_can_be_asked_for_in_part() -> None:
    trainer = on_text("abcdefgh" * 50, 0, pre_tokenizer="none", documents="files")
    whole = trainer.word(0)
    assert trainer.word(0, 5).tokens == whole.tokens[:5]
    assert trainer.word(0, 5).text == whole.text[:5]
    assert trainer.word(0, 5).count == whole.count


def test_a_special_token_whose_text_merges_make_is_said_to_be_made() -> None:
    words = WordCounts(["[UNK]", "[UNK]s", "hug"], [9, 2, 1])
    trainer = Trainer(words, make_options("toy", merges=6, specials=("[UNK]",)))
    assert origin_sentence(trainer, 0, CHARACTERS) == (
        "[UNK] is a special token: it stands for itself, and no merge makes or splits it."
    )
    assert place_sentence(trainer, 0, CHARACTERS) == ""
    trainer.goto(4)
    step = trainer.steps[-1]
    assert (step.merge.id, step.reused) == (0, True)
    assert origin_sentence(trainer, 0, CHARACTERS) == (
        f"[UNK] is a special token, but merge 4, {step.merge.left} + {step.merge.right}, makes it as well: "
        "words of the corpus hold its text."
    )
    assert place_sentence(trainer, 0, CHARACTERS) == "It now occurs 11 times, in 2 words: [UNK]×9 + [UNK]s×2."


def test_a_letter_that_a_merge_makes_as_well_was_rarer_at_the_start() -> None:
    # The ending of words is one character, so that a letter with it can be made of two letters.
    words = WordCounts(["a", "axb"], [3, 5])
    trainer = Trainer(words, make_options("paper", merges=3, end_of_word="x", end_of_word_style="suffix"))
    token = trainer.ids["ax"]
    trainer.goto(1)
    assert (trainer.steps[0].merge.id, trainer.token(token).count) == (token, 8)
    assert (
        origin_sentence(trainer, token, CHARACTERS)
        == "ax is a letter of the alphabet; at the start it occurred 3 times in the corpus."
    )
