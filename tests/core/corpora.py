"""Hostile little corpora for property tests, and the slow twin that the trainer is held to."""

from __future__ import annotations

from hypothesis import strategies as st

from bpe_tui.core.corpus.alphabet import alphabet_text
from bpe_tui.core.corpus.types import WordCounts
from bpe_tui.core.options import TIE_RULES, Options, make_options
from bpe_tui.core.teaching.reference import Learned, learn
from bpe_tui.core.training.trainer import Trainer

few_letters = st.text("ab", min_size=1, max_size=14) | st.text("abc ", min_size=1, max_size=10)
runs = st.builds(
    lambda letter, length, tail: letter * length + tail, st.sampled_from("ab"), st.integers(1, 30), few_letters
)
repeated = st.builds(lambda part, times: part * times, st.text("abé", min_size=1, max_size=3), st.integers(1, 10))
anything = st.text(min_size=1, max_size=6)
hostile_words = few_letters | runs | repeated | anything
frequencies = st.integers(1, 4) | st.integers(2**31 - 1, 2**31 + 1) | st.just(2**40 + 1)

tables = st.lists(st.tuples(hostile_words, frequencies), max_size=8, unique_by=lambda entry: entry[0]).map(
    lambda entries: WordCounts([word for word, _ in entries], [count for _, count in entries])
)

dialects = st.builds(
    lambda alphabet, ties, ending, style, least, specials: make_options(
        "toy",
        alphabet=alphabet,
        ties=ties,
        end_of_word=ending,
        end_of_word_style=style,
        min_frequency=least,
        specials=specials,
        merges=1000,
    ),
    st.sampled_from(["characters", "seen-bytes"]),
    st.sampled_from(TIE_RULES),
    st.sampled_from(["", "</w>", "b"]),
    st.sampled_from(["suffix", "symbol"]),
    st.sampled_from([1, 1, 2, 3]),
    st.sampled_from([(), ("<s>",), ("ab", "a")]),
)


def learned_slowly(
    words: WordCounts, options: Options, base: list[str], merges: int
) -> tuple[list[Learned], list[list[str]]]:
    """What the textbook learns from the same start: its merges, and the words as they are split at the end."""
    split = [word_symbols(word, options) for word in words.words]
    ids = {text: index for index, text in enumerate(base)}
    return learn(split, words.counts, ids, options.ties, merges, options.min_frequency), split


def learned_fast(trainer: Trainer) -> list[Learned]:
    """The trainer's log in the textbook's terms."""
    return [
        Learned((step.merge.left, step.merge.right), step.counted, step.replaced, step.tied) for step in trainer.steps
    ]


def snapshot(trainer: Trainer) -> object:
    """Everything that a screen could show of this moment."""
    return (
        trainer.position,
        trainer.vocab_size,
        trainer.total_tokens,
        trainer.state,
        trainer.leader(),
        [trainer.word(index) for index in range(trainer.word_count)],
        [(row.left, row.right, row.count, row.change, row.is_new, row.wins) for row in trainer.pairs(0, 10_000)],
        [trainer.token(token) for token in range(trainer.vocab_size)],
    )


def word_symbols(word: str, options: Options) -> list[str]:
    """The symbols of one pre-token before any merge, the word ending included; an empty word has none."""
    symbols = list(alphabet_text(word, options))
    if options.end_of_word and symbols:
        if options.end_of_word_style == "symbol":
            symbols.append(options.end_of_word)
        else:
            symbols[-1] += options.end_of_word
    return symbols
