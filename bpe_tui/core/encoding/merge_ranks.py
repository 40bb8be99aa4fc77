"""Merging inside one word: of the neighbours that are a learned pair, those with the lowest rank, leftmost first.

That is the definition also where a merge makes a token that an earlier merge can use, which happens if a token is made
in two ways.
"""

from __future__ import annotations

import heapq
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise, repeat
from typing import Final

UNKNOWN: Final = -1
"""In place of an id: a symbol that the vocabulary does not have. It is never merged."""

_SHORT: Final = 200
"""Words of up to this many symbols are merged by looking through them for the lowest rank, longer ones with a queue of
ranks. The queue would do for all, but the ids of 1.1 MB of English would take 0.59 s instead of 0.33 s."""
_NEVER: Final = 1 << 62
"""In place of the rank of a pair that was never learned."""
_GONE: Final = UNKNOWN - 1
"""In place of an id: a symbol that was merged into the one on its left."""

Pieces = tuple[list[int], Sequence[int]]
"""The tokens of a word: their ids, and for each the number of its first symbol, from 0."""


class MergeRanks:
    """Merges by pair, in learned order, of which the first `in_force` are used.

    Going back and forth between two moments of training costs nothing here: a merge applies if its rank is low
    enough.
    """

    def __init__(self, *, whole_passes: bool = False) -> None:
        """With `whole_passes` each merge is made in all its places before the next is looked for, as subword-nmt does.

        That makes a difference only where a merge makes a token that an earlier merge can use.
        """
        self.in_force = 0
        self._whole_passes = whole_passes
        self._ranks: dict[tuple[int, int], int] = {}
        self._pairs: list[tuple[int, int]] = []
        self._made: list[int] = []
        self._repeated: list[tuple[int, int]] = []
        """Merges of a pair that an earlier merge has too: (rank, rank of the earlier one). The later one counts."""

    def __len__(self) -> int:
        """Merges known, applied or not."""
        return len(self._pairs)

    def learn(self, merges: Iterable[tuple[int, int, int]]) -> None:
        """Learn more merges, each a left id, a right id and the id that they make, and use all that are known."""
        self.use(len(self._pairs))
        ranks, pairs, made, rank = self._ranks, self._pairs, self._made, len(self._pairs)
        for left_id, right_id, made_id in merges:
            pair = (left_id, right_id)
            if pair in ranks:
                self._repeated.append((rank, ranks[pair]))
            ranks[pair] = rank
            pairs.append(pair)
            made.append(made_id)
            rank += 1
        self.in_force = rank

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
        """The rank of the merge of two neighbours, applied or not; None if they are no learned pair."""
        return self._ranks.get((left_id, right_id))

    def merge(self, symbols: Sequence[int]) -> Pieces:
        """The tokens of a word, given by the ids of its symbols; `UNKNOWN` is never merged."""
        if len(symbols) <= _SHORT and not self._whole_passes:
            return self._merge_short(symbols)
        word = _Word(symbols)
        for _ in self._fire(word):
            pass
        firsts = [place for place, token in enumerate(word.tokens) if token != _GONE]
        return [word.tokens[place] for place in firsts], firsts

    def trace(self, symbols: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
        """How a word merges: each time the rank of a merge, and the places where it is made before another one fires.

        A place is the number of the first symbol that the new token covers, from 0; a row's places ascend.
        """
        return self._fire(_Word(symbols))

    def trace_with_dropout(
        self, symbols: Sequence[int], rate: float, draw: Callable[[], float]
    ) -> Iterator[tuple[int, list[int]]]:
        """How a word merges if before each merge those that could be made are dropped with probability `rate`.

        The lowest rank among those that are left is merged, and all are candidates again; the word is done once all
        are dropped at the same time (BPE-dropout, Provilkov et al., 2020). Rows are as in `trace`; one without places
        is a merge that was dropped where it would have come before the next row.

        `draw` gives the next random number, from 0 up to but excluding 1.
        """
        word = _Word(symbols)
        return self._drop_in_passes(word, rate, draw) if self._whole_passes else self._drop(word, rate, draw)

    def _drop(self, word: _Word, rate: float, draw: Callable[[], float]) -> Iterator[tuple[int, list[int]]]:
        """One merge at a time, from a queue by rank, as in `tokenizers`: what was dropped waits until something is not.

        A place whose tokens were merged meanwhile is still in the queue. It takes its draw too, and can so give those
        that were dropped another chance. The paper has none; the frequencies of tokens are those of `tokenizers`.
        """
        find, made, in_force = self._ranks.get, self._made, self.in_force
        tokens, after, before, size = word.tokens, word.after, word.before, len(word.tokens)
        ranks = enumerate(map(find, pairwise(tokens), repeat(_NEVER)))
        due = sorted((rank, place) for place, rank in ranks if rank < in_force)  # a heap
        dropped: list[tuple[int, int]] = []
        while due:
            rank, place = heapq.heappop(due)
            behind = after[place]
            is_pair = behind < size and find((tokens[place], tokens[behind])) == rank
            if draw() < rate:
                dropped.append((rank, place))
                if is_pair:
                    yield rank, []
                continue
            for candidate in dropped:
                heapq.heappush(due, candidate)
            dropped.clear()
            if not is_pair:
                continue
            tokens[place], tokens[behind] = made[rank], _GONE
            yield rank, [place]
            behind = after[place] = after[behind]
            neighbours = [(place, behind)] if behind < size else []
            if behind < size:
                before[behind] = place
            if before[place] >= 0:
                neighbours.append((before[place], place))
            for left, right in neighbours:
                rank = find((tokens[left], tokens[right]), _NEVER)
                if rank < in_force:
                    heapq.heappush(due, (rank, left))

    def _drop_in_passes(self, word: _Word, rate: float, draw: Callable[[], float]) -> Iterator[tuple[int, list[int]]]:
        """Each merge in all places where it is not dropped; a draw for each two neighbours, as subword-nmt has it."""
        find, made, in_force = self._ranks.get, self._made, self.in_force
        tokens, places = list(word.tokens), list(range(len(word.tokens)))
        while len(tokens) > 1:
            kept: list[tuple[int, int]] = []
            dropped: list[tuple[int, int]] = []
            for index, pair in enumerate(pairwise(tokens)):
                is_kept = not rate or draw() > rate
                rank = find(pair, _NEVER)
                if rank < in_force:
                    (kept if is_kept else dropped).append((rank, index))
            best = min(kept, default=(_NEVER, 0))[0]
            yield from ((rank, []) for rank, _ in sorted(dropped) if rank <= best)
            if not kept:
                return
            fired: list[int] = []
            for rank, index in kept:
                if rank == best and not (fired and fired[-1] + 1 >= index):
                    fired.append(index)
            yield best, [places[index] for index in fired]
            for index in reversed(fired):
                tokens[index] = made[best]
                del tokens[index + 1], places[index + 1]

    def _merge_short(self, symbols: Sequence[int]) -> Pieces:
        find, made, in_force = self._ranks.get, self._made, self.in_force
        tokens, firsts = list(symbols), list(range(len(symbols)))
        ranks = list(map(find, pairwise(tokens), repeat(_NEVER)))
        while ranks and (best := min(ranks)) < in_force:
            place = ranks.index(best)
            token = tokens[place] = made[best]
            del tokens[place + 1], firsts[place + 1], ranks[place]
            if place:
                ranks[place - 1] = find((tokens[place - 1], token), _NEVER)
            if place < len(ranks):
                ranks[place] = find((token, tokens[place + 1]), _NEVER)
        return tokens, firsts

    def _fire(self, word: _Word) -> Iterator[tuple[int, list[int]]]:
        """Merge `word` in n log n: places wait under the rank of their pair, and are looked at when it is due."""
        find, made, in_force = self._ranks.get, self._made, self.in_force
        tokens, after, before, size = word.tokens, word.after, word.before, len(word.tokens)
        waiting: dict[int, list[int]] = {}
        for place, rank in enumerate(map(find, pairwise(tokens), repeat(_NEVER))):
            if rank < in_force:
                waiting.setdefault(rank, []).append(place)
        due = sorted(waiting)  # a heap

        def wait(place: int, behind: int) -> None:
            rank = find((tokens[place], tokens[behind]), _NEVER)
            if rank in waiting:
                waiting[rank].append(place)
            elif rank < in_force:
                waiting[rank] = [place]
                heapq.heappush(due, rank)

        while due:
            rank = heapq.heappop(due)
            token = made[rank]
            places = sorted(waiting.pop(rank), reverse=True)
            fired = []
            while places and (self._whole_passes or not (due and due[0] < rank)):
                place = places.pop()
                behind = after[place]
                if behind >= size or find((tokens[place], tokens[behind])) != rank:
                    continue
                tokens[place], tokens[behind] = token, _GONE
                fired.append(place)
                behind = after[place] = after[behind]
                if behind < size:
                    before[behind] = place
                    wait(place, behind)
                if before[place] >= 0:
                    wait(before[place], place)
            if places:  # an earlier merge can fire now, and goes first
                waiting[rank] = places
                heapq.heappush(due, rank)
            if fired:
                yield rank, fired


class _Word:
    """A word while it is merged: the token at the place of its first symbol, linked with its neighbours."""

    def __init__(self, symbols: Sequence[int]) -> None:
        self.tokens = list(symbols)
        size = len(self.tokens)
        self.after = array("q", range(1, size + 1))
        self.before = array("q", range(-1, size - 1))
