"""BPE-dropout: against subword-nmt draw for draw, and against `tokenizers` in frequency."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from subword_nmt.apply_bpe import encode as encode_by_subword_nmt
from tokenizers import Tokenizer
from tokenizers.models import BPE

from bpe_tui.core.encoding.encoder import Encoder
from bpe_tui.core.encoding.merge_ranks import UNKNOWN, MergeRanks
from bpe_tui.core.encoding.replay import Dropout, trace
from bpe_tui.core.errors import OptionError
from tests.core.encoders import any_text, encoders, forgiving, hug, texts

LETTERS = "abc"
MERGES = ["a b", "b c", "ab c", "c a", "abc a", "a a", "aa b", "abc abc"]


def learned(*, whole_passes: bool = False) -> tuple[MergeRanks, list[str]]:
    """The ranks of `MERGES`, and all tokens in id order."""
    tokens = list(LETTERS)
    ranks = MergeRanks(whole_passes=whole_passes)
    rows = []
    for line in MERGES:
        left, right = line.split()
        tokens.append(left + right)
        rows.append((tokens.index(left), tokens.index(right), len(tokens) - 1))
    ranks.learn(rows)
    return ranks, tokens


def merged(ranks: MergeRanks, tokens: list[str], word: str, rate: float, draw: Any) -> list[str]:
    """The tokens of a word, put together from the rows of its trace."""
    parts: list[str] = list(word)
    symbols = [tokens.index(letter) if letter in tokens else UNKNOWN for letter in word]
    for _rank, places in ranks.trace_with_dropout(symbols, rate, draw):
        for place in places:
            after = next(index for index in range(place + 1, len(parts)) if parts[index])
            parts[place] += parts[after]
            parts[after] = ""
    return [part for part in parts if part]


@given(encoders, any_text, forgiving, st.integers(0, 9))
def test_a_rate_of_0_is_plain_and_of_1_leaves_symbols(encoder: Encoder, text: str, policy: str, seed: int) -> None:
    words, replay = trace(encoder, text, unknown=policy, dropout=Dropout(0, seed))
    assert words.with_distinct(replay.all_tokens(len(replay))).tokens() == encoder.encode(text, unknown=policy)
    assert not any(row.dropped for row in replay.rows)
    words, replay = trace(encoder, text, unknown=policy, dropout=Dropout(1, seed))
    symbols = [token for span in encoder.spans(text) for token in encoder.symbols_of(span, unknown=policy)]
    assert words.with_distinct(replay.all_tokens(len(replay))).tokens() == symbols
    assert not any(row.places for row in replay.rows)


@given(st.text(LETTERS, min_size=1, max_size=30), st.floats(0.01, 0.99), st.integers(0, 1000))
def test_in_whole_passes_it_is_subword_nmt_with_the_same_seed(word: str, rate: float, seed: int) -> None:
    codes = {tuple(line.split()): rank for rank, line in enumerate(MERGES)}
    random.seed(seed)
    theirs = encode_by_subword_nmt(word, codes, {}, None, None, (0, 1), {}, dropout=rate)
    ranks, tokens = learned(whole_passes=True)
    ours = merged(ranks, tokens, f"{word}.", rate, random.Random(seed).random)  # it marks the end of a word, too
    assert ours == [*theirs, "."]


@pytest.mark.parametrize("rate", [0.1, 0.5, 0.9])
def test_tokens_are_as_frequent_as_in_tokenizers(rate: float) -> None:
    word, rounds = "abcabca", 6_000
    ranks, tokens = learned()
    draw = random.Random(1).random
    ours = Counter(" ".join(merged(ranks, tokens, word, rate, draw)) for _ in range(rounds))
    tool = Tokenizer(
        BPE(
            {token: index for index, token in enumerate(tokens)},
            [(left, right) for left, right in map(str.split, MERGES)],
            dropout=rate,
        )
    )
    theirs = Counter(" ".join(tool.encode(word).tokens) for _ in range(rounds))
    for shape in ours.keys() | theirs.keys():
        # Five standard deviations of the difference of two frequencies.
        share = (ours[shape] + theirs[shape] + 1) / (2 * rounds)
        room = 5 * (2 * share * (1 - min(share, 0.99)) / rounds) ** 0.5
        assert abs(ours[shape] - theirs[shape]) / rounds <= room, shape


def test_a_seed_gives_the_same_tokens_again_and_equal_words_differ() -> None:
    encoder = hug()

    def run(seed: int) -> list[str]:
        _words, replay = trace(encoder, "unhug " * 20, dropout=Dropout(0.4, seed))
        return [texts(list(word)) for word in replay.all_tokens(len(replay))]

    assert run(7) == run(7) != run(8)
    assert len(set(run(7))) > 1


def test_dropped_merges_are_rows_of_the_replay() -> None:
    # Both draws for u + g are below the rate: it is dropped, u + n is made, and u + g is dropped again.
    ranks = hug()
    symbols = ranks.symbols_of(("unhug", 0, 5))
    draws = iter([0.1, 0.9, 0.1])
    rows = [(merge.token, places) for merge, places in ranks.trace_word(symbols, (0.5, lambda: next(draws)))]
    assert rows == [("ug", []), ("un", [0]), ("ug", [])]


def test_a_word_of_thirty_thousand_letters_ends() -> None:
    words, replay = trace(hug(), "hug" * 10_000, dropout=Dropout(0.3, 1))
    joined = words.with_distinct(replay.all_tokens(len(replay))).tokens()
    assert "".join(token.text for token in joined) == "hug" * 10_000
    assert 10_000 < len(joined) < 20_000


@pytest.mark.parametrize("rate", [-0.1, 1.1, float("nan")])
def test_a_rate_is_a_probability(rate: float) -> None:
    with pytest.raises(OptionError, match="a dropout rate is a number from 0 to 1"):
        Dropout(rate)
