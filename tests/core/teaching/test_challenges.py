"""The challenges: what solves them, what does not, and that nothing is better than the best known."""

from __future__ import annotations

import pytest

from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.corpus.sources import find_corpus, options_for, text_corpus
from bpe_tui.core.options import make_options
from bpe_tui.core.teaching import reference
from bpe_tui.core.teaching.challenges import CHALLENGES, LETTERS, LIMIT, UNUSED, ChallengeVerdict, judge
from bpe_tui.core.teaching.reference import Pair
from bpe_tui.core.training.trainer import Trainer

BY_NAME = {challenge.name: challenge for challenge in CHALLENGES}
Split = tuple[tuple[str, ...], ...]


def trained(corpus: str, merges: str) -> Trainer:
    """A training on a bundled corpus with merges of one's own: `b+a na+na`."""
    found = find_corpus([corpus])
    options = options_for(found)
    trainer = Trainer(count_words(found, options), options)
    for merge in merges.split():
        left, right = (trainer.ids[text] for text in merge.split("+"))
        trainer.choose(left, right)
    return trainer


def judged(name: str, merges: str, text: str = "") -> ChallengeVerdict:
    challenge = BY_NAME[name]
    corpus = challenge.corpus or "hug"
    return judge(challenge, corpus, trained(corpus, merges), text)


BEST = {
    "one-token": ("b+a n+a ba+na bana+na", ""),
    "twenty-letters": ("i+s is+s m+iss miss+iss", "mississmississmississ"),
    "beat-the-rule": ("b+a n+a na+na", ""),
    "scaffolding": ("b+u bu+n g+s u+gs h+ugs", ""),
    "longest-match": ("u+g p+u", "pug"),
    "four-ways": ("", "bcaa"),
}


@pytest.mark.parametrize("name", BY_NAME)
def test_the_best_known_is_reached(name: str) -> None:
    assert judged(name, *BEST[name]).score == BY_NAME[name].best


@pytest.mark.parametrize(
    ("name", "merges", "text", "sentence"),
    [
        ("one-token", "b+a n+a ba+na", "", "3 merges so far, and banana is bana na."),
        ("twenty-letters", "i+s is+s m+iss miss+iss", "", "in the line Encode of the board"),
        ("twenty-letters", "i+s is+s m+iss miss+iss", "mississ mississ", "your text has 14 letters, in 2 tokens."),
        ("twenty-letters", "i+s is+s m+iss miss+iss", "mississ" * 4, "your text has 28 letters, in 4 tokens."),
        ("twenty-letters", "i+s", "x" * 20, "holds a letter that is not in the alphabet"),
        ("beat-the-rule", "b+a n+a", "", "2 merges so far; make it 3. The rule gets the corpus down to 172 tokens."),
        ("beat-the-rule", "a+n an+an b+a", "", "With your merges the corpus has 175 tokens, with the rule's 172."),
        ("scaffolding", "b+u bu+n", "", "2 merges so far; out of use: bu."),
        ("longest-match", "u+g p+u", "hug", "2 merges so far; by merges h ug, by longest match h ug."),
        ("longest-match", "u+g p+u", "pux", "holds a letter that is not in the alphabet"),
        ("four-ways", "", "abcde", "first-seen: a + b"),
        ("four-ways", "", "x", "."),
        ("four-ways", "", "x" * 201, "200 characters are judged"),
    ],
)
def test_what_does_not_solve_it_says_how_far_it_is(name: str, merges: str, text: str, sentence: str) -> None:
    verdict = judged(name, merges, text)
    assert verdict.score is None
    assert sentence in verdict.sentence


def test_more_merges_than_needed_are_a_worse_score() -> None:
    assert judged("one-token", "i+s b+a n+a ba+na bana+na").score == 5
    assert judged("four-ways", "", "bcaa bcaa").score == 8


def test_another_corpus_is_not_judged() -> None:
    verdict = judge(BY_NAME["one-token"], "hug", trained("hug", "u+g"), "")
    assert verdict == ChallengeVerdict("Press enter to open banana.")
    assert judge(BY_NAME["four-ways"], "", None, "abc").score is None


# -- nothing is better ---------------------------------------------------------------------------------------------


def after(corpus: str, merges: int) -> dict[Split, tuple[Pair, ...]]:
    """All ways to split the corpus after that many merges, each with one way to get there."""
    words = trained(corpus, "").words.words
    ways: dict[Split, tuple[Pair, ...]] = {tuple(tuple(word) for word in words): ()}
    for _merge in range(merges):
        further: dict[Split, tuple[Pair, ...]] = {}
        for split, path in ways.items():
            for pair in reference.count_pairs([list(word) for word in split], [1] * len(words)):
                lists = [list(word) for word in split]
                reference.merge_all(lists, [1] * len(words), pair)
                further.setdefault(tuple(map(tuple, lists)), (*path, pair))
        ways = further
    return ways


def test_nothing_beats_the_best_on_banana() -> None:
    counts = trained("banana", "").words.counts
    ways = after("banana", LIMIT)
    assert min(sum(len(word) * count for word, count in zip(split, counts, strict=True)) for split in ways) == 165
    assert not any(("banana",) in split for split in ways)
    longest = max(len(left + right) for path in ways.values() for left, right in path)
    assert longest * 3 < LETTERS


def test_nothing_beats_the_best_on_hug() -> None:
    for split, path in after("hug", BY_NAME["scaffolding"].best - 1).items():
        left = {token for word in split for token in word}
        assert sum(a + b not in left for a, b in path) < UNUSED


def test_four_rules_need_four_pairs_so_four_letters() -> None:
    options = make_options("paper", pre_tokenizer="spaces")
    for text in ("abc", "a bc", "cba", "a b c"):
        trainer = Trainer(count_words(text_corpus(text), options), options)
        assert trainer.pair_count < 4
