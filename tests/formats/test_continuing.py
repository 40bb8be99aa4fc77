"""Continuing a tokenizer: its merges, then new ones, with all ids as they were."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import assume, given
from hypothesis import strategies as st

from bpe_tui.core.corpus.types import WordCounts
from bpe_tui.core.options import Options
from bpe_tui.core.training.states import Origin
from bpe_tui.core.training.trainer import Trainer
from bpe_tui.formats.continuing import Continuation
from bpe_tui.formats.model import TokenizerModel
from tests.core.corpora import dialects, tables


@given(tables, dialects, st.integers(0, 12), st.integers(0, 12))
def test_continuing_on_the_same_corpus_is_training_at_once(
    words: WordCounts, options: Options, first: int, more: int
) -> None:
    """N merges, then M more from the tokenizer: the same merges, ids, counts and words as N + M at once."""
    at_once = Trainer(words, options)
    at_once.goto(first + more)
    log = [(step.merge, step.counted, step.replaced, step.reused) for step in at_once.steps]
    pairs = [(merge.left_id, merge.right_id) for merge, *_ in log]
    assume(len(set(pairs)) == len(pairs))  # a file can hold a pair once
    before = Trainer(words, options)
    before.goto(first)
    kept = before.position
    model = TokenizerModel(before.vocabulary(), replace(options))
    continued = Continuation("t", model).trainer(words, options.replace(merges=more))
    assert continued.position == continued.inherited == kept
    continued.run()
    assert [(step.merge, step.counted, step.replaced, step.reused) for step in continued.steps] == log
    assert [step.origin for step in continued.steps[:kept]] == [Origin.TOKENIZER] * kept
    assert [step.tied for step in continued.steps[kept:]] == [step.tied for step in at_once.steps[kept:]]
    assert continued.vocabulary() == at_once.vocabulary()
    splits = [continued.word(index).tokens for index in range(continued.word_count)]
    assert splits == [at_once.word(index).tokens for index in range(at_once.word_count)]
    assert continued.totals == at_once.totals
    continued.goto(0)
    at_once.goto(0)
    assert continued.pairs() == at_once.pairs()
    assert continued.vocabulary() == at_once.vocabulary()
