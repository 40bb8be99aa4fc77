"""Merging inside one word: of the neighbours that are a learned pair, those with the lowest rank, leftmost first.

Three ways to do the same: for short words, for long ones, and step by step for the trace. They agree also where a merge
makes a token that an earlier merge can use, which happens if a token is made in two ways.
"""

from __future__ import annotations

import heapq
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise, repeat
from typing import Final, Self

UNKNOWN: Final = -1
"""In place of an id: a symbol that the vocabulary does not have. It is never merged."""

_SHORT: Final = 200
"""Words of up to this many symbols are merged by looking through them; longer ones with a heap."""
_NEVER: Final = 1 << 62
"""In place of the rank of a pair that was never learned."""
_GONE: Final = UNKNOWN - 1
"""In place of an id: a symbol that was merged into the one on its left."""

Pieces = list[tuple[int, int]]
"""The tokens of a word: (id or `UNKNOWN`, how many of the word's symbols it covers)."""


class MergeRanks:
    """Merges by pair, in learned order, of which the first `in_force` are used.

    Going back and forth between two moments of training costs nothing here: a merge is in force if its rank is low
    enough.
    """

    _at_once = False

    def __init__(self) -> None:
        self.in_force = 0
        self._ranks: dict[tuple[int, int], int] = {}
        self._pairs: list[tuple[int, int]] = []
        self._made: list[int] = []
        self._repeated: list[tuple[int, int]] = []
        """Merges of a pair that an earlier merge has too: (rank, rank of the earlier one). The later one counts."""

    @classmethod
    def of(cls, pairs: list[tuple[int, int]], made: list[int]) -> Self:
        """Merges all at once: the pairs by rank, and the ids of what they make."""
        merges = cls()
        ranks = dict(zip(pairs, range(len(pairs)), strict=True))
        if len(ranks) < len(pairs):  # a pair is there twice
            for (left_id, right_id), made_id in zip(pairs, made, strict=True):
                merges.add(left_id, right_id, made_id)
        else:
            merges._ranks, merges._pairs, merges._made, merges.in_force = ranks, pairs, made, len(pairs)
        return merges

    def __len__(self) -> int:
        """Merges known, in force or not."""
        return len(self._pairs)

    def add(self, left_id: int, right_id: int, made_id: int) -> None:
        """Learn one more merge, and use all that are known."""
        self.use(len(self._pairs))
        pair, rank = (left_id, right_id), len(self._pairs)
        earlier = self._ranks.get(pair)
        if earlier is not None:
            self._repeated.append((rank, earlier))
        self._ranks[pair] = rank
        self._pairs.append(pair)
        self._made.append(made_id)
        self.in_force = rank + 1

    def use(self, count: int) -> None:
        """Use the first `count` merges."""
        if self._repeated:
            first, last = (bisect_left(self._repeated, (place, 0)) for place in sorted((self.in_force, count)))
            crossed = self._repeated[first:last]
            if count < self.in_force:
                for rank, earlier in reversed(crossed):
                    self._ranks[self._pairs[rank]] = earlier
            else:
                for rank, _ in crossed:
                    self._ranks[self._pairs[rank]] = rank
        self.in_force = count

    def forget(self, count: int) -> None:
        """Know the first `count` merges only."""
        if count >= len(self._pairs):
            return
        self.use(min(self.in_force, count))
        again = {rank for rank, _ in self._repeated if rank >= count}
        for rank in range(count, len(self._pairs)):
            if rank not in again:
                del self._ranks[self._pairs[rank]]
        del self._pairs[count:], self._made[count:]
        del self._repeated[len(self._repeated) - len(again) :]

    def rank(self, left_id: int, right_id: int) -> int | None:
        """The rank of the merge of two neighbours; None if they are no learned pair."""
        rank = self._ranks.get((left_id, right_id), _NEVER)
        return rank if rank < self.in_force else None

    def merge(self, symbols: Sequence[int]) -> list[int]:
        """The tokens of a word; both are given by their ids."""
        if len(symbols) > _SHORT:
            return [token for token, _ in self._merge_long(symbols)]
        tokens = list(symbols)
        self._merge_short(tokens)
        return tokens

    def pieces(self, symbols: Sequence[int]) -> Pieces:
        """`merge`, and which symbols went into which token."""
        if len(symbols) > _SHORT:
            return self._merge_long(symbols)
        tokens = list(symbols)
        lengths = [1] * len(tokens)
        for place in self._merge_short(tokens):
            lengths[place] += lengths.pop(place + 1)
        return list(zip(tokens, lengths, strict=True))

    def _merge_short(self, tokens: list[int]) -> list[int]:
        """Merge `tokens` where they are; returns the places of the merges, one after the other."""
        find, made, in_force = self._ranks.get, self._made, self.in_force
        ranks = list(map(find, pairwise(tokens), repeat(_NEVER)))
        places = []
        while ranks and (best := min(ranks)) < in_force:
            place = ranks.index(best)
            places.append(place)
            token = tokens[place] = made[best]
            del tokens[place + 1], ranks[place]
            if place:
                ranks[place - 1] = find((tokens[place - 1], token), _NEVER)
            if place < len(ranks):
                ranks[place] = find((token, tokens[place + 1]), _NEVER)
        return places

    def _merge_long(self, symbols: Sequence[int]) -> Pieces:
        """In n log n: the places of each learned pair wait under its rank, and are looked at again when it is due."""
        find, made, in_force = self._ranks.get, self._made, self.in_force
        size = len(symbols)
        tokens = list(symbols)
        after = array("q", range(1, size + 1))
        before = array("q", range(-1, size - 1))
        waiting: dict[int, list[int]] = {}
        for place, rank in enumerate(map(find, pairwise(tokens), repeat(_NEVER))):
            if rank < in_force:
                waiting.setdefault(rank, []).append(place)
        due = sorted(waiting)  # a heap
        while due:
            rank = heapq.heappop(due)
            token = made[rank]
            places = sorted(waiting.pop(rank), reverse=True)
            while places and not (due and due[0] < rank):
                place = places.pop()
                behind = after[place]
                if behind >= size or find((tokens[place], tokens[behind])) != rank:
                    continue
                tokens[place], tokens[behind] = token, _GONE
                behind = after[place] = after[behind]
                ahead = before[place]
                if behind < size:
                    before[behind] = place
                    _wait(waiting, due, find((token, tokens[behind]), in_force), place, in_force)
                if ahead >= 0:
                    _wait(waiting, due, find((tokens[ahead], token), in_force), ahead, in_force)
            if places:  # an earlier merge can fire now, and goes first
                waiting[rank] = places
                heapq.heappush(due, rank)
        return [(token, after[place] - place) for place, token in enumerate(tokens) if token != _GONE]

    def trace(self, symbols: Sequence[int]) -> Iterator[tuple[int, Pieces]]:
        """The plain way, in view: (rank, the word's tokens then) each time that a merge was made in all its places.

        If making it in one place lets an earlier merge fire, that one goes first, and the other places wait.
        """
        pieces = [(symbol, 1) for symbol in symbols]
        while True:
            best = min((self._rank_of(pair) for pair in pairwise(pieces)), default=_NEVER)
            if best >= self.in_force:
                return
            pieces = self._made_in_all_places(pieces, best)
            yield best, pieces

    def _made_in_all_places(self, pieces: Pieces, rank: int) -> Pieces:
        made: Pieces = []
        place = 0
        while place < len(pieces):
            here = pieces[place]
            place += 1
            if place == len(pieces) or self._rank_of((here, pieces[place])) != rank:
                made.append(here)
                continue
            made.append((self._made[rank], here[1] + pieces[place][1]))
            place += 1
            if self._at_once:
                continue
            beside = pairwise([*made[-2:], *pieces[place : place + 1]])
            if any(self._rank_of(pair) < rank for pair in beside):
                break
        return made + pieces[place:]

    def _rank_of(self, pair: tuple[tuple[int, int], tuple[int, int]]) -> int:
        return self._ranks.get((pair[0][0], pair[1][0]), _NEVER)


class SubwordNmtRanks(MergeRanks):
    """Merges of which each is made in all its places before the next one is looked for, as subword-nmt does.

    That is another thing only where a merge makes a token that an earlier merge can use.
    """

    _at_once = True

    def merge(self, symbols: Sequence[int]) -> list[int]:
        """See `MergeRanks`."""
        return [token for token, _ in self.pieces(symbols)]

    def pieces(self, symbols: Sequence[int]) -> Pieces:
        """See `MergeRanks`."""
        last = [(symbol, 1) for symbol in symbols]
        for _, pieces in self.trace(symbols):
            last = pieces
        return last


def _wait(waiting: dict[int, list[int]], due: list[int], rank: int, place: int, in_force: int) -> None:
    """Let a place wait under the rank of its pair, if that merge is in force."""
    if rank in waiting:
        waiting[rank].append(place)
    elif rank < in_force:
        waiting[rank] = [place]
        heapq.heappush(due, rank)
