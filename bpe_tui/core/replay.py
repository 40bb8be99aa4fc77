"""The replay: how words fell into their tokens, merge after merge, and their state at each.

`Encoder.trace` keeps the whole text for every merge, which is plain and right for a sentence. A long text repeats its
words, so here each distinct word is traced once, by the same rule, and the text's state after any merge is put
together from the states of its words.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from bpe_tui.core.encoder import UNKNOWN, Encoder, Token
from bpe_tui.core.vocabulary import Merge

WORK: Final = 1_024
"""About as many symbols are looked at between two points where a caller may pause or stop."""

Units = tuple[tuple[int, int], ...]
"""A word at one moment: for each token its id (or `UNKNOWN`) and how many of the word's symbols it covers."""
Working = Generator[None, None, "Replay"]


@dataclass(frozen=True, slots=True)
class Fired:
    """One merge that fires somewhere in the words replayed."""

    merge: Merge
    places: int
    """How often it is made."""
    words: tuple[int, ...]
    """The words that it changes, by their place in the replay."""


@dataclass(frozen=True, slots=True)
class _Moment:
    """A word after one of its merges."""

    merge: Merge
    units: Units


class Replay:
    """The merges that fire in some words, in learned order; row 0 is the state before any of them."""

    def __init__(self, symbols: list[list[Token]], traces: dict[tuple[int, ...], list[_Moment]]) -> None:
        """Use `replay` instead: `traces` holds one trace for each distinct word, by its symbols' ids."""
        self._symbols = symbols
        self._traces = [traces[key_of(word)] for word in symbols]
        fired: dict[int, tuple[Merge, int, list[int]]] = {}
        places: dict[int, list[tuple[Merge, int]]] = {}
        for index, trace in enumerate(self._traces):
            for merge, count in _counted(places, len(symbols[index]), trace):
                entry = fired.setdefault(merge.rank, (merge, 0, []))
                entry[2].append(index)
                fired[merge.rank] = (merge, entry[1] + count, entry[2])
        self.rows = tuple(
            Fired(merge, count, tuple(words))
            for _, (merge, count, words) in sorted(fired.items(), key=lambda one: one[0])
        )

    def __len__(self) -> int:
        """Merges that fire."""
        return len(self.rows)

    @property
    def word_count(self) -> int:
        """Words replayed."""
        return len(self._symbols)

    def tokens(self, word: int, row: int) -> list[Token]:
        """The tokens of one word after the first `row` merges."""
        symbols, trace, after = self._symbols[word], self._traces[word], self._moments(word, row)
        if not after:
            return list(symbols)
        made = {one.merge.id: one.merge.token for one in trace[:after]}
        tokens: list[Token] = []
        place = 0
        for token, length in trace[after - 1].units:
            first = symbols[place]
            last = symbols[place + length - 1]
            tokens.append(first if length == 1 else Token(made[token], token, first.start, last.end))
            place += length
        return tokens

    def fresh(self, word: int, row: int) -> frozenset[int]:
        """Places (among `tokens(word, row)`) of the tokens that the merge of `row` itself made."""
        trace, after = self._traces[word], self._moments(word, row)
        if not after or trace[after - 1].merge.rank != self.rows[row - 1].merge.rank:
            return frozenset()
        before = trace[after - 2].units if after > 1 else ((UNKNOWN, 1),) * len(self._symbols[word])
        return _new_places(before, trace[after - 1].units)

    def _moments(self, word: int, row: int) -> int:
        """How many of the first `row` merges changed the word."""
        if row == 0:
            return 0
        return bisect_right(self._traces[word], self.rows[row - 1].merge.rank, key=lambda moment: moment.merge.rank)


def replay(encoder: Encoder, words: Iterable[list[Token]]) -> Working:
    """Trace words given as their symbols (`Encoder.by_word` without `merged`); the generator returns the `Replay`.

    It yields now and then, so that a caller with a screen to look after can pause or give up.
    """
    symbols: list[list[Token]] = []
    traces: dict[tuple[int, ...], list[_Moment]] = {}
    work = 0
    for word in words:
        symbols.append(word)
        key = key_of(word)
        work += len(word)
        if key not in traces:
            trace: list[_Moment] = []
            for moment in _trace(encoder, key):
                trace.append(moment)
                work += len(moment.units)
                if work > WORK:
                    work = 0
                    yield
            traces[key] = trace
        if work > WORK:
            work = 0
            yield
    return Replay(symbols, traces)


def finish(working: Generator[None, None, Replay]) -> Replay:
    """The replay without pauses."""
    while True:
        try:
            next(working)
        except StopIteration as stop:
            result: Replay = stop.value
            return result


def key_of(word: list[Token]) -> tuple[int, ...]:
    """What decides how a word is merged: the ids of its symbols, unknown ones as `UNKNOWN`."""
    return tuple(UNKNOWN if token.unknown or token.id is None else token.id for token in word)


def _trace(encoder: Encoder, key: tuple[int, ...]) -> Iterable[_Moment]:
    """A word after each merge that fires in it: always the lowest rank among neighbours, in all its places."""
    units: Units = tuple((token, 1) for token in key)
    while True:
        best: Merge | None = None
        for pair in {(left[0], right[0]) for left, right in pairwise(units)}:
            if UNKNOWN in pair:
                continue
            merge = encoder.merge_of(*pair)
            if merge is not None and (best is None or merge.rank < best.rank):
                best = merge
        if best is None:
            return
        units = _joined(units, best)
        yield _Moment(best, units)


def _joined(units: Units, merge: Merge) -> Units:
    made: list[tuple[int, int]] = []
    index = 0
    while index < len(units):
        here = units[index]
        if index + 1 < len(units) and (here[0], units[index + 1][0]) == (merge.left_id, merge.right_id):
            made.append((merge.id, here[1] + units[index + 1][1]))
            index += 2
        else:
            made.append(here)
            index += 1
    return tuple(made)


def _counted(known: dict[int, list[tuple[Merge, int]]], size: int, trace: list[_Moment]) -> list[tuple[Merge, int]]:
    """The merges of a trace, each with the number of its places; remembered by trace."""
    counted = known.get(id(trace))
    if counted is None:
        sizes = [size, *(len(moment.units) for moment in trace)]
        counted = [
            (moment.merge, before - after) for moment, before, after in zip(trace, sizes, sizes[1:], strict=False)
        ]
        known[id(trace)] = counted
    return counted


def _new_places(before: Units, after: Units) -> frozenset[int]:
    """Which tokens of `after` cover more symbols than the token that began there before."""
    starts: dict[int, int] = {}
    place = 0
    for _, length in before:
        starts[place] = length
        place += length
    new: set[int] = set()
    place = 0
    for index, (_, length) in enumerate(after):
        if starts.get(place) != length:
            new.add(index)
        place += length
    return frozenset(new)
