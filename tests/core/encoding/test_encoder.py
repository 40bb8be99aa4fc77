"""Encoding and the trace: against the textbook, against each other, and at every moment of a training."""

from __future__ import annotations

import random
from itertools import pairwise, product
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_tui.core.corpus.types import WordCounts
from bpe_tui.core.encoding.encoder import Encoder
from bpe_tui.core.encoding.merge_ranks import UNKNOWN, MergeRanks, Pieces
from bpe_tui.core.errors import EncodeError
from bpe_tui.core.options import Options
from bpe_tui.core.teaching.reference import encode as encode_as_textbooks_do
from bpe_tui.core.training.trainer import Trainer
from bpe_tui.core.training.vocabulary import Merge, Vocabulary
from tests.core.corpora import dialects, hostile_words, tables, word_symbols
from tests.core.encoders import (
    MIXED,
    any_text,
    encoded_plainly,
    encoders,
    finished,
    forgiving,
    hug,
    texts,
    traced,
    trained,
)

# -- what is merged -----------------------------------------------------------------------------------------------


@given(tables, dialects, st.lists(hostile_words, max_size=4), st.integers(0, 40))
def test_encoding_is_the_definition(words: WordCounts, options: Options, fresh: list[str], position: int) -> None:
    trainer = Trainer(words, options.replace(pre_tokenizer="none"))
    trainer.goto(position)
    encoder = Encoder(trainer)
    steps = trainer.steps[: trainer.position]
    merges = [(step.merge.left, step.merge.right) for step in steps]
    known = set(trainer.base.alphabet)
    for word in [*words.words, *fresh]:
        symbols = word_symbols(word, options)
        if not known.issuperset(symbols):
            continue
        tokens = [token.text for token in encoder.encode(word)]
        assert tokens == encoded_plainly(symbols, merges)
        # Where tokens are made in one way only, the earliest merge first is the merges in the order learned.
        if not any(step.reused for step in steps):
            assert tokens == encode_as_textbooks_do(symbols, merges)


@given(tables, dialects)
def test_the_words_of_the_corpus_encode_to_how_they_are_split(words: WordCounts, options: Options) -> None:
    trainer = Trainer(words, options.replace(pre_tokenizer="none"))
    trainer.goto(12)
    if any(step.reused for step in trainer.steps):
        return
    encoder = Encoder(trainer)
    for index, word in enumerate(words.words):
        assert encoder.encode_ids(word) == list(trainer.word(index).tokens)


Merging = tuple[int, int, int]
"""Left, right, and what they make."""

merge_lists = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=14).map(
    # Each makes a token of its own; some use what only later ones make.
    lambda pairs: [(left, right, made) for made, (left, right) in enumerate(pairs, 4) if made not in (left, right)]
)
symbol_lists = st.lists(st.integers(-1, 9), max_size=40)


def merged_plainly(merges: list[Merging], symbols: list[int]) -> list[tuple[int, int, Pieces]]:
    """The definition: one merge after the other, each with its rank, its place, and the tokens after it."""
    ranks = {(left, right): rank for rank, (left, right, _) in enumerate(merges)}
    tokens = [(symbol, place) for place, symbol in enumerate(symbols)]
    rows: list[tuple[int, int, Pieces]] = []
    while found := [
        (ranks[left, right], place)
        for place, ((left, _), (right, _)) in enumerate(pairwise(tokens))
        if (left, right) in ranks
    ]:
        rank, place = min(found)
        tokens[place : place + 2] = [(merges[rank][2], tokens[place][1])]
        rows.append((rank, tokens[place][1], ([token for token, _ in tokens], [first for _, first in tokens])))
    return rows


