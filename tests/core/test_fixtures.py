"""The trainer and the encoder against values recorded from the tools whose dialects they speak."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bpe_tui.core.corpus.alphabet import alphabet_text, chars_to_bytes
from bpe_tui.core.corpus.counting import count_words
from bpe_tui.core.corpus.pretokenize import make_pre_tokenizer
from bpe_tui.core.corpus.sources import find_corpus, options_for, text_corpus
from bpe_tui.core.corpus.types import WordCounts
from bpe_tui.core.encoding.encoder import Encoder
from bpe_tui.core.options import make_options
from bpe_tui.core.training.trainer import Trainer

RECORDED = Path(__file__).parent / "data" / "recorded"
FILES = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(RECORDED.glob("*.json"))}
HARD = FILES.pop("hard-cases")["cases"]
SPLITS = FILES.pop("pretokenize")["cases"]

trainings = pytest.mark.parametrize("name", FILES)


def having(*keys: str) -> pytest.MarkDecorator:
    """The recorded trainings that tell at least one of these."""
    return pytest.mark.parametrize("name", [name for name, case in FILES.items() if any(case.get(key) for key in keys)])


def trained(case: dict[str, Any]) -> Trainer:
    """A trainer at the end of a recorded training."""
    options = make_options(
        case["preset"],
        pre_tokenizer=case.get("pre_tokenizer"),
        vocab_size=case.get("vocab_size"),
        merges=case.get("merges_wanted"),
        min_frequency=case.get("min_frequency"),
    )
    if "word_counts" in case:
        words = WordCounts([word for word, _ in case["word_counts"]], [count for _, count in case["word_counts"]])
    else:
        text = case["text"] if "text" in case else "\n".join(case["documents"])
        words = count_words(text_corpus(text), options)
    trainer = Trainer(words, options)
    trainer.run()
    assert trainer.state.startswith("done")
    return trainer


def log(trainer: Trainer) -> list[list[str | int]]:
    """The merges as they are recorded where the tool tells the counts."""
    return [[step.merge.left, step.merge.right, step.counted, step.replaced] for step in trainer.steps]


# -- whole trainings ----------------------------------------------------------------------------------------------


@having("merges")
def test_the_merges_and_their_counts(name: str) -> None:
    recorded = FILES[name]["merges"]
    width = len(recorded[0])
    assert [row[:width] for row in log(trained(FILES[name]))] == recorded


@having("tokens_in_rank_order")
def test_the_tokens_in_the_order_learned(name: str) -> None:
    learned = [step.merge.token for step in trained(FILES[name]).steps]
    assert learned == FILES[name]["tokens_in_rank_order"]


@having("vocab", "alphabet")
def test_the_vocabulary_in_id_order(name: str) -> None:
    case, trainer = FILES[name], trained(FILES[name])
    if "alphabet" in case:
        assert list(trainer.base.alphabet) == case["alphabet"]
    vocabulary = trainer.vocabulary()
    assert list(vocabulary.tokens) == case["vocab"]
    assert [vocabulary.ids[token] for token in case["vocab"]] == list(range(len(case["vocab"])))


@having("words")
def test_the_words_in_order_of_first_appearance(name: str) -> None:
    trainer = trained(FILES[name])
    counted = zip(trainer.words.words, trainer.words.counts, strict=True)
    assert [[alphabet_text(word, trainer.options), count] for word, count in counted] == FILES[name]["words"]


@having("encode", "encode_after")
def test_encoding(name: str) -> None:
    trainer = trained(FILES[name])
    recorded = FILES[name].get("encode", [])
    if "encode_after" in FILES[name]:
        trainer.goto(FILES[name]["encode_after"]["merges"])
        recorded = FILES[name]["encode_after"]["cases"]
    encoder = Encoder(trainer)
    for case in recorded:
        tokens = encoder.encode(case["text"])
        if "tokens" in case:
            assert [token.text for token in tokens] == case["tokens"]
        if "ids" in case:
            assert [token.id for token in tokens] == case["ids"] == encoder.encode_ids(case["text"])
        if "segmented_with_@@" in case:
            # Letters that the training text lacks stay as they are in subword-nmt's output.
            pieces = [case["text"][token.start : token.end] for token in tokens]
            last_places = {span[2] for span in encoder.spans(case["text"])}
            marked = [
                piece if token.end in last_places else f"{piece}@@" for piece, token in zip(pieces, tokens, strict=True)
            ]
            assert " ".join(marked) == case["segmented_with_@@"]


# -- hard cases ---------------------------------------------------------------------------------------------------


def hard(kind: str) -> pytest.MarkDecorator:
    cases = [case for case in HARD if case["kind"] == kind]
    names = [f"{case['case']}-{case.get('ties', '')}-{index}" for index, case in enumerate(cases)]
    return pytest.mark.parametrize("case", cases, ids=names)


@hard("train")
def test_hard_trainings(case: dict[str, Any]) -> None:
    byte_level = case["alphabet"] == "byte"
    options = make_options(
        "toy",
        alphabet="seen-bytes" if byte_level else "characters",
        ties=case["ties"],
        merges=case["steps"],
        min_frequency=case["min_freq"],
    )
    words = [chars_to_bytes(word).decode() if byte_level else word for word, _ in case["words"]]
    trainer = Trainer(WordCounts(words, [count for _, count in case["words"]]), options)
    trainer.run()
    assert [row[:2] for row in log(trainer)] == case["merges"]
    assert [row[2] for row in log(trainer)] == case["counted"]
    assert [row[3] for row in log(trainer)] == case["replaced"]
    assert [step.tied for step in trainer.steps] == case["tied"]
    split = [[trainer.texts[token] for token in trainer.word(index).tokens] for index in range(len(words))]
    assert split == case["final"]
    assert sorted([row.left, row.right, row.count] for row in trainer.pairs(0, 10_000)) == case["pairs_after"]


@hard("pretokenize")
def test_hard_splits(case: dict[str, Any]) -> None:
    for name in ("gpt2", "cl100k"):
        assert make_pre_tokenizer(make_options("course", pre_tokenizer=name)).split(case["text"]) == case[name]


@pytest.mark.parametrize("case", SPLITS, ids=lambda case: repr(case["text"])[:24])
def test_splits(case: dict[str, Any]) -> None:
    for name in ("gpt2", "cl100k", "whitespace", "metaspace"):
        options = make_options("course", pre_tokenizer=name)
        words = make_pre_tokenizer(options).split(case["text"])
        # These GPT-2 words were recorded behind the byte-to-character table.
        assert [alphabet_text(word, options) for word in words] == case[name] if name == "gpt2" else words == case[name]


# -- values that can be checked by hand -----------------------------------------------------------------------------


def bundled(name: str, **overrides: Any) -> Trainer:
    corpus = find_corpus([name])
    options = options_for(corpus, **overrides)
    trainer = Trainer(count_words(corpus, options), options)
    trainer.run()
    return trainer


def of_words(counts: dict[str, int], preset: str = "toy", **overrides: Any) -> Trainer:
    trainer = Trainer(WordCounts(list(counts), list(counts.values())), make_options(preset, **overrides))
    trainer.run()
    return trainer


def test_hug() -> None:
    trainer = bundled("hug", merges=4)
    assert [(*row[:3], step.tied) for row, step in zip(log(trainer), trainer.steps, strict=True)] == [
        ("u", "g", 20, 1),
        ("u", "n", 16, 1),
        ("h", "ug", 15, 1),
        ("p", "un", 12, 1),
    ]
    leader = trainer.leader()
    assert leader is not None
    assert (leader.count, leader.tied) == (5, 2)
    trainer.goto(3)
    encoder = Encoder(trainer)
    for text, tokens in {"bug": "b ug", "mug": "[UNK] ug", "thug": "[UNK] hug", "unhug": "un hug"}.items():
        assert " ".join(token.text for token in encoder.encode(text)) == tokens


def test_the_papers_example_with_the_ending_as_a_symbol() -> None:
    assert [tuple(row[:3]) for row in log(bundled("paper", merges=5))] == [
        ("e", "s", 9),
        ("es", "t", 9),
        ("est", "</w>", 9),
        ("l", "o", 7),
        ("lo", "w", 7),
    ]


def test_the_papers_example_as_subword_nmt_prints_it() -> None:
    counts = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
    trainer = of_words(counts, "subword-nmt", merges=4)
    assert [tuple(row[:2]) for row in log(trainer)] == [("s", "t</w>"), ("e", "st</w>"), ("l", "o"), ("w", "est</w>")]


@pytest.mark.parametrize(
    ("ties", "merges", "split"),
    [
        ("first-seen", ["a n", "b an", "ban an"], "banan a"),
        ("lowest-id", ["a n", "b an", "an a"], "ban ana"),
        ("greatest-pair", ["n a", "na na", "b a"], "ba nana"),
        ("shortest-first", ["a n", "an a", "b an"], "ban ana"),
    ],
)
def test_banana(ties: str, merges: list[str], split: str) -> None:
    trainer = of_words({"banana": 1}, ties=ties, merges=3)
    assert [f"{left} {right}" for left, right, *_ in log(trainer)] == merges
    assert " ".join(trainer.texts[token] for token in trainer.word(0).tokens) == split


def test_overlaps_count_and_only_some_merge() -> None:
    trainer = of_words({"aaaab": 1, "aaab": 1}, merges=1)
    assert log(trainer) == [["a", "a", 5, 3]]
    table = {(row.left, row.right): row.count for row in trainer.pairs(0, 100)}
    assert table == {("a", "b"): 1, ("aa", "a"): 1, ("aa", "aa"): 1, ("aa", "b"): 1}
    trainer.undo()
    assert {(row.left, row.right): row.count for row in trainer.pairs(0, 100)} == {("a", "a"): 5, ("a", "b"): 2}


def test_the_courses_english_sentences() -> None:
    trainer = bundled("course-en")
    assert (len(trainer.base.alphabet), len(trainer.steps)) == (30, 19)
    assert [f"{left}+{right} {counted}" for left, right, counted, _ in log(trainer)[:7]] == [
        *("Ġ+t 7", "i+s 5", "e+r 5", "Ġ+a 5", "Ġt+o 4", "e+n 4", "T+h 3"),
    ]
    assert log(trainer)[-1][:3] == ["Ġtoken", "i", 2]
    encoded = " ".join(token.text for token in Encoder(trainer).encode("This is not a token."))
    assert encoded == "This Ġis Ġ n o t Ġa Ġtoken ."


def test_the_courses_french_sentences() -> None:
    trainer = bundled("course-fr")
    assert (len(trainer.base.alphabet), len(trainer.steps)) == (31, 18)
    assert log(trainer)[0][:3] == ["e", "n", 9]
    assert log(trainer)[-1][:3] == ["Ġ", "l", 2]


def test_under_lowest_id_the_courses_sentences_part_at_the_second_merge() -> None:
    own, other = log(bundled("course-en")), log(bundled("course-en", ties="lowest-id"))
    assert own[0] == other[0]
    assert own[1][:2] != other[1][:2]
