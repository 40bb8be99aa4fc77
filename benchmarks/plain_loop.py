"""Byte-pair encoding as courses teach it: a split for each word, and every pair counted anew for every merge.

This is the loop that learners type in, kept as plain as there: dictionaries of lists, no numpy, no index of pairs.
"""

from __future__ import annotations

import regex

from bpe_tui.core.corpus.alphabet import bytes_to_chars
from bpe_tui.core.corpus.pretokenize import PATTERNS

Pair = tuple[str, str]


def learn(text: str, merges: int) -> list[Pair]:
    """The first `merges` merges of `text`, whose lines are the documents; of tied pairs the first seen wins."""
    frequencies: dict[str, int] = {}
    for line in text.split("\n"):
        for word in regex.findall(PATTERNS["gpt2"], line):
            shown = bytes_to_chars(word.encode())
            frequencies[shown] = frequencies.get(shown, 0) + 1
    splits = {word: list(word) for word in frequencies}
    learned: list[Pair] = []
    while len(learned) < merges:
        counts = _count_pairs(splits, frequencies)
        if not counts:
            break
        best = max(counts, key=counts.__getitem__)
        _merge(best, splits)
        learned.append(best)
    return learned


def _count_pairs(splits: dict[str, list[str]], frequencies: dict[str, int]) -> dict[Pair, int]:
    counts: dict[Pair, int] = {}
    for word, frequency in frequencies.items():
        split = splits[word]
        for place in range(len(split) - 1):
            pair = (split[place], split[place + 1])
            counts[pair] = counts.get(pair, 0) + frequency
    return counts


def _merge(pair: Pair, splits: dict[str, list[str]]) -> None:
    left, right = pair
    for word, split in splits.items():
        place = 0
        while place < len(split) - 1:
            if split[place] == left and split[place + 1] == right:
                split = [*split[:place], left + right, *split[place + 2 :]]
            else:
                place += 1
        splits[word] = split
