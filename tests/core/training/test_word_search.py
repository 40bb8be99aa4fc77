"""Searching all words at once gives what searching one after the other gives."""

from __future__ import annotations

from random import Random

import pytest

from bpe_tui.core.training.word_search import SEPARATORS, WordSearch


@pytest.mark.parametrize("seed", range(6))
def test_it_finds_what_a_plain_search_finds(seed: int) -> None:
    random = Random(seed)
    letters = "ab" + SEPARATORS + ".é"
    words = ["".join(random.choices(letters, k=random.randint(1, 6))) for _ in range(80)]
    search = WordSearch(words)
    for _ in range(60):
        queries = {"".join(random.choices(letters, k=random.randint(1, 3))) for _ in range(random.randint(1, 2))}
        plain = [place for place, word in enumerate(words) if any(query in word for query in queries)]
        assert search.find(queries).tolist() == plain


def test_a_match_never_reaches_from_one_word_into_the_next() -> None:
    search = WordSearch(["ab", "cd", "bc"])
    assert search.find({"bc"}).tolist() == [2]
    assert search.find({"b\nc"}).tolist() == []
    assert search.find({""}).tolist() == [0, 1, 2]
    assert search.find({SEPARATORS}).tolist() == []
    assert WordSearch([]).find({"a"}).tolist() == []
