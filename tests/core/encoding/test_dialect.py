"""Encoding beyond the options: whole words, prefixes, open alphabets, merges at once, and earlier moments."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_tui.core.corpus.pretokenize import PlacedSpan, span_key
from bpe_tui.core.encoding.dialect import Dialect
from bpe_tui.core.encoding.encoder import Encoder
from bpe_tui.core.encoding.merge_ranks import UNKNOWN, MergeRanks
from bpe_tui.core.options import make_options
from bpe_tui.core.training.vocabulary import Merge, Vocabulary
from tests.core.encoders import finished, texts, traced


def encoder(tokens: str, merges: str, dialect: Dialect, **options: Any) -> Encoder:
    """An encoder of tokens and merges, written with spaces between; merges are `a+b`."""
    texts = tokens.split(" ")
    ids = {text: number for number, text in enumerate(texts)}
    prefix = dialect.continuing_prefix
    made = []
    for rank, pair in enumerate(merges.split()):
        left, right = pair.split("+")
        token = left + right.removeprefix(prefix)
        made.append(Merge(left, right, token, ids[left], ids[right], ids[token], rank))
    ending = options.get("end_of_word", "")
    alphabet = tuple(text for text in texts if len(text.removeprefix(prefix).removesuffix(ending)) == 1)
    vocabulary = Vocabulary(tuple(texts), (), alphabet, tuple(made), ids)
    return finished(vocabulary, make_options("toy", **options), dialect)


pairs = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=14)
words = st.lists(st.integers(-1, 9), max_size=40)


def at_once(ranks: dict[tuple[int, int], int], made: list[int], symbols: list[int]) -> list[int]:
    """The definition: the pair with the lowest rank in all its places, left to right, until no pair is left."""
    tokens = list(symbols)
    while True:
        best = min((ranks[pair] for pair in pairwise(tokens) if pair in ranks), default=None)
        if best is None:
            return tokens
        merged: list[int] = []
        place = 0
        while place < len(tokens):
            if ranks.get((tokens[place], tokens[place + 1] if place + 1 < len(tokens) else -9)) == best:
                merged.append(made[best])
                place += 2
            else:
                merged.append(tokens[place])
                place += 1
        tokens = merged


@given(pairs, words)
def test_merges_at_once_are_the_definition(given_pairs: list[tuple[int, int]], symbols: list[int]) -> None:
    known = [(pair, made) for made, pair in enumerate(given_pairs, 4) if made not in pair]
    merges = MergeRanks(whole_passes=True)
    merges.learn((*pair, made) for pair, made in known)
    ranks = {pair: rank for rank, (pair, _) in enumerate(known)}
    expected = at_once(ranks, [made for _, made in known], symbols)
    assert merges.merge(symbols)[0] == expected


@given(pairs, words)
def test_merges_learned_together_are_those_learned_one_by_one(
    given_pairs: list[tuple[int, int]], symbols: list[int]
) -> None:
    merges = [(left, right, made) for made, (left, right) in enumerate(given_pairs, 10)]
    together, alone = MergeRanks(), MergeRanks()
    together.learn(merges)
    for merge in merges:
        alone.learn([merge])
    for moment in (len(merges), len(merges) // 2, len(merges)):
        together.use(moment)
        alone.use(moment)
        assert together.merge(symbols) == alone.merge(symbols)
    together.forget(len(merges) // 2)
    assert len(together) == len(merges) // 2


def test_a_word_that_is_a_token_is_that_token() -> None:
    own = encoder("a b c ab abc cab", "a+b", Dialect(whole_words=True))
    assert texts(own.encode("abc cab abcab ab")) == "abc cab ab c ab ab"
    assert own.encode_ids("abc") == [4]
    assert [texts(own.symbols_of(span)) for span in own.spans("abc ab")] == ["abc", "a b"]
    own.timeline.goto(0)
    assert texts(own.encode("abc ab")) == "abc a b"
    plain = encoder("a b c ab abc", "a+b", Dialect())
    assert texts(plain.encode("abc")) == "ab c"


def test_a_prefix_stands_before_all_symbols_but_the_first() -> None:
    own = encoder("a ##b ##a ab ##ba", "##b+##a a+##b", Dialect(continuing_prefix="##"))
    assert texts(own.encode("ab aba ba")) == "ab a ##ba [UNK] ##a"
    assert [(token.start, token.end) for token in own.encode("aba")] == [(0, 1), (1, 3)]


def test_in_an_open_alphabet_a_symbol_is_itself() -> None:
    own = encoder("a b</w> ab</w>", "a+b</w>", Dialect(open_alphabet=True), end_of_word="</w>")
    tokens = own.encode("ab xb ax")
    assert [(token.text, token.id, token.unknown) for token in tokens] == [
        ("ab</w>", 2, False),
        ("x", None, True),
        ("b</w>", 1, False),
        ("a", 0, False),
        ("x</w>", None, True),
    ]
    assert own.encode_ids("ax") == [0, UNKNOWN]
    assert texts(own.encode("ax", unknown="fuse")) == "a [UNK]"


def test_going_back_to_an_earlier_moment_and_forth() -> None:
    own = encoder("a b ab aba", "a+b ab+a", Dialect())
    assert texts(own.encode("aba")) == "aba"
    for moment, expected in [(1, "ab a"), (0, "a b a"), (2, "aba"), (1, "ab a")]:
        own.timeline.goto(moment)
        assert texts(own.encode("aba")) == expected
        assert len(own.encode_ids("aba")) == len(expected.split())
        start, rows = traced(own, "aba")
        assert texts(rows[-1][1] if rows else start) == expected
        assert own.id_of("aba") == (3 if moment == 2 else None)
    assert own.decode([0, 1, 2]) == "abab"


def test_tokens_around_a_text() -> None:
    own = encoder("a <s> </s>", "", Dialect(before=(1,), after=(2,)))
    assert [(token.text, token.start, token.end) for token in own.encode("aa")] == [
        ("<s>", 0, 0),
        ("a", 0, 1),
        ("a", 1, 2),
        ("</s>", 2, 2),
    ]
    assert own.encode_ids("a") == [1, 0, 2]
    assert texts(traced(own, "a")[0]) == "<s> a </s>"


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        (("ab", 0, 2), ("ab", 7, 9), True),
        (PlacedSpan("▁a", 0, 1, places=[(0, 0), (0, 1)], token=None), ("▁a", 3, 5), False),
        (("ab", 0, 2), PlacedSpan("ab", 0, 2, token=5), False),
        (PlacedSpan("ab", 0, 2, token=5), PlacedSpan("ab", 4, 6, token=5), True),
        (
            PlacedSpan("fi", 0, 1, places=[(0, 1), (0, 1)], token=None),
            PlacedSpan("fi", 4, 5, places=[(4, 5), (4, 5)], token=None),
            True,
        ),
        (
            PlacedSpan("fix", 0, 3, places=[(0, 1), (0, 1), (1, 3)], token=None),
            PlacedSpan("fix", 0, 3, places=[(0, 1), (1, 2), (2, 3)], token=None),
            False,
        ),
    ],
)
def test_spans_that_fall_into_the_same_tokens(one: Any, other: Any, alike: bool) -> None:
    assert (span_key(one) == span_key(other)) == alike