@pytest.mark.parametrize("short", [200, 0])
@given(merges=merge_lists, symbols=symbol_lists)
def test_short_and_long_words_merge_by_the_definition(short: int, merges: list[Merging], symbols: list[int]) -> None:
    learned = MergeRanks()
    learned.learn(merges)
    rows = merged_plainly(merges, symbols)
    with mock.patch("bpe_tui.core.encoding.merge_ranks._SHORT", short):
        assert learned.merge(symbols) == (rows[-1][2] if rows else (symbols, list(range(len(symbols)))))
    fired = list(learned.trace(symbols))
    assert [(rank, place) for rank, places in fired for place in places] == [(rank, place) for rank, place, _ in rows]
    assert all(rank != after for (rank, _), (after, _) in pairwise(fired))


def test_a_word_of_a_thousand_symbols_merges_by_the_definition() -> None:
    rng = random.Random(5)
    merges = [(left, right, 4 + place) for place, (left, right) in enumerate(product(range(4), repeat=2))]
    merges += [(rng.randrange(4, 20), rng.randrange(20), 20 + place) for place in range(20)]
    symbols = rng.choices(range(4), k=1_000)
    learned = MergeRanks()
    learned.learn(merges)
    assert learned.merge(symbols) == merged_plainly(merges, symbols)[-1][2]


def test_a_merge_waits_if_an_earlier_one_can_fire() -> None:
    merges = MergeRanks()
    merges.learn([(9, 0, 8), (0, 1, 9)])  # (ab)a, with a token that only the next merge makes
    assert merges.merge([0, 1, 0, 1]) == ([8, 1], [0, 3])
    assert list(merges.trace([0, 1, 0, 1])) == [(1, [0]), (0, [0])]


def test_of_two_merges_of_one_pair_the_later_counts_and_time_travel_knows_both() -> None:
    merges = MergeRanks()
    merges.learn([(0, 1, 4), (2, 3, 5), (0, 1, 6), (0, 1, 7)])
    tokens = []
    for moment in (4, 3, 2, 1, 0, 4, 1, 3):
        merges.use(moment)
        tokens.append(merges.merge([0, 1])[0][0])
    assert tokens == [7, 6, 4, 4, 0, 7, 4, 6]
    merges.forget(2)
    assert (len(merges), merges.in_force, merges.rank(0, 1)) == (2, 2, 0)
    merges.forget(0)
    assert (len(merges), merges.rank(0, 1)) == (0, None)


# -- the trace ----------------------------------------------------------------------------------------------------


@given(encoders, any_text, forgiving)
def test_the_trace_ends_in_what_encode_gives(encoder: Encoder, text: str, unknown: str) -> None:
    start, rows = traced(encoder, text, unknown=unknown)
    encoded = encoder.encode(text, unknown=unknown)
    assert start == [token for span in encoder.spans(text) for token in encoder.symbols_of(span, unknown=unknown)]
    assert (rows[-1][1] if rows else start) == encoded
    assert encoder.encode_ids(text, unknown=unknown) == [UNKNOWN if token.id is None else token.id for token in encoded]
    sizes = [len(start), *(len(tokens) for _, tokens in rows)]
    assert all(before > after for before, after in pairwise(sizes))
    assert all(merge.token in {token.text for token in tokens} for merge, tokens in rows)


def test_the_trace_shows_one_row_for_each_merge_that_fired() -> None:
    start, rows = traced(hug(4), "hugs mug pun")
    assert texts(start) == "h u g s [UNK] u g p u n"
    assert [(merge.rank, merge.left, merge.right, texts(tokens)) for merge, tokens in rows] == [
        (0, "u", "g", "h ug s [UNK] ug p u n"),
        (1, "u", "n", "h ug s [UNK] ug p un"),
        (2, "h", "ug", "hug s [UNK] ug p un"),
        (3, "p", "un", "hug s [UNK] ug pun"),
    ]


def test_special_tokens_stay_as_they_are_in_the_trace() -> None:
    encoder = Encoder(trained("ab ab ab <s>", "toy", specials=("ab",), specials_in_corpus="text"))
    start, rows = traced(encoder, "abab", allow_special=True)
    assert texts(start) == "ab ab"
    assert rows == []


