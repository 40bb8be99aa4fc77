"""Continuing a tokenizer: its merges, then new ones, with all ids as they were."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from bpe_tui.core.corpus.sources import text_corpus
from bpe_tui.core.corpus.types import WordCounts
from bpe_tui.core.errors import OptionError, TokenizerFileError
from bpe_tui.core.options import TIE_RULES, Options, make_options
from bpe_tui.core.teaching.divergence import TrainingSnapshot, divergences, rule_path
from bpe_tui.core.training.states import Origin
from bpe_tui.core.training.trainer import Trainer
from bpe_tui.core.training.vocabulary import Merge, Vocabulary
from bpe_tui.formats.continuing import Continuation, read_continuation
from bpe_tui.formats.huggingface.added_tokens import AddedToken
from bpe_tui.formats.huggingface.read import read as read_json
from bpe_tui.formats.huggingface.write import check_model
from bpe_tui.formats.huggingface.write import write as write_json
from bpe_tui.formats.model import TokenizerModel
from bpe_tui.formats.registry import format_called, read_tokenizer, write_tokenizer
from bpe_tui.formats.session import file as session
from bpe_tui.formats.session.training import resume, save
from tests.core.corpora import dialects, tables
from tests.formats import hf_files
from tests.formats.in_tools import NAMES, TEXTS, in_its_tool, in_our_reading
from tests.formats.models import ids, trained


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


FORMATS: dict[str, tuple[str, dict[str, Any]]] = {
    "huggingface": ("huggingface", {}),
    "gpt2": ("huggingface", {"specials": ()}),
    "merges": ("subword-nmt", {"min_frequency": 1}),
    "tiktoken": ("minbpe", {"pre_tokenizer": "gpt2"}),
    "minbpe": ("minbpe", {}),
    "session": ("paper", {}),
}
"""For each format a preset that it can hold, and what else it needs."""
OTHER = "the cat and the hat sat; that thé naïve banana bandana\nhello yellow 12345 12345 日本\n" * 3


def continued(model: TokenizerModel, merges: int = 30, **given: Any) -> tuple[Trainer, TokenizerModel]:
    """A training that goes on from `model` on another text, and what it makes."""
    continuation = Continuation("t", model)
    options = continuation.options({"merges": merges, **given})
    trainer = continuation.trainer(continuation.count(text_corpus(OTHER), options), options)
    trainer.run()
    return trainer, continuation.model_with(trainer.vocabulary(), options)


def assert_ids_stay(before: TokenizerModel, after: TokenizerModel, trainer: Trainer) -> int:
    """Old ids stay, new ones come after; texts in old tokens only are as before. How many these are."""
    old = before.vocabulary.texts or {token: text for text, token in before.vocabulary.ids.items()}
    new = {step.merge.id for step in trainer.steps[trainer.inherited :] if not step.reused}
    now = after.vocabulary.texts or {token: text for text, token in after.vocabulary.ids.items()}
    assert now.keys() == old.keys() | new
    assert {token: now[token] for token in old} == old
    assert sorted(new) == list(range(max(old) + 1, max(old) + 1 + len(new)))
    assert [merge.id for merge in after.vocabulary.merges[: trainer.inherited]] == [
        merge.id for merge in before.vocabulary.in_order()
    ]
    reused = any(step.reused for step in trainer.steps[trainer.inherited :])
    same = 0
    encoder, encoder_before = after.encoder(), before.encoder()
    for text in (*TEXTS, *OTHER.split(), OTHER):
        found = encoder.encode_ids(text, unknown=after.unknown)
        if new.isdisjoint(found) and not reused:
            same += bool(found)
            assert found == encoder_before.encode_ids(text, unknown=before.unknown)
    return same


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_continued_and_read_by_its_tool(name: str, tmp_path: Path) -> None:
    preset, more = FORMATS[name]
    path, out = tmp_path / NAMES[name], tmp_path / "out"
    out.mkdir()
    written = out / NAMES[name]
    first = trained(preset, merges=40, **more)
    write_tokenizer(str(path), first, name)
    beside = {} if name == "session" else format_called(name).beside(first)
    before = read_continuation(str(path), beside).model
    trainer, after = continued(before, 10)
    assert len(trainer.steps) == len(before.vocabulary.merges) + 10
    notes = write_tokenizer(str(written), after, name)
    assert assert_ids_stay(before, after, trainer) > 3
    tool = in_its_tool(name, written, after, None if name != "gpt2" else "[UNK]", notes)
    again = read_tokenizer(str(written), beside)
    for text in TEXTS:
        if name != "merges":
            assert tool(text) == in_our_reading(after, special=True)(text)
        assert ids(again, text) == ids(after, text)


@pytest.mark.parametrize("seed", range(40))
def test_any_tokenizer_json_is_continued(seed: int) -> None:
    """With added tokens, gaps, prefixes, endings, whole words, normalizers: as `tokenizers` reads what is written."""
    try:
        before = read_json(json.dumps(hf_files.file(random.Random(seed), foreign=True)))
    except TokenizerFileError:
        return
    trainer, after = continued(before, 12)
    assert_ids_stay(before, after, trainer)
    merges = [(merge.left, merge.right) for merge in after.vocabulary.merges]
    assert len(set(merges)) == len(merges)
    try:
        check_model(after)
    except TokenizerFileError:
        return  # what was read cannot be written either
    file = write_json(after)[0].decode()
    assert read_json(file).vocabulary.ids.items() >= after.vocabulary.ids.items()
    theirs = Tokenizer.from_str(file)
    ours = after.encoder()
    for text in (*TEXTS, OTHER):
        if after.unknown != "error":
            found = [token.id for token in ours.encode(text, unknown=after.unknown, allow_special=True)]
            assert found == theirs.encode(text).ids


def test_the_end_of_text_of_gpt_2_stays_where_it_is(tmp_path: Path) -> None:
    """An added token that follows all merges keeps its id in a file with more merges, for `tokenizers` too."""
    first = trained("huggingface", specials=(), merges=20)
    file = json.loads(write_json(first)[0])
    file["added_tokens"] = [AddedToken(276, "<|endoftext|>").as_dict()]
    before = read_json(json.dumps(file))
    trainer, after = continued(before)
    assert trainer.steps[20].merge.id == 277
    path = tmp_path / "t.json"
    write_tokenizer(str(path), after)
    theirs = Tokenizer.from_file(str(path))
    assert theirs.token_to_id("<|endoftext|>") == 276
    text = "the cat<|endoftext|>bandana"
    ours = [token.id for token in after.encoder().encode(text, allow_special=True)]
    assert theirs.encode(text).ids == ours
    assert 276 in ours
    assert max(token or 0 for token in ours) > 277


def test_characters_outside_the_alphabet_cut_words_and_are_told() -> None:
    before = trained("toy", text="hat\nthat", merges=2, documents="lines")
    continuation = Continuation("t.json", before)
    options = continuation.options({"merges": 9})
    trainer = continuation.trainer(WordCounts(["hxat", "xx", "that"], [5, 2, 1]), options)
    assert trainer.words.words == ["h", "at", "that"]
    assert trainer.words.notes == (
        "9 characters of the corpus are not in the alphabet of t.json and stay unknown: no merge crosses them",
    )
    trainer.run()
    assert all("x" not in step.merge.token for step in trainer.steps)


def test_a_pair_of_the_tokenizer_is_not_merged_again() -> None:
    """`aab` is made in two ways here, and its pair with `b` comes up again: a file can hold it once."""
    tokens = ("a", "b", "c", "aa", "ab", "aab", "aabc")
    at = {text: token for token, text in enumerate(tokens)}
    pairs = [("a", "a"), ("aab", "c"), ("a", "b"), ("aa", "b")]
    merges = tuple(
        Merge(left, right, left + right, at[left], at[right], at[left + right], rank)
        for rank, (left, right) in enumerate(pairs)
    )
    model = TokenizerModel(Vocabulary(tokens, (), tokens[:3], merges, at), make_options("toy", merges=4))
    continuation = Continuation("t", model)
    trainer = continuation.trainer(WordCounts(["aabc", "cc"], [9, 2]), continuation.options({"merges": 3}))
    assert trainer.pair_frequency(at["aab"], at["c"]) == 9
    leader = trainer.leader()
    assert leader is not None
    assert (leader.left, leader.right, leader.count, leader.tied) == ("c", "c", 2, 1)
    assert [row.token for row in trainer.pairs()] == ["cc"]
    with pytest.raises(OptionError, match="has this merge, or its token, already"):
        trainer.choose(at["aab"], at["c"])
    trainer.goto(1)  # before it is made it may be chosen, and then what followed is gone
    assert trainer.pair_frequency(at["aab"], at["c"]) == 0
    trainer.run()
    assert trainer.position == 5


@pytest.mark.parametrize("seed", range(10))
def test_a_session_comes_back_from_any_moment(seed: int) -> None:
    choice = random.Random(seed)
    preset, more = list(FORMATS.values())[seed % len(FORMATS)]
    continuation = Continuation("t.json", trained(preset, merges=12, **more))
    options = continuation.options({"merges": 8, "ties": choice.choice(TIE_RULES)})
    words = continuation.count(text_corpus(OTHER), options)
    trainer = continuation.trainer(words, options)
    for _ in range(30):
        move = choice.choice("sssugct" if seed % 2 else "sssut")
        if move == "s":
            trainer.step()
        elif move == "u":
            trainer.undo()
        elif move == "g":
            trainer.goto(choice.randrange(25))
        elif move == "t":
            trainer.set_ties(choice.choice(TIE_RULES))
        elif trainer.pair_count:
            row = choice.choice(trainer.pairs(0, trainer.pair_count))
            trainer.choose(row.left_id, row.right_id)
    saved = session.read(session.write(save(trainer, ["x"], continuation=continuation)).decode())
    again = resume(saved, words)
    for one in (again, trainer):
        assert one.has_token(one.token_ids[-1])
    assert shown(again) == shown(trainer)
    fresh = continuation.trainer(words, options)
    kept = sum(step.origin is Origin.TOKENIZER for step in trainer.steps)
    fresh.goto(kept)
    trainer.goto(kept)
    assert fresh.pairs() == trainer.pairs() or trainer.options.ties != options.ties
    assert fresh.totals[: kept + 1] == trainer.totals[: kept + 1]


def shown(trainer: Trainer) -> object:
    """All of a state that a screen shows."""
    return (
        [(step.merge, step.counted, step.replaced, step.own_choice, step.origin) for step in trainer.steps],
        (trainer.position, trainer.phase, trainer.options, trainer.stop, trainer.target, trainer.vocab_size),
        [trainer.word(index) for index in range(trainer.word_count)],
        trainer.pairs(),
        [trainer.token(token) for token in trainer.token_ids],
        trainer.vocabulary(),
    )


@pytest.mark.parametrize("rule", ["first-seen", "greatest-pair"])
def test_other_rules_are_compared_after_the_merges_of_the_tokenizer(rule: str) -> None:
    continuation = Continuation("t.json", trained("course", merges=12))
    options = continuation.options({"merges": 8, "ties": "lowest-id"})
    trainer = continuation.trainer(continuation.count(text_corpus(OTHER), options), options)
    trainer.run()
    snapshot = TrainingSnapshot.of(trainer)
    other = continuation.trainer(trainer.counted_words, options.replace(ties=rule))
    other.run()
    found = divergences(snapshot, [rule, "lowest-id"])
    assert found["lowest-id"] is None
    differing = (number for number in range(12, 20) if other.merge_at(number) != trainer.merge_at(number))
    first = next(differing, None)
    divergence = found[rule]
    assert (None if divergence is None else divergence.number - 1) == first
    trainer.goto(5)
    row = trainer.pairs(1, 2)[0]
    trainer.choose(row.left_id, row.right_id)  # the tokenizer's other merges are gone
    trainer.run()
    totals: list[int] = []
    rule_path(TrainingSnapshot.of(trainer), 6, 9, totals.append)
    assert totals[:6] == trainer.totals[:6]
    assert len(totals) == 10
    assert totals[6] < totals[5]


def test_a_session_with_a_limited_alphabet_is_resumed() -> None:
    """Its words are known by how they were counted, not by what the limit leaves of them."""
    options = make_options("toy", limit_alphabet=3, merges=2)
    words = WordCounts(["abxab", "cab", "y"], [3, 2, 1])
    trainer = Trainer(words, options)
    trainer.run()
    assert resume(save(trainer, ["x"]), words).steps == trainer.steps
