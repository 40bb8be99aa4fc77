"""Hostile little corpora for property tests, and the slow twin that the trainer is held to."""

from __future__ import annotations

from hypothesis import strategies as st

from bpe_tui.core.corpus.alphabet import alphabet_text
from bpe_tui.core.corpus.types import WordCounts
from bpe_tui.core.options import TIE_RULES, Options, make_options
from bpe_tui.core.teaching.reference import Learned, count_pairs, learn, merge_all, pick, seen
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
    lambda alphabet, ties, ending, style, least, specials, longest: make_options(
        "toy",
        alphabet=alphabet,
        ties=ties,
        end_of_word=ending,
        end_of_word_style=style,
        min_frequency=least,
        specials=specials,
        max_token_length=None if ending else longest,  # an ending may be a letter too, and a token of two lengths
        merges=1000,
    ),
    st.sampled_from(["characters", "seen-bytes"]),
    st.sampled_from(TIE_RULES),
    st.sampled_from(["", "</w>", "b"]),
    st.sampled_from(["suffix", "symbol"]),
    st.sampled_from([1, 1, 2, 3]),
    st.sampled_from([(), ("<s>",), ("ab", "a")]),
    st.sampled_from([None, None, None, 2, 4, 7]),
)


def learned_slowly(
    words: WordCounts, options: Options, base: list[str], merges: int
) -> tuple[list[Learned], list[list[str]]]:
    """What the textbook learns from the same start: its merges, and the words as they are split at the end."""
    split = [word_symbols(word, options) for word in words.words]
    ids = {text: index for index, text in enumerate(base)}
    if options.max_token_length is None:
        return learn(split, words.counts, ids, options.ties, merges, options.min_frequency), split
    return learned_short(split, words.counts, ids, options, merges), split


def symbols_by_token(words: WordCounts, options: Options, split: list[list[str]]) -> dict[str, int]:
    """How many symbols each token has of which `split` words are made."""
    lengths: dict[str, int] = {}
    for word, tokens in zip(words.words, split, strict=True):
        symbols = iter(word_symbols(word, options))
        for token in tokens:
            text, length = "", 0
            while text != token:
                text, length = text + next(symbols), length + 1
            lengths[token] = length
    return lengths


def is_short(pair: tuple[str, str], symbols: dict[str, int], options: Options) -> bool:
    """May the pair be merged, as far as --max-token-length goes?"""
    length = symbols[pair[0]] + symbols[pair[1]]
    return options.max_token_length is None or length == 2 or length < options.max_token_length


def learned_short(
    words: list[list[str]], counts: list[int], ids: dict[str, int], options: Options, merges: int
) -> list[Learned]:
    """The textbook's loop, in which only pairs count that make no token of too many symbols."""
    symbols = {symbol: 1 for word in words for symbol in word}
    learned: list[Learned] = []
    while len(learned) < merges:
        counted = count_pairs(words, counts)
        pairs = {pair: count for pair, count in counted.items() if is_short(pair, symbols, options)}
        if max(pairs.values(), default=0) < options.min_frequency:
            break
        best = pick(pairs, ids, options.ties)
        done = merge_all(words, counts, best)
        ids.setdefault("".join(best), len(ids))
        symbols.setdefault("".join(best), symbols[best[0]] + symbols[best[1]])
        learned.append(seen(pairs, best, done))
    return learned


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
