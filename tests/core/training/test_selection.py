"""The four tie rules on pairs that tell them apart."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_tui.core.corpus.types import WordCounts
from bpe_tui.core.options import TIE_RULES, make_options
from bpe_tui.core.teaching.reference import pick
from bpe_tui.core.tie_rules import RULES, Reversed
from bpe_tui.core.training.trainer import Trainer

TEXTS = ["c", "b", "a", "bb", "é", "z"]


def winner(rule: str, pairs: list[tuple[int, int]]) -> tuple[str, str]:
    """Which of tied pairs wins; they are given in the order in which they occur first."""
    left, right, _ = min(
        ((*pair, place) for place, pair in enumerate(pairs)), key=lambda pair: RULES[rule].key(TEXTS, *pair)
    )
    return TEXTS[left], TEXTS[right]


@pytest.mark.parametrize(
    ("rule", "won"),
    [
        ("first-seen", ("b", "a")),
        ("lowest-id", ("c", "b")),
        ("greatest-pair", ("é", "c")),
        ("shortest-first", ("a", "z")),
    ],
)
def test_each_rule_has_its_own_winner(rule: str, won: tuple[str, str]) -> None:
    assert winner(rule, [(1, 2), (4, 0), (2, 5), (0, 1), (3, 2)]) == won


def test_shortest_first_looks_at_the_merged_text_only_then_at_ids() -> None:
    # "bb" + "b" and "b" + "bb" make the same text.
    assert winner("shortest-first", [(3, 1), (1, 3)]) == ("b", "bb")
    assert winner("shortest-first", [(3, 3), (1, 3), (5, 3)]) == ("b", "bb")  # shorter goes before smaller
    assert winner("shortest-first", [(5, 1), (4, 2)]) == ("z", "b")  # é comes after z


def test_greatest_pair_compares_the_left_text_first() -> None:
    assert winner("greatest-pair", [(1, 5), (3, 2)]) == ("bb", "a")  # though b + z is greater when put together


def test_texts_that_sort_the_other_way_round() -> None:
    assert sorted([Reversed(("a", "b")), Reversed(("b", "a")), Reversed(("a", "c"))]) == [
        Reversed(("b", "a")),
        Reversed(("a", "c")),
        Reversed(("a", "b")),
    ]
    assert Reversed(("a", "b")) == Reversed(("a", "b"))
    assert len({Reversed(("a", "b")), Reversed(("a", "b"))}) == 1


@given(st.permutations(list(itertools.product(range(6), repeat=2))), st.sampled_from(TIE_RULES), st.integers(1, 36))
def test_the_textbook_picks_the_same_of_any_tied_pairs(order: list[tuple[int, int]], rule: str, size: int) -> None:
    pairs = order[:size]
    by_text = {(TEXTS[left], TEXTS[right]): 7 for left, right in pairs}
    if len(by_text) == len(pairs):
        assert pick(by_text, {text: index for index, text in enumerate(TEXTS)}, rule) == winner(rule, pairs)


@pytest.mark.parametrize("rule", TIE_RULES)
def test_among_equal_counts_the_rule_orders_the_ranking(rule: str) -> None:
    words = ["ba", "cb", "az", "cba", "zéb", "bbb"]
    trainer = Trainer(WordCounts(words, [3, 2, 5, 1, 4, 2]), make_options("toy", ties=rule))
    rows = trainer.pairs(0, 100)
    tied = [(row.left_id, row.right_id) for row in rows if row.count == 4]
    occurrences = [pair for word in range(len(words)) for pair in itertools.pairwise(trainer.word(word).tokens)]
    assert len(tied) > 2
    assert tied == sorted(
        tied, key=lambda pair: RULES[rule].key(trainer.texts, pair[0], pair[1], occurrences.index(pair))
    )
