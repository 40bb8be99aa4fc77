"""The ranking as it was before the last merge is the one that the trainer had there."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bpe_tui.core.corpus.types import WordCounts
from bpe_tui.core.options import Options
from bpe_tui.core.training.rows import PairRow
from bpe_tui.core.training.trainer import Trainer
from tests.core.corpora import dialects, tables


def _figures(rows: list[PairRow]) -> list[tuple[int, str, str, int, bool]]:
    return sorted((row.place, row.left, row.right, row.count, row.leads) for row in rows)


@given(tables, dialects, st.integers(1, 9))
def test_it_is_the_ranking_that_was_there(words: WordCounts, options: Options, merges: int) -> None:
    trainer = Trainer(words, options)
    trainer.goto(merges)
    before = trainer.pairs_before(10_000)
    top = trainer.pairs_before(3)
    made = trainer.last_step
    trainer.undo()
    there = trainer.pairs()
    assert _figures(before) == _figures(there)
    assert [row.count for row in top] == [row.count for row in there[:3]]
    if made is not None:
        assert [(row.left_id, row.right_id) for row in before if row.wins] == [
            (made.merge.left_id, made.merge.right_id)
        ]
        assert not any(row.is_new or row.change for row in before)
