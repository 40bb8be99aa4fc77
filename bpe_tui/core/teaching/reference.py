"""Byte-pair encoding as textbooks have it: everything is counted again at every step.

Slow and plain on purpose. The tests hold the fast trainer and encoder to it, and the app shows this very text as the
algorithm, with the line of the current phase marked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

Word = list[str]
Pair = tuple[str, str]


def learn(
    words: list[Word], counts: list[int], ids: dict[str, int], ties: str, merges: int, least: int = 1
) -> list[Learned]:
    """Learn up to `merges` merges; `words` are split in place, new tokens are added to `ids`."""
    learned: list[Learned] = []
    while len(learned) < merges:
        pairs = count_pairs(words, counts)  # phase: count
        if max(pairs.values(), default=0) < least:
            break
        best = pick(pairs, ids, ties)  # phase: pick
        done = merge_all(words, counts, best)  # phase: merge
        ids.setdefault("".join(best), len(ids))
        learned.append(seen(pairs, best, done))
    return learned


def count_pairs(words: list[Word], counts: list[int]) -> dict[Pair, int]:
    """How often each pair of neighbours occurs, in order of first appearance; overlaps count."""
    pairs: dict[Pair, int] = {}
    for word, count in zip(words, counts, strict=True):
        for pair in pairwise(word):
            pairs[pair] = pairs.get(pair, 0) + count
    return pairs


def pick(pairs: dict[Pair, int], ids: dict[str, int], ties: str) -> Pair:
    """The pair with the highest count; of several, the one that the tie rule prefers."""
    top = max(pairs.values())
    tied = [pair for pair, count in pairs.items() if count == top]
    if ties == "lowest-id":
        return min(tied, key=lambda pair: (ids[pair[0]], ids[pair[1]]))
    if ties == "greatest-pair":
        return max(tied)
    if ties == "shortest-first":
        return min(tied, key=lambda pair: (len("".join(pair)), "".join(pair), ids[pair[0]], ids[pair[1]]))
    return tied[0]  # first-seen


def merge_all(words: list[Word], counts: list[int], pair: Pair) -> int:
    """Join the pair in every word; returns how often, each word counted as often as it occurs."""
    done = 0
    for word, count in zip(words, counts, strict=True):
        done += merge(word, pair) * count
    return done


def merge(word: Word, pair: Pair) -> int:
    """Join the pair wherever it stands in the word, from left to right; returns how often."""
    place = done = 0
    while place < len(word) - 1:
        if (word[place], word[place + 1]) == pair:
            word[place : place + 2] = ["".join(pair)]
            done += 1
        place += 1
    return done


def seen(pairs: dict[Pair, int], best: Pair, replaced: int) -> Learned:
    """What there is to tell of a merge."""
    tied = list(pairs.values()).count(pairs[best])
    return Learned(best, pairs[best], replaced, tied)


@dataclass(frozen=True, slots=True)
class Learned:
    """One merge, and what was seen when it was picked."""

    pair: Pair
    counted: int
    replaced: int
    tied: int


def encode(word: Word, merges: Sequence[Pair], fired: Callable[[int, Word], None] | None = None) -> Word:
    """Apply the merges in learned order to the symbols of one word; `fired(rank, word)` after each that changed it."""
    tokens = list(word)
    for rank, pair in enumerate(merges):
        if merge(tokens, pair) and fired is not None:
            fired(rank, tokens)
    return tokens