# -- vocabularies from elsewhere ------------------------------------------------------------------------------------


def test_ids_with_gaps() -> None:
    ids = {"a": 3, "b": 10, "ab": 7, "<s>": 100, "[UNK]": 2}
    vocabulary = Vocabulary(
        tokens=("[UNK]", "a", "ab", "b", "<s>"),
        specials=("<s>",),
        alphabet=("a", "b"),
        merges=(Merge("a", "b", "ab", 3, 10, 7, 0),),
        ids=ids,
    )
    encoder = finished(vocabulary)
    assert [(token.text, token.id) for token in encoder.encode("abaX")] == [("ab", 7), ("a", 3), ("[UNK]", 2)]
    assert encoder.encode_ids("<s>abX", allow_special=True) == [100, 7, 2]
    assert encoder.decode([100, 7, 10]) == "<s>abb"
    with pytest.raises(EncodeError, match="no token with id 4"):
        encoder.decode([4])


def test_merges_in_any_order_are_used_by_rank() -> None:
    merges = (Merge("b", "c", "bc", 1, 2, 4, 9), Merge("a", "b", "ab", 0, 1, 3, 2))
    tokens = ("a", "b", "c", "ab", "bc")
    vocabulary = Vocabulary(tokens, (), tokens[:3], merges, {token: place for place, token in enumerate(tokens)})
    encoder = finished(vocabulary)
    assert texts(encoder.encode("abcbc")) == "ab c bc"
    assert [merge.rank for merge, _ in traced(encoder, "abcbc")[1]] == [2, 9]


# -- following a trainer --------------------------------------------------------------------------------------------


@settings(max_examples=settings().max_examples // 2)
@given(tables, dialects, st.lists(st.sampled_from("nnnubct") | st.integers(0, 9), max_size=25), st.randoms())
def test_an_encoder_that_follows_is_one_made_afresh(
    words: WordCounts,
    options: Options,
    walk: list[str | int],
    random: random.Random,
) -> None:
    trainer = Trainer(words, options.replace(pre_tokenizer="none"))
    following = Encoder(trainer)
    for move in walk:
        if isinstance(move, int):
            trainer.goto(move)
        elif move == "n":
            trainer.step()
        elif move == "u":
            trainer.undo()
        elif move == "b":
            trainer.goto(max(0, trainer.position - 3))
        elif move == "t":
            trainer.set_ties(random.choice(["first-seen", "lowest-id"]))
        elif rows := trainer.pairs(0, 100):
            row = random.choice(rows)
            trainer.choose(row.left_id, row.right_id)
        vocabulary = trainer.vocabulary()
        fresh = finished(vocabulary, trainer.options)
        assert following.options == trainer.options
        for word in words.words[:3]:
            tokens = following.encode(word)
            assert tokens == fresh.encode(word)
            assert traced(following, word) == traced(fresh, word)
            assert following.encode_ids(word) == fresh.encode_ids(word)
            ids = [token.id for token in tokens if token.id is not None]
            assert following.decode_bytes(ids) == fresh.decode_bytes(ids)
        for token in (*vocabulary.tokens, "no such"):
            assert following.id_of(token) == vocabulary.ids.get(token)


def test_following_one_merge_looks_at_one_merge(monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = trained(MIXED, merges=80)
    following = Encoder(trainer)
    looked_at: list[int] = []
    merge_at = trainer.merge_at

    def watched(rank: int) -> Merge:
        looked_at.append(rank)
        return merge_at(rank)

    monkeypatch.setattr(trainer, "merge_at", watched)
    for move in (trainer.undo, trainer.undo, trainer.redo, trainer.undo):
        move()
        looked_at.clear()
        following.encode_ids("the cat")
        assert looked_at == []
    row = trainer.pairs(1, 2)[0]
    trainer.choose(row.left_id, row.right_id)
    looked_at.clear()
    following.encode_ids("the cat")
    assert looked_at == [trainer.position - 1]
