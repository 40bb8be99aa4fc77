"""Runs: what is counted of a pair, and what of it would be replaced."""

from __future__ import annotations

import pytest
from hypothesis import given

from bpe_tui.core.corpus.types import WordCounts
from bpe_tui.core.options import make_options
from bpe_tui.core.teaching.overlap import Overlap, overlap_in, overlap_of
from bpe_tui.core.training.trainer import Trainer
from tests.core.corpora import tables


@pytest.mark.parametrize(
    ("tokens", "figures"),
    [
        ([1, 1], None),
        ([1, 1, 1], (2, 1)),
        ([1, 1, 1, 1], (3, 2)),
        ([1, 1, 2, 1, 1], None),
        ([1, 1, 1, 2, 1, 1, 1, 1], (5, 3)),
        ([2], None),
    ],
)
def test_within_a_word(tokens: list[int], figures: tuple[int, int] | None) -> None:
    assert overlap_in(tokens, (1, 1)) == (None if figures is None else Overlap(*figures))
    assert overlap_in(tokens, (1, 2)) is None


@given(tables)
def test_it_foretells_what_the_merge_replaces(words: WordCounts) -> None:
    trainer = Trainer(words, make_options("toy", merges=12))
    for row in trainer.pairs(0, trainer.pair_count):
        told = overlap_of(trainer, row.left_id, row.right_id)
        step = trainer.choose(row.left_id, row.right_id)
        trainer.undo()
        expected = None if step.counted == step.replaced else Overlap(step.counted, step.replaced)
        assert told == expected
